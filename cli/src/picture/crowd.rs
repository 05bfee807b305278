//! The agents of one tick, from a running world or a trajectory, as pictures need them.

use rayon::prelude::*;
use throng::{AnyWorld, Edge, Vector, World, with_world};

use super::camera::in_space;

/// One agent to draw. Its vectors have three axes; the third is zero in 2D.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    pub(crate) position: Vector<3>,
    pub(crate) velocity: Vector<3>,
    /// The position at the tick before, not wrapped: on the same side of a periodic boundary.
    pub(crate) before: Vector<3>,
    /// In metres.
    pub(crate) radius: f32,
    pub(crate) species: u32,
    /// The number of its state among the states of all species.
    pub(crate) state: u32,
}

/// Fills `crowd` with the present agents of a world.
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

/// The facts about a crowd that hold at every tick.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// Whether the world has two dimensions.
    pub(crate) flat: bool,
    /// The lowest and the highest corner of the part to show.
    pub(crate) bounds: [Vector<3>; 2],
    /// Whether the world is periodic.
    pub(crate) wraps: bool,
    /// The approximate number of agents.
    pub(crate) agents: usize,
    pub(crate) species: usize,
    /// The number of states of all species together.
    pub(crate) states: usize,
    /// The lowest and the highest speed to expect, in metres per second.
    pub(crate) speeds: [f32; 2],
    /// The radius of the smallest body that is not a point, in metres; infinite if all are.
    pub(crate) smallest: f32,
}

impl Subject {
    /// The subject of a world. The bounds of an open world are those of its present agents.
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

/// The bounds of an empty set of points.
pub(crate) const NOWHERE: [Vector<3>; 2] = [Vector([f32::INFINITY; 3]), Vector([f32::NEG_INFINITY; 3])];

/// Widens the bounds to hold a point.
pub(crate) fn around([low, high]: [Vector<3>; 2], point: Vector<3>) -> [Vector<3>; 2] {
    [
        Vector::from_fn(|axis| if point[axis] < low[axis] { point[axis] } else { low[axis] }),
        Vector::from_fn(|axis| if point[axis] > high[axis] { point[axis] } else { high[axis] }),
    ]
}

/// Adds a margin to the bounds.
pub(crate) fn with_margin([low, high]: [Vector<3>; 2], dimensions: usize) -> [Vector<3>; 2] {
    let margin = (high - low).length() * 0.03 + 1.0;
    let margin = Vector::from_fn(|axis| if axis < dimensions { margin } else { 0.0 });
    [low - margin, high + margin]
}
