//! Members of a group that walk to a goal together. Navigations with the same goals lead to the same place, on ways for
//! bodies of different widths.

use crate::index::groups::Member;
use crate::rules::interface::AgentRef;

/// The goal of a rule to which the group of an agent heads: the one of the first member, by ids, that heads for one of
/// its `goals`, if this is not the agent itself. `heading` is the name of the rule's memory.
pub(super) fn goal_of_group<const D: usize>(
    me: &AgentRef<'_, D>,
    members: &[Member],
    heading: &str,
    goals: usize,
) -> Option<usize> {
    // The first member, and an agent without a group, choose for themselves.
    members.first().filter(|member| member.id != me.id().to_bits())?;
    let headings = me.memory_of_all::<[u32; 2]>(heading)?;
    let before = members.iter().take_while(|member| member.id < me.id().to_bits());
    let mut navigations = before.map(|member| headings[member.row as usize][0]).filter(|&navigation| navigation != 0);
    navigations.find_map(|navigation| (0..goals).find(|&goal| me.navigation_number(goal) == Some(navigation - 1)))
}

/// Whether each other member has a way to the place of a goal of a rule: one of the `goals` that lead there `suits` the
/// member at a row. Members without a goal that is `reached` do not count.
pub(super) fn all_have_way<const D: usize>(
    me: &AgentRef<'_, D>,
    members: &[Member],
    (goal, goals): (usize, usize),
    suits: impl Fn(usize, usize) -> bool,
    reached: impl Fn(usize, usize) -> bool,
) -> bool {
    let others = members.iter().map(|member| member.row as usize).filter(|&row| row != me.row());
    let mut counted = others.filter(|&row| (0..goals).any(|goal| reached(goal, row)));
    counted.all(|row| (0..goals).any(|other| me.leads_to_same_place(goal, other) && suits(other, row)))
}
