//! The ground: on which side of closed walls agents may start.

use crate::base::settings::Settings;
use crate::environment::{Environment, Wall, WallShape};
use crate::maths::Vector;

type Point = [f64; 2];

/// The largest number of rows of a ring.
const MOST_ROWS: usize = 1 << 12;

/// The closed walls at rest of two dimensions, the smallest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground<const D: usize> {
    rings: Vec<Ring>,
    /// The walls from which the rings were built.
    walls: Vec<Wall<D>>,
    contents: Vec<Vec<Point>>,
}

/// The side of a closed wall on which agents may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Outside: a column.
    Solid,
    /// Inside: an outline.
    Room,
    /// Both; the inside where agents may start anywhere in the world.
    Either,
}

/// A closed wall.
#[derive(Clone, Debug)]
struct Ring {
    side: Side,
    low: Point,
    high: Point,
    area: f64,
    /// The edges that reach into each of the rows, which have the same height.
    rows: Vec<Vec<[Point; 2]>>,
}

impl Ring {
    fn new(points: &[Point], side: Side) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [-f64::INFINITY; 2]);
        for point in points {
            for axis in 0..2 {
                low[axis] = if point[axis] < low[axis] { point[axis] } else { low[axis] };
                high[axis] = if point[axis] > high[axis] { point[axis] } else { high[axis] };
            }
        }
        let edges = || points.iter().zip(points.iter().cycle().skip(1)).map(|(&from, &to)| [from, to]);
        let twice: f64 = edges().map(|[a, b]| a[0] * b[1] - a[1] * b[0]).fold(0.0, |sum, part| sum + part);
        let rows = vec![Vec::new(); (points.len() / 2).clamp(1, MOST_ROWS)];
        let mut ring = Self { side, low, high, area: 0.5 * twice.abs(), rows };
        for edge in edges() {
            let [one, other] = [ring.row(edge[0][1]), ring.row(edge[1][1])];
            for row in one.min(other)..=one.max(other) {
                ring.rows[row].push(edge);
            }
        }
        ring
    }

    /// The row at a height inside the ring's bounds.
    fn row(&self, y: f64) -> usize {
        let share = (y - self.low[1]) / (self.high[1] - self.low[1]);
        // Conversion saturates; a ring without a height has only the first row.
        ((share * self.rows.len() as f64) as usize).min(self.rows.len() - 1)
    }

    /// Whether a point is inside.
    fn contains(&self, at: Point) -> bool {
        if !(0..2).all(|axis| self.low[axis] <= at[axis] && at[axis] <= self.high[axis]) {
            return false;
        }
        self.rows[self.row(at[1])].iter().fold(false, |inside, [a, b]| {
            let crosses = (a[1] > at[1]) != (b[1] > at[1]);
            inside ^ (crosses && at[0] < a[0] + (at[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
        })
    }
}

impl<const D: usize> Ground<D> {
    /// Follows the walls, and the items inside them: regions, marks, obstacles, other walls and these starts, by points
    /// of each.
    pub(crate) fn update(&mut self, environment: &Environment<D>, settings: &Settings<D>, starts: &[Vec<Point>]) {
        if D != 2 {
            return;
        }
        // Walls depend on their contents only if it is not set on which side agents start.
        let judged = environment.walls.items().iter().any(|wall| wall.solid.is_none() && ring_of(wall).is_some());
        let contents = if judged { contents(environment, starts) } else { Vec::new() };
        if self.walls == environment.walls.items() && self.contents == contents {
            return;
        }
        let half = 0.5 * settings.size.0.iter().fold(1.0, |area, &size| area * f64::from(size));
        self.rings.clear();
        for wall in environment.walls.items() {
            let Some(points) = ring_of(wall) else { continue };
            let side = if wall.solid == Some(false) { Side::Room } else { Side::Solid };
            let mut ring = Ring::new(&points, side);
            let holds = |content: &Vec<Point>| content.iter().all(|&point| ring.contains(point));
            if wall.solid.is_none() && (ring.area > half || contents.iter().any(holds)) {
                ring.side = Side::Either;
            }
            self.rings.push(ring);
        }
        self.rings.sort_by(|a, b| a.area.total_cmp(&b.area));
        (self.walls, self.contents) = (environment.walls.items().to_vec(), contents);
    }

    /// Whether an agent may start at a point, which is drawn from the whole world if it is from `everywhere`.
    pub(crate) fn holds(&self, settings: &Settings<D>, point: Vector<D>, everywhere: bool) -> bool {
        let period = settings.period();
        let inside = |ring: &&Ring| {
            ring.contains(std::array::from_fn(|axis| {
                let (at, size) = (f64::from(point[axis]), f64::from(period[axis]));
                if size < f64::INFINITY { at - ((at - ring.low[axis]) / size).floor() * size } else { at }
            }))
        };
        // The smallest ring around the point decides.
        match self.rings.iter().find(inside) {
            Some(ring) => ring.side != Side::Solid,
            None => !self.rings.iter().any(|ring| ring.side == Side::Room || (everywhere && ring.side == Side::Either)),
        }
    }
}

/// The corners of a wall that encloses an area for good; `None` of any other.
fn ring_of<const D: usize>(wall: &Wall<D>) -> Option<Vec<Point>> {
    let WallShape::Path { points, closed } = &wall.shape else { return None };
    let returns = points.len() > 3 && points.first() == points.last();
    let stays = wall.velocity == Vector::ZERO && wall.open.is_empty();
    (stays && (*closed || returns)).then(|| points.iter().copied().map(flat).collect())
}

fn flat<const D: usize>(point: Vector<D>) -> Point {
    [f64::from(point[0]), f64::from(point[1])]
}

/// Points of each item: a wall around all points of one is the outline of a room.
fn contents<const D: usize>(environment: &Environment<D>, starts: &[Vec<Point>]) -> Vec<Vec<Point>> {
    let mut all = starts.to_vec();
    all.extend(environment.regions.items().iter().map(|region| region.shape.samples()));
    all.extend(environment.marks.items().iter().map(|mark| vec![flat(mark.position)]));
    all.extend(environment.obstacles.items().iter().map(|obstacle| vec![flat(obstacle.centre)]));
    for wall in environment.walls.items() {
        // Corners may lie on the wall around them.
        let edges = wall.shape.edges();
        let middles = edges.iter().map(|&[from, to]| flat((from + to) * 0.5));
        match &wall.shape {
            WallShape::Ball { centre, .. } => all.push(vec![flat(*centre)]),
            WallShape::Plane { .. } => {}
            _ => all.push(middles.collect()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::environment::region::Shape;

    fn wall(points: &[[f32; 2]], solid: Option<bool>) -> Wall<2> {
        let points = points.iter().copied().map(Vector).collect();
        Wall { solid, ..Wall::new(WallShape::Path { points, closed: true }) }
    }

    fn square(low: f32, high: f32, solid: Option<bool>) -> Wall<2> {
        wall(&[[low, low], [high, low], [high, high], [low, high]], solid)
    }

    fn ground(walls: Vec<Wall<2>>, starts: &[Shape<2>]) -> (Ground<2>, Settings<2>) {
        let settings = Settings { size: Vector([30.0; 2]), edge: [Edge::Bounce; 2], ..Settings::default() };
        let (mut ground, mut environment) = (Ground::default(), Environment::default());
        walls.into_iter().for_each(|wall| drop(environment.walls.add(wall)));
        ground.update(&environment, &settings, &starts.iter().map(Shape::samples).collect::<Vec<_>>());
        (ground, settings)
    }

    fn holds((ground, settings): &(Ground<2>, Settings<2>), at: f32) -> [bool; 2] {
        [false, true].map(|everywhere| ground.holds(settings, Vector([at; 2]), everywhere))
    }

    #[test]
    fn agents_start_inside_outlines_and_outside_columns() {
        let column = ground(vec![square(5.0, 9.0, None)], &[]);
        assert_eq!((holds(&column, 7.0), holds(&column, 20.0)), ([false; 2], [true; 2]));
        // A ring that contains a start of agents is a room; agents may start outside where a definition says so.
        let start = Shape::Box { centre: Vector([7.0; 2]), half: Vector([1.0; 2]) };
        let room = ground(vec![square(5.0, 9.0, None)], &[start]);
        assert_eq!((holds(&room, 7.0), holds(&room, 20.0)), ([true; 2], [true, false]));
        let across = Shape::Box { centre: Vector([7.0; 2]), half: Vector([6.0; 2]) };
        assert_eq!(holds(&ground(vec![square(5.0, 9.0, None)], &[across]), 7.0), [false; 2]);
        // A hole in an outline, and an outline in the hole.
        let plan = vec![square(1.0, 29.0, Some(false)), square(5.0, 25.0, Some(true)), square(10.0, 20.0, Some(false))];
        let plan = ground(plan, &[]);
        let found = [0.5, 3.0, 7.0, 15.0].map(|at| holds(&plan, at)[0]);
        assert_eq!(found, [false, true, false, true]);
    }
}
