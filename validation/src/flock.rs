//! Topological neighbours, and the order of a flock with full-view cohesion.

use rayon::prelude::*;

use crate::Plan;
use crate::report::{Check, Section};
use throng::measures::polarisation;

use crate::run::{Outcome, average, set, world};

/// The number of neighbours at three densities.
pub(crate) fn topological(_plan: &Plan) -> Outcome<Section> {
    let mut checks = Vec::new();
    for (nearest, radius) in [(6, 12.5), (7, 25.0), (7, 50.0)] {
        let mut sets = vec![set("species.starling.place.radius", radius)];
        for rule in ["separation", "alignment", "cohesion"] {
            sets.push(set(&format!("species.starling.{rule}.nearest"), nearest));
            sets.push(set(&format!("species.starling.{rule}.radius"), 200.0));
        }
        sets.push(set("world.size", "[600.0, 600.0, 600.0]"));
        let mut world = world::<3>("topological", &sets)?;
        world.step();
        let what = format!("neighbours of an agent, nearest = {nearest}, in a ball of radius {radius} (exact)");
        checks.push(Check::near(what, world.profile().mean_neighbours(), f64::from(nearest), 1e-9));
    }
    let text = "Ballerini et al. 2008 find that a starling interacts with its six to seven nearest neighbours, whatever the \
                density. In `scenarios/topological.toml` the three rules have `nearest = 7`; the number of neighbours does \
                not change with the density. `tests/oracle` compares the nearest with a search over all pairs."
        .to_owned();
    Ok(Section { title: "Topological neighbours", text, checks, figures: Vec::new() })
}

/// The order after 200 s with and without a slowing radius.
pub(crate) fn cohesion(plan: &Plan) -> Outcome<Section> {
    let seeds: u64 = if plan.short { 1 } else { 4 };
    let mut checks = Vec::new();
    let cases = [
        ("full view, full strength", 360, 0.0, [0.0, 0.3]),
        ("full view, slowing_radius = 11", 360, 11.0, [0.9, 1.0]),
        ("270 degrees, full strength", 270, 0.0, [0.9, 1.0]),
    ];
    for (name, fov, slowing, [low, high]) in cases {
        let run = |seed: u64| {
            let mut sets = vec![set("species.starling.count", 500), set("world.seed", seed)];
            sets.extend(["alignment", "cohesion"].map(|rule| set(&format!("species.starling.{rule}.fov"), fov)));
            sets.push(set("species.starling.cohesion.slowing_radius", format!("{slowing:?}")));
            Ok(average(&mut world::<2>("flock", &sets)?, 3600, 400, [polarisation])[0])
        };
        let orders = (1..=seeds).into_par_iter().map(run).collect::<Outcome<Vec<_>>>()?;
        for (seed, order) in (1..).zip(orders) {
            checks.push(Check::between(format!("order, {name}, seed {seed}"), order, low, high));
        }
    }
    let text =
        "`scenarios/flock.toml` with 500 birds: mean order of the last 20 of 200 s. Agents that steer at full speed \
                towards the mean position of neighbours all round rush through it and never take one direction. With a \
                field of view, or with a `slowing_radius`, they do."
            .to_owned();
    Ok(Section { title: "Cohesion with a full view", text, checks, figures: Vec::new() })
}
