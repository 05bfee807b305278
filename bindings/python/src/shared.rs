//! A world that Python's threads, views and the rules of a step share.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use pyo3::exceptions::{PyBufferError, PyRuntimeError};
use pyo3::prelude::*;
use throng::AnyWorld;

/// A world, with the number of live views of its columns.
#[derive(Debug)]
pub(crate) struct Shared {
    world: RwLock<AnyWorld>,
    /// Live views, and arrays and Arrow buffers that come from them.
    leases: AtomicUsize,
    /// Whether a step is in progress, also between its ticks.
    stepping: AtomicBool,
    /// The number of edits.
    edits: AtomicU64,
}

impl Shared {
    pub(crate) fn new(world: AnyWorld) -> Arc<Self> {
        let (leases, stepping, edits) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicU64::new(0));
        Arc::new(Self { world: RwLock::new(world), leases, stepping, edits })
    }

    /// The world, to read.
    pub(crate) fn read(&self) -> PyResult<RwLockReadGuard<'_, AnyWorld>> {
        match self.world.try_read() {
            Ok(world) => Ok(world),
            // The engine returns panics of rules as errors, so a world is whole after every panic.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(in_use()),
        }
    }

    /// The world, to edit.
    pub(crate) fn write(&self) -> PyResult<RwLockWriteGuard<'_, AnyWorld>> {
        let world = self.exclusive()?;
        self.edits.fetch_add(1, Ordering::AcqRel);
        Ok(world)
    }

    /// The number of times that the world was edited.
    pub(crate) fn edits(&self) -> u64 {
        self.edits.load(Ordering::Acquire)
    }

    /// The world, for a call that needs it exclusively and leaves it as it is.
    pub(crate) fn exclusive(&self) -> PyResult<RwLockWriteGuard<'_, AnyWorld>> {
        if self.stepping.load(Ordering::Acquire) {
            return Err(in_use());
        }
        let world = match self.world.try_write() {
            Ok(world) => world,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(in_use()),
        };
        // Between the two tests a step may have begun, and this may be the moment between two of its ticks.
        if self.stepping.load(Ordering::Acquire) {
            return Err(in_use());
        }
        self.check_leases()?;
        Ok(world)
    }

    /// Begins a step of one or more ticks, in which no other thread edits the world.
    pub(crate) fn begin_step(self: &Arc<Self>) -> PyResult<Stepping> {
        self.stepping.compare_exchange(false, true, Ordering::AcqRel, Ordering::Relaxed).map_err(|_| in_use())?;
        let stepping = Stepping { shared: Arc::clone(self) };
        match self.world.try_write() {
            Err(TryLockError::WouldBlock) => return Err(in_use()),
            Ok(_) | Err(TryLockError::Poisoned(_)) => {}
        }
        self.check_leases()?;
        Ok(stepping)
    }

    /// Fails while columns are in use.
    pub(crate) fn check_leases(&self) -> PyResult<()> {
        match self.leases.load(Ordering::Acquire) {
            0 => Ok(()),
            live => Err(PyBufferError::new_err(format!(
                "the world cannot change while {live} of its views and their arrays live: end the `with` block, and \
                 delete or copy the arrays"
            ))),
        }
    }
}

fn in_use() -> PyErr {
    PyRuntimeError::new_err("the world is in use: by another thread, or by the step that called this function")
}

/// A step in progress.
#[derive(Debug)]
pub(crate) struct Stepping {
    shared: Arc<Shared>,
}

impl Stepping {
    /// The world, to advance. Waits while another thread reads it, so the caller must not be attached to Python.
    pub(crate) fn world(&self) -> Option<RwLockWriteGuard<'_, AnyWorld>> {
        let world = self.shared.world.write().unwrap_or_else(PoisonError::into_inner);
        (self.shared.leases.load(Ordering::Acquire) == 0).then_some(world)
    }
}

impl Drop for Stepping {
    fn drop(&mut self) {
        self.shared.stepping.store(false, Ordering::Release);
    }
}

/// The right to read columns of a world without a lock: while it lives, the world stays in memory and does not change.
#[derive(Debug)]
pub(crate) struct Lease {
    shared: Arc<Shared>,
}

impl Lease {
    /// A further lease. `_world` shows that no thread edits the world at this moment.
    pub(crate) fn new(shared: &Arc<Shared>, _world: &AnyWorld) -> Self {
        shared.leases.fetch_add(1, Ordering::AcqRel);
        Self { shared: Arc::clone(shared) }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.shared.leases.fetch_sub(1, Ordering::AcqRel);
    }
}
