//! Walking to one of several goals, chosen by distance or by time: Ehtamo, Heliövaara, Korhonen and Hostikka, "Game
//! Theoretic Best-Response Dynamics for Evacuees' Exit Selection" (2010).

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Inputs, key_of_navigation};
use crate::rules::parameters::{Kind, Range, choice, reflect, rule};
use crate::rules::steering;

choice! {
    /// The quantity by which an agent chooses its goal.
    pub enum ChooseBy {
        /// The length of the way.
        Distance = "distance",
        /// The time to reach the goal, with the queue before it.
        Time = "time",
    }
}

rule! {
    /// The agent heads for one of the goals, each a [`Navigation`](crate::Navigation), at full speed around walls. In a
    /// region it walks on to the middle and stops there, or as soon as it touches another at rest there, if its motion
    /// is one of walkers. It chooses the goal with the least distance, or the least time `t = d / v + n / c`: the
    /// length of the way over the agent's largest speed, plus the number of agents that head for this goal and are
    /// nearer to it, over its capacity (Ehtamo et al. 2010). Every `every` seconds it chooses again, and changes its
    /// goal only if another one is better by the share `hysteresis`.
    ///
    /// A host orders agents to one of the goals by a column of `u32` with the name `order`
    /// ([`World::add_column`](crate::World::add_column)): 1 is the first goal, and 0 leaves the choice to the agent. A
    /// number beyond the goals lets it walk nowhere.
    ///
    /// A column of `u32` with the name `familiar` has the goals that an agent knows, if its species has one: bit n is set
    /// for the navigation whose handle has the number n, and those from 32 on are known to all. An agent chooses among the
    /// goals that it knows and can reach, and among all if there is none.
    ///
    /// An event and a flag report that an agent arrived: its body touches the goal.
    "walk_to": "Walks around walls to the nearest or quickest goal."
    pub struct WalkTo {
        /// The names of the navigations to choose from.
        pub goals: Vec<String> = Vec::new(), "", Kind::References("navigation");
        /// The choice: by `distance`, or by `time` with queues.
        pub choose: ChooseBy = ChooseBy::Distance, "", ChooseBy::KIND;
        /// The interval between choices.
        pub every: f32 = 1.0, "s", Kind::Number(Range::from(0.0, 1e6));
        /// The share by which another goal must be better.
        pub hysteresis: f32 = 0.2, "", Kind::Number(Range::from(0.0, 1.0));
        /// The name of the host's column of orders: the number of the goal, counted from 1; 0 for the agent's choice.
        pub order: String = "order".to_owned(), "", Kind::Text;
    }
}

/// The memory of the rule: the number of the navigation plus one, or zero; and the bits of the distance left.
const HEADING: &str = "heading";

/// The distance in which an agent can stop, in lengths that it covers in its response time.
const WITHOUT_OVERSHOOT: f32 = 4.0;

impl WalkTo {
    /// The name of the column of the goals that an agent knows.
    pub const FAMILIAR: &str = "familiar";

    /// The index among the goals, and the distance from the agent, of the goal that it heads for from now on.
    fn goal<const D: usize>(&self, me: &AgentRef<'_, D>) -> Option<(usize, f32)> {
        let [kept, _] = me.recall::<[u32; 2]>(0);
        let kept = (0..self.goals.len()).find(|&goal| kept != 0 && me.navigation_number(goal) == Some(kept - 1));
        let distance = |goal: usize| me.navigation(goal).map_or(f32::INFINITY, |field| me.distance_left(field));
        if let Some(order @ 1..) = me.column::<u32>(0, me.species()).map(|orders| orders[me.row()]) {
            let goal = order as usize - 1;
            return (goal < self.goals.len()).then(|| (goal, distance(goal)));
        }
        if let Some(kept) = kept.filter(|_| !self.chooses_now(me)) {
            return Some((kept, distance(kept)));
        }
        let known = me.column::<u32>(1, me.species()).map_or(u32::MAX, |known| known[me.row()]);
        let knows = |goal: usize| {
            let number = me.navigation_number(goal).unwrap_or(u32::BITS);
            number >= u32::BITS || known >> number & 1 == 1
        };
        let can_reach = |goal: &usize| distance(*goal) < f32::INFINITY;
        let knows_one = known == u32::MAX || (0..self.goals.len()).filter(can_reach).any(knows);
        let mut best: Option<(usize, f32, f32)> = None;
        for goal in (0..self.goals.len()).filter(|goal| !knows_one || knows(*goal)) {
            let left = distance(goal);
            if left == f32::INFINITY {
                continue;
            }
            let cost = match self.choose {
                ChooseBy::Distance => left,
                ChooseBy::Time => left / me.max_speed() + me.seconds_queued(goal, left),
            };
            let cost = if Some(goal) == kept { cost * (1.0 - self.hysteresis) } else { cost };
            if best.is_none_or(|(_, _, least)| cost < least) {
                best = Some((goal, left, cost));
            }
        }
        best.map(|(goal, left, _)| (goal, left))
    }

    /// Agents choose in turn, in the order of their ids, so that they see the choices of others.
    fn chooses_now<const D: usize>(&self, me: &AgentRef<'_, D>) -> bool {
        me.world().is_turn_of(me.id(), self.every)
    }
}

impl<const D: usize> Behaviour<D> for WalkTo {
    fn inputs(&self) -> Inputs {
        let inputs = Inputs::default().memory(HEADING, [0u32; 2]).arrival();
        let inputs = inputs.column(&self.order).column(Self::FAMILIAR);
        let inputs = inputs.heading(self.choose == ChooseBy::Time);
        self.goals.iter().fold(inputs, |inputs, goal| inputs.flow_field(goal))
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let Some((goal, left)) = self.goal(me) else {
            me.remember(0, [0u32; 2]);
            return Vector::ZERO;
        };
        let number = me.navigation_number(goal).map_or(0, |number| number + 1);
        me.remember(0, [number, left.to_bits()]);
        if left <= me.radius() {
            me.arrive();
        }
        let Some(field) = me.navigation(goal) else { return me.towards(Vector::ZERO) };
        let key = key_of_navigation(number);
        if let Some(to_middle) = me.middle_of(field) {
            me.heads_for(key, to_middle.length(), true);
            return me.towards(steering::arrive(
                to_middle,
                me.max_speed(),
                WITHOUT_OVERSHOOT * me.max_speed() * me.response(),
            ));
        }
        // An agent that walks into a region does not slow down before it.
        me.heads_for(key, left, field.leads_to_points());
        me.towards(me.way(field) * me.max_speed())
    }

    reflect!();
}
