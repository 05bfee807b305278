//! Vicsek et al. 1995: order over noise and over density; the discontinuity with vectorial noise.

use rayon::prelude::*;

use crate::Plan;
use crate::plot;
use crate::report::{Check, Section};
use throng::measures::{Moments, Sample, polarisation};

use crate::run::{Outcome, average, set, world};

/// Noise, and the order that a reference program measured for agents moved with the old heading.
const REFERENCE: [(f64, f64); 10] = [
    (0.1, 0.9995),
    (0.5, 0.988),
    (1.0, 0.953),
    (1.5, 0.895),
    (2.0, 0.820),
    (2.5, 0.731),
    (3.0, 0.626),
    (3.5, 0.504),
    (4.0, 0.367),
    (5.0, 0.099),
];

/// The same for agents moved with the new heading.
const REFERENCE_NEW: [(f64, f64); 4] = [(2.0, 0.818), (3.0, 0.613), (3.5, 0.491), (4.0, 0.339)];

fn tolerance(noise: f64) -> f64 {
    match noise {
        noise if noise <= 2.0 => 0.005,
        noise if noise <= 3.0 => 0.015,
        noise if noise <= 3.5 => 0.02,
        _ => 0.04,
    }
}

/// The mean order over `ticks` ticks after `before` others, and over seeds.
fn order(sets: &[String], seeds: u64, before: u64, ticks: u64) -> Outcome<f64> {
    let run = |seed: u64| {
        let sets = [sets, &[set("world.seed", seed)]].concat();
        Ok(average(&mut world::<2>("vicsek", &sets)?, before, ticks, [polarisation])[0])
    };
    let orders = (1..=seeds).into_par_iter().map(run).collect::<Outcome<Vec<f64>>>()?;
    Ok(orders.into_iter().collect::<Moments>().mean())
}

/// The order over the noise, with both conventions.
pub(crate) fn noise(plan: &Plan) -> Outcome<Section> {
    let (seeds, before, ticks) = if plan.short { (3, 2500, 1500) } else { (6, 2500, 1500) };
    let mut checks = Vec::new();
    let mut curves = Vec::new();
    for (word, name) in [("old_heading", "moved with the old heading"), ("new_heading", "moved with the new heading")] {
        let short = |noise: &f64| !plan.short || [0.5, 1.0, 2.0, 3.0, 4.0].contains(noise);
        let noises: Vec<f64> = REFERENCE.iter().map(|(noise, _)| *noise).filter(short).collect();
        let measured: Vec<(f64, f64)> = noises
            .into_par_iter()
            .map(|noise| {
                let sets = [set("species.bird.motion.noise", noise), set("species.bird.motion.moved_with", word)];
                Ok((noise, order(&sets, seeds, before, ticks)?))
            })
            .collect::<Outcome<_>>()?;
        let reference = if word == "old_heading" { &REFERENCE[..] } else { &REFERENCE_NEW[..] };
        for (noise, order) in &measured {
            if let Some((_, wanted)) = reference.iter().find(|(known, _)| known == noise) {
                let what = format!("order at noise {noise}, {name} (reference)");
                checks.push(Check::near(what, *order, *wanted, tolerance(*noise)));
            }
        }
        curves.push((name.to_owned(), measured));
    }
    for noise in [1.0f64, 2.0, 3.0, 4.0, 5.0] {
        let sets =
            [set("species.bird.motion.noise", noise), set("world.size", "[1.0, 1.0]"), set("species.bird.count", 1000)];
        let order = order(&sets, 1, 100, 400)?;
        let exact = (noise / 2.0).sin() / (noise / 2.0);
        checks.push(Check::near(format!("order at noise {noise} where all see all (exact)"), order, exact, 0.004));
    }
    let order = order(&[set("species.bird.motion.noise", "6.2831855")], seeds, 100, 1000)?;
    checks.push(Check::near("order of random headings (exact)", order, (std::f64::consts::PI / 1200.0).sqrt(), 0.003));
    curves.push(("reference, old heading".to_owned(), REFERENCE.to_vec()));
    if let Some(folder) = &plan.out {
        plot::lines(folder, "vicsek_noise", ["noise (full width, radians)", "order"], 0.0..5.2, &curves)?;
    }
    let text = format!(
        "Vicsek et al. 1995, `scenarios/vicsek.toml`: 300 birds, a periodic world 7 wide, radius 1, speed 0.03, a tick of \
         1; mean order of {ticks} ticks after {before} others, {seeds} seeds. The paper leaves open whether an agent \
         moves with its old or with its new heading: both are measured. Where the world is 1 wide all see all, and the \
         order is sin(noise/2) / (noise/2). The order of 300 random headings is sqrt(pi / 1200)."
    );
    let figures = vec![("vicsek_noise", "Order over noise, with both conventions and the reference")];
    Ok(Section { title: "Vicsek: order over noise", text, checks, figures })
}

/// The order over the density.
pub(crate) fn density(plan: &Plan) -> Outcome<Section> {
    let densities: &[f64] =
        if plan.short { &[0.1, 4.0] } else { &[0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0] };
    let (seeds, before, ticks) = if plan.short { (1, 800, 400) } else { (3, 4000, 2000) };
    let measured: Vec<(f64, f64)> = densities
        .par_iter()
        .map(|&density| {
            let sets = [
                set("world.size", "[20.0, 20.0]"),
                set("species.bird.count", (400.0 * density) as u64),
                set("species.bird.motion.noise", 2.0),
            ];
            Ok((density, order(&sets, seeds, before, ticks)?))
        })
        .collect::<Outcome<_>>()?;
    let at =
        |wanted: f64| measured.iter().find(|(density, _)| *density == wanted).map_or(f64::NAN, |(_, order)| *order);
    let checks = vec![
        Check::between("order at density 0.1", at(0.1), 0.0, 0.6),
        Check::between("order at density 4", at(4.0), 0.7, 1.0),
    ];
    if let Some(folder) = &plan.out {
        let limit = vec![(0.0, 1f64.sin()), (10.2, 1f64.sin())];
        let curves = [("measured".to_owned(), measured), ("limit where all see all".to_owned(), limit)];
        plot::lines(folder, "vicsek_density", ["density (birds per unit of area)", "order"], 0.0..10.2, &curves)?;
    }
    let text = "Vicsek et al. 1995, figure 2b: a world 20 wide, noise 2. The paper shows a rise from disorder at low \
                density that flattens out; it has no table, so the checks are wide. The limit of high density is that of \
                agents that all see each other, sin(1) = 0.8415."
        .to_owned();
    let figures = vec![("vicsek_density", "Order over density at noise 2")];
    Ok(Section { title: "Vicsek: order over density", text, checks, figures })
}

/// The mean and the Binder cumulant of the order at each noise, in their sequence, one world after the other.
fn ramp(size: u32, noises: &[f64], ticks: u64) -> Outcome<Vec<(f64, f64, f64)>> {
    let sets = [
        set("world.size", format!("[{size}.0, {size}.0]")),
        set("species.bird.count", 2 * size * size),
        set("species.bird.max_speed", 0.5),
        set("species.bird.motion.noise_kind", "vectorial"),
        set("species.bird.motion.moved_with", "new_heading"),
        set("species.bird.motion.noise", noises[0]),
    ];
    let mut world = world::<2>("vicsek", &sets)?;
    let bird = world.find_species("bird").ok_or("the scenario has birds")?;
    let mut measured = Vec::new();
    for &noise in noises {
        world.set_parameter(bird, "motion.noise", noise)?;
        (0..ticks / 2).for_each(|_| world.step());
        let mut moments = Moments::default();
        for _ in 0..ticks / 20 {
            (0..10).for_each(|_| world.step());
            moments.add(polarisation(&Sample::of(&world)));
        }
        measured.push((noise, moments.mean(), moments.binder_cumulant()));
    }
    Ok(measured)
}

/// The discontinuity with vectorial noise.
pub(crate) fn vectorial(plan: &Plan) -> Outcome<Section> {
    let up: Vec<f64> =
        if plan.short { vec![0.5, 0.75] } else { (0..=20).map(|step| 0.5 + 0.0125 * f64::from(step)).collect() };
    let down: Vec<f64> = up.iter().rev().copied().collect();
    let sizes: &[(u32, u64)] = if plan.short { &[(32, 2000)] } else { &[(32, 20_000), (64, 10_000)] };
    let jobs: Vec<(u32, u64, &[f64], &str)> = sizes
        .iter()
        .flat_map(|&(size, ticks)| [(size, ticks, &up[..], "rising"), (size, ticks, &down[..], "falling")])
        .collect();
    let ramps =
        jobs.par_iter().map(|(size, ticks, noises, _)| ramp(*size, noises, *ticks)).collect::<Outcome<Vec<_>>>()?;
    let (mut curves, mut checks, mut cumulants) = (Vec::new(), Vec::new(), String::new());
    for ((size, ticks, _, way), ramp) in jobs.iter().zip(&ramps) {
        let agents = 2 * size * size;
        let at =
            |wanted: f64| ramp.iter().find(|(noise, ..)| *noise == wanted).map_or(f64::NAN, |(_, order, _)| *order);
        checks.push(Check::between(format!("order at noise 0.5, {agents} agents, noise {way}"), at(0.5), 0.6, 1.0));
        checks.push(Check::between(format!("order at noise 0.75, {agents} agents, noise {way}"), at(0.75), 0.0, 0.2));
        let drops = ramp.windows(2).map(|pair| ((pair[0].1 - pair[1].1).abs(), 0.5 * (pair[0].0 + pair[1].0)));
        let (drop, noise) = drops.fold((0.0, 0.0), |most, drop| if drop.0 > most.0 { drop } else { most });
        let least = ramp.iter().map(|(.., binder)| *binder).fold(1.0, f64::min);
        cumulants += &format!("| {agents} | {way} | {ticks} | {noise:.3} | {drop:.2} | {least:.2} |\n");
        curves.push((
            format!("{agents} agents, noise {way}"),
            ramp.iter().map(|(noise, order, _)| (*noise, *order)).collect(),
        ));
    }
    if let Some(folder) = &plan.out {
        plot::lines(folder, "vicsek_vectorial", ["noise", "order"], 0.48..0.77, &curves)?;
    }
    let text = format!(
        "Gregoire and Chate 2004: density 2, speed 0.5, vectorial noise, moved with the new heading. The noise rises and \
         falls by steps; each step lasts the ticks of the table, and its second half is measured. The paper finds a \
         discontinuous transition near 0.6 to 0.65: the order jumps, the two ways differ (hysteresis), and the Binder \
         cumulant dips.\n\n\
         | agents | noise | ticks per step | noise of the largest jump | jump | least Binder cumulant |\n\
         |---|---|---|---|---|---|\n{cumulants}"
    );
    let figures = vec![("vicsek_vectorial", "Order over vectorial noise, rising and falling")];
    Ok(Section { title: "Vicsek: vectorial noise", text, checks, figures })
}
