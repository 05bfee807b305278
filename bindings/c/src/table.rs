//! The table of worlds.
//!
//! A handle has the number of a slot and the slot's generation, which grows when a world is freed. A call takes the
//! world out of its slot and puts it back, so the table is locked for a moment only, and a call from a rule finds an
//! empty slot.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use engine::AnyWorld;

use crate::fault::{Fault, Status};
use crate::rules::HostRule;

/// A world: zero is never one.
pub type WorldHandle = u64;

/// A world with the rules of its host.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) world: AnyWorld,
    pub(crate) rules: Vec<HostRule>,
}

impl Entry {
    pub(crate) fn new(world: AnyWorld) -> Box<Self> {
        Box::new(Self { world, rules: Vec::new() })
    }
}

struct Slot {
    generation: u32,
    /// `None` while the slot is free.
    owner: Option<ThreadId>,
    /// `None` while the slot is free, and during a call. The box keeps columns of the world at their addresses.
    entry: Option<Box<Entry>>,
}

static TABLE: Mutex<Vec<Slot>> = Mutex::new(Vec::new());

fn table() -> MutexGuard<'static, Vec<Slot>> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a world of this thread.
pub(crate) fn insert(entry: Box<Entry>) -> Result<WorldHandle, Fault> {
    let mut table = table();
    let number = match table.iter().position(|slot| slot.owner.is_none() && slot.generation < u32::MAX) {
        Some(free) => free,
        None => {
            table.push(Slot { generation: 1, owner: None, entry: None });
            table.len() - 1
        }
    };
    let low = u32::try_from(number).map_err(|_| Fault::new(Status::Memory, "too many worlds"))?;
    let slot = &mut table[number];
    (slot.owner, slot.entry) = (Some(thread::current().id()), Some(entry));
    Ok(u64::from(slot.generation) << 32 | u64::from(low))
}

fn stale(handle: WorldHandle) -> Fault {
    let why = if handle == 0 { "the handle is zero" } else { "the world of the handle was freed or never existed" };
    Fault::new(Status::Stale, format_args!("{why} ({handle})"))
}

/// The slot of a handle.
fn slot(table: &mut [Slot], handle: WorldHandle) -> Result<&mut Slot, Fault> {
    let found = table.get_mut(handle as u32 as usize);
    found.filter(|slot| slot.owner.is_some() && u64::from(slot.generation) == handle >> 32).ok_or_else(|| stale(handle))
}

/// Takes a world of this thread out of its slot.
fn take(handle: WorldHandle) -> Result<Box<Entry>, Fault> {
    let mut table = table();
    let slot = slot(&mut table, handle)?;
    if slot.owner != Some(thread::current().id()) {
        let text = "the world belongs to another thread: throng_claim moves it to this one";
        return Err(Fault::new(Status::WrongThread, text));
    }
    slot.entry.take().ok_or_else(in_use)
}

fn in_use() -> Fault {
    Fault::new(Status::InUse, "the world is in a step, which called this rule")
}

/// Puts a world back into its slot, also when its call panicked.
struct Return {
    handle: WorldHandle,
    entry: Option<Box<Entry>>,
}

impl Drop for Return {
    fn drop(&mut self) {
        if let Ok(slot) = slot(&mut table(), self.handle) {
            slot.entry = self.entry.take();
        }
    }
}

/// Calls `body` with a world of this thread.
pub(crate) fn with<R>(handle: WorldHandle, body: impl FnOnce(&mut Entry) -> Result<R, Fault>) -> Result<R, Fault> {
    let mut back = Return { handle, entry: Some(take(handle)?) };
    match &mut back.entry {
        Some(entry) => body(entry),
        None => Err(in_use()),
    }
}

/// Makes this thread the owner of a world that is in no call.
pub(crate) fn claim(handle: WorldHandle) -> Result<(), Fault> {
    let mut table = table();
    let slot = slot(&mut table, handle)?;
    if slot.entry.is_none() {
        return Err(in_use());
    }
    slot.owner = Some(thread::current().id());
    Ok(())
}

/// Frees a world of this thread.
pub(crate) fn remove(handle: WorldHandle) -> Result<(), Fault> {
    let entry = take(handle)?;
    let mut table = table();
    let slot = slot(&mut table, handle)?;
    slot.generation += 1;
    slot.owner = None;
    drop(table);
    drop(entry); // not under the lock: a large world takes a while
    Ok(())
}
