//! Couzin et al. 2002: swarm, torus and parallel group over the widths of two zones.

use rayon::prelude::*;

use crate::Plan;
use crate::plot;
use crate::report::{Check, Section};
use throng::measures::{milling, polarisation};

use crate::run::{Outcome, average, set, world};

/// The mean polarisation and milling of the last thousand of five thousand ticks, for one seed.
fn group(orientation: f64, attraction: f64, seed: u64) -> Outcome<[f64; 2]> {
    let sets = [
        set("species.fish.motion.orientation_width", format!("{orientation:?}")),
        set("species.fish.motion.attraction_width", format!("{attraction:?}")),
        set("world.seed", seed),
    ];
    Ok(average(&mut world::<3>("couzin", &sets)?, 4000, 1000, [polarisation, milling]))
}

/// The states of a group, and their heat map.
pub(crate) fn couzin(plan: &Plan) -> Outcome<Section> {
    let mut checks = Vec::new();
    let states = [
        (0.0, 15.0, "swarm", [0.0, 0.35], [0.0, 0.4]),
        (2.0, 14.0, "torus", [0.0, 0.35], [0.6, 1.0]),
        (4.0, 14.0, "parallel", [0.95, 1.0], [0.0, 0.15]),
        (10.0, 10.0, "parallel", [0.95, 1.0], [0.0, 0.15]),
    ];
    let seeds = if plan.short { 1..=1 } else { 1..=3 };
    let jobs: Vec<_> = states.iter().flat_map(|state| seeds.clone().map(move |seed| (state, seed))).collect();
    let measured = jobs.par_iter().map(|(state, seed)| group(state.0, state.1, *seed)).collect::<Outcome<Vec<_>>>()?;
    for (((orientation, attraction, state, order, mill), seed), measured) in jobs.iter().zip(measured) {
        let at = format!("({orientation}, {attraction}), {state}, seed {seed}");
        checks.push(Check::between(format!("polarisation at {at}"), measured[0], order[0], order[1]));
        checks.push(Check::between(format!("milling at {at}"), measured[1], mill[0], mill[1]));
    }
    let mut figures = Vec::new();
    if let Some(folder) = plan.out.as_ref().filter(|_| !plan.short) {
        let grid: Vec<(f64, f64)> =
            (0..8).flat_map(|x| (0..8).map(move |y| (2.0 * f64::from(x), 2.0 * f64::from(y)))).collect();
        let cells = grid.par_iter().map(|&(x, y)| Ok((x, y, group(x, y, 1)?))).collect::<Outcome<Vec<_>>>()?;
        let axes = ["width of the zone of orientation", "width of the zone of attraction"];
        let of = |measure: usize| cells.iter().map(|(x, y, cell)| (*x, *y, cell[measure])).collect::<Vec<_>>();
        plot::heat(folder, "couzin_polarisation", axes, 2.0, &of(0))?;
        plot::heat(folder, "couzin_milling", axes, 2.0, &of(1))?;
        figures = vec![
            ("couzin_polarisation", "Polarisation over the widths of the two zones"),
            ("couzin_milling", "Milling over the widths of the two zones"),
        ];
    }
    let text = "Couzin et al. 2002, `scenarios/couzin.toml`: 100 fish in three dimensions, a tick of 0.1 s, repulsion up to \
                1, a field of view of 270 degrees, 40 degrees per second, speed 3, noise 0.05; from a ball of radius 6 with \
                random headings; mean of the last 1000 of 5000 ticks. The published states are those of the paper's \
                figure 3. Groups that break up have a low polarisation, in the lower left of the heat maps."
        .to_owned();
    Ok(Section { title: "Couzin: swarm, torus, parallel group", text, checks, figures })
}
