//! Counts of the agents near each agent, by a grid, up to the number at the end of the colour scale.

use rayon::prelude::*;
use throng::Vector;

use crate::drawable::{DrawnAgent, Subject};

/// The radius of people, in metres.
const PEOPLE: f32 = 1.5;

/// Counts of the agents near each agent, by a grid over the crowd with cells no smaller than the radius.
#[derive(Debug)]
pub struct NeighbourCounts {
    low: Vector<3>,
    extent: Vector<3>,
    wraps: [bool; 3],
    flat: bool,
    people: bool,
    /// The most agents so far.
    agents: usize,
    radius: f32,
    /// The count at which counting ends.
    most: u32,
    cells: [usize; 3],
    /// Rows of the crowd, cell by cell, and the start of each cell's rows.
    rows: Vec<u32>,
    starts: Vec<usize>,
}

impl NeighbourCounts {
    /// The radius of people is a metre and a half, and five of them per square metre fill the colour scale. The radius of
    /// others is twice the mean distance between agents: an even crowd has a dozen others within it in 2D, and three
    /// dozen in 3D. Three times that number fills the colour scale.
    #[must_use]
    pub fn new(subject: &Subject) -> Self {
        let mut counts = Self {
            low: subject.bounds.low,
            extent: subject.bounds.extent(),
            wraps: subject.wraps,
            flat: subject.flat,
            people: subject.has_people(),
            agents: subject.agents,
            radius: PEOPLE,
            most: if subject.flat { 36 } else { 100 },
            cells: [1; 3],
            rows: Vec::new(),
            starts: Vec::new(),
        };
        counts.choose_radius();
        counts
    }

    /// Adapts the radius to a crowd that has become larger than ever before: sources may have brought it.
    pub(super) fn grow(&mut self, agents: usize) {
        if agents > self.agents {
            self.agents = agents;
            self.choose_radius();
        }
    }

    fn choose_radius(&mut self) {
        let Self { extent, agents, flat, .. } = self;
        let share =
            |axes: usize| (0..axes).map(|axis| f64::from(extent[axis])).product::<f64>() / (*agents).max(1) as f64;
        if !self.people {
            self.radius = 2.0 * if *flat { share(2).sqrt() } else { share(3).cbrt() } as f32;
        }
        self.cells = std::array::from_fn(|axis| ((self.extent[axis] / self.radius) as usize).clamp(1, 1 << 10));
    }

    /// The radius within which others count, in metres.
    #[must_use]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// The number of others that fills the colour scale.
    #[must_use]
    pub const fn most(&self) -> u32 {
        self.most
    }

    /// Returns the number of others near each agent, as a share of the number that fills the colour scale.
    pub fn count(&mut self, crowd: &[DrawnAgent]) -> Vec<f32> {
        self.sort(crowd);
        let shares = crowd.par_iter().with_min_len(256).map(|agent| {
            // The count includes the agent itself.
            self.around(crowd, agent.position).saturating_sub(1) as f32 / self.most as f32
        });
        shares.collect()
    }

    fn sort(&mut self, crowd: &[DrawnAgent]) {
        let cells: Vec<usize> = crowd.par_iter().map(|agent| self.number(self.cell(agent.position))).collect();
        self.starts.clear();
        self.starts.resize(self.cells.iter().product::<usize>() + 1, 0);
        for &cell in &cells {
            self.starts[cell + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.rows.resize(crowd.len(), 0);
        let mut next = self.starts.clone();
        for (row, &cell) in cells.iter().enumerate() {
            self.rows[next[cell]] = row as u32;
            next[cell] += 1;
        }
    }

    /// The cell of a point; a point beyond the bounds is in the outermost cell.
    fn cell(&self, point: Vector<3>) -> [usize; 3] {
        std::array::from_fn(|axis| {
            let along = (point[axis] - self.low[axis]) / self.extent[axis] * self.cells[axis] as f32;
            (along as usize).clamp(0, self.cells[axis] - 1)
        })
    }

    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.cells[1] + y) * self.cells[0] + x
    }

    fn around(&self, crowd: &[DrawnAgent], point: Vector<3>) -> u32 {
        let [xs, ys, zs] = self.beside(self.cell(point));
        let mut count = 0;
        for &z in &zs {
            for &y in &ys {
                for &x in &xs {
                    let cell = self.number([x, y, z]);
                    for &row in &self.rows[self.starts[cell]..self.starts[cell + 1]] {
                        let offset = self.offset(point, crowd[row as usize].position);
                        count += u32::from(offset.length_squared() <= self.radius * self.radius);
                        if count > self.most {
                            return count;
                        }
                    }
                }
            }
        }
        count
    }

    /// The cells from one before to one after `cell`, axis by axis, each once.
    fn beside(&self, cell: [usize; 3]) -> [Vec<usize>; 3] {
        std::array::from_fn(|axis| {
            let (cells, at) = (self.cells[axis], cell[axis]);
            if cells <= 3 {
                (0..cells).collect()
            } else if self.wraps[axis] {
                vec![(at + cells - 1) % cells, at, (at + 1) % cells]
            } else {
                (at.saturating_sub(1)..(at + 2).clamp(0, cells)).collect()
            }
        })
    }

    fn offset(&self, from: Vector<3>, to: Vector<3>) -> Vector<3> {
        Vector::from_fn(|axis| {
            let (along, size) = ((to[axis] - from[axis]).abs(), self.extent[axis]);
            if self.wraps[axis] && size - along < along { size - along } else { along }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Bounds;

    #[test]
    fn counts_are_those_of_all_pairs() {
        let wraps = [[true; 3], [false; 3], [true, false, false], [false, true, true]];
        for (flat, wraps) in wraps.into_iter().flat_map(|wraps| [(true, wraps), (false, wraps)]) {
            let size = Vector([90.0, 40.0, if flat { 0.0 } else { 25.0 }]);
            let mut noise = throng::Noise::new(3, 0, 0, throng::Noise::USER);
            let crowd: Vec<DrawnAgent> = (0..300)
                .map(|_| DrawnAgent::at(Vector::from_fn(|axis| noise.between(0.0, 1.0) * size[axis])))
                .collect();
            let bounds = Bounds { low: Vector::ZERO, high: size };
            let subject = Subject { wraps, agents: crowd.len(), ..Subject::new(if flat { 2 } else { 3 }, bounds) };
            let mut neighbours = NeighbourCounts::new(&subject);
            let counts = neighbours.count(&crowd);
            for (one, share) in crowd.iter().zip(counts) {
                let all = crowd.iter().filter(|other| {
                    neighbours.offset(one.position, other.position).length_squared()
                        <= neighbours.radius * neighbours.radius
                });
                let expected = (all.count() as u32 - 1).clamp(0, neighbours.most);
                assert_eq!((share * neighbours.most as f32).round() as u32, expected);
            }
        }
    }
}
