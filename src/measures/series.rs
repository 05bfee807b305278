//! The values of measures over the ticks of a run, and their statistics.

use std::fmt;

use crate::base::error::Error;
use crate::base::ids::SpeciesId;
use crate::base::warning::{Warning, WarningKind};
use crate::measures::blocking::error_of_mean;
use crate::measures::followers::Followers;
use crate::measures::own;
use crate::measures::relaxation::relaxation;
use crate::measures::{Measure, Moments, Sample};
use crate::with_world;
use crate::world::World;
use crate::world::any_world::AnyWorld;

/// The number of values at the first look at their errors.
const FIRST_LOOK: usize = 2048;

/// The number of looks one after another at which the errors must be small.
const LOOKS: usize = 3;

/// The least share of a series that is left out if it must have relaxed.
const LEFT_OUT: usize = 5;

/// A measure of all agents, or of one species.
///
/// ```
/// use throng::measures::MeasureOf;
///
/// let of = MeasureOf::parse("polarisation.bird")?;
/// assert_eq!((&*of.measure.name, of.species.as_deref()), ("polarisation", Some("bird")));
/// assert_eq!((of.to_string(), MeasureOf::parse("stuck")?.species), ("polarisation.bird".to_owned(), None));
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureOf {
    /// The measure.
    pub measure: Measure,
    /// The name of the species; `None` for all agents.
    pub species: Option<String>,
}

impl MeasureOf {
    /// The measure with this name, followed for one species by a point and its name: the columns of a
    /// [`Recorder`](crate::measures::Recorder). A measure of an expression has a species in the same way:
    /// `spread.bird = sd(position.x)`.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] as for [`Measure::parse`]. Whether there is such a species depends on the world.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (name, species) = match own::parts(text) {
            Some(parts) if parts.expression.0 == 0 => (text, None),
            Some(parts) => parts.name.split_once('.').map_or((text, None), |(_, species)| (text, Some(species))),
            None => text.split_once('.').map_or((text, None), |(name, species)| (name, Some(species))),
        };
        let mut measure = Measure::parse(name)?;
        if let Some(name) = species.and_then(|species| measure.name.strip_suffix(species)?.strip_suffix('.')) {
            measure.name = name.to_owned().into();
        }
        Ok(Self { measure, species: species.map(str::to_owned) })
    }
}

impl fmt::Display for MeasureOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.measure.name)?;
        self.species.iter().try_for_each(|species| write!(f, ".{species}"))
    }
}

/// The values of measures over the ticks of a run.
///
/// A host calls [`observe`](Self::observe) before the first tick and after each one, and then
/// [`measure`](Self::measure) in the ticks that count.
#[derive(Debug)]
pub struct Series {
    measures: Vec<MeasureOf>,
    radius: Option<f32>,
    /// The observers of measures that follow agents from the first tick on.
    followers: Followers,
    values: Vec<Vec<f64>>,
    /// The looks one after another at which the errors were small, up to the last.
    precise_looks: usize,
}

/// A statistic of the values of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The standard deviation.
    Deviation,
    /// The standard error of the mean, of values that depend on each other: see [`error_of_mean`]. Of one run: where there
    /// are several, the spread over seeds is the error.
    Error,
    /// The number of ticks that are worth one independent value.
    Inefficiency,
    /// The Binder cumulant: see [`Moments::binder_cumulant`].
    Binder,
    /// The susceptibility: see [`Moments::susceptibility`].
    Susceptibility,
}

impl Series {
    /// An empty series of these measures. Measures that need a radius are NaN without one, and measures of species that
    /// the world lacks.
    #[must_use]
    pub fn new(measures: &[MeasureOf], radius: Option<f32>) -> Self {
        let mut followers = Followers::default();
        measures.iter().for_each(|of| followers.follow(&of.measure));
        Self {
            measures: measures.to_vec(),
            radius,
            followers,
            values: vec![Vec::new(); measures.len()],
            precise_looks: 0,
        }
    }

    /// Observes the world, before the first tick and after each one.
    pub fn observe(&mut self, world: &AnyWorld) {
        with_world!(world, world => self.followers.observe(world));
    }

    /// Adds the values of the observed tick.
    pub fn measure(&mut self, world: &AnyWorld) {
        let now = with_world!(world, world => self.now(world));
        self.values.iter_mut().zip(now).for_each(|(values, value)| values.push(value));
    }

    /// The values of the measures at this moment. Measures of the same agents share a sample.
    fn now<const D: usize>(&self, world: &World<D>) -> Vec<f64> {
        let mut samples: Vec<(Option<SpeciesId>, Sample<D>)> = Vec::new();
        let mut value = |MeasureOf { measure, species }: &MeasureOf| {
            let species = match species {
                Some(name) => Some(world.find_species(name)?),
                None => None,
            };
            if let Some(value) = self.followers.value(measure, world, species) {
                return Some(value);
            }
            let place = match samples.iter().position(|(of, _)| *of == species) {
                Some(place) => place,
                None => {
                    let sample = species.map_or(Ok(Sample::of(world)), |species| Sample::of_species(world, species));
                    samples.push((species, sample.ok()?));
                    samples.len() - 1
                }
            };
            Some(measure.compute(&samples[place].1, self.radius))
        };
        self.measures.iter().map(|of| value(of).unwrap_or(f64::NAN)).collect()
    }

    /// The number of values at the start that are left out: of all measures, the latest to relax decides, see
    /// [`relaxation`]. At least a fifth, since a slow start looks steady; half of a series that has not relaxed.
    #[must_use]
    pub fn relaxation(&self) -> usize {
        let start = |values: &Vec<f64>| {
            let least = values.len() / LEFT_OUT;
            relaxation(values).map_or(values.len() / 2, |start| start.max(least))
        };
        self.values.iter().map(start).max().unwrap_or(0)
    }

    /// Whether the errors of the means of these measures, by their numbers, are known and at most these. With `relaxed`,
    /// the values of [`relaxation`](Self::relaxation) are left out.
    ///
    /// To be asked in every tick. The errors are looked at after 2048 values, and whenever these have doubled; three looks
    /// one after another must find them small. A single look would choose the moment at which an error happens to be
    /// small. Between two looks it returns false.
    #[must_use]
    pub fn is_precise(&mut self, targets: &[(usize, f64)], relaxed: bool) -> bool {
        let count = self.values.first().map_or(0, Vec::len);
        if !count.is_multiple_of(FIRST_LOOK) || !(count / FIRST_LOOK).is_power_of_two() {
            return false;
        }
        let start = if relaxed { self.relaxation() } else { 0 };
        let is_precise = |&(measure, most): &(usize, f64)| {
            let values = self.values.get(measure).and_then(|values| values.get(start..));
            values.is_some_and(|values| error_of_mean(values).error <= most)
        };
        self.precise_looks = if targets.iter().all(is_precise) { self.precise_looks + 1 } else { 0 };
        self.precise_looks >= LOOKS
    }

    /// Warnings of the means whose errors are unknown or above these, by the numbers of measures, after a run that should
    /// have ended by them and did not. This number of values at the start is left out.
    #[must_use]
    pub fn imprecise(&self, targets: &[(usize, f64)], left_out: usize) -> Vec<Warning> {
        if self.precise_looks >= LOOKS {
            return Vec::new();
        }
        let warning = |&(measure, most): &(usize, f64)| {
            let error = error_of_mean(self.values.get(measure)?.get(left_out..)?).error;
            let found = if error.is_nan() { "unknown".to_owned() } else { format!("{error:.2e}") };
            let message = format!("the run ended before its error was at most {most} for long enough: it is {found}");
            Some(Warning::new(WarningKind::Imprecise, self.measures.get(measure)?.to_string(), message))
        };
        targets.iter().filter_map(warning).collect()
    }

    /// Warnings of the measures for which one of these statistics, the error of the mean, is unknown. This number of
    /// values at the start is left out.
    #[must_use]
    pub fn warnings(&self, statistics: &[Statistic], left_out: usize) -> Vec<Warning> {
        let warning = |(of, values): (&MeasureOf, &Vec<f64>)| {
            statistics.contains(&Statistic::Error).then_some(())?;
            error_of_mean(values.get(left_out..)?).warning(&of.to_string())
        };
        self.measures.iter().zip(&self.values).filter_map(warning).collect()
    }

    /// The values of each measure, in the order of the measures.
    pub fn values(&self) -> impl Iterator<Item = &[f64]> {
        self.values.iter().map(|values| &values[..])
    }
}

impl Statistic {
    /// All variants.
    pub const ALL: [Self; 6] =
        [Self::Mean, Self::Deviation, Self::Error, Self::Inefficiency, Self::Binder, Self::Susceptibility];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Deviation => "sd",
            Self::Error => "se",
            Self::Inefficiency => "inefficiency",
            Self::Binder => "binder",
            Self::Susceptibility => "susceptibility",
        }
    }

    /// The name of the column of a measure: its name for the mean, and else with the name of the statistic after it.
    #[must_use]
    pub fn column(self, measure: &str) -> String {
        match self {
            Self::Mean => measure.to_owned(),
            other => format!("{measure}_{}", other.name()),
        }
    }

    /// The statistic of these values, of a world with this number of agents. Values that are NaN are left out.
    #[must_use]
    pub fn of(self, values: &[f64], agents: usize) -> f64 {
        let moments = || values.iter().copied().collect::<Moments>();
        match self {
            Self::Mean => moments().mean(),
            Self::Deviation => moments().deviation(),
            Self::Error => error_of_mean(values).error,
            Self::Inefficiency => error_of_mean(values).inefficiency,
            Self::Binder => moments().binder_cumulant(),
            Self::Susceptibility => moments().susceptibility(agents),
        }
    }
}
