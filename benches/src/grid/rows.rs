//! Agents in rows, some of which are empty.

use throng::bench_kernels::CHUNK;

/// The number in rows without an agent, which fill a line of cells up to whole clusters.
pub(super) const NO_AGENT: u32 = u32::MAX;

/// Agents in rows, in whole chunks. Some rows are empty.
#[derive(Clone, Debug)]
pub(super) struct Rows<const D: usize> {
    pub(super) position: [Vec<f32>; D],
    pub(super) velocity: [Vec<f32>; D],
    pub(super) number: Vec<u32>,
}

impl<const D: usize> Rows<D> {
    pub(super) fn new() -> Self {
        let columns = || std::array::from_fn(|_| Vec::new());
        Self { position: columns(), velocity: columns(), number: Vec::new() }
    }

    pub(super) fn resize(&mut self, rows: usize) {
        for column in self.position.iter_mut().chain(&mut self.velocity) {
            column.resize(rows, f32::NAN);
        }
        self.number.resize(rows, NO_AGENT);
    }

    pub(super) fn chunks(&self) -> usize {
        self.number.len() / CHUNK
    }
}
