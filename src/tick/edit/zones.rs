//! Zones: the largest speed of agents follows from the zones that they are in, and zones add to their variables. The
//! steering then limits their wishes (`tick/steer/zones.rs`).

use crate::agents::columns::Owner;
use crate::agents::parallel::ChunkedColumn;
use crate::agents::{Agents, BodyQuantity};
use crate::base::ids::AgentId;
use crate::base::settings::LIMIT;
use crate::derived::plans::Plans;
use crate::derived::resolved_regions::ByRegion;
use crate::environment::Zone;
use crate::kernels::CHUNK;
use crate::ranks::{Chunks, Part};
use crate::species::Species;
use crate::species::stairs::OnStairs;
use crate::species::states::Variable;
use crate::state::undo::Undoable;

/// Chunks that a thread takes at a time.
const GRAIN: usize = 4;

/// Sets the largest speed of every agent to its own, times the factors of its zones, or to zero if it is among `held`, and
/// adds to its variables.
pub(super) fn act<const D: usize>(state: &mut Undoable<'_, D>, plans: &mut Plans<D>, part: &Part, held: &[AgentId]) {
    if !state.zoned {
        return;
    }
    let state = state.rows();
    let (now, dt) = (state.seconds(), state.settings.tick_seconds);
    let by_region = &plans.regions(state).zones_by_region;
    let zones = state.environment.zones.items();
    for (agents, species) in state.agents.iter_mut().zip(&state.species) {
        slow_species((part.moves(agents), agents, species), (zones, by_region, held), now);
        for variable in &species.variables {
            let adds = |zone: &Zone<D>| {
                if zone.variable.as_ref() == Some(&variable.name) { zone.added(now, dt) } else { 0.0 }
            };
            if zones.iter().any(|zone| adds(zone) != 0.0) {
                add((part.moves(agents), agents), variable, (|zone| adds(&zones[zone]), by_region));
            }
        }
    }
}

fn slow_species<const D: usize>(
    (chunks, agents, species): (Chunks, &mut Agents<D>, &Species<D>),
    (zones, by_region, held): (&[Zone<D>], &ByRegion, &[AgentId]),
    now: f64,
) {
    let (count, padded) = (agents.len(), agents.position[0].len());
    let mut speeds = agents.body.max_speed.take(count, padded);
    let own = agents.columns.values::<f32>(Owner::FreeSpeed).unwrap_or_default();
    let on_stairs = OnStairs::new(species, agents);
    chunks.for_each(GRAIN, ChunkedColumn(&mut speeds, CHUNK), &|chunk, speeds| {
        for (row, speed) in (chunk * CHUNK..agents.len()).zip(speeds.0) {
            let inside = by_region.at(agents.regions(row)).map(|zone| &zones[zone]);
            let free = if held.binary_search(&agents.id[row]).is_ok() { 0.0 } else { own[row] };
            let limit = inside.fold(free, |speed, zone| {
                speed * zone.factor_of_wishes(agents.velocity(row), on_stairs.of(row)) * zone.factor_in_smoke(now)
            });
            // The range of largest speeds.
            *speed = if limit > LIMIT { LIMIT } else { limit };
        }
    });
    agents.body.max_speed = BodyQuantity::Each(speeds);
}

/// Adds to a variable of every agent.
fn add<const D: usize>(
    (chunks, agents): (Chunks, &mut Agents<D>),
    variable: &Variable,
    (zones, by_region): (impl Fn(usize) -> f32 + Sync, &ByRegion),
) {
    let mut values = agents.columns.take_variable(&variable.name);
    chunks.for_each(GRAIN, ChunkedColumn(&mut values, CHUNK), &|chunk, values| {
        for (row, value) in (chunk * CHUNK..).zip(values.0) {
            let added: f32 = by_region.at(agents.regions(row)).map(&zones).sum();
            if added != 0.0 {
                *value = (*value + added).clamp(variable.low, variable.high);
            }
        }
    });
    agents.columns.put_variable(&variable.name, values);
}
