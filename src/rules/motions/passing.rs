//! How walkers pass each other: the side to which they turn.

use crate::formulas::passing::Turning;
use crate::maths::Noise;
use crate::rules::parameters::{Kind, Range, choice, rule};
use crate::rules::world_view::WorldView;

choice! {
    /// The side on which walkers pass each other where neither is nearer.
    pub enum Side {
        /// One side for all, drawn from the seed again and again.
        Drawn = "drawn",
        /// The left one.
        Left = "left",
        /// The right one.
        Right = "right",
    }
}

rule! {
    /// The parameters of [`Orca`](crate::motions::Orca) and [`Pedvo`](crate::motions::Pedvo) that decide on which side
    /// an agent passes others, and how far it turns.
    "passing": "How agents pass each other."
    pub struct Passing {
        /// The gap within which another in front turns an agent, up to `crowd_dist`.
        pub passing_dist: f32 = 2.0, "m", Kind::Number(Range::from(0.01, 1e6)), advanced;
        /// The gap within which those that come count as a crowd.
        pub crowd_dist: f32 = 4.0, "m", Kind::Number(Range::from(0.01, 1e6)), advanced;
        /// The number of those that come, each weighted by its nearness, above which they begin to count as a crowd.
        pub crowd_onset: f32 = 0.3, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
        /// The number of those that come, weighted by nearness, from which they are a crowd in full.
        pub crowd_full: f32 = 1.5, "", Kind::Number(Range::above(1.0, 1e3)), advanced;
        /// How far an agent turns in front of a crowd before it is slowed down, in units of `sidestep`.
        pub crowd_turn: f32 = 2.0, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The most by which an agent that is pushed back turns, in units of `sidestep`; one that stands turns by one.
        pub push_turn: f32 = 3.0, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The weight of the nearer side, times the offset of the others from the middle, in units of touching bodies.
        pub nearer_side: f32 = 4.0, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The weight of the common side for an agent that gets on; it grows to `nearer_side` for one that stands.
        pub common_side: f32 = 0.5, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The time for which a side that is `drawn` lasts.
        pub side_time: f32 = 8.0, "s", Kind::Number(Range::from(0.01, 1e6)), advanced;
    }
}

impl Passing {
    /// The side on which all pass where neither is nearer, now and always: one for the left, minus one for the right.
    pub(super) fn common_side_of<const D: usize>(&self, world: WorldView<'_, D>, side: Side) -> [f32; 2] {
        match side {
            Side::Left => [1.0; 2],
            Side::Right => [-1.0; 2],
            Side::Drawn => {
                let now = (world.seconds() / f64::from(self.side_time)) as u64;
                [now.saturating_add(1), 0].map(|turn| {
                    if Noise::new(world.settings().seed, 0, turn, Noise::SIDE).unit() < 0.5 { -1.0 } else { 1.0 }
                })
            }
        }
    }

    /// The offset of others from the middle up to which the common side weighs more for an agent that gets on.
    pub(super) fn alike(&self) -> f32 {
        if self.nearer_side > 0.0 { self.common_side / self.nearer_side } else { f32::INFINITY }
    }

    /// The constants of the side to which agents of this world turn in this tick, which keep `margin` metres apart.
    /// Walls bound velocities for `wall_time` seconds. `sidestep` is the tangent of the angle for an agent that stands.
    /// Those that `follow` take the side of others ahead that walk the same way.
    pub(super) fn turning<const D: usize>(
        &self,
        world: WorldView<'_, D>,
        (sidestep, side, follows, margin): (f32, Side, bool, f32),
        wall_time: f32,
    ) -> Turning {
        Turning {
            sidestep,
            follows,
            common_side: self.common_side_of(world, side),
            margin,
            wall_time,
            passing_dist: self.passing_dist,
            crowd_dist: self.crowd_dist,
            crowd_onset: self.crowd_onset,
            crowd_full: self.crowd_full,
            crowd_turn: self.crowd_turn,
            push_turn: self.push_turn,
            nearer_side: self.nearer_side,
            common_weight: self.common_side,
        }
    }
}
