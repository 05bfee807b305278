//! The worlds of people who wait, of walls with many doors, and of few agents with a costly rule.

use throng::behaviours::{AvoidWalls, TakePlace};
use throng::{AgentRef, Behaviour, Noise, Places, Species, Vector, Wall};

use super::worlds::{anywhere, flock};
use super::{Outcome, Setup};

/// The largest number of places.
const MOST_PLACES: usize = 1 << 16;

/// A flock in which each agent takes a place: in a queue, or in an area with places everywhere.
pub(super) fn waiting(agents: usize, is_queue: bool) -> Outcome<Setup<2>> {
    let rule = TakePlace { places: "places".to_owned(), ..TakePlace::default() };
    let mut run = flock::<2>(agents, &|_| {}, |boid| boid.with(1.0, rule))?;
    let size = run.world.settings().size;
    let points = (0..agents.min(MOST_PLACES) as u64).map(|number| anywhere(12, number, size)).collect();
    run.world.environment_mut().places.add(Places { name: "places".to_owned(), points, is_queue })?;
    Ok(run)
}

/// A flock among doors that open and close.
pub(super) fn doors(agents: usize, doors: usize) -> Outcome<Setup<2>> {
    let mut run = flock::<2>(agents, &|_| {}, |boid| boid.with(1.0, AvoidWalls::default()))?;
    let size = run.world.settings().size;
    for number in 0..doors as u64 {
        let from = anywhere(13, number, size * 0.9);
        let mut wall = Wall::segment(from, from + Vector([2.0, 1.0]));
        wall.open = (0..20).map(|time| [0.1 * (2 * time) as f32, 0.1 * (2 * time + 1) as f32]).collect();
        run.world.environment_mut().walls.add(wall)?;
    }
    Ok(run)
}

/// The plain flock with a rule that draws a thousand random numbers for each agent.
pub(super) fn costly(agents: usize) -> Outcome<Setup<2>> {
    flock::<2>(agents, &|_| {}, |boid| Species { rules: Vec::new(), ..boid }.with(1.0, Costly))
}

#[derive(Debug)]
struct Costly;

impl<const D: usize> Behaviour<D> for Costly {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let mut noise = me.noise(Noise::USER);
        let sum = (0..1000).fold(Vector::ZERO, |sum, _| sum + noise.direction::<D>());
        me.towards(sum.direction() * me.max_speed())
    }
}
