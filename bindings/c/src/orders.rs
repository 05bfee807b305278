//! Where agents go: goals, formations, states, and marks that rules name.

use std::ffi::c_char;

use engine::parameters::{Definition as _, Value};
use engine::{AgentId, LIMIT, Mark, Vector, with_world};

use crate::agents::vectors;
use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers::{self, check, items, point, text};
use crate::table::{self, WorldHandle};

/// Sets the goals of agents, which rules such as "arrive" seek: one point for each, or a null pointer for none. If one
/// agent or point is refused, no goal changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_set_goals(
    world: WorldHandle,
    ids: *const u64,
    goals: *const f32,
    count: usize,
) -> Status {
    call(|| {
        // SAFETY: the ids are valid, as the header demands.
        let ids = unsafe { items("ids", ids, count) }?;
        table::with(world, |entry| {
            with_world!(&mut entry.world, world => {
                // SAFETY: the goals are valid, as the header demands.
                let goals = unsafe { vectors("goals", goals, if goals.is_null() { 0 } else { count }) }?;
                let goal = |row: usize| goals.get(row).copied().map(Vector);
                for (row, id) in ids.iter().enumerate() {
                    world.find(AgentId::from_bits(*id))?;
                    if let Some(refused) = goal(row).filter(|Vector(goal)| !goal.iter().all(|at| at.abs() <= LIMIT)) {
                        world.set_goal(AgentId::from_bits(*id), Some(refused))?;
                    }
                }
                Ok(ids.iter().enumerate().try_for_each(|(row, id)| world.set_goal(AgentId::from_bits(*id), goal(row)))?)
            })
        })
    })
}

/// The form in which agents stand together.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Formation {
    /// The shape: "line", "column", "wedge" or "box".
    pub shape: *const c_char,
    /// The distance between places beside each other, in metres.
    pub spacing: f32,
    /// The distance between ranks, in metres, or zero for `spacing`.
    pub depth: f32,
    /// The number of files abreast of a line, a column or a box, or zero for the number of the shape.
    pub files: u64,
}

/// The formation in an argument.
///
/// # Safety
///
/// A pointer that is not null must be valid, and its shape a text.
unsafe fn formation(given: *const Formation) -> Result<engine::Formation, Fault> {
    check("formation", given, 1)?;
    // SAFETY: the caller's promise; the pointer is neither null nor misaligned.
    let Formation { shape, spacing, depth, files } = unsafe { given.read() };
    // SAFETY: the caller's promise.
    let shape = unsafe { text("shape", shape) }?;
    let mut keys = vec![("shape", Value::from(shape)), ("spacing", Value::from(spacing))];
    keys.extend((depth != 0.0).then(|| ("depth", Value::from(depth))));
    keys.extend((files != 0).then_some(("files", Value::from(files))));
    Ok(engine::Formation::from_keys(&keys)?)
}

/// Orders agents into a formation around a middle: gives each the goal of a place, by ways that do not cross. `facing` is
/// the direction ahead, of any length. The rule "walk_to" takes them there around walls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_form(
    world: WorldHandle,
    ids: *const u64,
    count: usize,
    formation: *const Formation,
    middle: *const f32,
    facing: *const f32,
) -> Status {
    call(|| {
        // SAFETY: the ids are valid, as the header demands.
        let ids: Vec<AgentId> = unsafe { items("ids", ids, count) }?.iter().map(|id| AgentId::from_bits(*id)).collect();
        // SAFETY: the formation is valid, as the header demands.
        let formation = unsafe { self::formation(formation) }?;
        table::with(world, |entry| {
            // SAFETY: the points are valid, as the header demands.
            Ok(with_world!(&mut entry.world, world => unsafe {
                world.form(&ids, &formation, point("middle", middle)?, point("facing", facing)?)
            })?)
        })
    })
}

/// Turns an agent that stands: the direction in which it looks until it moves, of any length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_set_heading(world: WorldHandle, id: u64, heading: *const f32) -> Status {
    call(|| {
        table::with(world, |entry| {
            // SAFETY: the heading is valid, as the header demands.
            Ok(with_world!(&mut entry.world, world => unsafe {
                world.set_heading(AgentId::from_bits(id), point("heading", heading)?)
            })?)
        })
    })
}

/// Takes an agent into a state of its species, by the name of the state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_set_state(world: WorldHandle, id: u64, state: *const c_char) -> Status {
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let state = unsafe { text("state", state) }?;
        table::with(world, |entry| Ok(entry.world.set_state(AgentId::from_bits(id), state)?))
    })
}

/// Puts the mark with a name to a point, and adds it if there is none: rules and ways to goals follow it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_set_mark(world: WorldHandle, name: *const c_char, point: *const f32) -> Status {
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let name = unsafe { text("name", name) }?;
        table::with(world, |entry| {
            // SAFETY: the point is valid, as the header demands.
            let put = with_world!(&mut entry.world, world => unsafe {
                world.environment_mut().marks.put(Mark::new(name, pointers::point("point", point)?)).map(drop)
            });
            Ok(put?)
        })
    })
}
