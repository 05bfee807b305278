//! Evade: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::base::settings::LIMIT;
use crate::kernels::steer_to_target::TargetSteering;
use crate::maths::Vector;
use crate::rules::behaviours::pursue::{predicted, seconds_ahead};
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Perception, Rows, Sight, SpeciesFilter};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;

rule! {
    /// The desired velocity is full speed away from the predicted position of the nearest hunter within `radius`:
    /// `position + velocity * T` of the hunter. `T` is `horizon`; if that is zero, `T` is `distance / max_speed`, at
    /// most `max_horizon`. The prediction moves an approaching hunter by at most half of the distance to the agent. A
    /// longer prediction could lie behind the agent, and the agent would flee towards the hunter. `literal` removes
    /// this bound. Without a hunter in range, or exactly at the predicted position, the force is zero.
    "evade": "Flees from the predicted position of the nearest hunter."
    pub struct Evade {
        /// The species that count as hunters.
        pub from: SpeciesFilter = SpeciesFilter::All, "", Kind::SpeciesFilter;
        /// The largest number of hunters, nearest first; 0 for no limit.
        pub nearest: u32 = 0, "", Perception::NEAREST;
        /// Distance within which the agent evades hunters.
        pub radius: f32 = 20.0, "m", Kind::Number(Range::LENGTH);
        /// Field of view: the full angle.
        pub fov: f32 = 360.0, "degrees", Kind::Number(Range::from(0.0, 360.0));
        /// Prediction time; 0 for the time to reach the hunter.
        pub horizon: f32 = 0.0, "s", Kind::Number(Range::from(0.0, LIMIT as f64));
        /// The longest prediction time if `horizon` is 0.
        pub max_horizon: f32 = 10.0, "s", Kind::Number(Range::from(0.0, LIMIT as f64));
        /// Whether an approaching hunter is predicted for the full time, even to a position behind the agent.
        pub literal: bool = false, "", Kind::Flag;
        /// Whether `walls` and closed doors hide neighbours; with `through` if the species says so, with `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND, added;
    }
}

impl<const D: usize> Behaviour<D> for Evade {
    fn inputs(&self) -> Inputs {
        let view = Perception::within(self.radius, &self.from)
            .with_field_of_view(self.fov)
            .with_nearest(self.nearest)
            .with_sight(self.sight);
        Inputs::default().neighbours(view).nearby()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        // Ties go to the first.
        let nearest = me.neighbours(0).min_by(|a, b| a.distance_squared.total_cmp(&b.distance_squared));
        me.towards(nearest.and_then(|hunter| {
            let seconds = seconds_ahead(me, hunter.offset, self.horizon, self.max_horizon);
            steering::seek(-predicted(self.literal, hunter.offset, hunter.velocity, seconds), me.max_speed())
        }))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let Self { horizon, max_horizon, literal, .. } = *self;
        let steering = TargetSteering::Predict { horizon, longest: max_horizon, literal, away: true };
        rows.steer_to_closest(self.radius, steering, forces);
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{add, add_inert, assert_near, desired, force, offset, open, periodic};

    fn hawks() -> Evade {
        Evade { from: SpeciesFilter::named("hawk"), radius: 40.0, ..Evade::default() }
    }

    #[test]
    fn the_hunter_is_predicted() {
        let mut world = open();
        add_inert(&mut world, "hawk", [30.0, 0.0], [0.0, 40.0 / 3.0]);
        let prey = add(&mut world, hawks(), [0.0, 0.0], [1.0, 0.0]);
        assert_near(desired(&mut world, prey), [-6.0, -8.0]);
    }

    #[test]
    fn an_agent_never_flees_towards_a_fast_hunter() {
        for speed in [5.0, 10.0, 100.0] {
            for horizon in [0.0, 2.0] {
                let mut world = open();
                add_inert(&mut world, "hawk", [30.0, 0.0], [-speed, 0.0]);
                let prey = add(&mut world, Evade { horizon, ..hawks() }, [0.0, 0.0], [0.0, 0.0]);
                assert_near(desired(&mut world, prey), [-10.0, 0.0]);
            }
        }
    }

    #[test]
    fn the_literal_formula_predicts_an_approaching_hunter_for_the_full_time() {
        for velocity in [[-5.0, 0.0], [-10.0, 1.0], [-20.0, 5.0], [-100.0, -30.0]] {
            let mut world = open();
            add_inert(&mut world, "hawk", [30.0, 0.0], velocity);
            let prey = add(&mut world, Evade { literal: true, ..hawks() }, [0.0, 0.0], [0.0, 0.0]);
            // 30 m at 10 m/s are 3 s.
            let predicted = Vector([30.0, 0.0]) + Vector(velocity) * 3.0;
            assert_near(desired(&mut world, prey), predicted.direction() * -10.0);
        }
    }

    #[test]
    fn only_the_nearest_hunter_within_the_radius_counts() {
        let mut world = periodic::<2>();
        let (hawk, _) = add_inert(&mut world, "hawk", [50.0, 90.0], [0.0, 0.0]);
        world.spawn(hawk, [80.0, 50.0], [0.0, 0.0]).unwrap();
        world.spawn(hawk, [95.0, 50.0], [0.0, 0.0]).unwrap();
        add_inert(&mut world, "dove", [10.0, 50.0], [0.0, 0.0]);
        // Across the seam, the hunter at 80 is 25 m away and the one at 95 is 10 m away.
        let prey = add(&mut world, hawks(), [5.0, 50.0], [0.0, 0.0]);
        assert_near(desired(&mut world, prey), [10.0, 0.0]);
        let mut far = open();
        add_inert(&mut far, "hawk", [40.1, 0.0], [0.0, 0.0]);
        let prey = add(&mut far, hawks(), [0.0, 0.0], [1.0, 0.0]);
        assert_eq!(force(&mut far, prey), Vector::ZERO);
    }

    #[test]
    fn the_distance_grows() {
        let mut world = open::<3>();
        let (_, hawk) = add_inert(&mut world, "hawk", [10.0, 1.0, 0.0], [-4.0, 0.0, 0.0]);
        let prey = add(&mut world, Evade { radius: 1e4, ..hawks() }, [0.0; 3], [0.0; 3]);
        for _ in 0..64 {
            world.step();
        }
        let mut before = offset(&world, hawk, prey).length();
        for _ in 0..500 {
            world.step();
            let now = offset(&world, hawk, prey).length();
            assert!(now > before);
            before = now;
        }
    }

    #[test]
    fn a_coincident_hunter_exerts_no_force() {
        let mut world = open();
        add_inert(&mut world, "hawk", [5.0, 5.0], [1.0, 2.0]);
        let prey = add(&mut world, hawks(), [5.0, 5.0], [0.0, 0.0]);
        assert_eq!(force(&mut world, prey), Vector::ZERO);
    }
}
