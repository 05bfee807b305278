//! Line segments in columns, for kernels that test sixteen of them at a time.

use crate::kernels::CLUSTER;

/// Segments as columns, padded to whole registers with NaN.
#[derive(Clone, Debug)]
pub(crate) struct Segments<const D: usize> {
    pub(super) start: [Vec<f32>; D],
    /// Half of the offset from start to end.
    pub(super) half: [Vec<f32>; D],
    /// The segments that are tested first.
    pub(super) first: FirstSegments<D>,
    /// Whether a start is more than half a period outside of the world: the offset takes more than the one step of a
    /// kernel then.
    pub(crate) far_outside: bool,
    /// The largest absolute coordinate of a start or of a half offset.
    pub(super) extent: f32,
}

/// Up to sixteen of the segments, in the same form.
#[derive(Clone, Debug)]
pub(super) struct FirstSegments<const D: usize> {
    pub(super) count: usize,
    pub(super) start: [[f32; CLUSTER]; D],
    pub(super) half: [[f32; CLUSTER]; D],
}

impl<const D: usize> Segments<D> {
    /// Segments with these starts, and half of the ways to their ends, in a world that repeats every `period`.
    /// `nearest_first` holds the same ones in the order of a rough distance.
    pub(crate) fn new(
        segments: impl ExactSizeIterator<Item = ([f32; D], [f32; D])>,
        nearest_first: impl Iterator<Item = ([f32; D], [f32; D])>,
        period: &[f32; D],
    ) -> Self {
        let padded = segments.len().next_multiple_of(CLUSTER);
        let [mut start, mut half] = [(); 2].map(|()| std::array::from_fn(|_| Vec::with_capacity(padded)));
        let (mut far_outside, mut extent) = (false, 0.0);
        for (from, offset) in segments {
            for axis in 0..D {
                for length in [from[axis].abs(), offset[axis].abs()] {
                    extent = if length > extent { length } else { extent };
                }
                far_outside |= (from[axis] - 0.5 * period[axis]).abs() > period[axis];
                start[axis].push(from[axis]);
                half[axis].push(offset[axis]);
            }
        }
        for column in start.iter_mut().chain(&mut half) {
            column.resize(padded, f32::NAN);
        }
        let mut first = FirstSegments { count: 0, start: [[0.0; CLUSTER]; D], half: [[0.0; CLUSTER]; D] };
        for (number, (from, offset)) in nearest_first.take(CLUSTER).enumerate() {
            first.count += 1;
            for axis in 0..D {
                (first.start[axis][number], first.half[axis][number]) = (from[axis], offset[axis]);
            }
        }
        Self { start, half, first, far_outside, extent }
    }
}
