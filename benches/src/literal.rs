//! The literal reading of "agents in a struct of arrays, indexed in an R-tree each tick", as a design.
//!
//! The tree has one leaf per agent, in spawn order. Each agent makes one query; the same three rules give its force;
//! Euler's method moves it. Queries and motion run in parallel; rstar loads its tree on one thread. The code aims to be
//! correct, short and reasonably fast: agents are copied into the tree only, nothing is allocated per agent, and one
//! walk over the neighbours serves all three rules.

use rayon::prelude::*;
use rstar::RTree;
use rstar::primitives::GeomWithData;
use throng::Vector;

use crate::design::{Counts, Design};
use crate::flock::{Flock, MAX_FORCE, MAX_SPEED, RADIUS, RESPONSE, SEPARATION_RADIUS, TICK_SECONDS};
use crate::rival::{Clock, hash};

/// An index of points.
pub trait PointIndex<const D: usize>: Send + Sync {
    /// Builds the index of these points.
    fn new(points: Vec<[f32; D]>) -> Self;

    /// Calls `visit` with the number and the position of each point within the perception radius.
    fn within(&self, from: [f32; D], visit: impl FnMut(usize, [f32; D]));
}

/// An R-tree of points and their numbers.
#[derive(Debug)]
pub struct Rstar<const D: usize>(RTree<GeomWithData<[f32; D], usize>>);

impl<const D: usize> PointIndex<D> for Rstar<D> {
    fn new(points: Vec<[f32; D]>) -> Self {
        let leaf = |(number, point)| GeomWithData::new(point, number);
        Self(RTree::bulk_load(points.into_iter().enumerate().map(leaf).collect()))
    }

    fn within(&self, from: [f32; D], mut visit: impl FnMut(usize, [f32; D])) {
        for leaf in self.0.locate_within_distance(from, RADIUS * RADIUS) {
            visit(leaf.data, *leaf.geom());
        }
    }
}

/// A periodic world that finds neighbours through a tree of agents.
#[derive(Debug)]
pub struct PerAgentTree<const D: usize, T = Rstar<D>> {
    /// The type of the index, which is rebuilt in every tick.
    tree: std::marker::PhantomData<T>,
    size: f32,
    position: [Vec<f32>; D],
    velocity: [Vec<f32>; D],
    force: Vec<Vector<D>>,
    /// Per agent: the number of its neighbours in the last tick.
    neighbours: Vec<u64>,
    /// Milliseconds of the last tick's stages.
    stages: [(&'static str, f64); 3],
}

impl<const D: usize, T: PointIndex<D>> PerAgentTree<D, T> {
    /// Builds the flock, before its first tick.
    #[must_use]
    pub fn new(flock: &Flock<D>) -> Self {
        let columns = |vectors: &[Vector<D>]| {
            std::array::from_fn(|axis| vectors.iter().map(|vector| vector[axis]).collect::<Vec<f32>>())
        };
        Self {
            tree: std::marker::PhantomData,
            size: flock.size,
            position: columns(&flock.position),
            velocity: columns(&flock.velocity),
            force: Vec::new(),
            neighbours: Vec::new(),
            stages: [("tree", 0.0), ("steer", 0.0), ("integrate", 0.0)],
        }
    }

    /// Advances by one tick.
    pub fn tick(&mut self) {
        let mut clock = Clock::start();
        let tree = T::new((0..self.position[0].len()).map(|row| self.position(row).0).collect());
        self.stages[0].1 = clock.lap();
        let (mut force, mut neighbours) = (std::mem::take(&mut self.force), std::mem::take(&mut self.neighbours));
        (0..self.position[0].len())
            .into_par_iter()
            .map(|row| self.steer(&tree, row))
            .unzip_into_vecs(&mut force, &mut neighbours);
        (self.force, self.neighbours) = (force, neighbours);
        drop(tree);
        self.stages[1].1 = clock.lap();
        self.integrate();
        self.stages[2].1 = clock.lap();
    }

    /// Returns the force on one agent and the number of its neighbours.
    fn steer(&self, tree: &T, row: usize) -> (Vector<D>, u64) {
        let (position, velocity) = (self.position(row), self.velocity(row));
        let mut inverse_offsets = Vector::ZERO;
        let mut velocities = Vector::ZERO;
        let mut offsets = Vector::ZERO;
        let mut count = 0;
        // The tree does not wrap around: one query for each image of the agent whose disc meets the world.
        for image in 0..3usize.pow(D as u32) {
            let Some(from) = self.image(position, image) else { continue };
            tree.within(from.0, |other, point| {
                if other == row {
                    return;
                }
                let offset = Vector(point) - from;
                let squared = offset.length_squared();
                if squared <= SEPARATION_RADIUS * SEPARATION_RADIUS && squared > 0.0 {
                    inverse_offsets += offset / squared;
                }
                velocities += self.velocity(other);
                offsets += offset;
                count += 1;
            });
        }
        let mut force = Vector::ZERO;
        for direction in [-inverse_offsets.direction(), offsets.direction()] {
            if direction != Vector::ZERO {
                force += (direction * MAX_SPEED - velocity) / RESPONSE;
            }
        }
        if count > 0 {
            force += (velocities / count as f32 - velocity) / RESPONSE;
        }
        (force, count)
    }

    /// Returns one of the 3^D images of a point, if an agent of the world can be within the radius of that image.
    fn image(&self, mut point: Vector<D>, mut number: usize) -> Option<Vector<D>> {
        for axis in 0..D {
            match number % 3 {
                1 if point[axis] < RADIUS => point[axis] += self.size,
                2 if point[axis] > self.size - RADIUS => point[axis] -= self.size,
                0 => {}
                _ => return None,
            }
            number /= 3;
        }
        Some(point)
    }

    /// Integrates forces to velocities and velocities to positions. An agent that crosses the seam enters on the other
    /// side.
    fn integrate(&mut self) {
        let Self { size, position, velocity, force, .. } = self;
        for axis in 0..D {
            let forces = force.par_iter().with_min_len(4096);
            velocity[axis].par_iter_mut().zip(forces).for_each(|(velocity, force)| {
                *velocity += force.truncate(MAX_FORCE)[axis] * TICK_SECONDS;
            });
        }
        let speed_squared = |row: usize| Vector::<D>::from_fn(|axis| velocity[axis][row]).length_squared();
        let factors: Vec<f32> = (0..force.len())
            .into_par_iter()
            .with_min_len(4096)
            .map(|row| {
                let squared = speed_squared(row);
                if squared > MAX_SPEED * MAX_SPEED { MAX_SPEED / squared.sqrt() } else { 1.0 }
            })
            .collect();
        for (position, velocity) in position.iter_mut().zip(velocity) {
            let rows = position.par_iter_mut().zip(velocity).zip(&factors).with_min_len(4096);
            rows.for_each(|((position, velocity), factor)| {
                *velocity *= factor;
                *position += *velocity * TICK_SECONDS;
                if *position < 0.0 {
                    *position += *size;
                }
                if *position >= *size {
                    *position -= *size;
                }
            });
        }
    }

    /// Returns the position of an agent.
    #[must_use]
    pub fn position(&self, row: usize) -> Vector<D> {
        Vector::from_fn(|axis| self.position[axis][row])
    }

    fn velocity(&self, row: usize) -> Vector<D> {
        Vector::from_fn(|axis| self.velocity[axis][row])
    }

    /// Returns the mean number of neighbours of an agent in the last tick.
    #[must_use]
    pub fn mean_neighbours(&self) -> f64 {
        self.neighbours.iter().sum::<u64>() as f64 / self.neighbours.len() as f64
    }
}

impl<const D: usize, T: PointIndex<D>> Design for PerAgentTree<D, T> {
    fn tick(&mut self) {
        Self::tick(self);
    }

    fn counts(&self) -> Counts {
        // The tree returns exactly the points within the radius, the agent's own among them.
        let neighbours = self.neighbours.iter().sum();
        Counts { candidates: neighbours + self.neighbours.len() as u64, neighbours, capped: 0 }
    }

    fn stages(&self) -> Vec<(&'static str, f64)> {
        self.stages.to_vec()
    }

    fn hash(&self) -> u64 {
        hash(self.position.iter().chain(&self.velocity).flatten().copied())
    }
}
