//! Routes: the shortest ways from any point to any other over the roads of a ground.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::environment::navigation::raster::Raster;
use crate::environment::navigation::roads::{Ride, Roads, metres, sees};

/// The most goals whose ways are kept: they follow from the ground, and are found again when they are needed.
const MOST_GOALS: usize = 4096;

/// The ways from all corners to one goal.
#[derive(Debug)]
struct WaysToGoal {
    /// The metres from each corner; infinite where no way leads to the goal.
    left: Vec<f32>,
    /// The node at which the way from each corner turns next, or ends.
    next: Vec<usize>,
}

/// The roads of a ground, and the ways over them to the goals that were asked for.
#[derive(Debug)]
pub(super) struct Routes {
    raster: Arc<Raster>,
    roads: Roads,
    /// The rides of lifts and links.
    rides: Arc<[Ride]>,
    ways: RwLock<BTreeMap<usize, Arc<OnceLock<WaysToGoal>>>>,
}

impl Routes {
    pub(super) fn new(raster: &Arc<Raster>, rides: &Arc<[Ride]>) -> Self {
        let roads = Roads::new(raster, rides);
        Self { roads, raster: Arc::clone(raster), rides: Arc::clone(rides), ways: RwLock::default() }
    }

    /// The ride on which the way from a node to a goal begins, if it does.
    pub(super) fn ride_from(&self, from: usize, goal: usize) -> Option<Ride> {
        let ways = self.to(goal);
        self.ride_of(ways.get_or_init(|| self.solve(goal)), self.roads.corner_at(from)?)
    }

    /// The ride on which ways lead from a corner, if they do: others that join the same nodes may be longer than the walk.
    fn ride_of(&self, WaysToGoal { left, next }: &WaysToGoal, corner: usize) -> Option<Ride> {
        let from = self.roads.corners[corner].node;
        let after = self.roads.corner_at(next[corner])?;
        let is_taken = |ride: &&Ride| (ride.0, ride.1) == (from, next[corner]) && left[after] + ride.2 <= left[corner];
        self.rides.iter().find(is_taken).copied()
    }

    /// The node at which the way from a node to a goal turns first, or ends, and the metres that are left from there.
    /// `kept` is the result for the last place of the same agent: while it is seen it remains, so the agent does not
    /// waver between two ways. `None` where no way leads to the goal.
    pub(super) fn next(&self, from: usize, goal: usize, kept: Option<usize>) -> Option<(usize, f32)> {
        let is_seen = |node: usize| sees(&self.raster, from, node);
        if kept == Some(goal) && is_seen(goal) {
            return Some((goal, 0.0));
        }
        let ways = self.to(goal);
        let ways = ways.get_or_init(|| self.solve(goal));
        // Nothing is left from the goal, also where it is a corner.
        let left_at = |node: usize| self.roads.corner_at(node).map_or(0.0, |corner| ways.left[corner]);
        let kept = kept.and_then(|node| self.roads.corner_at(node)).filter(|&kept| ways.left[kept] < f32::INFINITY);
        if let Some(kept) = kept {
            let (node, after) = (self.roads.corners[kept].node, ways.next[kept]);
            let is_ride = self.ride_of(ways, kept).is_some();
            if let Some(seen) = [after, node].into_iter().find(|&of| is_seen(of) && !(is_ride && of == after)) {
                return Some((seen, left_at(seen)));
            }
        }
        if is_seen(goal) {
            return Some((goal, 0.0));
        }
        let mut best: Option<(f32, usize)> = None;
        for (number, corner) in self.roads.corners.iter().enumerate() {
            let all = ways.left[number] + metres(&self.raster, from, corner.node);
            if all < best.map_or(f32::INFINITY, |(least, _)| least)
                && corner.touches(&self.raster, from)
                && is_seen(corner.node)
            {
                best = Some((all, number));
            }
        }
        best.map(|(_, number)| (self.roads.corners[number].node, ways.left[number]))
    }

    /// The place of the ways to a goal.
    fn to(&self, goal: usize) -> Arc<OnceLock<WaysToGoal>> {
        if let Some(ways) = self.ways.read().unwrap_or_else(PoisonError::into_inner).get(&goal) {
            return Arc::clone(ways);
        }
        let mut all = self.ways.write().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_GOALS {
            all.clear();
        }
        Arc::clone(all.entry(goal).or_default())
    }

    /// The shortest ways to a goal: Dijkstra (1959).
    fn solve(&self, goal: usize) -> WaysToGoal {
        let Self { raster, roads, .. } = self;
        let count = roads.corners.len();
        let mut ways = WaysToGoal { left: vec![f32::INFINITY; count], next: vec![goal; count] };
        let mut front = BinaryHeap::new();
        for (number, corner) in roads.corners.iter().enumerate() {
            if corner.touches(raster, goal) && sees(raster, corner.node, goal) {
                ways.left[number] = metres(raster, corner.node, goal);
                front.push(Reverse((ways.left[number].to_bits(), number)));
            }
        }
        // Bits of positive numbers have the order of the numbers.
        while let Some(Reverse((bits, corner))) = front.pop() {
            if bits != ways.left[corner].to_bits() {
                continue;
            }
            let node = roads.corners[corner].node;
            let seen = roads.links[corner].iter().map(|&(other, metres)| (other as usize, metres));
            let rides = self.rides.iter().filter(|ride| ride.1 == node);
            let rides = rides.filter_map(|ride| Some((roads.corner_at(ride.0)?, ride.2)));
            for (other, metres) in seen.chain(rides) {
                let left = ways.left[corner] + metres;
                if left < ways.left[other] {
                    (ways.left[other], ways.next[other]) = (left, node);
                    front.push(Reverse((left.to_bits(), other)));
                }
            }
        }
        ways
    }
}
