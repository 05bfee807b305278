//! Questions about space.

use engine::{AgentId, AnyWorld, Vector, with_world};

use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers;
use crate::table::{self, WorldHandle};

/// Answers a question about a point with ids.
unsafe fn answer(
    world: WorldHandle,
    point: *const f32,
    [ids, count]: [*mut u64; 2],
    capacity: usize,
    ask: impl FnOnce(&AnyWorld, Vector<3>, &mut Vec<AgentId>) -> Result<(), engine::Error>,
) -> Result<(), Fault> {
    table::with(world, |entry| {
        // SAFETY: the caller's promise.
        let point = unsafe { pointers::items("point", point, entry.world.dimensions()) }?;
        let point = Vector(std::array::from_fn(|axis| point.get(axis).copied().unwrap_or(0.0)));
        // SAFETY: the caller's promise.
        let room = unsafe { pointers::room("ids", ids, capacity) }?;
        let mut found = Vec::new();
        ask(&entry.world, point, &mut found)?;
        for (to, id) in room.iter_mut().zip(&found) {
            *to = id.to_bits();
        }
        // SAFETY: the caller's promise.
        unsafe { pointers::write("count", count, found.len() as u64) }
    })
}

/// The agents within `radius` metres of a point. `ids` has room for `capacity` ids; `count` gets the number of agents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_within(
    world: WorldHandle,
    point: *const f32,
    radius: f32,
    ids: *mut u64,
    capacity: usize,
    count: *mut u64,
) -> Status {
    call(|| {
        // SAFETY: the pointers are valid, as the header demands.
        unsafe {
            answer(world, point, [ids, count], capacity, |world, point, found| world.within(point, radius, found))
        }
    })
}

/// The `capacity` agents nearest to a point, nearest first. `count` gets their number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_nearest(
    world: WorldHandle,
    point: *const f32,
    ids: *mut u64,
    capacity: usize,
    count: *mut u64,
) -> Status {
    call(|| {
        // SAFETY: the pointers are valid, as the header demands.
        unsafe {
            answer(world, point, [ids, count], capacity, |world, point, found| world.nearest(point, capacity, found))
        }
    })
}

/// The species, the row, the position and the velocity of an agent. Null pointers are left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_find(
    world: WorldHandle,
    id: u64,
    species: *mut crate::agents::Species,
    row: *mut usize,
    position: *mut f32,
    velocity: *mut f32,
) -> Status {
    unsafe fn copy(what: &str, from: &[f32], to: *mut f32) -> Result<(), Fault> {
        if !to.is_null() {
            // SAFETY: the caller's promise.
            unsafe { pointers::room(what, to, from.len()) }?.copy_from_slice(from);
        }
        Ok(())
    }
    call(|| {
        table::with(world, |entry| {
            let id = AgentId::from_bits(id);
            let (found, at) = entry.world.find(id)?;
            if !species.is_null() {
                // SAFETY: the pointer is valid for writing, as the header demands.
                unsafe { pointers::write("species", species, found.number() as u32) }?;
            }
            if !row.is_null() {
                // SAFETY: the pointer is valid for writing, as the header demands.
                unsafe { pointers::write("row", row, at) }?;
            }
            with_world!(&entry.world, world => {
                // SAFETY: the room is valid for writing, as the header demands.
                unsafe { copy("position", &world.position(id)?.0, position) }?;
                // SAFETY: the room is valid for writing, as the header demands.
                unsafe { copy("velocity", &world.velocity(id)?.0, velocity) }
            })
        })
    })
}
