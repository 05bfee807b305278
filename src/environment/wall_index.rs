//! The spatial index of walls: trees over their pieces.

use fearless_simd::Level;

use crate::base::settings::{Settings, wrap_into_world};
use crate::boxes::aabb::Aabb;
use crate::boxes::tree::BoxTree;
use crate::environment::Environment;
use crate::environment::beyond_seams::pieces_beyond;
use crate::environment::piece::{Piece, pieces};
use crate::environment::wall::{Wall, WallMotion};
use crate::kernels::boxes::SLACK;
use crate::kernels::hulls::{FAR, Hull, HullNumbers};
use crate::maths::Vector;
use crate::maths::wide::{Wide, add, scaled, sub};

/// The numbers of the pieces near a box.
pub(crate) type NearPieces = HullNumbers;

/// The number of ticks of motion for which the box of a moving piece has a margin.
const MARGIN_TICKS: f64 = 16.0;

/// A piece and its wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallPiece<const D: usize> {
    /// The index of the wall in the environment.
    pub(crate) wall: u32,
    pub(crate) piece: Piece<D>,
}

/// The spatial index of the walls of an environment. Queries return a superset in the order of the walls, so that
/// results do not depend on the index.
#[derive(Clone, Debug, Default)]
pub(crate) struct WallIndex<const D: usize> {
    /// The walls that were indexed.
    walls: Vec<Wall<D>>,
    pub(crate) pieces: Vec<WallPiece<D>>,
    /// The hull of each piece, for kernels.
    pub(crate) hulls: Vec<Hull<D>>,
    /// For each piece, whether its wall is still, and one image of the piece is enough.
    pub(crate) is_plain: Vec<bool>,
    at_rest: BoxTree<D>,
    moving: BoxTree<D>,
    /// The pieces that are planes.
    endless: Vec<u32>,
    /// The moving walls, with their displacements when their boxes were made, and the margins of these.
    movers: Vec<(u32, [Wide<D>; 2])>,
    /// The pieces of moving walls.
    moving_pieces: Vec<u32>,
    /// The walls that move or have times at which they do not exist: the others stay as they are.
    pub(crate) active: Vec<u32>,
    /// For each wall, whether it is still: it neither moves nor opens nor is displaced from its shape.
    pub(crate) is_still: Vec<bool>,
    /// Counts up when boxes change.
    pub(crate) version: u64,
    /// Whether the host may have changed walls.
    pub(crate) is_noted: bool,
    /// Whether it may have since the stage collide last read this.
    pub(crate) is_changed: bool,
    /// The largest speed of a wall, in metres per second.
    fastest: f32,
    period: Option<[f32; D]>,
    /// Whether the stage collide tests every agent against every piece.
    #[cfg(test)]
    pub(crate) is_exhaustive: bool,
}

impl<const D: usize> WallIndex<D> {
    /// Updates the index. The tree of the walls at rest is kept until a wall changes.
    pub(crate) fn update(&mut self, level: Level, environment: &Environment<D>, settings: &Settings<D>) {
        let period = settings.period();
        let same = self.period.replace(period) == Some(period);
        let walls = environment.walls.items();
        let noted = std::mem::take(&mut self.is_noted);
        self.is_changed |= noted;
        if !same || walls.len() != self.walls.len() || (noted && walls != &self.walls[..]) {
            self.rebuild(level, environment, settings);
        } else if noted || !self.holds(environment, settings) {
            self.place_moving(level, environment, settings);
        }
    }

    fn rebuild(&mut self, level: Level, environment: &Environment<D>, settings: &Settings<D>) {
        self.walls.clear();
        self.walls.extend_from_slice(environment.walls.items());
        for numbers in [&mut self.moving_pieces, &mut self.active] {
            numbers.clear();
        }
        self.pieces.clear();
        self.hulls.clear();
        self.is_plain.clear();
        self.movers.clear();
        self.fastest = 0.0;
        self.is_changed = true;
        let (motions, period) = (environment.wall_motions(), settings.period());
        let (mut boxes, mut endless) = (Vec::new(), Vec::new());
        self.is_still.clear();
        for (number, (wall, WallMotion { offset, .. })) in self.walls.iter().zip(motions).enumerate() {
            let moves = wall.velocity != Vector::ZERO;
            let is_still = !moves && wall.open.is_empty() && *offset == [0.0; D];
            self.is_still.push(is_still);
            pieces(&wall.shape, |piece| {
                let around = around(piece.bounds(), *offset, [0.0; D], &period);
                if matches!(piece, Piece::Plane { .. }) {
                    endless.push(self.pieces.len() as u32);
                } else if !moves {
                    boxes.push((self.pieces.len() as u32, around));
                }
                if moves {
                    self.moving_pieces.push(self.pieces.len() as u32);
                }
                let hull = hull(&piece, &around, moves, &period);
                self.is_plain.push(is_still && hull.half.iter().all(|&half| half < f32::INFINITY));
                self.hulls.push(hull);
                self.pieces.push(WallPiece { wall: number as u32, piece });
            });
            if moves || !wall.open.is_empty() {
                self.active.push(number as u32);
            }
            if moves {
                self.movers.push((number as u32, [*offset, [0.0; D]]));
                let speed = wall.velocity.length();
                self.fastest = if speed > self.fastest { speed } else { self.fastest };
            }
        }
        let at_rest = |piece: &&WallPiece<D>| self.walls[piece.wall as usize].velocity == Vector::ZERO;
        let pieces = self.pieces.iter().filter(at_rest).map(|piece| (piece.wall, piece.piece));
        for (wall, piece) in pieces_beyond(&settings.seams, pieces) {
            let number = wall as usize;
            let around = around(piece.bounds(), motions[number].offset, [0.0; D], &period);
            boxes.push((self.pieces.len() as u32, around));
            self.is_plain.push(self.is_still[number]);
            self.hulls.push(hull(&piece, &around, false, &period));
            self.pieces.push(WallPiece { wall, piece });
        }
        self.endless = endless;
        self.at_rest = BoxTree::new(level, boxes.into_iter(), settings.period());
        self.place_moving(level, environment, settings);
    }

    /// Whether no moving wall can leave its boxes in this tick.
    fn holds(&self, environment: &Environment<D>, settings: &Settings<D>) -> bool {
        let (period, motions) = (settings.period(), environment.wall_motions());
        self.movers.iter().all(|&(number, [placed, margin])| {
            let (wall, motion) = (&environment.walls.items()[number as usize], &motions[number as usize]);
            let step = self::margin(wall, settings, 1.0);
            (0..D).all(|axis| {
                let (gone, size) = (motion.offset[axis] - placed[axis], f64::from(period[axis]));
                let gone = if size < f64::INFINITY { gone - (gone / size).round() * size } else { gone };
                gone.abs() + step[axis] <= margin[axis]
            })
        })
    }

    fn place_moving(&mut self, level: Level, environment: &Environment<D>, settings: &Settings<D>) {
        let (motions, period) = (environment.wall_motions(), settings.period());
        self.version += 1;
        for (number, placed) in &mut self.movers {
            let wall = &environment.walls.items()[*number as usize];
            *placed = [motions[*number as usize].offset, margin(wall, settings, MARGIN_TICKS)];
        }
        if self.movers.is_empty() {
            self.moving = BoxTree::default();
            return;
        }
        let mut boxes = Vec::new();
        for &number in &self.moving_pieces {
            let WallPiece { wall, piece } = &self.pieces[number as usize];
            let (wall, offset) = (&environment.walls.items()[*wall as usize], motions[*wall as usize].offset);
            let around = around(piece.bounds(), offset, margin(wall, settings, MARGIN_TICKS), &period);
            self.hulls[number as usize] = hull(piece, &around, true, &period);
            if !matches!(piece, Piece::Plane { .. }) {
                boxes.push((number, around));
            }
        }
        self.moving = BoxTree::new(level, boxes.into_iter(), settings.period());
    }

    /// Whether these are the walls that were indexed, as far as is known. Those that move are still in their boxes after
    /// the tick of the update.
    pub(crate) fn is_of(&self, environment: &Environment<D>) -> bool {
        !self.is_noted && self.walls.len() == environment.walls.items().len()
    }

    /// The largest speed of a wall, in metres per second.
    pub(crate) fn fastest(&self) -> f32 {
        self.fastest
    }

    /// The numbers of the pieces near a box, ascending, and possibly a few more.
    pub(crate) fn near(&self, bounds: &Aabb<D>) -> NearPieces {
        let mut found = NearPieces::new();
        self.visit(bounds, |number| found.push(number));
        found.sort_unstable();
        found
    }

    /// Fills `found` with the same.
    pub(crate) fn find(&self, bounds: &Aabb<D>, found: &mut Vec<u32>) {
        found.clear();
        self.visit(bounds, |number| found.push(number));
        found.sort_unstable();
    }

    /// Calls `visit` with the numbers of the pieces near a point, roughly nearest first. `visit` returns the squared
    /// radius of the search from then on; every nearer piece is visited.
    pub(crate) fn visit_nearest(&self, point: Vector<D>, mut within: f32, mut visit: impl FnMut(u32) -> f32) {
        for &number in &self.endless {
            within = visit(number);
        }
        for tree in [&self.at_rest, &self.moving] {
            tree.visit_nearest(point, &mut within, &mut visit);
        }
    }

    /// Calls `visit` with the numbers of the pieces near a box, each once, in any order.
    fn visit(&self, bounds: &Aabb<D>, mut visit: impl FnMut(u32)) {
        self.endless.iter().for_each(|&number| visit(number));
        for tree in [&self.at_rest, &self.moving] {
            tree.visit(bounds, &mut visit);
        }
    }
}

/// The distance that a wall moves in some ticks of the present length.
fn margin<const D: usize>(wall: &Wall<D>, settings: &Settings<D>, ticks: f64) -> Wide<D> {
    let seconds = ticks * f64::from(settings.tick_seconds);
    std::array::from_fn(|axis| f64::from(wall.velocity[axis]).abs() * seconds)
}

/// The box of a piece that is displaced, with a margin. The box of a plane is infinite.
fn around<const D: usize>([low, high]: [Wide<D>; 2], offset: Wide<D>, margin: Wide<D>, period: &[f32; D]) -> Aabb<D> {
    let half = add(scaled(sub(high, low), 0.5), margin);
    let centre = add(scaled(add(low, high), 0.5), offset);
    // Wrapped as f64: far beyond the world, an f32 is coarser than a period.
    let inside = |axis: usize| match f64::from(period[axis]) {
        _ if !centre[axis].is_finite() => 0.0,
        size if size < f64::INFINITY => (centre[axis] - (centre[axis] / size).floor() * size) as f32,
        _ => centre[axis] as f32,
    };
    let centre = wrap_into_world(Vector::from_fn(inside), period);
    let enlarged = |axis: usize| {
        let coordinates = if period[axis] < f32::INFINITY { period[axis] } else { centre[axis].abs() };
        let slack = 4.0 * SLACK * (coordinates + half[axis] as f32);
        if half[axis].is_finite() { half[axis] as f32 + slack } else { f32::INFINITY }
    };
    Aabb { centre, half: Vector::from_fn(enlarged) }
}

/// The hull of a piece: its segment, or its box where it moves or has another shape.
fn hull<const D: usize>(piece: &Piece<D>, around: &Aabb<D>, moves: bool, period: &[f32; D]) -> Hull<D> {
    let is_small = (0..D).all(|axis| around.half[axis] <= FAR * period[axis]);
    if let (Piece::Segment(a, b), true, false) = (piece, is_small, moves) {
        let along: [f32; D] = scaled(sub(*b, *a), 0.5).map(|half| half as f32);
        let inverse = 1.0 / Vector(along).length_squared();
        if inverse.is_finite() {
            let half = std::array::from_fn(|axis| around.half[axis] - along[axis].abs());
            return Hull { centre: around.centre.0, along, inverse, half };
        }
    }
    let half = std::array::from_fn(|axis| {
        let half = around.half[axis];
        if half <= FAR * period[axis] { half } else { f32::INFINITY }
    });
    Hull { centre: around.centre.0, along: [0.0; D], inverse: 0.0, half }
}
