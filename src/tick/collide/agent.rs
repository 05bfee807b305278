//! The motion of one agent near walls: it moves, slides, stops or rests, whichever crosses no wall.
//!
//! Candidates come from approximate geometry, and the first that passes the exact test is taken. Safety is thus a
//! matter of the test only. The path of an agent in a tick is the chord between its positions, so an agent that slid
//! round a corner may not cut it.

use crate::agents::events::Event;
use crate::maths::Vector;
use crate::maths::wide::{length, scaled, sub, widened};
use crate::tick::collide::near::{NearPiece, Walls};
use crate::tick::collide::steps::LARGEST_SHARE;
use crate::tick::collide::walker::{AgentBuffers, Margins, Moved, Stopped, Walker, without};

impl<const D: usize> Walker<D> {
    /// Moves the agent among these pieces. Appends events and blocked walls.
    pub(super) fn resolve(
        mut self,
        walls: &Walls<'_, D>,
        pieces: &[u32],
        margins: &Margins,
        buffers: &mut AgentBuffers<D>,
    ) -> Moved<D> {
        let &Margins { radius, skin, touch, room } = margins;
        buffers.near.clear();
        // A path without walls may be arbitrarily long. The nearest image of its end may be anywhere on a long axis.
        let mut whole = self.motion.path_box(walls, room);
        let size = walls.size;
        for axis in 0..D {
            if whole[1][axis] - whole[0][axis] - 2.0 * room > LARGEST_SHARE * size[axis] {
                whole[0][axis] -= size[axis];
                whole[1][axis] += size[axis];
            }
        }
        let shortened = self.motion.shorten(walls);
        if shortened && !walls.any_near(pieces, whole) {
            return Moved::Unchanged;
        }
        walls.gather(pieces, self.motion.from, self.motion.path_box(walls, room), &mut buffers.near);
        let confined = walls.confined(self.motion.to);
        let travelled = length(sub(widened(self.motion.to.0), widened(self.motion.from.0)));
        let longest = travelled + length(walls.largest_step) + skin + walls.rounding;
        let (mut is_clear, mut least) = (!shortened, room + 0.5 * travelled);
        for near in &mut buffers.near {
            let end = walls.end(near, confined);
            near.at_end = near.piece.nearest(end);
            let gap = near.at_end.distance;
            let appears = !walls.step(near.wall).stood && gap <= touch;
            // A wall farther away than the path is long is not on it.
            let may_meet = gap <= 1.01 * longest;
            let is_outside = gap >= radius && !near.is_on && !near.is_inside && !appears;
            is_clear = is_clear && is_outside && !(may_meet && near.piece.meets(near.start, end));
            least = if gap < least { gap } else { least };
        }
        if is_clear && least > touch {
            return Moved::Clear(least - 0.5 * travelled);
        }
        self.measure(walls, margins, buffers);
        buffers.hits.clear();
        if is_clear {
            self.report(walls, touch, buffers);
            return Moved::Unchanged;
        }
        if let Some(stopped) = self.leave_solid(walls, skin, buffers) {
            return Moved::Stopped(stopped);
        }
        let moved = self.stop(walls, margins, buffers);
        self.keep_reports(walls, &moved, buffers);
        self.report(walls, touch, buffers);
        match moved {
            Moved::Unchanged if shortened => {
                Moved::Stopped(Stopped { position: self.motion.to, velocity: self.motion.velocity })
            }
            moved => moved,
        }
    }

    /// Chooses where the agent goes among the pieces near it, and its velocity there.
    pub(super) fn stop(&self, walls: &Walls<'_, D>, margins: &Margins, buffers: &mut AgentBuffers<D>) -> Moved<D> {
        let (position, rests) = self.choose(walls, margins, buffers);
        if position != self.motion.to {
            let confined = walls.confined(position);
            for near in &mut buffers.near {
                near.at_end = near.piece.nearest(walls.end(near, confined));
            }
        }
        let velocity = self.deflected(walls, position, rests, margins.touch, buffers);
        let is_changed = position != self.motion.to || velocity != self.motion.velocity;
        if is_changed { Moved::Stopped(Stopped { position, velocity }) } else { Moved::Unchanged }
    }

    /// Measures the distances at the start, and reports bodies on which a wall has appeared, and centres that are on or
    /// inside a wall.
    fn measure(&self, walls: &Walls<'_, D>, margins: &Margins, buffers: &mut AgentBuffers<D>) {
        let (radius, touch) = (margins.radius, margins.touch);
        buffers.touched.clear();
        for index in 0..buffers.near.len() {
            let near = &mut buffers.near[index];
            let wall = near.wall;
            near.at_start = near.piece.nearest(near.start);
            let (distance, stood) = (near.at_start.distance, walls.step(wall).stood);
            near.reach = margins.reach(distance);
            if stood && distance <= touch {
                buffers.touched.push(wall);
            }
            let &mut NearPiece { is_on, is_inside, .. } = near;
            if is_inside || (distance < radius && (is_on || !stood)) {
                let depth = (if is_inside { radius + distance } else { radius - distance }) as f32;
                let (agent, species) = (self.agent, self.species);
                let known = buffers.events.iter_mut().rev().find_map(|event| match event {
                    Event::PushedOut { agent: other, wall: pushed, depth, .. }
                        if *other == agent && *pushed == walls.id(wall) =>
                    {
                        Some(depth)
                    }
                    _ => None,
                });
                match known {
                    Some(known) => *known = if depth > *known { depth } else { *known },
                    None => {
                        buffers.events.push(Event::PushedOut { agent, species, wall: walls.id(wall), depth });
                    }
                }
                buffers.touched.push(wall);
            }
        }
    }

    /// Drops the reports of walls that stood before and have not pushed the agent out: it is between walls.
    fn keep_reports(
        &self,
        walls: &Walls<'_, D>,
        moved: &Moved<D>,
        AgentBuffers { near, events, .. }: &mut AgentBuffers<D>,
    ) {
        let to = if let Moved::Stopped(stopped) = moved { stopped.position } else { self.motion.to };
        events.retain(|event| match event {
            Event::PushedOut { wall: id, .. } if walls.number(*id).is_some_and(|wall| walls.step(wall).stood) => {
                to != self.motion.from && !near.iter().any(|near| walls.id(near.wall) == *id && near.is_inside)
            }
            _ => true,
        });
    }

    /// Chooses where the agent goes. Also returns whether it rests.
    fn choose(&self, walls: &Walls<'_, D>, margins: &Margins, buffers: &mut AgentBuffers<D>) -> (Vector<D>, bool) {
        let path = sub(widened(self.motion.to.0), widened(self.motion.from.0));
        let slide = self.slide(walls, path, &buffers.near, &mut buffers.hits);
        let near = &buffers.near[..];
        let is_allowed = |at: Vector<D>| {
            self.motion.is_known(walls, at, margins) && self.motion.is_nearest_image(walls, at) && walls.allow(near, at)
        };
        if buffers.hits.is_empty()
            && self.push(walls, slide.end, margins, near) == slide.end
            && is_allowed(self.motion.to)
        {
            return (self.motion.to, false);
        }
        let half = scaled(slide.stop, 0.5);
        for by in [slide.end, slide.stop, half] {
            for by in [self.push(walls, by, margins, near), by] {
                let at = self.motion.displaced(by);
                if is_allowed(at) {
                    return (at, false);
                }
            }
        }
        // The pieces of a wall carry the agent in the same way, and there may be many images of them.
        let of_walls = near.chunk_by(|one, other| one.wall == other.wall);
        let carried = of_walls.map(|near| walls.step(near[0].wall).step).filter(|step| *step != [0.0; D]);
        for by in std::iter::once([0.0; D]).chain(carried) {
            for by in [self.push(walls, by, margins, near), by] {
                let at = self.motion.displaced(by);
                if is_allowed(at) {
                    return (at, true);
                }
            }
        }
        for near in near {
            let step = walls.step(near.wall);
            let end = walls.end(near, walls.confined(self.motion.from));
            // One on a path or a plane has no side that the wall could bar.
            let has_side = !near.is_on || near.piece.is_solid();
            if step.moves() && has_side && near.piece.bars(near.is_on, near.start, end) {
                let event = Event::Squeezed { agent: self.agent, species: self.species, wall: walls.id(near.wall) };
                buffers.blocked.push((near.wall, event));
            }
        }
        (self.motion.from, true)
    }

    /// The velocity at the end: without the part that leads into walls that the agent ran into or touches.
    fn deflected(
        &self,
        walls: &Walls<'_, D>,
        position: Vector<D>,
        rests: bool,
        touch: f64,
        AgentBuffers { near, hits, .. }: &AgentBuffers<D>,
    ) -> Vector<D> {
        let seconds = f64::from(walls.settings.tick_seconds);
        let mut velocity = widened(self.motion.velocity.0);
        if rests {
            velocity = scaled(sub(widened(position.0), widened(self.motion.from.0)), 1.0 / seconds);
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
        if velocity == widened(self.motion.velocity.0) {
            return self.motion.velocity;
        }
        Vector(velocity.map(|component| component as f32))
    }

    /// Reports the walls that the agent ran into or touches, and did not touch at the start of the tick.
    fn report(&self, walls: &Walls<'_, D>, touch: f64, buffers: &mut AgentBuffers<D>) {
        let AgentBuffers { near, hits, touched, events, .. } = buffers;
        let first = events.len();
        let ran = hits.iter().map(|hit| hit.wall);
        let touches = near.iter().filter(|near| near.at_end.distance <= touch);
        for wall in ran.chain(touches.map(|near| near.wall)) {
            if !touched.contains(&wall) {
                touched.push(wall);
                events.push(Event::Collided { agent: self.agent, species: self.species, wall: walls.id(wall) });
            }
        }
        let wall = |event: &Event| if let Event::Collided { wall, .. } = event { Some(*wall) } else { None };
        events[first..].sort_by_key(wall);
    }
}
