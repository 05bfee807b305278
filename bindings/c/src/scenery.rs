//! Walls and obstacles as they are drawn.

use engine::{Vector, WallShape, World, with_world};

use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers;
use crate::table::{self, WorldHandle};

fn edges<const D: usize>(world: &World<D>) -> Vec<f32> {
    let edges = world.standing_walls().flat_map(|(_, shape)| shape.edges());
    edges.flatten().flat_map(|Vector(corner)| corner).collect()
}

fn discs<const D: usize>(world: &World<D>) -> Vec<f32> {
    let walls = world.standing_walls().filter_map(|(_, shape)| match shape {
        WallShape::Ball { centre, radius } => Some((centre, radius)),
        _ => None,
    });
    let obstacles = world.environment().obstacles.items().iter().map(|obstacle| (obstacle.centre, obstacle.radius));
    walls.chain(obstacles).flat_map(|(centre, radius)| centre.0.into_iter().chain([radius])).collect()
}

/// Copies records of `width` numbers to C, at most `capacity` of them, and gives it the number of all.
unsafe fn copy(all: &[f32], width: usize, to: *mut f32, capacity: usize, count: *mut usize) -> Result<(), Fault> {
    let numbers = capacity.saturating_mul(width);
    // SAFETY: the caller's promise.
    let room = unsafe { pointers::room("the room", to, numbers) }?;
    let fitting = room.len().min(all.len());
    room[..fitting].copy_from_slice(&all[..fitting]);
    // SAFETY: the caller's promise.
    unsafe { pointers::write("count", count, all.len() / width) }
}

/// Copies the edges of the walls that stand now, with both ends of each: twice `throng_dimensions()` numbers in metres.
/// `edges` has room for `capacity` edges; `count` gets the number of all. Balls and planes have none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_edges(
    world: WorldHandle,
    edges: *mut f32,
    capacity: usize,
    count: *mut usize,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            let all = with_world!(&entry.world, world => self::edges(world));
            // SAFETY: the pointers are valid, as the header demands.
            unsafe { copy(&all, 2 * entry.world.dimensions(), edges, capacity, count) }
        })
    })
}

/// Copies the discs or balls of obstacles and of walls that stand now: `throng_dimensions()` numbers for the centre, and
/// the radius, in metres. `discs` has room for `capacity` discs; `count` gets the number of all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_discs(
    world: WorldHandle,
    discs: *mut f32,
    capacity: usize,
    count: *mut usize,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            let all = with_world!(&entry.world, world => self::discs(world));
            // SAFETY: the pointers are valid, as the header demands.
            unsafe { copy(&all, entry.world.dimensions() + 1, discs, capacity, count) }
        })
    })
}
