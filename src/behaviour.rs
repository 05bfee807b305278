//! What is a behaviour, and what does it see?

use std::fmt;

use fearless_simd::Level;

use crate::Error;
use crate::agents::Agents;
use crate::ids::{AgentId, SpeciesId};
use crate::kernels::combine::{self, Steered};
use crate::kernels::pairs::Sum;
use crate::kernels::{self, CHUNK, CLUSTER};
use crate::maths::{Noise, Vector};
use crate::parameters::{Field, Parameter, Tunable, Value};
use crate::scene::Scene;
use crate::steering::{self, Body};

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
pub trait Behaviour<const D: usize>: fmt::Debug + Send + Sync {
    /// What the behaviour reads besides its agent and the world.
    fn reads(&self) -> Reads<'_> {
        Reads::World
    }

    /// The steering force that one agent asks for, in newtons.
    fn steer(&self, me: &Me<'_, D>) -> Vector<D>;

    /// The same for consecutive rows: one call for a chunk, or for a cluster where [`Reads::Neighbours`] is read.
    /// Behaviours that can do many agents at once may replace it; the result must be the same.
    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        for me in rows.iter() {
            forces.set(&me, self.steer(&me));
        }
    }

    /// How many numbers the behaviour remembers of each agent, from tick to tick: zero at first.
    fn memory(&self) -> usize {
        0
    }

    /// Brings what the behaviour remembers of an agent ([`Me::memory`]) up to date, once per tick, on the same frozen
    /// state on which it was steered. `memory` holds the old numbers and takes the new ones.
    fn remember(&self, me: &Me<'_, D>, memory: &mut [f32]) {
        let _ = (me, memory);
    }

    /// Whether the behaviour has a target that an agent can arrive at, so that arrivals are to be noticed.
    fn arrives(&self) -> bool {
        false
    }

    /// Whether an agent is at the behaviour's target; asked only where it [`arrives`](Self::arrives).
    fn is_there(&self, me: &Me<'_, D>) -> bool {
        let _ = me;
        false
    }

    /// The behaviour's name in explanations: that of the rule, if it has a table.
    fn name(&self) -> &str {
        self.tunable().map_or("own", |tunable| tunable.rule())
    }

    /// The behaviour's parameters, if it has a table of them.
    fn tunable(&self) -> Option<&dyn Tunable> {
        None
    }

    /// The behaviour's parameters, to be set, if it has a table of them.
    fn tunable_mut(&mut self) -> Option<&mut dyn Tunable> {
        None
    }
}

/// What a behaviour reads besides its agent and the world.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Reads<'a> {
    /// Nothing more.
    World,
    /// A sum over the neighbours, which the engine forms for all behaviours in one pass: see [`Me::sum`].
    Sum(Addend, Perception<'a>),
    /// The neighbours one by one: see [`Me::neighbours`].
    Neighbours(Perception<'a>),
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

/// Whom a behaviour perceives, how far and how wide.
#[derive(Clone, Copy, Debug)]
pub struct Perception<'a> {
    /// The perception radius, in metres.
    pub radius: f32,
    /// The field of view: the full angle, in degrees. At 360 or more, and at rest, an agent sees all round.
    pub field_of_view: f32,
    /// Whom it perceives.
    pub whom: &'a Whom,
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
            _ => Err(Error::bad(parameter.name, value, crate::parameters::allowed(parameter))),
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
}

/// The neighbours of each agent of a cluster.
pub(crate) type Neighbourhood<const D: usize> = [Vec<Neighbour<D>>; CLUSTER];

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
    pub(crate) sum: Option<&'a Sum<D>>,
    pub(crate) neighbourhood: Option<&'a Neighbourhood<D>>,
    /// The part of each row's memory that belongs to the behaviour.
    pub(crate) memory: (usize, usize),
}

impl<'a, const D: usize> Rows<'a, D> {
    /// The agents, one by one.
    pub fn iter(&self) -> impl Iterator<Item = Me<'_, D>> {
        (self.first..self.first + self.len).map(|in_chunk| Me { rows: self, in_chunk })
    }

    /// One of the agents, by its place in the chunk.
    pub(crate) fn at(&self, in_chunk: usize) -> Me<'_, D> {
        Me { rows: self, in_chunk }
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

/// The steering forces that one behaviour asks for.
#[derive(Debug)]
pub struct Forces<'a, const D: usize>(pub(crate) &'a mut combine::Force<D>);

impl<const D: usize> Forces<'_, D> {
    /// Sets the force of one agent, in newtons.
    #[inline]
    pub fn set(&mut self, me: &Me<'_, D>, force: Vector<D>) {
        for axis in 0..D {
            self.0[axis][me.in_chunk] = force[axis];
        }
    }
}

/// One agent, as its behaviour sees it.
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

    /// What the behaviour remembers of the agent: see [`Behaviour::memory`].
    #[must_use]
    pub fn memory(&self) -> &'a [f32] {
        let (start, len) = self.rows.memory;
        &self.rows.agents.memory[self.row() * self.rows.agents.memory_width + start..][..len]
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

    /// The sum that the behaviour asked for with [`Reads::Sum`]; zero if it did not.
    #[must_use]
    pub fn sum(&self) -> Vector<D> {
        self.rows.sum.map_or(Vector::ZERO, |sum| Vector::from_fn(|axis| sum.vector[axis][self.in_chunk]))
    }

    /// How many neighbours were added up for [`sum`](Self::sum); zero for [`Addend::InverseOffset`], where they are not
    /// counted.
    #[must_use]
    pub fn count(&self) -> f32 {
        self.rows.sum.map_or(0.0, |sum| sum.count[self.in_chunk])
    }

    /// The neighbours that the behaviour asked for with [`Reads::Neighbours`], by species and ascending row; empty if
    /// it did not.
    #[must_use]
    pub fn neighbours(&self) -> &'a [Neighbour<D>] {
        self.rows.neighbourhood.map_or(&[], |neighbourhood| &neighbourhood[self.in_chunk - self.rows.first])
    }

    /// The bodies of the same neighbours, in the same order.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = Body<D>> {
        self.neighbours().iter().map(|neighbour| {
            let them = &self.rows.scene.species()[neighbour.species.number()];
            Body { offset: neighbour.offset, velocity: neighbour.velocity, radius: them.radius(neighbour.row) }
        })
    }
}
