//! The series of measures of a run.

use std::io::{Read, Write};

use crate::base::dimensions::for_dimensions;
use crate::base::ids::SpeciesId;
use crate::maths::Vector;
use crate::measures::area::{Area, InArea};
use crate::measures::exit_times::ExitTimes;
use crate::measures::flow_line::FlowLine;
use crate::measures::followers::{Followers, load_same};
use crate::measures::moments::Moments;
use crate::measures::overlaps::Overlaps;
use crate::measures::persons::Persons;
use crate::measures::sample::Sample;
use crate::measures::stuck::Stuck;
use crate::measures::table::Measure;
use crate::measures::windowed::Windowed;
use crate::state::snapshot::Saved;
use crate::state::snapshot::{SnapshotError, SnapshotFault, load_section, save_section};
use crate::world::World;

/// The tag of a saved recorder.
const SECTION: &[u8; 4] = b"MEAS";

/// The measures that a run records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecorderSettings {
    /// The interval between records, in ticks; 0 and 1 are every tick.
    pub every: u64,
    /// The measures.
    pub measures: Vec<Measure>,
    /// The radius in metres of the measures that need one.
    pub radius: Option<f32>,
    /// Lines through which flow is measured, with their names and ends.
    pub lines: Vec<(String, [Vector<2>; 2])>,
    /// Measuring areas with their names, and the reach of their Voronoi cells in metres.
    pub areas: Vec<(String, Area, f32)>,
    /// Whether overlaps, stuck agents and times to exit are summed up. A line or an area implies it.
    pub crowd: bool,
    /// The window of time in seconds over which velocities are measured, as a displacement over its length; `None` for
    /// velocities of the moment.
    pub window: Option<f32>,
    /// Whether the recorder follows when each agent came, set off and left.
    pub persons: bool,
}

/// Records measures of a running world. It observes the world before the first tick and after each tick; the records
/// are made when the number of the tick is a multiple of [`RecorderSettings::every`].
///
/// Measures of one moment may be observed less often. Measures that follow agents from tick to tick may not: the mean
/// squared displacement in a periodic world, stuck agents, lines and times to exit. After a tick that was not observed
/// they are undefined, and their records NaN. [`misses`](Self::misses) returns whether this is about to happen.
///
/// ```
/// use throng::measures::{Recorder, RecorderSettings, measure};
/// use throng::{Settings, Species, World};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let bird = world.add_species(Species::new("bird"))?;
/// world.spawn(bird, [1.0, 1.0], [3.0, 4.0])?;
/// let recording =
///     RecorderSettings { every: 10, measures: measure("mean_speed").into_iter().cloned().collect(), ..RecorderSettings::default() };
/// let mut recorder = Recorder::new(recording);
/// recorder.observe(&world);
/// for _ in 0..100 {
///     world.step();
///     if recorder.observe(&world) {
///         println!("{}: {:?}", world.tick(), recorder.columns().map(|column| column.value()).collect::<Vec<_>>());
///     }
/// }
/// let column = recorder.columns().next().unwrap();
/// assert_eq!((&column.name[..], &column.unit[..], column.moments.mean()), ("mean_speed", "m/s", 5.0));
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    recording: RecorderSettings,
    columns: Vec<Column>,
    followers: Followers,
    overlaps: Option<Overlaps>,
    /// Whether the columns exist: the first observation fixes them.
    started: bool,
}

/// One column of a [`Recorder`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Column {
    /// The name of the measure, followed for one of several species, a line or an area by a point and its name.
    pub name: String,
    /// The unit; empty if there is none.
    pub unit: String,
    /// The values of all records so far. NaN stands for a record in which the measure was undefined.
    pub moments: Moments,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Measure(Measure, Option<SpeciesId>),
    /// A count of a line, by the number of the line.
    Line(usize, Count),
    /// A quantity in an area, by the number of the area.
    Area(usize, Inside),
}

/// The counts of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Forward,
    Backward,
    Persons,
}

/// The quantities of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Density,
    Speed,
    VoronoiDensity,
    VoronoiSpeed,
}

const COUNTS: [(&str, Count); 3] =
    [("forward", Count::Forward), ("backward", Count::Backward), ("persons", Count::Persons)];

const INSIDE: [(&str, &str, Inside); 4] = [
    ("classic_density", "1/m2", Inside::Density),
    ("classic_speed", "m/s", Inside::Speed),
    ("voronoi_density", "1/m2", Inside::VoronoiDensity),
    ("voronoi_speed", "m/s", Inside::VoronoiSpeed),
];

impl Column {
    /// The value of the last record.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.moments.last()
    }

    /// The measure, if the column has one of all agents or of a species.
    #[must_use]
    pub fn measure(&self) -> Option<&Measure> {
        if let Source::Measure(measure, _) = &self.source { Some(measure) } else { None }
    }
}

/// The functions that measure a world, compiled in this crate like the functions of the world.
struct Compiled<const D: usize> {
    observe: fn(&mut Recorder, &World<D>) -> bool,
    add_columns: fn(&mut Recorder, &World<D>),
}

static FLAT: Compiled<2> = Compiled::new();
static SPACE: Compiled<3> = Compiled::new();

impl<const D: usize> Compiled<D> {
    const fn new() -> Self {
        Self { observe: Recorder::observed, add_columns: Recorder::add_columns }
    }

    fn functions() -> &'static Self {
        for_dimensions(&FLAT, &SPACE)
    }
}

impl Recorder {
    /// A recorder without records.
    #[must_use]
    pub fn new(recording: RecorderSettings) -> Self {
        let mut followers = Followers::default();
        recording.measures.iter().for_each(|measure| followers.follow(measure));
        let crowd = recording.crowd || !recording.lines.is_empty() || !recording.areas.is_empty();
        if crowd {
            followers.follow_crowd();
        }
        followers.windowed = recording.window.map(Windowed::new);
        followers.persons = recording.persons.then(Persons::new);
        followers.lines =
            recording.lines.iter().map(|(name, [from, to])| (name.clone(), FlowLine::new(*from, *to))).collect();
        Self { recording, followers, overlaps: crowd.then(Overlaps::new), ..Self::default() }
    }

    /// Returns whether [`observe`](Self::observe) reads agents at this tick.
    #[must_use]
    pub fn is_due(&self, tick: u64) -> bool {
        self.followers.are_any()
            || !self.recording.measures.is_empty() && tick.is_multiple_of(self.recording.every.clamp(1, u64::MAX))
    }

    /// Adds the columns for the species of this world, if there are none yet. The first observation does the same.
    pub fn start<const D: usize>(&mut self, world: &World<D>) {
        if !self.started {
            self.started = true;
            (Compiled::functions().add_columns)(self, world);
        }
    }

    /// Returns whether an observation of the world now would leave out ticks since the last one that a measure needs. The
    /// measure is undefined from then on.
    ///
    /// ```
    /// use throng::measures::{Recorder, RecorderSettings, measure};
    /// use throng::{Settings, World};
    ///
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let measures = measure("mean_squared_displacement").into_iter().cloned().collect();
    /// let mut recorder = Recorder::new(RecorderSettings { measures, ..RecorderSettings::default() });
    /// recorder.observe(&world);
    /// world.step();
    /// assert!(!recorder.misses(&world));
    /// world.step();
    /// assert!(recorder.misses(&world));
    /// # Ok::<(), throng::Error>(())
    /// ```
    #[must_use]
    pub fn misses<const D: usize>(&self, world: &World<D>) -> bool {
        self.followers.misses(world)
    }

    /// Observes the world, and returns whether the tick was recorded.
    pub fn observe<const D: usize>(&mut self, world: &World<D>) -> bool {
        (Compiled::functions().observe)(self, world)
    }

    fn observed<const D: usize>(&mut self, world: &World<D>) -> bool {
        self.followers.observe(world);
        self.start(world);
        let every = self.recording.every.clamp(1, u64::MAX);
        let recorded = world.tick().is_multiple_of(every);
        if recorded {
            self.record(world);
        }
        recorded
    }

    /// Writes the recorder's memory of the run until now. With a snapshot of the world, [`load`](Self::load) continues
    /// from it with the same values as a recorder that was not interrupted.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::Io`] if writing fails.
    pub fn save(&self, to: &mut impl Write) -> Result<(), SnapshotError> {
        save_section(SECTION, to, |to| {
            self.started.save(to);
            to.list(self.columns.iter(), |to, column| column.moments.save(to));
            self.followers.save(to);
            self.overlaps.save(to);
        })
    }

    /// Reads a recorder that observed this world with the same recording.
    ///
    /// ```
    /// use throng::measures::{Recorder, RecorderSettings, measure};
    /// use throng::{Settings, Species, World};
    ///
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let bird = world.add_species(Species::new("bird"))?;
    /// world.spawn(bird, [1.0, 1.0], [3.0, 4.0])?;
    /// let recording = RecorderSettings { measures: measure("mean_speed").into_iter().cloned().collect(), ..RecorderSettings::default() };
    /// let mut recorder = Recorder::new(recording.clone());
    /// recorder.observe(&world);
    /// let mut bytes = Vec::new();
    /// recorder.save(&mut bytes)?;
    /// let again = Recorder::load(recording, &world, &bytes[..])?;
    /// assert_eq!(again.columns().next().unwrap().moments, recorder.columns().next().unwrap().moments);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SnapshotError`]: the bytes are damaged, or belong to another recording.
    pub fn load<const D: usize>(
        recording: RecorderSettings,
        world: &World<D>,
        mut from: impl Read,
    ) -> Result<Self, SnapshotError> {
        let mut recorder = Self::new(recording);
        load_section(SECTION, &mut from, None, |from| {
            recorder.started = Saved::load(from)?;
            if recorder.started {
                (Compiled::functions().add_columns)(&mut recorder, world);
            }
            let moments: Vec<Moments> = Saved::load(from)?;
            let mut same = moments.len() == recorder.columns.len();
            recorder.columns.iter_mut().zip(moments).for_each(|(column, moments)| column.moments = moments);
            same &= recorder.followers.load(from)?;
            same &= load_same(&mut recorder.overlaps, from)?;
            if same { Ok(()) } else { Err(from.invalid(SnapshotFault::Recording)) }
        })?;
        Ok(recorder)
    }

    /// The columns: for each measure, all agents and then each species if there are several; then lines and areas. None
    /// before [`start`](Self::start).
    pub fn columns(&self) -> impl ExactSizeIterator<Item = &Column> {
        self.columns.iter()
    }

    /// The lines with their names.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = (&str, &FlowLine)> {
        self.followers.lines.iter().map(|(name, line)| (&name[..], line))
    }

    /// The overlaps of all recorded ticks, of a crowd.
    #[must_use]
    pub fn overlaps(&self) -> Option<&Overlaps> {
        self.overlaps.as_ref()
    }

    /// The stuck agents, of a crowd or if the measure is recorded.
    #[must_use]
    pub fn stuck(&self) -> Option<&Stuck> {
        self.followers.stuck.as_ref()
    }

    /// The times to exit, of a crowd.
    #[must_use]
    pub fn exit_times(&self) -> Option<&ExitTimes> {
        self.followers.exit_times.as_ref()
    }

    /// When each agent came, set off and left, if the recording asks for it.
    #[must_use]
    pub fn persons(&self) -> Option<&Persons> {
        self.followers.persons.as_ref()
    }

    fn add_columns<const D: usize>(&mut self, world: &World<D>) {
        let mut columns = Vec::new();
        let mut add = |name: String, unit: &str, source| {
            columns.push(Column { name, unit: unit.to_owned(), moments: Moments::default(), source })
        };
        for measure in &self.recording.measures {
            add(measure.name.to_string(), measure.unit_in(D), Source::Measure(measure.clone(), None));
            for agents in
                world.species_ids().filter(|_| world.species_ids().nth(1).is_some()).flat_map(|id| world.agents(id))
            {
                let name = format!("{}.{}", measure.name, agents.name());
                add(name, measure.unit_in(D), Source::Measure(measure.clone(), Some(agents.species())));
            }
        }
        for (number, (name, _)) in self.recording.lines.iter().enumerate() {
            for (count, source) in COUNTS {
                add(format!("{count}.{name}"), "", Source::Line(number, source));
            }
        }
        for (number, (name, ..)) in self.recording.areas.iter().enumerate() {
            for (quantity, unit, source) in INSIDE {
                add(format!("{quantity}.{name}"), unit, Source::Area(number, source));
            }
        }
        self.columns = columns;
    }

    fn record<const D: usize>(&mut self, world: &World<D>) {
        if self.columns.is_empty() && self.overlaps.is_none() {
            return;
        }
        let windowed = self.followers.windowed.as_ref();
        let all = velocities(windowed, Sample::of(world), world, None);
        if let Some(overlaps) = &mut self.overlaps {
            overlaps.observe(&all);
        }
        let mut of_species: Vec<Option<Sample<D>>> = vec![None; world.all_agents().len()];
        // The columns of an area follow each other, and share its values.
        let mut inside: Option<(usize, InArea, InArea)> = None;
        for Column { source, moments, .. } in &mut self.columns {
            moments.add(match *source {
                Source::Measure(ref measure, species) => match self.followers.value(measure, world, species) {
                    Some(value) => value,
                    None => measure.compute(
                        species_sample((world, windowed), &all, species, &mut of_species),
                        self.recording.radius,
                    ),
                },
                Source::Line(line, count) => {
                    let line = &self.followers.lines[line].1;
                    let count = match count {
                        Count::Forward => line.forward(),
                        Count::Backward => line.backward(),
                        Count::Persons => line.persons(),
                    };
                    if line.has_missed() { f64::NAN } else { count as f64 }
                }
                Source::Area(number, quantity) => {
                    let (_, area, reach) = &self.recording.areas[number];
                    let (classic, voronoi) = match inside {
                        Some((measured, classic, voronoi)) if measured == number => (classic, voronoi),
                        _ => (area.classic(&all), area.voronoi(&all, *reach)),
                    };
                    inside = Some((number, classic, voronoi));
                    match quantity {
                        Inside::Density => classic.density,
                        Inside::Speed => classic.speed,
                        Inside::VoronoiDensity => voronoi.density,
                        Inside::VoronoiSpeed => voronoi.speed,
                    }
                }
            });
        }
    }
}

/// A sample of all agents or of a species, with the velocities that measures use.
fn velocities<const D: usize>(
    windowed: Option<&Windowed>,
    sample: Sample<D>,
    world: &World<D>,
    species: Option<SpeciesId>,
) -> Sample<D> {
    match windowed {
        Some(windowed) => windowed.applied(sample, world, species),
        None => sample,
    }
}

/// The sample of one species, or of all agents, which the measures of a tick share.
fn species_sample<'s, const D: usize>(
    (world, windowed): (&World<D>, Option<&Windowed>),
    all: &'s Sample<D>,
    species: Option<SpeciesId>,
    samples: &'s mut [Option<Sample<D>>],
) -> &'s Sample<D> {
    let Some((species, sample)) = species.and_then(|id| Some((id, samples.get_mut(id.number())?))) else { return all };
    match sample {
        Some(sample) => sample,
        None => {
            // A species that was removed has no agents.
            let own = Sample::of_species(world, species).unwrap_or_else(|_| Sample::empty(world.settings()));
            sample.insert(velocities(windowed, own, world, Some(species)))
        }
    }
}
