//! Zones: the largest speed of agents follows from the zones that they are in. The steering then limits their wishes
//! (`tick/steer/zones.rs`).

use crate::agents::columns::Owner;
use crate::agents::parallel::ChunkedColumn;
use crate::agents::{Agents, BodyQuantity};
use crate::base::settings::LIMIT;
use crate::derived::plans::Plans;
use crate::derived::resolved_regions::ByRegion;
use crate::environment::Zone;
use crate::kernels::CHUNK;
use crate::ranks::{Chunks, Part};
use crate::state::undo::Undoable;

/// Chunks that a thread takes at a time.
const GRAIN: usize = 4;

/// Sets the largest speed of every agent to its own, times the factors of its zones.
pub(super) fn slow_down<const D: usize>(state: &mut Undoable<'_, D>, plans: &mut Plans<D>, part: &Part) {
    if !state.zoned {
        return;
    }
    let state = state.rows();
    let by_region = &plans.regions(state).zones_by_region;
    for agents in &mut state.agents {
        slow_species((part.moves(agents), agents), state.environment.zones.items(), by_region);
    }
}

fn slow_species<const D: usize>((chunks, agents): (Chunks, &mut Agents<D>), zones: &[Zone<D>], by_region: &ByRegion) {
    let (count, padded) = (agents.len(), agents.position[0].len());
    let mut speeds = agents.body.max_speed.take(count, padded);
    let own = agents.columns.values::<f32>(Owner::FreeSpeed).unwrap_or_default();
    chunks.for_each(GRAIN, ChunkedColumn(&mut speeds, CHUNK), &|chunk, speeds| {
        for (row, speed) in (chunk * CHUNK..agents.len()).zip(speeds.0) {
            let inside = by_region.at(agents.regions(row)).map(|zone| &zones[zone]);
            let limit = inside.fold(own[row], |speed, zone| speed * zone.factor_of_wishes(agents.velocity(row)));
            // The range of largest speeds.
            *speed = if limit > LIMIT { LIMIT } else { limit };
        }
    });
    agents.body.max_speed = BodyQuantity::Each(speeds);
}
