//! Where agents go: goals, states, and marks that rules name.

use std::ffi::c_char;

use engine::{AgentId, LIMIT, Mark, Vector, World, with_world};

use crate::agents::vectors;
use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers::{items, text};
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
    unsafe fn set<const D: usize>(world: &mut World<D>, ids: &[u64], goals: *const f32) -> Result<(), Fault> {
        // SAFETY: the caller's promise.
        let goals = unsafe { vectors::<D>("goals", goals, if goals.is_null() { 0 } else { ids.len() }) }?;
        let goal = |row: usize| goals.get(row).copied().map(Vector);
        for (row, id) in ids.iter().enumerate() {
            world.find(AgentId::from_bits(*id))?;
            if let Some(refused) = goal(row).filter(|Vector(goal)| !goal.iter().all(|at| at.abs() <= LIMIT)) {
                world.set_goal(AgentId::from_bits(*id), Some(refused))?;
            }
        }
        Ok(ids.iter().enumerate().try_for_each(|(row, id)| world.set_goal(AgentId::from_bits(*id), goal(row)))?)
    }
    call(|| {
        // SAFETY: the ids are valid, as the header demands.
        let ids = unsafe { items("ids", ids, count) }?;
        // SAFETY: the goals are valid, as the header demands.
        table::with(world, |entry| with_world!(&mut entry.world, world => unsafe { set(world, ids, goals) }))
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
    unsafe fn set<const D: usize>(world: &mut World<D>, name: &str, point: *const f32) -> Result<(), Fault> {
        // SAFETY: the caller's promise.
        let point = unsafe { vectors::<D>("point", point, 1) }?;
        world.environment_mut().marks.put(Mark::new(name, point[0]))?;
        Ok(())
    }
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let name = unsafe { text("name", name) }?;
        // SAFETY: the point is valid, as the header demands.
        table::with(world, |entry| with_world!(&mut entry.world, world => unsafe { set(world, name, point) }))
    })
}
