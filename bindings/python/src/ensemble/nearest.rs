//! The nearest neighbours of every agent of every world, in arrays of one shape.

use numpy::PyReadwriteArrayDyn;
use pyo3::prelude::*;
use rayon::prelude::*;
use throng::{Agents, Error, Neighbour, Query, SpeciesFilter, SpeciesId, Vector, with_world};

use crate::ensemble::few::{Few, Found, LANES, Lists};
use crate::ensemble::{agents_of, check_agents, for_each, memory};
use crate::errors::OrRaise;
use crate::rows;
use crate::states;
use crate::world::{World, species_named};

/// The most agents that are searched without the index of the world, which is then faster.
const FEW: usize = 512;

/// The id of a neighbour that an agent lacks.
const NONE: u64 = u64::MAX;

/// The fewest groups of agents that a thread takes at a time.
const GRAIN: usize = 16;

/// The arrays to be filled: features, ids and counts.
type Arrays<'py> = (PyReadwriteArrayDyn<'py, f32>, PyReadwriteArrayDyn<'py, u64>, PyReadwriteArrayDyn<'py, u32>);

/// The parts of these arrays for one world.
type Part<'a> = (&'a mut [f32], &'a mut [u64], &'a mut [u32]);

/// The question about each agent.
struct Asked {
    count: usize,
    among: SpeciesFilter,
    radius_squared: f32,
    fill: f32,
}

/// Fills arrays with the nearest neighbours of all agents of a species, which are in ascending order of their ids.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub(crate) fn nearest<'py>(
    py: Python<'py>,
    worlds: Vec<Py<World>>,
    species: &str,
    count: usize,
    among: Option<&Bound<'py, PyAny>>,
    radius: f32,
    fill: f32,
    out: Arrays<'py>,
) -> PyResult<()> {
    let among = match among.map_or(Ok(SpeciesFilter::All), states::filter)? {
        SpeciesFilter::Own => SpeciesFilter::named(species),
        among => among,
    };
    let asked = Asked { count, among, radius_squared: radius * radius, fill };
    let agents = agents_of(&worlds, species)?;
    let (mut features, mut ids, mut counts) = out;
    // An ensemble without agents has no parts.
    let part = |numbers: usize| if numbers == 0 { 1 } else { numbers };
    let features = memory("features", &mut features)?;
    let len = features.len() / part(worlds.len());
    let parts = features
        .par_chunks_mut(part(len))
        .zip(memory("id", &mut ids)?.par_chunks_mut(part(agents * count)))
        .zip(memory("count", &mut counts)?.par_chunks_mut(part(agents)));
    for_each(py, &worlds, parts, |number, world, ((features, ids), counts)| {
        let world = world.shared.read()?;
        let species = species_named(&world, species)?;
        let rows = rows::by_id(&world, species)?;
        check_agents(number, rows.len(), agents)?;
        with_world!(&*world, world => asked.answer(world, species, &rows, (features, ids, counts))).or_raise()
    })
}

impl Asked {
    /// The neighbours of the agents at these rows.
    fn answer<const D: usize>(
        &self,
        world: &throng::World<D>,
        species: SpeciesId,
        rows: &[usize],
        (features, ids, counts): Part<'_>,
    ) -> Result<(), Error> {
        let sought = Sought::of(world, &self.among, species);
        let agents = world.agents(species)?;
        let width = self.count * (2 * D + 1);
        let parts = features
            .par_chunks_mut(LANES * width)
            .zip(ids.par_chunks_mut(LANES * self.count))
            .zip(counts.par_chunks_mut(LANES));
        rows.par_chunks(LANES).zip(parts).with_min_len(GRAIN).try_for_each_init(
            <(Lists, Vec<Neighbour<D>>)>::default,
            |(lists, neighbours), (rows, ((features, ids), counts))| {
                if let Sought::Few(few) = &sought {
                    few.find(agents, rows, self.count, self.radius_squared.next_up(), lists);
                }
                let parts = features.chunks_exact_mut(width).zip(ids.chunks_exact_mut(self.count)).zip(counts);
                for (lane, (&row, ((features, ids), count))) in rows.iter().zip(parts).enumerate() {
                    let (at, velocity) = (agents.position(row), agents.velocity(row));
                    let part = (features, ids, count);
                    match &sought {
                        Sought::Few(few) => self.describe(velocity, few.found(lists, lane, at), part),
                        Sought::Many(query) => {
                            // The agent itself may be one of them.
                            query.nearest(at, self.count + 1, neighbours)?;
                            let others = neighbours.iter().filter(|near| (near.species, near.row) != (species, row));
                            let near = others.filter(|near| near.distance_squared <= self.radius_squared);
                            let found = |near: &Neighbour<D>| Found {
                                offset: near.offset,
                                velocity: near.velocity,
                                id: near.id,
                            };
                            self.describe(velocity, near.take(self.count).map(found), part);
                        }
                    }
                }
                Ok(())
            },
        )
    }

    /// Writes the neighbours of an agent with this velocity, and their number.
    #[inline]
    fn describe<const D: usize>(
        &self,
        velocity: Vector<D>,
        found: impl Iterator<Item = Found<D>>,
        (features, ids, count): (&mut [f32], &mut [u64], &mut u32),
    ) {
        let mut places = features.chunks_exact_mut(2 * D + 1).zip(ids);
        *count = 0;
        for (found, (to, id)) in found.zip(places.by_ref()) {
            to[..D].copy_from_slice(&found.offset.0);
            to[D..2 * D].copy_from_slice(&(found.velocity - velocity).0);
            to[2 * D] = found.offset.length();
            *id = found.id.to_bits();
            *count += 1;
        }
        for (to, id) in places {
            to.fill(self.fill);
            *id = NONE;
        }
    }
}

/// The agents that count as neighbours.
enum Sought<'w, const D: usize> {
    Few(Few<D>),
    Many(Query<'w, D>),
}

impl<'w, const D: usize> Sought<'w, D> {
    fn of(world: &'w throng::World<D>, among: &SpeciesFilter, own: SpeciesId) -> Self {
        let all = world.all_agents().iter().filter(|agents| !agents.name().is_empty());
        let few: Vec<&Agents<D>> = match among {
            SpeciesFilter::Named(names) => {
                all.filter(|agents| names.iter().any(|name| name == agents.name())).collect()
            }
            _ => all.collect(),
        };
        // A name that is of no species may be of a state.
        let is_plain = match among {
            SpeciesFilter::Named(names) => names.iter().all(|name| few.iter().any(|agents| agents.name() == name)),
            _ => true,
        };
        if is_plain && few.iter().map(|agents| agents.len()).sum::<usize>() <= FEW {
            return Self::Few(Few::of(&few, own, world.settings().period()));
        }
        Self::Many(world.query().among(among))
    }
}
