//! The sources, sinks and zones of a scenario.

use throng::parameters::Value;
use throng::{Arrivals, Environment, Error};

use crate::items::ItemSpec;

/// The sources, sinks and zones of a scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PeopleSpec {
    pub(crate) sources: Vec<ItemSpec>,
    pub(crate) sinks: Vec<ItemSpec>,
    pub(crate) zones: Vec<ItemSpec>,
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
            let arrivals = source.group();
            let number = match &arrivals {
                Some(Arrivals::Schedule(times)) => {
                    let due = times.iter().filter(|(time, _)| f64::from(*time) <= seconds);
                    due.fold(0, |sum: u64, (_, number)| sum.saturating_add(*number))
                }
                Some(Arrivals::Rate(rate) | Arrivals::Poisson(rate)) => (f64::from(*rate) * seconds) as u64,
                // The number of agents that will enter a region is unknown.
                _ => 0,
            };
            all.exact &= matches!(arrivals, Some(Arrivals::Schedule(_) | Arrivals::Rate(_)));
            let limit = limit(source);
            all.agents = all.agents.saturating_add(if number < limit { number } else { limit });
        }
        all
    }

    /// The number of agents of the sources with a known end.
    pub(crate) fn agents(&self) -> u64 {
        let of_source = |source: &ItemSpec| {
            let limit = limit(source);
            match source.group() {
                Some(Arrivals::Schedule(times)) => {
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
        self.sources.iter().any(|source| source.word("species") == species)
    }

    /// Adds the sources, sinks and zones to an environment.
    pub(crate) fn build<const D: usize>(&self, environment: &mut Environment<D>) -> Result<(), Error> {
        self.sources.iter().try_for_each(|spec| environment.sources.add(spec.build()?).map(drop))?;
        self.sinks.iter().try_for_each(|spec| environment.sinks.add(spec.build()?).map(drop))?;
        self.zones.iter().try_for_each(|spec| environment.zones.add(spec.build()?).map(drop))
    }
}

/// The number of agents after which a source ends.
fn limit(source: &ItemSpec) -> u64 {
    source.get("limit").and_then(Value::whole).unwrap_or(u64::MAX)
}
