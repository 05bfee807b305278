//! Goals that an agent gives up: it has stood for too long before others that come.

use crate::maths::Noise;
use crate::rules::interface::AgentRef;

/// The memory of the rule: the number of the navigation plus one, and the tick until which it is given up.
pub(super) const GIVEN_UP: &str = "given_up";

/// The number of the column with the seconds for which an agent has stood before others that come.
const HEAD_ON: usize = 2;

/// The seconds for which an agent stands before others that come until it gives its goal up.
const PATIENCE: f32 = 4.0;

/// The seconds for which it gives a goal up if it knows another, and the least and the most for which it walks back:
/// mostly a short time, so that one of a pair is soon out of the way of the other.
const ANOTHER: f32 = 30.0;
const WALKS_BACK: [f32; 2] = [4.0, 60.0];

/// Its speed while it walks back, in units of the one on its way.
pub(super) const BACK: f32 = -0.5;

/// The goal that an agent has given up now, among the first `goals` of a rule; `memory` is the number of the rule's memory.
pub(super) fn now<const D: usize>(me: &AgentRef<'_, D>, memory: usize, goals: usize) -> Option<usize> {
    let [number, until] = me.recall::<[u32; 2]>(memory);
    let lasts = number != 0 && (me.world().tick() as u32) < until;
    let is_it = |&goal: &usize| me.navigation_number(goal) == Some(number - 1);
    if lasts { (0..goals).find(is_it) } else { None }
}

/// The same, after it has given up the goal `kept` where it lost its patience. `knows_another` returns whether it has a
/// way to another goal that it knows.
pub(super) fn choose<const D: usize>(
    me: &AgentRef<'_, D>,
    (memory, goals): (usize, usize),
    kept: Option<usize>,
    knows_another: impl FnOnce() -> bool,
) -> Option<usize> {
    let stands = me.column::<f32>(HEAD_ON, me.species()).map_or(0.0, |seconds| seconds[me.row()]);
    let given_up = now(me, memory, goals);
    if given_up.is_some() || stands < PATIENCE {
        return given_up;
    }
    let number = me.navigation_number(kept?)?;
    let ([least, most], share) = (WALKS_BACK, me.noise(Noise::GIVE_WAY).between(0.0, 1.0));
    let seconds = if knows_another() { ANOTHER } else { least + (most - least) * share * share };
    let until = me.world().tick() as u32 + (seconds / me.world().settings().tick_seconds) as u32;
    me.remember(memory, [number + 1, until]);
    kept
}
