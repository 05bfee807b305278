//! The navigations that lead agents.

use smallvec::SmallVec;

use crate::agents::columns::Stored as _;
use crate::derived::plans::Plans;
use crate::environment::navigation::flat;
use crate::maths::Vector;
use crate::rules::behaviours::OWN_GOAL;
use crate::state::State;

/// A navigation that leads an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leading {
    /// Its index.
    pub(super) navigation: usize,
    /// Whether the agent may take its quickest ways.
    pub(super) quickest: bool,
    /// The goal of the agent if it is one of its own, over the ground of the navigation.
    pub(super) own: Option<Vector<2>>,
}

/// The navigations to which rules lead the agent at a row of a species: all those of a rule that does not remember where
/// the agent heads.
pub(super) fn leading<const D: usize>(
    state: &State<D>,
    plans: &Plans<D>,
    (species, row): (usize, usize),
) -> SmallVec<[Leading; 4]> {
    let (Some(plan), Some(names)) = (plans.of().get(species), plans.names().get(species)) else {
        return SmallVec::new();
    };
    let agents = &state.agents[species];
    let mut all = SmallVec::new();
    for ((rule, names), inputs) in plan.rules.iter().zip(&names.rules).zip(&state.inputs[species]) {
        let heading = rule.heading.and_then(|column| <[u32; 2]>::rows(&agents.columns.0[column].data));
        let heading = heading.map(|headings| headings[row][0]);
        let own = heading.filter(|heading| heading & OWN_GOAL != 0).and_then(|_| agents.goal(row)).map(flat);
        let leads = |navigation: &usize| {
            let number = state.environment.navigations.ids()[*navigation].to_bits() + 1;
            own.is_some() || heading.is_none_or(|heading| u64::from(heading) == number)
        };
        let most = if own.is_some() { 1 } else { names.navigations.len() };
        let navigations = names.navigations.iter().flatten().copied().take(most).filter(leads);
        all.extend(navigations.map(|navigation| Leading { navigation, quickest: inputs.quickest, own }));
    }
    all
}
