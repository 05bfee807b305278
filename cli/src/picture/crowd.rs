//! The agents that are seen at one tick: the same for a world that runs and for a trajectory.

use rayon::prelude::*;
use throng::{AnyWorld, Edge, Vector, World, with_world};

use super::camera::in_space;

/// An agent, as far as a picture is concerned; in space, whether its world is or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    pub(crate) position: Vector<3>,
    pub(crate) velocity: Vector<3>,
    /// Where it was at the tick before, on the same side of a seam.
    pub(crate) before: Vector<3>,
    /// In metres.
    pub(crate) radius: f32,
    pub(crate) species: u32,
    /// The number of its state among the states of all species.
    pub(crate) state: u32,
}

/// Fills `crowd` with the agents of a world as it is now.
pub(crate) fn see<const D: usize>(world: &World<D>, crowd: &mut Vec<Sight>) {
    crowd.clear();
    let tick = if world.tick() > 0 { world.settings().tick_seconds } else { 0.0 };
    let mut first = 0;
    for id in world.species_ids() {
        let (Ok(agents), Ok(species)) = (world.agents(id), world.species(id)) else { continue };
        crowd.par_extend((0..agents.len()).into_par_iter().with_min_len(1024).map(|row| {
            let (position, velocity) = (in_space(agents.position(row)), in_space(agents.velocity(row)));
            Sight {
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

/// What is the same at every tick of what is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// Whether it has two dimensions.
    pub(crate) flat: bool,
    /// The lowest and the highest corner of what there is to see.
    pub(crate) bounds: [Vector<3>; 2],
    /// Whether who leaves on one side comes in on the other.
    pub(crate) wraps: bool,
    /// How many agents there are about.
    pub(crate) agents: usize,
    pub(crate) species: usize,
    /// The states of all species together.
    pub(crate) states: usize,
    /// The lowest and the highest speed to expect, in metres per second.
    pub(crate) speeds: [f32; 2],
    /// The radius of the smallest body that is not a point, in metres; infinite if all are.
    pub(crate) smallest: f32,
}

impl Subject {
    /// A world and what becomes of it: a world without an edge is where its agents are now.
    pub(crate) fn of(world: &AnyWorld) -> Self {
        with_world!(world, world => Self::of_world(world))
    }

    fn of_world<const D: usize>(world: &World<D>) -> Self {
        let mut crowd = Vec::new();
        see(world, &mut crowd);
        let settings = world.settings();
        let open = settings.edge == Edge::Open && !crowd.is_empty();
        let bounds = if open {
            with_margin(crowd.iter().fold(NOWHERE, |bounds, sight| around(bounds, sight.position)), D)
        } else {
            [Vector::ZERO, in_space(settings.size)]
        };
        let (mut speeds, mut smallest) = ([f32::INFINITY, 0.0], f32::INFINITY);
        let (mut species, mut states) = (0, 0);
        for id in world.species_ids() {
            let (Ok(agents), Ok(kind)) = (world.agents(id), world.species(id)) else { continue };
            species += 1;
            states += kind.states.len().max(1);
            speeds[0] = if kind.min_speed < speeds[0] { kind.min_speed } else { speeds[0] };
            for row in 0..agents.len() {
                let (most, radius) = (agents.max_speed(row), agents.radius(row));
                speeds[1] = if most > speeds[1] { most } else { speeds[1] };
                smallest = if radius > 0.0 && radius < smallest { radius } else { smallest };
            }
        }
        let wraps = settings.edge == Edge::Wrap;
        Self { flat: D == 2, bounds, wraps, agents: crowd.len(), species, states, speeds, smallest }
    }
}

/// The bounds of no points.
pub(crate) const NOWHERE: [Vector<3>; 2] = [Vector([f32::INFINITY; 3]), Vector([f32::NEG_INFINITY; 3])];

/// The bounds, widened to hold a point.
pub(crate) fn around([low, high]: [Vector<3>; 2], point: Vector<3>) -> [Vector<3>; 2] {
    [
        Vector::from_fn(|axis| if point[axis] < low[axis] { point[axis] } else { low[axis] }),
        Vector::from_fn(|axis| if point[axis] > high[axis] { point[axis] } else { high[axis] }),
    ]
}

/// The bounds with some air around them.
pub(crate) fn with_margin([low, high]: [Vector<3>; 2], dimensions: usize) -> [Vector<3>; 2] {
    let margin = (high - low).length() * 0.03 + 1.0;
    let margin = Vector::from_fn(|axis| if axis < dimensions { margin } else { 0.0 });
    [low - margin, high + margin]
}
