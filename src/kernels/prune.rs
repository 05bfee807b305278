//! Pruning: drops the candidates that are near a cluster's box but near none of its agents.
//!
//! These are a seventh of the candidates in two dimensions and a third in three. The test costs a third of adding their
//! pairs, so it pays off for kept lists.

use fearless_simd::{Level, SimdBase, SimdMask};

use crate::kernels::cull::{REACH_MARGIN, RowList};
use crate::kernels::group::{Group, Grouped};
use crate::kernels::pairs::Observers;
use crate::kernels::simd::{Lanes, Ordered, dot, load_axes, offset_to};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, CLUSTER};

/// Divides the candidates of a cluster, `rows`, into the lists of its groups. The rows within `radius` of one of the
/// `members` of the first group move to the front, in their order. The candidates of the second group, if the cluster
/// has one, replace the contents of `second`. Returns the length of the first list.
#[expect(clippy::too_many_arguments, reason = "all that a kernel reads and writes")]
pub(crate) fn prune<const D: usize>(
    level: Level,
    observers: &Observers<'_, D>,
    cluster: usize,
    members: u16,
    position: &Axes<'_, D>,
    radius: f32,
    rows: &mut [u32],
    second: &mut RowList,
) -> usize {
    kernels::<D>().prune(level, observers, cluster, members, position, radius, rows, second)
}

#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "all that a kernel reads and writes")]
pub(super) fn prune_lanes<S: Grouped, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    cluster: usize,
    members: u16,
    theirs: &Axes<'_, D>,
    radius: f32,
    rows: &mut [u32],
    second: &mut RowList,
) -> usize {
    let position = load_axes(simd, &observers.position, cluster * CLUSTER);
    let near = Lanes::splat(simd, radius * radius * REACH_MARGIN);
    let seam = observers.at_seam(cluster);
    let members = u64::from(members);
    let (groups, first) = (CLUSTER / Group::<S>::LEN, u64::MAX >> (64 - Group::<S>::LEN));
    // With columns of equal length, one bounds check covers all of them.
    let agents = theirs[0].len();
    let theirs = theirs.map(|column| &column[..agents]);
    let others = second.room(if groups > 1 { rows.len() } else { 0 });
    let mut ends = [0, 0];
    for place in 0..rows.len() {
        let row = rows[place];
        let offset = offset_to(&position, &theirs, row as usize, seam, &observers.period);
        let near = dot(&offset, &offset).le(near).to_bitmask() & members;
        // The row is written in any case: a branch would be unpredictable.
        rows[ends[0]] = row;
        ends[0] += usize::from(near & first != 0);
        if groups > 1 {
            others[ends[1]] = row;
            ends[1] += usize::from(near & !first != 0);
        }
    }
    second.truncate(ends[1]);
    ends[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::nearest_image;
    use crate::kernels::group::group;
    use crate::{InstructionSet, Noise};

    const SIDE: f32 = 40.0;
    const RADIUS: f32 = 10.0;
    const ROWS: std::ops::Range<u32> = 0..1000;

    /// Agents of the cluster that search for candidates: not all of either half.
    const MEMBERS: u16 = 0b1110_0110_1011_0111;

    /// Checks that exactly the rows near a group's members remain, in their order, with and without a seam.
    fn keeps_what_is_near<const D: usize>(seams: u16) {
        let mut noise = Noise::new(3, D as u64, u64::from(seams), 0);
        let mut column = |rows: usize, side: f32| (0..rows).map(|_| noise.between(0.0, side)).collect::<Vec<_>>();
        let own: [_; D] = std::array::from_fn(|_| column(CLUSTER, 5.0));
        let theirs: [_; D] = std::array::from_fn(|_| column(ROWS.len(), SIDE));
        let period = if seams == 0 { f32::INFINITY } else { SIDE };
        let near = |row: u32, lane: usize| {
            let along = |axis: usize| nearest_image(theirs[axis][row as usize] - own[axis][lane], period);
            (0..D).map(|axis| along(axis) * along(axis)).sum::<f32>() <= RADIUS * RADIUS
        };
        let list = |first: usize, lanes: usize| -> Vec<u32> {
            let members = (first..first + lanes).filter(|lane| MEMBERS >> lane & 1 == 1);
            ROWS.filter(|&row| members.clone().any(|lane| near(row, lane))).collect()
        };
        assert!((20..900).contains(&list(0, CLUSTER).len()), "{}", list(0, CLUSTER).len());
        assert_ne!(list(0, 8), list(8, 8));
        for set in InstructionSet::available() {
            let level = set.level().unwrap();
            let own = own.each_ref().map(Vec::as_slice);
            let observers = Observers {
                position: own,
                velocity: own,
                heading: own,
                period: [period; D],
                seams,
                each_other: true,
                views: None,
            };
            let (mut rows, mut second): (Vec<u32>, _) = (ROWS.collect(), RowList::default());
            let theirs = theirs.each_ref().map(Vec::as_slice);
            let len = prune(level, &observers, 0, MEMBERS, &theirs, RADIUS, &mut rows, &mut second);
            assert_eq!(rows[..len], list(0, group(level)), "{set}, {D}D, seams {seams}");
            let others = if group(level) < CLUSTER { list(8, 8) } else { Vec::new() };
            assert_eq!(second.as_slice(), others, "{set}, {D}D, seams {seams}");
        }
    }

    #[test]
    fn a_list_holds_exactly_the_rows_near_its_group() {
        for seams in [0, 1] {
            keeps_what_is_near::<2>(seams);
            keeps_what_is_near::<3>(seams);
        }
    }
}
