//! Morton order: rows near each other in space have cells near each other in the order.

/// The number of bits of a cell's number on each axis: all axes share 32.
const fn bits(axes: usize) -> u32 {
    if axes == 2 { 16 } else { 10 }
}

/// The narrowest cell in metres. The squared distance of two positions in different cells is never zero.
const NARROWEST: f32 = 1e-6;

/// Fills `keys` with the numbers of rows, each in the low half of a word below the number of its cell. Sorted, they are
/// rows in Morton order.
pub(crate) fn fill<const D: usize>(
    keys: &mut Vec<u64>,
    position: &[Vec<f32>; D],
    rows: impl Iterator<Item = u32> + Clone,
) {
    let at = |axis: usize, row: u32| position[axis][row as usize];
    let last = ((1_u32 << bits(D)) - 1) as f32;
    let (mut low, mut scale) = ([0.0; D], [0.0; D]);
    for axis in 0..D {
        let ends = rows.clone().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), row| {
            let at = at(axis, row);
            (if at < low { at } else { low }, if at > high { at } else { high })
        });
        let extent = ends.1 - ends.0;
        let widest = NARROWEST * last;
        low[axis] = ends.0;
        scale[axis] = if extent > widest { last / extent } else { last / widest };
    }
    // Five bits of a cell's number, with room for the bits of the other axes between them.
    let spread: [u64; 32] = std::array::from_fn(|part| (0..5).map(|bit| (part as u64 >> bit & 1) << (bit * D)).sum());
    keys.clear();
    keys.extend(rows.map(|row| {
        let mut cells = 0;
        for axis in 0..D {
            let cell = ((at(axis, row) - low[axis]) * scale[axis]) as u32;
            for part in 0..bits(D).div_ceil(5) {
                cells |= spread[(cell >> (5 * part) & 31) as usize] << (5 * part as usize * D + axis);
            }
        }
        cells << 32 | u64::from(row)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Noise;

    #[test]
    fn rows_in_order_are_near_the_next_one() {
        fn mean_step<const D: usize>(sorted: bool) -> f32 {
            let mut noise = Noise::new(3, 0, 0, 0);
            let position: [Vec<f32>; D] =
                std::array::from_fn(|_| (0..4096).map(|_| noise.between(-5.0, 9.0)).collect());
            let mut keys = Vec::new();
            fill(&mut keys, &position, 0..4096);
            if sorted {
                keys.sort_unstable();
            }
            let offset = |axis: usize, pair: &[u64]| {
                let [one, other] = [pair[0], pair[1]].map(|key| position[axis][key as u32 as usize]);
                (one - other) * (one - other)
            };
            keys.windows(2).map(|pair| (0..D).map(|axis| offset(axis, pair)).sum::<f32>().sqrt()).sum::<f32>() / 4095.0
        }
        assert!(mean_step::<2>(true) < 0.08 * mean_step::<2>(false), "{}", mean_step::<2>(true));
        assert!(mean_step::<3>(true) < 0.2 * mean_step::<3>(false), "{}", mean_step::<3>(true));
    }
}
