//! Links: their agents cross straight, in their time.

use crate::agents::columns::Stored as _;
use crate::derived::Derived;
use crate::environment::link::Crossing;
use crate::rules::behaviours::OWN_GOAL;
use crate::state::State;
use crate::tick::confine::carried::Carried;
use crate::tick::integrate::Before;

/// Moves the agents on links by a tick. Those that come to the other end are free again.
pub(super) fn cross<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, before: &[Before<D>]) {
    if state.environment.links.records().iter().all(|all| all.under_way.is_empty()) {
        return;
    }
    for number in 0..state.agents.len() {
        let is_of = |crossing: &Crossing<D>| {
            state.ids.row_of(crossing.agent).is_some_and(|found| found.species as usize == number)
        };
        if !state.environment.links.records().iter().flat_map(|all| &all.under_way).any(is_of) {
            continue;
        }
        let State { environment, agents, ids, settings, .. } = &mut *state;
        let (agents, mut carried) = (&mut agents[number], Carried::default());
        for (_, _, all) in environment.links.records_mut() {
            for crossing in &mut all.under_way {
                let Some(found) = ids.row_of(crossing.agent).filter(|found| found.species as usize == number) else {
                    continue;
                };
                let (row, (at, jumps)) = (found.row as usize, crossing.step(settings));
                let velocity = crossing.velocity(settings);
                if jumps {
                    agents.jump(row, at);
                    agents.set_velocity(row, velocity);
                    carried.strayed(row);
                } else {
                    carried.put(settings, (agents, before.get(number)), row, (at, velocity));
                }
                if crossing.left == 0.0 {
                    agents.set_velocity(row, velocity.truncate(agents.max_speed(row)));
                    // The turn of the way at which it headed for the link lies behind it.
                    for column in derived.plans.of()[number].rules.iter().filter_map(|rule| rule.heading) {
                        let headings = <[u32; 2]>::rows_mut(&mut agents.columns.0[column].data);
                        let heading = headings.map(|headings| &mut headings[row]);
                        heading.into_iter().filter(|heading| heading[0] & OWN_GOAL != 0).for_each(|at| *at = [0; 2]);
                    }
                }
            }
        }
        carried.end(state, derived, number);
    }
    for (_, _, all) in state.environment.links.records_mut() {
        all.under_way.retain(|crossing| crossing.left > 0.0);
    }
}
