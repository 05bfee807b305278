//! The sources, sinks and zones of a scenario.

use throng::{Arrivals, Distribution, Environment, Error, Sink, Source, Zone};

use crate::start::in_dimensions;

/// The sources, sinks and zones of a scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PeopleSpec {
    pub(crate) sources: Vec<SourceSpec>,
    pub(crate) sinks: Vec<Sink>,
    pub(crate) zones: Vec<ZoneSpec>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SourceSpec {
    pub(crate) name: String,
    pub(crate) species: String,
    pub(crate) region: String,
    pub(crate) arrivals: Arrivals,
    pub(crate) limit: Option<u64>,
    pub(crate) heading: Option<Vec<f32>>,
    pub(crate) speed: Option<Distribution>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ZoneSpec {
    pub(crate) region: String,
    pub(crate) factor: f32,
    /// The direction, and the factor against it.
    pub(crate) against: Option<(Vec<f32>, f32)>,
}

/// The agents that the sources of a scenario add: see [`Scenario::arrivals`](crate::Scenario::arrivals).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExpectedArrivals {
    /// The number of sources.
    pub sources: usize,
    /// The number of agents that they bring within the ticks of the scenario. A Poisson process counts with its mean.
    pub agents: u64,
    /// Whether the number is exact: no source draws its times or waits for other agents.
    pub exact: bool,
}

impl PeopleSpec {
    /// The agents that the sources add within this time, in seconds.
    pub(crate) fn arrivals(&self, seconds: f64) -> ExpectedArrivals {
        let mut all = ExpectedArrivals { sources: self.sources.len(), agents: 0, exact: true };
        for source in &self.sources {
            let number = match &source.arrivals {
                Arrivals::Schedule(times) => {
                    let due = times.iter().filter(|(time, _)| f64::from(*time) <= seconds);
                    due.fold(0, |sum: u64, (_, number)| sum.saturating_add(*number))
                }
                Arrivals::Rate(rate) | Arrivals::Poisson(rate) => (f64::from(*rate) * seconds) as u64,
                // The number of agents that will enter a region is unknown.
                _ => 0,
            };
            all.exact &= matches!(source.arrivals, Arrivals::Schedule(_) | Arrivals::Rate(_));
            let limit = source.limit.unwrap_or(u64::MAX);
            all.agents = all.agents.saturating_add(if number < limit { number } else { limit });
        }
        all
    }

    /// The number of agents of the sources with a known end.
    pub(crate) fn agents(&self) -> u64 {
        let of_source = |source: &SourceSpec| {
            let limit = source.limit.unwrap_or(u64::MAX);
            match &source.arrivals {
                Arrivals::Schedule(times) => {
                    let all = times.iter().fold(0u64, |sum, (_, number)| sum.saturating_add(*number));
                    if all < limit { all } else { limit }
                }
                _ => 0,
            }
        };
        self.sources.iter().map(of_source).fold(0, u64::saturating_add)
    }

    /// Returns whether a source feeds a species.
    pub(crate) fn feed(&self, species: &str) -> bool {
        self.sources.iter().any(|source| source.species == species)
    }

    /// Adds the sources, sinks and zones to an environment.
    pub(crate) fn build<const D: usize>(&self, environment: &mut Environment<D>) -> Result<(), Error> {
        for source in &self.sources {
            let SourceSpec { name, species, region, arrivals, limit, heading, speed } = source.clone();
            let heading = heading.map(|heading| in_dimensions(&heading));
            environment.sources.add(Source { name, species, region, arrivals, limit, heading, speed })?;
        }
        for sink in &self.sinks {
            environment.sinks.add(sink.clone())?;
        }
        for ZoneSpec { region, factor, against } in &self.zones {
            let zone = Zone::new(&region[..], *factor);
            environment.zones.add(match against {
                Some((direction, factor)) => zone.with_against(in_dimensions(direction), *factor),
                None => zone,
            })?;
        }
        Ok(())
    }
}
