//! The series of measures of a run.

use crate::base::ids::SpeciesId;
use crate::measures::moments::Moments;
use crate::measures::sample::Sample;
use crate::measures::table::{Followers, Measure};
use crate::world::World;

/// What a run records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// The interval between records, in ticks; 0 and 1 are every tick.
    pub every: u64,
    /// The measures.
    pub measures: Vec<&'static Measure>,
    /// The radius in metres of the measures that need one.
    pub radius: Option<f32>,
}

/// Records measures of a running world. It observes the world before the first tick and after each tick; the records
/// are made when the number of the tick is a multiple of [`Recording::every`].
///
/// ```
/// use throng::measures::{Recorder, Recording, measure};
/// use throng::{Settings, Species, World};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let bird = world.add_species(Species::new("bird"))?;
/// world.spawn(bird, [1.0, 1.0], [3.0, 4.0])?;
/// let recording =
///     Recording { every: 10, measures: measure("mean_speed").into_iter().collect(), ..Recording::default() };
/// let mut recorder = Recorder::new(recording);
/// recorder.observe(&world);
/// for _ in 0..100 {
///     world.step();
///     if recorder.observe(&world) {
///         println!("{}: {:?}", world.tick(), recorder.columns().map(|column| column.value()).collect::<Vec<_>>());
///     }
/// }
/// let column = recorder.columns().next().unwrap();
/// assert_eq!((&column.name[..], column.unit, column.moments.mean()), ("mean_speed", "m/s", 5.0));
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    recording: Recording,
    columns: Vec<Column>,
    followers: Followers,
    /// Whether the columns exist: the first observation fixes them.
    started: bool,
}

/// One column of a [`Recorder`]: a measure of all agents, or of one species.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Column {
    /// The name of the measure, followed for one of several species by a point and the name of the species.
    pub name: String,
    /// The unit; empty if there is none.
    pub unit: &'static str,
    /// The values of all records so far. NaN stands for a record in which the measure was undefined.
    pub moments: Moments,
    source: Source,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Measure(&'static Measure, Option<SpeciesId>),
}

impl Column {
    /// The value of the last record.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.moments.last()
    }
}

impl Recorder {
    /// A recorder without records.
    #[must_use]
    pub fn new(recording: Recording) -> Self {
        let mut followers = Followers::default();
        recording.measures.iter().for_each(|measure| followers.follow(measure));
        Self { recording, followers, ..Self::default() }
    }

    /// Observes the world, and returns whether the tick was recorded.
    pub fn observe<const D: usize>(&mut self, world: &World<D>) -> bool {
        self.followers.observe(world);
        if !self.started {
            self.started = true;
            self.add_columns(world);
        }
        let every = self.recording.every.clamp(1, u64::MAX);
        let recorded = world.tick().is_multiple_of(every);
        if recorded {
            self.record(world);
        }
        recorded
    }

    /// The columns, in the order of the measures; for each, all agents and then each species if there are several. None
    /// before the first observation.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = &Column> {
        self.columns.iter()
    }

    fn add_columns<const D: usize>(&mut self, world: &World<D>) {
        for &measure in &self.recording.measures {
            let mut add = |name: String, species: Option<SpeciesId>| {
                let (unit, source) = (measure.unit_in(D), Source::Measure(measure, species));
                self.columns.push(Column { name, unit, moments: Moments::default(), source });
            };
            add(measure.name.to_owned(), None);
            if world.all().len() > 1 {
                world.all().for_each(|agents| {
                    add(format!("{}.{}", measure.name, agents.name()), Some(agents.species()));
                });
            }
        }
    }

    fn record<const D: usize>(&mut self, world: &World<D>) {
        let mut sample: Option<(Option<SpeciesId>, Sample<D>)> = None;
        // Column by column of one species, so that its measures share a sample.
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by_key(|&number| self.columns[number].source.species().map(|id| id.number()));
        for number in order {
            let Column { source, moments, .. } = &mut self.columns[number];
            let Source::Measure(measure, species) = *source;
            let value = match self.followers.value(measure, world, species) {
                Some(value) => value,
                None => {
                    let sample = match &sample {
                        Some((of, sample)) if *of == species => sample,
                        _ => &sample.insert((species, sample_of(world, species))).1,
                    };
                    measure.compute(sample, self.recording.radius)
                }
            };
            moments.add(value);
        }
    }
}

impl Source {
    fn species(self) -> Option<SpeciesId> {
        match self {
            Self::Measure(_, species) => species,
        }
    }
}

fn sample_of<const D: usize>(world: &World<D>, species: Option<SpeciesId>) -> Sample<D> {
    let all = || Sample::of(world);
    species.map_or_else(all, |species| Sample::of_species(world, species).unwrap_or_else(|_| all()))
}
