//! The [`Scenario`] type: a validated description of a world and of its run.

use std::path::{Path, PathBuf};

use throng::measures::{MeasureOf, RecorderSettings};
use throng::{Combine, Distribution, Edge, Error, Familiar, Quantity, Registry, Warning};

use crate::environment::EnvironmentSpec;
use crate::items::ItemSpec;
use crate::keys;
use crate::kinds::Kinds;
use crate::motions::MotionSpec;
use crate::output::Output;
use crate::people::{ExpectedArrivals, PeopleSpec};
use crate::problem::printable;
use crate::rules::RuleSpec;
use crate::start::Start;
use crate::states::StatesSpec;
use crate::storeys::Storeys;
use crate::tracks::TracksSpec;

/// A validated description of a world and of its run.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The rules that the file may use.
    pub(crate) registry: Registry,
    pub(crate) name: String,
    pub(crate) dimensions: usize,
    /// The storeys of a building.
    pub(crate) storeys: Option<Storeys>,
    /// `None` only while a file is being read.
    pub(crate) size: Option<Vec<f32>>,
    /// One per dimension.
    pub(crate) edge: Vec<Edge>,
    pub(crate) tick_seconds: f32,
    pub(crate) ticks: u64,
    pub(crate) until_empty: bool,
    pub(crate) seed: u64,
    pub(crate) pair_budget: Option<usize>,
    pub(crate) environment: EnvironmentSpec,
    pub(crate) people: PeopleSpec,
    pub(crate) tracks: Vec<TracksSpec>,
    pub(crate) groups: Vec<Group>,
    pub(crate) output: Output,
    pub(crate) recording: RecorderSettings,
    /// Warnings of the file, outside of the species.
    pub(crate) doubts: Vec<Warning>,
    /// The other files that it names.
    pub(crate) files: Vec<PathBuf>,
}

/// The positions of the radius and of the largest speed in [`QUANTITIES`](throng::species::tables::QUANTITIES).
pub(crate) const RADIUS: usize = 1;
pub(crate) const MAX_SPEED: usize = Quantity::MaxSpeed as usize;

/// The agents of one species at the start.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) count: u64,
    pub(crate) start: Start,
    /// In the order of [`QUANTITIES`](throng::species::tables::QUANTITIES).
    pub(crate) quantities: [Distribution; 7],
    pub(crate) combine: Combine,
    /// `None` for vehicles.
    pub(crate) motion: Option<MotionSpec>,
    pub(crate) rules: Vec<RuleSpec>,
    pub(crate) states: StatesSpec,
    /// In the order of [`TIMES`](throng::species::tables::TIMES).
    pub(crate) times: [Option<Distribution>; 2],
    /// The kinds of people among its agents.
    pub(crate) kinds: Kinds,
    /// The shares of agents that know the goals of navigations.
    pub(crate) familiar: Vec<Familiar>,
    /// The keys of the definition itself.
    pub(crate) own: ItemSpec,
    /// Whether the agents are people who walk: they start clear of each other and of all others.
    pub(crate) walks: bool,
    /// The names of the quantities that the file has.
    pub(crate) written: Vec<&'static str>,
    /// Its warnings.
    pub(crate) doubts: Vec<Warning>,
}

impl Scenario {
    /// A scenario without agents, with which the reading of a file begins.
    pub(crate) fn empty(file: &str, registry: Registry) -> Self {
        let stem = Path::new(file).file_stem().unwrap_or_default();
        Self {
            registry,
            name: printable(&stem.to_string_lossy()).to_string(),
            dimensions: 2,
            storeys: None,
            size: None,
            edge: Vec::new(),
            tick_seconds: 1.0,
            ticks: keys::TICKS,
            until_empty: false,
            seed: 0,
            pair_budget: None,
            environment: EnvironmentSpec::default(),
            people: PeopleSpec::default(),
            tracks: Vec::new(),
            groups: Vec::new(),
            output: Output::default(),
            recording: RecorderSettings::default(),
            doubts: Vec::new(),
            files: Vec::new(),
        }
    }

    /// The title in the file, or the file name without its extension.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The other files that were read for the scenario: its floor plan, tracks and places of agents.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The number of dimensions: the argument `D` of [`build`](Self::build).
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The storeys, where the file has some.
    #[must_use]
    pub fn storeys(&self) -> Option<&Storeys> {
        self.storeys.as_ref()
    }

    /// The size of each storey, or of the world.
    pub(crate) fn plan(&self) -> Option<&[f32]> {
        self.storeys.as_ref().map(|storeys| &storeys.size[..]).or(self.size.as_deref())
    }

    /// The number of ticks of a run.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Whether a run ends before its last tick once the world [has ended](throng::World::has_ended).
    #[must_use]
    pub fn until_empty(&self) -> bool {
        self.until_empty
    }

    /// The seed of all random draws.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The species and their initial numbers of agents.
    pub fn species(&self) -> impl Iterator<Item = (&str, u64)> {
        self.groups.iter().map(|group| (&group.name[..], group.count))
    }

    /// The variables of the species.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().flat_map(|group| group.states.variables.iter().map(|variable| &variable.name[..]))
    }

    /// The measure with this name in `output.measures.own`, of all agents or, as in `NAME.SPECIES`, of one species; or
    /// else the one of [`MeasureOf::parse`].
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if there is none, or if its expression has names that the agents lack. Whether there is such a
    /// species is not checked.
    pub fn measure(&self, text: &str) -> Result<MeasureOf, Error> {
        let (name, species) = text.split_once('.').map_or((text, None), |(name, species)| (name, Some(species)));
        let own = self.recording().measures.iter().find(|own| own.built_in_name().is_empty() && own.name == name);
        let of = match own {
            Some(own) => MeasureOf { measure: own.clone(), species: species.map(str::to_owned) },
            None => MeasureOf::parse(text)?,
        };
        of.measure.check(self.dimensions, &self.variables().collect::<Vec<_>>())?;
        Ok(of)
    }

    /// The initial number of agents.
    #[must_use]
    pub fn agents(&self) -> u64 {
        self.groups.iter().fold(0, |sum, group| sum.saturating_add(group.count))
    }

    /// The agents that the sources of the scenario add within its ticks.
    #[must_use]
    pub fn arrivals(&self) -> ExpectedArrivals {
        self.people.arrivals(self.ticks as f64 * f64::from(self.tick_seconds))
    }

    /// The named areas of the floor plan that are not rectangles, each with the corners of its outline and of its holes.
    /// Rectangles are regions of the world.
    pub fn areas(&self) -> impl Iterator<Item = (&str, &[Vec<[f32; 2]>])> {
        self.environment.areas.iter().map(|(name, rings)| (&name[..], &rings[..]))
    }

    /// The measures that a run records: the measures of the file, and the measures of crowds where the file has walls,
    /// sources, lines or areas. A [`Recorder`](throng::measures::Recorder) of it measures a run.
    #[must_use]
    pub fn recording(&self) -> &RecorderSettings {
        &self.recording
    }

    /// The output of a run.
    #[must_use]
    pub fn output(&self) -> &Output {
        &self.output
    }
}

impl Group {
    /// The values of a species that have sliders.
    pub(crate) fn sliders(&self, registry: &Registry) -> Vec<String> {
        let mut names: Vec<String> = Quantity::ALL.map(|quantity| quantity.parameter().name.to_owned()).into();
        names.extend(self.rules.iter().flat_map(|rule| rule.sliders(registry)));
        names.extend(self.motion.iter().flat_map(|motion| motion.sliders(registry)));
        names.extend(self.states.variables.iter().map(|variable| format!("variables.{}", variable.name)));
        names.iter().map(|name| format!("{}.{name}", self.name)).collect()
    }
}
