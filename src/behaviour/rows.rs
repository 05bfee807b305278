//! Consecutive agents, as a rule sees them that steers many at once.

use std::cell::Cell;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::behaviour::{Me, Names, Neighbourhood};
use crate::columns::Cells;
use crate::flow_field::FlowField;
use crate::ids::AgentId;
use crate::index::Index;
use crate::kernels::combine::{self, Steered};
use crate::kernels::pairs::Sum;
use crate::kernels::{self, CHUNK, CLUSTER};
use crate::maths::Vector;
use crate::scene::Scene;
use crate::scenery::tree::Bounds;

/// Consecutive agents of one species, that are steered together.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, const D: usize> {
    pub(crate) scene: Scene<'a, D>,
    pub(crate) level: Level,
    pub(crate) agents: &'a Agents<D>,
    pub(crate) response: f32,
    /// The first row of the chunk, and of these rows in it.
    pub(crate) chunk: usize,
    pub(crate) first: usize,
    pub(crate) len: usize,
    /// The rule's sums.
    pub(crate) sums: &'a [Sum<D>],
    /// The rule's lists, for the cluster that starts at `first`.
    pub(crate) lists: &'a [Neighbourhood],
    /// What the rule asked for by name.
    pub(crate) names: &'a Names<D>,
    /// What the rule remembers: one column each, of the whole chunk.
    pub(crate) memory: &'a [Cells],
    /// How many of these are kept targets: the first ones.
    pub(crate) kept: usize,
    /// Whether an agent of the chunk is at its target.
    pub(crate) there: &'a [Cell<bool>],
    /// Whether the rule has a say in the state of each agent of the chunk; in all of them if empty.
    pub(crate) active: &'a [bool],
}

impl<'a, const D: usize> Rows<'a, D> {
    /// The agents, one by one: those in whose state the rule has a say.
    pub fn iter(&self) -> impl Iterator<Item = Me<'_, D>> {
        let rows = self.first..self.first + self.len;
        rows.filter(|in_chunk| self.is_active(*in_chunk)).map(|in_chunk| Me { rows: self, in_chunk })
    }

    /// Whether the rule has a say about one of the agents, by its place in the chunk.
    pub(crate) fn is_active(&self, in_chunk: usize) -> bool {
        self.active.get(in_chunk).is_none_or(|active| *active)
    }

    /// One of the agents, by its place in the chunk.
    pub(crate) fn at(&self, in_chunk: usize) -> Me<'_, D> {
        Me { rows: self, in_chunk }
    }

    /// How many agents there are, those included in whose state the rule has no say.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The world at the start of the tick.
    #[must_use]
    pub fn scene(&self) -> Scene<'a, D> {
        self.scene
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

    /// The sum of this number, one slice per axis, and how many neighbours were added up: see [`Me::sum`].
    ///
    /// # Panics
    ///
    /// If the rule asked for fewer sums.
    #[must_use]
    pub fn sum(&self, number: usize) -> ([&'a [f32]; D], &'a [f32]) {
        let (sum, rows) = (&self.sums[number], self.first..self.first + self.len);
        (sum.vector.each_ref().map(|axis| &axis[rows.clone()]), &sum.count[rows])
    }

    /// The flow field of this number, of those that [`Needs::flow_field`](crate::Needs::flow_field) asked for; `None` while
    /// the scenery has none of its name.
    ///
    /// # Panics
    ///
    /// If the rule asked for fewer fields.
    #[must_use]
    pub fn flow_field(&self, number: usize) -> Option<&'a FlowField<D>> {
        self.names.fields[number].and_then(|place| self.scene.scenery.field_at(place))
    }

    /// The box that holds the agents of the chunk that are in their places; none if none is.
    pub(crate) fn chunk_bounds(&self) -> Option<Bounds<D>> {
        self.index().chunk_bounds(self.chunk / CHUNK)
    }

    /// The same for the cluster that starts at `first`.
    pub(crate) fn cluster_bounds(&self, first: usize) -> Option<Bounds<D>> {
        self.index().cluster_bounds((self.chunk + first) / CLUSTER)
    }

    /// Whether a pair within `radius` of one of the agents of the cluster may lie across a seam.
    pub(crate) fn at_seam(&self, radius: f32) -> bool {
        let (cluster, period) = ((self.chunk + self.first) / CLUSTER, self.scene.settings().period());
        self.index().any_at_seam(cluster, radius, &period, &self.agents.position)
    }

    /// The agents of the cluster that starts at `first` that are in their places, one bit each.
    pub(crate) fn placed(&self, first: usize) -> u16 {
        self.index().members((self.chunk + first) / CLUSTER)
    }

    /// The agents that are out of place: no box holds them.
    pub(crate) fn out_of_place(&self) -> impl Iterator<Item = Me<'_, D>> {
        self.iter().filter(|me| !self.index().is_member(me.row()))
    }

    fn index(&self) -> &'a Index<D> {
        &self.scene.places[self.agents.species.number()].index
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.chunk + self.first..self.chunk + self.first + self.len
    }

    /// The columns of the chunk, for kernels that turn sums into forces.
    pub(crate) fn steered(&self) -> Steered<'_, D> {
        let rows = self.chunk..(self.chunk + CHUNK).clamp(0, self.agents.padded());
        Steered {
            velocity: kernels::rows(&self.agents.velocity, rows.clone()),
            max_speed: self.agents.body.max_speed.of(rows),
            response: self.response,
        }
    }
}

/// The steering forces that one rule asks for.
#[derive(Debug)]
pub struct Forces<'a, const D: usize> {
    pub(crate) forces: &'a mut combine::Force<D>,
    /// The rows that the rule was asked about.
    pub(crate) first: usize,
    pub(crate) len: usize,
}

impl<const D: usize> Forces<'_, D> {
    /// Sets the force of one agent, in newtons.
    #[inline]
    pub fn set(&mut self, me: &Me<'_, D>, force: Vector<D>) {
        for axis in 0..D {
            self.forces[axis][me.in_chunk] = force[axis];
        }
    }

    /// The force of one agent as it was set, in newtons.
    #[inline]
    #[must_use]
    pub fn get(&self, me: &Me<'_, D>) -> Vector<D> {
        Vector::from_fn(|axis| self.forces[axis][me.in_chunk])
    }

    /// The forces in newtons, zero at first, one slice per axis: as long as the slices of [`Rows`].
    pub fn axes_mut(&mut self) -> [&mut [f32]; D] {
        let rows = self.first..self.first + self.len;
        self.forces.each_mut().map(|axis| &mut axis[rows.clone()])
    }
}
