//! Agents that lean on one wall at rest, eight at a time: by far the commonest ones near walls, in two dimensions.
//!
//! The result equals the result of `collide/agent.rs`, bit for bit. Agents near several pieces, images of pieces, the
//! edge of the world or an event go through `agent.rs`.

use fearless_simd::Level;

use crate::environment::piece::Piece;
use crate::kernels::CLUSTER;
use crate::kernels::lean::{LEANING, Leaning, lean};
use crate::maths::wide::{Wide, length, sub, widened};
use crate::maths::{Vector, ones};
use crate::tick::collide::buffers::ChunkOutcome;
use crate::tick::collide::cached::CachedPieces;
use crate::tick::collide::near::Walls;
use crate::tick::collide::steps::LARGEST_SHARE;
use crate::tick::collide::walker::{Margins, Motion, Stopped};

/// The agents of a chunk that lean on walls, until there are enough for the lanes, and those that are left to the whole
/// computation.
#[derive(Debug)]
pub(super) struct Batch<'a, const D: usize> {
    walls: &'a Walls<'a, D>,
    level: Level,
    lanes: Leaning,
    /// The index of each agent of the lanes in its chunk, its motion and its margins.
    agents: [(usize, Motion<D>, Margins); LEANING],
    len: usize,
    /// The indices of the agents that are left.
    pub(super) left: &'a mut Vec<usize>,
}

/// The surroundings of an agent.
enum Near<const D: usize> {
    Nothing,
    /// Segments at rest: the ends of the nearest one, and the distance of all others from the start of the path.
    Segment([Wide<D>; 2], f64),
    Other,
}

impl<'a, const D: usize> Batch<'a, D> {
    pub(super) fn new(walls: &'a Walls<'a, D>, level: Level, left: &'a mut Vec<usize>) -> Self {
        left.clear();
        let agents = [Default::default(); LEANING];
        Self { walls, level, lanes: Leaning::default(), agents, len: 0, left }
    }

    /// Adds the agent at an index in the chunk, and moves the agents of the lanes once these are full.
    pub(super) fn add(&mut self, in_chunk: usize, motion: Motion<D>, outcome: &mut ChunkOutcome<D>) {
        let (margins, number) = (motion.margins(self.walls), self.len);
        match motion.near(self.walls, &outcome.near, in_chunk, &margins) {
            Near::Nothing => outcome.near.renew(in_chunk, &motion, margins.room, &self.walls.period),
            Near::Segment(ends, others) => {
                let lanes = &mut self.lanes;
                for axis in 0..2 {
                    lanes.start[axis][number] = f64::from(motion.from[axis]);
                    lanes.end[axis][number] = f64::from(motion.to[axis]);
                    lanes.velocity[axis][number] = f64::from(motion.velocity[axis]);
                    (lanes.ends[0][axis][number], lanes.ends[1][axis][number]) = (ends[0][axis], ends[1][axis]);
                }
                (lanes.radius[number], lanes.skin[number]) = (margins.radius, margins.skin);
                (lanes.touch[number], lanes.others[number]) = (margins.touch, others);
                self.agents[number] = (in_chunk, motion, margins);
                self.len += 1;
                if self.len == LEANING {
                    self.run(outcome);
                }
            }
            Near::Other => self.left.push(in_chunk),
        }
    }

    /// Moves the agents of the lanes.
    pub(super) fn run(&mut self, outcome: &mut ChunkOutcome<D>) {
        if self.len == 0 {
            return;
        }
        let leant = lean(self.level, &self.lanes);
        let present: u8 = u8::MAX >> (LEANING - self.len);
        for number in ones(leant.clear & present) {
            let (in_chunk, motion, margins) = &self.agents[number];
            let gap = leant.gap[number] - 0.5 * length(sub(widened(motion.to.0), widened(motion.from.0)));
            let gap = if gap < margins.room { gap } else { margins.room };
            outcome.near.renew(*in_chunk, motion, gap, &self.walls.period);
        }
        for number in ones(leant.stopped & present) {
            let (in_chunk, motion, margins) = &self.agents[number];
            let position = Vector::from_fn(|axis| leant.position[axis][number] as f32);
            let velocity = Vector::from_fn(|axis| leant.velocity[axis][number] as f32);
            if !motion.may_end_at(self.walls, position, margins) {
                self.left.push(*in_chunk);
            } else if position != motion.to || velocity != motion.velocity {
                outcome.stop(*in_chunk, motion, Stopped { position, velocity }, self.walls.farthest);
            }
        }
        let left = present & !(leant.clear | leant.unchanged | leant.stopped);
        self.left.extend(ones(left).map(|number| self.agents[number].0));
        self.len = 0;
    }
}

impl<const D: usize> Motion<D> {
    /// The segments of walls at rest that may be near the agent at an index in its chunk; `Other` if something else is.
    fn near(&self, walls: &Walls<'_, D>, pieces: &CachedPieces<D>, in_chunk: usize, margins: &Margins) -> Near<D> {
        let path = sub(widened(self.to.0), widened(self.from.0));
        let size = walls.size;
        let is_long = (0..D).any(|axis| size[axis] > 0.0 && path[axis].abs() > LARGEST_SHARE * size[axis]);
        // Walls that have changed may appear on an agent.
        let [low, high] = self.path_box(walls, margins.room);
        let is_plain = !walls.is_still.is_empty() && !is_long && self.stays(walls, self.to);
        if !is_plain || !pieces.holds(in_chunk / CLUSTER, [low, high]) {
            return Near::Other;
        }
        let (pieces, lane) = (pieces.of_cluster(in_chunk / CLUSTER), in_chunk % CLUSTER);
        let is_within = |[a, b]: [Wide<D>; 2]| {
            let [below, above] = Piece::Segment(a, b).bounds();
            (0..D).fold(true, |is_within, axis| is_within & (above[axis] >= low[axis]) & (below[axis] <= high[axis]))
        };
        // No branches: they would be unpredictable.
        let (mut is_other, mut count, mut last) = (false, 0, 0);
        for (number, piece) in pieces.iter().enumerate() {
            let is_near = piece.is_near(lane);
            is_other |= is_near & !piece.is_segment;
            let meets = is_near & is_within(piece.ends);
            count += usize::from(meets);
            last = if meets { number } else { last };
        }
        match count {
            _ if is_other => Near::Other,
            0 => Near::Nothing,
            1 => Near::Segment(pieces[last].ends, f64::INFINITY),
            _ => {
                let near = pieces.iter().filter(|piece| piece.is_near(lane) && is_within(piece.ends));
                self.nearest(near.map(|piece| piece.ends))
            }
        }
    }

    /// The nearest of several segments.
    fn nearest(&self, segments: impl Iterator<Item = [Wide<D>; 2]>) -> Near<D> {
        let (mut nearest, mut least, mut others) = ([[0.0; D]; 2], f64::INFINITY, f64::INFINITY);
        for ends @ [a, b] in segments {
            let distance = Piece::Segment(a, b).nearest(widened(self.from.0)).distance;
            let farther = if distance < least { least } else { distance };
            others = if farther < others { farther } else { others };
            (nearest, least) = if distance < least { (ends, distance) } else { (nearest, least) };
        }
        Near::Segment(nearest, others)
    }

    /// Whether the agent may be here at the end of its path if no wall is between.
    fn may_end_at(&self, walls: &Walls<'_, D>, at: Vector<D>, margins: &Margins) -> bool {
        self.stays(walls, at) && self.is_known(walls, at, margins) && self.is_nearest_image(walls, at)
    }

    /// Whether the edge of the world leaves a position where it is.
    fn stays(&self, walls: &Walls<'_, D>, at: Vector<D>) -> bool {
        walls.confined(at) == (at, [0.0; D])
    }
}
