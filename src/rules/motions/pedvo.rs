//! Velocity obstacles for pedestrians: Curtis and Manocha, "Pedestrian Simulation Using Geometric Reasoning in Velocity
//! Space" (2014), with the headway of Tordeux, Chraibi and Seyfried (2016).

use crate::formulas::cells::LEAST_CLOSING;
use crate::formulas::headway::Headway;
use crate::formulas::personal_space::PersonalSpace;
use crate::kernels::nearest_agents::MOST_NEIGHBOURS;
use crate::maths::{Vector, sin_cos_of_half_turn};
use crate::rules::interface::{AgentRef, Forces, Inputs, Rows, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::orca::Orca;
use crate::rules::motions::passing::{Passing, Side};
use crate::rules::motions::shared::up_to_full_speed;
use crate::rules::motions::walking::Resting;
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::stability::{Stability, TickOfSpecies};
use crate::rules::world_view::WorldView;

rule! {
    /// A pedestrian avoids others as with [`Orca`], but keeps a headway: it approaches each person in its way no faster
    /// than with the gap between their bodies over `headway` seconds. The speed of a crowd thus falls with its density
    /// as in experiments, and doors have a limited flow. Curtis and Manocha added such a relation of speed and room to
    /// velocity obstacles; the one here is from the collision-free speed model.
    ///
    /// Another is in the way if it is ahead and its centre at most `lane` of the distance of touching bodies off the
    /// line along the wanted velocity; those farther to the side limit no speed. A pedestrian that is slowed down looks
    /// to both sides, at one, two and three times `looking_angle`, for a gap that brings it farther along its way, and turns to it, as
    /// far as `swerve` says: people walk in staggered rows through a neck, and around a crowd at a corner. Moussaïd,
    /// Helbing and Theraulaz (2011) found that people choose their direction by the way that is free in it.
    ///
    /// Bodies yield to each other in a press, as shoulders turn: only cores, `core` of the radius, keep to their cells.
    /// Gaps are measured between bodies straight ahead, between cores at the lane's edge.
    /// Walls hold the whole body off. One that stands, though no one close before it goes the same way, squeezes past
    /// others: it counts half the widths of cores and lanes, so that arches at doors open and people that meet pass.
    ///
    /// Where a crowd leaves no velocity that avoids collisions for any horizon, the pedestrian keeps only its headway
    /// and the cells of the cores, and gets on as far as they let it.
    "pedvo": "Avoids collisions as people do: at most the gap ahead over a time."
    pub struct Pedvo {
        /// The time in which a pedestrian covers the gap to one in its way.
        pub headway: f32 = 0.89, "s", Kind::Number(Range::above(0.0, 1e6));
        /// How far to the side another is in the way, as a part of the distance of two bodies that touch.
        pub lane: f32 = 0.75, "", Kind::Number(Range::above(0.0, 1e3));
        /// How strongly a blocked pedestrian turns to the freer side: the tangent of the turn is this, times the gain of
        /// its way there, times the tangent of the direction.
        pub swerve: f32 = 2.2, "", Kind::Number(Range::from(0.0, 1e3));
        /// The part of the radius that does not yield to others.
        pub core: f32 = 0.8, "", Kind::Number(Range::from(0.0, 1.0));
        /// The distance within which neighbours are avoided.
        pub neighbour_dist: f32 = 6.0, "m", Kind::Number(Range::LENGTH);
        /// The largest number of neighbours that are avoided, nearest first.
        pub max_neighbours: u32 = 10, "", Kind::Whole(1, MOST_NEIGHBOURS as u64);
        /// The time for which the velocity avoids collisions with neighbours.
        pub time_horizon: f32 = 1.0, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The time for which the velocity avoids collisions with walls.
        pub time_horizon_obst: f32 = 0.1, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The time in which a pedestrian may use up its part of the gap between two cores, one tick at least.
        pub time_gap: f32 = 0.2, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The gap that bodies keep where there is room.
        pub margin: f32 = 0.1, "m", Kind::Number(Range::LENGTH);
        /// The gap that a pedestrian keeps from walls beside it where it walks freely.
        pub wall_gap: f32 = 0.15, "m", Kind::Number(Range::LENGTH);
        /// How far a pedestrian turns that others block: the tangent of the angle for one that stands.
        pub sidestep: f32 = 0.7, "", Kind::Number(Range::from(0.0, 1e3));
        /// The side on which pedestrians pass where neither is nearer: `right`, `left`, or one that is `drawn` anew from
        /// time to time.
        pub side: Side = Side::Drawn, "", Side::KIND;
        /// Whether pedestrians that gather at one goal settle around it.
        pub settle: bool = true, "", Kind::Flag;
        /// The species that the pedestrian avoids.
        pub from: SpeciesFilter = SpeciesFilter::All, "", Kind::SpeciesFilter;
        /// The angle between the directions, three to each side, in which a pedestrian looks for a gap.
        pub looking_angle: f32 = 22.5, "degrees", Kind::Number(Range::from(0.0, 29.0)), advanced;
        /// The part of the wanted speed below which a pedestrian stands, and may squeeze past others.
        pub standing: f32 = 0.1, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
        /// The gap up to which one ahead that goes the same way keeps a pedestrian from squeezing past others.
        pub squeezing_gap: f32 = 0.2, "m", Kind::Number(Range::LENGTH), advanced;
        /// The part of the widths of its core and lane that a pedestrian keeps while it squeezes past others.
        pub squeezing_width: f32 = 0.5, "", Kind::Number(Range::from(0.0, 1.0)), advanced;
        /// How far a pedestrian that walks freely turns away from a wall that it touches: the tangent of the angle.
        pub wall_turn: f32 = 0.6, "", Kind::Number(Range::from(0.0, 1e3)), advanced;
        /// The gap from which on a wall lets a pedestrian that is slowed down turn to its side in full.
        pub wall_room: f32 = 0.03, "m", Kind::Number(Range::LENGTH), advanced;
        /// The factor by which the time horizon shrinks where it leaves no velocity.
        pub horizon_factor: f32 = 0.25, "", Kind::Number(Range::from(0.0, 0.75)), advanced;
        /// The speed that is added to those with which two approach each other, so that each has a part of their gap.
        pub least_closing: f32 = LEAST_CLOSING, "m/s", Kind::Number(Range::from(0.001, 1e3)), advanced;
        ..pub passing: Passing;
        ..pub resting: Resting;
    }
}

impl Pedvo {
    /// The motion without a headway.
    fn orca(&self) -> Orca {
        Orca {
            neighbour_dist: self.neighbour_dist,
            max_neighbours: self.max_neighbours,
            time_horizon: self.time_horizon,
            time_horizon_obst: self.time_horizon_obst,
            time_gap: self.time_gap,
            margin: self.margin,
            sidestep: self.sidestep,
            side: self.side,
            settle: self.settle,
            from: self.from.clone(),
            horizon_factor: self.horizon_factor,
            least_closing: self.least_closing,
            passing: self.passing.clone(),
            resting: self.resting.clone(),
        }
    }

    /// A body that is all core has nothing to squeeze.
    fn squeezed_width(&self) -> f32 {
        if self.core < 1.0 { self.squeezing_width } else { 1.0 }
    }

    fn space<const D: usize>(&self, world: WorldView<'_, D>) -> PersonalSpace {
        let tick = world.settings().tick_seconds;
        let time_gap = if self.time_gap > tick { self.time_gap } else { tick };
        let time = if self.headway > time_gap { self.headway } else { time_gap };
        let (lane, core, least_closing) = (self.lane, self.core, self.least_closing);
        let looks = [1.0, 2.0, 3.0].map(|times| {
            let (sine, cosine) = sin_cos_of_half_turn((times * f64::from(self.looking_angle)).to_radians());
            [cosine, sine, sine / cosine]
        });
        PersonalSpace {
            headway: Headway { time, lane, core, time_gap, least_closing },
            swerve: self.swerve,
            looks,
            standing: self.standing,
            squeezing_gap: self.squeezing_gap,
            squeezing_width: self.squeezed_width(),
            alike: self.passing.alike(),
            side: self.passing.common_side_of(world, self.side)[0],
            wall_time: self.time_horizon_obst,
            wall_gap: self.wall_gap,
            wall_turn: self.wall_turn,
            wall_room: self.wall_room,
        }
    }
}

impl<const D: usize> Motion<D> for Pedvo {
    fn inputs(&self) -> Inputs {
        Motion::<D>::inputs(&self.orca())
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        let space = self.space(me.world());
        self.orca().velocity_of(me, wanted, Some(&space))
    }

    fn velocities(&self, rows: &Rows<'_, D>, motion: &mut Forces<'_, D>) {
        let space = self.space(rows.world);
        self.orca().velocities_of(rows, motion, Some(&space));
    }

    fn walks(&self) -> bool {
        true
    }

    /// One that squeezes past others counts only a part of its core.
    fn cores(&self) -> [f32; 2] {
        [self.core, self.core * self.squeezed_width()]
    }

    fn quantities(&self, has_rules: bool) -> Option<&'static [&'static str]> {
        up_to_full_speed(has_rules)
    }

    /// Within half of `time_gap`, the flow of a crowd hardly depends on the tick.
    fn stability(&self, _tick: &TickOfSpecies) -> Stability {
        Stability::reaction(1.0).within(0.5 * self.time_gap)
    }

    reflect!(motion);
}
