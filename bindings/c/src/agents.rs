//! Species, and edits of agents.

use std::collections::BTreeSet;
use std::ffi::c_char;

use engine::{AgentId, AnyWorld, LIMIT, SpeciesId, World, with_world};

use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers::{self, text};
use crate::table::{self, WorldHandle};

/// A species of a world: its number in the order of addition.
pub type Species = u32;

/// The id of a species.
pub(crate) fn species(world: &AnyWorld, number: Species) -> Result<SpeciesId, Fault> {
    let found = world.all_species().find(|(id, ..)| id.number() == number as usize);
    let text = format_args!("species {number} does not exist: the world has {}", world.all_species().count());
    found.map(|(id, ..)| id).ok_or_else(|| Fault::new(Status::NotFound, text))
}

/// The vectors in an argument, one after the other.
///
/// # Safety
///
/// A pointer that is not null must be valid for `count` vectors.
pub(crate) unsafe fn vectors<const D: usize>(
    what: &str,
    from: *const f32,
    count: usize,
) -> Result<Vec<[f32; D]>, Fault> {
    let numbers =
        count.checked_mul(D).ok_or_else(|| Fault::bad(format_args!("{what}: {count} vectors are too many")))?;
    // SAFETY: the caller's promise.
    let numbers = unsafe { pointers::items(what, from, numbers) }?;
    Ok(numbers.as_chunks::<D>().0.to_vec())
}

/// Adds a species without agents and rules.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_add_species(world: WorldHandle, name: *const c_char, species: *mut Species) -> Status {
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let name = unsafe { text("name", name) }?;
        pointers::check("species", species, 1)?;
        let id = table::with(world, |entry| {
            Ok(with_world!(&mut entry.world, world => world.add_species(engine::Species::new(name)))?)
        })?;
        // SAFETY: the pointer is valid for writing, as the header demands.
        unsafe { pointers::write("species", species, id.number() as Species) }
    })
}

/// Removes a species and all its agents. The numbers of other species stay valid, and this one is not assigned again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_remove_species(world: WorldHandle, species: Species) -> Status {
    call(|| {
        table::with(world, |entry| {
            let id = self::species(&entry.world, species)?;
            Ok(entry.world.remove_species(id)?)
        })
    })
}

/// The number of species. Their numbers are consecutive from zero unless one was removed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_species_count(world: WorldHandle, count: *mut usize) -> Status {
    call(|| {
        let number = table::with(world, |entry| Ok(entry.world.all_species().count()))?;
        // SAFETY: the pointer is valid for writing, as the header demands.
        unsafe { pointers::write("count", count, number) }
    })
}

/// The species with a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_species_named(
    world: WorldHandle,
    name: *const c_char,
    species: *mut Species,
) -> Status {
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let name = unsafe { text("name", name) }?;
        let unknown = || Fault::new(Status::NotFound, format_args!("species {name:?} does not exist"));
        let id = table::with(world, |entry| entry.world.find_species(name).ok_or_else(unknown))?;
        // SAFETY: the pointer is valid for writing, as the header demands.
        unsafe { pointers::write("species", species, id.number() as Species) }
    })
}

/// Copies the name of a species with a zero byte at its end. `name` has room for `capacity` bytes; `length` gets the
/// bytes of the whole name without the zero. A name that does not fit is cut.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_species_name(
    world: WorldHandle,
    species: Species,
    name: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            let id = self::species(&entry.world, species)?;
            let held = with_world!(&entry.world, world => world.agents(id)?.name());
            // SAFETY: the room is valid for writing, as the header demands.
            let room = unsafe { pointers::room("name", name.cast::<u8>(), capacity) }?;
            if let Some(most) = capacity.checked_sub(1) {
                let cut = (0..=most.clamp(0, held.len())).rev().find(|at| held.is_char_boundary(*at)).unwrap_or(0);
                room[..cut].copy_from_slice(&held.as_bytes()[..cut]);
                room[cut] = 0;
            }
            // SAFETY: the pointer is valid for writing, as the header demands.
            unsafe { pointers::write("length", length, held.len()) }
        })
    })
}

/// The radius of the body of the agent in a row, in metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_radius(world: WorldHandle, species: Species, row: usize, radius: *mut f32) -> Status {
    call(|| {
        table::with(world, |entry| {
            let id = self::species(&entry.world, species)?;
            let found = with_world!(&entry.world, world => {
                let agents = world.agents(id)?;
                (row < agents.len()).then(|| agents.radius(row))
            });
            let missing = || Fault::new(Status::NotFound, format_args!("row {row} does not exist"));
            // SAFETY: the pointer is valid for writing, as the header demands.
            unsafe { pointers::write("radius", radius, found.ok_or_else(missing)?) }
        })
    })
}

/// The number of agents of a species.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_agents_count(world: WorldHandle, species: Species, agents: *mut usize) -> Status {
    call(|| {
        let number = table::with(world, |entry| Ok(entry.world.ids(self::species(&entry.world, species)?)?.len()))?;
        // SAFETY: the pointer is valid for writing, as the header demands.
        unsafe { pointers::write("agents", agents, number) }
    })
}

/// Sets a number of a species by its path, such as "max_speed" or "separation.radius".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_set_parameter(
    world: WorldHandle,
    species: Species,
    path: *const c_char,
    value: f64,
) -> Status {
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let path = unsafe { text("path", path) }?;
        table::with(world, |entry| {
            let id = self::species(&entry.world, species)?;
            Ok(entry.world.set_parameter(id, path, value)?)
        })
    })
}

/// Adds `count` agents at these positions with these velocities. `ids` has room for `count` ids, or is null. If one
/// agent is refused, none is added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_spawn(
    world: WorldHandle,
    species: Species,
    positions: *const f32,
    velocities: *const f32,
    count: usize,
    ids: *mut u64,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            let id = self::species(&entry.world, species)?;
            // SAFETY: the room is valid for writing, as the header demands.
            let room = unsafe { pointers::room("ids", ids, if ids.is_null() { 0 } else { count }) }?;
            let new = with_world!(&mut entry.world, world => {
                // SAFETY: the vectors are valid, as the header demands.
                let positions = unsafe { vectors("positions", positions, count) }?;
                // SAFETY: the same.
                let velocities = unsafe { vectors("velocities", velocities, count) }?;
                world.spawn_many(id, &positions, &velocities)?
            });
            for (to, id) in room.iter_mut().zip(new) {
                *to = id.to_bits();
            }
            Ok(())
        })
    })
}

/// Removes agents. If one does not exist or is there twice, none is removed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_despawn(world: WorldHandle, ids: *const u64, count: usize) -> Status {
    call(|| {
        // SAFETY: the ids are valid, as the header demands.
        let ids = unsafe { pointers::items("ids", ids, count) }?;
        table::with(world, |entry| {
            let mut once = BTreeSet::new();
            for &id in ids {
                entry.world.find(AgentId::from_bits(id))?;
                if !once.insert(id) {
                    return Err(Fault::bad(format_args!("agent {} is there twice", AgentId::from_bits(id))));
                }
            }
            Ok(ids.iter().try_for_each(|id| entry.world.despawn(AgentId::from_bits(*id)))?)
        })
    })
}

/// Sets the position and the velocity of an agent; a null pointer leaves one as it is. From a place on a wall or inside
/// one the next tick moves the agent out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_set_agent(
    world: WorldHandle,
    id: u64,
    position: *const f32,
    velocity: *const f32,
) -> Status {
    unsafe fn set<const D: usize>(
        world: &mut World<D>,
        id: AgentId,
        [position, velocity]: [*const f32; 2],
    ) -> Result<(), Fault> {
        // SAFETY: the caller's promise.
        let position = unsafe { vectors::<D>("position", position, usize::from(!position.is_null())) }?;
        // SAFETY: the caller's promise.
        let velocity = unsafe { vectors::<D>("velocity", velocity, usize::from(!velocity.is_null())) }?;
        let [position, velocity] = [position.first(), velocity.first()];
        // A refused velocity comes first, and changes nothing. Else only the position can be refused.
        if let Some(refused) = velocity.filter(|velocity| !velocity.iter().all(|component| component.abs() <= LIMIT)) {
            world.set_velocity(id, *refused)?;
        }
        position.map_or(Ok(()), |position| world.set_position(id, *position))?;
        velocity.map_or(Ok(()), |velocity| world.set_velocity(id, *velocity))?;
        Ok(())
    }
    call(|| {
        table::with(world, |entry| {
            let (id, pointers) = (AgentId::from_bits(id), [position, velocity]);
            // SAFETY: the vectors are valid, as the header demands.
            with_world!(&mut entry.world, world => unsafe { set(world, id, pointers) })
        })
    })
}
