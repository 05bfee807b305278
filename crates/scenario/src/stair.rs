//! A stair in the plan of a building: its flights and the landings between them, or a spiral.

use throng::Vector;

use crate::read_lifts::LEAST;

/// The cosine of the least turn of the way at which there is a landing, of 29 degrees: spirals turn by less at a time.
const LANDING: f32 = 0.875;

/// The cosine of the sharpest turn, of 138 degrees.
const SHARPEST: f32 = -0.75;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stair {
    pub(crate) name: String,
    /// The numbers of the storeys at its foot and at its head.
    pub(crate) storeys: [usize; 2],
    /// The ends of its foot in the plan; the storey is to its left.
    pub(crate) foot: [Vector<2>; 2],
    /// The straight parts of its way from the foot to the head, each to the end of the one before.
    pub(crate) legs: Vec<Vector<2>>,
    /// The factors of speeds up and down.
    pub(crate) factors: [f32; 2],
    /// The velocity with which it carries people from its foot to its head.
    pub(crate) escalator: f32,
    /// The offset from the plan to the world.
    pub(crate) offset: Vector<2>,
}

impl Stair {
    /// Makes the storey at its foot lie to the left of the foot.
    pub(crate) fn turn_foot(&mut self) {
        let (along, run) = (self.foot[1] - self.foot[0], self.legs[0]);
        if along[1] * run[0] < along[0] * run[1] {
            self.foot.reverse();
        }
    }

    fn half_width(&self) -> f32 {
        (self.foot[1] - self.foot[0]).length() * 0.5
    }

    /// The middle of its way, from the foot to the head.
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

    /// Its two sides, from the ends of the foot to those of the head.
    pub(crate) fn sides(&self) -> [Vec<Vector<2>>; 2] {
        let across = |leg: &Vector<2>| Vector([-leg[1], leg[0]]) / leg.length();
        let first = across(&self.legs[0]);
        let half = self.half_width();
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

    /// The corners of its footprint in the plan: the lowest and the highest.
    pub(crate) fn footprint(&self) -> [Vector<2>; 2] {
        let [near, far] = self.sides();
        if self.legs.len() == 1 {
            return corners(near[0], far[1]);
        }
        let least = |axis: usize, of: &dyn Fn(f32, f32) -> bool| {
            let mut all = near.iter().chain(&far).map(|point| point[axis]);
            let first = all.next().unwrap_or_default();
            all.fold(first, |least, along| if of(along, least) { along } else { least })
        };
        [Vector::from_fn(|axis| least(axis, &|a, b| a < b)), Vector::from_fn(|axis| least(axis, &|a, b| a > b))]
    }

    /// The middle lines of its flights in the plan, each from its foot to its head, without landings.
    pub(crate) fn flights(&self) -> Vec<[Vector<2>; 2]> {
        let (way, turns) = (self.way(), self.turns());
        let landing = |at: usize| if turns[at].0 <= LANDING { turns[at].1 } else { 0.0 };
        let legs = self.legs.iter().enumerate();
        let long = legs.filter(|(number, leg)| leg.length() - landing(*number) - landing(number + 1) >= LEAST);
        long.map(|(number, leg)| {
            let along = leg.direction();
            [way[number] + along * landing(number), way[number + 1] - along * landing(number + 1)]
        })
        .collect()
    }

    /// The part of its rise below a place in the plan.
    pub(crate) fn share(&self, plan: Vector<2>) -> f32 {
        let flights = self.flights();
        let length = |[from, to]: &[Vector<2>; 2]| (*to - *from).length();
        let nearest = flights.iter().enumerate().map(|(number, flight)| {
            let (along, off) = along(flight, plan);
            (number, along.clamp(0.0, 1.0), off)
        });
        let nearest = nearest.min_by(|(.., one), (.., other)| one.total_cmp(other));
        let Some((number, along, _)) = nearest else { return 0.0 };
        let below: f32 = flights[..number].iter().map(length).sum();
        let all: f32 = flights.iter().map(length).sum();
        (below + along * length(&flights[number])) / all
    }

    /// Boxes in the plan that cover each of its flights, and no other.
    pub(crate) fn boxes(&self) -> Vec<(Vector<2>, Vec<[Vector<2>; 2]>)> {
        let (flights, half) = (self.flights(), self.half_width());
        let run = |[from, to]: &[Vector<2>; 2]| *to - *from;
        if self.legs.len() == 1 {
            return vec![(self.legs[0], vec![self.footprint()])];
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
        let [low, high] = self.footprint();
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
fn along([from, to]: &[Vector<2>; 2], point: Vector<2>) -> (f32, f32) {
    let run = *to - *from;
    let along = (point - *from).dot(run) / run.length_squared();
    (along, (*from + run * along.clamp(0.0, 1.0) - point).length())
}

/// The lowest and the highest corner of a box between two opposite ones.
fn corners(a: Vector<2>, b: Vector<2>) -> [Vector<2>; 2] {
    let low = Vector::from_fn(|axis| if a[axis] < b[axis] { a[axis] } else { b[axis] });
    [low, a + b - low]
}
