//! The images of pieces of walls near an agent.

use crate::base::handles::WallId;
use crate::base::settings::{Edge, LIMIT, Settings};
use crate::environment::near_wall::{for_each_image, has_one_image, images};
use crate::environment::piece::{Nearest, Piece};
use crate::environment::wall_index::{WallIndex, WallPiece};
use crate::formulas::edges::wrapped;
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
    /// Whether the agent starts on the surface, where it has no side, or inside a solid.
    pub(crate) is_on: bool,
    pub(crate) is_inside: bool,
    /// The nearest points at the start and at the end that is considered.
    pub(crate) at_start: Nearest<D>,
    pub(crate) at_end: Nearest<D>,
    /// The distance at which the wall holds the agent: less than its radius where they overlap.
    pub(crate) reach: f64,
}

/// The walls of a tick, as all agents see them.
#[derive(Debug)]
pub(crate) struct Walls<'a, const D: usize> {
    pub(crate) settings: &'a Settings<D>,
    /// The period on each axis: infinite where the world is not periodic, and zero there.
    pub(crate) period: [f32; D],
    pub(crate) size: Wide<D>,
    pub(crate) index: &'a WallIndex<D>,
    /// The handles of the walls.
    pub(crate) ids: &'a [WallId],
    /// The motion of each wall, and whether it is still: it neither moves nor opens nor is displaced from its shape.
    /// All still walls, which are most walls, share the motion `still`.
    pub(crate) steps: &'a [WallStep<D>],
    pub(crate) is_still: &'a [bool],
    pub(crate) still: WallStep<D>,
    pub(crate) tick: u64,
    /// The largest motion of a wall on each axis.
    pub(crate) largest_step: Wide<D>,
    /// How far from the end of its path an agent may be in the next tick, in metres: positions are rounded where they
    /// re-enter a periodic world, and so are the displacements of walls.
    pub(crate) rounding: f64,
    /// The distance that an agent of the species can move in a tick.
    pub(crate) farthest: f64,
}

impl<const D: usize> Walls<'_, D> {
    /// The handle of a wall.
    pub(crate) fn id(&self, wall: u32) -> WallId {
        self.ids[wall as usize]
    }

    /// The number of the wall with this handle.
    pub(crate) fn number(&self, id: WallId) -> Option<u32> {
        self.ids.binary_search(&id).ok().map(|number| number as u32)
    }

    /// The motion of a wall.
    pub(crate) fn step(&self, wall: u32) -> &WallStep<D> {
        if self.is_still.get(wall as usize) == Some(&true) { &self.still } else { &self.steps[wall as usize] }
    }

    /// The ends of a piece, if it is a segment.
    pub(super) fn segment(&self, number: u32) -> Option<[Wide<D>; 2]> {
        let WallPiece { piece: Piece::Segment(a, b), .. } = self.index.pieces[number as usize] else { return None };
        Some([a, b])
    }

    /// Whether no other image of a segment than the one with these ends is near a box.
    pub(super) fn has_one_image(&self, [a, b]: [Wide<D>; 2], [low, high]: [Wide<D>; 2]) -> bool {
        let ([below, above], size) = (Piece::Segment(a, b).bounds(), self.size);
        (0..D).all(|axis| has_one_image([below[axis], above[axis]], [low[axis], high[axis]], size[axis]))
    }

    /// The position that the edge of the world makes of this one, and how often it crosses the seam on each axis, as
    /// the stage confine computes it.
    pub(crate) fn confined(&self, at: Vector<D>) -> (Vector<D>, Wide<D>) {
        let (mut inside, mut crossed) = (at, [0.0; D]);
        for axis in 0..D {
            let size = self.settings.size[axis];
            if at[axis] > 0.0 && at[axis] < size {
                continue;
            }
            match self.settings.edge[axis] {
                Edge::Wrap => {
                    let wrapped = wrapped(at[axis], size);
                    inside[axis] = wrapped.inside;
                    crossed[axis] = f64::from(wrapped.periods) + f64::from(wrapped.beyond);
                }
                Edge::Open => inside[axis] = at[axis].clamp(-LIMIT, LIMIT),
                Edge::Bounce | Edge::Remove | Edge::Respawn => inside[axis] = at[axis].clamp(0.0, size),
            }
        }
        (inside, crossed)
    }

    /// The box of a piece during the tick, in the world; `None` if its wall does not stand.
    fn bounds(&self, piece: &WallPiece<D>) -> Option<[Wide<D>; 2]> {
        let (step, [low, high]) = (self.step(piece.wall), piece.piece.bounds());
        let (mut below, mut above) = (add(low, step.offset), add(high, step.offset));
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
            let counts = self.bounds(piece).map(|bounds| images(&piece.piece, bounds, near, self.size).1);
            counts.is_some_and(|counts| counts.iter().all(|&count| count > 0))
        })
    }

    /// Appends the images of these pieces near a box.
    pub(crate) fn gather(&self, numbers: &[u32], at: Vector<D>, near: [Wide<D>; 2], found: &mut Vec<NearPiece<D>>) {
        let size = self.size;
        for &number in numbers {
            let piece = &self.index.pieces[number as usize];
            let Some(bounds) = self.bounds(piece) else { continue };
            for_each_image(&piece.piece, bounds, near, size, |image| {
                let start = self.step(piece.wall).before(at, image, size);
                let (is_on, is_inside) = (piece.piece.is_on(start), piece.piece.contains(start));
                let (wall, piece) = (piece.wall, piece.piece);
                let unknown = Nearest { distance: 0.0, normal: [0.0; D] };
                let (at_start, at_end) = (unknown, unknown);
                found.push(NearPiece { wall, piece, image, start, is_on, is_inside, at_start, at_end, reach: 0.0 });
            });
        }
    }

    /// The position of an agent at the end of the tick, relative to a piece.
    pub(crate) fn end(&self, near: &NearPiece<D>, confined: (Vector<D>, Wide<D>)) -> Wide<D> {
        let (at, crossed) = confined;
        self.step(near.wall).after(at, crossed, near.image, self.size)
    }

    /// Whether an agent that moves to this position crosses none of the pieces.
    pub(crate) fn allow(&self, near: &[NearPiece<D>], to: Vector<D>) -> bool {
        let confined = self.confined(to);
        near.iter().all(|near| {
            let end = self.end(near, confined);
            !near.piece.bars(near.is_on, near.start, end)
        })
    }
}
