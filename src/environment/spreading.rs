//! The spreading of a substance over its cells. The sum for a cell has one written order.

use std::sync::atomic::AtomicI64;

use fearless_simd::Level;

use crate::agents::parallel::{ChunkedColumn, for_each_chunk};
use crate::base::settings::{Edge, Settings};
use crate::environment::substance::Substance;
use crate::kernels::simd::dispatch;
use crate::maths::exp;

/// Cells that a thread takes at a time.
const CELLS: usize = 1 << 13;

/// The whole numbers that are the amount one.
pub(crate) const UNITS: f64 = (1_u64 << 28) as f64;

/// The amounts per square metre between which a cell has another number than zero. Smaller numbers would be slow.
const LEAST: f32 = 1e-30;
const MOST: f32 = 1e30;

/// A substance in a tick.
pub(crate) struct Spreading<const D: usize> {
    pub(crate) cells: [usize; D],
    wraps: [bool; D],
    /// The part of a difference between two cells that passes in a step, per axis.
    rates: [f32; D],
    steps: usize,
    /// The part that is left after the decay of a tick.
    left: f32,
    /// The amount per square metre of one unit in a cell.
    unit: f32,
}

impl<const D: usize> Spreading<D> {
    pub(crate) fn new(substance: &Substance, settings: &Settings<D>) -> Self {
        let (cells, seconds) = (substance.cells(settings), settings.tick_seconds);
        let length = |axis: usize| settings.size[axis] / cells[axis] as f32;
        let rates = substance.rates(settings);
        // A cell gives away at most what it has in a step.
        let all = 2.0 * rates.iter().sum::<f32>();
        let steps = all.ceil().clamp(0.0, 2.0 * Substance::MOST_SPREAD);
        let parts = if all > steps { all } else { steps };
        Self {
            cells,
            wraps: settings.edge.map(|edge| edge == Edge::Wrap),
            rates: rates.map(|rate| if parts > 0.0 { rate / parts } else { 0.0 }),
            steps: steps as usize,
            left: exp(-substance.decay * seconds),
            unit: (0..D).fold((1.0 / UNITS) as f32, |unit, axis| unit / length(axis)),
        }
    }

    /// Advances the amounts by a tick, and clears the deposits.
    pub(crate) fn advance(&self, level: Level, amounts: &mut Vec<f32>, next: &mut Vec<f32>, gained: &mut [AtomicI64]) {
        let along = self.cells[0];
        let (rows, grain) = (amounts.len() / along, (CELLS / along).clamp(1, CELLS));
        if self.steps == 0 {
            let columns = (ChunkedColumn(amounts, along), ChunkedColumn(gained, along));
            return for_each_chunk(rows, grain, columns, &|_, (amounts, gained)| {
                dispatch!(level, _simd => self.settle(amounts.0, gained.0));
            });
        }
        next.resize(amounts.len(), 0.0);
        for step in 1..=self.steps {
            let (from, is_last) = (&amounts[..], step == self.steps);
            let deposits = if is_last { &mut *gained } else { &mut [] };
            let columns = (ChunkedColumn(next, along), ChunkedColumn(deposits, along));
            for_each_chunk(rows, grain, columns, &|row, (to, gained)| {
                dispatch!(level, _simd => self.step(from, row, to.0, is_last.then_some(gained.0)));
            });
            std::mem::swap(amounts, next);
        }
    }

    /// Computes a row of cells in a step; in the last one it settles with its deposits.
    #[inline(always)]
    fn step(&self, from: &[f32], row: usize, to: &mut [f32], gained: Option<&mut [AtomicI64]>) {
        self.spread(from, row, to);
        if let Some(gained) = gained {
            self.settle(to, gained);
        }
    }

    /// Spreads a row of cells by one step: the row itself first, then along the other axes.
    #[inline(always)]
    fn spread(&self, from: &[f32], row: usize, to: &mut [f32]) {
        let (along, rate) = (self.cells[0], self.rates[0]);
        let row_of = |row: usize| &from[row * along..][..along];
        let (own, last) = (row_of(row), along - 1);
        let passed = |low: f32, own: f32, high: f32, rate: f32| rate * ((low + high) - (own + own));
        for (to, near) in to[1..].iter_mut().zip(own.windows(3)) {
            *to = near[1] + passed(near[0], near[1], near[2], rate);
        }
        let (before, after) = if self.wraps[0] { (own[last], own[0]) } else { (own[0], own[last]) };
        let [second, second_last] = if last > 0 { [own[1], own[last - 1]] } else { [after, before] };
        to[last] = own[last] + passed(second_last, own[last], after, rate);
        to[0] = own[0] + passed(before, own[0], second, rate);
        let (mut rest, mut stride) = (row, 1);
        for axis in 1..D {
            let (count, at) = (self.cells[axis], rest % self.cells[axis]);
            let wrapped = if self.wraps[axis] { (count - 1) * stride } else { 0 };
            let low = if at > 0 { row - stride } else { row + wrapped };
            let high = if at + 1 < count { row + stride } else { row - wrapped };
            let near = row_of(low).iter().zip(row_of(high)).zip(own);
            for (to, ((&low, &high), &own)) in to.iter_mut().zip(near) {
                *to += passed(low, own, high, self.rates[axis]);
            }
            (rest, stride) = (rest / count, stride * count);
        }
    }

    /// Lets a row of cells decay, and adds its deposits.
    #[inline(always)]
    fn settle(&self, amounts: &mut [f32], gained: &mut [AtomicI64]) {
        let settled = |amount: f32| {
            let amount = if amount > LEAST { amount } else { 0.0 };
            if amount < MOST { amount } else { MOST }
        };
        if gained.is_empty() {
            return amounts.iter_mut().for_each(|amount| *amount = settled(*amount * self.left));
        }
        for (amount, gained) in amounts.iter_mut().zip(gained) {
            let gained = std::mem::take(gained.get_mut());
            *amount = settled(*amount * self.left + gained as f32 * self.unit);
        }
    }
}
