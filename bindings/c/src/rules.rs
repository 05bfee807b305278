//! Rules of motion: the rules of the engine, and functions of the host.
//!
//! A function is called once a tick, before the step. Its forces go to a column of the species, which the rule
//! [`HostForces`] applies.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use engine::behaviours::HostForces;
use engine::{Behaviour, Error, Registry, SpeciesId, World, check_arithmetic, with_world};

use crate::agents::{self, Species};
use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers::text;
use crate::table::{self, Entry, WorldHandle};

/// The agents of a species in a rule of the host. The pointers are valid for the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Agents {
    /// The number of agents.
    pub count: usize,
    /// The number of dimensions: 2 or 3.
    pub dimensions: usize,
    /// The number of ticks the world has advanced by.
    pub tick: u64,
    /// The positions: one array of `count` numbers per axis.
    pub positions: [*const f32; 3],
    /// The velocities: one array of `count` numbers per axis.
    pub velocities: [*const f32; 3],
    /// The ids. The step may give agents other rows: what the host keeps for later belongs to ids.
    pub ids: *const u64,
}

/// A rule of the host: writes a force in newtons for each agent, `dimensions` numbers one after the other, which are
/// zero before. It returns 0, or another number to end the step with THRONG_STATUS_RULE.
pub type Rule = Option<unsafe extern "C" fn(user: *mut c_void, agents: *const Agents, forces: *mut f32) -> i32>;

/// A function of the host with the species and the column of its forces.
#[derive(Clone)]
pub(crate) struct HostRule {
    species: SpeciesId,
    column: String,
    function: unsafe extern "C" fn(*mut c_void, *const Agents, *mut f32) -> i32,
    user: *mut c_void,
}

// SAFETY: the host owns what `user` points to; a world moves to another thread only by throng_claim, which says so.
unsafe impl Send for HostRule {}

/// Calls the functions of the host and writes their forces.
pub(crate) fn apply(entry: &mut Entry) -> Result<(), Fault> {
    let Entry { world, rules } = entry;
    with_world!(world, world => {
        // All rules see the state before the tick, and one that fails leaves it as it is.
        let forces = rules.iter().map(|rule| forces(world, rule)).collect::<Result<Vec<_>, _>>()?;
        check_arithmetic().map_err(Error::Arithmetic)?;
        for (rule, forces) in rules.iter().zip(forces) {
            world.set_column(rule.species, &rule.column, &forces)?;
        }
        Ok(())
    })
}

/// Calls a function of the host. Returns the forces.
fn forces<const D: usize>(world: &World<D>, rule: &HostRule) -> Result<Vec<[f32; D]>, Fault> {
    let agents = world.agents(rule.species)?;
    let mut forces = vec![[0.0_f32; D]; agents.len()];
    let pointers =
        |axes: &[&[f32]]| std::array::from_fn(|axis| axes.get(axis).map_or(std::ptr::null(), |of| of.as_ptr()));
    let ids: Vec<u64> = agents.ids().iter().map(|id| id.to_bits()).collect();
    let given = Agents {
        count: agents.len(),
        dimensions: D,
        tick: world.tick(),
        positions: pointers(agents.positions().as_slice()),
        velocities: pointers(agents.velocities().as_slice()),
        ids: ids.as_ptr(),
    };
    // SAFETY: the arrays have `count` numbers per axis, or ids, the forces `count` vectors, and nothing else uses them.
    let code = unsafe { (rule.function)(rule.user, &given, forces.as_mut_ptr().cast()) };
    let failed = |text: String| Err(Fault::new(Status::Rule, text));
    if code != 0 {
        return failed(format!("the rule {:?} returned {code} in the step after tick {}", rule.column, world.tick()));
    }
    if let Some(row) = forces.iter().position(|force| !force.iter().all(|component| component.is_finite())) {
        return failed(format!("the rule {:?} gave the force {:?} in row {row}: not finite", rule.column, forces[row]));
    }
    Ok(forces)
}

/// Adds a rule of the engine to a species, by its name, such as "separation". throng_set_parameter sets its parameters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_rule(
    world: WorldHandle,
    species: Species,
    name: *const c_char,
    weight: f32,
) -> Status {
    fn add<const D: usize>(world: &mut World<D>, species: SpeciesId, name: &str, weight: f32) -> Result<(), Fault> {
        let found = Registry::new().named::<D>(name).ok_or_else(|| Error::UnknownRule(name.to_owned()))?;
        let behaviour: Box<dyn Behaviour<D>> = found;
        Ok(world.add_rule(species, engine::Rule::from_arc(weight, Arc::from(behaviour)))?)
    }
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let name = unsafe { text("name", name) }?;
        table::with(world, |entry| {
            let id = agents::species(&entry.world, species)?;
            with_world!(&mut entry.world, world => add(world, id, name, weight))
        })
    })
}

/// Adds a rule of the host to a species. Its forces are kept in a column with this name. After throng_load, a call with
/// the same name gives the rule its function again. `user` goes to the function unchanged.
///
/// While the function runs, calls with the same world give THRONG_STATUS_IN_USE. It must return; a jump or an exception
/// out of it is not allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_host_rule(
    world: WorldHandle,
    species: Species,
    name: *const c_char,
    weight: f32,
    rule: Rule,
    user: *mut c_void,
) -> Status {
    fn add<const D: usize>(world: &mut World<D>, species: SpeciesId, name: &str, weight: f32) -> Result<(), Fault> {
        let loaded = world
            .species(species)?
            .rules
            .iter()
            .any(|rule| rule.get::<HostForces>().is_some_and(|held| held.column == name));
        if loaded {
            return Ok(());
        }
        world.add_column(species, name, [0.0_f32; D])?;
        let added = world.add_rule(species, engine::Rule::new(weight, HostForces { column: name.to_owned() }));
        added.or_else(|error| world.remove_column(species, name).and(Err(error)))?;
        Ok(())
    }
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let name = unsafe { text("name", name) }?;
        let function = rule.ok_or_else(|| Fault::new(Status::Null, "rule is null"))?;
        table::with(world, |entry| {
            let id = agents::species(&entry.world, species)?;
            if entry.rules.iter().any(|rule| rule.species == id && rule.column == name) {
                return Err(Fault::bad(format_args!("the species has a rule {name:?} already")));
            }
            with_world!(&mut entry.world, world => add(world, id, name, weight))?;
            entry.rules.push(HostRule { species: id, column: name.to_owned(), function, user });
            Ok(())
        })
    })
}
