//! Columns of agents: in place for reading, and checked for writing.

use std::ffi::c_char;

use engine::columns::ColumnSlice;
use engine::{AnyWorld, Error, SpeciesId, World, with_world};

use crate::agents::{self, Species};
use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers::{self, text};
use crate::table::{self, WorldHandle};

/// Gives a slice to C.
unsafe fn give<T>(slice: &[T], numbers: *mut *const T, count: *mut usize) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    unsafe { pointers::write("count", count, slice.len()) }?;
    // SAFETY: the caller's promise.
    unsafe { pointers::write("numbers", numbers, slice.as_ptr()) }
}

/// A column of a species for each axis.
type Axes = for<'w> fn(&'w AnyWorld, SpeciesId) -> Result<Vec<&'w [f32]>, Error>;

/// Gives an axis of the positions or the velocities of a species to C.
unsafe fn give_axis(
    (world, species, axis): (WorldHandle, Species, usize),
    read: Axes,
    numbers: *mut *const f32,
    count: *mut usize,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            let axes = read(&entry.world, agents::species(&entry.world, species)?)?;
            let outside = || Fault::bad(format_args!("axis = {axis}: must be below {}", axes.len()));
            // SAFETY: the caller's promise.
            unsafe { give(axes.get(axis).ok_or_else(outside)?, numbers, count) }
        })
    })
}

/// The positions of a species' agents along an axis, without a copy. The pointer is valid until the world changes. Rows
/// move in every step: `throng_ids` has the agent of each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_positions(
    world: WorldHandle,
    species: Species,
    axis: usize,
    numbers: *mut *const f32,
    count: *mut usize,
) -> Status {
    // SAFETY: the pointers are valid for writing, as the header demands.
    unsafe { give_axis((world, species, axis), AnyWorld::positions, numbers, count) }
}

/// The velocities of a species' agents along an axis, without a copy. The pointer is valid until the world changes. Rows
/// move in every step: `throng_ids` has the agent of each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_velocities(
    world: WorldHandle,
    species: Species,
    axis: usize,
    numbers: *mut *const f32,
    count: *mut usize,
) -> Status {
    // SAFETY: the pointers are valid for writing, as the header demands.
    unsafe { give_axis((world, species, axis), AnyWorld::velocities, numbers, count) }
}

/// Copies the ids of a species' agents, row by row. `ids` has room for `capacity` ids; `count` gets the number of
/// agents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_ids(
    world: WorldHandle,
    species: Species,
    ids: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            let all = entry.world.ids(agents::species(&entry.world, species)?)?;
            // SAFETY: the room is valid for writing, as the header demands.
            let room = unsafe { pointers::room("ids", ids, capacity) }?;
            for (to, id) in room.iter_mut().zip(all) {
                *to = id.to_bits();
            }
            // SAFETY: the pointer is valid for writing, as the header demands.
            unsafe { pointers::write("count", count, all.len()) }
        })
    })
}

/// The numbers of a column of type f32, without a copy: a variable of the species' states, or a column of the host.
/// `width` numbers belong to an agent, and `count` gets all of them. The pointer is valid until the world changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_column(
    world: WorldHandle,
    species: Species,
    name: *const c_char,
    numbers: *mut *const f32,
    count: *mut usize,
    width: *mut usize,
) -> Status {
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let name = unsafe { text("name", name) }?;
        table::with(world, |entry| {
            let columns = entry.world.columns(agents::species(&entry.world, species)?)?;
            let found = columns.iter().find(|column| column.name == name);
            let column = found.ok_or_else(|| Error::NoSuchColumn(name.to_owned()))?;
            let ColumnSlice::F32(values) = column.numbers else {
                let held = column.type_name();
                return Err(Fault::bad(format_args!("column {name:?} has numbers of type {held}, not f32")));
            };
            // SAFETY: the pointer is valid for writing, as the header demands.
            unsafe { pointers::write("width", width, column.width) }?;
            // SAFETY: the pointers are valid for writing, as the header demands.
            unsafe { give(values, numbers, count) }
        })
    })
}

fn check_finite(what: &str, numbers: &[f32]) -> Result<(), Fault> {
    let Some(place) = numbers.iter().position(|number| !number.is_finite()) else { return Ok(()) };
    Err(Fault::bad(format_args!("{what} = {} in row {place}: must be finite", numbers[place])))
}

/// Adds a column of one f32 per agent, with this finite number for each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_column(
    world: WorldHandle,
    species: Species,
    name: *const c_char,
    start: f32,
) -> Status {
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let name = unsafe { text("name", name) }?;
        table::with(world, |entry| {
            let id = agents::species(&entry.world, species)?;
            check_finite("start", &[start])?;
            Ok(with_world!(&mut entry.world, world => world.add_column(id, name, start))?)
        })
    })
}

/// Writes a column of one f32 per agent. `count` must be the number of agents, and every number finite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_write_column(
    world: WorldHandle,
    species: Species,
    name: *const c_char,
    numbers: *const f32,
    count: usize,
) -> Status {
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let name = unsafe { text("name", name) }?;
        // SAFETY: the numbers are valid, as the header demands.
        let numbers = unsafe { pointers::items("numbers", numbers, count) }?;
        table::with(world, |entry| {
            let id = agents::species(&entry.world, species)?;
            check_finite(name, numbers)?;
            Ok(with_world!(&mut entry.world, world => world.set_column(id, name, numbers))?)
        })
    })
}

/// Writes the positions of all agents of a species, one array of `count` numbers per axis, or the velocities.
unsafe fn write_axes<const D: usize>(
    world: &mut World<D>,
    species: SpeciesId,
    axes: *const *const f32,
    count: usize,
    set: impl FnOnce(&mut World<D>, SpeciesId, [&[f32]; D]) -> Result<(), Error>,
) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    let axes = unsafe { pointers::items("axes", axes, D) }?;
    let mut columns = [&[] as &[f32]; D];
    for (column, axis) in columns.iter_mut().zip(axes) {
        // SAFETY: the caller's promise.
        *column = unsafe { pointers::items("an axis", *axis, count) }?;
    }
    Ok(set(world, species, columns)?)
}

/// Writes the positions of all agents of a species: one array of `count` numbers per axis, in the order of rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_write_positions(
    world: WorldHandle,
    species: Species,
    axes: *const *const f32,
    count: usize,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            let id = agents::species(&entry.world, species)?;
            // SAFETY: the arrays are valid, as the header demands.
            with_world!(&mut entry.world, world => unsafe {
                write_axes(world, id, axes, count, |world, id, axes| world.set_positions(id, axes))
            })
        })
    })
}

/// Writes the velocities of all agents of a species: one array of `count` numbers per axis, in the order of rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_write_velocities(
    world: WorldHandle,
    species: Species,
    axes: *const *const f32,
    count: usize,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            let id = agents::species(&entry.world, species)?;
            // SAFETY: the arrays are valid, as the header demands.
            with_world!(&mut entry.world, world => unsafe {
                write_axes(world, id, axes, count, |world, id, axes| world.set_velocities(id, axes))
            })
        })
    })
}
