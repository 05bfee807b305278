//! A way of even width in a plan: straight parts that turn, with landings where they turn by much.

use throng::Vector;

/// The least length and width of a flight or a car, in metres.
pub(crate) const LEAST: f32 = 0.1;

/// The cosine of the least turn of the way at which there is a landing, of 29 degrees: spirals turn by less at a time.
const LANDING: f32 = 0.875;

/// The cosine of the sharpest turn, of 138 degrees.
const SHARPEST: f32 = -0.75;

/// The cosine of the angle between the first direction of a piece and the others, from which the way is cut.
const TURNED: f32 = -0.1;

/// A part of a stair.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ribbon {
    /// The ends of the line at which it begins.
    pub(crate) foot: [Vector<2>; 2],
    /// The straight parts of its middle, each from the end of the one before.
    pub(crate) legs: Vec<Vector<2>>,
}

impl Ribbon {
    fn half_width(&self) -> f32 {
        (self.foot[1] - self.foot[0]).length() * 0.5
    }

    /// The corners of its middle, from its foot on.
    fn way(&self) -> Vec<Vector<2>> {
        let mut at = (self.foot[0] + self.foot[1]) * 0.5;
        let mut way = vec![at];
        way.extend(self.legs.iter().map(|&leg| {
            at += leg;
            at
        }));
        way
    }

    /// For the foot, the end of each leg but the last, and the head: the cosine of the turn of the way, and the length of
    /// the way before and after it in which its sides turn.
    fn turns(&self) -> Vec<(f32, f32)> {
        let turn = |legs: &[Vector<2>]| {
            let cosine = legs[0].direction().dot(legs[1].direction()).clamp(-1.0, 1.0);
            (cosine, self.half_width() * ((1.0 - cosine) / (1.0 + cosine)).sqrt())
        };
        let none = std::iter::once((1.0, 0.0));
        none.clone().chain(self.legs.windows(2).map(turn)).chain(none).collect()
    }

    /// Whether no turn is too sharp, and its sides meet at none.
    pub(crate) fn has_room(&self) -> bool {
        let turns = self.turns();
        let fits = |(leg, ends): (&Vector<2>, &[(f32, f32)])| leg.length() >= (ends[0].1 + ends[1].1) * 0.999;
        turns.iter().all(|(cosine, _)| *cosine > SHARPEST) && self.legs.iter().zip(turns.windows(2)).all(fits)
    }

    /// Its pieces, cut across the middles of legs: in each, no part lies beyond the line of its foot or of its head.
    pub(crate) fn pieces(self) -> Vec<Self> {
        let (mut pieces, mut piece) = (Vec::new(), Self { foot: self.foot, legs: Vec::new() });
        for (number, &leg) in self.legs.iter().enumerate() {
            let first = piece.legs.first().map_or(leg, |first: &Vector<2>| *first).direction();
            let turns = self.legs.get(number + 1).is_some_and(|next| first.dot(next.direction()) < TURNED);
            if !turns {
                piece.legs.push(leg);
                continue;
            }
            piece.legs.push(leg * 0.5);
            let foot = piece.sides().map(|side| side[side.len() - 1]);
            pieces.push(std::mem::replace(&mut piece, Self { foot, legs: vec![leg * 0.5] }));
        }
        pieces.push(piece);
        pieces
    }

    /// Its two sides, each from an end of its foot to one of its head.
    pub(crate) fn sides(&self) -> [Vec<Vector<2>>; 2] {
        let across = |leg: &Vector<2>| Vector([-leg[1], leg[0]]) / leg.length();
        let (first, half) = (across(&self.legs[0]), self.half_width());
        let mut sides = self.foot.map(|end| vec![end]);
        let mut at = Vector::ZERO;
        for (number, leg) in self.legs.iter().enumerate() {
            at += *leg;
            let next = self.legs.get(number + 1).unwrap_or(leg);
            let (one, other) = (across(leg), across(next));
            let middle = (one + other) / (1.0 + one.dot(other));
            // Zero for a straight flight, whose sides are exactly its legs.
            let aside = (middle - first) * half;
            for (side, end) in sides.iter_mut().zip(self.foot) {
                let is_left = (end - self.foot[0] * 0.5 - self.foot[1] * 0.5).dot(first) > 0.0;
                side.push(end + at + if is_left { aside } else { -aside });
            }
        }
        sides
    }

    /// The middle lines of its flights, each from its foot to its head, without landings. The rest of a leg beside a
    /// landing belongs to the landing if it is shorter than half of the width.
    pub(crate) fn flights(&self) -> Vec<[Vector<2>; 2]> {
        let (way, turns) = (self.way(), self.turns());
        let landing = |at: usize| if turns[at].0 <= LANDING { turns[at].1 } else { 0.0 };
        let legs = self.legs.iter().enumerate();
        let long = legs.filter(|(number, leg)| {
            let landings = landing(*number) + landing(number + 1);
            leg.length() - landings >= if landings > 0.0 { self.half_width() } else { LEAST }
        });
        long.map(|(number, leg)| {
            let along = leg.direction();
            [way[number] + along * landing(number), way[number + 1] - along * landing(number + 1)]
        })
        .collect()
    }

    /// The run of each of its flights, with boxes that cover it and no other.
    pub(crate) fn boxes(&self) -> Vec<(Vector<2>, Vec<[Vector<2>; 2]>)> {
        let (flights, half) = (self.flights(), self.half_width());
        let run = |[from, to]: &[Vector<2>; 2]| *to - *from;
        if let [leg] = self.legs[..] {
            return vec![(leg, vec![corners(self.foot[0], self.foot[1] + leg)])];
        }
        let is_along_axis = |flight| (0..2).any(|axis| run(flight)[axis].abs() < 1e-4 * half);
        if flights.iter().all(is_along_axis) {
            let whole = |flight: &[Vector<2>; 2]| {
                let direction = run(flight).direction();
                let aside = Vector([-direction[1], direction[0]]) * half;
                (run(flight), vec![corners(flight[0] - aside, flight[1] + aside)])
            };
            return flights.iter().map(whole).collect();
        }
        // Squares, each on the nearest flight.
        let [low, high] = bounds(self.sides().iter().flatten().copied());
        let counts = [0, 1].map(|axis| ((high[axis] - low[axis]) / half).ceil() as usize);
        let mut boxes: Vec<_> = flights.iter().map(|flight| (run(flight), Vec::new())).collect();
        for place in 0..counts[0] * counts[1] {
            let corner = low + Vector([(place % counts[0]) as f32, (place / counts[0]) as f32]) * half;
            let middle = corner + Vector([half; 2]) * 0.5;
            let off = |flight| along(flight, middle).1;
            let nearest = (0..flights.len()).min_by(|&one, &other| off(&flights[one]).total_cmp(&off(&flights[other])));
            if let Some(nearest) = nearest.filter(|&flight| off(&flights[flight]) <= half * 1.7) {
                boxes[nearest].1.push([corner, corner + Vector([half; 2])]);
            }
        }
        boxes.retain(|(_, boxes)| !boxes.is_empty());
        boxes
    }
}

/// The place of a point along a segment, in parts of it, and its distance from the segment.
pub(crate) fn along([from, to]: &[Vector<2>; 2], point: Vector<2>) -> (f32, f32) {
    let run = *to - *from;
    let along = ((point - *from).dot(run) / run.length_squared()).clamp(0.0, 1.0);
    (along, (*from + run * along - point).length())
}

/// The lowest and the highest corner of a box between two opposite ones.
pub(crate) fn corners(a: Vector<2>, b: Vector<2>) -> [Vector<2>; 2] {
    let low = Vector::from_fn(|axis| if a[axis] < b[axis] { a[axis] } else { b[axis] });
    [low, a + b - low]
}

/// The lowest and the highest corner of a box around points.
pub(crate) fn bounds(points: impl Iterator<Item = Vector<2>>) -> [Vector<2>; 2] {
    points.fold([Vector([f32::INFINITY; 2]), Vector([f32::NEG_INFINITY; 2])], |[low, high], point| {
        let least = |axis: usize| if point[axis] < low[axis] { point[axis] } else { low[axis] };
        let most = |axis: usize| if point[axis] > high[axis] { point[axis] } else { high[axis] };
        [Vector::from_fn(least), Vector::from_fn(most)]
    })
}
