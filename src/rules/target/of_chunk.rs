//! The targets of all agents of a chunk at once, equal to the targets of single agents.

use crate::agents::Agents;
use crate::base::settings::nearest_image;
use crate::kernels::combine::Force;
use crate::kernels::steer_to_target::{TargetRows, TargetSteering, steer_to_target};
use crate::kernels::{CHUNK, CLUSTER, CLUSTERS};
use crate::maths::{Vector, ones};
use crate::rules::interface::{Forces, ResolvedTarget, Rows};
use crate::rules::target::{TargetState, drawn_points};

/// The targets of the agents of a chunk.
#[derive(Clone, Debug)]
pub(crate) struct ChunkTargets<const D: usize> {
    /// The offset from each agent to its target, or to its nearest image in a periodic world.
    pub(crate) offset: Force<D>,
    /// The velocity of the target.
    pub(crate) velocity: Force<D>,
    /// The radius of the target's body.
    pub(crate) radius: [f32; CHUNK],
    /// The agents that have a target, one bit each.
    pub(crate) active: [u16; CLUSTERS],
}

impl<const D: usize> ChunkTargets<D> {
    /// Targets without extent for these agents, with offsets to be filled in.
    pub(crate) fn new(active: [u16; CLUSTERS]) -> Self {
        Self { offset: [[0.0; CHUNK]; D], velocity: [[0.0; CHUNK]; D], radius: [0.0; CHUNK], active }
    }

    /// Sets the target of an agent, given by its index in the chunk.
    pub(crate) fn set(&mut self, place: usize, target: Option<TargetState<D>>) {
        let bit = 1 << (place % CLUSTER);
        let Some(target) = target else {
            self.active[place / CLUSTER] &= !bit;
            return;
        };
        self.active[place / CLUSTER] |= bit;
        self.radius[place] = target.radius;
        for axis in 0..D {
            self.offset[axis][place] = target.offset[axis];
            self.velocity[axis][place] = target.velocity[axis];
        }
    }

    /// The target of an agent, given by its index in the chunk.
    pub(crate) fn get(&self, place: usize) -> Option<TargetState<D>> {
        (self.active[place / CLUSTER] >> (place % CLUSTER) & 1 == 1).then(|| TargetState {
            offset: Vector::from_fn(|axis| self.offset[axis][place]),
            velocity: Vector::from_fn(|axis| self.velocity[axis][place]),
            radius: self.radius[place],
        })
    }
}

impl<const D: usize> Rows<'_, D> {
    /// The agents for which the rule is active, one bit each.
    pub(crate) fn active_bits(&self) -> [u16; CLUSTERS] {
        std::array::from_fn(|cluster| {
            let at = |place: usize| place.saturating_sub(cluster * CLUSTER).clamp(0, CLUSTER);
            let (first, end) = (at(self.first), at(self.first + self.len));
            if self.active.is_empty() {
                return ((1u32 << end) - (1u32 << first)) as u16;
            }
            let bit = |lane: usize| u16::from(self.is_active(cluster * CLUSTER + lane)) << lane;
            (first..end).fold(0, |active, lane| active | bit(lane))
        })
    }

    /// Whether the target with this number is kept from tick to tick.
    pub(crate) fn is_kept(&self, number: usize) -> bool {
        matches!(self.names.targets[number], ResolvedTarget::Kept(..))
    }

    /// The target with this number of each agent, or the agent's goal if it has one.
    pub(crate) fn targets(&self, number: usize) -> ChunkTargets<D> {
        if self.agents.goal.is_none() {
            return self.targets_past_goal(number);
        }
        let mut targets = ChunkTargets::new([0; CLUSTERS]);
        self.iter().for_each(|me| targets.set(me.in_chunk, me.target(number)));
        targets
    }

    /// The target of each agent, regardless of goals.
    pub(crate) fn targets_past_goal(&self, number: usize) -> ChunkTargets<D> {
        let world = self.world;
        let none = || ChunkTargets::new([0; CLUSTERS]);
        match &self.names.targets[number] {
            ResolvedTarget::Point(point) => point.map_or_else(none, |point| self.targets_at_point(point)),
            ResolvedTarget::Agent(id) => world
                .find(*id)
                .map_or_else(none, |(species, row)| self.targets_at_agent(&world.all_agents()[species.number()], row)),
            ResolvedTarget::Random(interval) => {
                let point = drawn_points(world, *interval);
                self.point_targets(self.active_bits(), |place| point(self.agents.id[self.chunk + place]))
            }
            ResolvedTarget::Nearest(species) => self.nearest_targets(number, species),
            ResolvedTarget::Kept(..) => {
                let mut targets = none();
                self.iter().for_each(|me| targets.set(me.in_chunk, me.target_past_goal(number)));
                targets
            }
        }
    }

    fn targets_at_point(&self, point: Vector<D>) -> ChunkTargets<D> {
        self.point_targets(self.active_bits(), |_| point)
    }

    /// Targets at points. `point` returns the point for an agent, given by its index in the chunk.
    pub(crate) fn point_targets(&self, some: [u16; CLUSTERS], point: impl Fn(usize) -> Vector<D>) -> ChunkTargets<D> {
        let mut targets = ChunkTargets::new(some);
        for place in self.first..self.first + self.len {
            let point = point(place);
            for axis in 0..D {
                targets.offset[axis][place] = point[axis];
            }
        }
        self.offsets_to(&mut targets.offset);
        targets
    }

    fn targets_at_agent(&self, agents: &Agents<D>, row: usize) -> ChunkTargets<D> {
        let mut targets = self.targets_at_point(agents.position(row));
        targets.radius = [agents.radius(row); CHUNK];
        targets.velocity = agents.velocity(row).0.map(|component| [component; CHUNK]);
        let own = row.wrapping_sub(self.chunk);
        if agents.species == self.agents.species && own < CHUNK {
            targets.active[own / CLUSTER] &= !(1 << (own % CLUSTER));
        }
        targets
    }

    /// Converts points to offsets from the agents, like [`Settings::offset`](crate::Settings::offset).
    fn offsets_to(&self, points: &mut Force<D>) {
        let (period, places) = (self.world.settings().period(), self.first..self.first + self.len);
        let mut far = false;
        for (axis, from) in self.positions().into_iter().enumerate() {
            let most = 1.5 * period[axis];
            for (to, from) in points[axis][places.clone()].iter().zip(from) {
                far |= (to - from).abs() > most;
            }
        }
        if far {
            for place in places {
                let to = Vector::from_fn(|axis| points[axis][place]);
                let offset = self.at(place).offset_to(to);
                for axis in 0..D {
                    points[axis][place] = offset[axis];
                }
            }
            return;
        }
        for (axis, from) in self.positions().into_iter().enumerate() {
            for (to, from) in points[axis][places.clone()].iter_mut().zip(from) {
                *to = nearest_image(*to - from, period[axis]);
            }
        }
    }

    /// Tells the motion of the agents where they head: to the targets with this number.
    pub(crate) fn head_for(&self, number: usize, targets: &ChunkTargets<D>) {
        if self.aims.is_empty() {
            return;
        }
        for me in self.iter() {
            if let Some(target) = targets.get(me.in_chunk) {
                me.heads_for(me.goal_key(number), (target.offset.length(), target.offset), true);
            }
        }
    }

    /// Records the agents whose bodies touch their targets, or have touched them on the way of the last tick.
    pub(crate) fn arrive_where_touching(&self, targets: &ChunkTargets<D>) {
        if self.at_target.is_empty() {
            return;
        }
        for (cluster, &active) in targets.active.iter().enumerate() {
            for place in ones(active).map(|lane| cluster * CLUSTER + lane) {
                let me = self.at(place);
                if let Some(target) = targets.get(place).filter(|target| me.has_touched(target)) {
                    me.arrive_at(target.offset);
                }
            }
        }
    }

    /// Sets the forces of the agents that have a target.
    pub(crate) fn steer_to_target(
        &self,
        targets: &ChunkTargets<D>,
        steering: TargetSteering,
        forces: &mut Forces<'_, D>,
    ) {
        let (offset, velocity) =
            (targets.offset.each_ref().map(|axis| &axis[..]), targets.velocity.each_ref().map(|axis| &axis[..]));
        let target_rows = TargetRows { offset, velocity, active: &targets.active };
        steer_to_target(self.level, &self.steered(), &target_rows, steering, 0, forces.forces);
    }
}
