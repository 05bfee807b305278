//! Sources: regions in which agents come into the world.

use crate::base::distribution::Distribution;
use crate::base::error::Error;
use crate::base::handles::SourceId;
use crate::base::settings::within_limit;
use crate::base::values::{Allowed, Kind, Parameter, Preset, Range};
use crate::environment::collection::{Data, Item};
use crate::maths::{Noise, Vector};

/// Adds agents of a species to a region. The new agents stand inside the region and overlap neither other agents nor
/// obstacles. A source without room waits: its backlog is the number of agents that have no place yet.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Source<const D: usize> {
    /// Its name, unique among sources.
    pub name: String,
    /// The name of the species. The source is idle while the world has no such species.
    pub species: String,
    /// The name of the region. The source is idle while the environment has no such region.
    pub region: String,
    /// The times at which agents come.
    pub arrivals: Arrivals,
    /// The number of agents after which the source ends; `None` for no limit.
    #[cfg_attr(feature = "serde", serde(default))]
    pub limit: Option<u64>,
    /// The direction in which new agents move; `None` for a random one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub heading: Option<Vector<D>>,
    /// The speed of new agents in metres per second; `None` for the largest speed of each.
    #[cfg_attr(feature = "serde", serde(default))]
    pub speed: Option<Distribution>,
}

/// The times at which the agents of a [`Source`] come.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
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
        match &self.arrivals {
            Arrivals::Rate(rate) | Arrivals::Poisson(rate) if !Arrivals::RATE.contains(f64::from(*rate)) => {
                return Err(Error::bad("rate", *rate, Allowed::number(Arrivals::RATE, "1/s")));
            }
            Arrivals::Schedule(times) => {
                let fits = |(time, number): &(f32, u64)| Arrivals::TIME.contains(f64::from(*time)) && *number <= MOST;
                if !times.iter().all(fits) || times.windows(2).any(|pair| pair[0].0 > pair[1].0) {
                    let times: Vec<f32> = times.iter().map(|(time, _)| *time).collect();
                    return Err(Error::bad(
                        "schedule",
                        &times[..],
                        Allowed::Kind { kind: Kind::Schedule(Arrivals::TIME), unit: "s" },
                    ));
                }
            }
            _ => {}
        }
        if let Some(limit) = self.limit.filter(|&limit| limit > MOST) {
            return Err(Error::bad("limit", limit, Allowed::Kind { kind: Kind::Whole(0, MOST), unit: "" }));
        }
        if let Some(heading) = self.heading {
            within_limit("heading", heading, "")?;
        }
        self.speed.map_or(Ok(()), |speed| speed.check(&SPEED))
    }
}

const SPEED: Parameter = Parameter {
    name: "speed",
    unit: "m/s",
    kind: Kind::Distribution(Range::LENGTH),
    help: "Speed of new agents.",
    default: Preset::Absent,
    advanced: false,
};

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
