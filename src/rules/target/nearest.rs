//! The nearest agent as the target, for all agents of a cluster at once.

use crate::agents::Agents;
use crate::index::search::{FoundAgent, Search};
use crate::kernels::closest::{Closest, closest};
use crate::kernels::steer_to_target::{TargetRows, TargetSteering, steer_to_target};
use crate::kernels::visibility::Sights;
use crate::kernels::{self, CLUSTER, CLUSTERS};
use crate::maths::{Vector, ones};
use crate::rules::interface::{Forces, PerceivedSpecies, Rows};
use crate::rules::target::TargetState;
use crate::rules::target::of_chunk::ChunkTargets;

/// The least number of agents in a cluster for which a shared search pays.
const MIN_AGENTS: u32 = 3;

/// The largest number of candidates of a shared search. With more, each agent searches by itself.
const MAX_CANDIDATES: usize = 128;

impl<const D: usize> Rows<'_, D> {
    /// Sets the forces of the agents of a cluster, with the closest neighbour on the first list as the target. All
    /// neighbours on the list are within `radius`.
    pub(crate) fn steer_to_closest(&self, radius: f32, steering: TargetSteering, forces: &mut Forces<'_, D>) {
        let sights = self.lists[0].sights();
        let found = self.closest(self.first, sights, self.at_seam(radius));
        let (mut velocity, mut active) = ([[0.0; CLUSTER]; D], 0);
        for lane in (0..CLUSTER).filter(|&lane| found.squared[lane] < f32::INFINITY) {
            let (species, row) = sights.at(found.number[lane] as usize);
            let theirs = self.world.agents[species as usize].velocity(row as usize);
            for axis in 0..D {
                velocity[axis][lane] = theirs[axis];
            }
            active |= 1 << lane;
        }
        let (offset, velocity) =
            (found.offset.each_ref().map(|axis| &axis[..]), velocity.each_ref().map(|axis| &axis[..]));
        let target_rows = TargetRows { offset, velocity, active: &[active] };
        steer_to_target(self.level, &self.steered(), &target_rows, steering, self.first, forces.forces);
    }

    /// The closest of the visible neighbours, for each agent of a cluster.
    fn closest(&self, first: usize, sights: &Sights, seam: bool) -> Closest<D> {
        let (mut found, row) = (Closest::new(), self.chunk + first);
        let position = kernels::rows(&self.agents.position, row..row + CLUSTER);
        for seen in sights.parts() {
            let theirs = self.bodies(seen.species).position;
            closest(self.level, &position, &theirs, &seen, seam, &self.world.settings().period(), &mut found);
        }
        found
    }

    /// The nearest agent of some species as the target of each agent. A cluster shares one search if the number of
    /// candidates is small.
    pub(crate) fn nearest_targets(&self, number: usize, perceived: &PerceivedSpecies) -> ChunkTargets<D> {
        let (mut targets, mut found, mut sights) = (ChunkTargets::new([0; CLUSTERS]), Vec::new(), Sights::default());
        // If only agents in some states count, or those in sight, they are searched for one by one.
        let shared = !perceived.is_limited() && !self.names.hides;
        let all = shared && self.see_all(&perceived.numbers, &mut sights);
        for (cluster, mut left) in self.active_bits().into_iter().enumerate().filter(|(_, active)| *active != 0) {
            let first = cluster * CLUSTER;
            let placed = if all { left } else { left & self.placed(first) };
            let many = shared && placed.count_ones() >= MIN_AGENTS;
            if all || many && self.see_nearest(first, perceived, &mut found, &mut sights) {
                let closest = self.closest(first, &sights, true);
                for lane in
                    (0..CLUSTER).filter(|lane| placed >> lane & 1 == 1 && closest.squared[*lane] < f32::INFINITY)
                {
                    let (species, row) = sights.at(closest.number[lane] as usize);
                    let (them, row) = (&self.world.agents[species as usize], row as usize);
                    let offset = Vector::from_fn(|axis| closest.offset[axis][lane]);
                    let target = TargetState { offset, velocity: them.velocity(row), radius: them.radius(row) };
                    targets.set(first + lane, Some(target));
                }
                left &= !placed;
            }
            for place in ones(left).map(|lane| first + lane) {
                targets.set(place, self.at(place).target_past_goal(number));
            }
        }
        targets
    }

    /// Fills `sights` with all agents of the perceived species, if they fit into one cluster and exclude the agents'
    /// own species. Returns whether it did.
    fn see_all(&self, perceived: &[u32], sights: &mut Sights) -> bool {
        let sought = || perceived.iter().map(|&number| &self.world.all_agents()[number as usize]);
        let few = sought().map(Agents::len).sum::<usize>() <= CLUSTER;
        let all = few && !perceived.contains(&self.agents.species.0);
        for agents in sought().filter(|_| all) {
            sights.extend(agents.species.0, (0..agents.len() as u32).map(|row| (row, u16::MAX)));
        }
        all
    }

    /// Fills `sights` with every agent that may be the nearest to an agent in place of a cluster. Returns `false` if
    /// there are too many.
    fn see_nearest(
        &self,
        first: usize,
        perceived: &PerceivedSpecies,
        found: &mut Vec<FoundAgent>,
        sights: &mut Sights,
    ) -> bool {
        let Some(bounds) = self.cluster_bounds(first) else { return false };
        let (world, own) = (self.world, self.agents.species);
        let mut search =
            Search { point: bounds.centre, radius: f32::INFINITY, period: world.settings().period(), by: None };
        // The agent nearest to the centre bounds the search radius. The first result may be an agent of the
        // cluster, so one more is needed.
        let skipped = usize::from(perceived.numbers.contains(&own.0));
        search.nearest_of(world.among(perceived), 1 + skipped, found);
        if let Some(nearest) = found.get(skipped) {
            search.radius = (nearest.squared().sqrt() + 2.0 * bounds.half.length()) * (1.0 + 1e-4);
        }
        if !search.up_to(world.among(perceived), MAX_CANDIDATES, found) {
            return false;
        }
        found.sort_unstable_by_key(|found| (found.species, found.row));
        sights.clear();
        for found in found.chunk_by(|a, b| a.species == b.species) {
            let sight = |found: &FoundAgent| {
                let lane = (found.row as usize).wrapping_sub(self.chunk + first);
                let itself = if found.species == own.0 && lane < CLUSTER { 1 << lane } else { 0 };
                (found.row, !itself)
            };
            sights.extend(found[0].species, found.iter().map(sight));
        }
        true
    }
}
