//! Questions about space.

use std::ffi::c_char;

use engine::{AgentId, Neighbour, Query, RayHit, SpeciesFilter, World, with_world};

use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers::{self, point};
use crate::table::{self, WorldHandle};

/// The room that a caller has for found agents.
struct Room {
    ids: *mut u64,
    distances: *mut f32,
    capacity: usize,
    count: *mut u64,
}

/// The query of a world, among the species that the caller named.
unsafe fn query<const D: usize>(world: &World<D>, among: *const c_char) -> Result<Query<'_, D>, Fault> {
    let query = world.query();
    if among.is_null() {
        return Ok(query);
    }
    // SAFETY: the caller's promise.
    let names = unsafe { pointers::text("among", among) }?;
    let names = names.split(',').map(|name| name.trim().to_owned());
    Ok(query.among(&SpeciesFilter::Named(names.collect())))
}

/// Copies found agents to the caller.
unsafe fn copy<const D: usize>(found: &[Neighbour<D>], room: &Room) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    let ids = unsafe { pointers::room("ids", room.ids, room.capacity) }?;
    for (to, near) in ids.iter_mut().zip(found) {
        *to = near.id.to_bits();
    }
    if !room.distances.is_null() {
        // SAFETY: the caller's promise.
        let distances = unsafe { pointers::room("distances", room.distances, room.capacity) }?;
        for (to, near) in distances.iter_mut().zip(found) {
            *to = near.distance();
        }
    }
    // SAFETY: the caller's promise.
    unsafe { pointers::write("count", room.count, found.len() as u64) }
}

/// The agents within `radius` metres of a point, nearest first. `among` names the species that count, separated by
/// commas: `hare` means all hares, `hare:hungry` those in this state; a null pointer means all agents. `ids`, and
/// `distances` unless it is null, have room for `capacity` agents; `count` gets the number of all that are found.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_within(
    world: WorldHandle,
    point: *const f32,
    radius: f32,
    among: *const c_char,
    ids: *mut u64,
    distances: *mut f32,
    capacity: usize,
    count: *mut u64,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            with_world!(&entry.world, world => {
                let mut found = Vec::new();
                // SAFETY: the pointers are valid, as the header demands.
                unsafe { query(world, among)?.within(pointers::point("point", point)?, radius, &mut found) }?;
                // SAFETY: the same.
                unsafe { copy(&found, &Room { ids, distances, capacity, count }) }
            })
        })
    })
}

/// The `capacity` agents nearest to a point, nearest first. `count` gets their number. The other arguments are as in
/// `throng_within`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_nearest(
    world: WorldHandle,
    point: *const f32,
    among: *const c_char,
    ids: *mut u64,
    distances: *mut f32,
    capacity: usize,
    count: *mut u64,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            with_world!(&entry.world, world => {
                let mut found = Vec::new();
                // SAFETY: the pointers are valid, as the header demands.
                unsafe { query(world, among)?.nearest(pointers::point("point", point)?, capacity, &mut found) }?;
                // SAFETY: the same.
                unsafe { copy(&found, &Room { ids, distances, capacity, count }) }
            })
        })
    })
}

/// Whether a straight line is clear of walls that stand now and of obstacles, from one point to another or to its nearest
/// image: `clear` gets 1 or 0. Doors count while they are closed; agents do not count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_is_clear(
    world: WorldHandle,
    from: *const f32,
    to: *const f32,
    clear: *mut u8,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            with_world!(&entry.world, world => {
                // SAFETY: the pointers are valid, as the header demands.
                let is_clear = unsafe { world.query().is_clear(point("from", from)?, point("to", to)?) }?;
                // SAFETY: the pointer is valid for writing, as the header demands.
                unsafe { pointers::write("clear", clear, u8::from(is_clear)) }
            })
        })
    })
}

/// Where a line meets a wall or an obstacle. Two dimensions use the first two components.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// The distance from the start of the line, in metres.
    pub distance: f32,
    /// The point of the surface, in metres.
    pub point: [f32; 3],
    /// The unit normal of the surface, on the side of the start.
    pub normal: [f32; 3],
}

impl Hit {
    fn of<const D: usize>(hit: RayHit<D>) -> Self {
        let three = |of: [f32; D]| std::array::from_fn(|axis| of.get(axis).copied().unwrap_or(0.0));
        Self { distance: hit.distance, point: three(hit.point.0), normal: three(hit.normal.0) }
    }
}

/// The first wall that stands now, or obstacle, on a straight line from one point to another or to its nearest image:
/// `met` gets 1 and `hit` the place, or `met` gets 0 and `hit` stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_ray(
    world: WorldHandle,
    from: *const f32,
    to: *const f32,
    met: *mut u8,
    hit: *mut Hit,
) -> Status {
    call(|| {
        pointers::check("met", met, 1)?;
        pointers::check("hit", hit, 1)?;
        table::with(world, |entry| {
            let found = with_world!(&entry.world, world => {
                // SAFETY: the pointers are valid, as the header demands.
                unsafe { world.query().ray(point("from", from)?, point("to", to)?) }?.map(Hit::of)
            });
            if let Some(found) = found {
                // SAFETY: the pointer is valid for writing, as the header demands.
                unsafe { pointers::write("hit", hit, found) }?;
            }
            // SAFETY: the same.
            unsafe { pointers::write("met", met, u8::from(found.is_some())) }
        })
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
