//! The lattice of cells that covers a world.

/// A lattice with the same number of cells along each axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    /// Cells per axis.
    pub(super) cells: usize,
    /// Cells per metre.
    pub(super) scale: f32,
}

impl Lattice {
    /// Returns the cell along one axis.
    pub(super) fn along(&self, coordinate: f32) -> usize {
        ((coordinate * self.scale) as usize).clamp(0, self.cells - 1)
    }

    /// Returns the cell of an agent. Cells that are adjacent along the first axis have consecutive numbers.
    pub(super) fn cell<const D: usize>(&self, position: &[Vec<f32>; D], row: usize) -> usize {
        (0..D).rev().fold(0, |cell, axis| cell * self.cells + self.along(position[axis][row]))
    }
}
