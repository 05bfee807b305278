//! Places of queues and waiting areas, given to the agents whose rules want one.

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::derived::plans::Plans;
use crate::environment::index::EnvironmentIndex;
use crate::environment::places::Claim;
use crate::state::State;

/// Gives places to the agents for which a rule is active that takes one, and frees the others.
pub(super) fn allot<const D: usize>(
    state: &mut State<D>,
    plans: &Plans<D>,
    index: &mut EnvironmentIndex<D>,
    claims: &mut Vec<Claim<D>>,
) {
    let State { settings, agents, environment, .. } = state;
    if environment.places.is_empty() {
        return;
    }
    for (number, (item, occupants)) in environment.places.items_mut().enumerate() {
        claims.clear();
        claim(agents, plans, number, claims);
        claims.sort_unstable_by_key(|claim| claim.agent.to_bits());
        // An agent may have several rules for the same places.
        claims.dedup_by_key(|claim| claim.agent);
        occupants.allot(item, claims, settings);
    }
    index.places.update(environment.places.records());
}

/// Adds the agents that want one of the places with this number.
fn claim<const D: usize>(agents: &[Agents<D>], plans: &Plans<D>, number: usize, claims: &mut Vec<Claim<D>>) {
    for ((names, plan), agents) in plans.names().iter().zip(plans.of()).zip(agents) {
        for (_, rule) in names.rules.iter().zip(&plan.rules).filter(|(names, _)| names.places == Some(number)) {
            let states = agents.columns.values::<u32>(Owner::State);
            for row in 0..agents.len() {
                let own = states.map_or(0, |states| states[row]);
                if rule.during == 0 || rule.during >> own & 1 == 1 {
                    claims.push(Claim { agent: agents.id[row], at: agents.position(row), placed: false });
                }
            }
        }
    }
}
