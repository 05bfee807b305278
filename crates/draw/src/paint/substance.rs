//! Drawing substances: from the ground to a bright colour, smooth between the centres of cells.

use super::camera::Camera;
use super::theme::{Theme, mix};
use crate::bounds::Bounds;

/// Draws the amounts in the cells of bounds on a map of this width.
pub(super) fn draw(
    (bounds, cells, shares): (&Bounds, [usize; 2], &[u8]),
    number: usize,
    camera: &Camera,
    theme: Theme,
    width: usize,
    pixels: &mut [u8],
) {
    let (colour, extent) = (theme.substance(number), bounds.extent());
    let share = |x: usize, y: usize| shares.get(y * cells[0] + x).map_or(0.0, |&share| f32::from(share) / 255.0);
    for (number, pixel) in pixels.chunks_exact_mut(3).enumerate() {
        let at = [(number % width) as f32 + 0.5, (number / width) as f32 + 0.5];
        let Some(place) = camera.place(at) else { return };
        if (0..2).any(|axis| !(bounds.low[axis]..bounds.high[axis]).contains(&place[axis])) {
            continue;
        }
        // The cells around the place on each axis, and how far it is from the first to the second.
        let [(left, right, across), (low, high, up)] = [0, 1].map(|axis| {
            let last = cells[axis].saturating_sub(1);
            let along = (place[axis] - bounds.low[axis]) / extent[axis] * cells[axis] as f32 - 0.5;
            let along = along.clamp(0.0, last as f32);
            let cell = along as usize;
            (cell, (cell + 1).clamp(0, last), along - along.floor())
        });
        let between = |y: usize| share(left, y) + (share(right, y) - share(left, y)) * across;
        let amount = between(low) + (between(high) - between(low)) * up;
        let below = [0, 1, 2].map(|channel| f32::from(pixel[channel]));
        // The square root leaves more of the map for small amounts.
        let mixed = mix(below, colour, 0.9 * amount.sqrt());
        pixel.iter_mut().zip(mixed).for_each(|(channel, value)| *channel = (value + 0.5) as u8);
    }
}
