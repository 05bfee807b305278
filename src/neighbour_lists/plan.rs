//! Plan: the perceptions of one species, with its rules sorted into passes over the species that they perceive.
//!
//! A plan follows only from the rules; it is rebuilt only after they changed.

use std::ops::Range;

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::base::ids::SpeciesId;
use crate::base::settings::LIMIT;
use crate::kernels::vision::Vision;
use crate::maths::cosine_of_half;
use crate::neighbour_lists::pass::{Pass, wider};
use crate::rules::interface::{Inputs, NeighbourSum, PerceivedSpecies, Perception, Sight, UpdatedVariable};
use crate::rules::motion::MOTION_KEY;
use crate::species::Species;

/// The number of the mix among species, which no species has.
pub(crate) const MIX: SpeciesId = SpeciesId(u32::MAX);

/// The perceptions and the memory of one rule, or of the motion.
#[derive(Clone, Debug, Default)]
pub(crate) struct RulePlan {
    /// The slots of its sums.
    pub(crate) sums: Range<usize>,
    /// Their kinds; none if the rule shares them with no other.
    kinds: Vec<SumKind>,
    /// The numbers of its lists.
    pub(crate) lists: Range<usize>,
    /// The indices of its columns among those that rules remember.
    pub(crate) memory: Range<usize>,
    /// The number of kept targets, which are the first of these columns.
    pub(crate) kept: usize,
    /// The variables that it sets.
    pub(crate) updates: Vec<UpdatedVariable>,
    /// The states in which it is active, one bit each; all states if zero.
    pub(crate) during: u32,
    /// Whether agents can arrive at its target.
    pub(crate) arrives: bool,
    /// The index of the column of headings, if the rule has one.
    pub(crate) heading: Option<usize>,
    /// Whether the rule reads queues with the places of agents, and queues without.
    pub(crate) queues: [bool; 2],
}

/// The addend of a sum, the numbers of the species over whose agents it is formed, and whether the mix forms it.
type SumKind = (NeighbourSum, Vec<usize>, bool);

/// Neighbours listed one by one: for the rule that asked, or for a sum over the nearest of them.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// The number of nearest neighbours to list; all of them if zero.
    pub(crate) nearest: u32,
    /// The slot of the sum over them, if there is one.
    pub(crate) sum: Option<(usize, NeighbourSum)>,
    /// The states in which a rule needs them, one bit each; all states if zero.
    pub(crate) during: u32,
    /// The listed species if only agents in some of their states are.
    pub(crate) limit: Option<PerceivedSpecies>,
    pub(crate) sight: Sight,
}

/// The perceptions of one species.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) passes: Vec<Pass>,
    /// Its sums over the mix, formed at once for all species of the mix.
    pub(crate) joint: Option<Pass>,
    /// One for each rule, and one for the motion if the species has one.
    pub(crate) rules: Vec<RulePlan>,
    pub(crate) lists: Vec<List>,
    /// The number of lists of the motion, which are the last.
    pub(crate) lists_of_motion: usize,
    /// The number of sums.
    pub(crate) slots: usize,
    /// The sums whose counts are the numbers of neighbours in the widest views.
    pub(crate) counters: Vec<usize>,
    /// The indices of the columns that rules remember among the columns of the species' agents.
    pub(crate) memory: Vec<usize>,
    /// The largest radius of the mix, in metres.
    pub(crate) shared: f32,
    /// Whether the rules read only the neighbours that they perceive.
    pub(crate) is_nearby: bool,
    /// Whether a rule searches the environment.
    pub(crate) searches: bool,
    /// Whether the motion asks for positions that advance by the old velocities.
    pub(crate) explicit: bool,
}

impl Plan {
    /// Makes the plan of the species `own`. Mixed species share their sums within `shared` metres.
    pub(crate) fn new<const D: usize>(
        own: SpeciesId,
        (species, inputs): (&Species<D>, &[Inputs]),
        agents: &[Agents<D>],
        shared: f32,
    ) -> Self {
        let mut plan = Self { shared, is_nearby: true, ..Self::default() };
        for (rule, inputs) in species.rules.iter().zip(inputs) {
            let states = rule.during.iter().filter_map(|name| species.state_number(name));
            let during = states.fold(0, |during, state| during | 1 << state);
            plan.add_rule(own, agents, inputs, during, rule.key);
            plan.add_updates(species, &agents[own.number()], inputs);
        }
        if let (Some(motion), Some(inputs)) = (&species.motion, inputs.last()) {
            let of_rules = plan.lists.len();
            plan.add_rule(own, agents, inputs, 0, MOTION_KEY);
            plan.lists_of_motion = plan.lists.len() - of_rules;
            plan.explicit = motion.is_explicit();
        }
        // Contacts are searched for among all agents.
        plan.is_nearby &= species.contacts.is_none();
        plan.passes.sort_by_key(|pass| pass.species);
        plan.count_neighbours();
        plan.passes.iter_mut().for_each(Pass::finish);
        // The pass over the mix is the last.
        plan.joint = plan.passes.pop_if(|pass| pass.species == MIX.number());
        plan
    }

    fn add_rule<const D: usize>(
        &mut self,
        own: SpeciesId,
        agents: &[Agents<D>],
        inputs: &Inputs,
        during: u32,
        key: u32,
    ) {
        let lists = self.lists.len()..self.lists.len() + inputs.lists.len();
        for perception in &inputs.lists {
            self.add_list(own, agents, perception, (None, during));
        }
        let kinds = if during == 0 { Vec::new() } else { self.kinds(own, agents, inputs) };
        let new = self.slots..self.slots + inputs.sums.len();
        let sums = self.shared_sums(&kinds, during).unwrap_or(new);
        self.slots = self.slots.max(sums.end);
        for (slot, (addend, perception)) in sums.clone().zip(&inputs.sums) {
            if is_listed(own, agents, perception) {
                self.add_list(own, agents, perception, (Some((slot, *addend)), during));
            } else {
                let joint = self.is_joint(own, agents, perception);
                self.perceive(own, agents, perception, joint, |pass, view| pass.add_term(*addend, view, slot, during));
            }
        }
        self.is_nearby &= inputs.is_nearby();
        self.searches |= inputs.searches;
        let start = self.memory.len();
        let columns = agents[own.number()].columns.0.iter().enumerate();
        self.memory.extend(columns.filter(|(_, column)| column.owner == Owner::Rule(key)).map(|(place, _)| place));
        let memory = start..self.memory.len();
        let &Inputs { kept, arrives, queues, .. } = inputs;
        let heading = inputs.heads.then(|| self.memory[memory.start + kept]);
        let updates = Vec::new();
        self.rules.push(RulePlan { sums, lists, memory, kept, updates, during, arrives, heading, queues, kinds });
    }

    /// Adds the variables that the last rule sets. Rules that set the same one share it.
    fn add_updates<const D: usize>(&mut self, species: &Species<D>, agents: &Agents<D>, inputs: &Inputs) {
        for name in &inputs.updates {
            let variable = species.variables.iter().find(|variable| variable.name == *name);
            let place = agents.columns.0.iter().position(|column| column.is(Owner::Variable, name));
            let (Some(variable), Some(place)) = (variable, place) else { continue };
            let known = self.memory.iter().position(|known| *known == place);
            let number = known.unwrap_or_else(|| {
                self.memory.push(place);
                self.memory.len() - 1
            });
            let update = UpdatedVariable { number, low: variable.low, high: variable.high };
            self.rules.iter_mut().last().iter_mut().for_each(|rule| rule.updates.push(update));
        }
    }

    /// Returns whether a sum is formed in the mix: over all of its species, within the radius that they share.
    fn is_joint<const D: usize>(&self, own: SpeciesId, agents: &[Agents<D>], perception: &Perception) -> bool {
        let whole = |other: &Agents<D>| !other.is_mixed() || perception.filter.perceives(own, other);
        agents[own.number()].is_mixed() && agents.iter().all(whole) && view(perception).0 <= self.shared
    }

    /// Returns the kinds of a rule's sums; none if one is over listed neighbours.
    fn kinds<const D: usize>(&self, own: SpeciesId, agents: &[Agents<D>], inputs: &Inputs) -> Vec<SumKind> {
        if inputs.sums.iter().any(|(_, perception)| is_listed(own, agents, perception)) {
            return Vec::new();
        }
        let perceived = |perception: &Perception| {
            let others = agents.iter().filter(|other| perception.filter.perceives(own, other));
            others.map(|other| other.species.number()).collect()
        };
        let kind = |(addend, perception): &(NeighbourSum, Perception)| {
            (*addend, perceived(perception), self.is_joint(own, agents, perception))
        };
        inputs.sums.iter().map(kind).collect()
    }

    /// Returns the slots of the sums of rules that are never active together with one that is active in these states,
    /// and form sums of the same kinds. An agent then needs the neighbours of one rule at a time, within its view.
    fn shared_sums(&self, kinds: &[SumKind], during: u32) -> Option<Range<usize>> {
        let alike = self.rules.iter().filter(|rule| !kinds.is_empty() && rule.kinds == kinds);
        let all_states = |sums: &Range<usize>| {
            let sharing = self.rules.iter().filter(|rule| rule.sums == *sums);
            sharing.fold(0, |states, rule| states | rule.during)
        };
        alike.map(|rule| rule.sums.clone()).find(|sums| all_states(sums) & during == 0)
    }

    fn add_list<const D: usize>(
        &mut self,
        own: SpeciesId,
        agents: &[Agents<D>],
        perception: &Perception,
        (sum, during): (Option<(usize, NeighbourSum)>, u32),
    ) {
        let number = self.lists.len();
        let species = perception.filter.species(own, agents);
        // The states of agents elsewhere are not at hand on several ranks.
        self.is_nearby &= !species.is_limited();
        let limit = species.is_limited().then_some(species);
        self.lists.push(List { nearest: perception.nearest, sum, during, limit, sight: perception.sight });
        self.perceive(own, agents, perception, false, |pass, view| pass.lists.push((number, view)));
    }

    /// Returns the number of lists of rules, which come before the motion's.
    pub(crate) fn lists_of_rules(&self) -> usize {
        self.lists.len() - self.lists_of_motion
    }

    /// Returns the numbers of the motion's lists.
    pub(crate) fn lists_of_motion(&self) -> Range<usize> {
        self.lists_of_rules()..self.lists.len()
    }

    /// Returns all passes, the one over the mix last.
    pub(crate) fn all_passes(&self) -> impl Iterator<Item = &Pass> {
        self.passes.iter().chain(&self.joint)
    }

    /// Returns whether agents of the species can arrive at a target.
    pub(crate) fn arrives(&self) -> bool {
        self.rules.iter().any(|rule| rule.arrives)
    }

    /// Adds a perception to the pass over each perceived species, with the mix in place of its members.
    fn perceive<const D: usize>(
        &mut self,
        own: SpeciesId,
        agents: &[Agents<D>],
        perception: &Perception,
        joint: bool,
        mut add: impl FnMut(&mut Pass, Vision),
    ) {
        let (radius, view) = view(perception);
        let perceived = agents.iter().filter(|other| perception.filter.perceives(own, other));
        let alone = perceived.filter(|other| !(joint && other.is_mixed()));
        for number in alone.map(|other| other.species.number()).chain(joint.then_some(MIX.number())) {
            let known = self.passes.iter().position(|pass| pass.species == number);
            let pass = known.unwrap_or_else(|| {
                self.passes.push(Pass::new(number));
                self.passes.len() - 1
            });
            let pass = &mut self.passes[pass];
            pass.reach = if radius > pass.reach { radius } else { pass.reach };
            if perception.nearest == 0 {
                pass.radius = if radius > pass.radius { radius } else { pass.radius };
                pass.has_candidates = true;
            }
            add(pass, view);
        }
    }

    /// Ensures that each pass with sums has one that counts all agents in its widest view and no others.
    fn count_neighbours(&mut self) {
        let mut counted = vec![false; self.passes.len()];
        for number in 0..self.passes.len() {
            let Some(widest) = self.passes[number].widest_view() else {
                let lists = self.passes[number].lists.iter().copied();
                let widest = lists.reduce(|a, b| if wider(a.1, b.1) == a.1 { a } else { b });
                self.passes[number].counted_by = widest.map(|(list, _)| list);
                continue;
            };
            if counted[number] {
                continue;
            }
            let counter = {
                let mut slots = self.passes[number].counting_terms().filter(|&(_, view)| view == widest);
                slots.find(|&(slot, _)| self.counts_whole_passes(slot, &counted)).map(|(slot, _)| slot)
            };
            let counter = counter.unwrap_or_else(|| {
                self.slots += 1;
                self.passes[number].add_term(NeighbourSum::Offset, widest, self.slots - 1, 0);
                self.slots - 1
            });
            for (counted, pass) in counted.iter_mut().zip(&self.passes) {
                *counted |= pass.counting_terms().any(|(slot, _)| slot == counter);
            }
            self.counters.push(counter);
        }
    }

    /// Returns whether the sum of a slot has the widest view of every pass that adds to it, none of them counted yet.
    /// Rules that share it have the same views in all of these passes.
    fn counts_whole_passes(&self, slot: usize, counted: &[bool]) -> bool {
        self.passes.iter().zip(counted).all(|(pass, counted)| {
            let view = pass.counting_terms().find(|(other, _)| *other == slot).map(|(_, view)| view);
            view.is_none() || (view == pass.widest_view() && !counted)
        })
    }
}

/// Returns whether a sum is over neighbours that are listed: only the nearest, those in some states, or those that no
/// wall hides.
pub(crate) fn is_listed<const D: usize>(own: SpeciesId, agents: &[Agents<D>], perception: &Perception) -> bool {
    perception.nearest > 0 || perception.sight == Sight::Walls || perception.filter.species(own, agents).is_limited()
}

/// Returns the radius and the view of a perception. A user's rule may give values that throng's own rules reject: an
/// invalid radius becomes zero, which sees only agents on the same point; a field of view that is not a number becomes
/// all round, a negative one zero.
pub(crate) fn view(perception: &Perception) -> (f32, Vision) {
    let radius = if perception.radius > 0.0 { perception.radius } else { 0.0 };
    let radius = if radius < LIMIT { radius } else { LIMIT };
    let narrow = perception.field_of_view < 360.0;
    let cosine = cosine_of_half(if perception.field_of_view > 0.0 { perception.field_of_view } else { 0.0 });
    let cosine_squared = if narrow { cosine * cosine.abs() } else { Vision::ALL_ROUND };
    (radius, Vision { radius_squared: radius * radius, cosine_squared })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::Cohesion;
    use crate::{Rule, State};

    /// Returns the number of slots and of runs for these rules, which are active in these states.
    fn size(rules: &[(&[&str], f32, u32)]) -> (usize, usize) {
        let mut species = Species::<2>::new("bird").with_state(State::new("calm")).with_state(State::new("alert"));
        species.rules = (0..)
            .zip(rules)
            .map(|(key, &(states, radius, nearest))| {
                let rule = Rule::new(1.0, Cohesion { radius, nearest, ..Cohesion::default() });
                Rule { during: states.iter().map(|&state| state.to_owned()).collect(), key, ..rule }
            })
            .collect();
        let agents = [Agents::new(SpeciesId(0), "bird".to_owned(), species.body())];
        let plan = Plan::new(SpeciesId(0), (&species, &species.inputs().unwrap()), &agents, 0.0);
        (plan.slots, plan.passes[0].runs.len())
    }

    #[test]
    fn rules_that_are_never_active_together_share_their_sums() {
        let (calm, alert, both): (&[_], &[_], &[_]) = (&["calm"], &["alert"], &["calm", "alert"]);
        assert_eq!(size(&[(calm, 9.0, 0), (alert, 9.0, 0)]), (1, 1));
        assert_eq!(size(&[(calm, 9.0, 0), (alert, 5.0, 0)]), (2, 2), "with a sum that counts all neighbours");
        for other in [both, &[]] {
            assert_eq!(size(&[(calm, 9.0, 0), (other, 5.0, 0)]), (2, 2));
        }
        assert_eq!(size(&[(calm, 9.0, 0), (alert, 9.0, 0), (calm, 9.0, 0)]), (2, 2));
        assert_eq!(size(&[(calm, 9.0, 3), (alert, 9.0, 3)]), (2, 0), "the nearest are listed");
    }
}
