//! The extent of a set of cells, whatever its direction.

use std::f32::consts::FRAC_1_SQRT_2;

/// The extent of a strip along some directions, in units of the spacing of nodes.
#[derive(Clone, Copy)]
pub(super) struct Extent([[f32; 2]; DIRECTIONS.len()]);

/// Unit vectors to one side.
const DIRECTIONS: [[f32; 2]; 8] = [
    [1.0, 0.0],
    [0.923_879_5, 0.382_683_4],
    [FRAC_1_SQRT_2, FRAC_1_SQRT_2],
    [0.382_683_4, 0.923_879_5],
    [0.0, 1.0],
    [-0.382_683_4, 0.923_879_5],
    [-FRAC_1_SQRT_2, FRAC_1_SQRT_2],
    [-0.923_879_5, 0.382_683_4],
];

impl Default for Extent {
    fn default() -> Self {
        Self([[f32::INFINITY, f32::NEG_INFINITY]; DIRECTIONS.len()])
    }
}

impl Extent {
    pub(super) fn include(&mut self, [x, y]: [f32; 2]) {
        for ([low, high], direction) in self.0.iter_mut().zip(DIRECTIONS) {
            let along = x * direction[0] + y * direction[1];
            *low = if along < *low { along } else { *low };
            *high = if along > *high { along } else { *high };
        }
    }

    /// The largest extent, with the cells of the outermost nodes.
    pub(super) fn most(&self) -> f32 {
        self.0.iter().fold(0.0, |most, [low, high]| if high - low + 1.0 > most { high - low + 1.0 } else { most })
    }
}
