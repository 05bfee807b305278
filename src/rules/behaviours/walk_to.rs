//! Walking to one of several goals, chosen by distance or by time: Ehtamo, Heliövaara, Korhonen and Hostikka, "Game
//! Theoretic Best-Response Dynamics for Evacuees' Exit Selection" (2010).

use smallvec::SmallVec;

use crate::environment::NavigationField;
use crate::environment::navigation::{GOALS, LazyTimed};
use crate::maths::{Noise, Vector};
use crate::rules::behaviours::expected::{Expected, expected, passage};
use crate::rules::behaviours::own_goal::WITHOUT_OVERSHOOT;
use crate::rules::behaviours::{given_up, own_goal, together};
use crate::rules::interface::{AgentRef, Behaviour, HEAD_ON, Inputs, key_of_navigation};
use crate::rules::parameters::{Kind, Range, choice, reflect, rule};
use crate::rules::steering;

choice! {
    /// The quantity by which an agent chooses its goal and its way.
    pub enum ChooseBy {
        /// The length of the way.
        Distance = "distance",
        /// The time to reach the goal, with zones on the way and the queue before it.
        Time = "time",
    }
}

choice! {
    /// The agents that count in a queue.
    pub enum Crowd {
        /// Those that the agent sees: no wall stands between, and they are not farther than its view. Agents that have the
        /// same goal and the same passage before them, in a square of 10 m, are seen together or not at all.
        Seen = "seen",
        /// All.
        Known = "known",
    }
}

rule! {
    /// The agent heads for one of the goals, each a [`Navigation`](crate::Navigation), at full speed around walls. In a
    /// region it walks on to the middle and stops there, or as soon as it touches another at rest there, if its motion
    /// is one of walkers. It chooses the goal with the least distance, or the least time `t = d / v + n / c` (Ehtamo et
    /// al. 2010) of the quickest way through the [zones](crate::Zone) at its own largest speed, with the time of the
    /// queue. The queue has the agents that head for this goal, are nearer to it, and have the narrowest passage on the
    /// way before them; `c` is the [flow](crate::Navigation::flow) through this passage. With a
    /// [capacity](crate::Navigation::capacity) of the goals, the longer of both queues counts. Every `every` seconds it
    /// chooses again, and changes its goal only if another one is better by the share `hysteresis`, or if no way leads
    /// to its goal any more. An agent that counts the crowd that it sees does not return to a goal from which it turned
    /// away while it sees none of the crowd that heads there, if ways lead to others.
    ///
    /// A share `quickest` of the agents takes the quickest ways, on which a metre in a zone or in a crowd of walkers is as
    /// long as the way that an agent walks elsewhere in the same time (Kretz, "Pedestrian traffic: on the quickest path",
    /// 2009). The distance of a goal is then along this way. A crowd is observed every 1 to 10 seconds, more rarely for
    /// more cells, and new ways are in use a number of ticks later. The other agents take the shortest ways, or those
    /// through zones if they choose by time.
    ///
    /// An agent follows others to their goal: the distance or time of a goal is multiplied by `1 - follow * s`, where `s`
    /// is the share of agents that head there, of those in the crowd that head for one of its goals.
    ///
    /// A host orders agents to one of the goals by a column of `u32` with the name `order`
    /// ([`World::add_column`](crate::World::add_column)): 1 is the first goal, and 0 leaves the choice to the agent. A
    /// number beyond the goals lets it walk nowhere.
    ///
    /// An agent to which the host gave a goal of its own ([`World::set_goal`](crate::World::set_goal)) walks there instead,
    /// on the shortest way for bodies with the clearance of the first navigation, whose goals do not count, and stops
    /// there.
    ///
    /// A column of `u32` with the name `familiar` has the goals that an agent knows, if its species has one: bit n is set
    /// for the navigation whose handle has the number n, and those from 32 on are known to all. An agent chooses among the
    /// goals that it knows and can reach, and among all if there is none.
    ///
    /// A group walks to one place: its members take the choice of the first member, by ids, which chooses among the places
    /// that all of them know and can reach, else among those that all can reach, else for itself. Navigations with equal
    /// goals lead to one place, on ways for bodies of different widths, and each member takes a way that it knows. Groups
    /// are as for [`StayInGroup`](crate::behaviours::StayInGroup), with that rule or without it.
    ///
    /// In a way too narrow for two, an agent that stands for 4 s before others that come gives its goal up for 30 s and
    /// takes the next one that it knows; with one goal only, it walks back for 4 to 60 s, mostly less than 20.
    ///
    /// An event and a flag report that an agent arrived: its body touches the goal. Where a sink removes it, its removal
    /// takes the place of the event.
    "walk_to": "Walks around walls to the nearest or quickest goal."
    pub struct WalkTo {
        /// The names of the navigations to choose from.
        pub goals: Vec<String> = Vec::new(), "", Kind::References("navigation");
        /// The choice: by `distance`, or by `time` with zones and queues.
        pub choose: ChooseBy = ChooseBy::Distance, "", ChooseBy::KIND;
        /// The interval between choices.
        pub every: f32 = 1.0, "s", Kind::Number(Range::from(0.0, 1e6));
        /// The share by which another goal must be better.
        pub hysteresis: f32 = 0.2, "", Kind::Number(Range::from(0.0, 1.0));
        /// The name of the host's column of orders: the number of the goal, counted from 1; 0 for the agent's choice.
        pub order: String = "order".to_owned(), "", Kind::Text;
        /// The agents that count in queues: those `seen`, or all as if they were `known`.
        pub crowd: Crowd = Crowd::Seen, "", Crowd::KIND, added;
        /// The distance up to which agents are seen.
        pub view: f32 = 50.0, "m", Kind::Number(Range::LENGTH), added;
        /// The influence of others: the share by which a goal is better if all others head for it.
        pub follow: f32 = 0.0, "", Kind::Number(Range::from(0.0, 1.0)), added;
        /// The share of agents that know how fast the crowd gets on, and take the quickest ways; the others take the
        /// shortest. One draw decides for a group.
        pub quickest: f32 = 1.0, "", Kind::Number(Range::from(0.0, 1.0)), added;
        /// The name of the column with the group whose members choose together; empty for none.
        pub group: String = Self::GROUP.to_owned(), "", Kind::Text, added;
    }
}

/// The memory of the rule: the number of the navigation plus one, or zero; and the bits of the distance left.
pub(super) const HEADING: &str = "heading";

/// The goals from which an agent turned away, one bit each, if it counts the agents that it sees.
const TURNED: &str = "turned_from";

/// The cosine of the angle between the shortest and the quickest way beyond which an agent takes the quickest.
const ELSEWHERE: f32 = 0.7;

impl WalkTo {
    /// The name of the column of the goals that an agent knows.
    pub const FAMILIAR: &str = "familiar";

    /// The usual name of the column with the groups.
    pub(crate) const GROUP: &str = "group";

    /// The index of the goal that the agent heads for from now on.
    fn goal<const D: usize>(&self, me: &AgentRef<'_, D>) -> Option<usize> {
        let [kept, _] = me.recall::<[u32; 2]>(0);
        let kept = (0..self.goals.len()).find(|&goal| kept != 0 && me.navigation_number(goal) == Some(kept - 1));
        if let Some(order @ 1..) = me.column::<u32>(0, me.species()).map(|orders| orders[me.row()]) {
            return Some(order as usize - 1).filter(|&goal| goal < self.goals.len());
        }
        let members = me.group();
        let known = me.column::<u32>(1, me.species());
        let is_known = |goal: usize, row: usize| {
            let number = me.navigation_number(goal).unwrap_or(u32::BITS);
            number >= u32::BITS || known.is_none_or(|known| known[row] >> number & 1 == 1)
        };
        let knows = |goal: usize| is_known(goal, me.row());
        let distance = |goal: usize| self.ways(me, goal).map_or(f32::INFINITY, |field| me.distance_left(field));
        let can_reach = |goal: usize| distance(goal) < f32::INFINITY;
        let is_other_way = |goal: usize| Some(goal) != kept && knows(goal) && can_reach(goal);
        let given_up = given_up::choose(me, (self.memories() - 1, self.goals.len()), kept, || {
            (0..self.goals.len()).any(is_other_way)
        });
        let reached = || (0..self.goals.len()).filter(|&goal| can_reach(goal));
        if let Some(place) = together::goal_of_group(me, members, HEADING, self.goals.len()) {
            let ways = || (0..self.goals.len()).filter(|&goal| me.leads_to_same_place(place, goal) && can_reach(goal));
            if let Some(kept) = kept.filter(|&kept| ways().any(|goal| goal == kept)) {
                return Some(kept);
            }
            let nearest = |one: &usize, other: &usize| distance(*one).total_cmp(&distance(*other));
            if let Some(way) = ways().filter(|&goal| knows(goal)).min_by(nearest).or_else(|| ways().min_by(nearest)) {
                return Some(way);
            }
        }
        if let Some(kept) = kept.filter(|&kept| !self.chooses_now(me) && given_up != Some(kept))
            && (can_reach(kept) || reached().next().is_none())
        {
            return Some(kept);
        }
        let is_bit = |goal: usize, bits: u32| bits.checked_shr(goal as u32).is_some_and(|bits| bits & 1 == 1);
        let turned = if self.remembers_turns() { me.recall::<u32>(1) } else { 0 };
        let reads = self.reads_queues();
        let left = |goal: usize| {
            let passage = if reads { passage(me, goal) } else { None };
            let nearest = passage.filter(|_| self.choose == ChooseBy::Time).map(|(nearest, _)| nearest);
            (nearest.unwrap_or_else(|| distance(goal)), passage)
        };
        let left: SmallVec<[_; GOALS]> = (0..self.goals.len()).map(left).collect();
        let reaches = |goal: usize, row: usize| {
            let Vector(at) = me.rows.agents.position(row);
            self.ways(me, goal).is_some_and(|field| field.distance([at[0], at[1]]) < f32::INFINITY)
        };
        let all = |goal: usize, heeds: bool| {
            let suits = |goal: usize, row: usize| reaches(goal, row) && (!heeds || is_known(goal, row));
            together::all_have_way(me, members, (goal, self.goals.len()), suits, reaches)
        };
        let reached = || (0..self.goals.len()).filter(|&goal| left[goal].0 < f32::INFINITY);
        let choices: [&dyn Fn(usize) -> bool; 3] =
            [&|goal| knows(goal) && all(goal, true), &|goal| all(goal, false), &knows];
        let choice = choices.into_iter().find(|is_choice| reached().any(is_choice)).unwrap_or(&|_| true);
        let mut among: SmallVec<[usize; GOALS]> = reached().filter(|&goal| choice(goal)).collect();
        if among.len() > 1 {
            among.retain(|goal| given_up != Some(*goal));
        }
        // Others matter only where there is a choice.
        let has_turned = among.iter().any(|&goal| is_bit(goal, turned));
        let counts = among.len() > 1 && (self.follow > 0.0 || self.choose == ChooseBy::Time) || has_turned;
        let others_count = self.follow > 0.0 || has_turned;
        let asked: SmallVec<[usize; GOALS]> = match self.follow > 0.0 {
            _ if !counts => SmallVec::new(),
            true => (0..self.goals.len()).collect(),
            false => among.clone(),
        };
        let answers = expected(me, asked.iter().map(|&goal| (goal, left[goal])), self.seen_within(), others_count);
        let expected = |goal: usize| asked.binary_search(&goal).map_or(Expected::default(), |place| answers[place]);
        let is_left = |goal: usize| is_bit(goal, turned) && expected(goal).others == 0;
        let all_left = turned == 0 || among.iter().copied().all(is_left);
        let all: u32 = answers.iter().map(|expected| expected.others).sum();
        let share = |goal: usize| if all > 0 { expected(goal).others as f32 / all as f32 } else { 0.0 };
        let mut best: Option<(usize, f32)> = None;
        for &goal in among.iter().filter(|&&goal| all_left || !is_left(goal)) {
            let cost = match self.choose {
                ChooseBy::Distance => left[goal].0,
                ChooseBy::Time => expected(goal).seconds,
            };
            let cost = if self.follow > 0.0 { cost * (1.0 - self.follow * share(goal)) } else { cost };
            let cost = if Some(goal) == kept { cost * (1.0 - self.hysteresis) } else { cost };
            if best.is_none_or(|(_, least)| cost < least) {
                best = Some((goal, cost));
            }
        }
        let chosen = best.map(|(goal, _)| goal);
        if self.remembers_turns() {
            let turned = if all_left { 0 } else { turned };
            let away = kept.filter(|&goal| kept != chosen && can_reach(goal));
            let away = away.map_or(0, |goal| 1_u32.checked_shl(goal as u32).unwrap_or(0));
            me.remember(1, turned | away);
        }
        chosen
    }

    /// The ways to a goal: the quickest or the shortest.
    fn ways<'a, const D: usize>(&self, me: &AgentRef<'a, D>, goal: usize) -> Option<&'a NavigationField> {
        match self.choose {
            _ if self.takes_quickest(me) => me.quickest_ways(goal),
            ChooseBy::Distance => me.navigation(goal),
            ChooseBy::Time => me.timed_ways(goal).map(LazyTimed::field),
        }
    }

    /// The direction of the ways to a goal. Inside a crowd the quickest ways lead to its edges, so an agent leaves the
    /// shortest way only where they lead elsewhere.
    fn way<const D: usize>(&self, me: &AgentRef<'_, D>, goal: usize, ways: &NavigationField) -> Vector<D> {
        let way = me.way(ways);
        let differs = |shortest: &&NavigationField| !std::ptr::eq(*shortest, ways) && self.takes_quickest(me);
        let shortest = me.navigation(goal).filter(differs).map(|shortest| me.way(shortest));
        shortest.filter(|shortest| shortest.dot(way) > ELSEWHERE).unwrap_or(way)
    }

    /// Whether the agent takes the quickest ways through the crowd: its group does, if it has one.
    fn takes_quickest<const D: usize>(&self, me: &AgentRef<'_, D>) -> bool {
        if self.quickest <= 0.0 || self.quickest >= 1.0 {
            return self.quickest >= 1.0;
        }
        let first = me.group().first().map_or(me.id().to_bits(), |member| member.id);
        Noise::new(me.world().settings().seed, first, 0, Noise::QUICKEST).between(0.0, 1.0) < self.quickest
    }

    /// The distance within which the agents of queues count, if walls hide them.
    fn seen_within(&self) -> Option<f32> {
        (self.crowd == Crowd::Seen).then_some(self.view)
    }

    /// Whether the choice depends on the headings of others.
    fn reads_queues(&self) -> bool {
        self.goals.len() > 1 && (self.choose == ChooseBy::Time || self.follow > 0.0)
    }

    /// Whether an agent remembers the goals from which it turned away: it does not see the queues there any more.
    fn remembers_turns(&self) -> bool {
        self.choose == ChooseBy::Time && self.crowd == Crowd::Seen
    }

    /// The number of memories of an agent; the last has the goal that it has given up.
    fn memories(&self) -> usize {
        if self.remembers_turns() { 3 } else { 2 }
    }

    /// Agents choose in turn, in the order of their ids, so that they see the choices of others.
    fn chooses_now<const D: usize>(&self, me: &AgentRef<'_, D>) -> bool {
        me.world().is_turn_of(me.id(), self.every)
    }
}

impl<const D: usize> Behaviour<D> for WalkTo {
    fn inputs(&self) -> Inputs {
        let inputs = Inputs::default().memory(HEADING, [0u32; 2]).arrival();
        let inputs = inputs.ways(self.quickest, self.choose == ChooseBy::Time);
        let inputs = if self.remembers_turns() { inputs.memory(TURNED, 0_u32) } else { inputs };
        let inputs = inputs.memory(given_up::GIVEN_UP, [0u32; 2]);
        let inputs = inputs.column(&self.order).column(Self::FAMILIAR).column(HEAD_ON).group(&self.group);
        let reads = self.reads_queues();
        let inputs = inputs.heading([Crowd::Seen, Crowd::Known].map(|crowd| reads && self.crowd == crowd));
        self.goals.iter().fold(inputs, |inputs, goal| inputs.flow_field(goal))
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        if let Some(goal) = me.goal().filter(|_| !self.goals.is_empty()) {
            return own_goal::steer(me, goal);
        }
        let Some(goal) = self.goal(me) else {
            me.remember(0, [0u32; 2]);
            return Vector::ZERO;
        };
        let number = me.navigation_number(goal).map_or(0, |number| number + 1);
        let (left, middle) =
            me.navigation(goal).map_or((f32::INFINITY, None), |field| (me.distance_left(field), me.middle_of(field)));
        me.remember(0, [number, left.to_bits()]);
        let (end, is_inside) = middle.unwrap_or((Vector::ZERO, false));
        if left <= me.radius() {
            me.arrive_at(end);
        }
        let Some(field) = self.ways(me, goal) else { return me.towards(Vector::ZERO) };
        if given_up::now(me, self.memories() - 1, self.goals.len()) == Some(goal) {
            return me.towards(me.way(field) * (given_up::BACK * me.max_speed()));
        }
        let key = key_of_navigation(number);
        if is_inside {
            me.heads_for(key, (end.length(), end), true);
            return me.towards(steering::arrive(
                end,
                me.max_speed(),
                WITHOUT_OVERSHOOT * me.max_speed() * me.response(),
            ));
        }
        // An agent that walks into a region does not slow down before it.
        me.heads_for(key, (left, end), field.leads_to_points());
        me.towards(self.way(me, goal, field) * me.max_speed())
    }

    reflect!();
}
