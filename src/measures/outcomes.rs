//! Numbers that a run of a crowd ends with.

use std::fmt;

use crate::base::error::Error;
use crate::base::values::Allowed;
use crate::base::warning::{Warning, WarningKind};
use crate::measures::area::Area;
use crate::measures::flow_line::FlowLine;
use crate::measures::moments::Moments;
use crate::measures::persons::Persons;
use crate::measures::recorder::RecorderSettings;
use crate::measures::sample::Sample;
use crate::measures::service::level_of_service;
use crate::measures::windowed::Windowed;
use crate::with_world;
use crate::world::World;
use crate::world::any_world::AnyWorld;

/// A kind of number that a run of a crowd ends with.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OutcomeKind {
    /// Its name, before the point and the name of its item.
    pub name: &'static str,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// Its help: one line.
    pub help: &'static str,
    /// The kind of the item that it is of: `line`, `area` or `places`; empty for the run.
    pub item: &'static str,
    of: Of,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Of {
    /// The time at which this share of the agents that left had left.
    Quantile(f64),
    MeanExit,
    TimeToExit,
    Way,
    Remaining,
    Flow,
    Passed,
    Density,
    Speed,
    VoronoiDensity,
    VoronoiSpeed,
    PeakDensity,
    Service,
    LongestQueue,
}

const fn kind(name: &'static str, unit: &'static str, help: &'static str, of: Of) -> OutcomeKind {
    let item = match of {
        Of::Flow | Of::Passed => "line",
        Of::Density | Of::Speed | Of::VoronoiDensity | Of::VoronoiSpeed | Of::PeakDensity | Of::Service => "area",
        Of::LongestQueue => "places",
        _ => "",
    };
    OutcomeKind { name, unit, help, item, of }
}

const KINDS: &[OutcomeKind] = &[
    kind("exit_first", "s", "Time at which the first agent left.", Of::Quantile(0.0)),
    kind("exit_mean", "s", "Mean time at which agents left.", Of::MeanExit),
    kind("exit_median", "s", "Time at which half of the agents that left had left.", Of::Quantile(0.5)),
    kind("exit_95", "s", "Time at which 95 % of the agents that left had left.", Of::Quantile(0.95)),
    kind("exit_last", "s", "Time at which the last agent left.", Of::Quantile(1.0)),
    kind("time_to_exit", "s", "Mean time of agents from their start to their exit.", Of::TimeToExit),
    kind("way", "m", "Mean length of the ways of agents that left.", Of::Way),
    kind("remaining", "", "Number of agents in the world at the end.", Of::Remaining),
    kind("flow", "1/s", "Flow through the line.", Of::Flow),
    kind("persons", "", "Number of agents that passed the line.", Of::Passed),
    kind("classic_density", "1/m2", "Mean density in the area.", Of::Density),
    kind("classic_speed", "m/s", "Mean speed in the area.", Of::Speed),
    kind("voronoi_density", "1/m2", "Mean Voronoi density in the area.", Of::VoronoiDensity),
    kind("voronoi_speed", "m/s", "Mean Voronoi speed in the area.", Of::VoronoiSpeed),
    kind("peak_density", "1/m2", "Largest density in the area.", Of::PeakDensity),
    kind("level_of_service", "", "Fruin's level of the mean density in the area: 1 for A to 6 for F.", Of::Service),
    kind("longest_queue", "", "Largest number of agents that have a place of the queue.", Of::LongestQueue),
];

/// All kinds of numbers that a run of a crowd ends with.
///
/// ```
/// use throng::measures::outcome_kinds;
///
/// assert!(outcome_kinds().iter().any(|kind| kind.name == "exit_last"));
/// ```
#[must_use]
pub const fn outcome_kinds() -> &'static [OutcomeKind] {
    KINDS
}

/// A number that a run of a crowd ends with: `exit_last`, or `flow.door` for the line `door`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// Its kind.
    pub kind: &'static OutcomeKind,
    /// The name of its line, area or places; empty for the run.
    pub item: String,
}

impl Outcome {
    /// The outcome with this name; `None` if the name is of another measure. Whether there is such a line, area or queue
    /// depends on the run: see [`Outcomes::new`].
    ///
    /// ```
    /// use throng::measures::Outcome;
    ///
    /// let flow = Outcome::parse("flow.door").unwrap();
    /// assert_eq!((flow.kind.unit, flow.kind.item, &flow.item[..]), ("1/s", "line", "door"));
    /// assert!(Outcome::parse("polarisation").is_none() && Outcome::parse("flow").is_none());
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (name, item) = text.split_once('.').unwrap_or((text, ""));
        let kind = KINDS.iter().find(|kind| kind.name == name && kind.item.is_empty() == item.is_empty())?;
        Some(Self { kind, item: item.to_owned() })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name)?;
        if self.item.is_empty() { Ok(()) } else { write!(f, ".{}", self.item) }
    }
}

/// Observes the outcomes of a run: before the first tick and after each tick.
///
/// Densities and speeds are means over the ticks with an agent in the world.
#[derive(Clone, Debug)]
pub struct Outcomes {
    wanted: Vec<(Outcome, Observed)>,
    persons: Persons,
    windowed: Option<Windowed>,
}

/// The observations of an outcome.
#[derive(Clone, Debug)]
enum Observed {
    OfPersons,
    Line(FlowLine),
    Area { area: Area, reach: f32, values: Moments, most: f64 },
    Queue(usize),
}

impl Outcomes {
    /// Outcomes of a world that start with the first observation. The recording has the lines and the areas.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the recording has no line or area, or the world no places, with the name of an outcome.
    pub fn new(wanted: &[Outcome], recording: &RecorderSettings, world: &AnyWorld) -> Result<Self, Error> {
        let unknown = |outcome: &Outcome, names: Vec<&str>| {
            Error::bad(outcome.kind.item, &outcome.item[..], Allowed::one_of(names))
        };
        let observed = |outcome: &Outcome| match outcome.kind.item {
            "line" => {
                let line = recording.lines.iter().find(|(name, _)| *name == outcome.item);
                let names = || recording.lines.iter().map(|(name, _)| &name[..]).collect();
                let (_, [from, to]) = line.ok_or_else(|| unknown(outcome, names()))?;
                Ok(Observed::Line(FlowLine::new(*from, *to)))
            }
            "area" => {
                let area = recording.areas.iter().find(|(name, ..)| *name == outcome.item);
                let names = || recording.areas.iter().map(|(name, ..)| &name[..]).collect();
                let (_, area, reach) = area.ok_or_else(|| unknown(outcome, names()))?;
                Ok(Observed::Area { area: *area, reach: *reach, values: Moments::default(), most: 0.0 })
            }
            "places" => {
                let names = with_world!(world, world => {
                    world.environment().places.items().iter().map(|places| &places.name[..]).collect::<Vec<_>>()
                });
                if names.contains(&&outcome.item[..]) { Ok(Observed::Queue(0)) } else { Err(unknown(outcome, names)) }
            }
            _ => Ok(Observed::OfPersons),
        };
        let windowed = recording.window.map(Windowed::new);
        let wanted = wanted.iter().map(|outcome| Ok((outcome.clone(), observed(outcome)?)));
        Ok(Self { wanted: wanted.collect::<Result<_, Error>>()?, persons: Persons::new(), windowed })
    }

    /// Observes the world.
    pub fn observe(&mut self, world: &AnyWorld) {
        with_world!(world, world => self.observed(world));
    }

    fn observed<const D: usize>(&mut self, world: &World<D>) {
        self.persons.observe(world);
        if let Some(windowed) = &mut self.windowed {
            windowed.observe(world);
        }
        let windowed = self.windowed.as_ref();
        let mut sample = None;
        for (outcome, observed) in &mut self.wanted {
            match observed {
                Observed::OfPersons => {}
                Observed::Line(line) => line.observe(world),
                Observed::Area { .. } if world.population() == 0 => {}
                Observed::Area { area, reach, values, most } => {
                    let sample = sample.get_or_insert_with(|| {
                        let sample = Sample::of(world);
                        match windowed {
                            Some(windowed) => windowed.applied(sample, world, None),
                            None => sample,
                        }
                    });
                    let value = match outcome.kind.of {
                        Of::Speed => area.classic(sample).speed,
                        Of::VoronoiDensity => area.voronoi(sample, *reach).density,
                        Of::VoronoiSpeed => area.voronoi(sample, *reach).speed,
                        _ => area.classic(sample).density,
                    };
                    values.add(value);
                    *most = if value > *most { value } else { *most };
                }
                Observed::Queue(most) => {
                    let environment = world.environment();
                    let places = environment.places.find(&outcome.item).and_then(|id| environment.occupants(id));
                    let waiting = places.map_or(0, |places| places.iter().flatten().count());
                    *most = if waiting > *most { waiting } else { *most };
                }
            }
        }
    }

    /// The agents of the run.
    #[must_use]
    pub fn persons(&self) -> &Persons {
        &self.persons
    }

    /// The outcomes so far, in the order in which they were named. NaN for one that is undefined, such as the time of an
    /// exit that no agent took.
    #[must_use]
    pub fn values(&self) -> Vec<f64> {
        let exits = self.persons.exit_times();
        let of = |(outcome, observed): &(Outcome, Observed)| match observed {
            Observed::OfPersons => self.of_persons(outcome.kind.of, &exits),
            Observed::Line(line) if outcome.kind.of == Of::Flow => line.persons_per_second(),
            Observed::Line(line) => line.persons() as f64,
            Observed::Area { most, .. } if outcome.kind.of == Of::PeakDensity => *most,
            Observed::Area { values, .. } if outcome.kind.of == Of::Service && values.count() > 0 => {
                (level_of_service(values.mean()) + 1) as f64
            }
            Observed::Area { values, .. } => values.mean(),
            Observed::Queue(most) => *most as f64,
        };
        self.wanted.iter().map(of).collect()
    }

    /// A warning if times of exits are among the outcomes, and agents remain in the world.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let late = |(outcome, _): &&(Outcome, Observed)| matches!(outcome.kind.of, Of::Quantile(share) if share > 0.0);
        let (all, remaining) = (self.persons.all().len(), self.persons.remaining());
        let of = |(outcome, _): &(Outcome, Observed)| {
            let left = all - remaining;
            let message = format!("{remaining} of {all} agents remain at the end: the times cover {left} agents");
            Warning::new(WarningKind::CutOff, outcome.to_string(), message)
        };
        self.wanted.iter().rfind(late).filter(|_| remaining > 0).map(of).into_iter().collect()
    }

    /// An outcome of the agents, with the times at which they left.
    fn of_persons(&self, of: Of, exits: &[f64]) -> f64 {
        let left = || self.persons.all().iter().filter_map(|person| Some((person, person.exit?)));
        match of {
            Of::Quantile(share) => quantile(exits, share),
            Of::MeanExit => exits.iter().copied().collect::<Moments>().mean(),
            Of::TimeToExit => left().map(|(person, exit)| exit - person.start).collect::<Moments>().mean(),
            Of::Way => left().map(|(person, _)| person.way).collect::<Moments>().mean(),
            _ => self.persons.remaining() as f64,
        }
    }
}

/// The value that at least this share of ascending values do not exceed; NaN without values.
///
/// ```
/// use throng::measures::quantile;
///
/// let values = [1.0, 2.0, 3.0, 4.0];
/// assert_eq!([0.0, 0.5, 0.95].map(|share| quantile(&values, share)), [1.0, 2.0, 4.0]);
/// ```
#[must_use]
pub fn quantile(ascending: &[f64], share: f64) -> f64 {
    match ascending.len() {
        0 => f64::NAN,
        count => ascending[((count as f64 * share).ceil() as usize).clamp(1, count) - 1],
    }
}
