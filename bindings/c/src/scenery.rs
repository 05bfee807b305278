//! Walls that a host adds and removes, and walls and obstacles as they are drawn.

use engine::{Vector, Wall, WallId, WallShape, World, with_world};

use crate::agents::vectors;
use crate::fault::Status;
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

/// Adds a wall in two dimensions: straight pieces from corner to corner, and with `closed` 1 one from the last to the
/// first. `wall` gets its handle, and is null where it is not needed. Ways follow some ticks later; throng_route has them
/// then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_wall(
    world: WorldHandle,
    corners: *const f32,
    count: usize,
    closed: u8,
    wall: *mut u64,
) -> Status {
    call(|| {
        if !wall.is_null() {
            pointers::check("wall", wall, 1)?;
        }
        table::with(world, |entry| {
            let id = with_world!(&mut entry.world, world => {
                // SAFETY: the corners are valid, as the header demands.
                let points = unsafe { vectors("corners", corners, count) }?.into_iter().map(Vector).collect();
                world.environment_mut().walls.add(Wall::new(WallShape::Path { points, closed: closed != 0 }))?
            });
            // SAFETY: the pointer is valid for writing, as the header demands.
            if wall.is_null() { Ok(()) } else { unsafe { pointers::write("wall", wall, id.to_bits()) } }
        })
    })
}

/// Removes a wall by its handle, which throng_add_wall and the events `collided` and `pushed out` give.
#[unsafe(no_mangle)]
pub extern "C" fn throng_remove_wall(world: WorldHandle, wall: u64) -> Status {
    call(|| {
        table::with(world, |entry| {
            let id = WallId::from_bits(wall);
            Ok(with_world!(&mut entry.world, world => world.environment_mut().walls.remove(id).map(drop))?)
        })
    })
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
            unsafe { pointers::copy("the room", &all, 2 * entry.world.dimensions(), edges, capacity, count) }
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
            unsafe { pointers::copy("the room", &all, entry.world.dimensions() + 1, discs, capacity, count) }
        })
    })
}
