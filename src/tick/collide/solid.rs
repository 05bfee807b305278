//! Solids that appear on the centre of an agent.

use crate::environment::tree::Aabb;
use crate::maths::Vector;
use crate::maths::wide::{Wide, add, scaled, widened};
use crate::tick::collide::near::Walls;
use crate::tick::collide::walker::{AgentBuffers, Motion, Stopped, Walker, without};

impl<const D: usize> Walker<D> {
    /// Moves an agent out of a solid that has appeared on its centre, to the nearest side that no other wall bars.
    pub(super) fn leave_solid(
        &self,
        walls: &Walls<'_, D>,
        skin: f64,
        buffers: &mut AgentBuffers<D>,
    ) -> Option<Stopped<D>> {
        let buried =
            *buffers.near.iter().find(|near| !walls.step(near.wall).stood && near.piece.contains(near.start))?;
        let (step, clear) = (walls.step(buried.wall).step, f64::from(self.motion.radius) + skin);
        let [low, high] = buried.piece.bounds();
        let mut ways: Vec<(f64, Wide<D>)> = Vec::new();
        let nearest = buried.piece.nearest(buried.start);
        ways.push((nearest.distance, scaled(nearest.normal, -1.0)));
        for axis in 0..D {
            for (depth, towards) in [(buried.start[axis] - low[axis], -1.0), (high[axis] - buried.start[axis], 1.0)] {
                let mut way = [0.0; D];
                way[axis] = towards;
                ways.push((depth, way));
            }
        }
        ways.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (depth, way) in ways {
            let at = self.motion.displaced(add(scaled(way, depth + clear), step));
            let moved = Motion { to: at, ..self.motion };
            let [low, high] = moved.path_box(walls, 2.0 * clear);
            let bounds = Aabb {
                centre: Vector::from_fn(|axis| (0.5 * (low[axis] + high[axis])) as f32),
                half: Vector::from_fn(|axis| (0.5 * (high[axis] - low[axis])) as f32),
            };
            walls.index.find(&bounds, &mut buffers.found);
            buffers.exits.clear();
            walls.gather(&buffers.found, self.motion.from, [low, high], &mut buffers.exits);
            let confined = walls.confined(at);
            let is_free = buffers.exits.iter().all(|near| {
                let end = walls.end(near, confined);
                if near.wall == buried.wall && near.image == buried.image {
                    return !near.piece.contains(end) && !near.piece.meets(end, end);
                }
                let start = if near.is_on { end } else { near.start };
                !near.piece.meets(start, end)
            });
            if is_free && self.motion.is_nearest_image(walls, at) {
                let wide = without(widened(self.motion.velocity.0), [0.0; D], way);
                return Some(Stopped { position: at, velocity: Vector(wide.map(|component| component as f32)) });
            }
        }
        None
    }
}
