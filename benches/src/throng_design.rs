//! throng as one of the designs.

use throng::World;

use crate::design::{Counts, Design};

/// A world of throng.
#[derive(Debug)]
pub struct ThrongDesign<const D: usize>(pub World<D>);

impl<const D: usize> Design for ThrongDesign<D> {
    fn tick(&mut self) {
        self.0.step();
    }

    fn counts(&self) -> Counts {
        let profile = self.0.profile();
        Counts { candidates: profile.candidates, neighbours: profile.neighbours, capped: profile.capped }
    }

    fn stages(&self) -> Vec<(&'static str, f64)> {
        self.0.profile().stages().to_vec()
    }

    fn hash(&self) -> u64 {
        self.0.state_hash()
    }
}
