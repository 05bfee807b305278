//! The regions, species and states that sources, sinks, zones, lifts and links refer to by name.

use std::collections::BTreeMap;

use crate::environment::region::{Region, Shape};
use crate::environment::{Environment, Sink, Source};
use crate::maths::{Vector, ones_of};
use crate::state::State;

/// The regions that the sources, sinks, zones, lifts and links of an environment refer to, in their order.
#[derive(Debug, Default)]
pub(crate) struct ResolvedRegions<const D: usize> {
    /// The number of the species and the region of each source; `None` if one of them does not exist.
    pub(crate) sources: Vec<Option<(usize, Shape<D>)>>,
    pub(crate) sinks: Vec<ResolvedSink<D>>,
    pub(crate) sinks_by_region: ByRegion,
    pub(crate) zones_by_region: ByRegion,
    pub(crate) lifts: ResolvedLifts<D>,
    /// The ends of links of each region: twice the number of the link, and one more for the far end.
    pub(crate) links_by_region: ByRegion,
    /// The shapes at the ends of each link; `None` if a region is missing.
    pub(crate) links: Vec<Option<[Shape<D>; 2]>>,
}

/// The agents that a sink removes.
#[derive(Debug)]
pub(crate) struct ResolvedSink<const D: usize> {
    /// The reason for the removals.
    pub(crate) reason: String,
    pub(crate) shapes: Vec<Shape<D>>,
    /// For each species the states in which agents are removed, one bit each; zero for none.
    pub(crate) states: Vec<u32>,
}

/// The regions of lifts.
#[derive(Debug, Default)]
pub(crate) struct ResolvedLifts<const D: usize> {
    /// The [places](Self::place) of each region.
    pub(crate) by_region: ByRegion,
    /// The lift and the landing of each place, and whether it is the one before the door.
    places: Vec<(u32, u32, bool)>,
    /// For each lift the middles of the car and of the place before the door at each landing; `None` if a region is
    /// missing.
    pub(crate) middles: Vec<Option<Vec<[Vector<D>; 2]>>>,
}

impl<const D: usize> ResolvedLifts<D> {
    fn new(environment: &Environment<D>) -> Self {
        let Environment { lifts, regions, .. } = environment;
        let mut places = Vec::new();
        let mut names = Vec::new();
        for (lift, of) in (0..).zip(lifts.items()) {
            for (all, is_at_door) in [(&of.landings, false), (&of.doors, true)] {
                places.extend((0..all.len() as u32).map(|landing| (lift, landing, is_at_door)));
                names.extend(all.iter().map(|name| &name[..]));
            }
        }
        let middles = lifts.items().iter().map(|lift| {
            let shapes = lift.shapes(regions)?;
            Some(shapes.into_iter().map(|of| of.map(|shape| shape.bounds().0)).collect())
        });
        Self { by_region: ByRegion::new(regions.items(), names.into_iter()), places, middles: middles.collect() }
    }

    /// The lift and the landing of a place, and whether it is the one before the door.
    pub(crate) fn place(&self, number: usize) -> (u32, u32, bool) {
        self.places[number]
    }

    /// The middles of the car and of the place before the door at a landing of a lift; `None` if a region is missing.
    pub(crate) fn middles_of(&self, lift: usize, landing: usize) -> Option<[Vector<D>; 2]> {
        self.middles.get(lift)?.as_ref()?.get(landing).copied()
    }
}

/// The sinks, zones, places of lifts or ends of links that refer to each region.
#[derive(Debug, Default)]
pub(crate) struct ByRegion {
    /// Their numbers, by region.
    of: Vec<Vec<u32>>,
    /// The regions of each of them, one bit each, as in the column of regions.
    regions: Vec<Vec<u64>>,
}

impl ByRegion {
    /// Collects the references to all regions with one name, given by these names.
    fn new<'a, const D: usize>(regions: &[Region<D>], names: impl Iterator<Item = &'a str>) -> Self {
        let mut collected = Self { of: vec![Vec::new(); regions.len()], regions: Vec::new() };
        let mut named = BTreeMap::<&str, Vec<usize>>::new();
        for (region, Region { name, .. }) in regions.iter().enumerate() {
            named.entry(name).or_default().push(region);
        }
        for (number, name) in names.enumerate() {
            let mut bits = vec![0; regions.len().div_ceil(64)];
            for &region in named.get(name).into_iter().flatten() {
                collected.of[region].push(number as u32);
                bits[region / 64] |= 1 << (region % 64);
            }
            collected.regions.push(bits);
        }
        collected
    }

    /// Returns the numbers of the items that refer to a region of an agent, once each, in the order of regions.
    pub(crate) fn at<'a>(&'a self, regions: &'a [u64]) -> impl Iterator<Item = usize> {
        ones_of(regions).flat_map(move |region| {
            // The bits may come from a file.
            let of = self.of.get(region).into_iter().flatten().map(|&number| number as usize);
            of.filter(move |&number| self.first_of(number, regions) == Some(region))
        })
    }

    /// Returns the first of these regions that a sink or zone refers to.
    fn first_of(&self, number: usize, regions: &[u64]) -> Option<usize> {
        let mut shared = self.regions[number].iter().zip(regions).map(|(of, regions)| of & regions).enumerate();
        let (word, bits) = shared.find(|(_, bits)| *bits != 0)?;
        Some(word * 64 + bits.trailing_zeros() as usize)
    }
}

impl<const D: usize> ResolvedRegions<D> {
    pub(crate) fn new(state: &State<D>) -> Self {
        let environment = &state.environment;
        let (regions, links) = (environment.regions.items(), environment.links.items());
        let source = |source: &Source<D>| {
            let species = state.species_number(&source.species)?;
            let region = regions.iter().find(|region| region.name == source.region)?;
            Some((species, region.shape))
        };
        let sinks_by_region = ByRegion::new(regions, environment.sinks.items().iter().map(|sink| &sink.region[..]));
        let sink = |(sink, of): (&Sink, &Vec<u64>)| ResolvedSink {
            reason: format!("sink:{}", sink.name),
            shapes: ones_of(of).map(|region| regions[region].shape).collect(),
            states: state.species.iter().map(|species| species.removed_by(sink)).collect(),
        };
        Self {
            sources: environment.sources.items().iter().map(source).collect(),
            sinks: environment.sinks.items().iter().zip(&sinks_by_region.regions).map(sink).collect(),
            sinks_by_region,
            zones_by_region: ByRegion::new(regions, environment.zones.items().iter().map(|zone| &zone.region[..])),
            lifts: ResolvedLifts::new(environment),
            links_by_region: ByRegion::new(regions, links.iter().flat_map(|link| [&link.start[..], &link.end])),
            links: links.iter().map(|link| link.shapes(&environment.regions)).collect(),
        }
    }
}
