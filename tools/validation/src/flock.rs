//! Topological neighbours, and the order of a flock with full-view cohesion.

use rayon::prelude::*;
use throng::{AgentRef, Behaviour, Inputs, Perception, Rule, SpeciesFilter, Vector};

use crate::Plan;
use crate::report::{Check, Section};
use throng::measures::polarisation;

use crate::run::{Outcome, average, set, world};

/// Counts the nearest neighbours within a radius, and exerts no force.
#[derive(Clone, Copy, Debug)]
struct Counting(u32);

impl Behaviour<3> for Counting {
    fn inputs(&self) -> Inputs {
        let nearest = Perception::within(200.0, &SpeciesFilter::Own).with_nearest(self.0);
        Inputs::default().neighbours(nearest).memory("neighbours", 0.0f32)
    }

    fn steer(&self, me: &AgentRef<'_, 3>) -> Vector<3> {
        me.remember(0, me.neighbours(0).len() as f32);
        Vector::ZERO
    }
}

/// The number of neighbours and the order of the flock at three densities.
pub(crate) fn topological(plan: &Plan) -> Outcome<Section> {
    let mut checks = Vec::new();
    let place = |radius: f64| set("species.starling.place.radius", format!("{radius:?}"));
    for (nearest, radius) in [(6, 12.5), (7, 25.0), (7, 50.0)] {
        let mut world = world::<3>("topological", &[place(radius)])?;
        let starling = world.find_species("starling").ok_or("the scenario has starlings")?;
        world.add_rule(starling, Rule::new(1.0, Counting(nearest)))?;
        world.step();
        let ids = world.agents(starling)?.ids().to_vec();
        let counts = ids
            .iter()
            .map(|id| world.column_value::<f32>(*id, "neighbours").map(f64::from))
            .collect::<Result<Vec<_>, _>>()?;
        for (word, count) in [
            ("least", counts.iter().copied().fold(f64::INFINITY, f64::min)),
            ("most", counts.iter().copied().fold(0.0, f64::max)),
        ] {
            let what = format!("{word} neighbours, nearest = {nearest}, flock of radius {radius} (exact)");
            checks.push(Check::near(what, count, f64::from(nearest), 0.0));
        }
    }
    let seeds: u64 = if plan.short { 1 } else { 4 };
    let cases = [(12.5, 1.0, [0.9, 1.0]), (25.0, 1.0, [0.9, 1.0]), (50.0, 1.0, [0.9, 1.0]), (25.0, 0.0, [0.0, 0.2])];
    let runs: Vec<_> = cases.into_iter().flat_map(|case| (1..=seeds).map(move |seed| (case, seed))).collect();
    let run = |&((radius, weight, _), seed): &((f64, f64, _), u64)| {
        let weight = set("species.starling.alignment.weight", format!("{weight:?}"));
        let mut world = world::<3>("topological", &[place(radius), weight, set("world.seed", seed)])?;
        Ok(average(&mut world, 1000, 200, [polarisation])[0])
    };
    for ((case, seed), order) in runs.iter().zip(runs.par_iter().map(run).collect::<Outcome<Vec<_>>>()?) {
        let (radius, weight, [low, high]) = case;
        let rule = if *weight == 0.0 { ", without alignment" } else { "" };
        checks.push(Check::between(format!("order, flock of radius {radius}{rule}, seed {seed}"), order, *low, *high));
    }
    let text = "Ballerini et al. 2008 find that a starling interacts with its six to seven nearest neighbours, whatever the \
                density. In `scenarios/topological.toml` alignment and separation have `nearest = 7`. Every starling has that \
                many neighbours in a flock of any density, and a flock takes one direction whatever the radius that it \
                starts from: mean order of 200 ticks after 1000. `tests/oracle` compares the nearest with a search over \
                all pairs."
        .to_owned();
    Ok(Section { title: "Topological neighbours", text, checks, figures: Vec::new() })
}

/// The order after 200 s with and without a slowing radius.
pub(crate) fn cohesion(plan: &Plan) -> Outcome<Section> {
    let seeds: u64 = if plan.short { 1 } else { 4 };
    let mut checks = Vec::new();
    let cases = [
        ("full view, full strength", 360, 0.0, [0.0, 0.6]),
        ("full view, slowing_radius = 11", 360, 11.0, [0.9, 1.0]),
        ("270 degrees, full strength", 270, 0.0, [0.9, 1.0]),
    ];
    for (name, fov, slowing, [low, high]) in cases {
        let run = |seed: u64| {
            let mut sets = vec![set("species.starling.count", 500), set("world.size", "[126.5, 71.2]")];
            sets.push(set("world.seed", seed));
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
        "`scenarios/flock.toml` with 500 birds at the density of the file: mean order of the last 20 of 200 s. Agents \
                that steer at full speed towards the mean position of neighbours all round rush through it and keep each \
                other from taking one direction. With a field of view, or with a `slowing_radius`, they take one."
            .to_owned();
    Ok(Section { title: "Cohesion with a full view", text, checks, figures: Vec::new() })
}
