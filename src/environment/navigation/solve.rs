//! Distances over a grid: the fast marching method (Sethian 1996), second order where two nodes upwind are known
//! (Sethian 1999, section 8.3.1).
//!
//! Nodes are settled in the order of their distance, each from its settled neighbours across open steps. Nodes nearer
//! to a wall than the clearance follow in a second pass that no path of the first enters, at twice the distance, so
//! that descent leads away from the wall first. Such a node belongs to the nearest one with the clearance that it
//! reaches without coming nearer to walls than half the clearance, and no path of the second pass is a short cut from
//! one such node to another: it would lead through a gap that is too narrow. Nodes that only such a gap leads out of
//! have no way.

use crate::environment::navigation::front::Front;
use crate::environment::navigation::pace::Pace;
use crate::environment::navigation::raster::{BAND, NARROW, Raster, SOLID, Steps};
use crate::environment::navigation::roads::Ride;
use crate::maths::Vector;

/// The cost of a metre nearer to a wall than the clearance, in metres.
const COST_IN_BAND: f32 = 2.0;

/// Computes the distance of every node from the seeds (nodes and their distances), in metres; infinite where none leads
/// to a seed. `rides` are in the order of the nodes to which they lead.
pub(super) fn solve(raster: &Raster, (pace, rides): (&Pace, &[Ride]), seeds: &[(usize, f32)]) -> Vec<f32> {
    let nodes = raster.cells[0] * raster.cells[1];
    let [x, y] = raster.spacing;
    let width = BUCKET * if y < x { y } else { x } as f32;
    let mut solver = Solver {
        raster,
        pace,
        rides,
        rates: raster.spacing.map(|spacing| 1.0 / spacing as f32),
        smooth: (2.0 * raster.diagonal()) as f32,
        distance: vec![f32::INFINITY; nodes],
        status: vec![0; nodes],
        front: Front::new(width),
        steps: Steps::Clear,
        cost: 1.0,
        exits: Vec::new(),
    };
    for &(index, distance) in seeds.iter().filter(|(index, _)| !raster.is(*index, BAND)) {
        solver.propose(index, distance);
        solver.status[index] |= SEEDED;
    }
    solver.march();
    (solver.steps, solver.cost, solver.front) = (Steps::Uncrossed, COST_IN_BAND, Front::new(width));
    solver.exits = exits(raster);
    for &(index, distance) in seeds.iter().filter(|(index, _)| raster.is(*index, BAND) && !raster.is(*index, SOLID)) {
        solver.propose(index, distance);
        solver.status[index] |= SEEDED;
    }
    for index in 0..nodes {
        if raster.is(index, BAND) && !raster.is(index, SOLID) && solver.status[index] == 0 {
            solver.update(index);
        }
    }
    solver.march();
    solver.distance
}

/// The way from a node to the nearest one with the clearance that uncrossed steps reach. A node that reaches none is its
/// own exit.
#[derive(Clone, Copy)]
struct Exit {
    node: u32,
    steps: u32,
    /// The steps over nodes within half the clearance of a wall.
    narrow: u32,
}

/// Finds the exit of each node. Only nodes within half the clearance of a wall have one that such a node leads to.
fn exits(raster: &Raster) -> Vec<Exit> {
    let nodes = raster.cells[0] * raster.cells[1];
    let mut exits: Vec<Exit> = (0..nodes as u32).map(|node| Exit { node, steps: 0, narrow: 0 }).collect();
    let is_reached = |exits: &[Exit], node: usize| exits[node].steps > 0 || !raster.is(node, BAND);
    for is_narrow in [false, true] {
        let mut reached: Vec<usize> = (0..nodes).filter(|&node| is_reached(&exits, node)).collect();
        let mut next = Vec::new();
        while !reached.is_empty() {
            for node in reached.drain(..) {
                for (axis, forwards) in [(0, false), (0, true), (1, false), (1, true)] {
                    if let Some(other) = raster.next(node, axis, forwards, Steps::Uncrossed)
                        && !is_reached(&exits, other)
                        && !raster.is(other, SOLID)
                        && raster.is(other, NARROW) == is_narrow
                    {
                        let Exit { node, steps, narrow } = exits[node];
                        exits[other] = Exit { node, steps: steps + 1, narrow: narrow + u32::from(is_narrow) };
                        next.push(other);
                    }
                }
            }
            std::mem::swap(&mut reached, &mut next);
        }
    }
    exits
}

/// The distance of the node is final.
const SETTLED: u8 = 1;
/// The distance of the node is exact.
const SEEDED: u8 = 2;

/// The width of a bucket of the front, in units of the spacing of nodes.
const BUCKET: f32 = 0.125;

struct Solver<'a> {
    raster: &'a Raster,
    pace: &'a Pace,
    rides: &'a [Ride],
    /// One over the spacing of nodes on each axis.
    rates: [f32; 2],
    /// The distance from goals beyond which distances are smooth enough for the second order.
    smooth: f32,
    distance: Vec<f32>,
    /// [`SETTLED`] and [`SEEDED`] of each node.
    status: Vec<u8>,
    front: Front,
    steps: Steps,
    cost: f32,
    /// In the second pass, the [`exits`] of nodes.
    exits: Vec<Exit>,
}

/// One axis of the equation: the rate times (distance - `from`) is a component of the gradient.
#[derive(Clone, Copy)]
struct Upwind {
    nearest: f32,
    from: f32,
    rate: f32,
    /// Whether the neighbours are ahead on the axis.
    forwards: bool,
}

impl Solver<'_> {
    /// Settles nodes until the front is empty.
    fn march(&mut self) {
        while let Some((index, distance)) = self.front.pop() {
            if self.status[index] & SETTLED != 0 || distance > self.distance[index] {
                continue;
            }
            self.status[index] |= SETTLED;
            self.ride_from(index, distance);
            for axis in 0..2 {
                for forwards in [false, true] {
                    if let Some(other) = self.next(index, axis, forwards)
                        && self.status[other] == 0
                        && self.is_in_pass(other)
                    {
                        self.update(other);
                    }
                }
            }
        }
    }

    /// Proposes distances to the nodes from which rides lead here.
    fn ride_from(&mut self, index: usize, distance: f32) {
        let first = self.rides.partition_point(|&(_, to, _)| to < index);
        for &(from, _, metres) in self.rides[first..].iter().take_while(|&&(_, to, _)| to == index) {
            if self.status[from] & SETTLED == 0 {
                self.propose(from, distance + metres);
            }
        }
    }

    /// The next node on an axis, if a path of the present pass may lead there.
    fn next(&self, index: usize, axis: usize, forwards: bool) -> Option<usize> {
        let other = self.raster.next(index, axis, forwards, self.steps)?;
        match self.steps {
            Steps::Clear => Some(other),
            Steps::Uncrossed => (!self.is_short_cut(index, other)).then_some(other),
        }
    }

    /// Whether the way between the exits of two adjacent nodes is longer than over these nodes.
    fn is_short_cut(&self, a: usize, b: usize) -> bool {
        let (from, to) = (self.exits[a], self.exits[b]);
        let (steps, narrow) = (from.steps + to.steps, from.narrow + to.narrow);
        if from.node == to.node || steps == 0 {
            return false;
        }
        // In a gap, all that counts is how far it leads: the ways to it may be as long as the way around.
        let steps = if narrow > 0 { narrow } else { steps };
        let longer = (self.distance[from.node as usize] - self.distance[to.node as usize]).abs();
        let step = if self.rates[0] < self.rates[1] { 1.0 / self.rates[0] } else { 1.0 / self.rates[1] };
        longer > (steps + 1) as f32 * step * self.pace.at(a, Vector::ZERO)
    }

    /// Whether the present pass settles a node.
    fn is_in_pass(&self, index: usize) -> bool {
        match self.steps {
            Steps::Clear => true,
            Steps::Uncrossed => self.raster.is(index, BAND) && !self.raster.is(index, SOLID),
        }
    }

    fn update(&mut self, index: usize) {
        let upwind = [self.upwind(index, 0), self.upwind(index, 1)];
        let distance = match self.pace.is_even() {
            true => distance_from(self.cost, upwind),
            false => self.distance_in_zones(index, upwind),
        };
        self.propose(index, distance);
    }

    /// The distance of a node in zones. Where their pace depends on the direction, two iterations find both.
    fn distance_in_zones(&self, index: usize, upwind: [Option<Upwind>; 2]) -> f32 {
        let towards = |distance: f32| {
            Vector(std::array::from_fn(|axis| match upwind[axis] {
                Some(one) if one.from < distance => {
                    let along = (distance - one.from) * one.rate;
                    if one.forwards { along } else { -along }
                }
                _ => 0.0,
            }))
        };
        let at_pace = |direction: Vector<2>| distance_from(self.cost * self.pace.at(index, direction), upwind);
        let mut distance = at_pace(Vector::ZERO);
        if self.pace.is_one_way(index) {
            distance = at_pace(towards(distance));
            distance = at_pace(towards(distance));
        }
        distance
    }

    fn propose(&mut self, index: usize, distance: f32) {
        if distance < self.distance[index] {
            self.distance[index] = distance;
            self.front.push(index, distance);
        }
    }

    /// The settled neighbours of a node on an axis, on the side that is nearer to the goal.
    fn upwind(&self, index: usize, axis: usize) -> Option<Upwind> {
        let mut best: Option<(usize, bool)> = None;
        for forwards in [false, true] {
            if let Some(other) = self.next(index, axis, forwards)
                && self.status[other] & SETTLED != 0
                && best.is_none_or(|(best, _)| self.distance[other] < self.distance[best])
            {
                best = Some((other, forwards));
            }
        }
        let (other, forwards) = best?;
        let (nearest, rate) = (self.distance[other], self.rates[axis]);
        match self.next(other, axis, forwards) {
            Some(second)
                if nearest > self.smooth && self.status[second] & SETTLED != 0 && self.distance[second] <= nearest =>
            {
                // A one-sided difference of second order: (3 d - 4 nearest + second) / (2 spacing).
                let from = nearest + (nearest - self.distance[second]) / 3.0;
                Some(Upwind { nearest, from, rate: 1.5 * rate, forwards })
            }
            _ => Some(Upwind { nearest, from: nearest, rate, forwards }),
        }
    }
}

/// The distance whose gradient has the length of the cost.
fn distance_from(cost: f32, upwind: [Option<Upwind>; 2]) -> f32 {
    let from_one = |one: Upwind| one.from + cost / one.rate;
    let (near, far) = match upwind {
        [Some(x), Some(y)] if y.nearest < x.nearest => (y, x),
        [Some(x), Some(y)] => (x, y),
        [Some(one), None] | [None, Some(one)] => return from_one(one),
        [None, None] => return f32::INFINITY,
    };
    let (a, b) = (near.rate * near.rate, far.rate * far.rate);
    let apart = far.from - near.from;
    let discriminant = cost * cost * (a + b) - a * b * apart * apart;
    if discriminant < 0.0 {
        return from_one(near);
    }
    let both = near.from + (b * apart + discriminant.sqrt()) / (a + b);
    if both < far.nearest { from_one(near) } else { both }
}
