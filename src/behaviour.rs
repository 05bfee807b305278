//! The trait of rules of motion, and what a rule sees of its agent and the world.

use std::any::Any;
use std::cell::Cell;
use std::fmt;

use fearless_simd::Level;

use crate::Error;
use crate::agents::Agents;
use crate::columns::{Cells, ColumnValue, Data, Stored};
use crate::ids::{AgentId, SpeciesId};
use crate::index::Index;
use crate::kernels::combine::{self, Steered};
use crate::kernels::pairs::Sum;
use crate::kernels::{self, CHUNK, CLUSTER};
use crate::maths::{Noise, Vector};
use crate::parameters::{Tunable, Field, Parameter, Value};
use crate::scene::Scene;
use crate::scenery::tree::Bounds;
use crate::settings::nearest_image;
use crate::steering::{self, Body};
use crate::target::Target;

/// A rule of motion: what an agent perceives, and the steering force that it asks for.
///
/// throng's own rules ([`behaviours`](crate::behaviours)) and those of users implement the same trait; nothing is
/// registered. A behaviour reads the state at the start of the tick and must depend on nothing else, or the contract of
/// equal bits is lost: no clocks, no shared generators (draw from [`Me::noise`]), no `f32::sin` and its like
/// ([`trig`](crate::maths) has what is equal on every machine).
///
/// ```
/// use throng::{Behaviour, Me, Vector};
///
/// /// Flies at full speed in one direction.
/// #[derive(Debug)]
/// struct Migrate<const D: usize>(Vector<D>);
///
/// impl<const D: usize> Behaviour<D> for Migrate<D> {
///     fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
///         me.towards(self.0.direction() * me.max_speed())
///     }
/// }
/// ```
pub trait Behaviour<const D: usize>: Any + fmt::Debug + Send + Sync {
    /// What the rule reads besides its own agent and the world, and what it remembers of each agent.
    fn needs(&self) -> Needs<'_> {
        Needs::default()
    }

    /// The steering force that one agent asks for, in newtons. What the rule remembers of the agent is read and written
    /// on the way ([`Me::recall`], [`Me::remember`]).
    fn steer(&self, me: &Me<'_, D>) -> Vector<D>;

    /// The same for consecutive rows: one call for a chunk, or for a cluster where neighbours are listed one by one.
    /// Rules that can do many agents at once may replace it; the result must be the same.
    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        for me in rows.iter() {
            forces.set(&me, self.steer(&me));
        }
    }

    /// The rule's name in explanations: that of its table, or else of its type.
    fn name(&self) -> &str {
        let own = || std::any::type_name::<Self>().split('<').next().and_then(|path| path.rsplit("::").next());
        self.table().map_or_else(|| own().unwrap_or("own"), |table| table.rule())
    }

    /// The rule with its table of parameters, if it has one ([`rule!`](crate::rule)).
    fn table(&self) -> Option<&dyn NamedRule<D>> {
        None
    }
}

/// What a rule reads besides its own agent and the world, and what it remembers of each agent.
///
/// Sums and lists are numbered in the order in which they are asked for, and so is what is remembered.
#[derive(Clone, Debug, Default)]
pub struct Needs<'a> {
    pub(crate) sums: Vec<(Addend, Perception<'a>)>,
    pub(crate) lists: Vec<Perception<'a>>,
    pub(crate) memory: Vec<(&'static str, Data)>,
    /// How many of what is remembered are kept targets: the first ones.
    pub(crate) kept: usize,
    pub(crate) arrives: bool,
}

impl<'a> Needs<'a> {
    /// A sum over the neighbours, which the engine forms for all rules in one pass: see [`Me::sum`].
    #[must_use]
    pub fn sum(mut self, addend: Addend, perception: Perception<'a>) -> Self {
        self.sums.push((addend, perception));
        self
    }

    /// The neighbours one by one: see [`Me::neighbours`]. A sum is several times as fast where it will do.
    #[must_use]
    pub fn neighbours(mut self, perception: Perception<'a>) -> Self {
        self.lists.push(perception);
        self
    }

    /// A value that is remembered of each agent from tick to tick, `start` for a new one: see [`Me::recall`].
    #[must_use]
    pub fn memory<T: ColumnValue>(mut self, name: &'static str, start: T) -> Self {
        self.memory.push((name, start.data()));
        self
    }

    /// What [`Me::aim`] and [`Me::aim_past_goal`] remember of a [`Target::Kept`]; nothing for another target. `name` is
    /// that of the rule's parameter. Rules of a user's own ask for one target at most.
    #[must_use]
    pub fn target<const D: usize>(mut self, name: &'static str, target: &Target<D>) -> Self {
        if target.is_kept() {
            self.memory.insert(self.kept, (name, [AgentId::NONE.to_bits(), 0].data()));
            self.kept += 1;
        }
        self
    }

    /// A target that an agent can arrive at: see [`Me::arrive`].
    #[must_use]
    pub fn arrival(mut self) -> Self {
        self.arrives = true;
        self
    }

    /// Every perception, of sums and of lists.
    pub(crate) fn perceptions(&self) -> impl Iterator<Item = &Perception<'a>> {
        self.sums.iter().map(|(_, perception)| perception).chain(&self.lists)
    }
}

/// What is added up over an agent's neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addend {
    /// The offset to the neighbour, divided by its squared length, in 1/m. Neighbours on the same point are not added;
    /// a direction drawn for the two takes their place, opposite for the other.
    InverseOffset,
    /// The neighbour's velocity, in m/s.
    Velocity,
    /// The offset to the neighbour, in metres.
    Offset,
}

/// Which agents a rule perceives, how far and how wide.
#[derive(Clone, Copy, Debug)]
pub struct Perception<'a> {
    /// The perception radius, in metres.
    pub radius: f32,
    /// The field of view: the full angle, in degrees. At 360 or more, and at rest, an agent sees all round.
    pub field_of_view: f32,
    /// The species that it perceives.
    pub whom: &'a Whom,
    /// Only this many of them, the nearest (of those as near, the ones with the smallest ids); all of them if zero.
    pub nearest: u32,
}

impl<'a> Perception<'a> {
    /// All agents of these species within `radius` metres, all round.
    #[must_use]
    pub fn within(radius: f32, whom: &'a Whom) -> Self {
        Self { radius, field_of_view: 360.0, whom, nearest: 0 }
    }
}

/// The species that a behaviour perceives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Whom {
    /// The agent's own species.
    #[default]
    Own,
    /// Every species.
    All,
    /// The species with these names. A name that no species of the world has stands for nobody.
    Named(Vec<String>),
}

impl Whom {
    /// The species with this name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self::Named(vec![name.to_owned()])
    }

    /// Whether agents of the species `own` perceive those of `other`.
    pub(crate) fn perceives<const D: usize>(&self, own: SpeciesId, other: &Agents<D>) -> bool {
        match self {
            Self::Own => other.species == own,
            Self::All => true,
            Self::Named(names) => names.contains(&other.name),
        }
    }
}

impl Field for Whom {
    fn value(&self) -> Value {
        match self {
            Self::Own => Value::Word("own".to_owned()),
            Self::All => Value::Word("all".to_owned()),
            Self::Named(names) => Value::Words(names.clone()),
        }
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match value {
            Value::Word(word) if word == "own" => Ok(Self::Own),
            Value::Word(word) if word == "all" => Ok(Self::All),
            Value::Word(word) => Ok(Self::named(word)),
            Value::Words(words) => Ok(Self::Named(words.clone())),
            _ => Err(parameter.refuse(value)),
        }
    }
}

/// An agent that another one perceives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour<const D: usize> {
    /// From the agent to the neighbour, to its nearest image in a periodic world, in metres.
    pub offset: Vector<D>,
    /// The square of the offset's length.
    pub distance_squared: f32,
    /// The neighbour's velocity, in metres per second.
    pub velocity: Vector<D>,
    /// The neighbour's species.
    pub species: SpeciesId,
    /// The neighbour's row.
    pub row: usize,
    /// The neighbour's id.
    pub id: AgentId,
}

/// The neighbours of one agent, one by one.
#[derive(Clone, Debug)]
pub struct Neighbours<'a, const D: usize> {
    entries: std::slice::Iter<'a, Entry>,
    position: Vector<D>,
    period: [f32; D],
    agents: &'a [Agents<D>],
}

impl<const D: usize> Iterator for Neighbours<'_, D> {
    type Item = Neighbour<D>;

    #[inline]
    fn next(&mut self) -> Option<Neighbour<D>> {
        let entry = self.entries.next()?;
        let (agents, row) = (&self.agents[entry.species as usize], entry.row as usize);
        // By the same operations as in the pair kernel.
        let along = |axis: usize| nearest_image(agents.position[axis][row] - self.position[axis], self.period[axis]);
        let offset = Vector::from_fn(along);
        Some(Neighbour {
            offset,
            distance_squared: offset.length_squared(),
            velocity: Vector::from_fn(|axis| agents.velocity[axis][row]),
            species: agents.species,
            row,
            id: agents.id[row],
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.entries.size_hint()
    }
}

impl<const D: usize> ExactSizeIterator for Neighbours<'_, D> {}

/// A neighbour on a list: where it is found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) species: u32,
    pub(crate) row: u32,
}

/// The neighbours of each agent of a cluster.
pub(crate) type Neighbourhood = [Vec<Entry>; CLUSTER];

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
    /// If the rule did not ask for so many sums.
    #[must_use]
    pub fn sum(&self, number: usize) -> ([&'a [f32]; D], &'a [f32]) {
        let (sum, rows) = (&self.sums[number], self.first..self.first + self.len);
        (sum.vector.each_ref().map(|axis| &axis[rows.clone()]), &sum.count[rows])
    }

    /// The box that holds the agents of the chunk that are in their places; none if none is.
    pub(crate) fn chunk_bounds(&self) -> Option<Bounds<D>> {
        self.index().chunk_bounds(self.chunk / CHUNK)
    }

    /// The same for the cluster that starts at `first`.
    pub(crate) fn cluster_bounds(&self, first: usize) -> Option<Bounds<D>> {
        self.index().cluster_bounds((self.chunk + first) / CLUSTER)
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

/// One agent, as a rule sees it.
#[derive(Clone, Copy, Debug)]
pub struct Me<'a, const D: usize> {
    rows: &'a Rows<'a, D>,
    in_chunk: usize,
}

impl<'a, const D: usize> Me<'a, D> {
    /// The agent's row.
    #[must_use]
    pub fn row(&self) -> usize {
        self.rows.chunk + self.in_chunk
    }

    /// The agent's id.
    #[must_use]
    pub fn id(&self) -> AgentId {
        self.rows.agents.id[self.row()]
    }

    /// The agent's species.
    #[must_use]
    pub fn species(&self) -> SpeciesId {
        self.rows.agents.species
    }

    /// The world at the start of the tick.
    #[must_use]
    pub fn scene(&self) -> Scene<'a, D> {
        self.rows.scene
    }

    /// The agent's position, in metres.
    #[must_use]
    pub fn position(&self) -> Vector<D> {
        self.rows.agents.position(self.row())
    }

    /// The agent's velocity, in metres per second.
    #[must_use]
    pub fn velocity(&self) -> Vector<D> {
        self.rows.agents.velocity(self.row())
    }

    /// The direction of the velocity; zero at rest.
    #[must_use]
    pub fn heading(&self) -> Vector<D> {
        self.velocity().direction()
    }

    /// The agent's mass, in kilograms.
    #[must_use]
    pub fn mass(&self) -> f32 {
        self.rows.agents.mass(self.row())
    }

    /// The radius of the agent's body, in metres.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.rows.agents.radius(self.row())
    }

    /// The agent's largest speed, in metres per second.
    #[must_use]
    pub fn max_speed(&self) -> f32 {
        self.rows.agents.max_speed(self.row())
    }

    /// The agent's largest steering force, in newtons.
    #[must_use]
    pub fn max_force(&self) -> f32 {
        self.rows.agents.max_force(self.row())
    }

    /// The goal that the host gave to the agent, if any.
    #[must_use]
    pub fn goal(&self) -> Option<Vector<D>> {
        self.rows.agents.goal(self.row())
    }

    /// The time in which the agent takes on the velocity it wants, in seconds.
    #[must_use]
    pub fn response(&self) -> f32 {
        self.rows.response
    }

    /// Random numbers for this agent and tick; see [`Noise::USER`] for the purpose.
    #[must_use]
    pub fn noise(&self, purpose: u64) -> Noise {
        let scene = self.scene();
        Noise::new(scene.settings.seed, self.id().to_bits(), scene.tick, purpose)
    }

    /// What the rule remembers of the agent: the value of this number, of those that [`Needs::memory`] asked for.
    ///
    /// # Panics
    ///
    /// If the rule did not ask for a value of this number and type.
    #[must_use]
    pub fn recall<T: ColumnValue>(&self, number: usize) -> T {
        T::get(&self.rows.memory[self.rows.kept + number], self.in_chunk)
    }

    /// Remembers another value of the agent, from now on.
    ///
    /// # Panics
    ///
    /// If the rule did not ask for a value of this number and type.
    pub fn remember<T: ColumnValue>(&self, number: usize, value: T) {
        value.set(&self.rows.memory[self.rows.kept + number], self.in_chunk);
    }

    /// The kept target of this number as it is remembered: an agent, and until which tick. None if the rule did not ask
    /// for it.
    pub(crate) fn recall_kept(&self, number: usize) -> Option<(AgentId, u64)> {
        let cells = self.rows.memory[..self.rows.kept].get(number)?;
        let [agent, until] = <[u64; 2]>::get(cells, self.in_chunk);
        Some((AgentId::from_bits(agent), until))
    }

    /// Remembers an agent as the kept target of this number, until a tick.
    pub(crate) fn remember_kept(&self, number: usize, agent: AgentId, until: u64) {
        if let Some(cells) = self.rows.memory[..self.rows.kept].get(number) {
            [agent.to_bits(), until].set(cells, self.in_chunk);
        }
    }

    /// Records that the agent is at the rule's target: an [`Event::Arrived`](crate::Event::Arrived) follows if it was
    /// not there in the tick before. The rule asks for this with [`Needs::arrival`].
    pub fn arrive(&self) {
        if let Some(there) = self.rows.there.get(self.in_chunk) {
            there.set(true);
        }
    }

    /// The offset to a point; in a periodic world to its nearest image.
    #[must_use]
    pub fn offset_to(&self, point: impl Into<Vector<D>>) -> Vector<D> {
        self.scene().settings.offset(self.position(), point)
    }

    /// The force towards a velocity: `(desired - velocity) / response`; none where none is desired.
    #[must_use]
    pub fn towards(&self, desired: impl Into<Option<Vector<D>>>) -> Vector<D> {
        steering::force(desired, self.velocity(), self.response())
    }

    /// The sum of this number, of those that [`Needs::sum`] asked for.
    ///
    /// # Panics
    ///
    /// If the rule did not ask for so many sums.
    #[must_use]
    pub fn sum(&self, number: usize) -> Vector<D> {
        let sum = &self.rows.sums[number];
        Vector::from_fn(|axis| sum.vector[axis][self.in_chunk])
    }

    /// How many neighbours were added up for a [`sum`](Self::sum); zero for [`Addend::InverseOffset`], where they are
    /// not counted.
    ///
    /// # Panics
    ///
    /// If the rule did not ask for so many sums.
    #[must_use]
    pub fn count(&self, number: usize) -> u32 {
        self.rows.sums[number].count[self.in_chunk] as u32
    }

    /// The neighbours on the list of this number, of those that [`Needs::neighbours`] asked for: by species and
    /// ascending row.
    ///
    /// # Panics
    ///
    /// If the rule did not ask for so many lists.
    #[must_use]
    pub fn neighbours(&self, number: usize) -> Neighbours<'a, D> {
        let entries = self.rows.lists[number][self.in_chunk - self.rows.first].iter();
        let scene = self.rows.scene;
        Neighbours { entries, position: self.position(), period: scene.settings.period(), agents: scene.agents }
    }

    /// The bodies of the neighbours on the first list, in the same order.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = Body<D>> {
        self.neighbours(0).map(|neighbour| {
            let them = &self.rows.scene.species()[neighbour.species.number()];
            Body { offset: neighbour.offset, velocity: neighbour.velocity, radius: them.radius(neighbour.row) }
        })
    }
}

/// A behaviour with a parameter table, which scenario files, the program and the page know by its name.
pub trait NamedRule<const D: usize>: Behaviour<D> + Tunable {
    /// A copy of the rule, its parameters included.
    fn duplicate(&self) -> Box<dyn NamedRule<D>>;
}

impl<const D: usize, T: Behaviour<D> + Tunable + Clone + 'static> NamedRule<D> for T {
    fn duplicate(&self) -> Box<dyn NamedRule<D>> {
        Box::new(self.clone())
    }
}
