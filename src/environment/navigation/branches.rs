//! Whether ways branch: whether there is more than one way around walls to the goals of a field.

use crate::environment::navigation::raster::{BAND, Raster, Steps};

/// The number of ways around walls between nodes of the same part of the ground, by the number of holes in it: parts
/// minus Euler's characteristic, nodes - steps + squares. Only nodes with a distance and with the clearance count.
pub(super) fn holes(raster: &Raster, distances: &[f32]) -> usize {
    let counts = |node: usize| distances[node] < f32::INFINITY && !raster.is(node, BAND);
    let next = |node: usize, axis: usize, forwards: bool| {
        raster.next(node, axis, forwards, Steps::Clear).filter(|&other| counts(other))
    };
    let (mut parts, mut characteristic) = (0, 0);
    let (mut seen, mut open) = (vec![false; distances.len()], Vec::new());
    for start in (0..distances.len()).filter(|&node| counts(node)) {
        if !std::mem::replace(&mut seen[start], true) {
            parts += 1;
            open.push(start);
        }
        while let Some(node) = open.pop() {
            let beside =
                [(0, false), (0, true), (1, false), (1, true)].map(|(axis, forwards)| next(node, axis, forwards));
            open.extend(beside.into_iter().flatten().filter(|&other| !std::mem::replace(&mut seen[other], true)));
            let [_, along, _, across] = beside;
            let square =
                along.and_then(|other| next(other, 1, true)).zip(across.and_then(|other| next(other, 0, true)));
            characteristic +=
                1 - i64::from(along.is_some()) - i64::from(across.is_some()) + i64::from(square.is_some());
        }
    }
    usize::try_from(parts - characteristic).unwrap_or(0)
}
