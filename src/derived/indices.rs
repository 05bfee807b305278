//! Where agents and the environment are, and which lists of neighbours still hold.

use std::sync::OnceLock;

use fearless_simd::Level;

use crate::agents::columns::Stored as _;
use crate::derived::plans::Plans;
use crate::environment::index::EnvironmentIndex;
use crate::environment::navigation::Queued;
use crate::index::groups::Groups;
use crate::index::images::Images;
use crate::index::joint_index::JointIndex;
use crate::index::query_index::QueryIndex;
use crate::index::search::{Among, Outside};
use crate::index::species_index::SpeciesIndex;
use crate::maths::Vector;
use crate::neighbour_lists::candidate_limit::CROWDED;
use crate::neighbour_lists::list_lifetime::{ListLifetime, ListMode};
use crate::neighbour_lists::mix::Mixed;
use crate::neighbour_lists::search::NeighbourSearch;
use crate::rules::gatherings::Gatherings;
use crate::rules::motions::gather;
use crate::rules::world_view::WorldView;
use crate::state::State;

/// How the passes of a species find candidates.
#[derive(Debug, Default)]
pub(crate) struct PassLists {
    /// For each pass, whether lists were kept.
    pub(crate) kept: Vec<ListLifetime>,
    /// For each pass, how this tick finds candidates.
    pub(crate) modes: Vec<ListMode>,
}

/// The indices of a world. The stage Index brings them up to date.
#[derive(Debug, Default)]
pub(crate) struct Indices<const D: usize> {
    /// Where the agents of each species are.
    pub(crate) species: Vec<SpeciesIndex<D>>,
    /// The agents of the mixed species as one species.
    pub(crate) mixed: Mixed<D>,
    /// How each species finds candidates.
    pub(crate) lists: Vec<PassLists>,
    /// The members of groups.
    groups: Groups,
    gatherings: Gatherings,
    /// The agents near seams, as the other side sees them.
    pub(crate) images: Images<D>,
    /// Where obstacles, regions and paths are.
    pub(crate) environment: EnvironmentIndex<D>,
    /// The same after an edit of the environment, for the host's queries until the next tick.
    edited_environment: OnceLock<EnvironmentIndex<D>>,
    /// Further data for the host's queries.
    pub(crate) queries: QueryIndex<D>,
    /// Further data for searches among many species, and the numbers of all species.
    pub(crate) joints: JointIndex<D>,
    everyone: Vec<u32>,
    /// Whether a function reads the world in the middle of a tick that is watched.
    is_read: bool,
}

impl<const D: usize> Indices<D> {
    pub(super) fn add_species(&mut self) {
        self.queries.forget();
        self.everyone.push(self.species.len() as u32);
        self.species.push(SpeciesIndex::default());
        self.lists.push(PassLists::default());
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

    /// Discards the indices of searches, after agents moved.
    pub(crate) fn forget_searches(&mut self) {
        self.queries.forget();
        self.joints.moved();
    }

    /// Records that the host may have changed the environment or the space that it is in.
    pub(super) fn environment_edited(&mut self) {
        self.environment.walls.is_noted = true;
        self.edited_environment.take();
    }

    /// Brings the index of the environment up to date, at the start of a tick.
    pub(crate) fn update_environment(&mut self, level: Level, state: &State<D>) {
        self.environment.update(level, &state.environment, &state.settings);
        self.images.follow(level, &state.settings);
        self.edited_environment.take();
    }

    /// Returns an index of the environment as it is now, for a host between ticks or in the middle of one.
    pub(crate) fn environment_now(&self, level: Level, state: &State<D>) -> &EnvironmentIndex<D> {
        let State { environment, settings, .. } = state;
        if self.environment.is_of(environment, settings) {
            return &self.environment;
        }
        self.edited_environment.get_or_init(|| {
            let mut index = EnvironmentIndex::default();
            index.update(level, environment, settings);
            index
        })
    }

    /// Follows new plans. Kept lists are dropped: their radii are outdated.
    pub(super) fn plan(&mut self, plans: &Plans<D>) {
        self.mixed.plan(plans.of());
        for (lists, plan) in self.lists.iter_mut().zip(plans.of()) {
            lists.kept.clear();
            lists.kept.resize(plan.passes.len(), ListLifetime::default());
        }
        // The smallest radius of a species' passes limits how far its clusters may spread.
        self.species.iter_mut().for_each(|index| index.radius = f32::INFINITY);
        for (own, plan) in plans.of().iter().enumerate() {
            for pass in plan.passes.iter().filter(|pass| pass.reach > 0.0) {
                for species in [own, pass.species] {
                    let radius = &mut self.species[species].radius;
                    *radius = if pass.reach < *radius { pass.reach } else { *radius };
                }
            }
        }
        for (index, plan) in self.species.iter_mut().zip(plans.of()) {
            index.is_ordered = plan.searches;
        }
        for (own, names) in plans.names().iter().enumerate() {
            for other in names.searched() {
                self.species[other as usize].is_ordered = true;
                self.species[own].is_ordered = true;
            }
        }
    }

    /// Drops the lists that hold rows of a species.
    pub(crate) fn drop_lists(&mut self, plans: &Plans<D>, species: usize) {
        for (own, (lists, plan)) in self.lists.iter_mut().zip(plans.of()).enumerate() {
            for (kept, pass) in lists.kept.iter_mut().zip(&plan.passes) {
                if own == species || pass.species == species {
                    *kept = ListLifetime::default();
                }
            }
        }
    }

    /// Records that agents moved: how far two together may have gone since lists were made. `way` returns how far the
    /// agents of a species moved.
    pub(crate) fn lists_aged(&mut self, plans: &Plans<D>, way: impl Fn(usize, &SpeciesIndex<D>) -> f32) {
        let way = |number: usize| way(number, &self.species[number]);
        for (own, (lists, plan)) in self.lists.iter_mut().zip(plans.of()).enumerate() {
            for (kept, pass) in lists.kept.iter_mut().zip(&plan.passes) {
                kept.moved(way(own) + way(pass.species));
            }
        }
    }

    /// Records that kept lists have been brought up to date with the edits.
    pub(crate) fn listed(&mut self) {
        for index in self.species.iter_mut().chain([&mut self.mixed.index]) {
            index.edited.clear();
        }
    }

    /// Measures the boxes that this tick needs.
    pub(crate) fn measure(&mut self, level: Level, state: &State<D>) {
        let period = state.settings.period();
        for ((index, agents), order) in self.species.iter_mut().zip(&state.agents).zip(&state.orders) {
            // Species without a pass are only searched.
            let fresh = index.is_fresh() && order.strays.is_empty();
            if (index.measured || !index.held) && !fresh {
                // Lists that still hold lack the rows that were loose when they were made.
                if !index.held {
                    index.loose.clear();
                }
                index.loose.extend(&order.strays);
                index.measure(level, agents, &period);
            }
            index.rebuild_strays(level, agents, &period);
        }
    }

    /// Measures all boxes around the rows in their places, as a function of the state only. Where all rows are in their
    /// places, these are the boxes of the tick.
    pub(crate) fn measure_all(&mut self, level: Level, state: &State<D>) {
        let period = state.settings.period();
        self.mixed.copy(state);
        for ((index, agents), order) in self.species.iter_mut().zip(&state.agents).zip(&state.orders) {
            index.placed.rebuild(level, &agents.position, agents.len(), &order.strays, &period);
            index.valid |= index.loose.is_empty() && order.strays.is_empty();
            // The copy of strays is of the last tick.
            index.forget_strays(level, &agents.position, &period);
        }
        let Mixed { agents, index, .. } = &mut self.mixed;
        index.placed.rebuild(level, &agents.position, agents.len(), &state.mix.order.strays, &period);
        index.forget_strays(level, &agents.position, &period);
    }

    /// Takes the rows that were edited since lists were made out of their boxes again.
    pub(crate) fn let_loose(&mut self) {
        for index in self.species.iter_mut().chain([&mut self.mixed.index]) {
            for place in 0..index.loose.len() {
                index.placed.make_loose(index.loose[place] as usize);
            }
        }
    }

    /// Lists the agents on their way to each navigation's goals, with and without places, where a rule reads them so.
    pub(crate) fn queue(&mut self, state: &State<D>, plans: &Plans<D>) {
        let all = || state.agents.iter().zip(plans.of());
        let ids = state.environment.navigations.ids();
        for (number, queues) in self.environment.queues.iter_mut().enumerate() {
            queues.clear();
            if !all().any(|(_, plan)| plan.rules.iter().any(|rule| rule.queues[number])) {
                continue;
            }
            for (agents, plan) in all() {
                for column in plan.rules.iter().filter_map(|rule| rule.heading) {
                    let headings = <[u32; 2]>::rows(&agents.columns.0[column].data).unwrap_or_default();
                    queues.add(headings.len(), &|row| {
                        let (position, navigation) = (agents.position(row), u64::from(headings[row][0]));
                        let at = Vector([position.0[0], position.0[1]]);
                        let place = ids.binary_search_by_key(&navigation, |id| id.to_bits() + 1).ok()?;
                        let passage = state.environment.timed_ways_at(place)?.passage(at)?;
                        Some(Queued::new((place, number == 0), at, passage))
                    });
                }
            }
            queues.sort();
        }
    }

    /// Lists the members of groups, where a rule asks for them, and adds up the walkers that rest at goals.
    pub(crate) fn group(&mut self, state: &State<D>, plans: &Plans<D>) {
        self.groups.clear();
        self.gatherings.clear();
        for (agents, names) in state.agents.iter().zip(plans.names()) {
            names.rules.iter().filter_map(|rule| rule.group).for_each(|column| self.groups.add(agents, column));
            gather(agents, &mut self.gatherings);
        }
        self.groups.sort();
    }

    /// Returns the world as rules see it.
    pub(crate) fn view<'a>(&'a self, state: &'a State<D>) -> WorldView<'a, D> {
        let State { settings, tick, clock, agents, ids, environment, .. } = state;
        let Self { species, joints, groups, gatherings, images, environment: environment_index, .. } = self;
        WorldView {
            settings,
            tick: *tick,
            clock: *clock,
            agents,
            indices: species,
            joints,
            groups,
            gatherings,
            images,
            ids,
            environment,
            environment_index,
        }
    }

    /// Returns the agents of every species, with the indices that locate them outside of a tick's later stages.
    pub(crate) fn everyone<'a>(&'a self, state: &'a State<D>, level: Level) -> Among<'a, D> {
        let Self { species: indices, joints, everyone, .. } = self;
        let outside = if self.is_read {
            Outside::All
        } else {
            Outside::Loose(self.queries.get(level, &state.agents, indices, &state.settings.period()), joints)
        };
        Among { agents: &state.agents, indices, outside, species: everyone, states: &[], frozen: None }
    }

    /// Returns the search of one species for its neighbours.
    pub(crate) fn search<'a>(
        &'a self,
        state: &'a State<D>,
        plans: &'a Plans<D>,
        level: Level,
        number: usize,
    ) -> NeighbourSearch<'a, D> {
        NeighbourSearch {
            world: self.view(state),
            level,
            agents: &state.agents[number],
            own_index: &self.species[number],
            plan: &plans.of()[number],
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
}
