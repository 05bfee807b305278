//! Compares the neighbours that agents saw with a naive search over all pairs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use throng::{
    AgentId, AgentRef, Behaviour, Inputs, Noise, Perception, Rule, Settings, SpeciesFilter, SpeciesId, Target, Vector,
};

use super::{NeighbourQuery, Outcome, Setup, Workload, WorldBuilder};

/// Ticks that are compared, and the most ticks before them.
const TICKS: u64 = 3;
const WARM: u64 = 4;

/// Agents that are compared in a tick, divided equally among the queries.
const SAMPLE: usize = 200;

/// The exactness of the neighbours that agents saw.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exactness {
    /// Agents that were compared.
    pub compared: usize,
    /// Agents among them that saw something other than the naive search found.
    pub wrong: usize,
    /// The mean number of exact neighbours of all agents.
    pub neighbours: f64,
}

impl Exactness {
    /// Returns the share of compared agents that were wrong; zero if none was compared.
    #[must_use]
    pub fn wrong_share(&self) -> f64 {
        if self.compared == 0 { 0.0 } else { self.wrong as f64 / self.compared as f64 }
    }
}

/// The neighbours that agents saw, by the number of the query: the count of neighbours, or the squared distance of the
/// nearest.
type Seen = Arc<Mutex<BTreeMap<(usize, AgentId), f32>>>;

/// A rule without force that records the neighbours that its agents see.
#[derive(Debug)]
struct RecordingRule {
    number: usize,
    query: NeighbourQuery,
    seen: Seen,
}

impl<const D: usize> Behaviour<D> for RecordingRule {
    fn inputs(&self) -> Inputs {
        match &self.query {
            NeighbourQuery::Within(radius, filter) => Inputs::default().neighbours(Perception::within(*radius, filter)),
            NeighbourQuery::Nearest(filter) => {
                Inputs::default().target("nearest", &Target::<D>::Nearest(filter.clone()))
            }
        }
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let seen = match &self.query {
            NeighbourQuery::Within(..) => me.neighbours(0).len() as f32,
            NeighbourQuery::Nearest(_) => me.target(0).map_or(f32::INFINITY, |aim| aim.offset.length_squared()),
        };
        if let Ok(mut all) = self.seen.lock() {
            all.insert((self.number, me.id()), seen);
        }
        Vector::ZERO
    }
}

/// Compares some agents of a workload with the naive search, in its first ticks on the clock.
///
/// # Errors
///
/// The errors of the workload.
pub fn exactness(workload: &Workload) -> Outcome<Exactness> {
    match &workload.build {
        WorldBuilder::Two(make) => compare(make()?, workload.warm),
        WorldBuilder::Three(make) => compare(make()?, workload.warm),
    }
}

fn compare<const D: usize>(run: Setup<D>, warm: u64) -> Outcome<Exactness> {
    let Setup { mut world, mut host, queries } = run;
    let seen = Seen::default();
    for (number, (species, query)) in queries.iter().enumerate() {
        let recording = RecordingRule { number, query: query.clone(), seen: Arc::clone(&seen) };
        world.add_rule(*species, Rule::new(0.0, recording))?;
    }
    (0..if warm < WARM { warm } else { WARM }).for_each(|_| world.step());
    let mut result = Exactness::default();
    for tick in 0..TICKS {
        host(&mut world, tick)?;
        let mut all = Vec::with_capacity(world.population());
        for species in world.species_ids() {
            let agents = world.agents(species)?;
            all.extend((0..agents.len()).map(|row| (agents.ids()[row], species, agents.position(row))));
        }
        if let Ok(mut seen) = seen.lock() {
            seen.clear();
        }
        world.step();
        // Agents that left in the previous tick are removed before the others look.
        all.retain(|(agent, ..)| world.contains(*agent));
        let seen = seen.lock().map(|seen| seen.clone()).unwrap_or_default();
        for (number, (species, query)) in queries.iter().enumerate() {
            let own: Vec<_> = all.iter().filter(|(_, of, _)| of == species).collect();
            let filter = match query {
                NeighbourQuery::Within(_, filter) | NeighbourQuery::Nearest(filter) => filter,
            };
            let name = |id: SpeciesId| world.species(id).map(|species| species.name.clone()).unwrap_or_default();
            let perceived: Vec<bool> =
                world.species_ids().map(|id| perceives(filter, *species, id, &name(id))).collect();
            let others: Vec<_> = all.iter().filter(|(_, of, _)| perceived[of.number()]).collect();
            let sample = SAMPLE.div_ceil(queries.len()).min(own.len());
            let share = own.len() as f64 / all.len() as f64 / (sample as u64 * TICKS) as f64;
            for drawn in 0..sample {
                let mut noise = Noise::new(1, drawn as u64, tick, Noise::USER);
                let (agent, _, position) = own[(noise.between(0.0, own.len() as f32) as usize).min(own.len() - 1)];
                let others = others.iter().filter(|(other, ..)| other != agent);
                let places = others.map(|(_, _, place)| *place);
                let expected = look(world.settings(), *position, places, query);
                result.compared += 1;
                result.wrong += usize::from(seen.get(&(number, *agent)) != Some(&expected));
                result.neighbours += f64::from(expected) * share;
            }
        }
    }
    Ok(result)
}

fn perceives(filter: &SpeciesFilter, own: SpeciesId, other: SpeciesId, name: &str) -> bool {
    match filter {
        SpeciesFilter::Own => own == other,
        SpeciesFilter::All => true,
        SpeciesFilter::Named(names) => names.iter().any(|named| named == name),
        _ => unreachable!("the filters of these worlds"),
    }
}

/// Searches all places from a point, by brute force.
fn look<const D: usize>(
    settings: &Settings<D>,
    from: Vector<D>,
    places: impl Iterator<Item = Vector<D>>,
    query: &NeighbourQuery,
) -> f32 {
    let distances = places.map(|place| settings.offset(from, place).length_squared());
    match query {
        NeighbourQuery::Within(radius, _) => distances.filter(|distance| *distance <= radius * radius).count() as f32,
        NeighbourQuery::Nearest(_) => {
            distances.fold(f32::INFINITY, |least, distance| if distance < least { distance } else { least })
        }
    }
}
