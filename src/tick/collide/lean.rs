//! Agents that lean on one wall at rest, eight at a time: by far the commonest ones near walls, in two dimensions.
//!
//! What becomes of them is what the whole computation makes of them, to the last bit. It is left whatever has several
//! pieces near, images of them, the edge of the world or an event.

use fearless_simd::Level;

use crate::environment::piece::Piece;
use crate::kernels::lean::{LEANING, Leaning, lean};
use crate::maths::Vector;
use crate::maths::wide::{Wide, length, sub, widened};
use crate::tick::collide::kept::KeptPieces;
use crate::tick::collide::near::Walls;
use crate::tick::collide::steps::LARGEST_SHARE;
use crate::tick::collide::walker::{Body, Moved, Stopped, Walker};

/// An agent that may touch a wall.
#[derive(Clone, Copy, Debug)]
pub(super) struct Close<const D: usize> {
    pub(super) cluster: usize,
    pub(super) lane: usize,
    pub(super) walker: Walker<D>,
    pub(super) body: Body,
    /// What walls do to it, if that is known.
    pub(super) moved: Option<Moved<D>>,
}

/// The agents of a chunk that lean on walls, until there are enough for the lanes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Batch {
    agents: Leaning,
    /// Their places in the list of agents.
    places: [usize; LEANING],
    len: usize,
}

/// What is near an agent.
enum Near<const D: usize> {
    Nothing,
    /// One segment at rest.
    Segment(Wide<D>, Wide<D>),
    Other,
}

impl Batch {
    /// Adds an agent to a list, and moves it if that is simple, once the batch is full.
    pub(super) fn add<const D: usize>(
        &mut self,
        walls: &Walls<'_, D>,
        level: Level,
        pieces: &KeptPieces<D>,
        close: &mut Vec<Close<D>>,
        mut agent: Close<D>,
    ) {
        let near = agent.walker.near(walls, pieces, agent.cluster, agent.lane, &agent.body);
        agent.moved = matches!(near, Near::Nothing).then_some(Moved::Clear(agent.body.room));
        close.push(agent);
        if let Near::Segment(a, b) = near {
            let (Walker { from, to, velocity, .. }, number, batch) = (&agent.walker, self.len, &mut self.agents);
            for axis in 0..2 {
                batch.start[axis][number] = f64::from(from[axis]);
                batch.end[axis][number] = f64::from(to[axis]);
                batch.velocity[axis][number] = f64::from(velocity[axis]);
                batch.ends[0][axis][number] = a[axis];
                batch.ends[1][axis][number] = b[axis];
            }
            (batch.radius[number], batch.skin[number]) = (agent.body.radius, agent.body.skin);
            batch.touch[number] = agent.body.touch;
            self.places[number] = close.len() - 1;
            self.len += 1;
            if self.len == LEANING {
                self.run(walls, level, close);
            }
        }
    }

    /// Moves the agents that are left.
    pub(super) fn run<const D: usize>(&mut self, walls: &Walls<'_, D>, level: Level, close: &mut [Close<D>]) {
        if self.len == 0 {
            return;
        }
        let leant = lean(level, &self.agents);
        for (number, &place) in self.places[..self.len].iter().enumerate() {
            let (is, agent) = (|bits: u8| bits >> number & 1 == 1, &mut close[place]);
            let (walker, body) = (&agent.walker, &agent.body);
            agent.moved = if is(leant.clear) {
                let path = length(sub(widened(walker.to.0), widened(walker.from.0)));
                let gap = leant.gap[number] - 0.5 * path;
                Some(Moved::Clear(if gap < body.room { gap } else { body.room }))
            } else if is(leant.kept) {
                Some(Moved::Kept)
            } else if is(leant.stopped) {
                let position = Vector::from_fn(|axis| leant.position[axis][number] as f32);
                let velocity = Vector::from_fn(|axis| leant.velocity[axis][number] as f32);
                let is_changed = position != walker.to || velocity != walker.velocity;
                let moved = if is_changed { Moved::Stopped(Stopped { position, velocity }) } else { Moved::Kept };
                walker.may_be_at(walls, position, body).then_some(moved)
            } else {
                None
            };
        }
        self.len = 0;
    }
}

impl<const D: usize> Walker<D> {
    /// The one segment of a wall at rest that may be near the agent; `Other` if something else is.
    fn near(&self, walls: &Walls<'_, D>, pieces: &KeptPieces<D>, cluster: usize, lane: usize, body: &Body) -> Near<D> {
        let path = sub(widened(self.to.0), widened(self.from.0));
        let size = walls.size();
        let is_long = (0..D).any(|axis| size[axis] > 0.0 && path[axis].abs() > LARGEST_SHARE * size[axis]);
        // Walls that have changed may appear on an agent.
        let [low, high] = self.path_box(walls, body.room);
        let is_plain = !walls.is_still.is_empty() && !is_long && self.stays(walls, self.to);
        if !is_plain || !pieces.holds(cluster, [low, high]) {
            return Near::Other;
        }
        let mut near = Near::Nothing;
        for piece in pieces.of_agent(cluster, lane) {
            let Some([a, b]) = piece.segment else { return Near::Other };
            let [below, above] = Piece::Segment(a, b).bounds();
            if (0..D).all(|axis| above[axis] >= low[axis] && below[axis] <= high[axis]) {
                near = match near {
                    Near::Nothing => Near::Segment(a, b),
                    _ => return Near::Other,
                };
            }
        }
        near
    }

    /// Whether the agent may be here at the end of its path if no wall is between.
    fn may_be_at(&self, walls: &Walls<'_, D>, at: Vector<D>, body: &Body) -> bool {
        self.stays(walls, at) && self.is_known(walls, at, body) && self.is_nearest_image(walls, at)
    }

    /// Whether the edge of the world leaves a position where it is.
    fn stays(&self, walls: &Walls<'_, D>, at: Vector<D>) -> bool {
        walls.confined(at) == (at, [0.0; D])
    }
}
