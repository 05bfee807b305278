//! Consecutive rows of agents, and their forces, for rules that steer many agents at once.

use std::cell::Cell;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::columns::{Cells, Stored as _};
use crate::base::ids::AgentId;
use crate::boxes::aabb::Aabb;
use crate::environment::NavigationField;
use crate::environment::flow_field::FlowField;
use crate::index::agent_index::AgentIndex;
use crate::kernels::bodies::{Bodies, ClusterBodies};
use crate::kernels::combine::{self, QuantitySlice, SteeredRows};
use crate::kernels::pairs::Sum;
use crate::kernels::{self, CHUNK, CLUSTER};
use crate::maths::Vector;
use crate::rules::interface::{Aim, Neighbourhood, ResolvedNames, Tally};
use crate::rules::world_view::WorldView;

/// Consecutive agents of one species, which are steered together.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, const D: usize> {
    pub(crate) world: WorldView<'a, D>,
    pub(crate) level: Level,
    pub(crate) agents: &'a Agents<D>,
    pub(crate) response: f32,
    /// The turn rate that limits the agents, in degrees per second, if they move as vehicles: those with a motion of
    /// their own step to any side.
    pub(crate) turn_rate: Option<f32>,
    /// The first row of the chunk; `first` is the first of these rows within it.
    pub(crate) chunk: usize,
    pub(crate) first: usize,
    pub(crate) len: usize,
    /// The rule's sums.
    pub(crate) sums: &'a [Sum<D>],
    /// The rule's lists, for the cluster that starts at `first`.
    pub(crate) lists: &'a [Neighbourhood<D>],
    /// The named inputs of the rule.
    pub(crate) names: &'a ResolvedNames<D>,
    /// The rule's memory: one column per value, for the whole chunk.
    pub(crate) memory: &'a [Cells],
    /// The number of kept targets, which come first in memory.
    pub(crate) kept: usize,
    /// The key of the rule.
    pub(crate) key: u32,
    /// The variables that the rule sets, and the memory and variables of all rules of the species, for the whole chunk.
    pub(crate) updates: &'a [UpdatedVariable],
    pub(crate) all_memory: &'a [Cells],
    /// Whether each agent of the chunk is at its target; empty if the rule does not request arrivals.
    pub(crate) at_target: &'a [Cell<bool>],
    /// The aim of each agent of the chunk, for its motion; empty if the species has none.
    pub(crate) aims: &'a [Cell<Aim<D>>],
    /// Whether the rule is active for each agent of the chunk; active for all if empty.
    pub(crate) active: &'a [bool],
    pub(crate) tally: &'a Cell<Tally>,
}

/// A variable that a rule sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UpdatedVariable {
    /// Its number among the columns that rules of the species remember.
    pub(crate) number: usize,
    /// Its range.
    pub(crate) low: f32,
    pub(crate) high: f32,
}

impl<'a, const D: usize> Rows<'a, D> {
    /// Sets the variable with this number, in the order of the requests, of the agent at a place of the chunk. The
    /// range of the variable limits the value; NaN sets nothing.
    pub(crate) fn update(&self, number: usize, in_chunk: usize, value: f32) {
        if let Some(variable) = self.updates.get(number).filter(|_| !value.is_nan()) {
            let value = value.clamp(variable.low, variable.high) + 0.0;
            value.set(&self.all_memory[variable.number], in_chunk);
        }
    }

    /// Whether the rule is active for an agent, given by its index in the chunk.
    pub(crate) fn is_active(&self, in_chunk: usize) -> bool {
        self.active.get(in_chunk).is_none_or(|active| *active)
    }

    /// The number of agents, including those for which the rule is not active.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the number of agents is zero.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The world at the start of the tick.
    #[must_use]
    pub fn world(&self) -> WorldView<'a, D> {
        self.world
    }

    /// Positions in metres, one slice per axis.
    #[must_use]
    pub fn positions(&self) -> [&'a [f32]; D] {
        kernels::rows(&self.agents.position, self.range())
    }

    /// Velocities in metres per second, one slice per axis.
    #[must_use]
    pub fn velocities(&self) -> [&'a [f32]; D] {
        kernels::rows(&self.agents.velocity, self.range())
    }

    /// Ids.
    #[must_use]
    pub fn ids(&self) -> &'a [AgentId] {
        &self.agents.id[self.range()]
    }

    /// The sum with this number, one slice per axis, and the number of neighbours in it: see
    /// [`AgentRef::sum`](crate::AgentRef::sum).
    ///
    /// An agent for which the rule is not active may have the sum of another rule, which is active in the agent's state.
    ///
    /// # Panics
    ///
    /// If the rule requested fewer sums.
    #[must_use]
    pub fn sum(&self, number: usize) -> ([&'a [f32]; D], &'a [f32]) {
        let (sum, rows) = (&self.sums[number], self.first..self.first + self.len);
        (sum.vector.each_ref().map(|axis| &axis[rows.clone()]), &sum.count[rows])
    }

    /// The flow field with this number, in the order of [`Inputs::flow_field`](crate::Inputs::flow_field); `None` while
    /// the environment has no field of its name.
    ///
    /// # Panics
    ///
    /// If the rule requested fewer fields.
    #[must_use]
    pub fn flow_field(&self, number: usize) -> Option<&'a FlowField<D>> {
        self.names.fields[number].and_then(|place| self.world.environment.fields.items().get(place))
    }

    /// The field of the navigation with this number, in the order of [`Inputs::flow_field`](crate::Inputs::flow_field);
    /// `None` while the environment has no navigation of its name.
    ///
    /// # Panics
    ///
    /// If the rule requested fewer fields.
    #[must_use]
    pub fn navigation(&self, number: usize) -> Option<&'a NavigationField> {
        self.names.navigations[number].and_then(|place| self.world.environment.navigation_field_at(place))
    }

    /// The bounding box of the agents of the chunk that are in place; `None` if none is.
    pub(crate) fn chunk_bounds(&self) -> Option<Aabb<D>> {
        self.index().chunk_bounds(self.chunk / CHUNK)
    }

    /// The bounding box of the cluster that starts at `first`; `None` if no agent of it is in place.
    pub(crate) fn cluster_bounds(&self, first: usize) -> Option<Aabb<D>> {
        self.index().cluster_bounds((self.chunk + first) / CLUSTER)
    }

    /// Whether a pair within `radius` of an agent of the cluster may cross the seam of a periodic world.
    pub(crate) fn at_seam(&self, radius: f32) -> bool {
        let (cluster, period) = ((self.chunk + self.first) / CLUSTER, self.world.settings().period());
        self.index().any_at_seam(cluster, radius, &period, &self.agents.position)
    }

    /// The agents of the cluster as bodies for the kernels. Seams matter within `radius` metres.
    pub(crate) fn cluster_bodies(&self, radius: f32) -> ClusterBodies<'a, D> {
        let (agents, cluster) = (self.agents, self.chunk + self.first..self.chunk + self.first + CLUSTER);
        ClusterBodies {
            position: kernels::rows(&agents.position, cluster.clone()),
            velocity: kernels::rows(&agents.velocity, cluster.clone()),
            radius: agents.body.radius.of(cluster),
            seam: self.at_seam(radius),
            period: self.world.settings().period(),
        }
    }

    /// The agents of the species with this number as bodies.
    pub(crate) fn bodies(&self, species: u32) -> Bodies<'a, D> {
        let them = &self.world.agents[species as usize];
        let all = 0..them.padded();
        Bodies {
            position: kernels::rows(&them.position, all.clone()),
            velocity: kernels::rows(&them.velocity, all.clone()),
            radius: them.body.radius.of(all),
        }
    }

    /// The agents in place of the cluster that starts at `first`, one bit each.
    pub(crate) fn placed(&self, first: usize) -> u16 {
        self.index().members((self.chunk + first) / CLUSTER)
    }

    fn index(&self) -> &'a AgentIndex<D> {
        &self.world.indices[self.agents.species.number()].placed
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.chunk + self.first..self.chunk + self.first + self.len
    }

    /// The largest speeds of the cluster that starts at `first`.
    pub(crate) fn max_speeds(&self) -> QuantitySlice<'_> {
        let cluster = self.chunk + self.first..self.chunk + self.first + CLUSTER;
        self.agents.body.max_speed.of(cluster)
    }

    /// The masses of the chunk.
    pub(crate) fn mass(&self) -> QuantitySlice<'_> {
        self.agents.body.mass.of(self.padded())
    }

    /// The rows of the chunk, in whole clusters.
    fn padded(&self) -> std::ops::Range<usize> {
        self.chunk..(self.chunk + CHUNK).clamp(0, self.agents.padded())
    }

    /// The columns of the chunk, for kernels that turn sums into forces.
    pub(crate) fn steered(&self) -> SteeredRows<'_, D> {
        let rows = self.padded();
        SteeredRows {
            velocity: kernels::rows(&self.agents.velocity, rows.clone()),
            max_speed: self.agents.body.max_speed.of(rows),
            response: self.response,
        }
    }
}

/// The steering forces of one rule.
#[derive(Debug)]
pub struct Forces<'a, const D: usize> {
    pub(crate) forces: &'a mut combine::Force<D>,
    /// The first of the rows that the rule steers.
    pub(crate) first: usize,
    pub(crate) len: usize,
}

/// A force of at most `most` newtons; zero for no limit.
pub(crate) fn limited<const D: usize>(force: Vector<D>, most: f32) -> Vector<D> {
    if most > 0.0 { force.truncate(most) } else { force }
}

impl<const D: usize> Forces<'_, D> {
    /// Shortens the forces to `most` newtons; zero for no limit.
    pub(crate) fn limit(&mut self, most: f32) {
        if most > 0.0 {
            for row in self.first..self.first + self.len {
                let force = Vector::<D>::from_fn(|axis| self.forces[axis][row]).truncate(most);
                (0..D).for_each(|axis| self.forces[axis][row] = force[axis]);
            }
        }
    }

    /// The forces in newtons, zero at first, one slice per axis: as long as the slices of [`Rows`].
    pub fn axes_mut(&mut self) -> [&mut [f32]; D] {
        let rows = self.first..self.first + self.len;
        self.forces.each_mut().map(|axis| &mut axis[rows.clone()])
    }
}
