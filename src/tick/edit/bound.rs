//! The navigations that lead agents.

use smallvec::SmallVec;

use crate::agents::columns::{Owner, Stored as _};
use crate::derived::plans::Plans;
use crate::environment::navigation::{LazyTimed, NavigationField, flat};
use crate::maths::{Noise, Vector};
use crate::rules::behaviours::OWN_GOAL;
use crate::state::State;

/// A navigation that leads an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leading {
    /// Its index.
    pub(super) navigation: usize,
    /// The goal of the agent if it is one of its own, over the ground of the navigation.
    pub(super) own: Option<Vector<2>>,
    /// The share of agents that take its quickest ways, and whether the others take ways by time.
    quickest: f32,
    by_time: bool,
}

impl Leading {
    /// The ways that the agent may take, which are one if all agents take the same.
    pub(super) fn fields<'a, const D: usize>(&self, state: &'a State<D>) -> SmallVec<[&'a NavigationField; 2]> {
        let (environment, navigation) = (&state.environment, self.navigation);
        let is_usual = self.own.is_none();
        let quickest = environment.quickest_ways_at(navigation).filter(|_| is_usual && self.quickest > 0.0);
        let others = match is_usual && self.by_time {
            true => environment.timed_ways_at(navigation).map(LazyTimed::field),
            false => environment.navigation_field_at(navigation),
        };
        let others = others.filter(|_| quickest.is_none() || self.quickest < 1.0);
        quickest.into_iter().chain(others).collect()
    }
}

/// The navigations to which the rules that are active lead the agent at a row of a species: none of a rule that has not
/// chosen yet, and all navigations of a rule that does not remember where the agent heads.
pub(super) fn leading<const D: usize>(
    state: &State<D>,
    plans: &Plans<D>,
    (species, row): (usize, usize),
) -> SmallVec<[Leading; 4]> {
    let (Some(plan), Some(names)) = (plans.of().get(species), plans.names().get(species)) else {
        return SmallVec::new();
    };
    let agents = &state.agents[species];
    let in_state = agents.columns.values::<u32>(Owner::State).map_or(0, |states| states[row]);
    let mut all = SmallVec::new();
    for ((rule, names), inputs) in plan.rules.iter().zip(&names.rules).zip(&state.inputs[species]) {
        if rule.during != 0 && rule.during >> in_state & 1 == 0 {
            continue;
        }
        let heading = rule.heading.and_then(|column| <[u32; 2]>::rows(&agents.columns.0[column].data));
        let heading = heading.map(|headings| headings[row][0]);
        let own = heading.filter(|heading| heading & OWN_GOAL != 0).and_then(|_| agents.goal(row)).map(flat);
        let leads = |navigation: &usize| {
            let number = state.environment.navigations.ids()[*navigation].to_bits() + 1;
            own.is_some() || heading.is_none_or(|heading| u64::from(heading) == number)
        };
        let most = if own.is_some() { 1 } else { names.navigations.len() };
        let navigations = names.navigations.iter().flatten().copied().take(most).filter(leads);
        // The first member decides for a group; which ways that are is not looked up here.
        let share = inputs.quickest;
        let draws = share > 0.0 && share < 1.0 && names.group.is_none();
        let draw = || Noise::new(state.settings.seed, agents.id[row].to_bits(), 0, Noise::QUICKEST).between(0.0, 1.0);
        let quickest = if draws { f32::from(draw() < share) } else { share };
        all.extend(navigations.map(|navigation| Leading { navigation, own, quickest, by_time: inputs.by_time }));
    }
    all
}
