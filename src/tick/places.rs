//! Places of queues and waiting areas, given to the agents whose rules want one.

use crate::agents::columns::Owner;
use crate::environment::places::Claim;
use crate::state::State;
use crate::tick::derived::Derived;

/// Gives places to the agents for which a rule is active that takes one, and frees the others.
pub(crate) fn allot<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>) {
    if state.environment.places.items().is_empty() {
        return;
    }
    let mut claims = std::mem::take(&mut derived.claims);
    let mut places = std::mem::take(&mut state.environment.places);
    for (number, (item, occupants)) in places.items_mut().enumerate() {
        claims.clear();
        claim(state, derived, number, &mut claims);
        claims.sort_unstable_by_key(|claim| claim.agent.to_bits());
        // An agent may have several rules for the same places.
        claims.dedup_by_key(|claim| claim.agent);
        occupants.allot(item, &mut claims, &state.settings);
    }
    derived.environment.places.update(places.all_kept());
    state.environment.places = places;
    derived.claims = claims;
}

/// Adds the agents that want one of the places with this number.
fn claim<const D: usize>(state: &State<D>, derived: &Derived<D>, number: usize, claims: &mut Vec<Claim<D>>) {
    let species = derived.names().iter().zip(derived.plans()).zip(&state.agents);
    for ((names, plan), agents) in species {
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
