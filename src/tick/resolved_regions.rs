//! The regions, species and states that sources, sinks and zones refer to by name.

use crate::environment::region::{Region, Shape};
use crate::environment::{Sink, Source, Zone};
use crate::species::Species;
use crate::state::State;

/// What the sources, sinks and zones of an environment refer to, in their order.
#[derive(Debug, Default)]
pub(crate) struct ResolvedRegions<const D: usize> {
    /// The number of the species and the region of each source; `None` if one of them does not exist.
    pub(crate) sources: Vec<Option<(usize, Shape<D>)>>,
    pub(crate) sinks: Vec<ResolvedSink<D>>,
    /// The regions of each zone.
    pub(crate) zones: Vec<RegionMask>,
}

/// The agents that a sink removes.
#[derive(Debug)]
pub(crate) struct ResolvedSink<const D: usize> {
    /// The reason for the removals.
    pub(crate) reason: String,
    pub(crate) regions: RegionMask,
    pub(crate) shapes: Vec<Shape<D>>,
    /// For each species the states in which agents are removed, one bit each; zero for none.
    pub(crate) states: Vec<u32>,
}

/// The regions with one name: one bit each, as in the column of regions.
#[derive(Debug)]
pub(crate) struct RegionMask(Vec<u64>);

impl RegionMask {
    fn new<const D: usize>(regions: &[Region<D>], name: &str) -> Self {
        let mut words = vec![0; regions.len().div_ceil(64)];
        for (place, _) in regions.iter().enumerate().filter(|(_, region)| region.name == name) {
            words[place / 64] |= 1 << (place % 64);
        }
        Self(words)
    }

    /// Returns whether one of the regions is among those of an agent.
    pub(crate) fn meets(&self, regions: &[u64]) -> bool {
        self.0.iter().zip(regions).any(|(mask, regions)| mask & regions != 0)
    }
}

impl<const D: usize> ResolvedRegions<D> {
    pub(crate) fn new(state: &State<D>) -> Self {
        let environment = &state.environment;
        let regions = environment.regions();
        let source = |source: &Source<D>| {
            let species = state.species.iter().position(|species| species.name == source.species)?;
            let region = regions.iter().find(|region| region.name == source.region)?;
            Some((species, region.shape))
        };
        let sink = |sink: &Sink| ResolvedSink {
            reason: format!("sink:{}", sink.name),
            regions: RegionMask::new(regions, &sink.region),
            shapes: regions.iter().filter(|region| region.name == sink.region).map(|region| region.shape).collect(),
            states: state.species.iter().map(|species| states(species, sink)).collect(),
        };
        let zone = |zone: &Zone<D>| RegionMask::new(regions, &zone.region);
        Self {
            sources: environment.sources().iter().map(source).collect(),
            sinks: environment.sinks().iter().map(sink).collect(),
            zones: environment.zones().iter().map(zone).collect(),
        }
    }
}

/// The states in which a sink removes agents of a species, one bit each. Species without states have the first bit.
fn states<const D: usize>(species: &Species<D>, sink: &Sink) -> u32 {
    if !sink.species.is_empty() && !sink.species.contains(&species.name) {
        return 0;
    }
    if sink.states.is_empty() {
        return u32::MAX;
    }
    let numbers = sink.states.iter().filter_map(|name| species.state_number(name));
    numbers.fold(0, |states, number| states | 1 << number)
}
