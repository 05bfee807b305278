//! The times in which an agent expects to be at goals, with the others that head there.

use std::cell::OnceCell;

use smallvec::SmallVec;

use crate::environment::Navigation;
use crate::environment::navigation::{GOALS, Passage, Question};
use crate::maths::Vector;
use crate::rules::interface::AgentRef;

/// What an agent expects of a goal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expected {
    /// The seconds in which it would be there.
    pub(super) seconds: f32,
    /// The number of agents that head there.
    pub(super) others: u32,
}

/// The distance from the agent to the goal of the navigation with this number along the quickest way, as from the
/// nearest node, and the narrowest passage on this way.
pub(super) fn passage<'a, const D: usize>(me: &AgentRef<'a, D>, number: usize) -> Option<(f32, &'a Passage)> {
    let position = me.position();
    me.timed_ways(number)?.passage(Vector([position.0[0], position.0[1]]))
}

/// What the agent expects of the navigations with these numbers, distances left and passages, in their order. It walks
/// the quickest way, and waits while the agents nearer to the goal pass the narrowest passage and the goal. It counts
/// the agents within `view` metres that no wall hides, and without a `view` all; `others` only if they are wanted.
pub(super) fn expected<'p, const D: usize>(
    me: &AgentRef<'_, D>,
    goals: impl Iterator<Item = (usize, (f32, Option<(f32, &'p Passage)>))>,
    view: Option<f32>,
    others: bool,
) -> SmallVec<[Expected; GOALS]> {
    let (world, position, speed) = (me.world(), me.position(), me.free_speed());
    let at = Vector([position.0[0], position.0[1]]);
    let mut questions = SmallVec::<[Question; GOALS]>::new();
    let mut expected = SmallVec::<[Expected; GOALS]>::new();
    // The agents per second that pass the narrowest passage, and the goal.
    let mut flows = SmallVec::<[[Option<f32>; 2]; GOALS]>::new();
    for (number, (left, passage)) in goals {
        expected.push(Expected { seconds: left / speed, others: 0 });
        let place = me.rows.names.navigations[number];
        let flow = place.zip(passage).map(|(place, (_, passage))| {
            let Navigation { flow, capacity, .. } = &world.environment.navigations.items()[place];
            [(passage.width < f32::INFINITY).then_some(flow * passage.width), *capacity]
        });
        let flow = flow.unwrap_or_default();
        questions.push(Question::new(place, passage, [others, flow[1].is_some(), flow[0].is_some()]));
        flows.push(flow);
    }
    let (index, within, period) = (world.environment_index, view.unwrap_or(f32::INFINITY), world.settings.period());
    // Without a view, and without walls, all are seen.
    let is_open = view.is_none() || index.walls.pieces.is_empty();
    let horizon = OnceCell::new();
    let sees = |offset| is_open || horizon.get_or_init(|| world.horizon(position, within)).shows(offset);
    let queues = &index.queues[usize::from(view.is_none())];
    queues.ask(&mut questions, (at, within, [period[0], period[1]]), sees);
    for ((expected, question), flow) in expected.iter_mut().zip(&questions).zip(flows) {
        let [all, at_goal, at_passage] = question.counts;
        let seconds = |count: u32, flow: Option<f32>| flow.map_or(0.0, |flow| count as f32 / flow);
        let [at_passage, at_goal] = [seconds(at_passage, flow[0]), seconds(at_goal, flow[1])];
        expected.seconds += if at_goal > at_passage { at_goal } else { at_passage };
        expected.others = all;
    }
    expected
}
