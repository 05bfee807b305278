//! Sorts the rows of a species into row order, so that the agents of a cluster are near each other.
//!
//! The sort divides the agents into slabs about one cluster wide along the last axis, and each slab into strips along
//! the axis before. Rows run along the strips in alternating directions, so consecutive rows are near each other.
//! `slabs.rs` computes the number and the bounds of slabs and strips, and `radix_sort.rs` sorts along one axis.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::agents::Agents;
use crate::agents::columns::Spare;
use crate::agents::first_touch::{grow, resize, zeros};
use crate::agents::parallel::{ChunkedColumn, FEW_CHUNKS, for_each_chunk, for_each_chunk_of};
use crate::agents::radix_sort::{BLOCK, DIGITS, Scale, blocks, key, row, rows_of, sort_all, sort_part};
use crate::agents::slabs::Parts;
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

/// Sorts the rows of one species into space order, and updates the rows of their ids.
pub(crate) fn arrange<const D: usize>(agents: &mut Agents<D>, ids: &Ids, buffers: &mut SortBuffers) {
    order(agents, buffers);
    number(agents, ids);
}

/// Updates the rows of the ids of agents.
pub(crate) fn number<const D: usize>(agents: &Agents<D>, ids: &Ids) {
    for_each_chunk(blocks(&agents.id), 1, (), &|block, ()| {
        rows_of(block, &agents.id).for_each(|row| ids.set_row(agents.id[row], row as u32));
    });
}

/// Sorts agents into space order, without updating other references to their rows. Nothing is sorted if there is only
/// one cluster.
pub(crate) fn order<const D: usize>(agents: &mut Agents<D>, buffers: &mut SortBuffers) {
    let count = agents.len();
    if count <= CLUSTER {
        return;
    }
    let scales = agents.position.each_ref().map(|position| Scale::of(&position[..count]));
    buffers.sort(&agents.position[D - 1][..count], scales[D - 1]);
    let slabs = Parts::new(count, D - 1, |place| position(&agents.position, &buffers.order[place]));
    buffers.sort_slabs(&agents.position, &scales, &slabs, 0..slabs.count);
    reorder(agents, buffers);
}

/// Sorts some of the parts of rows, which are sorted along `axis`, along the axes before it. Every other part is in
/// descending order, so that it starts next to the end of the part before it. `rows` has the rows of these parts only.
fn order_parts<const D: usize>(
    positions: &[Vec<f32>; D],
    scales: &[Scale; D],
    (rows, buffer): (&[AtomicU64], &[AtomicU64]),
    (axis, back): (usize, bool),
    parts: &Parts,
    sorted: Range<usize>,
) {
    let Some(next) = axis.checked_sub(1) else { return };
    // A small number of rows is not worth waking a second thread.
    let fewest = 1 + sorted.len() * FEW_CHUNKS * CHUNK / (1 + rows.len());
    let first = parts.rows_of(sorted.clone()).start;
    for_each_chunk_of(sorted, fewest, (), &|part, ()| {
        let (part, back) = (parts.rows(part), (part % 2 == 1) ^ back);
        let part = part.start - first..part.end - first;
        let (rows, buffer) = (&rows[part.clone()], &buffer[part]);
        sort_part(&positions[next], scales[next], rows, buffer, back);
        if next > 0 && rows.len() > CLUSTER {
            let parts = Parts::new(rows.len(), next, |place| position(positions, &rows[place]));
            order_parts(positions, scales, (rows, buffer), (next, back), &parts, 0..parts.count);
        }
    });
}

/// Returns the position of the agent whose row is in an entry.
fn position<const D: usize>(positions: &[Vec<f32>; D], entry: &AtomicU64) -> [f32; D] {
    positions.each_ref().map(|position| position[row(entry)])
}

impl SortBuffers {
    /// Sorts all rows by one coordinate, in parallel: see [`entries`](Self::entries).
    pub(crate) fn sort(&mut self, position: &[f32], scale: Scale) {
        self.resize(position.len());
        sort_all(position, scale, (&self.order, &self.buffer), &mut self.counts);
    }

    /// Keeps some of the entries, and puts others before and after them.
    pub(crate) fn keep_between(
        &mut self,
        first: impl Iterator<Item = u64>,
        kept: Range<usize>,
        last: impl Iterator<Item = u64>,
    ) {
        self.buffer.clear();
        self.buffer.extend(first.map(AtomicU64::new));
        self.buffer.extend(self.order[kept].iter().map(|entry| AtomicU64::new(entry.load(Relaxed))));
        self.buffer.extend(last.map(AtomicU64::new));
        std::mem::swap(&mut self.order, &mut self.buffer);
        self.resize(self.order.len());
    }

    /// Sorts entries that consist of a few sorted sequences. Equal keys keep their order.
    pub(crate) fn merge(&mut self) {
        self.order.par_sort_by_key(key);
    }

    /// Sorts some of the slabs, whose rows are the entries, along the other axes.
    pub(crate) fn sort_slabs<const D: usize>(
        &self,
        positions: &[Vec<f32>; D],
        scales: &[Scale; D],
        slabs: &Parts,
        sorted: Range<usize>,
    ) {
        order_parts(positions, scales, (&self.order, &self.buffer), (D - 1, false), slabs, sorted);
    }

    /// The sorted rows, with their keys.
    pub(crate) fn entries(&self) -> &[AtomicU64] {
        &self.order
    }

    fn resize(&mut self, rows: usize) {
        grow(&mut self.order, rows, BLOCK);
        grow(&mut self.buffer, rows, BLOCK);
    }
}

/// Permutes every column into the new order.
fn reorder<const D: usize>(agents: &mut Agents<D>, buffers: &mut SortBuffers) {
    agents.trim();
    let room = (agents.padded() > agents.placed).then(|| agents.position[0].capacity());
    reorder_floats(agents.float_columns_mut(), room, buffers);
    reorder_others(agents, room, buffers);
    // Columns were trimmed, and swapped with spare memory: they may have room for fewer rows than before.
    let (capacity, placed) = (agents.position[0].capacity(), room.unwrap_or(agents.placed));
    agents.placed = if capacity < placed { capacity } else { placed };
}

/// Permutes columns with one `f32` per row, into new memory with room for `room` rows if it is given.
fn reorder_floats<'a>(columns: impl Iterator<Item = &'a mut Vec<f32>>, room: Option<usize>, buffers: &mut SortBuffers) {
    let SortBuffers { order, spare, .. } = buffers;
    for column in columns {
        match room {
            Some(room) => *spare = zeros(column.len(), room),
            None => resize(spare, column.len()),
        }
        let (agents, padding) = spare.split_at_mut(order.len());
        for_each_chunk(blocks(order), 1, ChunkedColumn(agents, BLOCK), &|block, agents| {
            for (new, entry) in agents.0.iter_mut().zip(&order[rows_of(block, order)]) {
                *new = column[row(entry)];
            }
        });
        padding.copy_from_slice(&column[order.len()..]);
        std::mem::swap(column, spare);
    }
    if let Some(room) = room {
        *spare = zeros(0, room);
    }
}

/// Permutes the typed columns, and ids.
fn reorder_others<const D: usize>(agents: &mut Agents<D>, room: Option<usize>, buffers: &mut SortBuffers) {
    let SortBuffers { order, buffer, spare_columns, .. } = buffers;
    for column in &mut agents.columns.0 {
        column.reorder(|row_now| row(&order[row_now]), room, spare_columns);
    }
    // Ids use the sort's second buffer, which is free now.
    for_each_chunk(blocks(order), 1, (), &|block, ()| {
        for place in rows_of(block, order) {
            buffer[place].store(agents.id[row(&order[place])].to_bits(), Relaxed);
        }
    });
    if let Some(room) = room {
        agents.id = Vec::with_capacity(room);
    }
    let ids = buffer.par_iter().with_min_len(BLOCK).map(|id| AgentId::from_bits(id.load(Relaxed)));
    ids.collect_into_vec(&mut agents.id);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, Noise, Settings, Species, Vector, World};

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
    fn clusters_of_layers_are_as_long_as_wide() {
        // Rows of agents on lines, and storeys, one side apart.
        check_sizes("lines along x", 1.0, |noise| [noise.between(0.0, 8.0), noise.between(0.0, 128.0).floor()]);
        check_sizes("lines along y", 1.0, |noise| [noise.between(0.0, 128.0).floor(), noise.between(0.0, 8.0)]);
        check_sizes("storeys", 1.0, |noise| {
            [noise.between(0.0, 8.0), noise.between(0.0, 8.0), noise.between(0.0, 16.0).floor()]
        });
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
