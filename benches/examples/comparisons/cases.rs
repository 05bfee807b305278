//! The cases of the comparisons: a model, its size and its number of ticks, as published.

use throng::Error;

use crate::measure::{Sample, sample};
use crate::{birds, circles, flockers, flocking, vicsek};

/// A model with its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Model {
    Flocking { agents: usize },
    Birds { agents: usize, side: f32, radius: f32 },
    Flockers { agents: usize, side: f32 },
    Vicsek { agents: usize, radius: f32 },
    Circles { side: u16 },
}

/// A row of a published table.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The letter of the comparison, and the row.
    pub(crate) name: String,
    pub(crate) model: Model,
    pub(crate) ticks: u32,
    /// The number of seeds, each with a run of its own.
    pub(crate) seeds: u64,
}

impl Case {
    /// Runs the model once with a seed.
    pub(crate) fn run(&self, seed: u64, ticks: u32) -> Result<Sample, Error> {
        match self.model {
            Model::Flocking { agents } => sample(|| flocking::world(agents, flocking::SIDE, seed), ticks, false),
            // The published time includes the creation of the model.
            Model::Birds { agents, side, radius } => sample(|| birds::world(agents, side, radius, seed), ticks, true),
            Model::Flockers { agents, side } => sample(|| flockers::world(agents, side, seed), ticks, false),
            Model::Vicsek { agents, radius } => {
                sample(|| vicsek::world(agents, vicsek::SIDE, radius, seed), ticks, false)
            }
            Model::Circles { side } => sample(|| circles::world(side, seed), ticks, false),
        }
    }
}

/// All cases, in the order of the page.
pub(crate) fn all() -> Vec<Case> {
    let case = |name: String, model: Model, ticks: u32| Case { name, model, ticks, seeds: 1 };
    let mut cases = vec![case("A/80000".to_owned(), Model::Flocking { agents: 80_000 }, 100)];
    for (name, agents, side, radius) in [("small", 200, 100.0, 5.0), ("large", 400, 150.0, 15.0)] {
        cases.push(Case { seeds: 100, ..case(format!("B/{name}"), Model::Birds { agents, side, radius }, 100) });
    }
    let ladder = [100, 141, 200, 282, 400, 565, 800, 1131];
    for (doubling, side) in ladder.into_iter().enumerate() {
        let agents = 1000 << doubling;
        cases.push(case(format!("C/{agents}"), Model::Flockers { agents, side: side as f32 }, 200));
    }
    for (agents, radii) in [(10_000, [1.0, 3.0, 10.0]), (100_000, [0.3, 1.0, 3.0]), (1_000_000, [0.1, 0.3, 1.0])] {
        for radius in radii {
            cases.push(case(format!("D/{agents}/{radius}"), Model::Vicsek { agents, radius }, 1000));
        }
    }
    for side in [22, 46, 67, 84, 100u16] {
        cases.push(case(format!("E/{}", u32::from(side).pow(3)), Model::Circles { side }, 200));
    }
    cases
}
