//! Positions between two ticks, for hosts that draw more often than they step.

use engine::{Vector, with_world};

use crate::agents::{self, Species};
use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers;
use crate::table::{self, WorldHandle};

/// Keeps the positions before each tick from now on, for throng_drawn, or stops with 0. They are part of neither the
/// hash nor snapshots: a loaded world does not keep them, a clone does.
#[unsafe(no_mangle)]
pub extern "C" fn throng_keep_previous(world: WorldHandle, keep: u8) -> Status {
    call(|| {
        table::with(world, |entry| {
            entry.world.keep_previous(keep != 0);
            Ok(())
        })
    })
}

/// Copies the positions at which to draw the agents of a species, row by row: `share` of the way from those before the
/// last tick to the present ones, in metres, across the seam of a periodic world by the shortest way. An agent that was
/// spawned since then is where it is, as is every agent unless throng_keep_previous was called.
///
/// `positions` has room for `capacity` agents, `throng_dimensions()` numbers each; `count` gets the number of all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_drawn(
    world: WorldHandle,
    species: Species,
    share: f32,
    positions: *mut f32,
    capacity: usize,
    count: *mut usize,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            if !share.is_finite() {
                return Err(Fault::bad(format_args!("share = {share}: must be finite")));
            }
            let id = agents::species(&entry.world, species)?;
            let dimensions = entry.world.dimensions();
            let numbers = capacity.saturating_mul(dimensions);
            // SAFETY: the room is valid for writing, as the header demands.
            let room = unsafe { pointers::room("positions", positions, numbers) }?;
            let agents = with_world!(&entry.world, world => {
                let drawn = world.drawn(id, share)?;
                let agents = drawn.len();
                for (to, Vector(from)) in room.chunks_exact_mut(dimensions).zip(drawn) {
                    to.copy_from_slice(&from);
                }
                agents
            });
            // SAFETY: the pointer is valid for writing, as the header demands.
            unsafe { pointers::write("count", count, agents) }
        })
    })
}
