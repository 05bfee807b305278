//! Creation, steps and settings of worlds.

use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::{AnyWorld, Edge, Settings, Vector};
use throng_scenario::Scenario;

use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers::{self, text};
use crate::rules;
use crate::table::{self, Entry, WorldHandle};

/// The version of this interface. It changes when a function or a type changes.
pub const THRONG_INTERFACE: u32 = 2;

/// Compares the header's version of the interface, THRONG_INTERFACE, with the library's: THRONG_STATUS_VERSION if they
/// differ.
#[unsafe(no_mangle)]
pub extern "C" fn throng_check_interface(header: u32) -> Status {
    call(|| {
        if header == THRONG_INTERFACE {
            return Ok(());
        }
        let text = format_args!("the header has version {header} of the interface, the library {THRONG_INTERFACE}");
        Err(Fault::new(Status::Version, text))
    })
}

/// The version of the physics: the same state continues with the same bits as long as it does not change.
#[unsafe(no_mangle)]
pub extern "C" fn throng_physics() -> u32 {
    engine::PHYSICS
}

/// Whether the host has chosen the number of threads.
static THREADS_ARE_SET: AtomicBool = AtomicBool::new(false);

/// Sets the number of threads of all worlds of this process. It must be the first call, before any world steps; by
/// default there is one per core. At most 64 or four per core are allowed. The number changes no bit.
#[unsafe(no_mangle)]
pub extern "C" fn throng_set_threads(threads: usize) -> Status {
    call(|| {
        engine::check_threads("threads", threads)?;
        let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        built.map_err(|error| Fault::bad(format_args!("threads = {threads}: {error}")))?;
        THREADS_ARE_SET.store(true, Ordering::Relaxed);
        Ok(())
    })
}

/// Creates a world and gives its handle to C.
pub(crate) fn created(to: *mut WorldHandle, world: impl FnOnce() -> Result<AnyWorld, Fault>) -> Status {
    inserted(to, || {
        if !THREADS_ARE_SET.load(Ordering::Relaxed) {
            // Worlds step in the global pool, which reads these variables when it starts.
            engine::check_default_threads(|name| std::env::var(name).ok())?;
        }
        Ok(Entry::new(world()?))
    })
}

/// Adds a world to the table and gives its handle to C.
fn inserted(to: *mut WorldHandle, entry: impl FnOnce() -> Result<Box<Entry>, Fault>) -> Status {
    call(|| {
        pointers::check("world", to, 1)?;
        let handle = table::insert(entry()?)?;
        // SAFETY: the pointer is valid for writing, as the header demands.
        unsafe { pointers::write("world", to, handle) }
    })
}

/// Creates the world of a scenario file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_from_file(path: *const c_char, world: *mut WorldHandle) -> Status {
    created(world, || {
        // SAFETY: the text is valid, as the header demands.
        let path = unsafe { text("path", path) }?;
        Ok(Scenario::load(path)?.build_any()?)
    })
}

/// Creates the world of a scenario's text. Relative paths in it start from the working folder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_from_text(scenario: *const c_char, world: *mut WorldHandle) -> Status {
    created(world, || {
        // SAFETY: the text is valid, as the header demands.
        let text = unsafe { text("scenario", scenario) }?;
        Ok(Scenario::parse(text, "scenario.toml")?.build_any()?)
    })
}

/// Creates an empty world of two or three dimensions. `size` has a number per dimension. `edge` is "wrap", "bounce",
/// "open", "remove" or "respawn", or null for "wrap".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_create(
    dimensions: usize,
    size: *const f32,
    edge: *const c_char,
    tick_seconds: f32,
    seed: u64,
    world: *mut WorldHandle,
) -> Status {
    created(world, || {
        if dimensions != 2 && dimensions != 3 {
            return Err(Fault::bad(format_args!("dimensions = {dimensions}: must be 2 or 3")));
        }
        // SAFETY: the numbers are valid, as the header demands.
        let given = unsafe { pointers::items("size", size, dimensions) }?;
        let mut settings = Settings { tick_seconds, seed, ..Settings::<3>::default() };
        settings.size = Vector(std::array::from_fn(|axis| given.get(axis).copied().unwrap_or(0.0)));
        if !edge.is_null() {
            // SAFETY: the text is valid, as the header demands.
            let name = unsafe { text("edge", edge) }?;
            let known = Edge::ALL.into_iter().find(|edge| edge.name() == name);
            let names = Edge::ALL.map(Edge::name).join(", ");
            let edge = known.ok_or_else(|| Fault::bad(format_args!("edge = {name:?}: must be one of {names}")))?;
            settings.edge = [edge; 3];
        }
        Ok(AnyWorld::new(dimensions, settings)?)
    })
}

/// Creates a world with the state of another one, its settings and its rules of the host: for rollback and for looking
/// ahead. Both continue with the same bits; ids and columns are the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_clone(world: WorldHandle, clone: *mut WorldHandle) -> Status {
    inserted(clone, || table::with(world, |entry| Ok(Box::new(entry.clone()))))
}

/// Makes the calling thread the owner of a world that is in no call.
#[unsafe(no_mangle)]
pub extern "C" fn throng_claim(world: WorldHandle) -> Status {
    call(|| table::claim(world))
}

/// Frees a world. Its handle is stale afterwards.
#[unsafe(no_mangle)]
pub extern "C" fn throng_free(world: WorldHandle) -> Status {
    call(|| table::remove(world))
}

/// Advances a world by `ticks` ticks. If a tick fails, the ticks before it have happened.
#[unsafe(no_mangle)]
pub extern "C" fn throng_step(world: WorldHandle, ticks: u64) -> Status {
    call(|| {
        table::with(world, |entry| {
            for _ in 0..ticks {
                rules::apply(entry)?;
                entry.world.try_step()?;
            }
            Ok(())
        })
    })
}

/// Gives a number of a world to C.
fn number<T>(world: WorldHandle, to: *mut T, read: impl FnOnce(&AnyWorld) -> T) -> Status {
    call(|| {
        let value = table::with(world, |entry| Ok(read(&entry.world)))?;
        // SAFETY: the pointer is valid for writing, as the header demands.
        unsafe { pointers::write("the result", to, value) }
    })
}

/// The hash of the state, the same on every machine and with any number of threads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_state_hash(world: WorldHandle, hash: *mut u64) -> Status {
    number(world, hash, AnyWorld::state_hash)
}

/// The number of ticks the world has advanced by.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_tick(world: WorldHandle, tick: *mut u64) -> Status {
    number(world, tick, AnyWorld::tick)
}

/// The simulated time in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_time(world: WorldHandle, seconds: *mut f64) -> Status {
    number(world, seconds, |world| world.seconds())
}

/// Sets the length of the next ticks in seconds, in (0, 1000]. It may change before each step and costs nothing; the
/// simulated time continues.
#[unsafe(no_mangle)]
pub extern "C" fn throng_set_tick_seconds(world: WorldHandle, seconds: f32) -> Status {
    call(|| table::with(world, |entry| Ok(entry.world.set_tick_seconds(seconds)?)))
}

/// The number of dimensions: 2 or 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_dimensions(world: WorldHandle, dimensions: *mut usize) -> Status {
    number(world, dimensions, AnyWorld::dimensions)
}

/// The number of agents of all species.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_population(world: WorldHandle, agents: *mut usize) -> Status {
    number(world, agents, AnyWorld::population)
}

/// The size of the world along each axis, in metres: `size` has room for `throng_dimensions()` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_size(world: WorldHandle, size: *mut f32) -> Status {
    call(|| {
        table::with(world, |entry| {
            let dimensions = entry.world.dimensions();
            // SAFETY: the room is valid for writing, as the header demands.
            let room = unsafe { pointers::room("size", size, dimensions) }?;
            room.copy_from_slice(&entry.world.settings().size.0[..dimensions]);
            Ok(())
        })
    })
}
