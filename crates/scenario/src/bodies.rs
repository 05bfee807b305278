//! The bodies of agents that have been placed, found by cells of space.

use std::collections::HashMap;

use throng::{Settings, Vector};

/// The body of an agent at its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body<const D: usize> {
    pub(super) position: Vector<D>,
    pub(super) radius: f32,
    /// Whether it is the body of a walker, which overlaps no other.
    pub(super) walks: bool,
}

/// The bodies so far. Two bodies do not overlap if one of them is a walker.
#[derive(Debug)]
pub(super) struct Bodies<const D: usize> {
    /// The extent of a cell: the largest diameter at least.
    cell: Vector<D>,
    /// The number of cells on a periodic axis; zero on others.
    count: [i64; D],
    cells: HashMap<[i64; D], Vec<u32>>,
    bodies: Vec<Body<D>>,
}

impl<const D: usize> Bodies<D> {
    /// None yet, with radii up to `widest`.
    pub(super) fn new(settings: &Settings<D>, widest: f32) -> Self {
        // Bodies of no size need no search, but their cells do.
        let least = if widest > 1e-3 { 2.0 * widest } else { 2e-3 };
        let (period, mut cell, mut count) = (settings.period(), Vector::splat(least), [0; D]);
        for axis in 0..D {
            if period[axis] < f32::INFINITY {
                let whole = (period[axis] / least).floor();
                let whole = if whole > 1.0 { whole } else { 1.0 };
                (cell[axis], count[axis]) = (period[axis] / whole, whole as i64);
            }
        }
        Self { cell, count, cells: HashMap::new(), bodies: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.bodies.len()
    }

    fn cell_of(&self, position: Vector<D>) -> [i64; D] {
        std::array::from_fn(|axis| (position[axis] / self.cell[axis]).floor() as i64)
    }

    fn wrapped(&self, cell: [i64; D]) -> [i64; D] {
        std::array::from_fn(|axis| match self.count[axis] {
            0 => cell[axis],
            count => cell[axis].rem_euclid(count),
        })
    }

    pub(super) fn add(&mut self, body: Body<D>) {
        let cell = self.wrapped(self.cell_of(body.position));
        self.cells.entry(cell).or_default().push(self.bodies.len() as u32);
        self.bodies.push(body);
    }

    /// Removes all but the first.
    pub(super) fn truncate(&mut self, length: usize) {
        while self.bodies.len() > length
            && let Some(body) = self.bodies.pop()
        {
            let cell = self.wrapped(self.cell_of(body.position));
            // The last of a cell is the last of all that are in it.
            self.cells.get_mut(&cell).map(Vec::pop);
        }
    }

    /// Whether a body overlaps another, and one of the two walks.
    pub(super) fn overlap(&self, settings: &Settings<D>, body: &Body<D>) -> bool {
        let middle = self.cell_of(body.position);
        (0..3_usize.pow(D as u32)).any(|number| {
            let mut rest = number;
            let cell = std::array::from_fn(|axis| {
                let step = (rest % 3) as i64 - 1;
                rest /= 3;
                middle[axis] + step
            });
            let near = self.cells.get(&self.wrapped(cell));
            near.is_some_and(|near| {
                near.iter().any(|&number| {
                    let other = &self.bodies[number as usize];
                    let reach = body.radius + other.radius;
                    (body.walks || other.walks)
                        && settings.offset(body.position, other.position).length_squared() < reach * reach
                })
            })
        })
    }
}
