//! Scenes: worlds from the text of a scenario, and the events in them.

use std::collections::HashSet;

use throng::{AgentId, Event, World};
use throng_scenario::Scenario;

/// The world of a scenario.
pub(crate) fn world<const D: usize>(text: &str) -> World<D> {
    let scenario = Scenario::parse(text, "scene.toml").unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    scenario.build().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What happened in a world.
#[derive(Debug, Default)]
pub(crate) struct Story {
    /// The agents that arrived.
    pub(crate) arrived: HashSet<AgentId>,
    /// When agents were removed, in seconds.
    pub(crate) removed: Vec<f64>,
}

/// Advances a world until it is empty, by at most this time in seconds.
pub(crate) fn run<const D: usize>(world: &mut World<D>, seconds: f64) -> Story {
    let tick = f64::from(world.settings().tick_seconds);
    let mut story = Story::default();
    for _ in 0..(seconds / tick).round() as u64 {
        world.step();
        let now = world.tick() as f64 * tick;
        for event in world.events() {
            match event {
                Event::Arrived { agent, .. } => _ = story.arrived.insert(*agent),
                Event::Removed { .. } => story.removed.push(now),
                _ => {}
            }
        }
        if population(world) == 0 {
            break;
        }
    }
    story
}

pub(crate) fn population<const D: usize>(world: &World<D>) -> usize {
    world.all_agents().iter().map(throng::Agents::len).sum()
}

/// The mean speed of all agents over some seconds, in metres per second.
pub(crate) fn mean_speed<const D: usize>(world: &mut World<D>, seconds: f64) -> f64 {
    let ticks = (seconds / f64::from(world.settings().tick_seconds)).round() as u64;
    let mut sum = 0.0;
    for _ in 0..ticks {
        world.step();
        for agents in world.all_agents() {
            sum += (0..agents.len()).map(|row| f64::from(agents.velocity(row).length())).sum::<f64>();
        }
    }
    sum / (ticks as usize * population(world)) as f64
}

/// The deepest overlap of two bodies, in metres; negative if none touch.
pub(crate) fn deepest_overlap<const D: usize>(world: &World<D>) -> f32 {
    let bodies: Vec<_> = world
        .all_agents()
        .iter()
        .flat_map(|agents| (0..agents.len()).map(move |row| (agents.position(row), agents.radius(row))))
        .collect();
    let mut deepest = f32::NEG_INFINITY;
    for (number, (at, radius)) in bodies.iter().enumerate() {
        for (other, their_radius) in &bodies[..number] {
            let overlap = radius + their_radius - (*at - *other).length();
            deepest = if overlap > deepest { overlap } else { deepest };
        }
    }
    deepest
}
