//! Prints a Markdown table of the time per tick of the models of motion beside the plain flock, in the same world.
//! `models [AGENTS] [ROUNDS]`.
//!
//! All worlds have the agents, the density, the speed and the tick of the plain flock: about twenty neighbours, and a
//! hundredth of the radius per tick. In the worlds of the second table all of 2000 agents interact. Worlds take turns, run
//! on one thread, and the fastest round of each counts. A pair is an agent and one neighbour.

use std::sync::Arc;
use std::time::Instant;

use throng::motions::{
    ActiveBrownian, Couzin, CuckerSmale, DOrsogna, GregoireChate, MovedWith, NoiseKind, OlfatiSaber, Vicsek,
};
use throng::{Motion, World};
use throng_bench::execution;
use throng_bench::flock::{Flock, RADIUS};

/// The ticks of a round.
const ROUND: u32 = 16;

/// The flock with a motion in place of its rules.
fn world(agents: usize, motion: Option<Arc<dyn Motion<2>>>) -> Result<World<2>, Box<dyn std::error::Error>> {
    let mut world = Flock::<2>::world_of(agents, execution()?)?;
    let boid = world.species_ids().next().expect("the flock has a species");
    if let Some(motion) = motion {
        world.edit_species(boid, |species| {
            species.rules.clear();
            species.motion = Some(motion);
        })?;
    }
    // The first ticks arrange the rows.
    (0..2 * ROUND).for_each(|_| world.step());
    Ok(world)
}

/// The motions with about twenty neighbours.
fn nearby() -> Vec<(&'static str, Option<Arc<dyn Motion<2>>>)> {
    let vicsek = Vicsek { radius: RADIUS, ..Vicsek::default() };
    let vectorial = Vicsek { noise_kind: NoiseKind::Vectorial, moved_with: MovedWith::NewHeading, ..vicsek.clone() };
    let gregoire_chate =
        GregoireChate { radius: RADIUS, core: 2.0, equilibrium: 5.0, attraction: 8.0, ..GregoireChate::default() };
    let couzin = Couzin { orientation_width: 4.0, attraction_width: RADIUS - 5.0, ..Couzin::default() };
    let olfati_saber = OlfatiSaber { radius: RADIUS, spacing: 0.8 * RADIUS, ..OlfatiSaber::default() };
    vec![
        ("plain flock", None),
        ("vicsek", Some(Arc::new(vicsek))),
        ("vicsek, vectorial", Some(Arc::new(vectorial))),
        ("active_brownian", Some(Arc::new(ActiveBrownian::default()))),
        ("gregoire_chate", Some(Arc::new(gregoire_chate))),
        ("couzin", Some(Arc::new(couzin))),
        ("olfati_saber", Some(Arc::new(olfati_saber))),
        ("cucker_smale", Some(Arc::new(CuckerSmale { radius: RADIUS, strength: 0.01, ..CuckerSmale::default() }))),
        ("dorsogna", Some(Arc::new(DOrsogna { radius: RADIUS, ..DOrsogna::default() }))),
    ]
}

/// The motions with neighbours everywhere.
fn everywhere() -> Vec<(&'static str, Option<Arc<dyn Motion<2>>>)> {
    let radius = 1e6;
    let couzin = Couzin { orientation_width: 4.0, attraction_width: radius, ..Couzin::default() };
    vec![
        ("vicsek", Some(Arc::new(Vicsek { radius, ..Vicsek::default() }))),
        ("cucker_smale", Some(Arc::new(CuckerSmale { strength: 1e-3, ..CuckerSmale::default() }))),
        ("dorsogna", Some(Arc::new(DOrsogna { repulsion: 0.01, attraction: 0.005, ..DOrsogna::default() }))),
        ("gregoire_chate", Some(Arc::new(GregoireChate { radius, ..GregoireChate::default() }))),
        ("couzin", Some(Arc::new(couzin))),
        ("olfati_saber", Some(Arc::new(OlfatiSaber { radius, near: 0.01, far: 0.01, ..OlfatiSaber::default() }))),
    ]
}

/// Prints a table of these motions.
fn print(agents: usize, rounds: usize, models: Vec<(&str, Option<Arc<dyn Motion<2>>>)>) -> Result<(), String> {
    let mut worlds = Vec::new();
    for (name, motion) in models {
        worlds.push((name, world(agents, motion).map_err(|error| error.to_string())?, f64::INFINITY));
    }
    for _ in 0..rounds {
        for (_, world, best) in &mut worlds {
            let start = Instant::now();
            (0..ROUND).for_each(|_| world.step());
            let milliseconds = 1e3 * start.elapsed().as_secs_f64() / f64::from(ROUND);
            *best = if milliseconds < *best { milliseconds } else { *best };
        }
    }
    println!("| {agents} agents | ms per tick | of the first | neighbours | ns per pair |\n|---|---|---|---|---|");
    let first = worlds[0].2;
    for (name, world, best) in &worlds {
        let neighbours = world.profile().mean_neighbours();
        let pair = 1e6 * best / (agents as f64 * neighbours);
        println!("| {name} | {best:.2} | {:.2} | {neighbours:.1} | {pair:.2} |", best / first);
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|number| number.parse()).collect::<Result<_, _>>()?;
    let (agents, rounds) = (numbers.first().copied().unwrap_or(100_000), numbers.get(1).copied().unwrap_or(6));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        print(agents, rounds, nearby())?;
        println!();
        print(2000, 1, everywhere())
    })?;
    Ok(())
}
