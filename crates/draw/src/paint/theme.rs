//! The colours of pictures, distinct for people with any kind of colour vision.

use crate::drawable::Role;

/// The background of a picture, and the colours that are readable on it: red, green and blue, each from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// A dark background.
    Dark,
    /// A light background.
    Light,
}

impl Theme {
    /// The colour of the background in its middle.
    #[must_use]
    pub fn middle(self) -> [f32; 3] {
        match self {
            Self::Dark => [17.0, 24.0, 42.0],
            Self::Light => [253.0, 253.0, 252.0],
        }
    }

    /// The colour of the background in its corners; distant agents fade into it.
    #[must_use]
    pub fn far(self) -> [f32; 3] {
        match self {
            Self::Dark => [9.0, 13.0, 24.0],
            Self::Light => [241.0, 243.0, 246.0],
        }
    }

    /// The colour of the environment, from faint (0) to strong (1).
    #[must_use]
    pub fn ink(self, strength: f32) -> [f32; 3] {
        match self {
            Self::Dark => mix([92.0, 112.0, 150.0], [248.0, 240.0, 228.0], strength),
            Self::Light => mix([150.0, 160.0, 178.0], [30.0, 34.0, 44.0], strength),
        }
    }

    /// The colour of the floor of a building, or of the outside.
    #[must_use]
    pub fn plan(self, is_floor: bool) -> [f32; 3] {
        match (self, is_floor) {
            (Self::Dark, true) => [35.0, 44.0, 68.0],
            (Self::Dark, false) => [10.0, 13.0, 22.0],
            (Self::Light, true) => [255.0, 255.0, 255.0],
            (Self::Light, false) => [221.0, 225.0, 231.0],
        }
    }

    /// The colour of a region in which something happens; `None` if nothing does.
    #[must_use]
    pub fn role(self, role: Role) -> Option<[f32; 3]> {
        let colours = match role {
            Role::Plain => return None,
            Role::Source => [[86.0, 170.0, 255.0], [0.0, 98.0, 190.0]],
            Role::Sink => [[70.0, 205.0, 125.0], [0.0, 125.0, 65.0]],
            Role::Zone => [[225.0, 150.0, 235.0], [140.0, 60.0, 160.0]],
        };
        Some(colours[usize::from(self == Self::Light)])
    }

    /// The colour of a substance where there is most of it, by its number.
    #[must_use]
    pub fn substance(self, number: usize) -> [f32; 3] {
        match self {
            Self::Dark => [[255.0, 190.0, 80.0], [80.0, 190.0, 255.0], [120.0, 225.0, 150.0]][number % 3],
            Self::Light => [[200.0, 110.0, 0.0], [0.0, 100.0, 190.0], [0.0, 135.0, 80.0]][number % 3],
        }
    }

    /// The colour of walls.
    #[must_use]
    pub fn wall(self) -> [f32; 3] {
        match self {
            Self::Dark => [205.0, 210.0, 220.0],
            Self::Light => [48.0, 54.0, 66.0],
        }
    }

    /// The pixels of the background, row by row. They are not dithered: steps of one in 255 are hardly visible, and
    /// smooth backgrounds make small files.
    pub(crate) fn pixels(self, width: usize, height: usize) -> Vec<u8> {
        let (middle, far) = (self.middle(), self.far());
        let mut pixels = Vec::with_capacity(width * height * 3);
        for row in 0..height {
            let y = (row as f32 + 0.5) / height as f32 * 2.0 - 1.0;
            for column in 0..width {
                let x = (column as f32 + 0.5) / width as f32 * 2.0 - 1.0;
                let distance = (0.5 * (x * x + y * y)).sqrt();
                pixels.extend(mix(middle, far, distance).map(|channel| (channel + 0.5) as u8));
            }
        }
        pixels
    }

    /// The colour of a species or a state, by its number: the colours of Okabe and Ito, the most readable ones first.
    #[must_use]
    pub fn kind(self, number: usize) -> [f32; 3] {
        const DARK: [[f32; 3]; 7] =
            [SKY, ORANGE, [240.0, 228.0, 66.0], GREEN, PURPLE, VERMILLION, [60.0, 130.0, 200.0]];
        const LIGHT: [[f32; 3]; 7] = [[0.0, 114.0, 178.0], VERMILLION, GREEN, PURPLE, [40.0, 40.0, 40.0], ORANGE, SKY];
        let colours = if self == Self::Dark { DARK } else { LIGHT };
        colours[number % colours.len()]
    }

    /// The colour of a heading: blue against yellow from side to side, light against dark from top to bottom. Both
    /// contrasts are visible with nearly every kind of colour vision.
    #[must_use]
    pub fn heading(self, right: f32, up: f32) -> [f32; 3] {
        let [to_right, to_left, to_top, to_bottom] = self.compass();
        let (side, height) = (if right > 0.0 { to_right } else { to_left }, if up > 0.0 { to_top } else { to_bottom });
        let squared = right * right + up * up;
        let share = if squared > 0.0 { right * right / squared } else { 0.5 };
        mix(height, side, share)
    }

    /// The colours of the headings right, left, up and down, which [`heading`](Self::heading) mixes.
    #[must_use]
    pub fn compass(self) -> [[f32; 3]; 4] {
        match self {
            Self::Dark => [[255.0, 190.0, 75.0], [45.0, 150.0, 245.0], [248.0, 240.0, 228.0], [128.0, 92.0, 168.0]],
            Self::Light => [[236.0, 120.0, 0.0], [0.0, 104.0, 215.0], [40.0, 165.0, 75.0], [195.0, 35.0, 130.0]],
        }
    }

    /// The colour of an amount from 0 to 1, from the part of viridis that stands out from the background.
    #[must_use]
    pub fn amount(self, share: f32) -> [f32; 3] {
        let share = share.clamp(0.0, 1.0);
        match self {
            Self::Dark => map(&VIRIDIS, 0.4 + 0.6 * share),
            Self::Light => map(&VIRIDIS, 0.75 - 0.75 * share),
        }
    }

    /// The colour of a density from 0 to 1: inferno on dark, viridis on light.
    #[must_use]
    pub fn density(self, share: f32) -> [f32; 3] {
        let share = share.clamp(0.0, 1.0);
        match self {
            Self::Dark => map(&INFERNO, 0.08 + 0.92 * share),
            Self::Light => map(&VIRIDIS, 0.88 - 0.88 * share),
        }
    }

    /// The colour of a density from 0 to 1 over the colour `below`, which an empty place shows.
    #[must_use]
    pub fn density_over(self, below: [f32; 3], share: f32) -> [f32; 3] {
        mix(below, self.density(share), (share * 6.0).clamp(0.0, 1.0))
    }
}

const SKY: [f32; 3] = [86.0, 180.0, 233.0];
const ORANGE: [f32; 3] = [230.0, 159.0, 0.0];
const GREEN: [f32; 3] = [0.0, 158.0, 115.0];
const PURPLE: [f32; 3] = [204.0, 121.0, 167.0];
const VERMILLION: [f32; 3] = [213.0, 94.0, 0.0];

/// Mixes `share` of the second colour with the rest of the first.
pub(crate) fn mix(first: [f32; 3], second: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|channel| first[channel] + (second[channel] - first[channel]) * share)
}

/// A perceptually uniform colour map as a polynomial: the coefficients of red, green and blue, power by power (fits
/// by Zucker of the maps by van der Walt and Smith).
type Map = [[f32; 3]; 7];

const VIRIDIS: Map = [
    [0.277_727_3, 0.005_407_344_5, 0.334_099_8],
    [0.105_093_04, 1.404_613_5, 1.384_590_2],
    [-0.330_861_84, 0.214_847_56, 0.095_095_16],
    [-4.634_230_6, -5.799_101, -19.332_441],
    [6.228_27, 14.179_934, 56.690_55],
    [4.776_385, -13.745_145, -65.353_035],
    [-5.435_456, 4.645_852_6, 26.312_435],
];

const INFERNO: Map = [
    [0.000_218_940_37, 0.001_651_004_6, -0.019_480_899],
    [0.106_513_42, 0.563_956_44, 3.932_712_4],
    [11.602_493, -3.972_854, -15.942_394],
    [-41.703_995, 17.436_4, 44.354_145],
    [77.162_94, -33.402_36, -81.807_31],
    [-71.319_43, 32.626_064, 73.209_52],
    [25.131_126, -12.242_669, -23.070_325],
];

fn map(map: &Map, share: f32) -> [f32; 3] {
    std::array::from_fn(|channel| {
        let sum = map.iter().rev().fold(0.0, |sum, coefficients| sum * share + coefficients[channel]);
        255.0 * sum.clamp(0.0, 1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maps_are_those_of_their_names() {
        let known = [
            (&VIRIDIS, [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]]),
            (&INFERNO, [[0, 0, 4], [87, 16, 110], [188, 55, 84], [249, 142, 9], [252, 255, 164]]),
        ];
        for (polynomial, colours) in known {
            for (quarter, expected) in colours.into_iter().enumerate() {
                let colour = map(polynomial, quarter as f32 / 4.0);
                assert!((0..3).all(|channel| (colour[channel] - expected[channel] as f32).abs() < 8.0), "{colour:?}");
            }
        }
    }

    #[test]
    fn every_colour_stands_out_from_its_ground() {
        for theme in [Theme::Dark, Theme::Light] {
            let sides = (0..24).map(|turn| throng::maths::sin_cos(turn as f32 * 0.262));
            let headings = sides.map(|(up, right)| theme.heading(right, up));
            let colours = (0..7).map(|number| theme.kind(number)).chain(headings);
            for colour in colours.chain((0..=10).map(|share| theme.amount(share as f32 / 10.0))) {
                let most = (0..3)
                    .map(|channel| (colour[channel] - theme.middle()[channel]).abs())
                    .fold(0.0, |a, b| if a > b { a } else { b });
                assert!(most > 80.0, "{colour:?} on {theme:?}");
            }
        }
    }
}
