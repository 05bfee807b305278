//! Warnings of a world, as Python's warnings: each once.

use std::ffi::CString;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{AnyWorld, Warning};

use crate::errors::ThrongWarning;
use crate::world::World;

#[pymethods]
impl World {
    /// What the definitions of the world allow and their author hardly means, and what went wrong in its ticks. A step
    /// issues each of them once, as a `throng.ThrongWarning`.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     With the key of each, such as `species.bird.response`.
    fn warnings(&self) -> PyResult<Vec<String>> {
        Ok(self.shared.read()?.warnings().iter().map(ToString::to_string).collect())
    }

    /// What went wrong in the ticks since the world was created or loaded.
    ///
    /// Returns
    /// -------
    /// dict
    ///     `ticks`; summed over them `agents`, those with `inexact` neighbours and those `quarantined`, whose steering
    ///     was dropped; those whose expression wanted more than their limits and was `cut`; the `cause` of the first
    ///     result that was not finite, or None; the agents that `left` across an edge, the ones among them that were `lost` beyond the
    ///     coordinates; `leaps`, ticks in which an agent moved farther than half of the world.
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let faults = self.shared.read()?.faults();
        let described = PyDict::new(py);
        described.set_item("ticks", faults.ticks)?;
        described.set_item("agents", faults.agents)?;
        described.set_item("inexact", faults.inexact)?;
        described.set_item("quarantined", faults.quarantined)?;
        described.set_item("cut", faults.cut)?;
        described.set_item("cause", faults.cause.as_deref())?;
        described.set_item("left", faults.left)?;
        described.set_item("lost", faults.lost)?;
        described.set_item("leaps", faults.leaps)?;
        Ok(described)
    }
}

impl World {
    /// Issues the warnings among these that the world has not issued before.
    pub(super) fn warn(&self, py: Python<'_>, warnings: Vec<Warning>) -> PyResult<()> {
        let new = |warning: &Warning| {
            let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
            warned.insert((warning.kind, warning.key.clone()))
        };
        // The lock is free while Python's filters run.
        for warning in warnings.into_iter().filter(new).collect::<Vec<_>>() {
            let text = CString::new(warning.to_string().replace('\0', " "))?;
            PyErr::warn(py, &py.get_type::<ThrongWarning>(), &text, 1)?;
        }
        Ok(())
    }

    /// The warnings before and after the ticks of a step: of definitions that have changed, and of faults.
    pub(super) fn after_step(&self, world: &AnyWorld) -> Vec<Warning> {
        if self.edited.swap(false, Ordering::Relaxed) { world.warnings() } else { world.faults().warnings() }
    }

    /// Issues the warnings after a step of an ensemble.
    pub(crate) fn warn_after_step(&self, py: Python<'_>) -> PyResult<()> {
        let warnings = {
            let world = self.shared.read()?;
            self.after_step(&world)
        };
        self.warn(py, warnings)
    }

    /// Records an edit of definitions, whose warnings the next step issues.
    pub(crate) fn note_edit(&self) {
        self.edited.store(true, Ordering::Relaxed);
    }
}
