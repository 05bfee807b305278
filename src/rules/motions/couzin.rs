//! Couzin, Krause, James, Ruxton and Franks, "Collective Memory and Spatial Sorting in Animal Groups", Journal of
//! Theoretical Biology 218, 1-11 (2002).

use crate::formulas::flocks::{FlockSums, Zones};
use crate::kernels::flocks::FlockModel;
use crate::maths::{Noise, Vector, cosine_of_half, sin_cos};
use crate::rules::interface::{AgentRef, Forces, Inputs, Perception, Rows, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::flocking::{Flocking, velocities_of, velocity_of};
use crate::rules::motions::shared::{added_velocity, angle_doubt, at_full_speed, rotated};
use crate::rules::parameters::{Kind, Range, reflect, rule};

rule! {
    /// An agent reacts to neighbours in three zones around it, one outside the other:
    ///
    /// 1. Repulsion, up to `repulsion_radius`, in all directions: away from the sum of the directions to the neighbours.
    ///    It has priority over the other zones.
    /// 2. Orientation, `orientation_width` wide: the sum of the neighbours' headings.
    /// 3. Attraction, `attraction_width` wide: the sum of the directions to the neighbours.
    ///
    /// Where the zones of orientation and attraction both have neighbours, the desired direction is the mean of their
    /// sums, which are not normalised. Neighbours behind, outside of `fov`, do not count in these two zones. Without
    /// neighbours the agent keeps its heading.
    ///
    /// The desired direction is turned by an angle with a normal distribution of standard deviation `noise`, about a
    /// random axis across it. The agent turns towards it by at most `turning_rate` and moves at `max_speed` with the new
    /// heading. Noise is drawn once per tick, whatever the tick's length: the paper's tick is 0.1 s. The force of the
    /// species' rules, divided by the mass and the speed and multiplied by the tick, is added to the desired direction.
    "couzin": "Keeps apart, aligns and moves closer, in three zones with a limited turning rate."
    pub struct Couzin {
        /// Radius of the zone of repulsion.
        pub repulsion_radius: f32 = 1.0, "m", Kind::Number(Range::LENGTH);
        /// Width of the zone of orientation.
        pub orientation_width: f32 = 2.0, "m", Kind::Number(Range::LENGTH);
        /// Width of the zone of attraction.
        pub attraction_width: f32 = 14.0, "m", Kind::Number(Range::LENGTH);
        /// Field of view of orientation and attraction: the full angle, 360 less the blind angle.
        pub fov: f32 = 270.0, "degrees", Kind::Number(Range::from(0.0, 360.0));
        /// Largest turn in one second.
        pub turning_rate: f32 = 40.0, "degrees/s", Kind::Number(Range::from(0.0, 36e3));
        /// Standard deviation of the angle added to the desired direction in each tick.
        pub noise: f32 = 0.05, "radians", Kind::Number(Range::from(0.0, 100.0));
        /// The species that count as neighbours.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
    }
}

/// Below all cosines: no direction is behind.
const NOTHING_BEHIND: f32 = -2.0;

/// The direction that the neighbours ask for, not normalised; zero without neighbours.
fn desired<const D: usize>(sums: &FlockSums<f32, D>) -> Vector<D> {
    let [repulsion, alignment, attraction] = sums.vectors.map(Vector);
    match sums.counts.map(|count| count > 0.0) {
        [true, ..] => repulsion,
        [_, true, true] => (alignment + attraction) * 0.5,
        [_, true, false] => alignment,
        _ => attraction,
    }
}

/// The heading of an agent, drawn for one that never had any.
fn heading<const D: usize>(me: &AgentRef<'_, D>, noise: &mut Noise) -> Vector<D> {
    let heading = me.heading();
    if heading == Vector::ZERO { noise.direction() } else { heading }
}

impl<const D: usize> Flocking<D> for Couzin {
    fn model(&self) -> FlockModel {
        FlockModel::Zones(Zones {
            repulsion_radius: self.repulsion_radius,
            orientation_radius: self.repulsion_radius + self.orientation_width,
            behind: if self.fov < 360.0 { cosine_of_half(self.fov) } else { NOTHING_BEHIND },
        })
    }

    fn reach(&self) -> f32 {
        let radius = self.repulsion_radius + self.orientation_width + self.attraction_width;
        if radius < crate::LIMIT { radius } else { crate::LIMIT }
    }

    fn heading(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        heading(me, &mut me.noise(Noise::MOTION))
    }

    fn conclude(&self, me: &AgentRef<'_, D>, wanted: Vector<D>, sums: &FlockSums<f32, D>) -> Vector<D> {
        let (speed, dt) = (me.max_speed(), me.world().settings().tick_seconds);
        let mut noise = me.noise(Noise::MOTION);
        let heading = heading(me, &mut noise);
        let added = if speed > 0.0 { added_velocity(me, wanted) / speed } else { Vector::ZERO };
        let desired = (desired(sums) + added).direction();
        let desired = if desired == Vector::ZERO { heading } else { desired };
        let error = sin_cos(noise.normal() * self.noise);
        let desired = rotated(desired, noise.across(desired), error).direction();
        let largest = (self.turning_rate * dt) * (std::f32::consts::PI / 180.0);
        let (sine, cosine) = sin_cos(largest);
        let along = heading.dot(desired);
        if largest >= std::f32::consts::PI || along >= cosine {
            return desired * speed;
        }
        let aside = desired - heading * along;
        let aside = if aside.length_squared() > 1e-12 { aside.direction() } else { noise.across(heading) };
        rotated(heading, aside, (sine, cosine)).direction() * speed
    }
}

impl<const D: usize> Motion<D> for Couzin {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(Flocking::<D>::reach(self), &self.from)).nearby()
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        velocity_of(self, me, wanted)
    }

    fn velocities(&self, rows: &Rows<'_, D>, velocities: &mut Forces<'_, D>) {
        velocities_of(self, rows, velocities);
    }

    fn quantities(&self, has_rules: bool) -> Option<&'static [&'static str]> {
        at_full_speed(has_rules)
    }

    fn doubt(&self) -> Option<(&'static str, String)> {
        // A normal angle of this standard deviation leaves a third of the order.
        angle_doubt(self.noise, 1.5)
    }

    reflect!(motion);
}
