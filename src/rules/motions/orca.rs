//! Optimal reciprocal collision avoidance: van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance"
//! (2011).

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Inputs, Perception, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::preferred;
use crate::rules::parameters::{Kind, Range, rule};
use crate::rules::steering::{Body, HalfSpace, MOST_HALF_SPACES, Walker, avoid_agent, nearest_velocity};

/// The column with the priorities of agents.
const PRIORITY: &str = "priority";

rule! {
    /// An agent takes the velocity nearest to the one that its rules want, among those that avoid collisions with all
    /// neighbours for `time_horizon` seconds, if they do their share. In a crowd without such a velocity it takes the
    /// one with the least violation.
    ///
    /// The pair shares the change of velocity by the column `priority`, a column of the host or a variable of the
    /// species: an agent does the share of the other's priority in the sum of both. Without the column the priority is
    /// one, and each does half. An agent with priority zero gives way to all others that have one.
    "orca": "Takes the velocity nearest to the wanted one that avoids collisions."
    pub struct Orca {
        /// The distance within which neighbours are avoided.
        pub neighbour_dist: f32 = 6.0, "m", Kind::Number(Range::LENGTH);
        /// The largest number of neighbours that are avoided, nearest first.
        pub max_neighbours: u32 = 16, "", Kind::Whole(1, 32);
        /// The time for which the velocity avoids collisions with neighbours.
        pub time_horizon: f32 = 2.0, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The time for which the velocity avoids collisions with walls.
        pub time_horizon_obst: f32 = 0.5, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The gap to keep between the bodies.
        pub buffer: f32 = 0.0, "m", Kind::Number(Range::LENGTH);
        /// How far a blocked agent turns to its right: the tangent of the angle for one that stands.
        pub sidestep: f32 = 0.0, "", Kind::Number(Range::from(0.0, 1e3));
        /// The species that the agent avoids.
        pub from: SpeciesFilter = SpeciesFilter::All, "", Kind::SpeciesFilter;
    }
}

impl Orca {
    /// The preferred velocity of an agent, turned to its right as far as it is blocked.
    fn round<const D: usize>(&self, preferred: Vector<D>, velocity: Vector<D>) -> Vector<D> {
        let squared = preferred.length_squared();
        let progress = velocity.dot(preferred) / squared;
        if self.sidestep == 0.0 || !(squared > 0.0 && progress < 1.0) {
            return preferred;
        }
        let mut right = Vector::ZERO;
        (right[0], right[1]) = (preferred[1], -preferred[0]);
        let blocked = 1.0 - if progress > 0.0 { progress } else { 0.0 };
        (preferred + right * (self.sidestep * blocked)).direction() * squared.sqrt()
    }
}

/// The share of a change that an agent does, by the priorities of both.
fn share(mine: f32, theirs: f32) -> f32 {
    let sum = mine + theirs;
    if sum > 0.0 { theirs / sum } else { 0.5 }
}

impl<const D: usize> Motion<D> for Orca {
    fn inputs(&self) -> Inputs<'_> {
        let view = Perception::within(self.neighbour_dist, &self.from).with_nearest(self.max_neighbours);
        Inputs::default().neighbours(view).column(PRIORITY)
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        let (world, id) = (me.world(), me.id().to_bits());
        let walker = Walker { velocity: me.velocity(), radius: me.radius() + self.buffer };
        let step = world.settings().tick_seconds;
        let priority = |species, row: usize| me.column(0, species).map_or(1.0, |column: &[f32]| column[row]);
        let mine = priority(me.species(), me.row());
        let mut half_spaces = [HalfSpace::ALL; MOST_HALF_SPACES];
        let mut len = 0;
        for other in me.neighbours(0) {
            let them = &world.species()[other.species.number()];
            let body = Body { offset: other.offset, velocity: other.velocity, radius: them.radius(other.row) };
            let share = share(mine, priority(other.species, other.row));
            let aside = |_| world.drawn_direction(id, other.id.to_bits());
            half_spaces[len] = avoid_agent(&walker, &body, share, self.time_horizon, step, aside);
            len += 1;
        }
        nearest_velocity(&half_spaces[..len], 0, me.max_speed(), self.round(preferred(me, wanted), me.velocity()))
    }
}
