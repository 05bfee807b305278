//! Prints a Markdown table of the time per tick of the models of motion beside the plain flock, in the same world.
//! `models [AGENTS] [ROUNDS]`.
//!
//! All worlds have the agents, the density, the speed and the tick of the plain flock: about twenty neighbours, and a
//! hundredth of the radius per tick. They take turns, and the fastest round of each counts.

use std::sync::Arc;
use std::time::Instant;

use throng::motions::{ActiveBrownian, GregoireChate, MovedWith, NoiseKind, Vicsek};
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|number| number.parse()).collect::<Result<_, _>>()?;
    let (agents, rounds) = (numbers.first().copied().unwrap_or(100_000), numbers.get(1).copied().unwrap_or(6));
    let vicsek = Vicsek { radius: RADIUS, ..Vicsek::default() };
    let vectorial = Vicsek { noise_kind: NoiseKind::Vectorial, moved_with: MovedWith::NewHeading, ..vicsek.clone() };
    let listing = GregoireChate { radius: RADIUS, core: 2.0, equilibrium: 5.0, attraction: 8.0, ..Default::default() };
    let models: [(&str, Option<Arc<dyn Motion<2>>>); 5] = [
        ("plain flock", None),
        ("vicsek", Some(Arc::new(vicsek))),
        ("vicsek, vectorial", Some(Arc::new(vectorial))),
        ("active_brownian", Some(Arc::new(ActiveBrownian::default()))),
        ("gregoire_chate", Some(Arc::new(listing))),
    ];
    let mut worlds = Vec::new();
    for (name, motion) in models {
        worlds.push((name, world(agents, motion)?, f64::INFINITY));
    }
    for _ in 0..rounds {
        for (_, world, best) in &mut worlds {
            let start = Instant::now();
            (0..ROUND).for_each(|_| world.step());
            let milliseconds = 1e3 * start.elapsed().as_secs_f64() / f64::from(ROUND);
            *best = if milliseconds < *best { milliseconds } else { *best };
        }
    }
    println!("| {agents} agents | ms per tick | of the plain flock | neighbours |\n|---|---|---|---|");
    let plain = worlds[0].2;
    for (name, world, best) in &worlds {
        println!("| {name} | {best:.2} | {:.2} | {:.1} |", best / plain, world.profile().mean_neighbours());
    }
    Ok(())
}
