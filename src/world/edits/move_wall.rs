//! Walls that the host drives, such as a car or a barrier: they move and turn, and sweep along agents in their way.

use crate::base::error::Error;
use crate::base::ids::AgentRow;
use crate::base::settings::{LIMIT, within_limit};
use crate::base::values::{Allowed, Range};
use crate::derived::Change;
use crate::environment::near_wall::{for_each_image, periods};
use crate::environment::piece::{Piece, pieces};
use crate::environment::wall::WallMotion;
use crate::environment::{WallId, WallShape};
use crate::index::search::Search;
use crate::maths::wide::{Wide, add, length, scaled, sub, widened};
use crate::maths::{Vector, sin_cos};
use crate::world::World;
use crate::world::edits::agents::put;
use crate::world::recording::edit::Edit;

/// The clearance that agents get from the wall, in metres.
const SKIN: f64 = 1e-3;

/// The largest turn of a step in radians. The path of an agent relative to the wall is taken as straight in each.
const TURN: f64 = 0.2;

/// The number of places that are tried on each way past a wall.
const TRIES: usize = 16;

/// The way of a wall, in the coordinates of its shape before: relative to its centre.
struct Way<const D: usize> {
    pieces: Vec<Piece<D>>,
    from: Wide<D>,
    by: Wide<D>,
    angle: f64,
}

/// A part of another wall that agents must not be pushed through, and where its image is.
type Other<const D: usize> = (Piece<D>, Wide<D>);

impl<const D: usize> World<D> {
    /// Moves a wall to this centre and turns it to this angle, in radians against the clock from the shape that was
    /// added or set: a car, a boat or a barrier that the host drives. The centre of a path is the mean of its corners.
    /// Agents in its way are pushed along in front of it, so that it passes over none and encloses none, however far it
    /// moves; agents that the host moves stay. A box in two dimensions becomes a closed path. From the first call on,
    /// navigations leave the wall out unless it [carves](crate::Wall::carve), as they do walls that move.
    ///
    /// Returns whether the wall moved. It stays if it would press an agent through another wall or out of the world.
    ///
    /// ```
    /// use throng::{Settings, Vector, Wall, WallShape, World};
    ///
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let body = WallShape::Box { centre: Vector([20.0, 20.0]), half: Vector([2.0, 1.0]) };
    /// let car = world.environment_mut().walls.add(Wall::new(body))?;
    /// for tick in 1..=10 {
    ///     world.move_wall(car, [20.0 + 0.5 * tick as f32, 20.0], 0.02 * tick as f32)?;
    ///     world.step();
    /// }
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchItem`] if the wall was removed; [`Error::BadValue`] if a coordinate of the centre is not within [`LIMIT`] of zero, the angle is not finite or
    /// beyond it, the wall is a plane, or a box in three dimensions shall turn.
    pub fn move_wall(&mut self, id: WallId, centre: impl Into<Vector<D>>, angle: f32) -> Result<bool, Error> {
        let centre = within_limit("centre", centre.into(), "m")?;
        if !(-LIMIT..=LIMIT).contains(&angle) {
            return Err(Error::bad("angle", angle, Allowed::number(Range::from((-LIMIT).into(), LIMIT.into()), "rad")));
        }
        let environment = self.environment();
        let (Some(wall), Some(motion)) = (environment.walls.get(id), environment.walls.record(id).copied()) else {
            return Err(Error::no_item(id));
        };
        let shape = wall.shape.displaced(motion.offset);
        let turn = angle - motion.turned.unwrap_or(0.0);
        let way = Way::new(&shape, centre, turn)?;
        let Some(places) = self.swept(id, &way) else { return Ok(false) };
        let moved = way.moved(&shape, turn);
        let (state, derived) = self.edit(|| Edit::MoveWall(id, centre, angle));
        for (found, position) in places {
            put(state, derived, found, position);
        }
        derived.note(Change::Environment);
        let number = state.environment.walls.index_of(id).ok_or_else(|| Error::no_item(id))?;
        let (wall, kept) = state.environment.wall_mut(number);
        wall.shape = moved;
        *kept = WallMotion { offset: [0.0; D], stood: motion.stood, turned: Some(angle) };
        Ok(true)
    }

    /// The agents in the way of a wall, and where they are pushed to; `None` if one cannot be.
    fn swept(&self, id: WallId, way: &Way<D>) -> Option<Vec<(AgentRow, Vector<D>)>> {
        let all = self.all_agents();
        let widest = all.iter().map(|agents| f64::from(agents.body.radius.largest(0..agents.len())));
        let widest = widest.fold(0.0, |widest, radius| if radius > widest { radius } else { widest });
        let extent = way.extent() + widest + SKIN;
        let (point, radius) = (narrowed(add(way.from, scaled(way.by, 0.5))), extent + 0.5 * length(way.by));
        let mut found = Vec::new();
        let search = Search { point, radius: radius as f32, period: self.settings().period(), by: None };
        search.all(self.derived.indices.everyone(&self.state, self.level), &mut found);
        found.sort_unstable_by_key(|found| (found.species, found.row));
        let others = self.others(id, point, 2.0 * radius);
        let mut places = Vec::new();
        for found in found {
            let (agents, row) = (&all[found.species as usize], found.row as usize);
            if self.state.species[found.species as usize].moved_by_host {
                continue;
            }
            let (before, size) = (agents.position(row), f64::from(agents.radius(row)));
            // The nearest image.
            let start = add(way.from, widened(self.settings().offset(narrowed(way.from), before).0));
            let mut at = start;
            for step in 1..=way.steps() {
                at = way.push(at, size, step, &others)?;
            }
            if at != start {
                let to = self.checked_position(before + narrowed(sub(at, start))).ok()?;
                places.push((AgentRow { species: found.species, row: found.row }, to));
            }
        }
        Some(places)
    }

    /// The images of the other walls that stand, within a distance of a point.
    fn others(&self, id: WallId, point: Vector<D>, distance: f64) -> Vec<Other<D>> {
        let (environment, size, seconds) = (self.environment(), periods(self.settings()), self.view().seconds());
        let near = [-distance, distance].map(|by| add(widened(point.0), [by; D]));
        let mut others = Vec::new();
        let standing = environment.walls.iter().zip(environment.wall_motions());
        for ((_, wall), motion) in standing.filter(|((other, wall), _)| *other != id && !wall.is_open(seconds)) {
            pieces(&wall.shape, |piece| {
                let bounds = piece.bounds().map(|corner| add(corner, motion.offset));
                for_each_image(&piece, bounds, near, size, |image| {
                    let at = std::array::from_fn(|axis| motion.offset[axis] + image[axis] * size[axis]);
                    others.push((piece, at));
                });
            });
        }
        others
    }
}

impl<const D: usize> Way<D> {
    fn new(shape: &WallShape<D>, centre: Vector<D>, turn: f32) -> Result<Self, Error> {
        let refuse = |wanted| Err(Error::bad("wall", wanted, Allowed::one_of(["path", "ball", "box"])));
        let from = match shape {
            WallShape::Plane { .. } => return refuse("plane"),
            WallShape::Box { .. } if D == 3 && turn != 0.0 => return refuse("box that turns"),
            WallShape::Box { centre, .. } | WallShape::Ball { centre, .. } => widened(centre.0),
            WallShape::Path { points, .. } => {
                let sum = points.iter().fold([0.0; D], |sum, point| add(sum, widened(point.0)));
                scaled(sum, 1.0 / points.len() as f64)
            }
        };
        let mut all = Vec::new();
        pieces(&outline(shape), |piece| all.push(relative(piece, from)));
        Ok(Self { pieces: all, from, by: sub(widened(centre.0), from), angle: turn.into() })
    }

    /// The distance of the farthest corner from the centre.
    fn extent(&self) -> f64 {
        let farthest = |piece: &Piece<D>| match *piece {
            Piece::Segment(a, b) | Piece::Box(a, b) => {
                let (a, b) = (length(a), length(b));
                if a > b { a } else { b }
            }
            Piece::Ball(_, radius) => radius,
            Piece::Plane { .. } => 0.0,
        };
        self.pieces.iter().map(farthest).fold(0.0, |most, length| if length > most { length } else { most })
    }

    /// The number of steps, each of which turns the wall by a small angle.
    fn steps(&self) -> usize {
        ((self.angle.abs() / TURN).ceil() as usize).clamp(1, 1000)
    }

    /// A point of the world, relative to the wall after some steps.
    fn seen(&self, point: Wide<D>, step: usize) -> Wide<D> {
        let share = step as f64 / self.steps() as f64;
        rotated(sub(point, add(self.from, scaled(self.by, share))), -self.angle * share)
    }

    /// The point of the world that is there, relative to the wall after some steps.
    fn placed(&self, point: Wide<D>, step: usize) -> Wide<D> {
        let share = step as f64 / self.steps() as f64;
        add(rotated(point, self.angle * share), add(self.from, scaled(self.by, share)))
    }

    /// Where an agent is after a step, which may push it; `None` if it would be pushed through another wall.
    fn push(&self, at: Wide<D>, radius: f64, step: usize, others: &[Other<D>]) -> Option<Wide<D>> {
        let (before, after) = (self.seen(at, step - 1), self.seen(at, step));
        let gap = |point: Wide<D>| {
            let gaps = self.pieces.iter().map(|piece| piece.nearest(point).distance);
            gaps.fold(f64::INFINITY, |least, gap| if gap < least { gap } else { least })
        };
        let crosses = |to: Wide<D>| self.pieces.iter().any(|piece| piece.meets(before, to));
        let start = gap(before);
        let least = if start < radius { start } else { radius } - 1e-6;
        let is_clear = |to: Wide<D>, least: f64| !crosses(to) && gap(to) >= least;
        // One on the wall or inside of it is where the next tick finds it.
        if start <= 0.0 || self.pieces.iter().any(|piece| piece.contains(before)) || is_clear(after, least) {
            return Some(at);
        }
        let nearest = self.pieces.iter().map(|piece| piece.nearest(before));
        let nearest = nearest.reduce(|one, other| if other.distance < one.distance { other } else { one })?;
        let far = length(sub(after, before)) + radius + SKIN;
        let aside = (1..=TRIES).map(|try_| add(after, scaled(nearest.normal, far * try_ as f64 / TRIES as f64)));
        let back = (1..=TRIES).map(|try_| add(after, scaled(sub(before, after), try_ as f64 / TRIES as f64)));
        let off = std::iter::once(add(before, scaled(nearest.normal, SKIN)));
        let clear = least + if start > radius { SKIN } else { 0.0 };
        // Positions to which the wall only carries the agent come last.
        let tries = aside.chain(back).map(|to| (to, clear)).chain(off.chain([before]).map(|to| (to, least)));
        tries.filter(|(to, least)| is_clear(*to, *least)).map(|(to, _)| self.placed(to, step)).find(|&to| {
            others.iter().all(|(piece, image)| {
                let (from, to) = (sub(at, *image), sub(to, *image));
                let held = piece.nearest(from).distance;
                let least = if held < radius { held } else { radius } - 1e-6;
                !piece.meets(from, to) && piece.nearest(to).distance >= least
            })
        })
    }

    /// The shape at the end of the way.
    fn moved(&self, shape: &WallShape<D>, turn: f32) -> WallShape<D> {
        let centre = narrowed(add(self.from, self.by));
        match shape {
            WallShape::Box { half, .. } if turn == 0.0 => WallShape::Box { centre, half: *half },
            WallShape::Ball { radius, .. } => WallShape::Ball { centre, radius: *radius },
            _ => match outline(shape) {
                WallShape::Path { points, closed } => {
                    let moved =
                        |point: &Vector<D>| narrowed(self.placed(sub(widened(point.0), self.from), self.steps()));
                    WallShape::Path { points: points.iter().map(moved).collect(), closed }
                }
                shape => shape,
            },
        }
    }
}

/// A box in two dimensions as a closed path; other shapes as they are.
fn outline<const D: usize>(shape: &WallShape<D>) -> WallShape<D> {
    match shape {
        WallShape::Box { centre, half } if D == 2 => {
            let corner =
                |[x, y]: [f32; 2]| Vector::from_fn(|axis| centre[axis] + half[axis] * if axis == 0 { x } else { y });
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            WallShape::Path { points: corners.map(corner).to_vec(), closed: true }
        }
        other => other.clone(),
    }
}

/// A piece in the coordinates of this centre.
fn relative<const D: usize>(piece: Piece<D>, centre: Wide<D>) -> Piece<D> {
    match piece {
        Piece::Segment(a, b) => Piece::Segment(sub(a, centre), sub(b, centre)),
        Piece::Box(low, high) => Piece::Box(sub(low, centre), sub(high, centre)),
        Piece::Ball(at, radius) => Piece::Ball(sub(at, centre), radius),
        plane @ Piece::Plane { .. } => plane,
    }
}

/// A vector, turned on the first two axes.
fn rotated<const D: usize>(vector: Wide<D>, angle: f64) -> Wide<D> {
    if angle == 0.0 {
        return vector;
    }
    let (sine, cosine) = sin_cos(angle as f32);
    let (sine, cosine) = (f64::from(sine), f64::from(cosine));
    let one = (sine * sine + cosine * cosine).sqrt();
    let (sine, cosine, mut turned) = (sine / one, cosine / one, vector);
    turned[0] = vector[0] * cosine - vector[1] * sine;
    turned[1] = vector[0] * sine + vector[1] * cosine;
    turned
}

fn narrowed<const D: usize>(wide: Wide<D>) -> Vector<D> {
    Vector(wide.map(|component| component as f32))
}
