//! Plan: what one species has to look for, its rules sorted into passes over the species that they perceive.
//!
//! A plan follows from the rules alone; it is made again only after they changed.

use crate::agents::{Agents, HEADER};
use crate::behaviour::{Addend, Perception, Reads};
use crate::ids::SpeciesId;
use crate::kernels::pairs::Terms;
use crate::kernels::view::View;
use crate::maths::cosine_of_half;
use crate::settings::LIMIT;
use crate::species::Species;

/// Where a rule's behaviour gets from what it reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    /// Nowhere: it reads its own state and the world.
    World,
    /// A slot of sums.
    Sum(usize),
    /// A list of neighbours.
    Neighbours,
}

/// One run of the pair kernel, and the slots of its sums.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    pub(crate) terms: Terms,
    pub(crate) slots: [usize; 3],
}

/// One perceived species, looked through once for all rules.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    /// The number of the perceived species.
    pub(crate) species: usize,
    /// The largest radius of all rules that perceive it.
    pub(crate) radius: f32,
    pub(crate) runs: Vec<Run>,
    /// The rules that want its agents one by one, and what they see.
    pub(crate) lists: Vec<(usize, View)>,
    /// The one of them that tells how many neighbours there are, where no sum does.
    pub(crate) counted_by: Option<usize>,
}

/// What one species has to look for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) passes: Vec<Pass>,
    /// One for each rule.
    pub(crate) sources: Vec<Source>,
    /// How many sums there are.
    pub(crate) slots: usize,
    /// The sums whose counts say how many neighbours there are in the widest views.
    pub(crate) counters: Vec<usize>,
    /// For each rule, which part of an agent's memory is its own: start and length.
    pub(crate) memory: Vec<(usize, usize)>,
    /// Whether states, variables and what happened are remembered of agents.
    pub(crate) remembers: bool,
    /// What is remembered of a new agent.
    pub(crate) memory_start: Vec<f32>,
    /// For each rule, the states in which it is not silent, one bit for each; zero for all.
    pub(crate) during: Vec<u32>,
    /// The rules whose targets agents can arrive at.
    pub(crate) arrivals: Vec<usize>,
}

impl Plan {
    /// The plan of the species `own`; `watched` if its agents' regions are to be remembered.
    pub(crate) fn new<const D: usize>(
        own: SpeciesId,
        species: &Species<D>,
        agents: &[Agents<D>],
        watched: bool,
    ) -> Self {
        let mut plan = Self::default();
        let arrives = species.rules.iter().any(|rule| rule.behaviour.arrives());
        if watched || arrives || !species.states.is_empty() || species.catch.is_some() {
            plan.remembers = true;
            plan.memory_start.resize(HEADER, 0.0);
            plan.memory_start.extend(species.variables.iter().map(|variable| variable.start));
        }
        for (rule, entry) in species.rules.iter().enumerate() {
            let source = match entry.behaviour.reads() {
                Reads::World => Source::World,
                Reads::Sum(addend, perception) => {
                    let slot = plan.slots;
                    plan.slots += 1;
                    plan.perceive(own, agents, &perception, |pass, view| pass.add_term(addend, view, slot));
                    Source::Sum(slot)
                }
                Reads::Neighbours(perception) => {
                    plan.perceive(own, agents, &perception, |pass, view| pass.lists.push((rule, view)));
                    Source::Neighbours
                }
            };
            plan.sources.push(source);
            let (start, len) = (plan.memory_start.len(), entry.behaviour.memory());
            plan.memory.push((start, len));
            plan.memory_start.resize(start + len, 0.0);
            let states = entry.during.iter().filter_map(|name| species.state_number(name));
            plan.during.push(states.fold(0, |during, state| during | 1 << state));
            if entry.behaviour.arrives() {
                plan.arrivals.push(rule);
            }
        }
        plan.passes.sort_by_key(|pass| pass.species);
        plan.count_neighbours();
        plan
    }

    /// The largest perception radius.
    pub(crate) fn radius(&self) -> f32 {
        let radii = self.passes.iter().map(|pass| pass.radius);
        radii.fold(0.0, |most, radius| if radius > most { radius } else { most })
    }

    /// Adds something to the pass over each species that is perceived.
    fn perceive<const D: usize>(
        &mut self,
        own: SpeciesId,
        agents: &[Agents<D>],
        perception: &Perception<'_>,
        mut add: impl FnMut(&mut Pass, View),
    ) {
        let (radius, view) = view(perception);
        for (number, _) in agents.iter().enumerate().filter(|(_, other)| perception.whom.perceives(own, other)) {
            let known = self.passes.iter().position(|pass| pass.species == number);
            let pass = known.unwrap_or_else(|| {
                self.passes.push(Pass {
                    species: number,
                    radius: 0.0,
                    runs: Vec::new(),
                    lists: Vec::new(),
                    counted_by: None,
                });
                self.passes.len() - 1
            });
            let pass = &mut self.passes[pass];
            if radius > pass.radius {
                pass.radius = radius;
            }
            add(pass, view);
        }
    }

    /// Sees to it that each pass with sums has one that counts everybody in its widest view, and nobody else.
    fn count_neighbours(&mut self) {
        for number in 0..self.passes.len() {
            let Some(widest) = self.passes[number].widest_view() else {
                let lists = self.passes[number].lists.iter().copied();
                let widest = lists.reduce(|a, b| if wider(a.1, b.1) == a.1 { a } else { b });
                self.passes[number].counted_by = widest.map(|(rule, _)| rule);
                continue;
            };
            let counts = |(slot, view)| (view == widest && self.is_of_one_pass(slot)).then_some(slot);
            let counter = self.passes[number].counting_terms().find_map(counts);
            let counter = counter.unwrap_or_else(|| {
                self.slots += 1;
                self.passes[number].add_term(Addend::Offset, widest, self.slots - 1);
                self.slots - 1
            });
            self.counters.push(counter);
        }
    }

    /// Whether only one species is added to the sums of a slot.
    fn is_of_one_pass(&self, slot: usize) -> bool {
        let has = |pass: &&Pass| pass.counting_terms().any(|(other, _)| other == slot);
        self.passes.iter().filter(has).count() == 1
    }
}

impl Pass {
    /// The terms that count whom they add up: their slots and views.
    fn counting_terms(&self) -> impl Iterator<Item = (usize, View)> {
        self.runs.iter().flat_map(|run| {
            let [_, velocities, offsets] = run.slots;
            let terms = [(offsets, run.terms.offsets), (velocities, run.terms.velocities)];
            terms.into_iter().filter_map(|(slot, view)| Some((slot, view?)))
        })
    }

    /// The widest of the views with the largest radius, if there are sums at all.
    fn widest_view(&self) -> Option<View> {
        let terms = self
            .runs
            .iter()
            .flat_map(|run| [run.terms.inverse_offsets, run.terms.velocities, run.terms.offsets].into_iter().flatten());
        terms.reduce(wider)
    }

    /// Puts a term into the first run that has none of its kind.
    fn add_term(&mut self, addend: Addend, view: View, slot: usize) {
        let free = |run: &Run| match addend {
            Addend::InverseOffset => run.terms.inverse_offsets.is_none(),
            Addend::Velocity => run.terms.velocities.is_none(),
            Addend::Offset => run.terms.offsets.is_none(),
        };
        let run = self.runs.iter().position(free).unwrap_or_else(|| {
            self.runs.push(Run::default());
            self.runs.len() - 1
        });
        let Run { terms, slots } = &mut self.runs[run];
        match addend {
            Addend::InverseOffset => (terms.inverse_offsets, slots[0]) = (Some(view), slot),
            Addend::Velocity => (terms.velocities, slots[1]) = (Some(view), slot),
            Addend::Offset => (terms.offsets, slots[2]) = (Some(view), slot),
        }
    }
}

/// The view with the larger radius; of two with the same one, that with the wider field.
fn wider(a: View, b: View) -> View {
    let (a_size, b_size) = ((a.radius_squared, -a.cosine_squared), (b.radius_squared, -b.cosine_squared));
    if b_size > a_size { b } else { a }
}

/// A perception as the kernel has it. What no rule of throng's own allows, but a user's may say, is brought into range:
/// a radius that is no length sees nobody but who stands on the same point, a field of view that is no angle all round.
fn view(perception: &Perception<'_>) -> (f32, View) {
    let radius = if perception.radius > 0.0 { perception.radius } else { 0.0 };
    let radius = if radius < LIMIT { radius } else { LIMIT };
    let narrow = perception.field_of_view < 360.0;
    let cosine = cosine_of_half(if perception.field_of_view > 0.0 { perception.field_of_view } else { 0.0 });
    let cosine_squared = if narrow { cosine * cosine.abs() } else { View::ALL_ROUND };
    (radius, View { radius_squared: radius * radius, cosine_squared })
}
