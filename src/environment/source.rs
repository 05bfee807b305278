//! Sources: regions in which agents come into the world.

use crate::base::definition::{self, Alternative, Definition, definition};
use crate::base::distribution::Distribution;
use crate::base::error::Error;
use crate::base::handles::SourceId;
use crate::base::values::{Field, Kind, Parameter, Range, Scaled, Value, rounded, shortest};
use crate::environment::collection::{Data, Item};
use crate::maths::{Noise, Vector};

definition! {
    /// Adds agents of a species to a region. The new agents stand inside the region and overlap neither other agents nor
    /// obstacles. A source is idle while the world lacks its species or its region. Without room it waits: its backlog is
    /// the number of agents that have no place yet.
    ///
    /// ```
    /// use throng::{Arrivals, Region, Settings, Shape, Source, Species, Vector, World};
    ///
    /// let mut world = World::<2>::new(Settings { tick_seconds: 0.5, ..Settings::default() })?;
    /// world.add_species(Species::new("visitor").with_radius(0.25))?;
    /// let shape = Shape::Box { centre: Vector([10.0, 50.0]), half: Vector([2.0, 5.0]) };
    /// world.environment_mut().regions.add(Region { name: "gate".to_owned(), shape })?;
    /// let gate = Source::new("turnstiles", "visitor", "gate", Arrivals::Rate(2.0));
    /// let id = world.environment_mut().sources.add(gate)?;
    /// (0..20).for_each(|_| world.step());
    /// assert_eq!((world.population(), world.environment().source_backlog(id)), (20, Some(0)));
    /// # Ok::<(), throng::Error>(())
    /// ```
    #[derive(Clone, Debug, PartialEq)]
    pub struct Source<D> {
        /// Name of the source.
        pub name: String, "", Kind::Name;
        /// Species of the new agents.
        pub species: String, "", Kind::Reference("species");
        /// Region in which their bodies lie, clear of others.
        pub region: String, "", Kind::Reference("region");
        /// Times at which agents come.
        pub arrivals: Arrivals as Arrivals;
        /// Number of agents after which the source ends.
        pub limit: Option<u64> = None, "", Kind::Whole(0, MOST), [Count];
        /// Direction of motion of new agents.
        pub heading: Option<Vector<D>> = None or "random", "", Kind::Heading;
        /// Speed of new agents.
        pub speed: Option<Distribution> = None or "the largest speed of each agent",
            "m/s", Kind::Distribution(Range::LENGTH);
    }
}

/// The times at which the agents of a [`Source`] come.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Arrivals {
    /// A number of agents per second, evenly, in [0, 1e4].
    Rate(f32),
    /// A Poisson process with this mean number of agents per second, in [0, 1e4].
    Poisson(f32),
    /// Times in seconds since the source was added, in ascending order, and the number of agents at each.
    Schedule(Vec<(f32, u64)>),
    /// One agent for each agent that enters the region with this name.
    OnEntry(String),
}

impl Arrivals {
    /// The range of rates, in agents per second.
    pub const RATE: Range = Range::from(0.0, 1e4);

    /// The range of the times of a schedule, in seconds.
    pub const TIME: Range = Range::from(0.0, 1e9);

    /// This number of agents when the source is added.
    #[must_use]
    pub fn at_once(number: u64) -> Self {
        Self::Schedule(vec![(0.0, number)])
    }
}

const ARRIVALS: [Parameter; 5] = [
    Parameter::optional("number", "", Kind::Whole(0, MOST), "Arrivals: this number at once, at the start.")
        .growing(Scaled::Count),
    Parameter::optional(
        "rate",
        "1/s",
        Kind::Number(Arrivals::RATE),
        "Arrivals: this number of agents per second, evenly.",
    )
    .growing(Scaled::Rate),
    Parameter::optional(
        "poisson",
        "1/s",
        Kind::Number(Arrivals::RATE),
        "Arrivals: a Poisson process with this mean rate.",
    )
    .growing(Scaled::Rate),
    Parameter::optional("schedule", "s", Kind::Schedule(Arrivals::TIME), "Arrivals: numbers of agents at these times.")
        .growing(Scaled::Count),
    Parameter::optional(
        "on_entry",
        "",
        Kind::Reference("region"),
        "Arrivals: one agent for each that enters this region.",
    ),
];

impl Definition for Arrivals {
    const KEYS: &'static [Parameter] = &ARRIVALS;

    const ALTERNATIVES: &'static [Alternative] =
        &[("number", &[]), ("rate", &[]), ("poisson", &[]), ("schedule", &[]), ("on_entry", &[])];

    fn get(&self, key: &str) -> Option<Value> {
        match (self, key) {
            (Self::Rate(rate), "rate") | (Self::Poisson(rate), "poisson") => Some((*rate).into()),
            (Self::Schedule(times), "schedule") => {
                Some(Value::Points(times.iter().map(|(time, number)| vec![shortest(*time), *number as f64]).collect()))
            }
            (Self::OnEntry(region), "on_entry") => Some(region[..].into()),
            _ => None,
        }
    }

    fn blank() -> Self {
        Self::Rate(0.0)
    }

    fn read(given: &[(&str, Value)]) -> Result<Self, Error> {
        let value = |name: &str| definition::given(given, name).map(|value| (value, Self::key(name)));
        if let Some((value, key)) = value("number") {
            return u64::read(value, key).map(Self::at_once);
        }
        if let Some((value, key)) = value("rate") {
            return f32::read(value, key).map(Self::Rate);
        }
        if let Some((value, key)) = value("poisson") {
            return f32::read(value, key).map(Self::Poisson);
        }
        match (value("schedule"), value("on_entry")) {
            (Some((value @ Value::Points(pairs), key)), _) if key.kind.takes(value, 0) => {
                Ok(Self::Schedule(pairs.iter().map(|pair| (rounded(pair[0]), pair[1] as u64)).collect()))
            }
            (Some((Value::Words(none), _)), _) if none.is_empty() => Ok(Self::Schedule(Vec::new())),
            (Some((value, key)), _) => Err(key.refuse(value)),
            (None, Some((value, key))) => String::read(value, key).map(Self::OnEntry),
            (None, None) => Err(Error::MissingKey { key: "rate", by: None }),
        }
    }

    fn check_keys(&self) -> Result<(), Error> {
        Self::KEYS.iter().try_for_each(|key| match self.get(key.name) {
            Some(value) if !key.kind.takes(&value, 0) => Err(key.refuse(&value)),
            _ => Ok(()),
        })
    }
}

impl<const D: usize> Source<D> {
    /// A source without a limit, whose agents start at their largest speeds in random directions.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        species: impl Into<String>,
        region: impl Into<String>,
        arrivals: Arrivals,
    ) -> Self {
        let (name, species, region) = (name.into(), species.into(), region.into());
        Self { name, species, region, arrivals, limit: None, heading: None, speed: None }
    }
}

/// The progress of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Progress {
    /// The number of agents that have arrived, with or without a place.
    pub(crate) arrived: u64,
    /// The number of agents that have been spawned.
    pub(crate) spawned: u64,
    /// The time since the source was added, in seconds.
    pub(crate) seconds: f64,
    /// The expected number of arrivals since the last one.
    pub(crate) expected: f64,
}

impl Progress {
    /// Returns whether a world can have this progress.
    pub(crate) fn is_valid(&self) -> bool {
        self.spawned <= self.arrived
            && self.arrived <= u64::MAX / 2
            && (0.0..=1e15).contains(&self.seconds)
            && (-1e-3..=64.0).contains(&self.expected)
    }
}

/// The largest number of agents of a source, so that counters never overflow.
const MOST: u64 = 1 << 53;

impl<const D: usize> Item for Source<D> {
    type Id = SourceId;

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl<const D: usize> Data for Source<D> {
    type Record = Progress;

    fn check(&self) -> Result<(), Error> {
        self.check_keys()
    }
}

impl<const D: usize> Source<D> {
    /// Adds the agents that arrive in the next `dt` seconds.
    pub(crate) fn advance(&self, progress: &mut Progress, seed: u64, source: u64, dt: f32) {
        let dt = f64::from(dt);
        match &self.arrivals {
            Arrivals::Rate(rate) => {
                progress.expected += f64::from(*rate) * dt;
                // A millionth of an agent is rounding.
                let whole = (progress.expected + 1e-6).floor();
                self.arrive(progress, whole as u64);
                progress.expected -= whole;
            }
            Arrivals::Poisson(rate) => {
                progress.expected += f64::from(*rate) * dt;
                // The time to the next arrival is exponential, and a function of the number of the arrival.
                loop {
                    let interval = Noise::new(seed, source, progress.arrived, Noise::ARRIVAL).exponential();
                    if progress.expected < f64::from(interval) || self.is_complete(progress) {
                        break;
                    }
                    progress.expected -= f64::from(interval);
                    self.arrive(progress, 1);
                }
            }
            Arrivals::Schedule(times) => {
                let now = progress.seconds..progress.seconds + dt;
                for (_, number) in times.iter().filter(|(time, _)| now.contains(&f64::from(*time))) {
                    self.arrive(progress, *number);
                }
            }
            Arrivals::OnEntry(_) => {}
        }
        progress.seconds += dt;
        if self.is_complete(progress) {
            progress.expected = 0.0;
        }
    }

    /// Adds a number of agents, up to the limit.
    pub(crate) fn arrive(&self, progress: &mut Progress, number: u64) {
        let most = self.most();
        let arrived = progress.arrived.saturating_add(number);
        // The limit of a source may have been lowered.
        let room = if most > progress.arrived { most } else { progress.arrived };
        progress.arrived = if arrived < room { arrived } else { room };
    }

    /// Whether no agent will come any more, unless one enters a region.
    pub(crate) fn has_ended(&self, progress: &Progress) -> bool {
        let ends = match &self.arrivals {
            Arrivals::Rate(rate) | Arrivals::Poisson(rate) => *rate == 0.0,
            Arrivals::Schedule(times) => {
                times.iter().all(|(time, number)| *number == 0 || f64::from(*time) < progress.seconds)
            }
            Arrivals::OnEntry(_) => true,
        };
        progress.spawned >= progress.arrived && (ends || self.is_complete(progress))
    }

    fn most(&self) -> u64 {
        self.limit.unwrap_or(MOST)
    }

    fn is_complete(&self, progress: &Progress) -> bool {
        progress.arrived >= self.most()
    }
}
