//! Prints a Markdown table of the time per tick of agents that align with their nearest neighbours, by the radius within
//! which these are searched: the shortest one that holds the neighbours of most agents, four times that, and the world.
//! `nearest [MOST_AGENTS] [K] [ROUNDS]`.
//!
//! All worlds have one agent per square or cubic metre on average, which moves by half a metre in a tick, and run on one
//! thread. The worlds of a row take turns, and the fastest round of each counts. `benches/peers/nearest.py` is the
//! comparison with SciPy.

use std::time::Instant;

use throng::behaviours::Alignment;
use throng::{Edge, Noise, Settings, Species, SpeciesFilter, Vector, World};
use throng_bench::execution;

/// The kinds of worlds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Evenly spread in a periodic world.
    Even,
    /// The same in an open world.
    Open,
    /// In clumps of about a hundred, in an open world.
    Clumps,
    /// Five species that perceive each other.
    Species,
    /// With a field of view of half a circle, in an open world.
    HalfView,
}

const KINDS: [(Kind, &str); 5] = [
    (Kind::Even, "even, periodic"),
    (Kind::Open, "even, open"),
    (Kind::Clumps, "clumps, open"),
    (Kind::Species, "five species"),
    (Kind::HalfView, "field of view 180, open"),
];

type Failure = Box<dyn std::error::Error>;

fn world<const D: usize>(kind: Kind, agents: usize, nearest: u32, radius: f32) -> Result<World<D>, Failure> {
    let side = (agents as f64).powf(1.0 / D as f64) as f32;
    let edge = if matches!(kind, Kind::Even | Kind::Species) { Edge::Wrap } else { Edge::Open };
    let settings = Settings { size: Vector::splat(side), edge: [edge; D], tick_seconds: 1.0, ..Settings::default() };
    let mut world = World::<D>::new(settings)?;
    world.set_execution(execution()?)?;
    let species = if kind == Kind::Species { 5 } else { 1 };
    let field_of_view = if kind == Kind::HalfView { 180.0 } else { 360.0 };
    let rule = Alignment { radius, nearest, fov: field_of_view, from: SpeciesFilter::All, ..Alignment::default() };
    let ids: Vec<_> = (0..species)
        .map(|number| {
            let species = Species::new(format!("species_{number}")).with(1.0, rule.clone()).with_max_speed(0.5);
            world.add_species(species)
        })
        .collect::<Result<_, _>>()?;
    let mut noise = Noise::new(1, 0, 0, Noise::USER);
    let mut centre = Vector::<D>::ZERO;
    for number in 0..agents {
        if number % 100 == 0 {
            centre = Vector::from_fn(|_| noise.between(0.0, side));
        }
        let at = match kind {
            Kind::Clumps => {
                let offset: Vector<D> = Vector::from_fn(|_| noise.normal());
                Vector::from_fn(|axis| (centre[axis] + offset[axis]).clamp(0.0, side))
            }
            _ => Vector::from_fn(|_| noise.between(0.0, 0.9999 * side)),
        };
        world.spawn(ids[number % species], at, noise.direction() * 0.5)?;
    }
    Ok(world)
}

/// The fastest round of worlds with these radii, in milliseconds per tick. In open worlds agents leave each other, so
/// that a round is made of new worlds.
fn measure<const D: usize>(kind: Kind, agents: usize, nearest: u32, rounds: u32) -> Result<[f64; 3], Failure> {
    let ticks = if agents > 100_000 { 4 } else { 16 };
    // A ball of twice the wanted number at the density of one.
    let volume = 2.0 * f64::from(nearest + 1);
    let best = if D == 2 {
        (volume / std::f64::consts::PI).sqrt()
    } else {
        (volume * 3.0 / 4.0 / std::f64::consts::PI).cbrt()
    } as f32;
    let best = if kind == Kind::HalfView { 1.4 * best } else { best };
    let mut times = [f64::INFINITY; 3];
    for _ in 0..rounds {
        for (time, radius) in times.iter_mut().zip([best, 4.0 * best, 1e6]) {
            let mut world = world::<D>(kind, agents, nearest, radius)?;
            // The first ticks arrange the rows.
            (0..2).for_each(|_| world.step());
            let start = Instant::now();
            (0..ticks).for_each(|_| world.step());
            let milliseconds = 1e3 * start.elapsed().as_secs_f64() / f64::from(ticks);
            *time = if milliseconds < *time { milliseconds } else { *time };
        }
    }
    Ok(times)
}

fn main() -> Result<(), Failure> {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|number| number.parse()).collect::<Result<_, _>>()?;
    let number = |place: usize, usual: usize| numbers.get(place).copied().unwrap_or(usual);
    let (most, nearest, rounds) = (number(0, 100_000), number(1, 7) as u32, number(2, 3) as u32);
    println!("| nearest {nearest} | dimensions | agents | short radius, ms | 4 times | all | all, µs per agent |");
    println!("|---|---|---|---|---|---|---|");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for (kind, name) in KINDS {
        for agents in [1000, 5000, 100_000, 1_000_000].into_iter().filter(|&agents| agents <= most) {
            for dimensions in [2, 3] {
                let [best, wide, all] = pool.install(|| match dimensions {
                    2 => measure::<2>(kind, agents, nearest, rounds).map_err(|error| error.to_string()),
                    _ => measure::<3>(kind, agents, nearest, rounds).map_err(|error| error.to_string()),
                })?;
                let each = 1e3 * all / agents as f64;
                println!("| {name} | {dimensions} | {agents} | {best:.3} | {wide:.3} | {all:.3} | {each:.2} |");
            }
        }
    }
    Ok(())
}
