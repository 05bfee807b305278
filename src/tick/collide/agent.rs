//! The motion of one agent near walls: it moves, slides, stops or rests, whichever crosses no wall.
//!
//! Candidates come from approximate geometry, and the first that passes the exact test is taken. Safety is thus a matter
//! of the test alone. The path of an agent in a tick is the chord between its positions, so an agent that slid round a
//! corner may not cut it.

use crate::agents::events::Event;
use crate::base::ids::{AgentId, SpeciesId};
use crate::maths::wide::{Wide, add, dot, length, scaled, sub, widened};
use crate::maths::{Noise, Vector};
use crate::tick::collide::near::{NearPiece, Walls};
use crate::tick::collide::steps::LARGEST_SHARE;

/// The largest number of contacts of a slide.
const CONTACTS: usize = 4;

/// The largest number of passes that push a body out of walls.
const PUSHES: usize = 8;

/// The distance within which a body touches a wall, in radii.
const TOUCH: f64 = 0.01;

/// An agent at the end of the stage integrate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walker<const D: usize> {
    pub(crate) agent: AgentId,
    pub(crate) species: SpeciesId,
    pub(crate) from: Vector<D>,
    pub(crate) to: Vector<D>,
    pub(crate) velocity: Vector<D>,
    pub(crate) radius: f32,
}

/// The position and the velocity of an agent that walls stopped, before the edge of the world is applied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stopped<const D: usize> {
    pub(crate) position: Vector<D>,
    pub(crate) velocity: Vector<D>,
}

/// A wall that an agent ran into, and the normal there.
#[derive(Clone, Copy, Debug)]
struct Hit<const D: usize> {
    wall: u32,
    normal: Wide<D>,
}

/// Buffers of a thread.
#[derive(Debug, Default)]
pub(crate) struct AgentBuffers<const D: usize> {
    near: Vec<NearPiece<D>>,
    exits: Vec<NearPiece<D>>,
    found: Vec<u32>,
    hits: Vec<Hit<D>>,
    /// The walls that the agent touched at the start.
    touched: Vec<u32>,
    /// The moving walls that would press the agent against something that holds.
    pub(crate) blocked: Vec<(u32, Event)>,
    pub(crate) events: Vec<Event>,
}

/// The positions that a slide offers.
struct Slide<const D: usize> {
    /// The displacement at its end, and at the first contact.
    end: Wide<D>,
    stop: Wide<D>,
}

impl<const D: usize> Walker<D> {
    /// The distance that a body keeps from walls beyond its radius, so that rounding leaves no overlap.
    fn skin(&self) -> f64 {
        let mut most = self.radius;
        for axis in 0..D {
            for at in [self.from[axis].abs(), self.to[axis].abs()] {
                most = if at > most { at } else { most };
            }
        }
        4.0 * f64::from(f32::EPSILON) * f64::from(most) + 1e-5 * f64::from(self.radius)
    }

    /// How far from its path an agent of this radius perceives walls.
    pub(crate) fn reach(radius: f32) -> f32 {
        2.2 * radius
    }

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
        let mut is_clear = !shortened;
        let mut touches = false;
        for near in &buffers.near {
            let end = walls.end(near, confined);
            let gap = near.piece.nearest(end).distance;
            let appears = !walls.steps[near.wall as usize].stood;
            is_clear &= gap >= radius && !near.is_on && !appears && !near.piece.meets(near.start, end);
            touches |= gap <= touch;
        }
        if is_clear && !touches {
            return None;
        }
        self.measure(walls, radius, skin, touch, buffers);
        buffers.hits.clear();
        if is_clear {
            self.report(walls, self.to, touch, buffers);
            return None;
        }
        if let Some(stopped) = self.leave_solid(walls, skin, buffers) {
            return Some(stopped);
        }
        let (position, rests) = self.choose(walls, radius, skin, buffers);
        let velocity = self.deflected(walls, position, rests, touch, &buffers.near, &buffers.hits);
        self.report(walls, position, touch, buffers);
        let is_changed = shortened || position != self.to || velocity != self.velocity;
        is_changed.then_some(Stopped { position, velocity })
    }

    /// The box around the path, with this much room, and more for walls that move.
    fn path_box(&self, walls: &Walls<'_, D>, room: f64) -> [Wide<D>; 2] {
        let (mut low, mut high) = ([0.0; D], [0.0; D]);
        for axis in 0..D {
            let (from, to) = (f64::from(self.from[axis]), f64::from(self.to[axis]));
            let room = room + walls.largest_step[axis];
            (low[axis], high[axis]) = if from < to { (from - room, to + room) } else { (to - room, from + room) };
        }
        [low, high]
    }

    /// Shortens a path that is longer than the largest share of a period. Returns whether it was.
    fn shorten(&mut self, walls: &Walls<'_, D>) -> bool {
        let (size, path) = (walls.size(), sub(widened(self.to.0), widened(self.from.0)));
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
    fn is_nearest_image(&self, walls: &Walls<'_, D>, at: Vector<D>) -> bool {
        let (size, path) = (walls.size(), sub(widened(at.0), widened(self.from.0)));
        (0..D).all(|axis| size[axis] == 0.0 || path[axis].abs() < 0.49 * size[axis])
    }

    fn displaced(&self, by: Wide<D>) -> Vector<D> {
        Vector::from_fn(|axis| (f64::from(self.from[axis]) + by[axis]) as f32)
    }

    /// Measures the distances at the start, and reports bodies on which a wall has appeared.
    fn measure(&self, walls: &Walls<'_, D>, radius: f64, skin: f64, touch: f64, buffers: &mut AgentBuffers<D>) {
        buffers.touched.clear();
        for place in 0..buffers.near.len() {
            let near = &mut buffers.near[place];
            let wall = near.wall;
            near.distance = near.piece.nearest(near.start).distance;
            near.reach = if near.distance < radius + skin { near.distance } else { radius + skin };
            let (distance, stood) = (near.distance, walls.steps[wall as usize].stood);
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
        let carried = near.iter().map(|near| walls.steps[near.wall as usize].step).filter(|step| *step != [0.0; D]);
        for by in std::iter::once([0.0; D]).chain(carried) {
            for by in [self.push(walls, by, radius, skin, near), by] {
                let at = self.displaced(by);
                if is_allowed(at) {
                    return (at, true);
                }
            }
        }
        for near in near {
            let step = &walls.steps[near.wall as usize];
            let end = walls.end(near, walls.confined(self.from));
            if step.moves() && !near.is_on && near.piece.meets(near.start, end) {
                let event = Event::Squeezed { agent: self.agent, species: self.species, wall: near.wall };
                buffers.blocked.push((near.wall, event));
            }
        }
        (self.from, true)
    }

    /// Slides along walls: stops at each contact, and goes on without the part of the motion that leads into the wall.
    fn slide(&self, walls: &Walls<'_, D>, path: Wide<D>, near: &[NearPiece<D>], hits: &mut Vec<Hit<D>>) -> Slide<D> {
        let (mut at, mut time, mut motion, mut stop, mut carried) = ([0.0; D], 0.0, path, None, [0.0; D]);
        let mut steps = [[0.0; D]; CONTACTS];
        for contact in 0..CONTACTS {
            let mut first: Option<(f64, Wide<D>, u32)> = None;
            for near in near.iter().filter(|near| !near.is_on) {
                let step = walls.steps[near.wall as usize].step;
                let (from, way) = (sub(add(near.start, at), scaled(step, time)), sub(motion, step));
                // What is left of a motion along with the wall is rounding.
                if length(way) <= 1e-12 * (length(motion) + length(step)) {
                    continue;
                }
                let swept = near.piece.sweep(from, way, near.reach);
                if let Some((share, normal)) = swept
                    && share <= 1.0 - time
                    && first.is_none_or(|(before, ..)| share < before)
                {
                    first = Some((share, normal, near.wall));
                }
            }
            let Some((share, normal, wall)) = first else {
                let end = add(at, scaled(motion, 1.0 - time));
                return Slide { end, stop: stop.unwrap_or(end) };
            };
            at = add(at, scaled(motion, share));
            time += share;
            let step = walls.steps[wall as usize].step;
            // The wall carries the agent on.
            stop = stop.or_else(|| Some(add(at, scaled(step, 1.0 - time))));
            carried = add(at, scaled(step, 1.0 - time));
            steps[contact] = step;
            motion = without(motion, step, normal);
            let begin = hits.len() - contact;
            for (earlier, hit) in hits[begin..].iter().enumerate() {
                if dot(sub(motion, steps[earlier]), hit.normal) < -1e-9 * length(motion) {
                    motion = along_both(motion, step, normal, hit.normal);
                }
            }
            hits.push(Hit { wall, normal });
        }
        Slide { end: carried, stop: stop.unwrap_or(carried) }
    }

    /// Moves a displacement until the body at its end overlaps no wall, if a few passes suffice.
    fn push(&self, walls: &Walls<'_, D>, by: Wide<D>, radius: f64, skin: f64, near: &[NearPiece<D>]) -> Wide<D> {
        let mut at = by;
        for _ in 0..PUSHES {
            let mut is_pushed = false;
            for near in near {
                let step = walls.steps[near.wall as usize].step;
                let nearest = near.piece.nearest(sub(add(near.start, at), step));
                if nearest.distance < radius + 0.25 * skin {
                    let normal =
                        if nearest.distance > 0.0 { nearest.normal } else { self.way_off(walls, near, nearest.normal) };
                    at = add(at, scaled(normal, radius + skin - nearest.distance));
                    is_pushed = true;
                }
            }
            if !is_pushed {
                break;
            }
        }
        at
    }

    /// The side to which an agent on a wall is pushed: that of its motion, or else one that is drawn.
    fn way_off(&self, walls: &Walls<'_, D>, near: &NearPiece<D>, normal: Wide<D>) -> Wide<D> {
        let step = walls.steps[near.wall as usize].step;
        let off = dot(sub(sub(widened(self.to.0), widened(self.from.0)), step), normal);
        let off = if off == 0.0 {
            let mut noise = Noise::new(walls.settings.seed, self.agent.to_bits(), walls.tick, Noise::WALL);
            f64::from(noise.between(-1.0, 1.0))
        } else {
            off
        };
        if off < 0.0 { scaled(normal, -1.0) } else { normal }
    }

    /// Moves an agent out of a solid that has appeared on its centre, to the nearest side that no other wall bars.
    fn leave_solid(&self, walls: &Walls<'_, D>, skin: f64, buffers: &mut AgentBuffers<D>) -> Option<Stopped<D>> {
        let buried = *buffers
            .near
            .iter()
            .find(|near| !walls.steps[near.wall as usize].stood && near.piece.contains(near.start))?;
        let (step, clear) = (walls.steps[buried.wall as usize].step, f64::from(self.radius) + skin);
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
            let at = self.displaced(add(scaled(way, depth + clear), step));
            let moved = Self { to: at, ..*self };
            let [low, high] = moved.path_box(walls, 2.0 * clear);
            let bounds = crate::environment::tree::Aabb {
                centre: Vector::from_fn(|axis| (0.5 * (low[axis] + high[axis])) as f32),
                half: Vector::from_fn(|axis| (0.5 * (high[axis] - low[axis])) as f32),
            };
            walls.index.find(&bounds, &mut buffers.found);
            buffers.exits.clear();
            walls.gather(&buffers.found, self.from, [low, high], &mut buffers.exits);
            let confined = walls.confined(at);
            let is_free = buffers.exits.iter().all(|near| {
                let end = walls.end(near, confined);
                if near.wall == buried.wall && near.image == buried.image {
                    return !near.piece.contains(end) && !near.piece.meets(end, end);
                }
                let start = if near.is_on { end } else { near.start };
                !near.piece.meets(start, end)
            });
            if is_free && self.is_nearest_image(walls, at) {
                let wide = without(widened(self.velocity.0), [0.0; D], way);
                return Some(Stopped { position: at, velocity: Vector(wide.map(|component| component as f32)) });
            }
        }
        None
    }

    /// The velocity at the end: without what leads into walls that the agent ran into or touches.
    fn deflected(
        &self,
        walls: &Walls<'_, D>,
        position: Vector<D>,
        rests: bool,
        touch: f64,
        near: &[NearPiece<D>],
        hits: &[Hit<D>],
    ) -> Vector<D> {
        let seconds = f64::from(walls.settings.tick_seconds);
        let mut velocity = widened(self.velocity.0);
        if rests {
            velocity = scaled(sub(widened(position.0), widened(self.from.0)), 1.0 / seconds);
        }
        let confined = walls.confined(position);
        let of_wall = |wall: u32| scaled(walls.steps[wall as usize].step, 1.0 / seconds);
        for _ in 0..2 {
            for hit in hits {
                velocity = without(velocity, of_wall(hit.wall), hit.normal);
            }
            for near in near {
                let nearest = near.piece.nearest(walls.end(near, confined));
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
    fn report(&self, walls: &Walls<'_, D>, position: Vector<D>, touch: f64, buffers: &mut AgentBuffers<D>) {
        let confined = walls.confined(position);
        let AgentBuffers { near, hits, touched, events, .. } = buffers;
        let first = events.len();
        let ran = hits.iter().map(|hit| hit.wall);
        let touches = near.iter().filter(|near| near.piece.nearest(walls.end(near, confined)).distance <= touch);
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

/// The motion without its part into a wall that moves by `step`.
fn without<const D: usize>(motion: Wide<D>, step: Wide<D>, normal: Wide<D>) -> Wide<D> {
    let into = dot(sub(motion, step), normal);
    if into < 0.0 { sub(motion, scaled(normal, into)) } else { motion }
}

/// The motion along two walls: along their common line, or none in two dimensions.
fn along_both<const D: usize>(motion: Wide<D>, step: Wide<D>, one: Wide<D>, other: Wide<D>) -> Wide<D> {
    if D != 3 {
        return step;
    }
    let line: Wide<D> = std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % D, (axis + 2) % D);
        one[next] * other[last] - one[last] * other[next]
    });
    let squared = dot(line, line);
    if squared <= 1e-18 {
        return step;
    }
    add(step, scaled(line, dot(sub(motion, step), line) / squared))
}
