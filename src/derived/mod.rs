//! Data derived from the state, which may be dropped at any time: plans, indices, lists, forces.
//!
//! None of it affects a bit of the results. [`Derived::note`] and `rows.rs` record every edit of the state, and are the
//! only places that decide which data an edit invalidates.

pub(crate) mod indices;
pub(crate) mod output;
pub(crate) mod plans;
pub(crate) mod resolved_regions;
pub(crate) mod rows;

use crate::derived::indices::Indices;
use crate::derived::output::SteeringOutput;
use crate::derived::plans::Plans;
use crate::index::agent_index::AgentIndex;
use crate::index::species_index::SpeciesIndex;
use crate::state::State;

/// The data derived from the state of a world; an edit may invalidate it.
#[derive(Debug, Default)]
pub(crate) struct Derived<const D: usize> {
    /// Data that follow from definitions.
    pub(crate) plans: Plans<D>,
    /// Where everything is.
    pub(crate) indices: Indices<D>,
    /// The results of the last steering of each species, and its lists.
    pub(crate) outputs: Vec<SteeringOutput<D>>,
}

/// An edit of the state, or of how it is run. Edits of single rows are in `rows.rs`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    /// A species was added.
    Species,
    /// A species was removed, after its agents.
    SpeciesRemoved { species: usize },
    /// Rules, states or other parts of a species' definition, or the columns of its agents, changed.
    Rules,
    /// All rows of a species changed.
    Rows { species: usize },
    /// All places in the mix changed.
    MixRows,
    /// Marks, regions or flow fields may have changed.
    Environment,
    /// Settings other than the length of a tick changed.
    Settings,
    /// Candidate lists may belong to other groups.
    InstructionSet,
}

impl<const D: usize> Derived<D> {
    /// The data derived from a state: rows may be anywhere. `are_known`: this process has all rows.
    pub(crate) fn new(state: &State<D>, are_known: bool) -> Self {
        let mut derived = Self::default();
        for agents in &state.agents {
            derived.add_species();
            if let Some(output) = derived.outputs.last_mut() {
                output.start(agents.len());
            }
        }
        if are_known {
            derived.indices.species.iter_mut().zip(&state.agents).for_each(|(index, of)| index.loosen(of.len()));
        }
        derived
    }

    /// Records an edit of the state, and drops everything that it invalidates.
    pub(crate) fn note(&mut self, change: Change) {
        let Self { plans, indices, outputs } = self;
        match change {
            // No host's edit: the next tick will search as the last one did.
            Change::Rows { .. } => indices.joints.moved(),
            _ => indices.joints.edited(),
        }
        match change {
            Change::Species => self.add_species(),
            Change::SpeciesRemoved { species } => {
                indices.drop_lists(plans, species);
                plans.forget();
                (indices.species[species], outputs[species]) = Default::default();
                indices.mixed.forget();
                indices.queries.forget();
            }
            Change::InstructionSet => plans.forget_rules(),
            Change::Rules => plans.forget(),
            Change::Environment => {
                plans.forget_names();
                indices.environment_edited();
            }
            Change::Rows { species } => {
                indices.drop_lists(plans, species);
                indices.mixed.located = false;
                let index = &mut indices.species[species];
                index.valid = false;
                // If many agents are new, these lists get room for all rows.
                let few = outputs[species].force[0].len() / 16;
                for rows in [&mut index.loose, &mut index.edited] {
                    rows.clear();
                    rows.shrink_to(few);
                }
                indices.queries.forget();
            }
            Change::MixRows => indices.mixed.forget(),
            Change::Settings => {
                indices.environment_edited();
                indices.mixed.forget();
                plans.forget();
                for (index, output) in indices.species.iter_mut().zip(outputs) {
                    *index =
                        SpeciesIndex { loose: (0..output.force[0].len() as u32).collect(), ..SpeciesIndex::default() };
                }
                indices.queries.forget();
            }
        }
    }

    /// Records that the rows of all ranks came here, or to another rank.
    pub(crate) fn gathered(&mut self, state: &State<D>, are_here: bool) {
        for (index, agents) in self.indices.species.iter_mut().zip(&state.agents) {
            (index.placed, index.valid) = (AgentIndex::default(), false);
            index.edited.clear();
            index.loosen(if are_here { agents.len() } else { 0 });
        }
        self.indices.forget_searches();
    }

    fn add_species(&mut self) {
        self.plans.forget();
        self.indices.add_species();
        self.outputs.push(SteeringOutput::default());
    }

    /// Looks up names and makes plans where either changed.
    pub(crate) fn plan(&mut self, state: &State<D>) {
        if self.plans.update(state) {
            self.indices.plan(&self.plans);
        }
    }
}
