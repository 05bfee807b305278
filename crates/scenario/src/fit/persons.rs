//! Recorded people with one of them simulated, one after another.

use std::path::Path;

use rayon::prelude::*;
use throng::behaviours::WalkTo;
use throng::{AgentId, AgentStart, Settings, Track, Tracks, Vector, World};

use crate::definition::Scenario;
use crate::fit::fitted::{FitFault, Watch};
use crate::trajectories::{RecordedTracks, TrackOptions};

/// The distance from its last place at which a person has arrived, in metres.
const REACH: f32 = 0.5;

/// The time over which a speed is measured, in seconds: recorded places have noise.
const SPEED: f32 = 1.0;

/// The depth of an overlap that is rounding, in metres.
const DEPTH: f32 = 1e-3;

/// The difference between a simulated person and the recorded one in whose place it walks, over the time of the track.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PersonFit {
    /// The id in the tracks.
    pub id: u64,
    /// The seed of the run.
    pub seed: u64,
    /// The time of its track, in seconds.
    pub seconds: f64,
    /// The mean distance between both, in metres.
    pub place: f64,
    /// The distance between both at the end of the track, in metres.
    pub end: f64,
    /// The mean difference of their speeds over a second, without its sign, in metres per second.
    pub speed: f64,
    /// The time by which it comes later within half a metre of the last recorded place, in seconds; NaN if it has not
    /// come there after one and a half times the time of the track.
    pub late: f64,
    /// The share of the time in which its body overlaps another one.
    pub overlap: f64,
    /// The same of the recorded person, with the body of the simulated one.
    pub recorded_overlap: f64,
}

impl PersonFit {
    /// The names and units of the numbers after [`seconds`](Self::seconds), in their order.
    pub const NUMBERS: [(&'static str, &'static str); 6] =
        [("place", "m"), ("end", "m"), ("speed", "m/s"), ("late", "s"), ("overlap", ""), ("recorded_overlap", "")];

    /// The numbers after [`seconds`](Self::seconds), in their order.
    #[must_use]
    pub fn numbers(&self) -> [f64; 6] {
        [self.place, self.end, self.speed, self.late, self.overlap, self.recorded_overlap]
    }
}

/// The means of [`PersonFit::numbers`], without the delays of persons that did not arrive.
#[must_use]
pub fn means(persons: &[PersonFit]) -> [f64; 6] {
    std::array::from_fn(|number| {
        let numbers = persons.iter().map(|person| person.numbers()[number]).filter(|number| !number.is_nan());
        let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), number| (sum + number, count + 1.0));
        sum / count
    })
}

/// Tracks in two or three dimensions.
#[derive(Clone, Debug)]
enum Recorded {
    Flat(RecordedTracks<2>),
    Space(RecordedTracks<3>),
}

/// The persons of a recording that are simulated one at a time.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    recorded: Recorded,
    species: String,
    /// The numbers of their tracks.
    pub(super) chosen: Vec<usize>,
    /// The ticks of one run with each of them, at most.
    pub(super) ticks: u64,
    /// The ticks of the longest run.
    pub(super) longest: u64,
}

impl Replay {
    /// Reads tracks, of this species if there is a choice. At most this number of persons are simulated.
    pub(super) fn new(file: &Path, species: Option<&str>, scenario: &Scenario, most: u64) -> Result<Self, String> {
        let known: Vec<&str> = scenario.species().map(|(name, _)| name).collect();
        let species = match (species, &known[..]) {
            (Some(species), _) => species.to_owned(),
            (None, [only]) => (*only).to_owned(),
            _ => return Err(format!("the scenario has several species ({}): name one", known.join(", "))),
        };
        let options = TrackOptions { species: Some(&species), ..TrackOptions::default() };
        let recorded = match scenario.dimensions() {
            3 => Recorded::Space(read(file, scenario, options)?),
            _ => Recorded::Flat(read(file, scenario, options)?),
        };
        let (lengths, frame_seconds) = match &recorded {
            Recorded::Flat(of) => (lengths(of), of.frame_seconds),
            Recorded::Space(of) => (lengths(of), of.frame_seconds),
        };
        let ticks = |frames: u64| ticks_of(frames, frame_seconds, scenario.tick_seconds);
        let whole: Vec<usize> = (0..lengths.len()).filter(|&number| ticks(lengths[number]) > 0).collect();
        if whole.is_empty() {
            return Err(format!("{}: no track lasts for a tick", file.to_string_lossy()));
        }
        let count = if most < whole.len() as u64 { most as usize } else { whole.len() };
        let chosen: Vec<usize> = (0..count).map(|number| whole[number * whole.len() / count]).collect();
        let runs = chosen.iter().map(|&number| longest(ticks(lengths[number])));
        let (longest, ticks) = runs.fold((0, 0_u64), |(most, sum), run| (most.max(run), sum.saturating_add(run)));
        Ok(Self { recorded, species, chosen, ticks, longest })
    }

    /// Runs the scenarios, one for each seed, with each of the persons.
    pub(super) fn run(&self, scenarios: &[Scenario], watch: &Watch<'_>) -> Result<Vec<PersonFit>, FitFault> {
        let runs = scenarios.iter().flat_map(|scenario| self.chosen.iter().map(move |&number| (scenario, number)));
        let runs: Vec<(&Scenario, usize)> = runs.collect();
        let run = |(scenario, number): (&Scenario, usize)| match &self.recorded {
            Recorded::Flat(recorded) => with_one(scenario, recorded, (&self.species[..], number), watch),
            Recorded::Space(recorded) => with_one(scenario, recorded, (&self.species[..], number), watch),
        };
        let all: Vec<Result<PersonFit, FitFault>> = runs.into_par_iter().map(run).collect();
        all.into_iter().collect()
    }
}

fn read<const D: usize>(
    file: &Path,
    scenario: &Scenario,
    options: TrackOptions<'_>,
) -> Result<RecordedTracks<D>, String> {
    let settings = scenario.settings::<D>().unwrap_or_default();
    RecordedTracks::read(file, &settings, options)
}

fn lengths<const D: usize>(recorded: &RecordedTracks<D>) -> Vec<u64> {
    recorded.tracks.iter().map(|track| track.last() - track.first).collect()
}

/// The whole ticks in this number of frames.
fn ticks_of(frames: u64, frame_seconds: f32, tick_seconds: f32) -> u64 {
    (frames as f64 * f64::from(frame_seconds) / f64::from(tick_seconds) + 1e-3).floor() as u64
}

/// The ticks after which a person of a track of this number of ticks has not arrived.
fn longest(ticks: u64) -> u64 {
    ticks.saturating_add(ticks / 2)
}

/// The part of a track from a frame on, whose number becomes zero.
fn since<const D: usize>(track: &Track<D>, first: u64) -> Option<Track<D>> {
    let left = track.positions.get(first.saturating_sub(track.first) as usize..).filter(|left| !left.is_empty())?;
    Some(Track { first: track.first.saturating_sub(first), positions: left.to_vec() })
}

/// Runs a scenario in which all agents follow tracks but one, which has the start and the last place of this track.
fn with_one<const D: usize>(
    scenario: &Scenario,
    recorded: &RecordedTracks<D>,
    (species, number): (&str, usize),
    watch: &Watch<'_>,
) -> Result<PersonFit, FitFault> {
    let own = &recorded.tracks[number];
    let (mut world, agent) = start(scenario, recorded, (species, number))?;
    let settings = world.settings().clone();
    let dt = settings.tick_seconds;
    let ticks = ticks_of(own.last() - own.first, recorded.frame_seconds, dt);
    let clock = Tracks::<D>::new("", "", recorded.frame_seconds, Vec::new());
    let recorded_at = |tick: u64| own.at(&settings, own.first as f64 + clock.frame(tick as f64 * f64::from(dt)));
    let last = recorded_at(ticks);
    let near = |at: Vector<D>| settings.offset(at, last).length() <= REACH;
    let (mut ways, mut overlaps) = ([vec![recorded_at(0)], vec![own.positions[0]]], [0u64; 2]);
    let mut arrivals = [0, 1].map(|way| near(ways[way][0]).then_some(0));
    while world.tick() < longest(ticks) && (world.tick() < ticks || arrivals[1].is_none()) {
        world.try_step().map_err(FitFault::Step)?;
        if !watch(1) {
            return Err(FitFault::Stopped);
        }
        let tick = world.tick();
        let lives = world.contains(agent);
        let simulated = world.position(agent).unwrap_or(ways[1][ways[1].len() - 1]);
        let now = [recorded_at(tick), simulated];
        for way in 0..2 {
            ways[way].push(now[way]);
            // A sink is an end too.
            let has_arrived = near(now[way]) || (way == 1 && !lives);
            arrivals[way] = arrivals[way].or(has_arrived.then_some(tick));
            overlaps[way] += u64::from(tick <= ticks && lives && overlaps_another(&world, agent, now[way]));
        }
    }
    let seconds = |ticks: u64| ticks as f64 * f64::from(dt);
    let late =
        arrivals[1].zip(arrivals[0]).map_or(f64::NAN, |(simulated, recorded)| seconds(simulated) - seconds(recorded));
    let apart = |tick: usize| f64::from(settings.offset(ways[0][tick], ways[1][tick]).length());
    let share = |count: u64| count as f64 / ticks as f64;
    Ok(PersonFit {
        id: recorded.ids[number],
        seed: settings.seed,
        seconds: seconds(ticks),
        place: (1..=ticks as usize).map(apart).sum::<f64>() / ticks as f64,
        end: apart(ticks as usize),
        speed: difference_of_speeds(&settings, &ways, ticks as usize),
        late,
        overlap: share(overlaps[1]),
        recorded_overlap: share(overlaps[0]),
    })
}

/// The world at the first frame of a track, and the agent in its place.
fn start<const D: usize>(
    scenario: &Scenario,
    recorded: &RecordedTracks<D>,
    (species, number): (&str, usize),
) -> Result<(World<D>, AgentId), FitFault> {
    let own = &recorded.tracks[number];
    let mut world = scenario.build::<D>().map_err(FitFault::Build)?;
    world.clear();
    let others = recorded.tracks.iter().enumerate().filter(|(other, _)| *other != number);
    let others = others.filter_map(|(_, track)| since(track, own.first)).collect();
    let tracks = Tracks::new("recorded", species, recorded.frame_seconds, others);
    let environment = world.environment_mut();
    environment.sources.clear();
    environment.tracks.clear();
    environment.tracks.add(tracks).map_err(FitFault::Step)?;
    let (settings, first) = (world.settings(), own.first as f64);
    let [from, to] = [first, first + 1.0].map(|frame| own.at(settings, frame));
    let velocity = settings.offset(from, to) * (1.0 / recorded.frame_seconds);
    let goal = own.at(settings, own.last() as f64);
    let id = world.find_species(species).ok_or_else(|| FitFault::Design(format!("{species}: no such species")))?;
    // One that walks to a navigation walks on where its record ends.
    let walks = world.species(id).map_err(FitFault::Step)?.rules.iter().any(|rule| rule.get::<WalkTo>().is_some());
    let start = AgentStart::new(from, velocity);
    let start = if walks { start } else { start.with_goal(goal) };
    let agent = world.spawn_from(id, &start).map_err(FitFault::Step)?;
    Ok((world, agent))
}

/// Whether the body of an agent, at this position, overlaps another one.
fn overlaps_another<const D: usize>(world: &World<D>, own: AgentId, at: Vector<D>) -> bool {
    let radius = world.find(own).map_or(0.0, |(species, row)| world.all_agents()[species.number()].radius(row));
    world.all_agents().iter().any(|agents| {
        (0..agents.len()).any(|row| {
            let reach = radius + agents.radius(row) - DEPTH;
            agents.ids()[row] != own && world.settings().offset(at, agents.position(row)).length() < reach
        })
    })
}

/// The mean difference of the speeds on two ways, without its sign.
fn difference_of_speeds<const D: usize>(settings: &Settings<D>, ways: &[Vec<Vector<D>>; 2], ticks: usize) -> f64 {
    let window = ((SPEED / settings.tick_seconds).round() as usize).clamp(1, ticks);
    let difference = |tick: usize| {
        let [recorded, simulated] =
            [0, 1].map(|way| f64::from(settings.offset(ways[way][tick - window], ways[way][tick]).length()));
        (simulated - recorded).abs() / (window as f64 * f64::from(settings.tick_seconds))
    };
    (window..=ticks).map(difference).sum::<f64>() / (ticks - window + 1) as f64
}
