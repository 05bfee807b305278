//! What is made from the state and may be thrown away at any time: plans, indices, lists, forces, scratch memory.
//!
//! None of it decides a bit. Every edit of the state is noted here in one place, [`Derived::note`], which says what
//! becomes invalid by it.

use crate::asked::Asked;
use crate::places::Places;
use crate::scenery::index::SceneryIndex;
use crate::state::State;
use crate::tick::arrange;
use crate::tick::decide::Prey;
use crate::tick::keep::Kept;
use crate::tick::mix::{MixSums, Mixed};
use crate::tick::names::SpeciesNames;
use crate::tick::plan::Plan;
use crate::tick::regions::Compared;
use crate::tick::steer::{Counts, Scratches, Steered};

/// What can be made from the state of a world.
#[derive(Debug, Default)]
pub(crate) struct Derived<const D: usize> {
    /// One for each species; none after a rule changed.
    pub(crate) plans: Option<Vec<Plan>>,
    /// The same; none after the scenery changed either.
    names: Option<Vec<SpeciesNames<D>>>,
    /// Where the agents of each species are.
    pub(crate) places: Vec<Places<D>>,
    /// The agents of the mixed species as those of one, and what their neighbours add up to.
    pub(crate) mixed: Mixed<D>,
    pub(crate) mix_sums: MixSums<D>,
    /// What the last steering of each species resulted in, and its lists.
    pub(crate) steered: Vec<Steered<D>>,
    /// Where obstacles, regions and paths are.
    pub(crate) scenery: SceneryIndex<D>,
    /// What questions of the host are answered from besides.
    pub(crate) asked: Asked<D>,
    pub(crate) scratches: Scratches<D>,
    pub(crate) workspace: arrange::Workspace,
    pub(crate) counts: Vec<Counts>,
    /// Whether an agent of each chunk arrived somewhere.
    pub(crate) arrivals: Vec<bool>,
    pub(crate) flags: Vec<bool>,
    pub(crate) speeds: Vec<f32>,
    pub(crate) prey: Vec<Vec<Prey>>,
    pub(crate) regions: Compared,
}

/// An edit of the state, or of how it is run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    /// A species was added.
    Species,
    /// Rules, states or other parts of a species' definition, or the columns of its agents, are others.
    Rules,
    /// There is another agent at a row, or it was put elsewhere.
    Row { species: usize, row: usize },
    /// An agent was added in the last row.
    Added { species: usize, row: usize },
    /// An agent was removed, and the last one, at `last`, took its row.
    Removed { species: usize, row: usize, last: usize },
    /// All rows of a species are others.
    Rows { species: usize },
    /// There is another agent at a place in the mix, or it was put elsewhere.
    Place { place: usize },
    /// All places in the mix are others.
    Places,
    /// Marks, regions or flow fields may be others.
    Scenery,
    /// Settings are others.
    Settings,
    /// Lists of candidates may be those of other groups.
    InstructionSet,
}

impl<const D: usize> Derived<D> {
    /// Notes an edit of the state: the one place where it is said what becomes invalid by which.
    pub(crate) fn note(&mut self, change: Change) {
        match change {
            Change::Species => {
                self.forget_plans();
                self.asked.forget();
                self.places.push(Places::default());
                self.steered.push(Steered::default());
            }
            Change::InstructionSet => self.plans = None,
            Change::Rules => self.forget_plans(),
            Change::Scenery => self.names = None,
            Change::Row { species, row } => {
                self.places[species].let_go(row);
                self.asked.edited(species, row);
            }
            Change::Added { species, row } => {
                self.mixed.located = false;
                self.steered[species].push(row);
                self.places[species].let_go(row);
                // If the row was let go before it was removed, it is on the list no more.
                self.places[species].loose.push(row as u32);
                self.asked.edited(species, row);
            }
            Change::Removed { species, row, last } => {
                self.mixed.located = false;
                self.steered[species].swap_remove(row, last);
                self.places[species].let_go(row);
                self.asked.edited(species, row);
            }
            Change::Rows { species } => {
                self.drop_lists(species);
                self.mixed.located = false;
                let places = &mut self.places[species];
                places.valid = false;
                places.loose.clear();
                // A crowd that was just made has left room for all of its rows.
                places.loose.shrink_to(self.steered[species].force[0].len() / 16);
                self.asked.forget();
            }
            Change::Place { place } => {
                // If it was let go before it was given up, it is on the list no more: it is put there in any case.
                self.mixed.places.index.let_go(place);
                self.mixed.places.loose.push(place as u32);
            }
            Change::Places => self.mixed.forget(),
            Change::Settings => {
                self.mixed.forget();
                self.forget_plans();
                for (places, steered) in self.places.iter_mut().zip(&self.steered) {
                    *places = Places { loose: (0..steered.force[0].len() as u32).collect(), ..Places::default() };
                }
                self.asked.forget();
            }
        }
    }

    /// Drops the lists that hold rows of a species.
    pub(crate) fn drop_lists(&mut self, species: usize) {
        let plans = self.plans.as_deref().unwrap_or_default();
        for (own, (steered, plan)) in self.steered.iter_mut().zip(plans).enumerate() {
            for (kept, pass) in steered.kept.iter_mut().zip(&plan.passes) {
                if own == species || pass.species == species {
                    *kept = Kept::default();
                }
            }
        }
    }

    /// Notes that there is another agent at its place in the mix, or that it was put elsewhere, if it has a place.
    pub(crate) fn note_place(&mut self, place: Option<usize>) {
        if let Some(place) = place {
            self.note(Change::Place { place });
        }
    }

    /// Makes room for every species of a state, all of whose rows may be anywhere.
    pub(crate) fn start(&mut self, state: &State<D>) {
        for agents in &state.agents {
            self.note(Change::Species);
            if let Some(places) = self.places.last_mut() {
                places.loose.extend(0..agents.len() as u32);
            }
            if let Some(steered) = self.steered.last_mut() {
                steered.start(agents.len());
            }
        }
    }

    /// Records that agents moved: how far two together may have gone since lists were made.
    pub(crate) fn moved(&mut self) {
        let plans = self.plans.as_deref().unwrap_or_default();
        for (own, (steered, plan)) in self.steered.iter_mut().zip(plans).enumerate() {
            for (kept, pass) in steered.kept.iter_mut().zip(&plan.passes) {
                kept.moved(self.places[own].stride + self.places[pass.species].stride);
            }
        }
    }

    fn forget_plans(&mut self) {
        (self.plans, self.names) = (None, None);
    }

    /// Looks up names and makes plans where either changed. Lists that were kept are for other radii then.
    pub(crate) fn plan(&mut self, state: &State<D>) {
        let State { species, agents, scenery, .. } = state;
        self.names.get_or_insert_with(|| {
            let all = species.iter().enumerate();
            all.map(|(number, species)| SpeciesNames::new(number, species, agents, scenery)).collect()
        });
        if self.plans.is_some() {
            return;
        }
        let species = state.species.iter().zip(&state.agents);
        let plans: Vec<Plan> = species
            .map(|(species, agents)| Plan::new(agents.species, species, &state.agents, state.mix.radius))
            .collect();
        self.mixed.plan(&plans);
        for (steered, plan) in self.steered.iter_mut().zip(&plans) {
            steered.kept.clear();
            steered.kept.resize(plan.passes.len(), Kept::default());
        }
        // The smallest radius of a pass that a species has part in: how far its clusters may spread depends on it.
        self.places.iter_mut().for_each(|places| places.radius = f32::INFINITY);
        for (own, plan) in plans.iter().enumerate() {
            for pass in plan.passes.iter().filter(|pass| pass.radius > 0.0) {
                for species in [own, pass.species] {
                    let radius = &mut self.places[species].radius;
                    *radius = if pass.radius < *radius { pass.radius } else { *radius };
                }
            }
        }
        self.plans = Some(plans);
    }

    /// What the species refer to by name.
    pub(crate) fn names(&self) -> &[SpeciesNames<D>] {
        self.names.as_deref().unwrap_or_default()
    }

    /// The plans that were made.
    pub(crate) fn plans(&self) -> &[Plan] {
        self.plans.as_deref().unwrap_or_default()
    }
}
