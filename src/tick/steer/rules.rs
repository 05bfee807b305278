//! The rules and the motion of a species, applied to a chunk's sums and lists.

use std::cell::Cell;

use crate::agents::columns::Cells;
use crate::kernels::combine::Force;
use crate::kernels::pairs::Sum;
use crate::kernels::{AxesMut, CHUNK, CLUSTER};
use crate::neighbour_lists::lists::TickLists;
use crate::neighbour_lists::neighbours::ListedNeighbours;
use crate::neighbour_lists::plan::RulePlan;
use crate::neighbour_lists::sums::Counts;
use crate::rules::interface::{Aim, Forces, Neighbourhood, Rows, Tally};
use crate::rules::motion::MOTION_KEY;
use crate::species::Rule;
use crate::tick::steer::steering::Steering;

/// The rows of a chunk, for which its rules run one after the other.
pub(super) struct ChunkRows<'a, 's, const D: usize> {
    pub(super) steering: &'a Steering<'s, D>,
    pub(super) chunk: usize,
    /// The number of agents.
    pub(super) agents: usize,
    pub(super) sums: &'a mut [Sum<D>],
    pub(super) memory: &'a [Cells],
    pub(super) there: &'a [Cell<bool>],
    pub(super) aims: &'a [Cell<Aim<D>>],
    pub(super) active: &'a [[bool; CHUNK]],
    pub(super) tally: &'a Cell<Tally>,
}

impl<const D: usize> ChunkRows<'_, '_, D> {
    /// Lists the neighbours of a cluster's agents, forms the sums over the nearest, and runs the rules that look at
    /// neighbours one by one. Returns the counts that no pass makes.
    pub(super) fn steer_cluster(
        &mut self,
        cluster: usize,
        lists: TickLists<'_>,
        neighbours: &mut ListedNeighbours<D>,
        forces: &mut [Force<D>],
    ) -> Counts {
        let lists_of_rules = 0..self.steering.search.plan.lists_of_rules();
        if lists_of_rules.is_empty() {
            return Counts::default();
        }
        let place = (self.chunk, cluster);
        let counts = self.steering.search.list_all(place, lists_of_rules, lists, neighbours, self.sums);
        for (number, rule) in self.steering.species.rules.iter().enumerate() {
            if let Some(rows) = self.cluster_rows(number, cluster, &neighbours.lists) {
                let (first, len) = (rows.first, rows.len);
                rule.behaviour.steer_rows(&rows, &mut Forces { forces: &mut forces[number], first, len });
            }
        }
        counts
    }

    /// Runs the rules that do not look at neighbours one by one.
    pub(super) fn steer_all(&self, forces: &mut [Force<D>]) {
        for (number, rule) in self.steering.species.rules.iter().enumerate() {
            let plan = &self.steering.search.plan.rules[number];
            let active = self.active.get(number);
            let force = &mut forces[number];
            if plan.lists.is_empty() && active.is_none_or(|active| active.contains(&true)) {
                let rows = self.rows(plan, number, 0, self.agents, &[]);
                rule.behaviour.steer_rows(&rows, &mut Forces { forces: force, first: 0, len: self.agents });
            }
            // A rule that steers many agents at once may ignore for which it is active.
            if let Some(active) = active {
                for row in (0..self.agents).filter(|&row| !active[row]) {
                    force.iter_mut().for_each(|axis| axis[row] = 0.0);
                }
            }
        }
    }

    /// Finds the agents that no rule leads anywhere, for their motion.
    pub(super) fn find_idle(&self) {
        let rules = &self.steering.species.rules;
        for (row, aim) in self.aims.iter().enumerate().take(self.agents) {
            let leads = |(number, rule): (usize, &Rule<D>)| {
                !rule.behaviour.only_avoids() && self.active.get(number).is_none_or(|active| active[row])
            };
            if !rules.iter().enumerate().any(leads) {
                aim.set(Aim { idle: true, ..aim.get() });
            }
        }
    }

    /// Runs the species' motion, which turns the rules' forces into velocities, and fills `displacement`, which is zero,
    /// where it has room. Returns the counts that no pass makes.
    pub(super) fn make_motion(
        &mut self,
        lists: TickLists<'_>,
        neighbours: &mut ListedNeighbours<D>,
        (out, displacement): (&mut AxesMut<'_, D>, &mut AxesMut<'_, D>),
        velocity: &mut Force<D>,
    ) -> Counts {
        let mut counts = Counts::default();
        let Some(motion) = &self.steering.species.motion else { return counts };
        let displaces = motion.displaces() && !displacement[0].is_empty();
        let mut move_rows = |rows: &Rows<'_, D>, velocity: &mut Force<D>| {
            motion.velocities(rows, &mut Forces { forces: velocity, first: rows.first, len: rows.len });
            for me in rows.iter().filter(|_| displaces) {
                let moved = motion.displacement(&me);
                for axis in 0..D {
                    displacement[axis][me.in_chunk] = moved[axis];
                }
            }
        };
        for axis in 0..D {
            velocity[axis][..out[axis].len()].copy_from_slice(out[axis]);
        }
        let number = self.steering.species.rules.len();
        let plan = &self.steering.search.plan.rules[number];
        let of_motion = self.steering.search.plan.lists_of_motion();
        let clusters = if of_motion.is_empty() { 0 } else { self.steering.search.clusters_of(self.chunk) };
        for cluster in 0..clusters {
            let place = (self.chunk, cluster);
            let listed = self.steering.search.list_all(place, of_motion.clone(), lists, neighbours, self.sums);
            counts.add(&[listed]);
            if let Some(rows) = self.cluster_rows(number, cluster, &neighbours.lists) {
                move_rows(&rows, velocity);
            }
        }
        if plan.lists.is_empty() {
            move_rows(&self.rows(plan, number, 0, self.agents, &[]), velocity);
        }
        if let Some(active) = self.active.get(number) {
            for row in (0..self.agents).filter(|&row| !active[row]) {
                velocity.iter_mut().for_each(|axis| axis[row] = 0.0);
                displacement.iter_mut().filter_map(|axis| axis.get_mut(row)).for_each(|moved| *moved = 0.0);
            }
        }
        for axis in 0..D {
            out[axis].copy_from_slice(&velocity[axis][..out[axis].len()]);
        }
        counts
    }

    /// Returns the rows of a cluster for a rule that looks at neighbours one by one; none if it is not active there.
    fn cluster_rows<'r>(&'r self, number: usize, cluster: usize, lists: &'r [Neighbourhood<D>]) -> Option<Rows<'r, D>> {
        let plan = &self.steering.search.plan.rules[number];
        let first = cluster * CLUSTER;
        let len = (self.agents - first).clamp(0, CLUSTER);
        let speaks = self.active.get(number).is_none_or(|active| active[first..first + len].contains(&true));
        (!plan.lists.is_empty() && speaks).then(|| self.rows(plan, number, first, len, &lists[plan.lists.clone()]))
    }

    fn rows<'r>(
        &'r self,
        plan: &'r RulePlan,
        number: usize,
        first: usize,
        len: usize,
        lists: &'r [Neighbourhood<D>],
    ) -> Rows<'r, D> {
        let is_motion = number == self.steering.species.rules.len();
        Rows {
            world: self.steering.search.world,
            level: self.steering.search.level,
            agents: self.steering.search.agents,
            response: self.steering.species.response,
            turn_rate: self.steering.species.motion.is_none().then_some(self.steering.species.max_turn_rate),
            chunk: self.chunk * CHUNK,
            first,
            len,
            sums: &self.sums[plan.sums.clone()],
            lists,
            memory: &self.memory[plan.memory.clone()],
            kept: plan.kept,
            key: self.steering.species.rules.get(number).map_or(MOTION_KEY, |rule| rule.key),
            updates: &plan.updates,
            all_memory: self.memory,
            names: &self.steering.names[number],
            at_target: if plan.arrives || is_motion { self.there } else { &[] },
            aims: self.aims,
            active: self.active.get(number).map_or(&[], |active| &active[..]),
            tally: self.tally,
        }
    }
}
