//! The sort of rows into space order by all ranks together, with the result of one process.
//!
//! Each rank sorts its own rows along the last axis, and sends each row to the rank that will hold its position in the
//! global order. A sample of that order gives the slabs. A rank sorts the slabs that begin among its positions along
//! the other axes. Slabs stay whole, so a crowd that is thin along the last axis, which is one slab, is sorted by one
//! rank. Between two sorts few agents come to another rank's positions: most entries stay where they are, and are in
//! order.

use std::ops::Range;
use std::sync::atomic::AtomicU64;

use crate::agents::Agents;
use crate::agents::radix_sort::{self, Scale, key, row};
use crate::agents::slabs::Parts;
use crate::agents::space_order::SortBuffers;
use crate::ranks::messages::Messages;
use crate::transport::numbers::{self, Numbers as _};

/// The rows that this rank has sorted.
#[derive(Debug)]
pub(super) struct Sorted {
    /// The new rows of their agents.
    pub(super) new: Range<usize>,
    /// Their present rows, in their new order.
    pub(super) present: Vec<u32>,
}

/// The agents that a rank sorts: its own, and then visitors, which other ranks sent. Entries are numbered in this
/// order, not by row, because columns indexed by row would touch pages of all rows.
struct Sorting<const D: usize> {
    /// The rows of this rank's agents.
    own: Range<usize>,
    /// The rows of visitors.
    visitors: Vec<u32>,
    position: [Vec<f32>; D],
}

/// Sorts the rows of agents. There is more than one cluster of them. Ranks had the rows in `before`; each gets roughly
/// the rows in `after` to sort.
pub(super) fn sort<const D: usize>(
    agents: &Agents<D>,
    [before, after]: [&[Range<usize>]; 2],
    messages: &mut Messages,
    buffers: &mut SortBuffers,
) -> Sorted {
    let (rank, ranks, last) = (messages.rank(), messages.ranks(), D - 1);
    let (own, places) = (before[rank].clone(), after[rank].clone());
    let scales = scales(agents, own.clone(), messages);
    let position = agents.position.each_ref().map(|column| column[own.clone()].to_vec());
    let mut sorting = Sorting { own: own.clone(), visitors: Vec::new(), position };
    buffers.sort(&sorting.position[last], scales[last]);
    let starts: Vec<usize> = after[1..].iter().map(|places| places.start).collect();
    let ends = entries_before(&starts, buffers.entries(), scales[last].bits(), messages);
    let ends: Vec<usize> = [0].into_iter().chain(ends).chain([own.len()]).collect();
    let for_ranks: Vec<_> = ends.windows(2).map(|part| part[0]..part[1]).collect();
    sorting.send(&for_ranks, scales[last], messages, buffers);
    // Agents with equal keys stay in the order of ranks, and so of rows.
    buffers.merge();

    let slabs = sorting.slabs(agents.len(), &places, buffers.entries(), messages);
    let first = |rank: usize| if rank == ranks { slabs.count } else { first_slab(&slabs, after[rank].start) };
    let slabs_of = |rank: usize| first(rank)..first(rank + 1);
    let for_ranks: Vec<_> = (0..ranks).map(|rank| overlap(&places, &slabs.rows_of(slabs_of(rank)))).collect();
    sorting.send(&for_ranks, scales[last], messages, buffers);
    buffers.sort_slabs(&sorting.position, &scales, &slabs, slabs_of(rank));
    let present = buffers.entries().iter().map(|entry| sorting.row(row(entry))).collect();
    Sorted { new: slabs.rows_of(slabs_of(rank)), present }
}

impl<const D: usize> Sorting<D> {
    /// Returns the present row of an agent, which may be a visitor.
    fn row(&self, number: usize) -> u32 {
        let visitor = number.checked_sub(self.own.len());
        visitor.map_or((self.own.start + number) as u32, |visitor| self.visitors[visitor])
    }

    /// Sends every rank its part of this rank's entries. The entries are then this rank's part of them, between those
    /// from other ranks, in the order of ranks.
    fn send(&mut self, for_ranks: &[Range<usize>], scale: Scale, messages: &mut Messages, buffers: &mut SortBuffers) {
        let this = messages.rank();
        let numbers = |(rank, part): (usize, &Range<usize>)| {
            let part = if rank == this { 0..0 } else { part.clone() };
            buffers.entries()[part].iter().map(|entry| row(entry) as u32).collect()
        };
        let leaving: Vec<Vec<u32>> = for_ranks.iter().enumerate().map(numbers).collect();
        let row = |&number: &u32| self.row(number as usize);
        let rows: Vec<Vec<u32>> = leaving.iter().map(|numbers| numbers.iter().map(row).collect()).collect();
        let coming = messages.exchange_lists(&rows);
        for column in &mut self.position {
            let known = &mut column[..];
            let from = messages.exchange(|rank, to| known.write_rows(&leaving[rank], 1, to));
            from.iter().for_each(|bytes| numbers::read_all(bytes, column));
        }
        let known = self.own.len() + self.visitors.len();
        let middle = known + coming[..this].iter().map(Vec::len).sum::<usize>();
        self.visitors.extend(coming.iter().flatten());
        let column = &self.position[D - 1];
        let entry = |number: usize| scale.entry(column[number], number as u32, false);
        buffers.keep_between((known..middle).map(entry), for_ranks[this].clone(), (middle..column.len()).map(entry));
    }

    /// Returns the slabs of `count` rows; this rank has the entries at these places.
    fn slabs(&self, count: usize, places: &Range<usize>, entries: &[AtomicU64], messages: &mut Messages) -> Parts {
        let sampled = Parts::sampled(count);
        let own = sampled.iter().filter(|place| places.contains(place));
        let own = own.map(|place| row(&entries[place - places.start]));
        let own = own.flat_map(|number| self.position.each_ref().map(|column| column[number].to_bits()));
        let positions = messages.concatenate(own);
        Parts::new::<D>(count, D - 1, |place| {
            let number = sampled.partition_point(|&sampled| sampled < place);
            std::array::from_fn(|axis| f32::from_bits(positions[number * D + axis]))
        })
    }
}

/// Returns the part of `rows` that is in `other`, counted from the first of `rows`.
pub(super) fn overlap(rows: &Range<usize>, other: &Range<usize>) -> Range<usize> {
    let end = |row: usize| row.clamp(rows.start, rows.end) - rows.start;
    end(other.start)..end(other.end)
}

/// Returns the scale of each axis, over the agents of all ranks.
fn scales<const D: usize>(agents: &Agents<D>, own: Range<usize>, messages: &mut Messages) -> [Scale; D] {
    let count = agents.len();
    let extents = agents.position.each_ref().map(|column| radix_sort::extent(&column[own.clone()]));
    let extents = messages.concatenate(extents.iter().flat_map(|&(low, high)| [low, high]).map(f32::to_bits));
    // Own rows follow each other from rank to rank, so the samples of all do too.
    let sampled = radix_sort::sampled(count).into_iter().filter(|row| own.contains(row));
    let samples = sampled.flat_map(|row| agents.position.each_ref().map(|column| column[row].to_bits()));
    let samples = messages.concatenate(samples);
    std::array::from_fn(|axis| {
        let extents = extents[2 * axis..].chunks(2 * D).map(|extent| [extent[0], extent[1]].map(f32::from_bits));
        let extent = extents.map(|[low, high]| (low, high)).reduce(radix_sort::join).unwrap_or_default();
        Scale::new(count, extent, std::array::from_fn(|number| f32::from_bits(samples[number * D + axis])))
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
fn entries_before(places: &[usize], entries: &[AtomicU64], bits: u32, messages: &mut Messages) -> Vec<usize> {
    let below = |bound: u32| entries.partition_point(|entry| key(entry) < bound) as u32;
    let mut keys = vec![0; places.len()];
    for shift in (0..bits).step_by(BITS as usize).rev() {
        let bounds = keys.iter().flat_map(|key| (1..1 << BITS).map(move |digit| key + (digit << shift)));
        let (_, all) = messages.prefix_sums(&bounds.map(below).collect::<Vec<_>>());
        for ((key, &place), all) in keys.iter_mut().zip(places).zip(all.chunks_exact((1 << BITS) - 1)) {
            *key += (all.partition_point(|&all| all as usize <= place) as u32) << shift;
        }
    }
    // The keys now belong to the entries at the places.
    let own: Vec<u32> = keys.iter().flat_map(|&key| [below(key), below(key + 1) - below(key)]).collect();
    let (lower, all) = messages.prefix_sums(&own);
    let number = |(pair, &place): (usize, &usize)| {
        let [less, equal] = [own[2 * pair], own[2 * pair + 1]];
        let equal_before = place.saturating_sub((all[2 * pair] + lower[2 * pair + 1]) as usize);
        less as usize + equal_before.clamp(0, equal as usize)
    };
    places.iter().enumerate().map(number).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agents::space_order;
    use crate::agents::{BodyQuantities, BodyQuantity};
    use crate::base::ids::{AgentId, SpeciesId};
    use crate::transport::in_process;
    use crate::{Noise, Vector};

    fn agents<const D: usize>(places: impl Iterator<Item = Vector<D>>) -> Agents<D> {
        let [mass, radius, max_speed, max_force] = [1.0; 4].map(BodyQuantity::Same);
        let body = BodyQuantities { mass, radius, max_speed, max_force };
        let mut agents = Agents::new(SpeciesId(0), "a".to_owned(), body);
        places.enumerate().for_each(|(row, place)| agents.push(AgentId::from_bits(row as u64), place, Vector::ZERO));
        agents
    }

    /// Sorts on some ranks, each of which knows only its own rows, and compares the order with the order of one
    /// process.
    fn check<const D: usize>(name: &str, agents: &Agents<D>, ends: [&[usize]; 2]) {
        let ranks = ends[0].len() - 1;
        let ranges = ends.map(|ends| ends.windows(2).map(|rows| rows[0]..rows[1]).collect::<Vec<_>>());
        let [before, after] = ranges.each_ref().map(|ranges| &ranges[..]);
        let mut expected = agents.clone();
        space_order::order(&mut expected, &mut SortBuffers::default());
        let sort_on = |rank: usize, transport| {
            let mut agents = agents.clone();
            for row in (0..agents.len()).filter(|row| !before[rank].contains(row)) {
                agents.set_position(row, Vector::splat(f32::NAN));
            }
            let mut messages = Messages::among(Arc::new(transport));
            let sorted = sort(&agents, [before, after], &mut messages, &mut SortBuffers::default());
            assert_eq!(sorted.present.len(), sorted.new.len());
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

    /// Checks divisions in which ranks have equally many rows, the first ones have the most, or one has all.
    fn check_divisions<const D: usize>(name: &str, agents: &Agents<D>, ranks: usize) {
        let count = agents.len();
        let equal: Vec<_> = (0..=ranks).map(|rank| count * rank / ranks).collect();
        let uneven: Vec<_> = (0..=ranks).map(|rank| count - count * (ranks - rank).pow(2) / ranks.pow(2)).collect();
        let one: Vec<_> = (0..=ranks).map(|rank| if rank > ranks / 2 { count } else { 0 }).collect();
        for ends in [[&equal, &uneven], [&uneven, &equal], [&uneven, &one], [&one, &equal]] {
            check(name, agents, ends.map(|ends| &ends[..]));
        }
    }

    #[test]
    fn ranks_sort_as_one_process_does() {
        for ranks in [1, 2, 3, 7, 20] {
            for count in [17, 40, 1000, 9000] {
                // With a few agents far away, keys have three digits.
                let far = |[x, y, z]: [f32; 3]| if x < 0.1 { [x, 1e6, -1e6 * y] } else { [x, y, z] };
                let mut noise = Noise::new(3, 0, 0, 0);
                let mut coordinate = |size| noise.between(0.0, size);
                let mut places =
                    |x: f32, y: f32, z: f32| (0..count).map(|_| [x, y, z].map(&mut coordinate)).collect::<Vec<_>>();
                for (name, places) in [
                    ("a cube", places(50.0, 50.0, 50.0)),
                    ("a line", places(0.0, 0.0, 90.0)),
                    ("a plane", places(0.0, 90.0, 9.0)),
                    ("a point", places(0.0, 0.0, 0.0)),
                    ("outliers", places(9.0, 9.0, 9.0).into_iter().map(far).collect()),
                    ("a grid", places(9.0, 9.0, 4.0).into_iter().map(|place| place.map(f32::floor)).collect()),
                ] {
                    check_divisions(name, &agents(places.iter().map(|&[x, y, z]| Vector([x, y, z]))), ranks);
                    check_divisions(name, &agents(places.iter().map(|&[_, y, z]| Vector([y, z]))), ranks);
                }
            }
        }
    }
}
