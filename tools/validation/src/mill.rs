//! D'Orsogna et al. 2006: the mill.

use rayon::prelude::*;

use crate::Plan;
use crate::report::{Check, Section};
use throng::measures::{mean_speed, milling, polarisation};

use crate::run::{Outcome, average, radius, set, world};

/// Speed, polarisation, milling and radius of the mill.
pub(crate) fn mill(plan: &Plan) -> Outcome<Section> {
    let seeds: u64 = if plan.short { 1 } else { 4 };
    let run = |seed: u64| {
        let mut world = world::<2>("mill", &[set("world.seed", seed)])?;
        Ok((seed, average(&mut world, 29_000, 1000, [milling, polarisation, mean_speed, radius])))
    };
    let mills = (1..=seeds).into_par_iter().map(run).collect::<Outcome<Vec<_>>>()?;
    let mut checks = Vec::new();
    for (seed, mill) in mills {
        checks.push(Check::between(format!("milling, seed {seed} (reference)"), mill[0], 0.98, 1.0));
        checks.push(Check::between(format!("polarisation, seed {seed} (reference)"), mill[1], 0.0, 0.05));
        checks.push(Check::near(format!("speed, seed {seed} (exact for one agent)"), mill[2], 2f64.sqrt(), 0.02));
        checks.push(Check::near(format!("mean radius, seed {seed} (reference)"), mill[3], 1.51, 0.05));
    }
    let text =
        "D'Orsogna et al. 2006, `scenarios/mill.toml`: 100 agents, a tick of 0.01 s, mean of the last 1000 of 30 000 \
                ticks. The speed tends to sqrt(propulsion / drag) = 1.4142."
            .to_owned();
    Ok(Section { title: "D'Orsogna: the mill", text, checks, figures: Vec::new() })
}
