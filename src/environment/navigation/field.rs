//! Navigation fields: distances to a goal around walls, and the directions that lead there.

use std::sync::{Arc, OnceLock};

use crate::environment::navigation::branches::holes;
use crate::environment::navigation::crowd::Crowd;
use crate::environment::navigation::geometry::{Capsule, Point, offset, squared_distance};
use crate::environment::navigation::grid::{At, Grid};
use crate::environment::navigation::ground::Ground;
use crate::environment::navigation::pace::{FlatZone, Pace};
use crate::environment::navigation::passages::Passages;
use crate::environment::navigation::raster::{BAND, Raster, SOLID};
use crate::environment::navigation::ring::Ring;
use crate::environment::navigation::roads::Ride;
use crate::environment::navigation::routes::Routes;
use crate::environment::navigation::solve::solve;
use crate::environment::region::Shape;
use crate::maths::Vector;

/// The distance around a goal within which distances along straight lines are exact, in diagonals of a square.
const EXACT: f64 = 4.0;

/// The distance from a goal within which points look for a straight line to it, in diagonals of a square.
const NEAR_GOAL: f64 = 2.5;

/// Distances to a goal around walls, on a grid over the world, and the directions that lead there.
#[derive(Clone, Debug)]
pub struct NavigationField {
    pub(super) grid: Grid,
    goals: Vec<Shape<2>>,
    size: [f64; 2],
    /// The rides of lifts and links, in the order of the nodes to which they lead.
    pub(super) rides: Arc<[Ride]>,
    /// Whether there is more than one way to the goals.
    branches: bool,
    /// The ways to other goals, once an agent or a host asked for one.
    pub(super) routes: Arc<OnceLock<Routes>>,
}

impl NavigationField {
    pub(super) fn new(ground: &Ground) -> Self {
        let grid = Grid { raster: Arc::new(Raster::new(ground)), distance: Vec::new(), pace: Pace::default() };
        let (goals, size) = (ground.goals.clone(), ground.size.map(f64::from));
        let field = Self { grid, goals, size, rides: [].into(), branches: false, routes: Arc::default() };
        let field = Self { rides: field.rides_on(ground), ..field }.solved(ground);
        let branches = ground.goals.len() > 1
            || !ground.seams.is_empty()
            || !ground.shafts.is_empty()
            || holes(&field.grid.raster, &field.grid.distance) > 0;
        Self { branches, ..field }
    }

    /// The field of the quickest ways through zones and a crowd over the same ground: a metre is as long as the way
    /// that an agent walks outside of these in the same time.
    pub(super) fn quickest(&self, ground: &Ground, zones: &[FlatZone], crowd: Option<&Crowd>) -> Self {
        let raster = Arc::clone(&self.grid.raster);
        let pace = Pace::new(&raster, zones, crowd);
        let grid = Grid { raster, distance: Vec::new(), pace };
        let (rides, routes) = (Arc::clone(&self.rides), Arc::clone(&self.routes));
        Self { grid, goals: self.goals.clone(), rides, routes, ..*self }.solved(ground)
    }

    fn solved(mut self, ground: &Ground) -> Self {
        let seeds = self.seeds(f64::from(ground.clearance));
        self.grid.distance = solve(&self.grid.raster, (&self.grid.pace, &self.rides), &seeds);
        self.grid.raster.copy_across(&mut self.grid.distance);
        self
    }

    /// The rides between the nodes in the middles of cars and of the regions of links.
    fn rides_on(&self, ground: &Ground) -> Arc<[Ride]> {
        let mut rides = Vec::new();
        for shaft in &ground.shafts {
            // A place that is too narrow for these bodies has none.
            let node = |&at: &Vector<2>| {
                let node = self.free_node(at)?;
                let off = (0..2).map(|axis| {
                    let (off, size) = (f64::from(self.point_of(node)[axis] - at[axis]), self.size[axis]);
                    let turns = if ground.wraps[axis] { (off / size + 0.5).floor() } else { 0.0 };
                    (off - turns * size).abs() as f32
                });
                off.zip(shaft.half.0).all(|(off, half)| off <= half).then_some(node)
            };
            let nodes: Vec<_> = shaft.landings.iter().map(node).collect();
            for (from, of) in nodes.iter().zip(shaft.metres.chunks(nodes.len())) {
                let others = nodes.iter().zip(of).filter(|&(to, &metres)| to != from && metres < f32::INFINITY);
                rides.extend(others.filter_map(|(to, &metres)| Some(((*from)?, (*to)?, metres))));
            }
        }
        rides.sort_unstable_by(|one, other| (one.1, one.0).cmp(&(other.1, other.0)).then(one.2.total_cmp(&other.2)));
        rides.into()
    }

    /// Whether the way from one place to a goal leads over a ride to another that counts for these metres: to the goals of
    /// the navigation, or to this one.
    pub(crate) fn leads_over(&self, ends: [Vector<2>; 2], metres: f32, goal: Option<Vector<2>>) -> bool {
        let [Some(from), Some(to)] = ends.map(|end| self.free_node(end)) else { return false };
        if !self.rides.contains(&(from, to, metres)) {
            return false;
        }
        let Some(goal) = goal else {
            let [here, there] = [from, to].map(|node| self.grid.distance[node]);
            return there < f32::INFINITY && here >= there + metres;
        };
        self.free_node(goal).and_then(|goal| self.routes().ride_from(from, goal)) == Some((from, to, metres))
    }

    /// Whether a ride leads from one place to another.
    pub(crate) fn has_ride(&self, ends: [Vector<2>; 2]) -> bool {
        let [Some(from), Some(to)] = ends.map(|end| self.free_node(end)) else { return false };
        self.rides.iter().any(|ride| (ride.0, ride.1) == (from, to))
    }

    /// The passages on the ways, for bodies that keep this clearance.
    pub(super) fn passages(&self, clearance: f32) -> Passages {
        Passages::new(&self.grid.raster, &self.grid.distance, clearance, |node| self.grid.pace.at(node, Vector::ZERO))
    }

    /// The nearest of the nodes around a point that are visible from it and of this kind.
    pub(super) fn nearest_node(&self, point: Vector<2>, is_kind: impl Fn(usize) -> bool) -> Option<usize> {
        let at = self.grid.locate(point);
        let share = |number: usize| {
            let [x, y] = at.share;
            (if number % 2 == 1 { x } else { 1.0 - x }) * (if number / 2 == 1 { y } else { 1.0 - y })
        };
        let is_near = self.grid.raster.is_near(at.square);
        let sees = |number: usize| {
            let [column, row] = [at.base[0] + number % 2, at.base[1] + number / 2];
            let node = self.grid.raster.node(column as i64, row as i64);
            !self.grid.raster.walls_around(at.square).any(|wall| wall.obstructs(at.point, node, 0.0))
        };
        let suits = |number: usize| is_kind(at.corners[number]) && (!is_near || sees(number));
        // The nearest node mostly suits.
        let nearest = usize::from(at.share[0] > 0.5) + 2 * usize::from(at.share[1] > 0.5);
        if suits(nearest) {
            return Some(at.corners[nearest]);
        }
        let mut best: Option<(usize, f32)> = None;
        for number in 0..4 {
            if best.is_none_or(|(_, most)| share(number) > most) && suits(number) {
                best = Some((number, share(number)));
            }
        }
        best.map(|(number, _)| at.corners[number])
    }

    /// The number of cells per axis.
    #[must_use]
    pub fn cells(&self) -> [usize; 2] {
        self.grid.raster.cells
    }

    /// The distance from the centre of each cell to the goal in metres, in row-major order; infinite where no way leads
    /// there. Nearer to a wall than the clearance a metre counts twice.
    #[must_use]
    pub fn distances(&self) -> &[f32] {
        &self.grid.distance
    }

    /// Whether the centre of a cell is at least as far from walls as the clearance.
    #[must_use]
    pub fn is_free(&self, cell: [usize; 2]) -> bool {
        let [columns, rows] = self.grid.raster.cells;
        cell[0] < columns && cell[1] < rows && !self.grid.raster.is(cell[1] * columns + cell[0], BAND)
    }

    /// The distance from a point to the goal in metres; infinite where no way leads there.
    #[must_use]
    pub fn distance(&self, point: impl Into<Vector<2>>) -> f32 {
        let at = self.grid.locate(point.into());
        if let Some(corners) = self.open_square(&at) {
            let [x, y] = at.share;
            let [low, high] = [0, 2].map(|row| corners[row] + (corners[row + 1] - corners[row]) * x);
            return low + (high - low) * y;
        }
        match self.to_goal(&at) {
            Some((to, squared)) => squared.sqrt() as f32 * self.grid.paces_at(&at, offset(at.point, to))[0],
            None => Ring::new(&self.grid, &at).way().map_or(f32::INFINITY, |(_, distance)| distance as f32),
        }
    }

    /// The direction from a point towards the goal, around walls: a unit vector, or zero inside the goal and where no
    /// way leads there.
    #[must_use]
    pub fn direction(&self, point: impl Into<Vector<2>>) -> Vector<2> {
        let at = self.grid.locate(point.into());
        if let Some([a, b, c, d]) = self.open_square(&at) {
            let [x, y] = at.share;
            let slope = Vector([
                ((b - a) + ((d - c) - (b - a)) * y) / self.grid.raster.spacing[0] as f32,
                ((c - a) + ((d - b) - (c - a)) * x) / self.grid.raster.spacing[1] as f32,
            ]);
            // Where several ways are equally long, slopes cancel.
            let [pace, _] = self.grid.paces_at(&at, -slope);
            if slope.length_squared() > 0.5 * pace * pace {
                return -slope.direction();
            }
        }
        let towards = match self.to_goal(&at) {
            Some((point, _)) => Some(point),
            None => Ring::new(&self.grid, &at).way().map(|(point, _)| point),
        };
        towards.map_or(Vector::ZERO, |to| offset(at.point, to).direction())
    }

    /// The distances of the corners of a point's square, if no wall may cross it, they are near each other, and the
    /// goal is not near.
    fn open_square(&self, at: &At) -> Option<[f32; 4]> {
        if self.grid.raster.is_near(at.square) {
            return None;
        }
        let corners = at.corners.map(|index| self.grid.distance[index]);
        let diagonal = self.grid.raster.diagonal() as f32;
        let (mut least, mut greatest) = (corners[0], corners[0]);
        for &distance in &corners[1..] {
            least = if distance < least { distance } else { least };
            greatest = if distance > greatest { distance } else { greatest };
        }
        // Distances jump where ways of different lengths meet behind a narrow gap.
        let [_, pace] = self.grid.paces_at(at, Vector::ZERO);
        (least > NEAR_GOAL as f32 * diagonal && greatest - least < 3.0 * diagonal * pace).then_some(corners)
    }

    /// The nearest point of the goal and the squared distance from there, for a point so near that it walks there in a
    /// straight line.
    fn to_goal(&self, at: &At) -> Option<(Point, f64)> {
        let corners = at.corners.map(|index| self.grid.distance[index]);
        let near = NEAR_GOAL * self.grid.raster.diagonal();
        if corners.iter().all(|&distance| f64::from(distance) > near) {
            return None;
        }
        let nearest = self.goals.iter().map(|goal| self.nearest_of(goal, at.point));
        let (point, squared) = nearest.reduce(|best, other| if other.1 < best.1 { other } else { best })?;
        let listed = |axis: usize| {
            let middle = (at.base[axis] as f64 + 1.0) * self.grid.raster.spacing[axis];
            (point[axis] - middle).abs() <= 1.5 * self.grid.raster.spacing[axis]
        };
        let clear = || !self.grid.raster.walls_around(at.square).any(|wall| wall.obstructs(at.point, point, 0.0));
        (listed(0) && listed(1) && clear()).then_some((point, squared))
    }

    /// The offset from a point to the middle of the nearest goal, and whether the point is inside it. The middle is the
    /// centre of a disc, and the line in the middle of a box. `None` without goals.
    pub(crate) fn middle_of(&self, point: impl Into<Vector<2>>) -> Option<(Vector<2>, bool)> {
        let at = self.grid.locate(point.into());
        let goals = self.goals.iter().map(|goal| (goal, self.nearest_of(goal, at.point).1));
        let (nearest, squared) = goals.reduce(|best, other| if other.1 < best.1 { other } else { best })?;
        let middle = match *nearest {
            Shape::Ball { centre, .. } => Shape::Box { centre, half: Vector::ZERO },
            Shape::Box { centre, half } => {
                let least = if half[0] < half[1] { half[0] } else { half[1] };
                Shape::Box { centre, half: half - Vector([least; 2]) }
            }
        };
        let (to, _) = self.nearest_of(&middle, at.point);
        Some((offset(at.point, to), squared == 0.0))
    }

    /// Whether there is more than one way to the goals, around walls or to several of them.
    pub(crate) fn branches(&self) -> bool {
        self.branches
    }

    /// Whether all goals are points.
    pub(crate) fn leads_to_points(&self) -> bool {
        self.goals.iter().all(|goal| goal.bounds().1 == Vector::ZERO)
    }

    /// The point of a goal, in its nearest periodic image, that is nearest to a point; and the squared distance.
    fn nearest_of(&self, goal: &Shape<2>, point: Point) -> (Point, f64) {
        let (centre, half) = goal.bounds();
        let offset: Point = std::array::from_fn(|axis| {
            let offset = f64::from(centre[axis]) - point[axis];
            if self.grid.raster.wraps[axis] {
                offset - (offset / self.size[axis] + 0.5).floor() * self.size[axis]
            } else {
                offset
            }
        });
        let to = match goal {
            Shape::Ball { radius, .. } => {
                let distance = squared_distance([0.0; 2], offset).sqrt();
                let outside = distance - f64::from(*radius);
                if outside <= 0.0 { [0.0; 2] } else { offset.map(|offset| offset / distance * outside) }
            }
            Shape::Box { .. } => std::array::from_fn(|axis| {
                let half = f64::from(half[axis]);
                let (low, high) = (offset[axis] - half, offset[axis] + half);
                if low > 0.0 {
                    low
                } else if high < 0.0 {
                    high
                } else {
                    0.0
                }
            }),
        };
        ([point[0] + to[0], point[1] + to[1]], squared_distance([0.0; 2], to))
    }

    /// The nodes in and around the goals, and their distances along straight lines that keep the clearance.
    fn seeds(&self, clearance: f64) -> Vec<(usize, f32)> {
        let mut seeds = Vec::new();
        let reach = EXACT * self.grid.raster.diagonal();
        for goal in &self.goals {
            let (centre, half) = goal.bounds();
            let bounds: [Point; 2] = [-1.0, 1.0].map(|side| {
                std::array::from_fn(|axis| f64::from(centre[axis]) + side * (f64::from(half[axis]) + reach))
            });
            let walls: Vec<Capsule> = self.grid.raster.walls_near(bounds, clearance);
            self.grid.raster.for_each_node_in(bounds, |index, node| {
                let (to, squared) = self.nearest_of(goal, node);
                let obstructed = || walls.iter().any(|wall| wall.obstructs(node, to, clearance));
                let solid = self.grid.raster.is(index, SOLID);
                if squared == 0.0 && !solid {
                    seeds.push((index, 0.0));
                } else if squared <= reach * reach && !solid && !obstructed() {
                    let pace = self.grid.pace.at(index, offset(node, to));
                    seeds.push((index, squared.sqrt() as f32 * pace));
                }
            });
        }
        seeds
    }
}
