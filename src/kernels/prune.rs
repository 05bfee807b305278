//! Pruning: candidates near only the empty corners of a cluster's box are dropped, a seventh of them in two dimensions,
//! a third in three. The test costs a third of what it costs to add up their pairs, so it pays where lists are kept.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use super::gather::GENEROUS;
use super::pairs::Observers;
use super::simd::{Lanes, dot, load_axes, offset_to};
use super::table::kernels;
use super::{Axes, CLUSTER};

/// Brings those of `rows` that are within `radius` of one of the cluster's `members` to the front, in their order.
/// Returns how many they are.
pub(crate) fn prune<const D: usize>(
    level: Level,
    observers: &Observers<'_, D>,
    cluster: usize,
    members: u16,
    position: &Axes<'_, D>,
    radius: f32,
    rows: &mut [u32],
) -> usize {
    kernels::<D>().prune(level, observers, cluster, members, position, radius, rows)
}

#[inline(always)]
pub(super) fn prune_lanes<S: Simd, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    cluster: usize,
    members: u16,
    theirs: &Axes<'_, D>,
    radius: f32,
    rows: &mut [u32],
) -> usize {
    let position = load_axes(simd, &observers.position, cluster * CLUSTER);
    let near = Lanes::splat(simd, radius * radius * GENEROUS);
    let seam = observers.at_seam(cluster);
    let members = u64::from(members);
    // Of one length, so that one comparison tells that a row is in all of them.
    let agents = theirs[0].len();
    let theirs = theirs.map(|column| &column[..agents]);
    let mut end = 0;
    for place in 0..rows.len() {
        let row = rows[place];
        let offset = offset_to(simd, &position, &theirs, row as usize, seam, &observers.period);
        // Written whether it stays or not: a branch could not be guessed.
        rows[end] = row;
        end += usize::from(dot(&offset, &offset).simd_le(near).to_bitmask() & members != 0);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::nearest_image;
    use crate::{InstructionSet, Noise};

    const SIDE: f32 = 40.0;
    const RADIUS: f32 = 10.0;

    /// Those that are near, in their order and no others, whether there is a seam between or not.
    fn keeps_who_is_near<const D: usize>(seams: u16) {
        let mut noise = Noise::new(3, D as u64, u64::from(seams), 0);
        let mut column = |rows: usize, side: f32| (0..rows).map(|_| noise.between(0.0, side)).collect::<Vec<_>>();
        let own: [_; D] = std::array::from_fn(|_| column(CLUSTER, 5.0));
        let theirs: [_; D] = std::array::from_fn(|_| column(1000, SIDE));
        let period = if seams == 0 { f32::INFINITY } else { SIDE };
        let near = |row: u32| {
            (0..CLUSTER).any(|lane| {
                let along = |axis: usize| nearest_image(theirs[axis][row as usize] - own[axis][lane], period);
                (0..D).map(|axis| along(axis) * along(axis)).sum::<f32>() <= RADIUS * RADIUS
            })
        };
        let expected: Vec<u32> = (0..1000).filter(|&row| near(row)).collect();
        assert!((20..900).contains(&expected.len()), "{}", expected.len());
        for set in InstructionSet::available() {
            let own = own.each_ref().map(Vec::as_slice);
            let observers =
                Observers { position: own, velocity: own, period: [period; D], seams, each_other: true, views: None };
            let mut rows: Vec<u32> = (0..1000).collect();
            let theirs = theirs.each_ref().map(Vec::as_slice);
            let len = prune(set.level().unwrap(), &observers, 0, u16::MAX, &theirs, RADIUS, &mut rows);
            assert_eq!(rows[..len], expected, "{set}, {D}D, seams {seams}");
        }
    }

    #[test]
    fn who_is_near_an_agent_stays_and_nobody_else() {
        for seams in [0, 1] {
            keeps_who_is_near::<2>(seams);
            keeps_who_is_near::<3>(seams);
        }
    }
}
