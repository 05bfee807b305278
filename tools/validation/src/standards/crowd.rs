//! Worlds of the scenes of the standards, and the course of a run of one.

use std::collections::BTreeMap;

use throng::{AgentId, Event, RegionId, Removal, SpeciesId, Vector, World};
use throng_scenario::Scenario;

use crate::run::{Outcome, set};

/// The length of a tick in the scenes, in seconds.
const TICK: f64 = 0.05;

/// The text of a scene; the folder `tools/validation/standards` holds the scenes.
#[derive(Clone, Copy)]
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

/// The scene with this name.
macro_rules! scene {
    ($name:literal) => {
        $crate::standards::crowd::Scene { name: $name, text: include_str!(concat!("../../standards/", $name, ".toml")) }
    };
}
pub(crate) use scene;

/// A model of motion that the standards judge, with one set of parameters for all tests.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) name: &'static str,
    /// The value of the key `motion`.
    pub(crate) motion: &'static str,
    /// The length of a tick, in seconds.
    pub(crate) tick: f64,
}

/// One run of a test: its model and its seed.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) model: &'static Model,
    pub(crate) seed: u64,
}

impl Run {
    /// The crowd of a scene, with overrides of some keys.
    pub(crate) fn crowd(&self, scene: Scene, overrides: &[String]) -> Outcome<Crowd> {
        let parse = |sets: &[String]| {
            Scenario::parse_with(scene.text, scene.name, sets).map_err(|problems| problems.to_string())
        };
        let mut sets: Vec<String> =
            parse(&[])?.species().map(|(name, _)| set(&format!("species.{name}.motion"), self.model.motion)).collect();
        sets.extend([set("world.seed", self.seed), set("world.tick", self.model.tick)]);
        sets.extend_from_slice(overrides);
        let scenario = parse(&sets)?;
        let end = parse(&[])?.ticks() as f64 * TICK;
        let world = scenario.build::<2>().map_err(|error| error.to_string())?;
        Ok(Crowd { end, world, exits: Vec::new() })
    }
}

/// An agent that a sink removed.
#[derive(Clone, Copy)]
pub(crate) struct Exit {
    pub(crate) species: SpeciesId,
    /// The number of the sink, in the order of the scene.
    pub(crate) sink: usize,
    /// In seconds.
    pub(crate) time: f64,
}

/// A world that runs until its agents are gone or its time is over.
pub(crate) struct Crowd {
    pub(crate) world: World<2>,
    /// The simulated time at which a run ends, in seconds.
    end: f64,
    /// The agents that left, in order.
    pub(crate) exits: Vec<Exit>,
}

impl Crowd {
    /// The simulated time, in seconds.
    pub(crate) fn time(&self) -> f64 {
        self.world.seconds()
    }

    /// Advances the world by this number of seconds, whatever happens.
    pub(crate) fn pass(&mut self, seconds: f64) {
        let end = self.time() + seconds - 0.5 * f64::from(self.world.settings().tick_seconds);
        while self.time() < end {
            self.world.step();
        }
    }

    /// The species with this name.
    pub(crate) fn species(&self, name: &str) -> Outcome<SpeciesId> {
        self.world.find_species(name).ok_or_else(|| format!("the scene has no species {name}").into())
    }

    /// The region with this name.
    pub(crate) fn region(&self, name: &str) -> Outcome<RegionId> {
        let found = self.world.environment().regions.find(name);
        Ok(found.ok_or_else(|| format!("the scene has no region {name}"))?)
    }

    /// Advances the world by one tick. False if all agents have left or the time is over.
    pub(crate) fn step(&mut self) -> bool {
        let over = self.time() >= self.end;
        let gone = self.world.tick() > 0 && self.world.population() == 0 && self.world.backlog() == 0;
        if over || gone {
            return false;
        }
        self.world.step();
        let (time, sinks) = (self.time(), &self.world.environment().sinks);
        self.exits.extend(self.world.events().iter().filter_map(|event| match *event {
            Event::Removed { species, reason: Removal::Sink(sink), .. } => {
                sinks.index_of(sink).map(|sink| Exit { species, sink, time })
            }
            _ => None,
        }));
        true
    }

    /// Runs to the end, with a look at the world after each tick.
    pub(crate) fn run(&mut self, mut look: impl FnMut(&Self)) {
        while self.step() {
            look(self);
        }
    }

    /// The number of agents that are left.
    pub(crate) fn left(&self) -> u64 {
        self.world.population() as u64 + self.world.backlog()
    }

    /// The time at which the last agent left, in seconds; infinite if some are left.
    pub(crate) fn last_exit(&self) -> f64 {
        match self.exits.last() {
            Some(exit) if self.left() == 0 => exit.time,
            _ => f64::INFINITY,
        }
    }

    /// The share of the agents that left.
    pub(crate) fn share_out(&self) -> f64 {
        self.exits.len() as f64 / (self.exits.len() as u64 + self.left()) as f64
    }

    /// The id and the position of each agent.
    pub(crate) fn positions(&self) -> impl Iterator<Item = (AgentId, Vector<2>)> + '_ {
        self.world
            .all_agents()
            .iter()
            .flat_map(|agents| (0..agents.ids().len()).map(|row| (agents.ids()[row], agents.position(row))))
    }
}

/// The first time at which each agent was somewhere, in seconds.
#[derive(Default)]
pub(crate) struct FirstTimes(pub(crate) BTreeMap<AgentId, f64>);

impl FirstTimes {
    /// Notes the agents for which a condition holds.
    pub(crate) fn note(&mut self, crowd: &Crowd, mut holds: impl FnMut(AgentId, Vector<2>) -> bool) {
        let time = crowd.time();
        for (id, at) in crowd.positions() {
            if holds(id, at) {
                self.0.entry(id).or_insert(time);
            }
        }
    }

    /// The flow of the middle three fifths of the agents, in agents per second.
    pub(crate) fn middle_flow(self) -> f64 {
        let mut times: Vec<f64> = self.0.into_values().collect();
        times.sort_by(f64::total_cmp);
        let (from, to) = (times.len() / 5, times.len() * 4 / 5);
        if to > from { (to - from) as f64 / (times[to] - times[from]) } else { 0.0 }
    }
}
