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

/// All of the wanted speed, in the units of parts.
const WHOLE: u32 = u8::MAX as u32;

/// The parts of their wanted speeds with which people get on, by squares of the plane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Crowd {
    pub(crate) squares: [u32; 2],
    /// The squares with people, ascending by row and column, and the mean parts in them, in 255ths.
    pub(crate) parts: Vec<(u32, u8)>,
}

impl Crowd {
    /// The squares of a world of this size for a navigation with these cells.
    pub(crate) fn squares(size: [f32; 2], cells: [usize; 2]) -> [u32; 2] {
        std::array::from_fn(|axis| (size[axis] / SIDE).ceil().clamp(1.0, cells[axis] as f32) as u32)
    }

    /// The crowd of people at these places, with the parts of their wanted speeds that they reach.
    pub(crate) fn new(size: [f32; 2], squares: [u32; 2], people: impl Iterator<Item = (Vector<2>, f32)>) -> Self {
        let mut all: Vec<(u32, u8)> = people
            .map(|(at, part)| {
                let [column, row] = [0, 1].map(|axis| {
                    let along = at[axis] / size[axis] * squares[axis] as f32;
                    along.clamp(0.0, (squares[axis] - 1) as f32) as u32
                });
                (row * squares[0] + column, (part.clamp(0.0, 1.0) * WHOLE as f32 + 0.5) as u8)
            })
            .collect();
        all.sort_unstable();
        // A free place counts as half a person, so that one alone counts less than a crowd.
        let mean = |of: &[(u32, u8)]| {
            let sum: u32 = of.iter().map(|(_, part)| u32::from(*part)).sum();
            (of[0].0, ((2 * sum + WHOLE) / (2 * of.len() as u32 + 1)) as u8)
        };
        Self { squares, parts: all.chunk_by(|one, other| one.0 == other.0).map(mean).collect() }
    }

    /// A crowd with squares in this order; `None` if some are not in the plane.
    pub(crate) fn loaded(squares: [u32; 2], parts: Vec<(u32, u8)>) -> Option<Self> {
        let count = squares[0].checked_mul(squares[1]).filter(|&count| count as usize <= MOST_CELLS)?;
        let is_ordered = parts.is_sorted_by(|one, other| one.0 < other.0);
        let is_inside = parts.last().is_none_or(|last| last.0 < count);
        (is_ordered && is_inside && count > 0).then_some(Self { squares, parts })
    }

    /// Whether it slows people down.
    pub(crate) fn is_slow(&self) -> bool {
        self.parts.iter().any(|(_, part)| f32::from(*part) < SLOW * WHOLE as f32)
    }

    /// The distance that counts for a metre at each node, without zones.
    pub(super) fn paces(&self, raster: &Raster) -> Vec<f32> {
        let [columns, rows] = self.squares.map(|squares| squares as usize);
        let mut parts = vec![1.0; columns * rows];
        for &(square, part) in &self.parts {
            parts[square as usize] = f32::from(part) / WHOLE as f32;
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
        let w0: f32 = std::env::var("QW").map_or(1.0, |w| w.parse().unwrap());
        let mut paces = Vec::with_capacity(raster.cells[0] * raster.cells[1]);
        for (low, high, share) in (0..raster.cells[1]).map(|row| beside(row, 1)) {
            paces.extend(across.iter().map(|&(left, right, along)| {
                let [below, above] = [low, high].map(|row| {
                    let [left, right] = [left, right].map(|column| parts[row * columns + column]);
                    left + (right - left) * along
                });
                let part = below + (above - below) * share;
                let w = w0;
                1.0 + w * (1.0 / (if part > SLOWEST { part } else { SLOWEST }) - 1.0)
            }));
        }
        paces
    }
}
