//! The images of pieces of walls near an agent.

use crate::base::settings::{Edge, LIMIT, Settings};
use crate::environment::near_wall::{for_each_image, images, periods};
use crate::environment::piece::Piece;
use crate::environment::wall_index::{WallIndex, WallPiece};
use crate::maths::Vector;
use crate::maths::wide::{Wide, add};
use crate::tick::collide::steps::WallStep;

/// An image of a piece near an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearPiece<const D: usize> {
    /// The index of the wall in the environment.
    pub(crate) wall: u32,
    pub(crate) piece: Piece<D>,
    /// The image, in periods.
    pub(crate) image: Wide<D>,
    /// The position of the agent at the start of the tick, relative to the image.
    pub(crate) start: Wide<D>,
    /// Whether the agent starts on the surface, where it has no side.
    pub(crate) is_on: bool,
    /// The distance from the surface at the start.
    pub(crate) distance: f64,
    /// The distance at which the wall holds the agent: less than its radius where they overlap.
    pub(crate) reach: f64,
}

/// The walls of a tick, as all agents see them.
#[derive(Debug)]
pub(crate) struct Walls<'a, const D: usize> {
    pub(crate) settings: &'a Settings<D>,
    pub(crate) index: &'a WallIndex<D>,
    pub(crate) steps: &'a [WallStep<D>],
    pub(crate) tick: u64,
    /// The largest motion of a wall on each axis.
    pub(crate) largest_step: Wide<D>,
}

impl<const D: usize> Walls<'_, D> {
    /// The period per axis; zero where the world is not periodic.
    pub(crate) fn size(&self) -> Wide<D> {
        periods(self.settings)
    }

    /// The position that the edge of the world makes of this one, and how often it crosses the seam on each axis: what
    /// the stage confine computes.
    pub(crate) fn confined(&self, at: Vector<D>) -> (Vector<D>, Wide<D>) {
        let (mut inside, mut crossed) = (at, [0.0; D]);
        for axis in 0..D {
            let size = self.settings.size[axis];
            match self.settings.edge[axis] {
                Edge::Wrap => {
                    let periods = (at[axis] / size).floor();
                    let wrapped = at[axis] - periods * size;
                    (inside[axis], crossed[axis]) = if wrapped < 0.0 {
                        (0.0, f64::from(periods))
                    } else if wrapped < size {
                        (wrapped, f64::from(periods))
                    } else {
                        (0.0, f64::from(periods) + 1.0)
                    };
                }
                Edge::Open => inside[axis] = at[axis].clamp(-LIMIT, LIMIT),
                Edge::Bounce | Edge::Remove | Edge::Respawn => inside[axis] = at[axis].clamp(0.0, size),
            }
        }
        (inside, crossed)
    }

    /// The box of a piece during the tick, in the world; `None` if its wall does not stand.
    fn bounds(&self, piece: &WallPiece<D>) -> Option<[Wide<D>; 2]> {
        let step = &self.steps[piece.wall as usize];
        let (mut below, mut above) = (add(piece.bounds[0], step.offset), add(piece.bounds[1], step.offset));
        for axis in 0..D {
            let motion = step.step[axis];
            below[axis] += if motion < 0.0 { motion } else { 0.0 };
            above[axis] += if motion > 0.0 { motion } else { 0.0 };
        }
        step.stands.then_some([below, above])
    }

    /// Whether an image of one of these pieces is near a box.
    pub(crate) fn any_near(&self, numbers: &[u32], near: [Wide<D>; 2]) -> bool {
        numbers.iter().any(|&number| {
            let piece = &self.index.pieces[number as usize];
            let counts = self.bounds(piece).map(|bounds| images(&piece.piece, bounds, near, self.size()).1);
            counts.is_some_and(|counts| counts.iter().all(|&count| count > 0))
        })
    }

    /// Appends the images of these pieces near a box.
    pub(crate) fn gather(&self, numbers: &[u32], at: Vector<D>, near: [Wide<D>; 2], found: &mut Vec<NearPiece<D>>) {
        let size = self.size();
        for &number in numbers {
            let piece = &self.index.pieces[number as usize];
            let Some(bounds) = self.bounds(piece) else { continue };
            for_each_image(&piece.piece, bounds, near, size, |image| {
                let start = self.steps[piece.wall as usize].before(at, image, size);
                let is_on = piece.piece.is_on(start);
                let (wall, piece) = (piece.wall, piece.piece);
                found.push(NearPiece { wall, piece, image, start, is_on, distance: 0.0, reach: 0.0 });
            });
        }
    }

    /// The position of an agent at the end of the tick, relative to a piece.
    pub(crate) fn end(&self, near: &NearPiece<D>, confined: (Vector<D>, Wide<D>)) -> Wide<D> {
        let (at, crossed) = confined;
        self.steps[near.wall as usize].after(at, crossed, near.image, self.size())
    }

    /// Whether an agent that moves to this position crosses none of the pieces.
    pub(crate) fn allow(&self, near: &[NearPiece<D>], to: Vector<D>) -> bool {
        let confined = self.confined(to);
        near.iter().all(|near| {
            let end = self.end(near, confined);
            let start = if near.is_on { end } else { near.start };
            !near.piece.meets(start, end)
        })
    }
}
