//! The summary of a run: its figures, as JSON and as text.

mod report;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use throng::measures::Recorder;
use throng::{AnyWorld, Event, Faults, Profile, Warning, World, with_world};

use crate::clock::Clock;
use crate::means::Means;
use crate::measured;
use crate::origin::seconds;
use crate::results::{Checksums, Files};
use crate::summed::Extent;
use crate::trajectory::Kept;

/// Sums over the ticks of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) clock: Clock,
    /// The number of agents before the first tick, and the largest number after any tick.
    start: u64,
    most: u64,
    /// Agents times ticks.
    agents: u64,
    candidates: u64,
    neighbours: u64,
    capped: u64,
    /// See [`Faults`].
    #[serde(default)]
    lost: u64,
    #[serde(default)]
    leaps: u64,
    #[serde(default)]
    cut: u64,
    #[serde(default)]
    cause: Option<String>,
    /// The faults of the world that are counted here.
    #[serde(skip)]
    seen: Faults,
    /// The milliseconds of each stage.
    stages: Vec<f64>,
    /// The number of events of each of [`Event::NAMES`].
    events: Vec<u64>,
    /// The number of agents that crossed walls, if the run has an audit.
    pub(crate) wall_crossings: Option<u64>,
}

impl Totals {
    /// Begins with a new world.
    pub(crate) fn start(world: &AnyWorld) -> Self {
        let agents = world.population() as u64;
        Self { start: agents, most: agents, ..Self::default() }
    }

    /// Adds the last tick.
    pub(crate) fn add(&mut self, world: &AnyWorld) {
        let profile = world.profile();
        self.agents += profile.agents;
        let present = world.population() as u64;
        self.most = if present > self.most { present } else { self.most };
        self.candidates += profile.candidates;
        self.neighbours += profile.neighbours;
        self.capped += profile.capped;
        let faults = world.faults();
        self.lost += faults.lost - self.seen.lost;
        self.leaps += faults.leaps - self.seen.leaps;
        self.cut += profile.cut;
        if self.cause.is_none() {
            self.cause = faults.cause.as_deref().map(str::to_owned);
        }
        self.seen = faults;
        self.stages.resize(profile.stages().len(), 0.0);
        for (sum, (_, milliseconds)) in self.stages.iter_mut().zip(profile.stages()) {
            *sum += milliseconds;
        }
        self.events.resize(Event::NAMES.len(), 0);
        for event in world.events() {
            if let Some(kind) = Event::NAMES.iter().position(|name| *name == event.name()) {
                self.events[kind] += 1;
            }
        }
    }
}

impl Totals {
    /// The number of events of each kind.
    fn events(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Event::NAMES.into_iter().zip(self.events.iter().copied().chain(std::iter::repeat(0)))
    }

    /// The faults of all ticks, those before a checkpoint included.
    fn faults(&self, ticks: u64) -> Faults {
        let events = |name: &str| self.events().find(|(kind, _)| *kind == name).map_or(0, |(_, count)| count);
        let mut faults = Faults::default();
        (faults.ticks, faults.agents, faults.inexact) = (ticks, self.agents, self.capped);
        (faults.quarantined, faults.left) = (events("quarantined"), events("left"));
        (faults.lost, faults.leaps, faults.cut) = (self.lost, self.leaps, self.cut);
        faults.cause = self.cause.as_deref().map(Into::into);
        faults
    }

    /// The counts of all ticks as the counts of one.
    fn profile(&self) -> Profile {
        let mut profile = Profile::default();
        profile.agents = self.agents;
        profile.candidates = self.candidates;
        profile.neighbours = self.neighbours;
        profile.capped = self.capped;
        profile
    }
}

/// The results of a run.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) scenario: String,
    dimensions: usize,
    species: Vec<(String, usize)>,
    /// The means of the columns of single numbers: species, column, mean.
    columns: Vec<(String, String, f64)>,
    /// The names of variables.
    variables: Vec<String>,
    agents: usize,
    /// Whether agents may come, go or meet walls.
    open: bool,
    account: Account,
    pub(crate) ticks: u64,
    simulated_seconds: f64,
    seed: u64,
    threads: usize,
    /// The share of ticks that one of them did.
    on_one_thread: f64,
    instruction_set: &'static str,
    pub(crate) totals: Totals,
    polarisation: f64,
    mean_speed: f64,
    recorder: Recorder,
    pub(crate) hash: u64,
    pub(crate) interrupted: bool,
    /// Whether no agent was left and none would come.
    ended: bool,
    /// The tick of the picture.
    pub(crate) picture_tick: Option<u64>,
    /// The quantity that the colours of the picture show, and the option that chose it.
    pub(crate) colours: Option<String>,
    /// The data that another run needs to repeat this one.
    pub(crate) origin: Map<String, Value>,
    pub(crate) files: Files,
    pub(crate) checksums: Checksums,
}

impl Summary {
    /// The results of a run at its last tick: the means over all agents and the hash of the state, and the recorded
    /// measures.
    pub(crate) fn new(
        scenario: &str,
        world: &AnyWorld,
        (means, hash): (Means, u64),
        totals: Totals,
        recorder: Recorder,
    ) -> Self {
        let Means { polarisation, mean_speed, columns } = means;
        Self {
            scenario: scenario.to_owned(),
            dimensions: world.dimensions(),
            species: world.all_species().map(|(_, name, agents)| (name.to_owned(), agents)).collect(),
            columns,
            variables: with_world!(world, world => variables(world)),
            agents: world.population(),
            open: with_world!(world, world => is_open(world)),
            account: with_world!(world, world => account(world)),
            ticks: world.tick(),
            simulated_seconds: seconds(world),
            seed: world.settings().seed,
            threads: rayon::current_num_threads(),
            on_one_thread: world.share_on_one_thread(),
            instruction_set: world.instruction_set().name(),
            totals,
            polarisation,
            mean_speed,
            recorder,
            hash,
            interrupted: false,
            ended: world.has_ended(),
            picture_tick: None,
            colours: None,
            origin: Map::new(),
            files: Vec::new(),
            checksums: Vec::new(),
        }
    }

    /// Adds the trajectories of the run. The first is described by the key `trajectory`, all by `trajectories`.
    pub(crate) fn take(&mut self, kept: Kept) {
        let Kept { files, checksums, described } = kept;
        if let Some(mut first) = described.first().cloned() {
            first.as_object_mut().map(|first| first.shift_remove("file"));
            self.origin.insert("trajectory".to_owned(), first);
            self.origin.insert("trajectories".to_owned(), Value::Array(described));
        }
        self.files.extend(files);
        self.checksums.extend(checksums);
    }

    /// The hash as 16 hexadecimal digits.
    pub(crate) fn hash_text(&self) -> String {
        format!("{:016x}", self.hash)
    }

    /// The faults in the ticks of the run.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        self.totals.faults(self.ticks).warnings()
    }

    fn ticks_per_second(&self) -> f64 {
        per_second(self.ticks as f64, &self.totals)
    }

    fn updates_per_second(&self) -> f64 {
        per_second(self.totals.agents as f64, &self.totals)
    }

    /// Simulated seconds per second.
    fn real_time(&self) -> f64 {
        per_second(self.simulated_seconds, &self.totals)
    }

    /// The mean milliseconds per tick of each stage.
    fn stages(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let ticks = if self.ticks == 0 { 1.0 } else { self.ticks as f64 };
        // The difference of two times can be negative by an error of rounding.
        let mean = move |sum: f64| if sum > 0.0 { sum / ticks } else { 0.0 };
        let names = Profile::default().stages().map(|(name, _)| name);
        names.into_iter().zip(&self.totals.stages).map(move |(name, sum)| (name, mean(*sum)))
    }

    pub(crate) fn json(&self) -> Value {
        let stages: Map<String, Value> = self.stages().map(|(name, mean)| (name.to_owned(), json!(mean))).collect();
        let events: Map<String, Value> =
            self.totals.events().map(|(name, count)| (name.to_owned(), json!(count))).collect();
        let species: Map<String, Value> =
            self.species.iter().map(|(name, agents)| (name.clone(), json!(agents))).collect();
        let mut columns = Map::new();
        for (species, name, mean) in &self.columns {
            columns.entry(species).or_insert_with(|| json!({}))[name] = json!(mean);
        }
        let mut files = Map::new();
        for (name, path) in &self.files {
            // All trajectories have a key of their own.
            files.entry(*name).or_insert_with(|| json!(path.to_string_lossy()));
        }
        let mut json = json!({
            "scenario": self.scenario,
            "dimensions": self.dimensions,
            "agents": self.agents,
            "agents_at_start": self.totals.start,
            "most_agents": self.totals.most,
            "species": species,
            "columns": columns,
            "ticks": self.ticks,
            "seed": self.seed,
            "threads": self.threads,
            "share_on_one_thread": self.on_one_thread,
            "instruction_set": self.instruction_set,
            "simulated_seconds": self.simulated_seconds,
            "seconds": self.totals.clock.ticks,
            "wall_seconds": self.totals.clock.wall(),
            "wall_parts": self.totals.clock.json(),
            "real_time_factor": self.real_time(),
            "ticks_per_second": self.ticks_per_second(),
            "agent_updates_per_second": self.updates_per_second(),
            "stage_milliseconds": stages,
            "polarisation": self.polarisation,
            "mean_speed": self.mean_speed,
            "mean_neighbours": self.totals.profile().mean_neighbours(),
            "candidates_per_pair": self.totals.profile().candidates_per_pair(),
            "hash": self.hash_text(),
            "events": events,
            "capped": self.totals.capped,
            "capped_share": self.totals.profile().capped_share(),
            "warnings": self.warnings().iter().map(ToString::to_string).collect::<Vec<_>>(),
            "interrupted": self.interrupted,
            "ended": self.ended,
            "files": files,
        });
        if self.open {
            let Account { spawned, removed, waiting } = &self.account;
            let removed: Map<String, Value> =
                removed.iter().map(|(name, count)| (name.clone(), json!(count))).collect();
            json["spawned"] = json!(spawned);
            json["alive"] = json!(self.agents);
            json["removed"] = json!(removed);
            json["waiting"] = json!(waiting);
        }
        if let Some(tick) = self.picture_tick {
            json["picture_tick"] = json!(tick);
        }
        if !self.checksums.is_empty() {
            let text = |extent: &Extent| json!(extent.to_string());
            let texts: Map<String, Value> =
                self.checksums.iter().map(|(name, extent)| (name.clone(), text(extent))).collect();
            json["checksums"] = Value::Object(texts);
        }
        for (key, value) in &self.origin {
            json[key] = value.clone();
        }
        for (key, value) in measured::json(&self.recorder, |species| self.agents_of(species)) {
            json[key] = value;
        }
        if let Some(crossings) = self.totals.wall_crossings {
            json["wall_crossings"] = json!(crossings);
        }
        json
    }

    /// The number of agents of a species, or of all.
    fn agents_of(&self, species: Option<&str>) -> usize {
        let found = species.and_then(|species| self.species.iter().find(|(name, _)| name == species));
        found.map_or(self.agents, |(_, agents)| *agents)
    }
}

/// A sum over the seconds that the ticks took.
fn per_second(sum: f64, Totals { clock, .. }: &Totals) -> f64 {
    if clock.ticks > 0.0 { sum / clock.ticks } else { 0.0 }
}

/// The account of the agents that were ever in a world.
#[derive(Debug)]
struct Account {
    spawned: u64,
    /// The number of removed agents for each reason.
    removed: Vec<(String, u64)>,
    /// The number of agents that wait for room at their sources.
    waiting: u64,
}

fn account<const D: usize>(world: &World<D>) -> Account {
    Account {
        spawned: world.spawned(),
        removed: world.removed().map(|(name, count)| (name.to_owned(), count)).collect(),
        waiting: world.backlog(),
    }
}

fn variables<const D: usize>(world: &World<D>) -> Vec<String> {
    let species = world.species_ids().filter_map(|id| world.species(id).ok());
    species.flat_map(|species| species.variables.iter().map(|variable| variable.name.clone())).collect()
}

/// Whether agents may come, go or meet walls.
fn is_open<const D: usize>(world: &World<D>) -> bool {
    let environment = world.environment();
    !environment.walls.is_empty() || !environment.sources.is_empty() || !environment.sinks.is_empty()
}
