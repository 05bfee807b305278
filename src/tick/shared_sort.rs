//! The sort of rows into space order by all ranks together, with the result of one process.
//!
//! Each rank sorts its own rows along the last axis, and sends every rank those at its share of the places in the order
//! of all. A sample of that order gives the slabs. A rank sorts the slabs that begin in its share along the other axes.
//! So a rank handles its share of the rows alone.

use std::ops::Range;
use std::sync::atomic::AtomicU64;

use crate::agents::Agents;
use crate::agents::radix_sort::{self, Scale, key, row};
use crate::agents::slabs::Parts;
use crate::agents::space_order::SortBuffers;
use crate::tick::division::Division;

/// The rows that a rank has sorted.
pub(super) struct Sorted {
    /// The new rows of each rank.
    pub(super) new: Vec<Range<usize>>,
    /// The present rows of the agents that will be at those of this rank.
    pub(super) present: Vec<u32>,
}

/// Sorts the rows of agents. There are more than one cluster of them, and this rank has those in `own`.
pub(super) fn sort<const D: usize>(
    agents: &Agents<D>,
    own: Range<usize>,
    division: &Division,
    buffers: &mut SortBuffers,
) -> Sorted {
    let (count, ranks, last) = (agents.len(), division.ranks(), D - 1);
    let scales = scales(agents, own.clone(), division);
    let shares: Vec<usize> = (0..=ranks).map(|rank| (count as u64 * rank as u64 / ranks as u64) as usize).collect();
    let present = own.clone().map(|row| row as u32).collect();
    let own = Piece { rows: present, position: agents.position.each_ref().map(|column| column[own.clone()].to_vec()) };

    buffers.sort(&own.position[last], scales[last]);
    let ends = before(&shares[1..ranks], buffers.entries(), scales[last].bits(), division);
    let ends: Vec<usize> = [0].into_iter().chain(ends).chain([own.rows.len()]).collect();
    let share = own.exchange(division, buffers.entries(), |rank| ends[rank]..ends[rank + 1]);
    // Agents with equal keys stay in the order of ranks, and so of rows.
    buffers.sort(&share.position[last], scales[last]);

    let places = shares[division.rank()]..shares[division.rank() + 1];
    let slabs = slabs(count, &share, places.clone(), buffers.entries(), division);
    let slabs_of = |rank: usize| first_slab(&slabs, shares[rank])..first_slab(&slabs, shares[rank + 1]);
    let new: Vec<_> = (0..ranks).map(|rank| slabs.rows_of(slabs_of(rank))).collect();
    let share = share.exchange(division, buffers.entries(), |rank| {
        let rows = &new[rank];
        let end = |row: usize| row.clamp(places.start, places.end) - places.start;
        end(rows.start)..end(rows.end)
    });
    buffers.number(share.rows.len());
    buffers.sort_slabs(&share.position, &scales, &slabs, slabs_of(division.rank()));
    let present = buffers.entries().iter().map(|entry| share.rows[row(entry)]).collect();
    Sorted { new, present }
}

/// Some rows in any order, and the positions of their agents.
struct Piece<const D: usize> {
    rows: Vec<u32>,
    position: [Vec<f32>; D],
}

impl<const D: usize> Piece<D> {
    /// Sends each rank the agents of a range of `entries`, and returns what they send, in the order of ranks.
    fn exchange(&self, division: &Division, entries: &[AtomicU64], range: impl Fn(usize) -> Range<usize>) -> Self {
        let to = (0..division.ranks()).map(|rank| {
            let entries = &entries[range(rank)];
            let rows = entries.iter().map(|entry| self.rows[row(entry)]);
            let positions = self.position.iter().flat_map(|column| entries.iter().map(|entry| column[row(entry)]));
            rows.chain(positions.map(f32::to_bits)).collect()
        });
        let from = division.exchange(&to.collect::<Vec<_>>());
        let mut piece = Self { rows: Vec::new(), position: std::array::from_fn(|_| Vec::new()) };
        for numbers in &from {
            let (rows, positions) = numbers.split_at(numbers.len() / (D + 1));
            piece.rows.extend(rows);
            for (axis, column) in piece.position.iter_mut().enumerate() {
                column.extend(positions[axis * rows.len()..][..rows.len()].iter().map(|&bits| f32::from_bits(bits)));
            }
        }
        piece
    }
}

/// Returns the scale of each axis, over the agents of all ranks.
fn scales<const D: usize>(agents: &Agents<D>, own: Range<usize>, division: &Division) -> [Scale; D] {
    let count = agents.len();
    let extents = agents.position.each_ref().map(|column| radix_sort::extent(&column[own.clone()]));
    let extents = division.concatenate(extents.iter().flat_map(|&(low, high)| [low, high]).map(f32::to_bits));
    // Own rows follow each other from rank to rank, so the samples of all do too.
    let sampled = radix_sort::sampled(count).into_iter().filter(|row| own.contains(row));
    let samples = sampled.flat_map(|row| agents.position.each_ref().map(|column| column[row].to_bits()));
    let samples = division.concatenate(samples);
    std::array::from_fn(|axis| {
        let extents = extents[2 * axis..].chunks(2 * D).map(|extent| [extent[0], extent[1]].map(f32::from_bits));
        let extent = extents.map(|[low, high]| (low, high)).reduce(radix_sort::join).unwrap_or_default();
        Scale::new(count, extent, std::array::from_fn(|number| f32::from_bits(samples[number * D + axis])))
    })
}

/// Returns the slabs of `count` rows, from the agents that each rank has at its places.
fn slabs<const D: usize>(
    count: usize,
    share: &Piece<D>,
    places: Range<usize>,
    entries: &[AtomicU64],
    division: &Division,
) -> Parts {
    let sampled = Parts::sampled(count);
    let own = sampled.iter().filter(|place| places.contains(place)).map(|place| row(&entries[place - places.start]));
    let own = own.flat_map(|row| share.position.each_ref().map(|column| column[row].to_bits()));
    let positions = division.concatenate(own);
    Parts::new(count, D - 1, |place| {
        let number = sampled.partition_point(|&sampled| sampled < place);
        let position: [f32; D] = std::array::from_fn(|axis| f32::from_bits(positions[number * D + axis]));
        position
    })
}

/// Returns the first slab that begins at this place or after it.
fn first_slab(slabs: &Parts, place: usize) -> usize {
    let (mut first, mut end) = (0, slabs.count);
    while first < end {
        let middle = first.midpoint(end);
        if slabs.rows(middle).start < place {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    first
}

/// The number of bits of keys that ranks agree on at a time.
const BITS: u32 = 3;

/// Returns the number of this rank's sorted entries that are before each of these places in the order of all ranks.
/// Entries with equal keys are in the order of ranks.
fn before(places: &[usize], entries: &[AtomicU64], bits: u32, division: &Division) -> Vec<usize> {
    let below = |bound: u32| entries.partition_point(|entry| key(entry) < bound) as u32;
    let mut keys = vec![0; places.len()];
    for shift in (0..bits).step_by(BITS as usize).rev() {
        let bounds = keys.iter().flat_map(|key| (1..1 << BITS).map(move |digit| key + (digit << shift)));
        let (_, below) = division.sums(&bounds.map(below).collect::<Vec<_>>());
        for ((key, &place), below) in keys.iter_mut().zip(places).zip(below.chunks_exact((1 << BITS) - 1)) {
            *key += (below.partition_point(|&below| below as usize <= place) as u32) << shift;
        }
    }
    // The keys are now those of the entries at the places.
    let own: Vec<u32> = keys.iter().flat_map(|&key| [below(key), below(key + 1) - below(key)]).collect();
    let (lower, all) = division.sums(&own);
    let numbers = own.chunks_exact(2).zip(lower.chunks_exact(2)).zip(all.chunks_exact(2));
    let number = |(&place, ((own, lower), all)): (&usize, ((&[u32], &[u32]), &[u32]))| {
        let equal = place.saturating_sub((all[0] + lower[1]) as usize);
        own[0] as usize + equal.clamp(0, own[1] as usize)
    };
    places.iter().zip(numbers).map(number).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agents::space_order;
    use crate::agents::{BodyQuantities, Quantity};
    use crate::base::ids::{AgentId, SpeciesId};
    use crate::ranks::in_process;
    use crate::{Noise, Vector};

    fn agents<const D: usize>(places: impl Iterator<Item = Vector<D>>) -> Agents<D> {
        let [mass, radius, max_speed, max_force] = [1.0; 4].map(Quantity::Same);
        let body = BodyQuantities { mass, radius, max_speed, max_force };
        let mut agents = Agents::new(SpeciesId(0), "a".to_owned(), body);
        places.enumerate().for_each(|(row, place)| agents.push(AgentId::from_bits(row as u64), place, Vector::ZERO));
        agents
    }

    /// Sorts on some ranks, of which the first has most rows and each knows its own alone, and compares the order with
    /// that of one process.
    fn check<const D: usize>(name: &str, ranks: usize, agents: &Agents<D>) {
        let mut expected = agents.clone();
        space_order::order(&mut expected, &mut SortBuffers::default());
        let ends: Vec<usize> =
            (0..=ranks).map(|rank| agents.len() - agents.len() * (ranks - rank).pow(2) / ranks.pow(2)).collect();
        let sort_on = |rank: usize, transport| {
            let own = ends[rank]..ends[rank + 1];
            let mut agents = agents.clone();
            for row in (0..agents.len()).filter(|row| !own.contains(row)) {
                agents.set_position(row, Vector::splat(f32::NAN));
            }
            let division = Division::among(Arc::new(transport));
            let sorted = sort(&agents, own, &division, &mut SortBuffers::default());
            assert_eq!(sorted.present.len(), sorted.new[rank].len());
            sorted.present
        };
        let sort_on = &sort_on;
        let sorted: Vec<u32> = std::thread::scope(|scope| {
            let ranks = in_process(ranks).into_iter().enumerate();
            let threads: Vec<_> =
                ranks.map(|(rank, transport)| scope.spawn(move || sort_on(rank, transport))).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        let expected: Vec<u32> = expected.ids().iter().map(|id| id.to_bits() as u32).collect();
        assert!(sorted == expected, "{name} on {ranks} ranks");
    }

    #[test]
    fn ranks_sort_as_one_process_does() {
        for ranks in [1, 2, 3, 7] {
            for count in [17, 40, 1000, 9000] {
                let mut noise = Noise::new(3, 0, 0, 0);
                let mut coordinate = |size| noise.between(0.0, size);
                let mut places =
                    |x: f32, y: f32, z: f32| (0..count).map(|_| [x, y, z].map(&mut coordinate)).collect::<Vec<_>>();
                for (name, places) in [
                    ("a cube", places(50.0, 50.0, 50.0)),
                    ("a line", places(0.0, 0.0, 90.0)),
                    ("a plane", places(0.0, 90.0, 9.0)),
                    ("a point", places(0.0, 0.0, 0.0)),
                    ("a grid", places(9.0, 9.0, 4.0).into_iter().map(|place| place.map(f32::floor)).collect()),
                ] {
                    check(name, ranks, &agents(places.iter().map(|&[x, y, z]| Vector([x, y, z]))));
                    check(name, ranks, &agents(places.iter().map(|&[_, y, z]| Vector([y, z]))));
                }
            }
        }
    }
}
