//! Flow field following: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::base::settings::Edge;
use crate::environment::NavigationField;
use crate::environment::flow_field::FlowField;
use crate::kernels::follow_flow_field::{Flow, flow};
use crate::kernels::{self, CHUNK};
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows};
use crate::rules::parameters::{Kind, Range, choice, reflect, rule};
use crate::rules::steering;

choice! {
    /// The speed of an agent that follows a flow field.
    pub enum FlowSpeed {
        /// Full speed. Where the flow is zero, the force is zero.
        Full = "full",
        /// The speed of the flow. Where the flow is zero, the agent stops.
        Field = "field",
    }
}

rule! {
    /// The desired velocity is the flow at the agent's predicted position in `horizon` seconds at its present velocity.
    /// A horizon equal to the response of the species compensates for the lag in bends. Without a field of this name in
    /// the environment ([`Environment::fields`](crate::Environment::fields)), the force is zero.
    ///
    /// The field may also be a [`Navigation`](crate::Navigation): its flow is full speed in the direction of the way from
    /// the agent's position, which does not depend on the horizon, and zero inside the goal.
    "follow_flow_field": "Follows a flow field."
    pub struct FollowFlowField {
        /// The name of the flow field or navigation.
        pub field: String = "flow".to_owned(), "", Kind::Reference("flow field");
        /// The time ahead for which the position is predicted.
        pub horizon: f32 = 0.2, "s", Kind::Number(Range::from(0.0, 1e6));
        /// The speed: full speed, or the speed of the flow.
        pub speed: FlowSpeed = FlowSpeed::Full, "", FlowSpeed::KIND;
    }
}

impl FollowFlowField {
    /// The force of an agent that follows a navigation.
    fn way<const D: usize>(&self, me: &AgentRef<'_, D>, field: &NavigationField) -> Vector<D> {
        let way = me.way(field);
        let stays = way == Vector::ZERO && self.speed == FlowSpeed::Full;
        me.towards((!stays).then(|| way * me.max_speed()))
    }

    fn force<const D: usize>(&self, me: &AgentRef<'_, D>, field: &FlowField<D>) -> Vector<D> {
        let speed = match self.speed {
            FlowSpeed::Full => Some(me.max_speed()),
            FlowSpeed::Field => None,
        };
        let flow = |ahead| field.at(me.position() + ahead, me.world().settings());
        me.towards(steering::follow_flow_field(me.velocity(), speed, self.horizon, flow))
    }
}

impl<const D: usize> Behaviour<D> for FollowFlowField {
    fn inputs(&self) -> Inputs {
        Inputs::default().flow_field(&self.field).nearby()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        match (me.flow_field(0), me.navigation(0)) {
            (Some(field), _) => self.force(me, field),
            (None, Some(field)) => self.way(me, field),
            (None, None) => Vector::ZERO,
        }
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let Some(field) = rows.flow_field(0) else {
            if let Some(field) = rows.navigation(0) {
                rows.iter().for_each(|me| forces.set(&me, self.way(&me, field)));
            }
            return;
        };
        if field.cells().iter().any(|&cells| cells >= 1 << 24) || u32::try_from(field.vectors().len()).is_err() {
            rows.iter().for_each(|me| forces.set(&me, self.force(&me, field)));
            return;
        }
        let settings = rows.world.settings();
        let field = Flow {
            cells: field.cells(),
            vectors: field.vectors(),
            size: settings.size.0,
            wraps: settings.edge.map(|edge| edge == Edge::Wrap),
            horizon: self.horizon,
            full_speed: self.speed == FlowSpeed::Full,
        };
        let chunk = rows.chunk..(rows.chunk + CHUNK).clamp(0, rows.agents.padded());
        let position = kernels::rows(&rows.agents.position, chunk);
        flow(rows.level, &field, &position, &rows.steered(), &rows.active_bits(), forces.forces);
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::rules::behaviours::testing::{RESPONSE, assert_near, force, motion, ruled, spawn};
    use crate::rules::parameters::{Reflect, Value};
    use crate::world::World;

    fn shear<const D: usize>(edge: Edge, horizon: f32, speed: FlowSpeed) -> World<D> {
        let mut world = ruled(edge, FollowFlowField { horizon, speed, ..FollowFlowField::default() });
        let along = |point: Vector<D>| Vector::from_fn(|axis| if axis == 0 { 0.0 } else { (point[0] - 50.0) * 0.1 });
        let field = FlowField::from_fn("flow", [20; D], Vector::splat(100.0), along).unwrap();
        world.environment_mut().fields.put(field).unwrap();
        world
    }

    #[test]
    fn the_desired_velocity_is_the_flow_at_the_predicted_position() {
        // After half a second at 10 m/s the agent is at 60, where the field is (0, 1).
        let mut world = shear::<2>(Edge::Open, 0.5, FlowSpeed::Full);
        let agent = spawn(&mut world, [55.0, 20.0], [10.0, 0.0]);
        assert_near(force(&mut world, agent), [-10.0 / RESPONSE, 10.0 / RESPONSE]);
        let mut world = shear::<2>(Edge::Open, 0.5, FlowSpeed::Field);
        let agent = spawn(&mut world, [55.0, 20.0], [10.0, 0.0]);
        assert_near(force(&mut world, agent), [-10.0 / RESPONSE, 1.0 / RESPONSE]);
        let mut world = shear::<3>(Edge::Wrap, 0.0, FlowSpeed::Field);
        let agent = spawn(&mut world, [70.0, 20.0, 99.0], [0.0; 3]);
        assert_near(force(&mut world, agent), [0.0, 2.0 / RESPONSE, 2.0 / RESPONSE]);
    }

    #[test]
    fn zero_flow_exerts_no_force_or_stops_the_agent() {
        let mut world = shear::<2>(Edge::Open, 0.0, FlowSpeed::Full);
        let agent = spawn(&mut world, [50.0, 50.0], [3.0, 0.0]);
        assert_near(force(&mut world, agent), [0.0; 2]);
        let mut world = shear::<2>(Edge::Open, 0.0, FlowSpeed::Field);
        let agent = spawn(&mut world, [50.0, 50.0], [3.0, 0.0]);
        assert_near(force(&mut world, agent), [-3.0 / RESPONSE, 0.0]);
        let mut world = ruled::<2>(Edge::Open, FollowFlowField { field: "wind".into(), ..Default::default() });
        let agent = spawn(&mut world, [50.0, 50.0], [3.0, 0.0]);
        assert_near(force(&mut world, agent), [0.0; 2]);
    }

    #[test]
    fn a_whirl_carries_agents_round() {
        let mut world = ruled::<2>(Edge::Bounce, FollowFlowField { horizon: RESPONSE, ..Default::default() });
        let around = |point: Vector<2>| Vector([50.0 - point[1], point[0] - 50.0]);
        world.environment_mut().fields.put(FlowField::from_fn("flow", [40, 40], [100.0; 2], around).unwrap()).unwrap();
        let agent = spawn(&mut world, [80.0, 50.0], [0.0, 10.0]);
        let (mut turned, mut last) = (0.0, motion(&world, agent).0 - Vector::splat(50.0));
        for _ in 0..64 * 30 {
            force(&mut world, agent);
            let arm = motion(&world, agent).0 - Vector::splat(50.0);
            turned += (last[0] * arm[1] - last[1] * arm[0]) / arm.length_squared();
            assert!((28.0..32.0).contains(&arm.length()), "{arm:?}");
            last = arm;
        }
        // 10 m/s at a radius of 30 m turn by ten radians in thirty seconds.
        assert!((9.5..10.5).contains(&turned), "{turned}");
    }

    #[test]
    fn the_words_of_a_scenario() {
        let mut rule = FollowFlowField::default();
        rule.set("speed", &Value::Word("field".into())).unwrap();
        rule.set("field", &Value::Word("wind".into())).unwrap();
        assert_eq!((rule.speed, &rule.field[..]), (FlowSpeed::Field, "wind"));
        assert_eq!(rule.get("speed"), Some(Value::Word("field".into())));
        assert!(rule.set("speed", &Value::Word("fast".into())).is_err());
        assert!(rule.set("field", &Value::Number(1.0)).is_err());
    }
}
