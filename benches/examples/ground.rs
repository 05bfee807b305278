//! Prints the figures of docs/dev/measurements.md on walls, ways and the stadium.
//!
//! ```text
//! cargo run --release -p throng-bench --example ground
//! cargo run --release -p throng-bench --example ground -- walls
//! cargo run --release -p throng-bench --example ground -- walls 10 10000
//! cargo run --release -p throng-bench --example ground -- ways
//! cargo run --release -p throng-bench --example ground -- stadium
//! ```

use std::path::Path;
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use throng::behaviours::{Alignment, AvoidWalls, Cohesion, Separation};
use throng::{Edge, Error, Goal, Navigation, Noise, Settings, Species, Vector, Wall, World};
use throng_bench::Flock;
use throng_bench::flock::{MAX_FORCE, MAX_SPEED, RADIUS, RESPONSE, SEPARATION_RADIUS, TICK_SECONDS};
use throng_scenario::Scenario;

const THREADS: usize = 2;
const AGENTS: usize = 50_000;

/// Numbers of walls; each has its ratio to the first.
const WALLS: [usize; 4] = [10, 100, 1000, 10_000];

/// The length of a wall, in metres.
const LENGTH: f32 = 2.0;

/// Ticks of a round before the clock starts, and on it.
const WARM: usize = 32;
const TIMED: usize = 64;

/// Rounds of each world, whose fastest and median times are printed. The worlds take turns.
const ROUNDS: usize = 7;

/// The cells of a navigation field along each side, and the length of a cell in metres.
const CELLS: u16 = 1000;
const CELL: f32 = 0.1;

/// The ticks of the stadium on the clock, while all are inside.
const INSIDE: u64 = 200;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let only = std::env::args().nth(1);
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    let pool = ThreadPoolBuilder::new().num_threads(THREADS).build()?;
    if wanted("walls") {
        let numbers: Result<Vec<usize>, _> = std::env::args().skip(2).map(|number| number.parse()).collect();
        let numbers = numbers?;
        pool.install(|| walls(if numbers.is_empty() { &WALLS } else { &numbers }))?;
    }
    if wanted("ways") {
        pool.install(ways)?;
    }
    if wanted("stadium") {
        pool.install(stadium)?;
    }
    Ok(())
}

/// Compares a flock among few walls with one among many, with and without the rule that sees them.
fn walls(numbers: &[usize]) -> Result<(), Error> {
    println!("| flock of {AGENTS} | walls | ms per tick, best | median | ratio of the best | of the medians |");
    println!("|---|---|---|---|---|---|");
    for (name, sees) in [("held by walls", false), ("steers along walls too", true)] {
        let worlds: Result<Vec<_>, Error> = numbers.iter().map(|&number| flock(number, sees)).collect();
        let (mut worlds, mut times) = (worlds?, vec![Vec::new(); numbers.len()]);
        for _ in 0..ROUNDS {
            for (world, times) in worlds.iter_mut().zip(&mut times) {
                (0..WARM).for_each(|_| world.step());
                let start = Instant::now();
                (0..TIMED).for_each(|_| world.step());
                times.push(start.elapsed().as_secs_f64() * 1e3 / TIMED as f64);
            }
        }
        times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
        let (best, median) = (|times: &[f64]| times[0], |times: &[f64]| times[times.len() / 2]);
        for (number, these) in numbers.iter().zip(&times) {
            let ratios = [best(these) / best(&times[0]), median(these) / median(&times[0])];
            let [of_best, of_medians] = ratios;
            let (best, median) = (best(these), median(these));
            println!("| {name} | {number} | {best:.3} | {median:.3} | {of_best:.2} | {of_medians:.2} |");
        }
    }
    Ok(())
}

/// Makes a flock among walls that lie anywhere, in any direction.
fn flock(walls: usize, sees: bool) -> Result<World<2>, Error> {
    let flock = Flock::<2>::new(AGENTS);
    let size = Vector::splat(flock.size);
    let mut world = World::new(Settings { size, tick_seconds: TICK_SECONDS, seed: 7, ..Settings::default() })?;
    let mut noise = Noise::new(1, 0, 0, Noise::USER);
    for _ in 0..walls {
        let from = Vector::from_fn(|_| noise.between(0.0, flock.size));
        world.environment_mut().walls.add(Wall::segment(from, from + noise.direction() * LENGTH))?;
    }
    let mut boid = Species::new("boid")
        .with(1.0, Separation { radius: SEPARATION_RADIUS, ..Separation::default() })
        .with(1.0, Alignment { radius: RADIUS, ..Alignment::default() })
        .with(1.0, Cohesion { radius: RADIUS, ..Cohesion::default() });
    if sees {
        boid = boid.with(1.0, AvoidWalls::default());
    }
    (boid.max_speed, boid.max_force, boid.response) = (MAX_SPEED.into(), MAX_FORCE.into(), RESPONSE);
    let boid = world.add_species(boid)?;
    for (position, velocity) in flock.position.iter().zip(&flock.velocity) {
        world.spawn(boid, *position, *velocity)?;
    }
    Ok(world)
}

/// Measures the computation of navigation fields: the first tick of a world without agents.
fn ways() -> Result<(), Error> {
    println!("| fields of {CELLS} x {CELLS} cells | walls | ms, best | median |");
    println!("|---|---|---|---|");
    for (fields, walls) in [(1, 0), (1, 100), (1, 1000), (2, 100)] {
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let size = f32::from(CELLS) * CELL;
            let mut world = World::<2>::new(Settings {
                size: Vector::splat(size),
                edge: [Edge::Bounce; 2],
                ..Settings::default()
            })?;
            let mut noise = Noise::new(3, 0, 0, Noise::USER);
            for _ in 0..walls {
                let from = Vector::from_fn(|_| noise.between(0.0, size));
                world.environment_mut().walls.add(Wall::segment(from, from + noise.direction() * LENGTH))?;
            }
            for field in 0..fields {
                let goal = Goal::Point(Vector([0.1 * size, size * (0.2 + 0.5 * field as f32)]));
                let ways = Navigation { cell: Some(CELL), ..Navigation::new(format!("way {field}"), vec![goal]) };
                world.environment_mut().navigations.add(ways)?;
            }
            let start = Instant::now();
            world.step();
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        println!("| {fields} | {walls} | {:.0} | {:.0} |", times[0], times[times.len() / 2]);
    }
    Ok(())
}

/// Measures the first ticks of the stadium, and runs it until it is empty.
fn stadium() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/stadium.toml");
    let scenario = Scenario::load(&file)?;
    let mut world = scenario.build::<2>()?;
    // The first tick places the crowd and finds the ways.
    let start = Instant::now();
    world.step();
    println!("first tick {:.2} s, {} agents", start.elapsed().as_secs_f64(), world.population());
    let start = Instant::now();
    (1..INSIDE).for_each(|_| world.step());
    let rate = (INSIDE - 1) as f64 / start.elapsed().as_secs_f64();
    println!("stadium, ticks 2 to {INSIDE}: {rate:.1} ticks per second, {} agents", world.population());
    let start = Instant::now();
    while world.population() > 0 && world.tick() < 2 * scenario.ticks() {
        world.step();
        if world.tick().is_multiple_of(1000) {
            println!("tick {}: {} agents", world.tick(), world.population());
        }
    }
    let (tick, left, seconds) = (world.tick(), world.population(), start.elapsed().as_secs_f64());
    println!("tick {tick}: {left} agents, after {seconds:.0} s more");
    Ok(())
}
