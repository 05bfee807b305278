//! Worlds as sources of pictures.

mod environment;
mod images;
mod values;
mod walls;

use rayon::prelude::*;
use throng::ranks::Ranks;
use throng::{Agents, AnyWorld, Edge, Quantity, Vector, World, with_world};

use crate::bounds::{Bounds, Moments};
use crate::drawable::{Drawable, DrawnAgent, EnvironmentShape, Subject, Values};
pub use environment::{links, substances};
use images::in_space;
use values::Read;

/// The number of agents of a block.
const BLOCK: usize = 1 << 16;

/// On open axes, the bounds follow the present agents.
impl<const D: usize> Drawable for World<D> {
    fn subject(&self) -> Subject {
        subject(self, &|each| self.all_agents().iter().for_each(each))
    }

    fn tick(&self) -> u64 {
        World::tick(self)
    }

    fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent])) {
        crowd(self, &|each| self.all_agents().iter().for_each(each), each);
    }

    fn values(&self, name: &str) -> Option<Values> {
        values::values(self, name, &|each| self.all_agents().iter().for_each(each))
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

    fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent])) {
        with_world!(self, world => world.crowd(each));
    }

    fn values(&self, name: &str) -> Option<Values> {
        with_world!(self, world => Drawable::values(world, name))
    }

    fn shapes(&self) -> Vec<EnvironmentShape> {
        with_world!(self, world => world.shapes())
    }
}

/// A world on several ranks, which one of them draws. It reads the agents of the others block by block.
#[derive(Clone, Copy)]
pub struct Divided<'a> {
    /// The world on the rank that draws.
    pub world: &'a AnyWorld,
    /// Its ranks.
    pub ranks: &'a Ranks,
    /// The number of the rank that draws.
    pub rank: usize,
    /// Called before each reading: all other ranks then call [`Ranks::read_at`].
    pub announce: &'a dyn Fn(),
}

impl std::fmt::Debug for Divided<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Divided(on rank {})", self.rank)
    }
}

impl Divided<'_> {
    fn read<const D: usize>(&self, world: &World<D>, each: &mut dyn FnMut(&Agents<D>)) {
        (self.announce)();
        self.ranks.read_at(world, self.rank, each);
    }
}

impl Drawable for Divided<'_> {
    fn subject(&self) -> Subject {
        with_world!(self.world, world => subject(world, &|each| self.read(world, each)))
    }

    fn tick(&self) -> u64 {
        self.world.tick()
    }

    fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent])) {
        with_world!(self.world, world => crowd(world, &|each| self.read(world, each), each));
    }

    fn values(&self, name: &str) -> Option<Values> {
        with_world!(self.world, world => values::values(world, name, &|each| self.read(world, each)))
    }

    fn shapes(&self) -> Vec<EnvironmentShape> {
        self.world.shapes()
    }
}

/// The radii of people, in metres. Species of other sizes are people if their motion is a model of them.
const PEOPLE: [f32; 2] = [0.15, 0.45];

fn subject<const D: usize>(world: &World<D>, read: Read<'_, D>) -> Subject {
    let settings = world.settings();
    let (mut speeds, mut smallest) = ([f32::INFINITY, 0.0], f32::INFINITY);
    let (mut largest, mut people, mut states) = (Vec::new(), Vec::new(), 0);
    for agents in world.all_agents() {
        let id = agents.species();
        let Ok(kind) = world.species(id) else {
            people.push(false);
            largest.push(0.0);
            continue;
        };
        states += kind.states.len().max(1);
        speeds[0] = if kind.min_speed < speeds[0] { kind.min_speed } else { speeds[0] };
        let radius = kind.cores()[0] * kind.largest(Quantity::Radius);
        let walks = kind.motion.as_ref().is_some_and(|motion| motion.walks());
        people.push(D == 2 && (walks || (PEOPLE[0]..=PEOPLE[1]).contains(&radius)));
        largest.push(0.0);
        if agents.is_empty() {
            // They may come from a source.
            largest[id.number()] = radius;
            let most = kind.largest(Quantity::MaxSpeed);
            speeds[1] = if most > speeds[1] { most } else { speeds[1] };
        }
    }
    let (mut box_of_all, mut moments, mut count) = (Bounds::EMPTY, Moments::default(), 0);
    read(&mut |agents| {
        let (body, core) = (&mut largest[agents.species().number()], core(world, agents));
        for row in 0..agents.len() {
            let (most, radius) = (agents.max_speed(row), core * agents.radius(row));
            let position = in_space(agents.position(row));
            box_of_all = box_of_all.including(position);
            moments.add(position);
            speeds[1] = if most > speeds[1] { most } else { speeds[1] };
            smallest = if radius > 0.0 && radius < smallest { radius } else { smallest };
            *body = if radius > *body { radius } else { *body };
        }
        count += agents.len();
    });
    let of_edge = |edge| std::array::from_fn(|axis| axis < D && settings.edge[axis] == edge);
    let mut bounds = Bounds { low: Vector::ZERO, high: in_space(settings.size) };
    if count > 0 {
        bounds = bounds.with_axes(of_edge(Edge::Open), box_of_all.with_margin(D));
    }
    let (wraps, species, crowd) = (of_edge(Edge::Wrap), largest.len(), moments.most_of(box_of_all));
    let (agents, is_open) = (count, of_edge(Edge::Open).contains(&true));
    Subject { flat: D == 2, bounds, crowd, wraps, is_open, agents, species, states, speeds, smallest, largest, people }
}

/// The part of the radius that pictures show: shoulders that yield in a press would overlap in them.
fn core<const D: usize>(world: &World<D>, agents: &Agents<D>) -> f32 {
    world.species(agents.species()).map_or(1.0, |species| species.cores()[0])
}

fn crowd<const D: usize>(world: &World<D>, read: Read<'_, D>, each: &mut dyn FnMut(&[DrawnAgent])) {
    let tick = if world.tick() > 0 { world.settings().tick_seconds } else { 0.0 };
    let mut states = 0;
    // The number of the first state of each species.
    let first = world.all_agents().iter().map(|agents| {
        let first = states;
        states += world.species(agents.species()).map_or(0, |species| species.states.len()).max(1) as u32;
        first
    });
    let first: Vec<u32> = first.collect();
    let mut block = Vec::new();
    read(&mut |agents| {
        let (number, core) = (agents.species().number(), core(world, agents));
        for start in (0..agents.len()).step_by(BLOCK) {
            let rows = start..(start + BLOCK).clamp(0, agents.len());
            block.clear();
            block.par_extend(rows.into_par_iter().with_min_len(1024).map(|row| {
                let (position, velocity) = (in_space(agents.position(row)), in_space(agents.velocity(row)));
                DrawnAgent {
                    position,
                    velocity,
                    before: position - velocity * tick,
                    radius: core * agents.radius(row),
                    species: number as u32,
                    state: first[number] + agents.state(row) as u32,
                }
            }));
            each(&block);
        }
    });
}
