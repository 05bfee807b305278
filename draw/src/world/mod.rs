//! Worlds as sources of pictures.

mod environment;
mod walls;

use rayon::prelude::*;
use throng::{AnyWorld, Edge, Vector, World, with_world};

use crate::bounds::Bounds;
use crate::drawable::{Agent, Drawable, EnvironmentShape, Subject};

/// On open axes, the bounds are those of the present agents.
impl<const D: usize> Drawable for World<D> {
    fn subject(&self) -> Subject {
        let mut crowd = Vec::new();
        self.crowd(&mut crowd);
        let settings = self.settings();
        let of_edge = |edge| std::array::from_fn(|axis| axis < D && settings.edge[axis] == edge);
        let mut bounds = Bounds { low: Vector::ZERO, high: in_space(settings.size) };
        if !crowd.is_empty() {
            let of_agents = crowd.iter().fold(Bounds::EMPTY, |bounds, agent| bounds.including(agent.position));
            bounds = bounds.with_axes(of_edge(Edge::Open), of_agents.with_margin(D));
        }
        let (mut speeds, mut smallest) = ([f32::INFINITY, 0.0], f32::INFINITY);
        let (mut largest, mut states) = (Vec::new(), 0);
        for id in self.species_ids() {
            let (Ok(agents), Ok(kind)) = (self.agents(id), self.species(id)) else { continue };
            states += kind.states.len().max(1);
            let mut body = 0.0;
            if agents.is_empty() {
                // They may come from a source.
                body = kind.radius.largest();
                let most = kind.max_speed.largest();
                speeds[1] = if most > speeds[1] { most } else { speeds[1] };
            }
            speeds[0] = if kind.min_speed < speeds[0] { kind.min_speed } else { speeds[0] };
            for row in 0..agents.len() {
                let (most, radius) = (agents.max_speed(row), agents.radius(row));
                speeds[1] = if most > speeds[1] { most } else { speeds[1] };
                smallest = if radius > 0.0 && radius < smallest { radius } else { smallest };
                body = if radius > body { radius } else { body };
            }
            largest.push(body);
        }
        let (wraps, species) = (of_edge(Edge::Wrap), largest.len());
        Subject { flat: D == 2, bounds, wraps, agents: crowd.len(), species, states, speeds, smallest, largest }
    }

    fn tick(&self) -> u64 {
        World::tick(self)
    }

    fn crowd(&self, crowd: &mut Vec<Agent>) {
        let tick = if self.tick() > 0 { self.settings().tick_seconds } else { 0.0 };
        let mut first = 0;
        for id in self.species_ids() {
            let (Ok(agents), Ok(species)) = (self.agents(id), self.species(id)) else { continue };
            crowd.par_extend((0..agents.len()).into_par_iter().with_min_len(1024).map(|row| {
                let (position, velocity) = (in_space(agents.position(row)), in_space(agents.velocity(row)));
                Agent {
                    position,
                    velocity,
                    before: position - velocity * tick,
                    radius: agents.radius(row),
                    species: id.number() as u32,
                    state: first + agents.state(row) as u32,
                }
            }));
            first += species.states.len().max(1) as u32;
        }
    }

    fn shapes(&self) -> Vec<EnvironmentShape> {
        environment::shapes(self)
    }
}

impl Drawable for AnyWorld {
    fn subject(&self) -> Subject {
        with_world!(self, world => world.subject())
    }

    fn tick(&self) -> u64 {
        AnyWorld::tick(self)
    }

    fn crowd(&self, crowd: &mut Vec<Agent>) {
        with_world!(self, world => world.crowd(crowd));
    }

    fn shapes(&self) -> Vec<EnvironmentShape> {
        with_world!(self, world => world.shapes())
    }
}

/// Extends a vector to three dimensions with zeros.
fn in_space<const D: usize>(vector: Vector<D>) -> Vector<3> {
    Vector::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 })
}
