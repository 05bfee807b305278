//! Sorts the rows of a species into row order, so that the agents of a cluster are near each other.
//!
//! The sort divides the agents into slabs about one cluster wide along the last axis, and each slab into strips along
//! the axis before. Rows run along the strips in alternating directions, so consecutive rows are near each other.
//! `slabs.rs` computes the number and the bounds of slabs and strips. Every sort is stable, so the result depends only
//! on the state. Entries are atomic so that threads can write rows to any place: exactly one thread writes each place.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::agents::Agents;
use crate::agents::columns::Spare;
use crate::agents::parallel::{FEW_CHUNKS, least};
use crate::agents::slabs::{Parts, row};
use crate::base::ids::{AgentId, Ids};
use crate::kernels::{CHUNK, CLUSTER};

/// Buffers for sorting, kept between calls to avoid allocations.
#[derive(Debug, Default)]
pub(crate) struct SortBuffers {
    /// The rows in their new order: the sort key in the high half of a word, the row in the low half.
    order: Vec<AtomicU64>,
    /// The other buffer of the radix sort.
    buffer: Vec<AtomicU64>,
    /// For each block of rows and each digit, the number of rows, and then the place of the next one.
    counts: Vec<[u32; DIGITS]>,
    spare: Vec<f32>,
    spare_columns: Spare,
}

/// The number of values of a digit. The radix sort handles 9 bits at a time, the lowest first.
const DIGITS: usize = 1 << DIGIT_BITS;
const DIGIT_BITS: u32 = 9;

/// The positions of a key's digits in an entry. Keys have two digits, or three if there are more than `MANY_ROWS` rows
/// or a few agents are far away.
const SHIFTS: [u32; 3] = [32, 32 + DIGIT_BITS, 32 + 2 * DIGIT_BITS];
const MANY_ROWS: usize = 1 << 20;

/// The number of agents sampled to detect far outliers.
const SAMPLES: usize = 64;

/// The number of rows in a block, which one thread counts.
const BLOCK: usize = 8192;

/// Parts with at most this number of rows use insertion sort, which is faster than counting digits.
const FEW_ROWS: usize = 64;

/// Sorts the rows of one species into space order, and updates the rows of their ids.
pub(crate) fn arrange<const D: usize>(agents: &mut Agents<D>, ids: &Ids, buffers: &mut SortBuffers) {
    order(agents, buffers);
    number(agents, ids);
}

/// Updates the rows of the ids of agents.
pub(crate) fn number<const D: usize>(agents: &Agents<D>, ids: &Ids) {
    agents.id.par_iter().with_min_len(least(BLOCK)).enumerate().for_each(|(row, &id)| ids.set_row(id, row as u32));
}

/// Sorts agents into space order, without updating other references to their rows.
pub(crate) fn order<const D: usize>(agents: &mut Agents<D>, buffers: &mut SortBuffers) {
    if sort(agents, buffers, |slabs| 0..slabs).is_some() {
        reorder(agents, buffers);
    }
}

/// Sorts the rows of agents into slabs, and those of the slabs that `own` chooses from their number further: see
/// [`SortBuffers::rows`]. Returns the slabs; `None` if all rows are one cluster, which has any order.
pub(crate) fn sort<const D: usize>(
    agents: &Agents<D>,
    buffers: &mut SortBuffers,
    own: impl Fn(usize) -> Range<usize>,
) -> Option<Parts> {
    let count = agents.len();
    if count <= CLUSTER {
        return None;
    }
    let scales = agents.position.each_ref().map(|position| Scale::of(&position[..count]));
    sort_all(&agents.position[D - 1][..count], scales[D - 1], buffers);
    let slabs = Parts::new(agents, &buffers.order, D - 1);
    order_parts(agents, &scales, (&buffers.order, &buffers.buffer), (D - 1, false), &slabs, own(slabs.count));
    Some(slabs)
}

/// Sorts some of the parts of rows, which are sorted along `axis`, along the axes before it. Every other part is in
/// descending order, so that it starts next to the end of the part before it.
fn order_parts<const D: usize>(
    agents: &Agents<D>,
    scales: &[Scale; D],
    (rows, buffer): (&[AtomicU64], &[AtomicU64]),
    (axis, back): (usize, bool),
    parts: &Parts,
    sorted: Range<usize>,
) {
    let Some(next) = axis.checked_sub(1) else { return };
    // A small number of rows is not worth waking a second thread.
    let fewest = 1 + parts.count * FEW_CHUNKS * CHUNK / (1 + rows.len());
    sorted.into_par_iter().with_min_len(least(fewest)).for_each(|part| {
        let (part, back) = (parts.rows(part), (part % 2 == 1) ^ back);
        let (rows, buffer) = (&rows[part.clone()], &buffer[part]);
        sort_part(&agents.position[next], scales[next], rows, buffer, back);
        if next > 0 && rows.len() > CLUSTER {
            let parts = Parts::new(agents, rows, next);
            order_parts(agents, scales, (rows, buffer), (next, back), &parts, 0..parts.count);
        }
    });
}

/// The conversion of coordinates to keys: steps of equal length over the extent of the agents. Two digits have 262 144
/// steps, three have 134 million. Floats as keys would have steps of metres far from the origin.
#[derive(Clone, Copy, Debug)]
struct Scale {
    low: f32,
    /// The number of steps per metre.
    steps: f32,
    /// The largest key.
    largest: u32,
    /// The positions of a key's digits.
    digits: &'static [u32],
}

impl Scale {
    fn of(position: &[f32]) -> Self {
        // Sixteen separate extents avoid one long chain of dependent operations.
        let extent = |position: &[f32]| {
            let mut extents = [(f32::INFINITY, f32::NEG_INFINITY); CLUSTER];
            for positions in position.chunks(CLUSTER) {
                for (extent, &at) in extents.iter_mut().zip(positions) {
                    *extent = join(*extent, (at, at));
                }
            }
            extents.into_iter().fold(extents[0], join)
        };
        let extents = position.par_chunks(BLOCK).with_min_len(least(1)).map(extent);
        // bits: the lowest and the highest are the same in whichever order they are joined
        let (low, high) = extents.reduce_with(join).unwrap_or((0.0, 0.0));
        // If a few agents are far away, the steps of two digits would be wider than the clusters of the others.
        let mut sample: [f32; SAMPLES] = std::array::from_fn(|number| position[number * position.len() / SAMPLES]);
        sample.sort_unstable_by(f32::total_cmp);
        let inner = sample[SAMPLES - SAMPLES / 8 - 1] - sample[SAMPLES / 8];
        let even = 16.0 * inner >= high - low;
        let digits = if even && position.len() <= MANY_ROWS { &SHIFTS[..2] } else { &SHIFTS[..] };
        let largest = (1 << (DIGIT_BITS * digits.len() as u32)) - 1;
        Self { low, steps: largest as f32 / (high - low), largest, digits }
    }

    /// Returns the entry of a row. The key is reversed if `back`.
    #[inline]
    fn entry(self, position: f32, row: u32, back: bool) -> u64 {
        // If all agents are at one point, zero times infinity is NaN, which becomes the key zero.
        let key = ((position - self.low) * self.steps) as u32;
        let key = if key < self.largest { key } else { self.largest };
        u64::from(if back { self.largest - key } else { key }) << 32 | u64::from(row)
    }
}

/// Returns the union of two extents. The result does not depend on their order.
fn join((low, high): (f32, f32), (other_low, other_high): (f32, f32)) -> (f32, f32) {
    (if other_low < low { other_low } else { low }, if other_high > high { other_high } else { high })
}

/// Returns the two buffers in the order in which the passes of a sort end in `last`.
fn buffers_ending_in<'a>(
    scale: Scale,
    last: &'a [AtomicU64],
    other: &'a [AtomicU64],
) -> (&'a [AtomicU64], &'a [AtomicU64]) {
    if scale.digits.len().is_multiple_of(2) { (last, other) } else { (other, last) }
}

#[inline]
fn digit(entry: u64, shift: u32) -> usize {
    (entry >> shift) as usize % DIGITS
}

/// Sorts all rows of `buffers.order` by one coordinate, in parallel.
fn sort_all(position: &[f32], scale: Scale, buffers: &mut SortBuffers) {
    let SortBuffers { order, buffer, counts, .. } = buffers;
    order.resize_with(position.len(), AtomicU64::default);
    buffer.resize_with(position.len(), AtomicU64::default);
    counts.resize(position.len().div_ceil(BLOCK), [0; DIGITS]);
    let (mut from, mut to) = buffers_ending_in(scale, order, buffer);
    from.par_iter().with_min_len(least(BLOCK)).enumerate().for_each(|(row, entry)| {
        entry.store(scale.entry(position[row], row as u32, false), Relaxed);
    });
    for &shift in scale.digits {
        from.par_chunks(BLOCK)
            .with_min_len(least(1))
            .zip(&mut *counts)
            .for_each(|(rows, counts)| *counts = count(rows, shift));
        add_up(counts);
        from.par_chunks(BLOCK)
            .with_min_len(least(1))
            .zip(&mut *counts)
            .for_each(|(rows, next)| distribute(rows, to, shift, next));
        (from, to) = (to, from);
    }
}

/// Counts the rows with each digit.
fn count(rows: &[AtomicU64], shift: u32) -> [u32; DIGITS] {
    let mut counts = [0; DIGITS];
    for entry in rows {
        counts[digit(entry.load(Relaxed), shift)] += 1;
    }
    counts
}

/// Replaces the counts by the start of each block's rows of each digit. The order by digit and then by block makes the
/// sort stable.
fn add_up(counts: &mut [[u32; DIGITS]]) {
    let mut start = 0;
    for digit in 0..DIGITS {
        for block in &mut *counts {
            start += std::mem::replace(&mut block[digit], start);
        }
    }
}

/// Copies each row to the next place of its digit.
fn distribute(rows: &[AtomicU64], to: &[AtomicU64], shift: u32, next: &mut [u32; DIGITS]) {
    for entry in rows {
        let entry = entry.load(Relaxed);
        let place = &mut next[digit(entry, shift)];
        to[*place as usize].store(entry, Relaxed);
        *place += 1;
    }
}

/// Sorts the rows of a part by one coordinate, in descending order if `back`.
fn sort_part(position: &[f32], scale: Scale, rows: &[AtomicU64], buffer: &[AtomicU64], back: bool) {
    let entry = |entry: &AtomicU64| scale.entry(position[row(entry)], row(entry) as u32, back);
    if rows.len() > FEW_ROWS { sort_many(scale, rows, buffer, entry) } else { sort_few(rows, entry) }
}

fn sort_many(scale: Scale, rows: &[AtomicU64], buffer: &[AtomicU64], entry: impl Fn(&AtomicU64) -> u64) {
    let (mut from, mut to) = buffers_ending_in(scale, rows, buffer);
    for (new, row) in from.iter().zip(rows) {
        new.store(entry(row), Relaxed);
    }
    for &shift in scale.digits {
        let mut next = count(from, shift);
        add_up(std::slice::from_mut(&mut next));
        distribute(from, to, shift, &mut next);
        (from, to) = (to, from);
    }
}

/// Sorts a few rows by their keys, by insertion.
fn sort_few(rows: &[AtomicU64], entry: impl Fn(&AtomicU64) -> u64) {
    for (number, row) in rows.iter().enumerate() {
        let entry = entry(row);
        let mut place = number;
        while place > 0 && rows[place - 1].load(Relaxed) >> 32 > entry >> 32 {
            rows[place].store(rows[place - 1].load(Relaxed), Relaxed);
            place -= 1;
        }
        rows[place].store(entry, Relaxed);
    }
}

impl SortBuffers {
    /// Returns the present rows of the agents that will be at these rows.
    pub(crate) fn rows(&self, new: Range<usize>) -> impl Iterator<Item = u32> {
        self.order[new].iter().map(|entry| row(entry) as u32)
    }

    /// Replaces the present rows of the agents that will be at these rows.
    pub(crate) fn set_rows(&mut self, new: Range<usize>, rows: impl Iterator<Item = u32>) {
        self.order[new].iter_mut().zip(rows).for_each(|(entry, row)| *entry.get_mut() = row.into());
    }
}

/// Permutes every column into the new order.
fn reorder<const D: usize>(agents: &mut Agents<D>, buffers: &mut SortBuffers) {
    agents.trim();
    reorder_floats(agents.float_columns_mut(), buffers);
    reorder_others(agents, buffers);
}

/// Permutes columns with one `f32` per row.
fn reorder_floats<'a>(columns: impl Iterator<Item = &'a mut Vec<f32>>, buffers: &mut SortBuffers) {
    let SortBuffers { order, spare, .. } = buffers;
    for column in columns {
        spare.resize(column.len(), 0.0);
        let (agents, padding) = spare.split_at_mut(order.len());
        agents.par_iter_mut().with_min_len(least(BLOCK)).zip(&*order).for_each(|(new, entry)| {
            *new = column[row(entry)];
        });
        padding.copy_from_slice(&column[order.len()..]);
        std::mem::swap(column, spare);
    }
}

/// Permutes the typed columns, and ids.
fn reorder_others<const D: usize>(agents: &mut Agents<D>, buffers: &mut SortBuffers) {
    let SortBuffers { order, buffer, spare_columns, .. } = buffers;
    for column in &mut agents.columns.0 {
        column.reorder(|row_now| row(&order[row_now]), spare_columns);
    }
    // Ids use the sort's second buffer, which is free now.
    buffer.par_iter().with_min_len(least(BLOCK)).zip(&*order).for_each(|(new, entry)| {
        new.store(agents.id[row(entry)].to_bits(), Relaxed);
    });
    agents.id.par_iter_mut().with_min_len(least(BLOCK)).zip(&*buffer).for_each(|(id, new)| {
        *id = AgentId::from_bits(new.load(Relaxed));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, Noise, Settings, Species, Vector, World};

    #[test]
    fn rows_are_sorted_by_coordinate_and_stable() {
        let mut noise = Noise::new(1, 0, 0, 0);
        // Few distinct values in more than one block give many equal keys.
        let position: Vec<f32> = (0..3 * BLOCK).map(|_| (noise.between(-50.0, 50.0) as i32) as f32 * 3.5).collect();
        let mut buffers = SortBuffers::default();
        sort_all(&position, Scale::of(&position), &mut buffers);
        let rows: Vec<usize> = buffers.order.iter().map(row).collect();
        for pair in rows.windows(2) {
            let (a, b) = (position[pair[0]], position[pair[1]]);
            assert!(a < b || (a == b && pair[0] < pair[1]), "{pair:?}: {a} {b}");
        }
        assert_eq!(rows.len(), position.len());
    }

    #[test]
    fn insertion_and_radix_sort_agree() {
        let mut noise = Noise::new(4, 0, 0, 0);
        let position: Vec<f32> = (0..FEW_ROWS).map(|_| noise.between(0.0, 20.0).floor()).collect();
        let scale = Scale::of(&position);
        for back in [false, true] {
            // A shuffled initial order, which equal keys must keep.
            let rows =
                || (0..FEW_ROWS as u64).map(|row| AtomicU64::new(row * 29 % FEW_ROWS as u64)).collect::<Vec<_>>();
            let (few, many, buffer) = (rows(), rows(), rows());
            sort_few(&few, |entry| scale.entry(position[row(entry)], row(entry) as u32, back));
            sort_many(scale, &many, &buffer, |entry| scale.entry(position[row(entry)], row(entry) as u32, back));
            assert_eq!(few.iter().map(row).collect::<Vec<_>>(), many.iter().map(row).collect::<Vec<_>>());
            let sorted = |pair: &[AtomicU64]| (position[row(&pair[0])] <= position[row(&pair[1])]) ^ back;
            let equal = |pair: &[AtomicU64]| position[row(&pair[0])] == position[row(&pair[1])];
            assert!(few.windows(2).all(|pair| sorted(pair) || equal(pair)), "back: {back}");
        }
    }

    const AGENTS: usize = 16_384;

    /// Checks the sizes of clusters if a cluster's share of the space is a square or cube with sides of `side` metres:
    /// half of the clusters extend less than 1.3 sides on each axis, and nine in ten less than two.
    fn check_sizes<const D: usize>(name: &str, side: f32, place: impl Fn(&mut Noise) -> [f32; D]) {
        let mut noise = Noise::new(2, 0, 0, 0);
        let settings = Settings { size: Vector::splat(1.0), edge: [Edge::Open; _], ..Settings::default() };
        let mut world = World::<D>::new(settings).unwrap();
        let species = world.add_species(Species::new("a")).unwrap();
        for _ in 0..AGENTS {
            world.spawn(species, place(&mut noise), Vector::ZERO).unwrap();
        }
        world.step();
        let agents = world.agents(species).unwrap();
        let measure = |cluster: usize| {
            let rows = cluster * CLUSTER..(cluster + 1) * CLUSTER;
            let sides = agents.positions().map(|column| {
                let column = &column[rows.clone()];
                let low = column.iter().fold(f32::INFINITY, |low, &at| if at < low { at } else { low });
                column.iter().fold(0.0, |largest, &at| if at - low > largest { at - low } else { largest }) / side
            });
            sides.iter().fold(0.0, |largest, &side| if side > largest { side } else { largest })
        };
        let mut longest: Vec<f32> = (0..AGENTS / CLUSTER).map(measure).collect();
        longest.sort_unstable_by(f32::total_cmp);
        let [median, ninth_decile] = [longest[longest.len() / 2], longest[longest.len() * 9 / 10]];
        assert!(
            median < 1.3 && ninth_decile < 2.0,
            "{name}: half of the clusters measure {median} sides, nine in ten {ninth_decile}"
        );
    }

    /// Checks a box that begins at `low`, in which a cluster's share has sides of one metre.
    fn check_sizes_in_box<const D: usize>(name: &str, low: f32, aspects: [f32; D]) {
        let unit = (AGENTS / CLUSTER) as f32 / aspects.iter().product::<f32>();
        let unit = if D == 2 { unit.sqrt() } else { f64::from(unit).cbrt() as f32 };
        check_sizes(name, 1.0, |noise| aspects.map(|aspect| low + noise.between(0.0, 1.0) * aspect * unit));
    }

    #[test]
    fn clusters_are_as_long_as_wide_in_a_box_of_any_shape() {
        for aspect in [1.0, 1.6, 7.0, 60.0, 500.0] {
            check_sizes_in_box(&format!("{aspect} to 1"), 0.0, [aspect, 1.0]);
            check_sizes_in_box(&format!("1 to {aspect}"), 0.0, [1.0, aspect]);
            check_sizes_in_box(&format!("{aspect} to 1 to 1"), 0.0, [aspect, 1.0, 1.0]);
            check_sizes_in_box(&format!("1 to {aspect} to 1"), 0.0, [1.0, aspect, 1.0]);
            check_sizes_in_box(&format!("1 to 1 to {aspect}"), 0.0, [1.0, 1.0, aspect]);
        }
        for aspect in [5.0, 25.0] {
            check_sizes_in_box(&format!("1 to {aspect} to {aspect}"), 0.0, [1.0, aspect, aspect]);
            check_sizes_in_box(&format!("{aspect} to 1 to {aspect}"), 0.0, [aspect, 1.0, aspect]);
            check_sizes_in_box(&format!("{aspect} to {aspect} to 1"), 0.0, [aspect, aspect, 1.0]);
        }
    }

    #[test]
    fn clusters_of_thin_crowds_are_short() {
        // 1024 clusters in a line.
        check_sizes("line along x", 1.0, |noise| [noise.between(0.0, 1024.0), 5.0]);
        check_sizes("line along y", 1.0, |noise| [5.0, noise.between(0.0, 1024.0)]);
        check_sizes("line along z", 1.0, |noise| [5.0, 5.0, noise.between(0.0, 1024.0)]);
        check_sizes("diagonal line", 1.0, |noise| [noise.between(0.0, 1024.0); 2]);
        // 32 by 32 clusters without height.
        check_sizes("plane", 1.0, |noise| [noise.between(0.0, 32.0), 5.0, noise.between(0.0, 32.0)]);
    }

    #[test]
    fn clusters_are_as_long_as_wide_in_an_uneven_crowd() {
        // Two arms, 128 by 4 each.
        check_sizes("L", 1.0, |noise| {
            let (long, wide) = (noise.between(0.0, 128.0), noise.between(0.0, 4.0));
            if noise.between(0.0, 1.0) < 0.5 { [long, wide] } else { [wide, long] }
        });
        // A ring with a width of 4 and a circumference of 256.
        check_sizes("ring", 1.0, |noise| {
            let (sin, cos) = crate::maths::sin_cos(noise.between(0.0, std::f32::consts::TAU));
            let radius = 256.0 / std::f32::consts::TAU + noise.between(-2.0, 2.0);
            [100.0 + radius * cos, 100.0 + radius * sin]
        });
        // Two squares with a side of 22.6.
        for far in [[1e5, 0.0], [0.0, 1e5], [1e5, 1e5]] {
            check_sizes(&format!("clumps {far:?} apart"), 1.0, |noise| {
                let at = if noise.between(0.0, 1.0) < 0.5 { far } else { [0.0; 2] };
                at.map(|at| at + noise.between(0.0, 512.0_f32.sqrt()))
            });
        }
    }

    #[test]
    fn crowds_of_any_number_are_arranged() {
        for (shape, axes) in [("point", 0), ("line", 1), ("plane", 2), ("cube", 3)] {
            for count in (1..70).chain([500, 700]) {
                let mut noise = Noise::new(6, 0, 0, 0);
                let mut world = World::<3>::new(Settings::default()).unwrap();
                let species = world.add_species(Species::new("a")).unwrap();
                for _ in 0..count {
                    let place = Vector::from_fn(|axis| if axis + axes >= 3 { noise.between(0.0, 99.0) } else { 5.0 });
                    world.spawn(species, place, Vector::ZERO).unwrap();
                }
                world.step();
                let mut ids = world.agents(species).unwrap().ids().to_vec();
                ids.sort_unstable();
                ids.dedup();
                assert_eq!(ids.len(), count, "{shape}");
            }
        }
    }

    #[test]
    fn outliers_do_not_change_the_other_clusters() {
        for few in [0.0002, 0.01] {
            check_sizes(&format!("{few} of all far out"), 1.0, |noise| {
                let size = if noise.between(0.0, 1.0) < few { 1e6 } else { 32.0 };
                [noise.between(0.0, size), noise.between(0.0, 32.0)]
            });
        }
    }

    #[test]
    fn clusters_far_from_the_origin_are_as_good() {
        // Coordinates are multiples of a sixteenth of a metre there.
        check_sizes("far out", 8.0, |noise| [9e5 + noise.between(0.0, 256.0), -9e5 + noise.between(0.0, 256.0)]);
    }
}
