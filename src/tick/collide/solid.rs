//! Solids with the centre of an agent inside: they have appeared there, or a host has placed the agent.

use crate::boxes::aabb::Aabb;
use crate::maths::Vector;
use crate::maths::wide::{add, scaled, widened};
use crate::tick::collide::near::{NearPiece, Walls};
use crate::tick::collide::walker::{AgentBuffers, Motion, Stopped, Walker, WayOut, without};

impl<const D: usize> Walker<D> {
    /// Moves an agent out of the solids that its centre is inside, to the nearest side that no other wall bars.
    pub(super) fn leave_solid(
        &self,
        walls: &Walls<'_, D>,
        skin: f64,
        AgentBuffers { near, exits, found, ways, leaves_solid, .. }: &mut AgentBuffers<D>,
    ) -> Option<Stopped<D>> {
        ways.clear();
        near.iter().filter(|near| near.is_inside).for_each(|solid| ways_out(walls, solid, ways));
        *leaves_solid = !ways.is_empty();
        ways.sort_by(|a, b| a.depth.total_cmp(&b.depth));
        let clear = f64::from(self.motion.radius) + skin;
        for &WayOut { depth, way, step } in ways.iter() {
            let at = self.motion.displaced(add(scaled(way, depth + clear), step));
            let moved = Motion { to: at, ..self.motion };
            let [low, high] = moved.path_box(walls, 2.0 * clear + walls.rounding);
            let bounds = Aabb {
                centre: Vector::from_fn(|axis| (0.5 * (low[axis] + high[axis])) as f32),
                half: Vector::from_fn(|axis| (0.5 * (high[axis] - low[axis])) as f32),
            };
            walls.index.find(&bounds, found);
            exits.clear();
            walls.gather(found, self.motion.from, [low, high], exits);
            let confined = walls.confined(at);
            let is_free = exits.iter().all(|near| {
                let end = walls.end(near, confined);
                // A chord from the inside to the outside of a convex solid leaves it once.
                let start = if near.is_inside { end } else { near.start };
                !near.piece.contains(end) && !near.piece.bars(near.is_on, start, end)
            });
            if is_free && self.motion.is_nearest_image(walls, at) {
                let wide = without(widened(self.motion.velocity.0), [0.0; D], way);
                return Some(Stopped { position: at, velocity: Vector(wide.map(|component| component as f32)) });
            }
        }
        None
    }
}

/// Appends the ways out of a solid: through the nearest point of its surface, and along each axis.
fn ways_out<const D: usize>(walls: &Walls<'_, D>, solid: &NearPiece<D>, ways: &mut Vec<WayOut<D>>) {
    let (step, [low, high]) = (walls.step(solid.wall).step, solid.piece.bounds());
    let nearest = solid.piece.nearest(solid.start);
    ways.push(WayOut { depth: nearest.distance, way: scaled(nearest.normal, -1.0), step });
    for axis in 0..D {
        for (depth, towards) in [(solid.start[axis] - low[axis], -1.0), (high[axis] - solid.start[axis], 1.0)] {
            let mut way = [0.0; D];
            way[axis] = towards;
            ways.push(WayOut { depth, way, step });
        }
    }
}
