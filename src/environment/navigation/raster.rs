//! Walls on a grid: which nodes are free, and which steps from node to node no wall obstructs.
//!
//! A node is the centre of a cell. A square has four adjacent nodes as its corners, and the number of the first one. A
//! step between adjacent nodes is closed if a wall comes nearer to it than the clearance, so no path of open steps
//! leads through a wall, however thin.

use crate::base::seam::{Side, flat};
use crate::environment::navigation::geometry::{Capsule, Point, greatest, least, squared_distance, squared_to_segment};
use crate::environment::navigation::ground::Ground;

/// The node is on a wall or inside a solid.
pub(super) const SOLID: u8 = 1;
/// A wall is nearer to the node than the clearance.
pub(super) const BAND: u8 = 2;
/// The step to the next node of the axis comes nearer to a wall than the clearance; for the other axis twice as much.
const STEP_IN_BAND: u8 = 4;
/// A wall crosses the step to the next node of the axis, or nearly; for the other axis twice as much.
const STEP_CROSSED: u8 = 16;
/// A wall may cross the square.
const NEAR: u8 = 64;
/// A wall is nearer to the node than half the clearance: no body whose radius is the clearance passes here.
pub(super) const NARROW: u8 = 128;

/// The least distance of a step from a wall, in units of the spacing of nodes: above rounding errors, and so large that
/// a point beside a node sees the same nodes.
const LEAST_CLEARANCE: f64 = 0.1;

/// How many nodes behind a seam show the distances of the other part of the world.
const BEHIND: i64 = 3;

/// The steps to adjacent nodes: backwards and forwards on each axis.
const STEPS: [[i64; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/// The largest number of periods by which an image of a wall is moved.
const MOST_IMAGES: f64 = 1000.0;

/// Which steps a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    /// Steps that keep the clearance.
    Clear,
    /// Steps that no wall crosses or touches.
    Uncrossed,
}

/// The walls of a ground on its grid.
#[derive(Clone, Debug)]
pub(super) struct Raster {
    pub(super) cells: [usize; 2],
    /// The distance between adjacent nodes on each axis, in metres.
    pub(super) spacing: Point,
    pub(super) wraps: [bool; 2],
    flags: Vec<u8>,
    /// The walls in all periodic images near the grid.
    pub(super) walls: Vec<Capsule>,
    /// Squares, ascending, and the numbers of the walls within one and a half diagonals of their centres.
    near: Vec<(u32, u32)>,
    /// The steps across seams, ascending: a node and one of its four steps, and where this leads.
    across: Vec<(u32, u32)>,
    /// The nodes just behind a seam, and the nodes of the other part of the world at the same place.
    behind: Vec<(u32, u32)>,
    /// Whether a step of each node leads across a seam, one bit each; empty without seams.
    at_seam: Vec<u64>,
}

impl Raster {
    pub(super) fn new(ground: &Ground) -> Self {
        let [columns, rows] = ground.cells;
        let size = ground.size.map(f64::from);
        let spacing = [size[0] / columns as f64, size[1] / rows as f64];
        let mut raster = Self {
            cells: ground.cells,
            spacing,
            wraps: ground.wraps,
            flags: vec![0; columns * rows],
            walls: Vec::new(),
            near: Vec::new(),
            across: Vec::new(),
            behind: Vec::new(),
            at_seam: Vec::new(),
        };
        raster.close_borders();
        let least_clearance = least(spacing[0], spacing[1]) * LEAST_CLEARANCE;
        let clearance = greatest(f64::from(ground.clearance), least_clearance);
        let walls = ground.walls.iter().copied().chain(ground.solids.iter().flat_map(sides));
        for wall in walls {
            for by in raster.images(&wall, clearance) {
                raster.add(wall.moved(by), clearance, least_clearance);
            }
        }
        for [low, high] in &ground.solids {
            let wall = Capsule { ends: [*low, *high], radius: 0.0 };
            for by in raster.images(&wall, clearance) {
                raster.fill(wall.moved(by).ends);
            }
        }
        raster.near.sort_unstable();
        ground.seams.iter().flat_map(|seam| seam.sides()).for_each(|side| raster.join(&side));
        raster.across.sort_unstable();
        raster
    }

    /// Leads the steps that cross a seam from this side to the other part of the world.
    fn join(&mut self, side: &Side<2>) {
        let cells = self.cells;
        self.at_seam.resize((cells[0] * cells[1]).div_ceil(64), 0);
        let shift: [i64; 2] =
            std::array::from_fn(|axis| (f64::from(side.shift[axis]) / self.spacing[axis]).round() as i64);
        let [a, b] = side.ends.map(flat);
        let range = |axis: usize| {
            let room = (BEHIND + 1) as f64 * self.spacing[axis];
            self.nodes_between(axis, least(a[axis], b[axis]) - room, greatest(a[axis], b[axis]) + room)
        };
        let inside = |at: [i64; 2]| (0..2).all(|axis| at[axis] >= 0 && at[axis] < cells[axis] as i64);
        let number = |at: [i64; 2]| (at[1] as usize * cells[0] + at[0] as usize) as u32;
        let (mut across, mut behind) = (Vec::new(), Vec::new());
        for row in range(1) {
            for column in range(0) {
                let (at, from) = ([column, row], self.node(column, row));
                for (step, [x, y]) in STEPS.into_iter().enumerate() {
                    // Nodes of the other part near the seam show distances to points before it.
                    for deep in 1..=BEHIND {
                        let to = [column + x * deep, row + y * deep];
                        let other = [to[0] + shift[0], to[1] + shift[1]];
                        if !side.is_crossed(from, self.node(to[0], to[1])) || !inside(to) || !inside(other) {
                            continue;
                        }
                        behind.push((number(to), number(other)));
                        if deep == 1 {
                            across.push((number(at) * 4 + step as u32, number(other)));
                        }
                    }
                }
            }
        }
        for &(step, _) in &across {
            self.at_seam[step as usize / 256] |= 1 << (step / 4 % 64);
        }
        behind.sort_unstable();
        behind.dedup();
        self.across.append(&mut across);
        self.behind.append(&mut behind);
    }

    /// Gives the nodes just behind seams the distances of the nodes to which ways lead there.
    pub(super) fn copy_across(&self, distance: &mut [f32]) {
        let distances: Vec<f32> = self.behind.iter().map(|&(_, other)| distance[other as usize]).collect();
        self.behind.iter().zip(distances).for_each(|(&(node, _), other)| distance[node as usize] = other);
    }

    /// Where a step leads that may cross a seam; `None` if it does not.
    fn beyond_seam(&self, index: usize, axis: usize, forwards: bool) -> Option<usize> {
        let is_there = self.at_seam.get(index / 64).is_some_and(|bits| bits >> (index % 64) & 1 == 1);
        let step = (index * 4 + 2 * axis + usize::from(forwards)) as u32;
        let found = is_there.then(|| self.across.binary_search_by_key(&step, |&(step, _)| step).ok())??;
        Some(self.across[found].1 as usize)
    }

    /// Closes the steps beyond the last nodes of axes that are not periodic.
    fn close_borders(&mut self) {
        let [columns, rows] = self.cells;
        let closed = [STEP_IN_BAND | STEP_CROSSED, (STEP_IN_BAND | STEP_CROSSED) << 1];
        if !self.wraps[0] {
            (0..rows).for_each(|row| self.flags[(row + 1) * columns - 1] |= closed[0]);
        }
        if !self.wraps[1] {
            self.flags[(rows - 1) * columns..].iter_mut().for_each(|flags| *flags |= closed[1]);
        }
    }

    /// The length of a square's diagonal.
    pub(super) fn diagonal(&self) -> f64 {
        squared_distance([0.0; 2], self.spacing).sqrt()
    }

    fn reach(&self, wall: &Capsule, clearance: f64) -> f64 {
        wall.radius + greatest(clearance, self.diagonal()) + 2.0 * self.diagonal()
    }

    /// The offsets by which a wall reaches the grid, one for each periodic image.
    fn images(&self, wall: &Capsule, clearance: f64) -> Vec<Point> {
        let reach = self.reach(wall, clearance);
        let shifts = |axis: usize| {
            let size = self.spacing[axis] * self.cells[axis] as f64;
            if !self.wraps[axis] {
                return (0, 0, size);
            }
            let [a, b] = wall.ends.map(|end| end[axis]);
            let (low, high) = (least(a, b) - reach, greatest(a, b) + reach);
            let image = |at: f64| at.floor().clamp(-MOST_IMAGES, MOST_IMAGES) as i64;
            (-image(high / size), 1 - image(low / size), size)
        };
        let (x, y) = (shifts(0), shifts(1));
        (y.0..=y.1).flat_map(|row| (x.0..=x.1).map(move |column| [column as f64 * x.2, row as f64 * y.2])).collect()
    }

    /// The position of a node, which may be beyond the ends of a periodic axis.
    pub(super) fn node(&self, column: i64, row: i64) -> Point {
        [(column as f64 + 0.5) * self.spacing[0], (row as f64 + 0.5) * self.spacing[1]]
    }

    /// The nodes of an axis between two coordinates, as an ascending range.
    fn nodes_between(&self, axis: usize, low: f64, high: f64) -> std::ops::Range<i64> {
        let cells = self.cells[axis] as f64;
        let first = (low / self.spacing[axis] - 0.5).ceil().clamp(0.0, cells);
        let end = (high / self.spacing[axis] - 0.5).floor().clamp(-1.0, cells - 1.0) + 1.0;
        first as i64..end as i64
    }

    /// Marks the nodes, steps and squares near a wall.
    fn add(&mut self, wall: Capsule, clearance: f64, least_clearance: f64) {
        let number = self.walls.len() as u32;
        let (reach, diagonal) = (self.reach(&wall, clearance), self.diagonal());
        let [a, b] = wall.ends;
        let squared = |distance: f64| (wall.radius + distance) * (wall.radius + distance);
        let (solid, band) = (squared(least_clearance), squared(clearance));
        let narrow = squared(0.5 * clearance);
        let (steps, listed) = (squared(clearance + diagonal), squared(1.55 * diagonal));
        let mut found = false;
        for row in self.nodes_between(1, least(a[1], b[1]) - reach, greatest(a[1], b[1]) + reach) {
            let y = self.node(0, row)[1];
            let Some((low, high)) = between_rows(wall.ends, y - reach, y + reach) else { continue };
            for column in self.nodes_between(0, low - reach, high + reach) {
                let index = row as usize * self.cells[0] + column as usize;
                let node = self.node(column, row);
                let distance = squared_to_segment(node, wall.ends);
                let mut flags = 0;
                for (within, flag) in [(solid, SOLID), (narrow, NARROW), (band, BAND)] {
                    if distance < within {
                        flags |= flag;
                    }
                }
                if distance < steps {
                    for (axis, next) in [self.node(column + 1, row), self.node(column, row + 1)].into_iter().enumerate()
                    {
                        if wall.obstructs(node, next, clearance) {
                            flags |= STEP_IN_BAND << axis;
                        }
                        if wall.obstructs(node, next, least_clearance) {
                            flags |= STEP_CROSSED << axis;
                        }
                    }
                }
                let centre = [node[0] + 0.5 * self.spacing[0], node[1] + 0.5 * self.spacing[1]];
                let distance = squared_to_segment(centre, wall.ends);
                if distance < listed {
                    found = true;
                    self.near.push((index as u32, number));
                    // The outermost squares stand for the half cells beyond their nodes too.
                    let near = if self.is_outermost(column, row) { 1.1 } else { 0.55 };
                    if distance < squared(near * diagonal) {
                        flags |= NEAR;
                    }
                }
                self.flags[index] |= flags;
            }
        }
        if found {
            self.walls.push(wall);
        }
    }

    fn is_outermost(&self, column: i64, row: i64) -> bool {
        let outermost = |axis: usize, at: i64| !self.wraps[axis] && (at == 0 || at + 2 >= self.cells[axis] as i64);
        outermost(0, column) || outermost(1, row)
    }

    /// Marks the nodes inside a box.
    fn fill(&mut self, [low, high]: [Point; 2]) {
        for row in self.nodes_between(1, low[1], high[1]) {
            for column in self.nodes_between(0, low[0], high[0]) {
                self.flags[row as usize * self.cells[0] + column as usize] |= SOLID | BAND;
            }
        }
    }

    /// The walls that may obstruct a segment between two points of a box with this clearance.
    pub(super) fn walls_near(&self, [low, high]: [Point; 2], clearance: f64) -> Vec<Capsule> {
        let mut walls = Vec::new();
        for wall in &self.walls {
            let reach = wall.radius + clearance;
            let overlaps = |axis: usize| {
                let [a, b] = wall.ends.map(|end| end[axis]);
                least(a, b) - reach <= high[axis] && greatest(a, b) + reach >= low[axis]
            };
            if overlaps(0) && overlaps(1) {
                walls.push(*wall);
            }
        }
        walls
    }

    /// Calls `visit` with the nodes of a box, in every periodic image, and their positions.
    pub(super) fn for_each_node_in(&self, [low, high]: [Point; 2], mut visit: impl FnMut(usize, Point)) {
        let range = |axis: usize| {
            let size = self.spacing[axis] * self.cells[axis] as f64;
            if !self.wraps[axis] {
                return self.nodes_between(axis, low[axis], high[axis]);
            }
            // A box wider than the world has each node once.
            let first = (low[axis] / self.spacing[axis] - 0.5).ceil().clamp(-1e9, 1e9) as i64;
            let count = ((least(high[axis] - low[axis], size)) / self.spacing[axis]).ceil() as i64;
            first..first + count
        };
        for row in range(1) {
            for column in range(0) {
                let inside = |at: i64, axis: usize| at.rem_euclid(self.cells[axis] as i64) as usize;
                visit(inside(row, 1) * self.cells[0] + inside(column, 0), self.node(column, row));
            }
        }
    }

    pub(super) fn is(&self, index: usize, flag: u8) -> bool {
        self.flags[index] & flag != 0
    }

    /// Whether a wall may cross the square with this number.
    pub(super) fn is_near(&self, square: usize) -> bool {
        self.is(square, NEAR)
    }

    /// The walls around a square: all that may cross a segment between its points and the nodes next to its corners.
    pub(super) fn walls_around(&self, square: usize) -> impl Iterator<Item = &Capsule> + Clone {
        let first = self.near.partition_point(|&(other, _)| (other as usize) < square);
        let walls = self.near[first..].iter().take_while(move |&&(other, _)| other as usize == square);
        walls.map(|&(_, number)| &self.walls[number as usize])
    }

    /// The next node on an axis, forwards or backwards, if the step to it is open.
    pub(super) fn next(&self, index: usize, axis: usize, forwards: bool, steps: Steps) -> Option<usize> {
        let other = match self.beyond_seam(index, axis, forwards) {
            Some(other) => other,
            None => self.adjacent(index, axis, forwards)?,
        };
        let closed = match steps {
            Steps::Clear => STEP_IN_BAND << axis,
            Steps::Uncrossed => STEP_CROSSED << axis,
        };
        (!self.is(if forwards { index } else { other }, closed)).then_some(other)
    }

    /// The next node on an axis. At the ends of axes that are not periodic it is none, or one behind a closed step.
    fn adjacent(&self, index: usize, axis: usize, forwards: bool) -> Option<usize> {
        let [columns, rows] = self.cells;
        let stride = if axis == 0 { 1 } else { columns };
        if self.wraps[axis] {
            let (at, last) = if axis == 0 { (index % columns, columns - 1) } else { (index / columns, rows - 1) };
            return Some(match forwards {
                true if at == last => index - last * stride,
                true => index + stride,
                false if at == 0 => index + last * stride,
                false => index - stride,
            });
        }
        if forwards {
            Some(index + stride).filter(|&other| other < self.flags.len())
        } else {
            index.checked_sub(stride)
        }
    }
}

/// The sides of a box.
fn sides([low, high]: &[Point; 2]) -> [Capsule; 4] {
    let corners = [*low, [high[0], low[1]], *high, [low[0], high[1]]];
    std::array::from_fn(|side| Capsule { ends: [corners[side], corners[(side + 1) % 4]], radius: 0.0 })
}

/// The range of the first coordinate of the part of a segment whose second coordinate is between two values.
fn between_rows([a, b]: [Point; 2], low: f64, high: f64) -> Option<(f64, f64)> {
    let (a, b) = if a[1] <= b[1] { (a, b) } else { (b, a) };
    if b[1] < low || a[1] > high {
        return None;
    }
    let at = |y: f64| {
        let share = (y - a[1]) / (b[1] - a[1]);
        a[0] + (b[0] - a[0]) * share
    };
    let from = if a[1] < low { at(low) } else { a[0] };
    let to = if b[1] > high { at(high) } else { b[0] };
    Some((least(from, to), greatest(from, to)))
}
