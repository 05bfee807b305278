//! An agent near walls, and the buffers of its motion.

use crate::agents::events::Event;
use crate::base::ids::{AgentId, SpeciesId};
use crate::maths::Vector;
use crate::maths::wide::{Wide, dot, scaled, sub, widened};
use crate::tick::collide::near::{NearPiece, Walls};
use crate::tick::collide::steps::LARGEST_SHARE;

/// An agent near walls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walker<const D: usize> {
    pub(crate) agent: AgentId,
    pub(crate) species: SpeciesId,
    pub(crate) motion: Motion<D>,
}

/// The motion of an agent at the end of the stage integrate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Motion<const D: usize> {
    pub(crate) from: Vector<D>,
    pub(crate) to: Vector<D>,
    pub(crate) velocity: Vector<D>,
    pub(crate) radius: f32,
}

/// The distances of an agent near walls, in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Margins {
    pub(super) radius: f64,
    /// The distance that it keeps from walls beyond its radius, so that rounding leaves no overlap.
    pub(super) skin: f64,
    /// The distance of its centre from a wall that it touches.
    pub(super) touch: f64,
    /// The distance from its path within which walls are considered.
    pub(super) room: f64,
}

/// The effects of walls on an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Moved<const D: usize> {
    /// Nothing. No wall is nearer than this to the middle of its path, in metres.
    Clear(f64),
    /// Nothing, but a wall is close.
    Unchanged,
    /// They change its motion.
    Stopped(Stopped<D>),
}

/// The position and the velocity of an agent that walls stopped, before the edge of the world is applied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stopped<const D: usize> {
    pub(crate) position: Vector<D>,
    pub(crate) velocity: Vector<D>,
}

/// A way out of a solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct WayOut<const D: usize> {
    pub(super) depth: f64,
    pub(super) way: Wide<D>,
    /// The motion of the solid.
    pub(super) step: Wide<D>,
}

/// Buffers of a thread.
#[derive(Debug, Default)]
pub(crate) struct AgentBuffers<const D: usize> {
    pub(super) near: Vec<NearPiece<D>>,
    pub(super) exits: Vec<NearPiece<D>>,
    pub(super) found: Vec<u32>,
    pub(super) ways: Vec<WayOut<D>>,
    pub(super) hits: Vec<Hit<D>>,
    /// The walls that the agent touched at the start.
    pub(super) touched: Vec<u32>,
    /// The moving walls that would press the agent against something that holds.
    pub(crate) blocked: Vec<(u32, Event)>,
    pub(crate) events: Vec<Event>,
    /// Whether the centre of an agent was inside a solid.
    pub(crate) leaves_solid: bool,
}

/// A wall that an agent ran into, and the normal there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit<const D: usize> {
    pub(super) wall: u32,
    pub(super) normal: Wide<D>,
}

/// The distance within which a body touches a wall, in radii.
const TOUCH: f64 = 0.01;

impl Margins {
    /// The distance at which a wall holds the body that is at this distance from it: less where they overlap.
    pub(super) fn reach(&self, distance: f64) -> f64 {
        let clear = self.radius + self.skin;
        if distance < clear { distance } else { clear }
    }
}

impl<const D: usize> Motion<D> {
    /// The margins of the agent.
    pub(super) fn margins(&self, walls: &Walls<'_, D>) -> Margins {
        let mut most = self.radius;
        for axis in 0..D {
            for at in [self.from[axis].abs(), self.to[axis].abs()] {
                most = if at > most { at } else { most };
            }
        }
        let radius = f64::from(self.radius);
        let skin = 4.0 * f64::from(f32::EPSILON) * f64::from(most) + 1e-5 * radius;
        Margins {
            radius,
            skin,
            touch: radius + TOUCH * radius + 4.0 * skin,
            room: 2.1 * radius + 4.0 * skin + walls.rounding,
        }
    }

    /// How far from its path an agent perceives walls, in radii.
    pub(crate) const REACH: f32 = 2.2;

    /// The box around the path, with this much room, and more for walls that move.
    pub(super) fn path_box(&self, walls: &Walls<'_, D>, room: f64) -> [Wide<D>; 2] {
        let (mut low, mut high) = ([0.0; D], [0.0; D]);
        for axis in 0..D {
            let (from, to) = (f64::from(self.from[axis]), f64::from(self.to[axis]));
            let room = room + walls.largest_step[axis];
            (low[axis], high[axis]) = if from < to { (from - room, to + room) } else { (to - room, from + room) };
        }
        [low, high]
    }

    /// Shortens a path that is longer than the largest share of a period. Returns whether it was.
    pub(super) fn shorten(&mut self, walls: &Walls<'_, D>) -> bool {
        let (size, path) = (walls.size, sub(widened(self.to.0), widened(self.from.0)));
        let mut share = 1.0;
        for axis in 0..D {
            let most = LARGEST_SHARE * size[axis];
            if most > 0.0 && path[axis].abs() * share > most {
                share = most / path[axis].abs();
            }
        }
        if share < 1.0 {
            self.to = self.displaced(scaled(path, share));
        }
        share < 1.0
    }

    /// Whether a position is nearer to the agent than all of its images.
    pub(super) fn is_nearest_image(&self, walls: &Walls<'_, D>, at: Vector<D>) -> bool {
        let (size, path) = (walls.size, sub(widened(at.0), widened(self.from.0)));
        (0..D).all(|axis| size[axis] == 0.0 || path[axis].abs() < 0.49 * size[axis])
    }

    /// Whether all walls near a position are among those near the path.
    pub(super) fn is_known(&self, walls: &Walls<'_, D>, at: Vector<D>, margins: &Margins) -> bool {
        let [low, high] = self.path_box(walls, 1.01 * margins.radius + 2.0 * margins.skin);
        (0..D).all(|axis| (low[axis]..=high[axis]).contains(&f64::from(at[axis])))
    }

    pub(super) fn displaced(&self, by: Wide<D>) -> Vector<D> {
        Vector::from_fn(|axis| (f64::from(self.from[axis]) + by[axis]) as f32)
    }
}

/// The motion without its part into a wall that moves by `step`.
pub(super) fn without<const D: usize>(motion: Wide<D>, step: Wide<D>, normal: Wide<D>) -> Wide<D> {
    let into = dot(sub(motion, step), normal);
    if into < 0.0 { sub(motion, scaled(normal, into)) } else { motion }
}
