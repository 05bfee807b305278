//! How fast people get on in a crowd, in squares.

use crate::environment::navigation::ground::MOST_CELLS;
use crate::environment::navigation::raster::Raster;
use crate::maths::Vector;

/// The side of the squares in metres, if the cells of the navigation are not longer.
const SIDE: f32 = 1.0;

/// The least part of the wanted speed that counts: a metre in a crowd that stands is that many.
const SLOWEST: f32 = 0.05;

/// The part of the wanted speed below which people are slow.
const SLOW: f32 = 0.8;

/// All of the wanted speed, in the units of sums.
const WHOLE: u32 = u8::MAX as u32;

/// How many people with all of their wanted speed a free place counts as: one alone counts less than a crowd.
const FREE: f32 = 0.5;

/// How people get on, by squares of the plane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Crowd {
    /// The tick in which it was observed.
    pub(crate) tick: u64,
    pub(crate) squares: [u32; 2],
    /// The squares with people, ascending by row and column, each with the sum of the parts of their wanted speeds with
    /// which they get on, in 255ths, and their number.
    pub(crate) sums: Vec<[u32; 3]>,
}

impl Crowd {
    /// The crowd of people at these places, with the parts of their wanted speeds that they reach, in a world of this size
    /// for a navigation with these cells.
    pub(crate) fn new(
        (tick, size, cells): (u64, [f32; 2], [usize; 2]),
        people: impl Iterator<Item = (Vector<2>, f32)>,
    ) -> Self {
        let squares: [u32; 2] =
            std::array::from_fn(|axis| (size[axis] / SIDE).ceil().clamp(1.0, cells[axis] as f32) as u32);
        let place = |(at, part): (Vector<2>, f32)| {
            let [column, row] = [0, 1].map(|axis| {
                let along = at[axis] / size[axis] * squares[axis] as f32;
                along.clamp(0.0, (squares[axis] - 1) as f32) as u32
            });
            (row * squares[0] + column, (part.clamp(0.0, 1.0) * WHOLE as f32 + 0.5) as u32)
        };
        let mut all: Vec<(u32, u32)> = people.map(place).collect();
        all.sort_unstable();
        let sum = |of: &[(u32, u32)]| [of[0].0, of.iter().map(|(_, part)| part).sum(), of.len() as u32];
        Self { tick, squares, sums: all.chunk_by(|one, other| one.0 == other.0).map(sum).collect() }
    }

    /// Whether it slows people down.
    pub(crate) fn is_slow(&self) -> bool {
        self.sums.iter().any(|[_, sum, count]| (*sum as f32) < SLOW * (WHOLE * count) as f32)
    }

    /// Whether all squares are in the plane, in order.
    pub(crate) fn is_whole(&self) -> bool {
        let [columns, rows] = self.squares.map(|squares| squares as usize);
        let count = columns.checked_mul(rows).filter(|count| (1..=MOST_CELLS).contains(count));
        let is_inside = |last: &[u32; 3]| count.is_some_and(|count| (last[0] as usize) < count);
        let is_ordered = self.sums.is_sorted_by(|one, other| one[0] < other[0]);
        count.is_some() && is_ordered && self.sums.last().is_none_or(is_inside)
    }

    /// The distance that counts for a metre at each node, without zones.
    pub(super) fn paces(&self, raster: &Raster) -> Vec<f32> {
        let [columns, rows] = self.squares.map(|squares| squares as usize);
        let mut sums = vec![[0.0; 2]; columns * rows];
        for &[square, sum, count] in &self.sums {
            sums[square as usize] = [sum as f32 / WHOLE as f32, count as f32];
        }
        // The squares on both sides of the middle of a cell, and the share of the second one.
        let beside = |cell: usize, axis: usize| {
            let squares = [columns, rows][axis];
            let along = (cell as f32 + 0.5) / raster.cells[axis] as f32 * squares as f32 - 0.5;
            let low = along.floor();
            let inside = |square: f32| match raster.wraps[axis] {
                true => (square as i64).rem_euclid(squares as i64) as usize,
                false => square.clamp(0.0, squares as f32 - 1.0) as usize,
            };
            (inside(low), inside(low + 1.0), along - low)
        };
        let across: Vec<_> = (0..raster.cells[0]).map(|column| beside(column, 0)).collect();
        let mut paces = Vec::with_capacity(raster.cells[0] * raster.cells[1]);
        for (low, high, share) in (0..raster.cells[1]).map(|row| beside(row, 1)) {
            paces.extend(across.iter().map(|&(left, right, along)| {
                let between = |from: [f32; 2], to: [f32; 2], share: f32| {
                    [0, 1].map(|part| from[part] + (to[part] - from[part]) * share)
                };
                let [below, above] = [low, high].map(|row| {
                    let [left, right] = [left, right].map(|column| sums[row * columns + column]);
                    between(left, right, along)
                });
                let [sum, count] = between(below, above, share);
                let part = (sum + FREE) / (count + FREE);
                1.0 / if part > SLOWEST { part } else { SLOWEST }
            }));
        }
        paces
    }
}
