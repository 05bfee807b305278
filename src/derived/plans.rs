//! Data that follow from the definitions of species: plans of their rules, and the items that names refer to.

use crate::derived::resolved_regions::{ByRegion, ResolvedRegions};
use crate::neighbour_lists::plan::Plan;
use crate::species::Species;
use crate::species::resolved_names::SpeciesNames;
use crate::state::State;

/// The plan and the names of every species.
#[derive(Debug, Default)]
pub(crate) struct Plans<const D: usize> {
    /// One for each species; none after a rule changed.
    plans: Option<Vec<Plan>>,
    /// One for each species; none after a rule or the environment changed.
    names: Option<Vec<SpeciesNames<D>>>,
    /// The items that sources, sinks, zones, lifts and links refer to; none after a rule, a species or the environment changed.
    regions: Option<ResolvedRegions<D>>,
    /// Whether a rule or a motion is not built in; `None` after a rule changed.
    is_hosted: Option<bool>,
}

impl<const D: usize> Plans<D> {
    /// Discards the data that follow from rules and names.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Discards only the plans of rules.
    pub(super) fn forget_rules(&mut self) {
        self.plans = None;
    }

    /// Discards the items that names refer to.
    pub(super) fn forget_names(&mut self) {
        (self.names, self.regions) = (None, None);
    }

    /// Looks up names and makes plans where either changed. Returns whether plans are new.
    pub(super) fn update(&mut self, state: &State<D>) -> bool {
        let State { species, inputs, agents, environment, .. } = state;
        let all = species.iter().zip(inputs.iter().map(Vec::as_slice));
        self.names.get_or_insert_with(|| {
            let names = |(number, of)| SpeciesNames::new(number, of, agents, environment);
            all.clone().enumerate().map(names).collect()
        });
        if state.zoned {
            self.regions(state);
        }
        let is_new = self.plans.is_none();
        self.plans.get_or_insert_with(|| {
            all.zip(agents).map(|(of, own)| Plan::new(own.species, of, agents, state.mix.radius)).collect()
        });
        is_new
    }

    /// Returns whether there are plans.
    pub(crate) fn are_made(&self) -> bool {
        self.plans.is_some()
    }

    /// Returns the plan of each species; none before they are made.
    pub(crate) fn of(&self) -> &[Plan] {
        self.plans.as_deref().unwrap_or_default()
    }

    /// Returns the items that the species refer to by name.
    pub(crate) fn names(&self) -> &[SpeciesNames<D>] {
        self.names.as_deref().unwrap_or_default()
    }

    /// Returns the items that sources, sinks, zones, lifts and links refer to by name.
    pub(crate) fn regions(&mut self, state: &State<D>) -> &ResolvedRegions<D> {
        self.regions.get_or_insert_with(|| ResolvedRegions::new(state))
    }

    /// Returns the items that the species refer to by name, if they have been looked up.
    pub(crate) fn looked_up(&self) -> Option<&ResolvedRegions<D>> {
        self.regions.as_ref()
    }

    /// Returns the zones of each region, if they have been looked up.
    pub(crate) fn zones_by_region(&self) -> Option<&ByRegion> {
        self.regions.as_ref().map(|regions| &regions.zones_by_region)
    }

    /// Returns the places of lifts and the ends of links of each region, if they have been looked up.
    pub(crate) fn held_by_region(&self) -> Option<[&ByRegion; 2]> {
        self.regions.as_ref().map(|regions| [&regions.lifts.by_region, &regions.links_by_region])
    }

    /// Returns whether a rule or a motion of these species is a host's own.
    pub(crate) fn is_hosted(&mut self, species: &[Species<D>]) -> bool {
        *self.is_hosted.get_or_insert_with(|| species.iter().any(Species::is_hosted))
    }
}
