//! The trait of rules of motion, and what a rule sees of its agent and the world.

mod me;
mod names;
mod neighbour;
mod rows;
mod whom;

pub use me::Me;
pub(crate) use names::{Names, Sought, Wanted};
pub(crate) use neighbour::Neighbourhood;
pub use neighbour::{Neighbour, Neighbours};
pub use rows::{Forces, Rows};
pub use whom::Whom;

use std::any::Any;
use std::fmt;

use crate::columns::{ColumnValue, Data};
use crate::maths::Vector;
use crate::parameters::Tunable;

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
/// Sums, lists, targets and the like are numbered in the order in which they are asked for, each kind by itself. Names
/// are looked up when plans are made and when the scenery changes, not for each agent.
#[derive(Clone, Debug, Default)]
pub struct Needs<'a> {
    pub(crate) sums: Vec<(Addend, Perception<'a>)>,
    pub(crate) lists: Vec<Perception<'a>>,
    pub(crate) memory: Vec<(&'static str, Data)>,
    pub(crate) targets: Vec<Wanted>,
    pub(crate) fields: Vec<&'a str>,
    pub(crate) columns: Vec<&'a str>,
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

    /// The flow field of this name: see [`Me::flow_field`].
    #[must_use]
    pub fn flow_field(mut self, name: &'a str) -> Self {
        self.fields.push(name);
        self
    }

    /// The columns of this name, of every species that has one: see [`Me::column`].
    #[must_use]
    pub fn column(mut self, name: &'a str) -> Self {
        self.columns.push(name);
        self
    }

    /// A target that an agent can arrive at: see [`Me::arrive`].
    #[must_use]
    pub fn arrival(mut self) -> Self {
        self.arrives = true;
        self
    }

    /// Every perception: those of sums, then those of lists.
    pub fn perceptions(&self) -> impl Iterator<Item = &Perception<'a>> {
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

    /// The same with another field of view: the full angle, in degrees.
    #[must_use]
    pub fn with_field_of_view(self, degrees: f32) -> Self {
        Self { field_of_view: degrees, ..self }
    }

    /// The same with only the `nearest` agents; with all of them at 0.
    #[must_use]
    pub fn with_nearest(self, nearest: u32) -> Self {
        Self { nearest, ..self }
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
