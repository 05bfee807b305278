//! Data derived from the state, which may be dropped at any time: plans, indices, lists, forces, scratch memory.
//!
//! None of it affects a bit of the results. [`Derived::note`] records every edit of the state, and is the only place
//! that decides what an edit invalidates.

use fearless_simd::Level;

use crate::agents::parallel::PerThread;
use crate::agents::positions::Stamp;
use crate::agents::space_order::SortBuffers;
use crate::environment::index::EnvironmentIndex;
use crate::environment::places::Claim;
use crate::index::crowd_index::CrowdIndex;
use crate::index::query_index::QueryIndex;
use crate::index::search::{Among, FoundAgent, Outside};
use crate::index::species_index::SpeciesIndex;
use crate::neighbour_lists::candidate_limit::CROWDED;
use crate::neighbour_lists::list_lifetime::ListLifetime;
use crate::neighbour_lists::mix::Mixed;
use crate::neighbour_lists::mix_sums::MixSums;
use crate::neighbour_lists::plan::Plan;
use crate::neighbour_lists::search::{NeighbourSearch, SearchBuffers};
use crate::rules::world_view::WorldView;
use crate::species::Species;
use crate::species::resolved_names::SpeciesNames;
use crate::state::State;
use crate::tick::collide::buffers::CollideBuffers;
use crate::tick::contact_buffers::ContactBuffers;
use crate::tick::division::Division;
use crate::tick::halo::Halo;
use crate::tick::regions::RegionMembership;
use crate::tick::resolved_regions::ResolvedRegions;
use crate::tick::steer::buffers::SteerBuffers;
use crate::tick::steer::output::SteeringOutput;
use crate::tick::undo::Undo;

/// The species number and the row of an agent that may be caught, if there is one.
pub(crate) type Prey = Option<(u32, u32)>;

/// The data derived from the state of a world.
#[derive(Debug, Default)]
pub(crate) struct Derived<const D: usize> {
    /// One for each species; none after a rule changed.
    pub(crate) plans: Option<Vec<Plan>>,
    /// One for each species; none after a rule or the environment changed.
    names: Option<Vec<SpeciesNames<D>>>,
    /// What sources, sinks and zones refer to; none after a rule, a species or the environment changed.
    regions_by_name: Option<ResolvedRegions<D>>,
    /// Where the agents of each species are.
    pub(crate) indices: Vec<SpeciesIndex<D>>,
    /// The agents of the mixed species as those of one, and the sums over their neighbours.
    pub(crate) mixed: Mixed<D>,
    pub(crate) mix_sums: MixSums<D>,
    /// The results of the last steering of each species, and its lists.
    pub(crate) outputs: Vec<SteeringOutput<D>>,
    /// Where obstacles, regions and paths are.
    pub(crate) environment: EnvironmentIndex<D>,
    /// Further data for the host's queries.
    pub(crate) queries: QueryIndex<D>,
    /// Further data for searches among many species, and the numbers of all species.
    pub(crate) crowds: CrowdIndex<D>,
    everyone: Vec<u32>,
    pub(crate) search_buffers: PerThread<SearchBuffers<D>>,
    pub(crate) steer_buffers: PerThread<SteerBuffers<D>>,
    pub(crate) sort_buffers: SortBuffers,
    /// Whether an agent of each chunk arrived at a target.
    pub(crate) arrivals: Vec<bool>,
    pub(crate) flags: Vec<bool>,
    pub(crate) speeds: Vec<f32>,
    pub(crate) prey: Vec<Vec<Prey>>,
    /// The states of agents before they decide, if decisions look at them.
    pub(crate) states_before: Vec<Vec<u32>>,
    /// The longest way of an agent of each species in the last tick, and the agents near one.
    pub(crate) longest_ways: Vec<f32>,
    pub(crate) found: PerThread<Vec<FoundAgent>>,
    /// The agents that want a place.
    pub(crate) claims: Vec<Claim<D>>,
    pub(crate) regions: RegionMembership,
    pub(crate) contacts: ContactBuffers,
    /// Which rows this rank advances.
    pub(crate) division: Division,
    /// What it gets of the others.
    pub(super) halo: Halo,
    pub(crate) collide: CollideBuffers<D>,
    /// The state at the start of the tick.
    pub(super) undo: Undo<D>,
    /// Whether a rule or a motion is not built in; `None` after a rule changed.
    is_hosted: Option<bool>,
    /// Whether a function reads the world in the middle of a tick that is watched.
    is_read: bool,
}

/// An edit of the state, or of how it is run. `stamp` is that of the species' positions after it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    /// A species was added.
    Species,
    /// Rules, states or other parts of a species' definition, or the columns of its agents, changed.
    Rules,
    /// A row has another agent, or its agent was moved.
    Row { species: usize, row: usize, stamp: Stamp },
    /// The host moved agents of a species by at most this distance, in metres, rounding included.
    Moved { species: usize, by: f32 },
    /// An agent was added in the last row.
    Added { species: usize, row: usize, stamp: Stamp },
    /// An agent was removed, and the last one, at `last`, took its row.
    Removed { species: usize, row: usize, last: usize, stamp: Stamp },
    /// A place in the mix has another agent, or its agent was moved.
    MixRow { row: usize },
    /// All places in the mix changed.
    MixRows,
    /// Marks, regions or flow fields may have changed.
    Environment,
    /// Settings changed.
    Settings,
    /// Candidate lists may be those of other groups.
    InstructionSet,
}

impl<const D: usize> Derived<D> {
    /// Starts a tick. It can be undone, except on several ranks.
    pub(crate) fn begin(&mut self, state: &State<D>, is_watched: bool) {
        self.queries.forget();
        if self.division.is_divided() {
            return;
        }
        if is_watched {
            self.undo.keep_all(state);
        } else if *self.is_hosted.get_or_insert_with(|| state.species.iter().any(Species::is_hosted)) {
            self.undo.keep_parts(state);
        }
    }

    /// Ends a tick. What its searches have indexed is where agents were before.
    pub(crate) fn end(&mut self) {
        self.undo.end();
        self.queries.forget();
        self.crowds.moved();
    }

    /// Puts the state back to what it was when this tick began, and forgets everything else.
    pub(crate) fn undo(&mut self, state: &mut State<D>) {
        std::mem::take(&mut self.undo).restore(state);
        self.forget(state);
    }

    /// Lets searches of a host find the agents where they are in the middle of a tick, until
    /// [`hide_rows`](Self::hide_rows). The indices of the tick neither serve for this nor learn from it.
    pub(crate) fn show_rows(&mut self) {
        self.is_read = true;
    }

    /// Ends this.
    pub(crate) fn hide_rows(&mut self) {
        self.is_read = false;
    }

    /// Records an edit of the state, and drops everything that it invalidates.
    pub(crate) fn note(&mut self, change: Change) {
        self.crowds.edited();
        match change {
            Change::Species => self.add_species(),
            Change::InstructionSet => self.plans = None,
            Change::Rules => self.forget_plans(),
            Change::Environment => {
                (self.names, self.regions_by_name) = (None, None);
                self.environment.walls.is_noted = true;
            }
            Change::Row { species, row, stamp } => {
                self.indices[species].make_loose(row);
                self.queries.edited(species, row, stamp);
            }
            Change::Moved { species, by } => {
                self.queries.forget();
                self.indices[species].moved_by_host(by);
                self.mixed.moved_by_host(by);
                let plans = self.plans.as_deref().unwrap_or_default();
                for (own, (output, plan)) in self.outputs.iter_mut().zip(plans).enumerate() {
                    for (kept, pass) in output.kept.iter_mut().zip(&plan.passes) {
                        let of_both = u8::from(own == species) + u8::from(pass.species == species);
                        kept.moved(f32::from(of_both) * by);
                    }
                }
            }
            Change::Added { species, row, stamp } => {
                self.mixed.located = false;
                self.outputs[species].push(row);
                self.indices[species].make_loose(row);
                // The list lacks a row that was let go before its removal.
                self.indices[species].loose.push(row as u32);
                self.queries.edited(species, row, stamp);
            }
            Change::Removed { species, row, last, stamp } => {
                self.mixed.located = false;
                self.outputs[species].swap_remove(row, last);
                self.indices[species].make_loose(row);
                self.queries.edited(species, row, stamp);
            }
            Change::MixRow { row: place } => {
                // The list may lack a place that was let go before it became empty, so the place is always added.
                self.mixed.index.placed.make_loose(place);
                self.mixed.index.loose.push(place as u32);
                self.mixed.index.edit(place);
            }
            Change::MixRows => self.mixed.forget(),
            Change::Settings => {
                self.mixed.forget();
                self.forget_plans();
                for (index, output) in self.indices.iter_mut().zip(&self.outputs) {
                    *index =
                        SpeciesIndex { loose: (0..output.force[0].len() as u32).collect(), ..SpeciesIndex::default() };
                }
                self.queries.forget();
            }
        }
    }

    /// Records that all rows of a species changed. A rank may lack those of others.
    pub(crate) fn arranged(&mut self, species: usize) {
        self.drop_lists(species);
        self.mixed.located = false;
        let index = &mut self.indices[species];
        index.valid = false;
        // A new crowd leaves room for all of its rows.
        let few = self.outputs[species].force[0].len() / 16;
        for rows in [&mut index.loose, &mut index.edited] {
            rows.clear();
            rows.shrink_to(few);
        }
        self.queries.forget();
        self.crowds.moved();
    }

    /// Drops the lists that hold rows of a species.
    pub(super) fn drop_lists(&mut self, species: usize) {
        let plans = self.plans.as_deref().unwrap_or_default();
        for (own, (output, plan)) in self.outputs.iter_mut().zip(plans).enumerate() {
            for (kept, pass) in output.kept.iter_mut().zip(&plan.passes) {
                if own == species || pass.species == species {
                    *kept = ListLifetime::default();
                }
            }
        }
    }

    /// Records that a place in the mix, if there is one, has another agent, or that its agent was moved.
    pub(crate) fn note_mix_row(&mut self, place: Option<usize>) {
        if let Some(place) = place {
            self.note(Change::MixRow { row: place });
        }
    }

    /// Records that kept lists have been brought up to date with the edits.
    pub(crate) fn listed(&mut self) {
        for index in self.indices.iter_mut().chain([&mut self.mixed.index]) {
            index.edited.clear();
        }
    }

    fn add_species(&mut self) {
        self.forget_plans();
        self.queries.forget();
        self.everyone.push(self.indices.len() as u32);
        self.indices.push(SpeciesIndex::default());
        self.outputs.push(SteeringOutput::default());
    }

    /// Makes room for every species of a state. All rows may be anywhere.
    pub(crate) fn start(&mut self, state: &State<D>) {
        for agents in &state.agents {
            self.add_species();
            if let Some(index) = self.indices.last_mut().filter(|_| !self.division.lacks_rows()) {
                index.loosen(agents.len());
            }
            if let Some(output) = self.outputs.last_mut() {
                output.start(agents.len());
            }
        }
    }

    /// Records that agents moved: how far two together may have gone since lists were made.
    pub(crate) fn moved(&mut self) {
        let plans = self.plans.as_deref().unwrap_or_default();
        for (own, (output, plan)) in self.outputs.iter_mut().zip(plans).enumerate() {
            for (kept, pass) in output.kept.iter_mut().zip(&plan.passes) {
                kept.moved(self.indices[own].stride + self.indices[pass.species].stride);
            }
        }
    }

    /// Discards what follows from rules and names.
    pub(crate) fn forget_plans(&mut self) {
        (self.plans, self.names, self.regions_by_name, self.is_hosted) = (None, None, None, None);
    }

    /// Looks up names and makes plans where either changed, and drops kept lists, whose radii are then outdated.
    pub(crate) fn plan(&mut self, state: &State<D>) {
        let State { species, inputs, agents, environment, .. } = state;
        self.names.get_or_insert_with(|| {
            let all = species.iter().zip(inputs.iter().map(Vec::as_slice)).enumerate();
            let names = |(number, of)| SpeciesNames::new(number, of, agents, environment);
            all.map(names).collect()
        });
        if self.plans.is_some() {
            return;
        }
        let species = species.iter().zip(inputs).zip(agents);
        let plans: Vec<Plan> = species
            .map(|((species, inputs), own)| Plan::new(own.species, (species, inputs), agents, state.mix.radius))
            .collect();
        self.mixed.plan(&plans);
        for (output, plan) in self.outputs.iter_mut().zip(&plans) {
            output.kept.clear();
            output.kept.resize(plan.passes.len(), ListLifetime::default());
        }
        // The smallest radius of a species' passes limits how far its clusters may spread.
        self.indices.iter_mut().for_each(|index| index.radius = f32::INFINITY);
        for (own, plan) in plans.iter().enumerate() {
            for pass in plan.passes.iter().filter(|pass| pass.radius > 0.0) {
                for species in [own, pass.species] {
                    let radius = &mut self.indices[species].radius;
                    *radius = if pass.radius < *radius { pass.radius } else { *radius };
                }
            }
        }
        for (index, plan) in self.indices.iter_mut().zip(&plans) {
            index.is_ordered = plan.searches;
        }
        for (own, names) in self.names.iter().flatten().enumerate() {
            for other in names.searched() {
                self.indices[other as usize].is_ordered = true;
                self.indices[own].is_ordered = true;
            }
        }
        self.plans = Some(plans);
    }

    /// Discards everything but the division among ranks.
    pub(crate) fn forget(&mut self, state: &State<D>) {
        *self = Self { division: std::mem::take(&mut self.division), ..Self::default() };
        self.start(state);
    }

    /// Ensures that every thread of the pool has buffers.
    pub(crate) fn prepare_buffers(&mut self) {
        self.search_buffers.prepare();
        self.steer_buffers.prepare();
    }

    /// Returns the world as rules see it.
    pub(crate) fn view<'a>(&'a self, state: &'a State<D>) -> WorldView<'a, D> {
        let State { settings, tick, agents, ids, environment, .. } = state;
        let Self { indices, crowds, environment: environment_index, .. } = self;
        WorldView { settings, tick: *tick, agents, indices, crowds, ids, environment, environment_index }
    }

    /// Returns the search of one species for its neighbours.
    pub(crate) fn search<'a>(&'a self, state: &'a State<D>, level: Level, number: usize) -> NeighbourSearch<'a, D> {
        NeighbourSearch {
            world: self.view(state),
            level,
            agents: &state.agents[number],
            own_index: &self.indices[number],
            plan: &self.plans()[number],
            limit: state.is_limited().then_some(CROWDED),
        }
    }

    /// Returns the search of the mix for its neighbours.
    pub(crate) fn mix_search<'a>(&'a self, state: &'a State<D>, level: Level) -> NeighbourSearch<'a, D> {
        let Mixed { agents, index, plan, .. } = &self.mixed;
        NeighbourSearch {
            world: self.view(state),
            level,
            agents,
            own_index: index,
            plan,
            limit: state.is_limited().then_some(CROWDED),
        }
    }

    /// Returns what sources, sinks and zones refer to by name.
    pub(crate) fn regions(&mut self, state: &State<D>) -> &ResolvedRegions<D> {
        self.regions_by_name.get_or_insert_with(|| ResolvedRegions::new(state))
    }

    /// Returns the agents of every species, with the indices that locate them outside of a tick's later stages.
    pub(crate) fn everyone<'a>(&'a self, state: &'a State<D>, level: Level) -> Among<'a, D> {
        let Self { indices, crowds, everyone, .. } = self;
        let outside = if self.is_read {
            Outside::All
        } else {
            Outside::Loose(self.queries.get(level, &state.agents, indices, &state.settings.period()), crowds)
        };
        Among { agents: &state.agents, indices, outside, species: everyone, states: &[], frozen: None }
    }

    /// Returns what the species refer to by name.
    pub(crate) fn names(&self) -> &[SpeciesNames<D>] {
        self.names.as_deref().unwrap_or_default()
    }

    /// Returns the plans.
    pub(crate) fn plans(&self) -> &[Plan] {
        self.plans.as_deref().unwrap_or_default()
    }
}
