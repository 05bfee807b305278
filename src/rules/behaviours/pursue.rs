//! Pursue: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::base::settings::LIMIT;
use crate::kernels::steer_to_target::TargetSteering;
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows, Sight, SpeciesFilter};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;
use crate::rules::target::Target;

rule! {
    /// The desired velocity is full speed towards the predicted position of the target: `position + velocity * T` of
    /// the target. `T` is `horizon`; if that is zero, `T` is `distance / max_speed`, at most `max_horizon`. The
    /// prediction moves an approaching target by at most half of the distance to the agent. A longer prediction could
    /// lie behind the agent, and the agent would turn round. `literal` removes this bound. Exactly at the predicted
    /// position, and without a target, the force is zero.
    "pursue": "Moves to the predicted position of a target."
    pub struct Pursue<D> {
        /// The target.
        pub target: Target<D> = Target::Nearest(SpeciesFilter::All), "m", Kind::Target;
        /// Prediction time; 0 for the time to reach the target.
        pub horizon: f32 = 0.0, "s", Kind::Number(Range::from(0.0, LIMIT as f64));
        /// The longest prediction time if `horizon` is 0.
        pub max_horizon: f32 = 10.0, "s", Kind::Number(Range::from(0.0, LIMIT as f64));
        /// Whether an approaching target is predicted for the full time, even to a position behind the agent.
        pub literal: bool = false, "", Kind::Flag;
        /// Whether `walls` and closed doors hide the nearest agent as a target; with `through` if the species says so, with
        /// `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND, added;
    }
}

/// The prediction time in seconds: `horizon`, or, if that is zero, the time to reach the target, at most `longest`.
pub(crate) fn seconds_ahead<const D: usize>(
    me: &AgentRef<'_, D>,
    offset: Vector<D>,
    horizon: f32,
    longest: f32,
) -> f32 {
    if horizon > 0.0 { horizon } else { steering::time_to_cover(offset.length(), me.max_speed(), longest) }
}

/// The offset to the predicted position of a target: by the formula of the sources if `literal`, otherwise with the
/// bound of [`predict`](steering::predict).
pub(crate) fn predicted<const D: usize>(
    literal: bool,
    offset: Vector<D>,
    velocity: Vector<D>,
    seconds: f32,
) -> Vector<D> {
    if literal { offset + velocity * seconds } else { steering::predict(offset, velocity, seconds) }
}

impl<const D: usize> Behaviour<D> for Pursue<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default().target("target", &self.target).target_sight(self.sight)
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.towards(me.target(0).and_then(|target| {
            let seconds = seconds_ahead(me, target.offset, self.horizon, self.max_horizon);
            steering::seek(predicted(self.literal, target.offset, target.velocity, seconds), me.max_speed())
        }))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let steering = TargetSteering::Predict {
            horizon: self.horizon,
            longest: self.max_horizon,
            literal: self.literal,
            away: false,
        };
        rows.steer_to_target(&rows.targets(0), steering, forces);
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{add, add_inert, assert_near, desired, force, offset, open};

    fn wanted(rule: Pursue<2>, position: [f32; 2], velocity: [f32; 2]) -> Vector<2> {
        let mut world = open();
        add_inert(&mut world, "prey", position, velocity);
        let hunter = add(&mut world, rule, [0.0, 0.0], [1.0, 0.0]);
        desired(&mut world, hunter)
    }

    #[test]
    fn the_target_is_predicted() {
        // 30 m at 10 m/s take 3 s, in which the target moves 40 m.
        let across = [0.0, 40.0 / 3.0];
        assert_near(wanted(Pursue::default(), [30.0, 0.0], across), [6.0, 8.0]);
        let fixed = Pursue { horizon: 1.5, ..Pursue::default() };
        assert_near(wanted(fixed, [30.0, 0.0], [0.0, 80.0 / 3.0]), [6.0, 8.0]);
        let short = Pursue { max_horizon: 1.5, ..Pursue::default() };
        assert_near(wanted(short, [30.0, 0.0], [0.0, 80.0 / 3.0]), [6.0, 8.0]);
    }

    #[test]
    fn an_approaching_target_is_pursued() {
        for speed in [5.0, 10.0, 100.0] {
            assert_near(wanted(Pursue::default(), [30.0, 0.0], [-speed, 0.0]), [10.0, 0.0]);
        }
    }

    #[test]
    fn the_literal_formula_predicts_an_approaching_target_for_the_full_time() {
        let literal = || Pursue { literal: true, ..Pursue::default() };
        for velocity in [[-5.0, 0.0], [-10.0, 1.0], [-20.0, 5.0], [-100.0, -30.0], [4.0, 7.0]] {
            // 30 m at 10 m/s are 3 s.
            let predicted = Vector([30.0, 0.0]) + Vector(velocity) * 3.0;
            let towards = predicted.direction() * 10.0;
            assert_near(wanted(literal(), [30.0, 0.0], velocity), towards);
            let fixed = Pursue { horizon: 3.0, ..literal() };
            assert_near(wanted(fixed, [30.0, 0.0], velocity), towards);
        }
    }

    #[test]
    fn a_slower_target_is_intercepted() {
        let mut world = open::<3>();
        let (_, prey) = add_inert(&mut world, "prey", [50.0, 10.0, 0.0], [1.0, 5.0, -3.0]);
        let hunter = add(&mut world, Pursue::default(), [0.0; 3], [0.0; 3]);
        let mut closest = f32::INFINITY;
        let mut ticks = 0;
        while closest > 0.1 && ticks < 64 * 12 {
            world.step();
            let now = offset(&world, prey, hunter).length();
            closest = if now < closest { now } else { closest };
            ticks += 1;
        }
        // The shortest interception takes 9.1 s: (50 + t)² + (10 + 5 t)² + (3 t)² = (10 t)².
        assert!(closest <= 0.1 && ticks < 64 * 11, "{closest} m after {ticks} ticks");
    }

    #[test]
    fn without_a_target_there_is_no_force() {
        let mut world = open::<2>();
        let hunter = add(&mut world, Pursue::default(), [0.0, 0.0], [1.0, 0.0]);
        assert_eq!(force(&mut world, hunter), Vector::ZERO);
    }

    #[test]
    fn on_the_target_there_is_no_force() {
        assert_eq!(wanted(Pursue::default(), [0.0, 0.0], [0.0, 3.0]), Vector([1.0, 0.0]));
    }
}
