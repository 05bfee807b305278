//! An audit of walls: counts the agents that crossed one, by brute force.
//!
//! It shares no code with the stage that keeps agents off walls: it tests the chord of every agent in every tick
//! against every wall and every image of it.

use std::collections::BTreeMap;

use robust::{Coord, orient2d};
use smallvec::SmallVec;

use crate::agents::events::Event;
use crate::base::ids::AgentId;
use crate::base::seam::ways;
use crate::base::settings::Edge;
use crate::environment::{Wall, WallId, WallShape};
use crate::world::World;

/// A count of the agents that crossed walls.
///
/// [`before`](Self::before) and [`after`](Self::after) enclose each step, so that edits of the host do not count. The
/// path of an agent in a tick is the chord from its old position to the nearest image of its new one; relative to a
/// moving wall, the chord of the relative positions. A chord that touches a path or a plane crosses it, unless it starts
/// on it; one that leads into a solid from outside or from its face crosses that. An agent that leaves the world and
/// respawns in it has no path, nor has one that the host or a track moves.
///
/// ```
/// use throng::{Settings, Species, Wall, WallAudit, World};
///
/// let mut world = World::<2>::new(Settings { tick_seconds: 1.0, ..Settings::default() })?;
/// let walker = world.add_species(Species::new("walker"))?;
/// let id = world.spawn(walker, [40.0, 50.0], [9.0, 0.0])?;
/// world.environment_mut().walls.add(Wall::segment([50.0, 0.0], [50.0, 100.0]))?;
/// let mut audit = WallAudit::default();
/// for _ in 0..10 {
///     audit.before(&world);
///     world.step();
///     audit.after(&world);
/// }
/// assert_eq!(audit.crossings(), 0);
/// // An agent that is carried through the wall.
/// audit.before(&world);
/// world.set_position(id, [60.0, 50.0])?;
/// audit.after(&world);
/// assert_eq!(audit.crossings(), 1);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct WallAudit<const D: usize> {
    positions: BTreeMap<AgentId, [f64; D]>,
    walls: Vec<Standing<D>>,
    crossings: u64,
}

/// A wall that exists in a tick.
#[derive(Clone, Debug)]
struct Standing<const D: usize> {
    id: WallId,
    wall: Wall<D>,
    offset: [f64; D],
}

impl<const D: usize> WallAudit<D> {
    /// Records a world before a step.
    pub fn before(&mut self, world: &World<D>) {
        self.positions.clear();
        let moves = |id| world.species(id).is_ok_and(|species| !species.moved_by_host);
        for agents in world.all_agents().iter().filter(|agents| moves(agents.species())) {
            for (row, &id) in agents.ids().iter().enumerate() {
                self.positions.insert(id, agents.position(row).0.map(f64::from));
            }
        }
        for agent in world.environment().carried() {
            self.positions.remove(&agent);
        }
        let seconds = world.seconds();
        self.walls.clear();
        let walls = world.environment().walls.iter().zip(world.environment().wall_motions());
        for ((id, wall), motion) in walls.filter(|((_, wall), _)| !wall.is_open(seconds)) {
            self.walls.push(Standing { id, wall: wall.clone(), offset: motion.offset });
        }
    }

    /// Tests the paths of all agents in the step. Returns the number of crossings.
    pub fn after(&mut self, world: &World<D>) -> u64 {
        let settings = world.settings();
        let period = settings.period().map(f64::from);
        let respawned = |id: AgentId| {
            let left = |event: &Event| matches!(event, Event::Left { agent, .. } if *agent == id);
            settings.edge.contains(&Edge::Respawn) && world.events().iter().any(left)
        };
        // Those that something began to carry in this step.
        for agent in world.environment().carried() {
            self.positions.remove(&agent);
        }
        let mut crossings = 0;
        let now: Vec<_> = self.walls.iter().map(|wall| world.environment().wall_offset(wall.id)).collect();
        for agents in world.all_agents() {
            for (row, id) in agents.ids().iter().enumerate() {
                let Some(from) = self.positions.get(id) else { continue };
                let to = agents.position(row).0.map(f64::from);
                let ways: SmallVec<[_; 2]> = ways(&settings.seams, *from, to).collect();
                for (standing, now) in self.walls.iter().zip(&now) {
                    let Some(now) = now else { continue };
                    let is_crossed = |[from, to]: &[_; 2]| standing.is_crossed(from, to, now, &period);
                    if ways.iter().any(is_crossed) && !respawned(*id) {
                        crossings += 1;
                    }
                }
            }
        }
        self.crossings += crossings;
        crossings
    }

    /// The number of crossings so far. An agent that crosses two walls in a tick counts twice.
    #[must_use]
    pub fn crossings(&self) -> u64 {
        self.crossings
    }
}

impl<const D: usize> Standing<D> {
    /// Whether the path between two positions crosses any image of the wall, which is displaced by `now` at the end.
    fn is_crossed(&self, from: &[f64; D], to: &[f64; D], now: &[f64; D], period: &[f64; D]) -> bool {
        let (mut start, mut end, mut turns) = ([0.0; D], [0.0; D], [0.0; D]);
        for axis in 0..D {
            start[axis] = from[axis] - self.offset[axis];
            end[axis] = to[axis] - now[axis];
            if period[axis] < f64::INFINITY {
                // The agent and the wall each went to the nearest image.
                turns[axis] = ((to[axis] - from[axis]) / period[axis]).round()
                    - ((now[axis] - self.offset[axis]) / period[axis]).round();
            }
        }
        let shifted = |at: &[f64; D], axis: usize, image: f64| {
            if period[axis] < f64::INFINITY { at[axis] - image * period[axis] } else { at[axis] }
        };
        let bounds = self.bounds();
        let (mut first, mut count) = ([0i64; D], [1i64; D]);
        for axis in 0..D {
            let (a, b) = (start[axis], shifted(&end, axis, turns[axis]));
            let (low, high) = (f64::min(a, b), f64::max(a, b));
            if period[axis] == f64::INFINITY {
                if high < bounds[0][axis] || low > bounds[1][axis] {
                    return false;
                }
            } else if bounds[0][axis].is_finite() {
                first[axis] = ((low - bounds[1][axis]) / period[axis]).floor() as i64;
                count[axis] = ((high - bounds[0][axis]) / period[axis]).ceil() as i64 - first[axis] + 1;
                if count[axis] <= 0 {
                    return false;
                }
            }
        }
        (0..count.iter().product()).any(|number| {
            let (mut rest, mut from, mut to) = (number, start, end);
            for axis in 0..D {
                let image = (first[axis] + rest % count[axis]) as f64;
                rest /= count[axis];
                from[axis] = shifted(&start, axis, image);
                to[axis] = shifted(&end, axis, image + turns[axis]);
            }
            self.separates(&from, &to)
        })
    }

    /// The bounding box of the shape.
    fn bounds(&self) -> [[f64; D]; 2] {
        let around = |centre: [f32; D], half: [f32; D]| {
            [-1.0, 1.0].map(|side| std::array::from_fn(|axis| f64::from(centre[axis]) + side * f64::from(half[axis])))
        };
        match &self.wall.shape {
            WallShape::Path { points, .. } => {
                let fold = |axis: usize, pick: fn(f64, f64) -> f64, start: f64| {
                    points.iter().fold(start, |so_far, point| pick(so_far, point[axis].into()))
                };
                [
                    std::array::from_fn(|axis| fold(axis, f64::min, f64::INFINITY)),
                    std::array::from_fn(|axis| fold(axis, f64::max, f64::NEG_INFINITY)),
                ]
            }
            WallShape::Box { centre, half } => around(centre.0, half.0),
            WallShape::Ball { centre, radius } => around(centre.0, [*radius; D]),
            WallShape::Plane { .. } => [[f64::NEG_INFINITY; D], [f64::INFINITY; D]],
        }
    }

    /// Whether the shape separates two points, relative to it.
    fn separates(&self, from: &[f64; D], to: &[f64; D]) -> bool {
        match &self.wall.shape {
            WallShape::Path { points, closed } => {
                let corner = |number: usize| {
                    let point = points[number % points.len()];
                    [f64::from(point[0]), f64::from(point[1])]
                };
                let count = points.len() - usize::from(!closed);
                let (from, to) = ([from[0], from[1]], [to[0], to[1]]);
                (0..count).any(|number| crosses(from, to, corner(number), corner(number + 1)))
            }
            WallShape::Box { .. } => {
                let [low, high] = self.bounds();
                let inside = |at: &[f64; D]| (0..D).all(|axis| low[axis] < at[axis] && at[axis] < high[axis]);
                if inside(from) || inside(to) {
                    return !inside(from);
                }
                if (0..D).any(|axis| {
                    f64::min(from[axis], to[axis]) >= high[axis] || f64::max(from[axis], to[axis]) <= low[axis]
                }) {
                    return false;
                }
                // In the shadow of the box on two axes: its corners are on both sides of the chord's line.
                (0..D).all(|i| (0..i).all(|j| shadow_is_crossed([from, to], [&low, &high], [i, j])))
            }
            WallShape::Ball { centre, radius } => {
                let radius = f64::from(*radius);
                let off =
                    |at: &[f64; D]| -> [f64; D] { std::array::from_fn(|axis| at[axis] - f64::from(centre[axis])) };
                let squared = |at: &[f64; D]| at.iter().fold(0.0, |sum, component| sum + component * component);
                let (a, b) = (off(from), off(to));
                let (starts, ends) = (squared(&a) < radius * radius, squared(&b) < radius * radius);
                if starts || ends {
                    return !starts;
                }
                let way: [f64; D] = std::array::from_fn(|axis| b[axis] - a[axis]);
                let along = (0..D).fold(0.0, |sum, axis| sum - a[axis] * way[axis]);
                let share = if squared(&way) > 0.0 { (along / squared(&way)).clamp(0.0, 1.0) } else { 0.0 };
                let nearest: [f64; D] = std::array::from_fn(|axis| a[axis] + share * way[axis]);
                squared(&nearest) < radius * radius - 1e-9 * (squared(&a) + squared(&b) + radius * radius)
            }
            WallShape::Plane { point, normal } => {
                let (before, after) = (self.side(point.0, normal.0, from), self.side(point.0, normal.0, to));
                before != 0.0 && before * after <= 0.0
            }
        }
    }

    /// The sign of the side of a plane or a line on which a point is.
    fn side(&self, point: [f32; D], normal: [f32; D], at: &[f64; D]) -> f64 {
        let (point, normal) = (point.map(f64::from), normal.map(f64::from));
        let from: [f64; D] = std::array::from_fn(|axis| at[axis] - point[axis]);
        let off = (0..D).fold(0.0, |sum, axis| sum + from[axis] * normal[axis]);
        let size = (0..D).fold(0.0, |sum, axis| sum + (from[axis] * normal[axis]).abs());
        // Where rounding could decide, a position is on neither side.
        if off.abs() <= 1e-12 * size { 0.0 } else { off.signum() }
    }
}

/// The sign of the turn from one point over another to a third: exact.
fn turn(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> f64 {
    let coord = |[x, y]: [f64; 2]| Coord { x, y };
    let area = orient2d(coord(p), coord(q), coord(r));
    if area == 0.0 { 0.0 } else { area.signum() }
}

/// Whether the line of a chord leads through the inside of a box, on two axes. A chord at right angles to both does if
/// no other test excludes it.
fn shadow_is_crossed<const D: usize>(
    [from, to]: [&[f64; D]; 2],
    [low, high]: [&[f64; D]; 2],
    [i, j]: [usize; 2],
) -> bool {
    let (from, to) = ([from[i], from[j]], [to[i], to[j]]);
    let corners = [[low[i], low[j]], [low[i], high[j]], [high[i], low[j]], [high[i], high[j]]];
    let sides = corners.map(|corner| turn(from, to, corner));
    from == to || (sides.contains(&1.0) && sides.contains(&-1.0))
}

/// Whether a chord that does not start on a segment meets it.
fn crosses(from: [f64; 2], to: [f64; 2], a: [f64; 2], b: [f64; 2]) -> bool {
    let within =
        |p: [f64; 2]| (0..2).all(|axis| f64::min(a[axis], b[axis]) <= p[axis] && p[axis] <= f64::max(a[axis], b[axis]));
    let (start, end) = (turn(a, b, from), turn(a, b, to));
    if start == 0.0 && end == 0.0 {
        // Along the line of the segment: it is crossed if one of its ends, or the end of the chord, is on the way.
        let on_the_way = |p: [f64; 2]| {
            (0..2).all(|axis| f64::min(from[axis], to[axis]) <= p[axis] && p[axis] <= f64::max(from[axis], to[axis]))
        };
        return !within(from) && (within(to) || on_the_way(a));
    }
    if start == 0.0 {
        return false;
    }
    start != end && turn(from, to, a) * turn(from, to, b) <= 0.0
}
