//! The places of rows in an ascending list.

use fearless_simd::{Level, Simd, SimdBase, SimdMask, u32x16};

use crate::kernels::CLUSTER;
use crate::kernels::simd::{Ordered, dispatch};
use crate::maths::ones;

/// The length from which a list is halved before its rows are compared: eight registers.
const LONG: usize = 8 * CLUSTER;

/// Adds to `added` the rows of `new` that are not among `rows`, and where they belong: the number of smaller rows, plus
/// `first`. `rows` ascend; `new` are some rows of clusters (one bit each), which ascend too.
pub(crate) fn find_places(level: Level, rows: &[u32], new: &[(u32, u16)], first: usize, added: &mut Vec<(usize, u32)>) {
    dispatch!(level, simd => find_places_lanes(simd, rows, new, first, added));
}

#[inline(always)]
fn find_places_lanes<S: Simd>(simd: S, rows: &[u32], new: &[(u32, u16)], first: usize, added: &mut Vec<(usize, u32)>) {
    for &(cluster, mask) in new {
        let start = cluster * CLUSTER as u32;
        let mut near = rows;
        let mut place = 0;
        while near.len() > LONG {
            let (low, high) = near.split_at(near.len() / 2);
            let is_high = high[0] <= start;
            place += if is_high { low.len() } else { 0 };
            near = if is_high { high } else { low };
        }
        // A search that compares with all is faster than one whose steps wait for each other.
        place += smaller(simd, near, start);
        for lane in ones(mask) {
            let row = start + lane as u32;
            while rows.get(place).is_some_and(|&other| other < row) {
                place += 1;
            }
            if rows.get(place) != Some(&row) {
                added.push((first + place, row));
            }
        }
    }
}

/// Returns the number of rows smaller than `row`.
#[inline(always)]
fn smaller<S: Simd>(simd: S, rows: &[u32], row: u32) -> usize {
    let (registers, rest) = rows.as_chunks::<CLUSTER>();
    let than = u32x16::splat(simd, row);
    let count = |rows: &[u32; CLUSTER]| u32x16::from_slice(simd, rows).lt(than).to_bitmask().count_ones() as usize;
    let whole: usize = registers.iter().map(count).sum();
    whole + rest.iter().map(|&other| usize::from(other < row)).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InstructionSet, Noise};

    #[test]
    fn rows_belong_where_a_binary_search_says() {
        let mut noise = Noise::new(1, 0, 0, 0);
        let mut among = 0;
        for length in (0..70).chain([127, 128, 129, 500, 4000]) {
            let mut ascending = |count: usize, highest: f32| {
                let mut rows: Vec<u32> = (0..count).map(|_| noise.between(0.0, highest) as u32).collect();
                rows.sort_unstable();
                rows.dedup();
                rows
            };
            let (rows, new) = (ascending(length, 2.0 * length as f32 + 1.0), ascending(40, 2.0 * length as f32 + 9.0));
            let clusters = new.chunk_by(|a, b| a / CLUSTER as u32 == b / CLUSTER as u32);
            let masks = clusters.map(|rows| {
                let mask = rows.iter().fold(0, |mask, row| mask | 1 << (row % CLUSTER as u32));
                (rows[0] / CLUSTER as u32, mask)
            });
            let masks: Vec<(u32, u16)> = masks.collect();
            let missing = new.iter().filter_map(|row| Some((7 + rows.binary_search(row).err()?, *row)));
            let expected: Vec<(usize, u32)> = missing.collect();
            among += new.len() - expected.len();
            for set in InstructionSet::available() {
                let mut added = Vec::new();
                find_places(set.level().unwrap(), &rows, &masks, 7, &mut added);
                assert_eq!(added, expected, "{length} {set}");
            }
        }
        assert!(among > 200);
    }
}
