//! The spatial index of walls: R-trees over their pieces.

use crate::base::settings::{Settings, nearest_image};
use crate::environment::Environment;
use crate::environment::piece::{Piece, pieces};
use crate::environment::tree::{Aabb, BoxTree, wrap_into_world};
use crate::environment::wall::{Wall, WallMotion};
use crate::kernels::boxes::SLACK;
use crate::maths::Vector;
use crate::maths::wide::{Wide, add, scaled, sub};

/// The number of ticks of motion for which the box of a moving piece has a margin.
const MARGIN_TICKS: f64 = 16.0;

/// A piece and its wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallPiece<const D: usize> {
    /// The index of the wall in the environment.
    pub(crate) wall: u32,
    pub(crate) piece: Piece<D>,
    /// The lowest and the highest corner of its box, in the coordinates of the wall's shape.
    pub(crate) bounds: [Wide<D>; 2],
    /// Its box, with the margin of a moving piece and room for rounding. The centre is in the world where it is periodic.
    pub(crate) around: Aabb<D>,
}

/// The spatial index of the walls of an environment. Queries return a superset in the order of the walls, so that
/// results do not depend on the index.
#[derive(Clone, Debug, Default)]
pub(crate) struct WallIndex<const D: usize> {
    /// The walls that were indexed.
    walls: Vec<Wall<D>>,
    pub(crate) pieces: Vec<WallPiece<D>>,
    at_rest: BoxTree<D>,
    moving: BoxTree<D>,
    /// The pieces that are planes.
    endless: Vec<u32>,
    /// The moving walls, with their displacements when their boxes were made.
    movers: Vec<(u32, Wide<D>)>,
    /// Whether the host may have changed walls.
    pub(crate) is_noted: bool,
    /// The largest speed of a wall, in metres per second.
    fastest: f32,
    period: Option<[f32; D]>,
    tick_seconds: f32,
}

impl<const D: usize> WallIndex<D> {
    /// Updates the index. The tree of the walls at rest is kept until a wall changes.
    pub(crate) fn update(&mut self, environment: &Environment<D>, settings: &Settings<D>) {
        let (period, dt) = (settings.period(), settings.tick_seconds);
        let same = self.period.replace(period) == Some(period) && self.tick_seconds.to_bits() == dt.to_bits();
        self.tick_seconds = dt;
        let walls = environment.walls();
        let noted = std::mem::take(&mut self.is_noted);
        if !same || walls.len() != self.walls.len() || (noted && walls != &self.walls[..]) {
            self.rebuild(environment, settings);
        } else if noted || !self.holds(environment, settings) {
            self.place_moving(environment, settings);
        }
    }

    fn rebuild(&mut self, environment: &Environment<D>, settings: &Settings<D>) {
        self.walls.clear();
        self.walls.extend_from_slice(environment.walls());
        self.pieces.clear();
        self.movers.clear();
        self.fastest = 0.0;
        let (motions, period) = (environment.wall_motions(), settings.period());
        for (number, (wall, WallMotion { offset, .. })) in self.walls.iter().zip(motions).enumerate() {
            let pieces_of = &mut self.pieces;
            pieces(&wall.shape, |piece| {
                let bounds = piece.bounds();
                let around = around(bounds, *offset, [0.0; D], &period);
                pieces_of.push(WallPiece { wall: number as u32, piece, bounds, around });
            });
            if wall.velocity != Vector::ZERO {
                self.movers.push((number as u32, *offset));
                let speed = wall.velocity.length();
                self.fastest = if speed > self.fastest { speed } else { self.fastest };
            }
        }
        let numbers = 0..self.pieces.len() as u32;
        let is_plane = |number: u32| matches!(self.pieces[number as usize].piece, Piece::Plane { .. });
        self.endless = numbers.clone().filter(|&number| is_plane(number)).collect();
        let at_rest = |number: u32| self.walls[self.pieces[number as usize].wall as usize].velocity == Vector::ZERO;
        let boxes = numbers.filter(|&number| at_rest(number) && !is_plane(number));
        let boxes = boxes.map(|number| (number, self.pieces[number as usize].around));
        self.at_rest = BoxTree::new(boxes, settings.period());
        self.place_moving(environment, settings);
    }

    /// Whether no moving wall can leave its boxes in this tick.
    fn holds(&self, environment: &Environment<D>, settings: &Settings<D>) -> bool {
        let (period, motions) = (settings.period(), environment.wall_motions());
        self.movers.iter().all(|&(number, placed)| {
            let (wall, motion) = (&environment.walls()[number as usize], &motions[number as usize]);
            let margin = margin(wall, settings);
            (0..D).all(|axis| {
                let (gone, size) = (motion.offset[axis] - placed[axis], f64::from(period[axis]));
                let gone = if size < f64::INFINITY { gone - (gone / size).round() * size } else { gone };
                gone.abs() <= margin[axis] * ((MARGIN_TICKS - 1.0) / MARGIN_TICKS)
            })
        })
    }

    fn place_moving(&mut self, environment: &Environment<D>, settings: &Settings<D>) {
        let (motions, period) = (environment.wall_motions(), settings.period());
        for (number, placed) in &mut self.movers {
            *placed = motions[*number as usize].offset;
        }
        if self.movers.is_empty() {
            self.moving = BoxTree::new(std::iter::empty(), settings.period());
            return;
        }
        let mut boxes = Vec::new();
        for (number, piece) in self.pieces.iter_mut().enumerate() {
            let wall = &environment.walls()[piece.wall as usize];
            if self.movers.binary_search_by_key(&piece.wall, |mover| mover.0).is_ok() {
                piece.around =
                    around(piece.bounds, motions[piece.wall as usize].offset, margin(wall, settings), &period);
                if !matches!(piece.piece, Piece::Plane { .. }) {
                    boxes.push((number as u32, piece.around));
                }
            }
        }
        self.moving = BoxTree::new(boxes.into_iter(), settings.period());
    }

    /// The largest speed of a wall, in metres per second.
    pub(crate) fn fastest(&self) -> f32 {
        self.fastest
    }

    /// Fills `found` with the numbers of the pieces near a box, ascending, and possibly a few more.
    pub(crate) fn find(&self, bounds: &Aabb<D>, found: &mut Vec<u32>) {
        found.clear();
        self.at_rest.find(bounds, found);
        if !self.movers.is_empty() || !self.endless.is_empty() {
            self.moving.find(bounds, found);
            found.extend(&self.endless);
            found.sort_unstable();
            found.dedup();
        }
    }
}

/// The distance that a wall may move before its boxes are made again.
fn margin<const D: usize>(wall: &Wall<D>, settings: &Settings<D>) -> Wide<D> {
    let ticks = MARGIN_TICKS * f64::from(settings.tick_seconds);
    std::array::from_fn(|axis| f64::from(wall.velocity[axis]).abs() * ticks)
}

/// The box of a piece that is displaced, with a margin. That of a plane is infinite.
fn around<const D: usize>([low, high]: [Wide<D>; 2], offset: Wide<D>, margin: Wide<D>, period: &[f32; D]) -> Aabb<D> {
    let half = add(scaled(sub(high, low), 0.5), margin);
    let centre = add(scaled(add(low, high), 0.5), offset);
    let finite = |number: f64| if number.is_finite() { number as f32 } else { 0.0 };
    let centre = wrap_into_world(Vector::from_fn(|axis| finite(centre[axis])), period);
    let enlarged = |axis: usize| {
        let slack = 4.0 * SLACK * (centre[axis].abs() + half[axis] as f32);
        if half[axis].is_finite() { half[axis] as f32 + slack } else { f32::INFINITY }
    };
    Aabb { centre, half: Vector::from_fn(enlarged) }
}

/// Whether two boxes, both with room for rounding, are near each other. The first is centred in the world. The second
/// holds a point of the world.
#[inline]
pub(crate) fn are_near<const D: usize>(around: &Aabb<D>, bounds: &Aabb<D>, period: &[f32; D]) -> bool {
    (0..D).all(|axis| {
        let apart = nearest_image(around.centre[axis] - bounds.centre[axis], period[axis]);
        apart.abs() <= around.half[axis] + bounds.half[axis]
    })
}
