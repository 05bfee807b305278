//! A way of even width in a plan: straight parts that turn, with landings where they turn by much.

use throng::Vector;

/// The least length and width of a flight or a car, in metres.
pub(crate) const LEAST: f32 = 0.1;

/// The cosine of the least turn of the way at which there is a landing, of 29 degrees: spirals turn by less at a time.
const LANDING: f32 = 0.875;

/// The cosine of a right angle, with room for rounding: no turn is sharper, and no two legs of a piece differ by more.
const RIGHT: f32 = -1e-3;

/// The most squares along an axis that cover flights which are not along axes.
const SQUARES: f32 = 64.0;

/// A part of a stair.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ribbon {
    /// The ends of the line at which it begins.
    pub(crate) foot: [Vector<2>; 2],
    /// The straight parts of its middle, each from the end of the one before.
    pub(crate) legs: Vec<Vector<2>>,
    /// The middle lines of its flights, each from its foot to its head: its legs without landings.
    pub(crate) flights: Vec<[Vector<2>; 2]>,
}

impl Ribbon {
    /// A way from a foot over legs, with flights between the landings. The rest of a leg beside a landing belongs to the
    /// landing if it is shorter than half of the width.
    pub(crate) fn new(foot: [Vector<2>; 2], legs: Vec<Vector<2>>) -> Self {
        let mut ribbon = Self { foot, legs, flights: Vec::new() };
        let (way, turns) = (ribbon.way(), ribbon.turns());
        let landing = |at: usize| if turns[at].0 <= LANDING { turns[at].1 } else { 0.0 };
        for (number, leg) in ribbon.legs.iter().enumerate() {
            let (before, after, along) = (landing(number), landing(number + 1), leg.direction());
            if before + after == 0.0 || leg.length() - before - after >= ribbon.half_width() {
                ribbon.flights.push([way[number] + along * before, way[number + 1] - along * after]);
            }
        }
        ribbon
    }

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

    /// The distance of a point from its middle, in halves of its width.
    pub(crate) fn distance(&self, point: Vector<2>) -> f32 {
        let off = |ends: &[Vector<2>]| along(&[ends[0], ends[1]], point).1;
        self.way().windows(2).map(off).fold(f32::INFINITY, |least, off| if off < least { off } else { least })
            / self.half_width()
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

    /// Whether no turn is sharper than a right angle, and its sides meet at none.
    pub(crate) fn has_room(&self) -> bool {
        let turns = self.turns();
        let fits = |(leg, ends): (&Vector<2>, &[(f32, f32)])| leg.length() >= (ends[0].1 + ends[1].1) * 0.999;
        turns.iter().all(|(cosine, _)| *cosine > RIGHT) && self.legs.iter().zip(turns.windows(2)).all(fits)
    }

    /// Its pieces, cut across legs where the way would turn back: in each, no two legs differ by more than a right angle,
    /// so that no part lies beyond the line of its foot or of its head.
    pub(crate) fn pieces(self) -> Vec<Self> {
        let (way, turns) = (self.way(), self.turns());
        let blank = |foot, legs| Self { foot, legs, flights: Vec::new() };
        let (mut pieces, mut piece) = (Vec::new(), blank(self.foot, Vec::new()));
        let mut flights = self.flights.into_iter().peekable();
        for (number, &leg) in self.legs.iter().enumerate() {
            let is_on = |[from, _]: &[Vector<2>; 2]| along(&[way[number], way[number + 1]], *from).1 < 1e-3 * LEAST;
            let flight = flights.next_if(is_on);
            let turns_back = self.legs.get(number + 1).is_some_and(|next| {
                let direction = next.direction();
                piece.legs.iter().chain([&leg]).any(|other| other.direction().dot(direction) < RIGHT)
            });
            if !turns_back {
                piece.legs.push(leg);
                piece.flights.extend(flight);
                continue;
            }
            // In the middle between the turns.
            let share = 0.5 * (leg.length() + turns[number].1 - turns[number + 1].1) / leg.length();
            let cut = way[number] + leg * share;
            piece.legs.push(leg * share);
            piece.flights.extend(flight.map(|[from, _]| [from, cut]));
            let foot = piece.sides().map(|side| side[side.len() - 1]);
            pieces.push(std::mem::replace(&mut piece, blank(foot, vec![leg * (1.0 - share)])));
            piece.flights.extend(flight.map(|[_, to]| [cut, to]));
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

    /// The run of each of its flights, with boxes that cover it and no other.
    pub(crate) fn boxes(&self) -> Vec<(Vector<2>, Vec<[Vector<2>; 2]>)> {
        let (flights, half) = (&self.flights, self.half_width());
        let run = |[from, to]: &[Vector<2>; 2]| *to - *from;
        if let [leg] = self.legs[..] {
            return vec![(leg, vec![corners(self.foot[0], self.foot[1] + leg)])];
        }
        let is_along_axis = |flight: &[Vector<2>; 2]| (0..2).any(|axis| run(flight)[axis].abs() < 1e-4 * half);
        if flights.iter().all(is_along_axis) {
            let whole = |flight: &[Vector<2>; 2]| {
                let direction = run(flight).direction();
                let aside = Vector([-direction[1], direction[0]]) * half;
                (run(flight), vec![corners(flight[0] - aside, flight[1] + aside)])
            };
            return flights.iter().map(whole).collect();
        }
        // Squares, each on the nearest flight, and joined in rows.
        let [low, high] = bounds(self.sides().iter().flatten().copied());
        let extent = high - low;
        let longer = if extent[0] > extent[1] { extent[0] } else { extent[1] };
        let side = if longer / SQUARES > half { longer / SQUARES } else { half };
        let counts = [0, 1].map(|axis| (extent[axis] / side - 1e-3).ceil() as usize);
        let lands = self.turns().iter().any(|(cosine, _)| *cosine <= LANDING);
        let mut boxes: Vec<_> = flights.iter().map(|flight| (run(flight), Vec::new())).collect();
        for row in 0..counts[1] {
            let mut before = None;
            for column in 0..counts[0] {
                let corner = low + Vector([column as f32, row as f32]) * side;
                let upper: Vector<2> = Vector::from_fn(|axis| {
                    let upper = corner[axis] + side;
                    if upper < high[axis] { upper } else { high[axis] }
                });
                let middle = (corner + upper) * 0.5;
                let off = |flight: &[Vector<2>; 2]| along(flight, middle).1;
                let nearest =
                    (0..flights.len()).min_by(|&one, &other| off(&flights[one]).total_cmp(&off(&flights[other])));
                let nearest = nearest.filter(|&flight| {
                    let is_beside = (0.0..=1.0).contains(&place_along(&flights[flight], middle));
                    off(&flights[flight]) <= half + 0.7 * side && (is_beside || !lands)
                });
                let Some(nearest) = nearest else {
                    before = None;
                    continue;
                };
                let of_flight: &mut Vec<[Vector<2>; 2]> = &mut boxes[nearest].1;
                match of_flight.last_mut().filter(|_| before == Some(nearest)) {
                    Some(last) => last[1] = upper,
                    None => of_flight.push([corner, upper]),
                }
                before = Some(nearest);
            }
        }
        boxes.retain(|(_, boxes)| !boxes.is_empty());
        boxes
    }
}

/// The place of a point along the line through two others, in parts of the way from one to the other.
fn place_along([from, to]: &[Vector<2>; 2], point: Vector<2>) -> f32 {
    let run = *to - *from;
    (point - *from).dot(run) / run.length_squared()
}

/// The place of a point along a segment, in parts of it, and its distance from the segment.
pub(crate) fn along(ends: &[Vector<2>; 2], point: Vector<2>) -> (f32, f32) {
    let along = place_along(ends, point).clamp(0.0, 1.0);
    (along, (ends[0] + (ends[1] - ends[0]) * along - point).length())
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
