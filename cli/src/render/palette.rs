//! Which of few colours is nearest to any colour? Looked up, not searched for.

use rayon::prelude::*;

/// Steps of each channel in the table: neighbours among them look the same.
const STEPS: usize = 128;

/// Up to 255 colours, and for every colour there is the nearest of them.
#[derive(Debug)]
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

impl Palette {
    /// A palette of these colours, at most 255 of them.
    pub(super) fn new(mut colours: Vec<[u8; 3]>) -> Self {
        colours.sort_unstable();
        colours.dedup();
        colours.truncate(255);
        let mut nearest = vec![0; STEPS * STEPS * STEPS];
        nearest.par_chunks_mut(STEPS * STEPS).enumerate().for_each(|(red, plane)| {
            for (number, entry) in plane.iter_mut().enumerate() {
                *entry = search(&colours, [red, number / STEPS, number % STEPS].map(|step| (step * 2 + 1) as i32));
            }
        });
        Self { colours, nearest }
    }

    /// Red, green and blue of each colour, one after another.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }

    /// How many colours there are.
    pub(super) fn len(&self) -> usize {
        self.colours.len()
    }

    /// The number of the colour that is nearest to this one.
    pub(super) fn nearest(&self, pixel: &[u8]) -> u8 {
        let [red, green, blue] = [0, 1, 2].map(|channel| usize::from(pixel[channel] >> 1));
        self.nearest[(red * STEPS + green) * STEPS + blue]
    }
}

fn search(colours: &[[u8; 3]], wanted: [i32; 3]) -> u8 {
    // As much as the eye tells red, green and blue apart.
    const WEIGHTS: [i32; 3] = [3, 6, 2];
    let distance = |colour: &[u8; 3]| -> i32 {
        (0..3).map(|channel| WEIGHTS[channel] * (i32::from(colour[channel]) - wanted[channel]).pow(2)).sum()
    };
    let best = colours.iter().enumerate().min_by_key(|(_, colour)| distance(colour));
    best.map_or(0, |(number, _)| number as u8)
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
        assert_eq!(palette.bytes().len(), 255 * 3);
    }
}
