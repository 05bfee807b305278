//! The motion of one agent near walls: it moves, slides, stops or rests, whichever crosses no wall.
//!
//! Candidates come from approximate geometry, and the first that passes the exact test is taken. Safety is thus a
//! matter of the test alone. The path of an agent in a tick is the chord between its positions, so an agent that slid
//! round a corner may not cut it.

use crate::agents::events::Event;
use crate::maths::Vector;
use crate::maths::wide::{length, scaled, sub, widened};
use crate::tick::collide::near::Walls;
use crate::tick::collide::steps::LARGEST_SHARE;
use crate::tick::collide::walker::{AgentBuffers, Stopped, Walker, without};

/// The distance within which a body touches a wall, in radii.
const TOUCH: f64 = 0.01;

impl<const D: usize> Walker<D> {
    /// Moves the agent among these pieces. Returns its position and velocity if walls change them. Appends events and
    /// blocked walls.
    pub(crate) fn resolve(
        mut self,
        walls: &Walls<'_, D>,
        pieces: &[u32],
        buffers: &mut AgentBuffers<D>,
    ) -> Option<Stopped<D>> {
        let (skin, radius) = (self.skin(), f64::from(self.radius));
        let room = 2.1 * radius + 4.0 * skin;
        buffers.near.clear();
        // A path past no wall may be of any length. The nearest image of its end may be anywhere on a long axis.
        let mut whole = self.path_box(walls, room);
        let size = walls.size();
        for axis in 0..D {
            if whole[1][axis] - whole[0][axis] - 2.0 * room > LARGEST_SHARE * size[axis] {
                whole[0][axis] -= size[axis];
                whole[1][axis] += size[axis];
            }
        }
        let shortened = self.shorten(walls);
        if shortened && !walls.any_near(pieces, whole) {
            return None;
        }
        walls.gather(pieces, self.from, self.path_box(walls, room), &mut buffers.near);
        if buffers.near.is_empty() && !shortened {
            return None;
        }
        let touch = radius + TOUCH * radius + 4.0 * skin;
        let confined = walls.confined(self.to);
        let longest = length(sub(widened(self.to.0), widened(self.from.0))) + length(walls.largest_step) + skin;
        let mut is_clear = !shortened;
        let mut touches = false;
        for near in &mut buffers.near {
            let end = walls.end(near, confined);
            near.at_end = near.piece.nearest(end);
            let gap = near.at_end.distance;
            let appears = !walls.step(near.wall).stood && (gap <= touch || near.piece.contains(near.start));
            // A wall farther away than the path is long is not on it.
            let may_meet = gap <= 1.01 * longest;
            is_clear = is_clear
                && gap >= radius
                && !near.is_on
                && !appears
                && !(may_meet && near.piece.meets(near.start, end));
            touches |= gap <= touch;
        }
        if is_clear && !touches {
            return None;
        }
        self.measure(walls, radius, skin, touch, buffers);
        buffers.hits.clear();
        if is_clear {
            self.report(touch, buffers);
            return None;
        }
        if let Some(stopped) = self.leave_solid(walls, skin, buffers) {
            return Some(stopped);
        }
        let (position, rests) = self.choose(walls, radius, skin, buffers);
        if position != self.to {
            let confined = walls.confined(position);
            for near in &mut buffers.near {
                near.at_end = near.piece.nearest(walls.end(near, confined));
            }
        }
        let velocity = self.deflected(walls, position, rests, touch, buffers);
        self.report(touch, buffers);
        let is_changed = shortened || position != self.to || velocity != self.velocity;
        is_changed.then_some(Stopped { position, velocity })
    }

    /// Measures the distances at the start, and reports bodies on which a wall has appeared.
    fn measure(&self, walls: &Walls<'_, D>, radius: f64, skin: f64, touch: f64, buffers: &mut AgentBuffers<D>) {
        buffers.touched.clear();
        for place in 0..buffers.near.len() {
            let near = &mut buffers.near[place];
            let wall = near.wall;
            near.at_start = near.piece.nearest(near.start);
            let (distance, stood) = (near.at_start.distance, walls.step(wall).stood);
            near.reach = if distance < radius + skin { distance } else { radius + skin };
            if stood && distance <= touch {
                buffers.touched.push(wall);
            }
            let buried = !stood && near.piece.contains(near.start);
            if !stood && (buried || distance < radius) {
                let depth = (if buried { radius + distance } else { radius - distance }) as f32;
                let (agent, species) = (self.agent, self.species);
                let known = buffers.events.iter_mut().rev().find_map(|event| match event {
                    Event::PushedOut { agent: other, wall: pushed, depth, .. }
                        if *other == agent && *pushed == wall =>
                    {
                        Some(depth)
                    }
                    _ => None,
                });
                match known {
                    Some(known) => *known = if depth > *known { depth } else { *known },
                    None => buffers.events.push(Event::PushedOut { agent, species, wall, depth }),
                }
                buffers.touched.push(wall);
            }
        }
    }

    /// Chooses where the agent goes. Also returns whether it rests.
    fn choose(&self, walls: &Walls<'_, D>, radius: f64, skin: f64, buffers: &mut AgentBuffers<D>) -> (Vector<D>, bool) {
        let path = sub(widened(self.to.0), widened(self.from.0));
        let slide = self.slide(walls, path, &buffers.near, &mut buffers.hits);
        let near = &buffers.near[..];
        // A candidate stays where all walls within reach of it are known.
        let [low, high] = self.path_box(walls, 1.01 * radius + 2.0 * skin);
        let is_allowed = |at: Vector<D>| {
            let is_known = (0..D).all(|axis| (low[axis]..=high[axis]).contains(&f64::from(at[axis])));
            is_known && self.is_nearest_image(walls, at) && walls.allow(near, at)
        };
        if buffers.hits.is_empty()
            && self.push(walls, slide.end, radius, skin, near) == slide.end
            && is_allowed(self.to)
        {
            return (self.to, false);
        }
        let half = scaled(slide.stop, 0.5);
        for by in [slide.end, slide.stop, half] {
            for by in [self.push(walls, by, radius, skin, near), by] {
                let at = self.displaced(by);
                if is_allowed(at) {
                    return (at, false);
                }
            }
        }
        let carried = near.iter().map(|near| walls.step(near.wall).step).filter(|step| *step != [0.0; D]);
        for by in std::iter::once([0.0; D]).chain(carried) {
            for by in [self.push(walls, by, radius, skin, near), by] {
                let at = self.displaced(by);
                if is_allowed(at) {
                    return (at, true);
                }
            }
        }
        for near in near {
            let step = walls.step(near.wall);
            let end = walls.end(near, walls.confined(self.from));
            if step.moves() && !near.is_on && near.piece.meets(near.start, end) {
                let event = Event::Squeezed { agent: self.agent, species: self.species, wall: near.wall };
                buffers.blocked.push((near.wall, event));
            }
        }
        (self.from, true)
    }

    /// The velocity at the end: without what leads into walls that the agent ran into or touches.
    fn deflected(
        &self,
        walls: &Walls<'_, D>,
        position: Vector<D>,
        rests: bool,
        touch: f64,
        AgentBuffers { near, hits, .. }: &AgentBuffers<D>,
    ) -> Vector<D> {
        let seconds = f64::from(walls.settings.tick_seconds);
        let mut velocity = widened(self.velocity.0);
        if rests {
            velocity = scaled(sub(widened(position.0), widened(self.from.0)), 1.0 / seconds);
        }
        let of_wall = |wall: u32| scaled(walls.step(wall).step, 1.0 / seconds);
        for _ in 0..2 {
            for hit in hits {
                velocity = without(velocity, of_wall(hit.wall), hit.normal);
            }
            for near in near {
                let nearest = near.at_end;
                if nearest.distance <= touch && nearest.distance > 0.0 {
                    velocity = without(velocity, of_wall(near.wall), nearest.normal);
                }
            }
        }
        if velocity == widened(self.velocity.0) {
            return self.velocity;
        }
        Vector(velocity.map(|component| component as f32))
    }

    /// Reports the walls that the agent ran into or touches, and did not touch at the start of the tick.
    fn report(&self, touch: f64, buffers: &mut AgentBuffers<D>) {
        let AgentBuffers { near, hits, touched, events, .. } = buffers;
        let first = events.len();
        let ran = hits.iter().map(|hit| hit.wall);
        let touches = near.iter().filter(|near| near.at_end.distance <= touch);
        for wall in ran.chain(touches.map(|near| near.wall)) {
            if !touched.contains(&wall) {
                touched.push(wall);
                events.push(Event::Collided { agent: self.agent, species: self.species, wall });
            }
        }
        let number = |event: &Event| if let Event::Collided { wall, .. } = event { *wall } else { 0 };
        events[first..].sort_by_key(number);
    }
}
