//! Palettes of up to 255 colours, with a table of the nearest palette colour of every colour.

use rayon::prelude::*;

/// Steps of each channel in the table: neighbouring steps look the same.
const STEPS: usize = 128;
/// Steps of each channel that are computed together.
const BLOCK: usize = 8;

/// The largest distance of colours that look alike. 800 is 8.5 steps of 255 in every channel.
const ALIKE: i32 = 800;
/// Colours that look alike also differ by at most this fraction of their distance from the background, so that faded
/// trails leave no traces.
const PART: i32 = 25;

/// Up to 255 colours, and the nearest of them to every colour.
#[derive(Debug)]
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
    /// Whether two of the colours look nearly the same.
    alike: Vec<bool>,
}

impl Palette {
    /// A palette of these colours. The first one is the background; those beyond 255 are dropped.
    pub(super) fn new(mut colours: Vec<[u8; 3]>) -> Self {
        let theme = colours.first().copied().unwrap_or_default().map(i32::from);
        colours.sort_unstable();
        colours.dedup();
        colours.truncate(255);
        let mut nearest = vec![0; STEPS * STEPS * STEPS];
        nearest.par_chunks_mut(BLOCK * STEPS * STEPS).enumerate().for_each(|(plane, entries)| {
            for block in 0..(STEPS / BLOCK).pow(2) {
                fill(&colours, [plane, block / (STEPS / BLOCK), block % (STEPS / BLOCK)], entries);
            }
        });
        let alike = |one: &[u8; 3], other: &[u8; 3]| {
            let apart = distance(one, other.map(i32::from));
            let contrast = [one, other].map(|colour| distance(colour, theme) / PART);
            apart <= ALIKE && contrast.into_iter().all(|most| apart <= most)
        };
        let alike = colours.iter().flat_map(|one| colours.iter().map(move |other| alike(one, other))).collect();
        Self { colours, nearest, alike }
    }

    /// Red, green and blue of each colour, one after another.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }

    /// The number of colours.
    pub(super) fn len(&self) -> usize {
        self.colours.len()
    }

    /// Whether two colours of these numbers look nearly the same.
    pub(super) fn alike(&self, one: u8, other: u8) -> bool {
        self.alike[usize::from(one) * self.colours.len() + usize::from(other)]
    }

    /// The number of the colour nearest to this one.
    pub(super) fn nearest(&self, pixel: &[u8]) -> u8 {
        let [red, green, blue] = [0, 1, 2].map(|channel| usize::from(pixel[channel] >> 1));
        self.nearest[(red * STEPS + green) * STEPS + blue]
    }
}

/// Fills one block of a plane of blocks. Each entry is compared only with the colours that may be the nearest of some
/// entry in the block.
fn fill(colours: &[[u8; 3]], block: [usize; 3], entries: &mut [u8]) {
    let middle = block.map(|block| (block * 2 * BLOCK + BLOCK) as i32);
    let far = |colour: &[u8; 3]| (distance(colour, middle) as f32).sqrt();
    let least = colours.iter().map(far).fold(f32::INFINITY, |least, far| if far < least { far } else { least });
    // The largest distance from the middle to a corner.
    let corner = (distance(&[0; 3], [BLOCK as i32; 3]) as f32).sqrt();
    let near: Vec<_> = (0..=u8::MAX).zip(colours).filter(|(_, colour)| far(colour) <= least + 2.0 * corner).collect();
    for red in 0..BLOCK {
        for green in block[1] * BLOCK..(block[1] + 1) * BLOCK {
            for blue in block[2] * BLOCK..(block[2] + 1) * BLOCK {
                let wanted = [block[0] * BLOCK + red, green, blue].map(|step| (step * 2 + 1) as i32);
                let best = near.iter().min_by_key(|(_, colour)| distance(colour, wanted));
                entries[(red * STEPS + green) * STEPS + blue] = best.map_or(0, |(number, _)| *number);
            }
        }
    }
}

/// The squared distance between two colours, weighted by the sensitivity of the eye to red, green and blue.
fn distance(one: &[u8; 3], other: [i32; 3]) -> i32 {
    const WEIGHTS: [i32; 3] = [3, 6, 2];
    (0..3).map(|channel| WEIGHTS[channel] * (i32::from(one[channel]) - other[channel]).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colours_of_a_palette_are_their_own_nearest() {
        let colours: Vec<[u8; 3]> =
            (0..300_u32).map(|n| [n % 7 * 40, n % 11 * 23, n % 13 * 19].map(|c| c as u8)).collect();
        let palette = Palette::new(colours);
        assert_eq!(palette.len(), 255);
        for (number, colour) in palette.colours.iter().enumerate() {
            assert_eq!(usize::from(palette.nearest(colour)), number, "{colour:?}");
        }
        // For other colours, the error is at most the width of a step.
        for number in 0..4096_u32 {
            let wanted = [number % 16 * 17, number / 16 % 16 * 17, number / 256 * 17].map(|channel| channel as u8);
            let far = |colour: &[u8; 3]| f64::from(distance(colour, wanted.map(i32::from))).sqrt();
            let found = far(&palette.colours[usize::from(palette.nearest(&wanted))]);
            let least = palette.colours.iter().map(far).fold(f64::INFINITY, f64::min);
            assert!(found <= least + 7.0, "{found} instead of {least} for {wanted:?}");
        }
        assert_eq!(palette.bytes().len(), 255 * 3);
    }
}
