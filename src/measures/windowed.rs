//! Velocities over a window of time.

use crate::agents::seen::{Came, Seen};
use crate::base::ids::SpeciesId;
use crate::maths::Vector;
use crate::measures::by_agent::ByAgent;
use crate::measures::sample::Sample;
use crate::state::snapshot::saved;
use crate::world::World;

/// Follows agents, and measures their velocities as the displacement over the last window of time, over its length; since
/// an agent was set elsewhere, if that is within the window. It observes the world before the first tick and after each tick.
#[derive(Clone, Debug)]
pub(super) struct Windowed {
    /// The length of the window, in seconds.
    seconds: f64,
    agents: ByAgent<Way>,
}

/// The way of an agent within the window.
#[derive(Clone, Debug)]
struct Way {
    /// The time of each place, the oldest first, in seconds.
    times: Vec<f64>,
    /// How far the agent was from its first place, in metres, unwrapped.
    places: Vec<[f64; 3]>,
    seen: Seen,
}

saved!(struct Windowed { seconds, agents });
saved!(struct Way { times, places, seen });

impl Windowed {
    pub(super) fn new(seconds: f32) -> Self {
        Self { seconds: f64::from(seconds), agents: ByAgent::default() }
    }

    pub(super) fn observe<const D: usize>(&mut self, world: &World<D>) {
        let (now, settings) = (world.seconds(), world.settings());
        self.agents.start(world.tick());
        for agents in world.all_agents() {
            for (row, &id) in agents.ids().iter().enumerate() {
                let start = || Way { times: vec![now], places: vec![[0.0; 3]], seen: Seen::of(agents, row) };
                let Some(way) = self.agents.touch(id) else {
                    self.agents.set(id, start());
                    continue;
                };
                let Came::Moved(step) = way.seen.again(settings, agents, row) else {
                    *way = start();
                    continue;
                };
                let before = way.places.last().copied().unwrap_or_default();
                let place = |axis: usize| before[axis] + step.0.get(axis).map_or(0.0, |by| f64::from(*by));
                way.times.push(now);
                way.places.push(std::array::from_fn(place));
                // Rounding of times must not lengthen the window by a tick.
                let is_old = |time: &&f64| now - **time >= self.seconds * (1.0 - 1e-6);
                let old = way.times.iter().skip(1).take_while(is_old).count();
                way.times.drain(..old);
                way.places.drain(..old);
            }
        }
        self.agents.gone(|_| {});
    }

    pub(super) fn misses<const D: usize>(&self, world: &World<D>) -> bool {
        self.agents.misses(world.tick())
    }

    /// A sample of the agents of a world, all or of one species, with these velocities. An agent that has just come, or
    /// was just set elsewhere, has its own.
    pub(super) fn applied<const D: usize>(
        &self,
        mut sample: Sample<D>,
        world: &World<D>,
        species: Option<SpeciesId>,
    ) -> Sample<D> {
        let agents =
            world.all_agents().iter().filter(|agents| species.is_none_or(|species| species == agents.species()));
        for (agent, id) in agents.flat_map(|agents| agents.ids()).enumerate() {
            let Some(Way { times, places, .. }) = self.agents.get(*id) else { continue };
            if let ([from, .., to], [first, .., last]) = (&times[..], &places[..]) {
                let along = |axis: usize| ((last[axis] - first[axis]) / (to - from)) as f32;
                sample.set_velocity(agent, Vector::from_fn(along));
            }
        }
        sample
    }
}
