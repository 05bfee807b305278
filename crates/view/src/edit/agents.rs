//! Edits that add and remove agents.

use throng::{AgentId, Noise, Vector, World};

use super::super::changes::Change;
use super::kinds::{Applied, Edit, Respawned};
use super::parameters::species_of;
use super::points::{resized, text};

/// The most agents that one edit adds.
const MAX_SPAWNED: u64 = 10_000;
/// The largest population after adding agents.
const MAX_POPULATION: usize = 2_000_000;

/// Adds agents in a disc (a ball in 3D) with velocities away from its centre. Their positions are random, keyed by the
/// world's seed, the population and the tick.
pub(super) fn spawn<const D: usize>(
    world: &mut World<D>,
    species: usize,
    centre: Vector<D>,
    radius: f32,
    count: u64,
) -> Result<Applied, String> {
    let id = species_of(world, species)?;
    if count > MAX_SPAWNED || world.population() + count as usize > MAX_POPULATION {
        return Err(format!("can add at most {MAX_SPAWNED} agents at a time, up to {MAX_POPULATION} in total"));
    }
    let agents = world.agents(id).map_err(text)?;
    let (speed, name) = (if agents.is_empty() { 1.0 } else { agents.max_speed(0) }, agents.name().to_owned());
    let mut noise = Noise::new(world.settings().seed, world.population() as u64, world.tick(), Noise::USER);
    let mut added = Vec::new();
    for _ in 0..count {
        let offset = noise.in_ball::<D>();
        let velocity = offset.direction() * speed;
        // An agent that would start outside the world starts at the centre instead; if that fails too, it is left out.
        let at = world.spawn(id, centre + offset * radius, velocity);
        match at.or_else(|_| world.spawn(id, centre, velocity)) {
            Ok(agent) => added.push(agent),
            Err(error) if added.is_empty() => return Err(text(error)),
            Err(_) => {}
        }
    }
    let changes = vec![Change::Count(name, added.len() as i64)];
    Ok(Applied { changes, inverse: vec![Edit::Despawn(added)] })
}

/// Removes all agents in a disc (a ball in 3D).
pub(super) fn remove<const D: usize>(world: &mut World<D>, centre: Vector<D>, radius: f32) -> Result<Applied, String> {
    let mut found = Vec::new();
    world.query().within(centre, radius, &mut found).map_err(text)?;
    let ids: Vec<AgentId> = found.iter().map(|near| near.id).collect();
    despawn(world, &ids)
}

/// Removes these agents, where they still exist.
pub(super) fn despawn<const D: usize>(world: &mut World<D>, ids: &[AgentId]) -> Result<Applied, String> {
    let (mut changes, mut removed) = (Vec::new(), Vec::new());
    for &id in ids {
        let Ok((species, row)) = world.find(id) else { continue };
        let agents = world.agents(species).map_err(text)?;
        let (position, velocity) = (resized(agents.position(row)).0, resized(agents.velocity(row)).0);
        let name = agents.name().to_owned();
        if world.despawn(id).is_ok() {
            removed.push(Respawned { species: species.number(), position, velocity });
            changes.push(Change::Count(name, -1));
        }
    }
    Ok(Applied { changes, inverse: vec![Edit::Respawn(removed)] })
}

/// Adds agents where others were removed.
pub(super) fn respawn<const D: usize>(world: &mut World<D>, all: &[Respawned]) -> Result<Applied, String> {
    let (mut changes, mut added) = (Vec::new(), Vec::new());
    for one in all {
        let species = species_of(world, one.species)?;
        let id = world.spawn(species, resized(Vector(one.position)), resized(Vector(one.velocity))).map_err(text)?;
        added.push(id);
        changes.push(Change::Count(world.species(species).map_err(text)?.name.clone(), 1));
    }
    Ok(Applied { changes, inverse: vec![Edit::Despawn(added)] })
}
