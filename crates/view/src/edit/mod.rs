//! Edits of the running world, between two ticks, through the library's public API. Each edit has an inverse.

mod agents;
mod environment;
mod falcon;
mod json;
mod kinds;
mod parameters;
mod points;
mod walls;

use throng::{AgentId, World};

pub use falcon::with_falcon;
pub(crate) use falcon::{has_falcon, is_falcon};
pub(crate) use json::{from_json, numbers, to_json};
pub(crate) use kinds::Applied;
pub use kinds::Edit;
use points::{length, text, vector};
pub(crate) use walls::reference;

/// Applies an edit to the world.
///
/// # Errors
///
/// Returns the reason if the edit is invalid; the world is unchanged then.
pub(crate) fn apply<const D: usize>(world: &mut World<D>, edit: &Edit) -> Result<Applied, String> {
    match edit {
        Edit::Set { species, rule: Some(rule), name, value } => parameters::set(world, *species, *rule, name, value),
        Edit::Set { species, rule: None, name, value } => parameters::set_quantity(world, *species, name, value),
        Edit::Waypoint { species, rule, name, point } => parameters::append(world, *species, *rule, name, point),
        Edit::Mark { .. }
        | Edit::AddObstacle { .. }
        | Edit::SetObstacle { .. }
        | Edit::RemoveObstacle(_)
        | Edit::ClearObstacles
        | Edit::MoveWall { .. }
        | Edit::RemoveWall(_)
        | Edit::DrawWall { .. }
        | Edit::AddWall(_) => environment::apply(world, edit),
        Edit::Falcon { at, radius } => {
            let at = at.as_ref().map(|at| vector(at)).transpose()?;
            falcon::fly(world, at, length(*radius)?)
        }
        Edit::Spawn { species, point, radius, count } => {
            agents::spawn(world, *species, vector(point)?, length(*radius)?, *count)
        }
        Edit::Remove { point, radius } => agents::remove(world, vector(point)?, length(*radius)?),
        Edit::Despawn(ids) => agents::despawn(world, ids),
        Edit::Respawn(all) => agents::respawn(world, all),
    }
}

/// Returns the agent nearest to a point; `None` in an empty world.
pub(crate) fn nearest<const D: usize>(world: &World<D>, point: &[f64]) -> Result<Option<AgentId>, String> {
    let mut found = Vec::new();
    world.query().nearest(vector::<D>(point)?, 1, &mut found).map_err(text)?;
    Ok(found.first().map(|near| near.id))
}
