//! Prints workloads beside the plain flock, and the list kernel beside its roofline, which docs/dev/measurements.md
//! records. Takes about a minute.
//!
//! ```text
//! cargo run --release -p throng-bench --example workloads
//! ```

use std::time::Instant;

use peak_alloc::PeakAlloc;
use throng::behaviours::{Alignment, Cohesion, Separation};
use throng::{
    AgentRef, Behaviour, Error, Execution, Inputs, InstructionSet, Noise, Perception, Settings, Species, SpeciesFilter,
    Vector, World,
};
use throng_bench::flock::{MAX_FORCE, MAX_SPEED, RADIUS, RESPONSE, SEPARATION_RADIUS, TICK_SECONDS};
use throng_bench::{Flock, roofline};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const AGENTS: usize = 100_000;

/// Ticks of a round before the clock starts, and on it: one whole interval between arrangements.
const WARM: usize = 16;
const TIMED: usize = 32;

/// Rounds per workload; the fastest counts. The workloads take turns.
const ROUNDS: usize = 5;

/// A user's rule that reads its neighbours one by one and steers away from the nearest.
#[derive(Debug)]
struct AvoidNearest(SpeciesFilter);

impl<const D: usize> Behaviour<D> for AvoidNearest {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(SEPARATION_RADIUS, &self.0))
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let nearest = me.neighbours(0).min_by(|a, b| a.distance_squared.total_cmp(&b.distance_squared));
        nearest.map_or(Vector::ZERO, |nearest| me.towards(-nearest.offset.direction() * me.max_speed()))
    }
}

/// A user's rule that reads only its own agent and pushes in a random direction.
#[derive(Debug)]
struct Restless;

impl<const D: usize> Behaviour<D> for Restless {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.noise(Noise::USER).direction() * 0.1
    }
}

/// The difference of a flock from the plain one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Workload {
    Plain,
    Fov,
    Radii,
    TwoSpecies,
    OwnRule,
    OwnListRule,
    Clumps,
    OnePoint,
}

impl Workload {
    fn species<const D: usize>(self, name: &str) -> Species<D> {
        let fov = if self == Self::Fov { 270.0 } else { 360.0 };
        let alignment = if self == Self::Radii { 0.75 * RADIUS } else { RADIUS };
        let mut boid = Species::new(name)
            .with(1.0, Separation { radius: SEPARATION_RADIUS, fov, from: SpeciesFilter::All, ..Separation::default() })
            .with(1.0, Alignment { radius: alignment, fov, ..Alignment::default() })
            .with(1.0, Cohesion { radius: RADIUS, fov, ..Cohesion::default() });
        if self == Self::OwnRule {
            boid = boid.with(1.0, Restless);
        }
        if self == Self::OwnListRule {
            boid = boid.with(1.0, AvoidNearest(SpeciesFilter::Own));
        }
        (boid.max_speed, boid.max_force, boid.response) = (MAX_SPEED.into(), MAX_FORCE.into(), RESPONSE);
        boid
    }

    fn world<const D: usize>(self, set: InstructionSet) -> Result<World<D>, Error> {
        let flock = Flock::<D>::new(AGENTS);
        let mut world = World::new(Settings {
            size: Vector::splat(flock.size),
            tick_seconds: TICK_SECONDS,
            seed: 7,
            ..Settings::default()
        })?;
        world.set_execution(Execution { instruction_set: Some(set), ..Execution::default() })?;
        let one = world.add_species(self.species("one"))?;
        let other = if self == Self::TwoSpecies { world.add_species(self.species("other"))? } else { one };
        let mut centre = Vector::ZERO;
        for (row, (position, velocity)) in flock.position.iter().zip(&flock.velocity).enumerate() {
            let place = match self {
                Self::OnePoint => Vector::splat(0.5 * flock.size),
                Self::Clumps => {
                    if row % 150 == 0 {
                        centre = *position;
                    }
                    // A clump is a square two radii wide.
                    let offset = *position * (RADIUS / flock.size) - Vector::splat(0.5 * RADIUS);
                    let at = centre + offset * 2.0;
                    Vector::from_fn(|axis| at[axis].rem_euclid(flock.size).clamp(0.0, 0.999_999 * flock.size))
                }
                _ => *position,
            };
            world.spawn(if row % 2 == 0 { one } else { other }, place, *velocity)?;
        }
        Ok(world)
    }
}

/// Runs one round; returns milliseconds per tick, candidates per pair and peak bytes per agent.
fn round<const D: usize>(workload: Workload, set: InstructionSet, warm: usize) -> Result<[f64; 3], Error> {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let mut world = workload.world::<D>(set)?;
    (0..warm).for_each(|_| world.step());
    let (mut candidates, mut neighbours) = (0, 0);
    let began = Instant::now();
    for _ in 0..TIMED {
        world.step();
        candidates += world.profile().candidates;
        neighbours += world.profile().neighbours;
    }
    let milliseconds = began.elapsed().as_secs_f64() * 1e3 / TIMED as f64;
    let bytes = (ALLOCATOR.peak_usage() - before) as f64 / AGENTS as f64;
    Ok([milliseconds, candidates as f64 / neighbours as f64, bytes])
}

/// Measures pair tests per second on one core: on a tile that stays in the cache (the roofline), and over the lists of
/// a whole flock.
fn list_kernel<const D: usize>(set: InstructionSet) -> Result<(f64, f64), Error> {
    let (mut few, mut many) = (roofline::tile::<D>(1024, set)?, roofline::tile::<D>(AGENTS, set)?);
    few.list(roofline::CANDIDATES);
    many.find();
    let rate = |work: &mut dyn FnMut() -> u64| {
        let began = Instant::now();
        let pairs = work();
        pairs as f64 / began.elapsed().as_secs_f64()
    };
    let (mut best_few, mut best_many): (f64, f64) = (0.0, 0.0);
    for _ in 0..40 {
        best_few = best_few.max(rate(&mut || (0..32).map(|_| few.add_pairs()).sum()));
        best_many = best_many.max(rate(&mut || many.add_pairs()));
    }
    Ok((best_few, best_many))
}

fn main() -> Result<(), Error> {
    let widest = InstructionSet::widest();
    println!(
        "| list kernel, {AGENTS} agents, one thread | roofline, G pairs/s | lists, G pairs/s | share |\n|---|---|---|---|"
    );
    for set in InstructionSet::available() {
        for (dimensions, (few, many)) in [(2, list_kernel::<2>(set)?), (3, list_kernel::<3>(set)?)] {
            println!("| {set}, {dimensions}D | {:.2} | {:.2} | {:.0} % |", few / 1e9, many / 1e9, 100.0 * many / few);
        }
    }

    type Round = fn(Workload, InstructionSet, usize) -> Result<[f64; 3], Error>;
    let two: Round = round::<2>;
    let mut all: Vec<(&str, Round, Workload, InstructionSet, usize)> = vec![
        ("plain", two, Workload::Plain, widest, WARM),
        ("plain, 3D", round::<3>, Workload::Plain, widest, WARM),
        ("field of view 270 degrees", two, Workload::Fov, widest, WARM),
        ("a radius for each rule", two, Workload::Radii, widest, WARM),
        ("two species that keep apart", two, Workload::TwoSpecies, widest, WARM),
        ("a rule of one's own", two, Workload::OwnRule, widest, WARM),
        ("one that lists neighbours", two, Workload::OwnListRule, widest, WARM),
        ("clumps of 150", two, Workload::Clumps, widest, 0),
        ("everybody on one point", two, Workload::OnePoint, widest, 0),
    ];
    for set in InstructionSet::available().filter(|&set| set != widest) {
        all.push((set.name(), two, Workload::Plain, set, WARM));
    }
    let mut best = vec![[f64::INFINITY, 0.0, 0.0]; all.len()];
    for _ in 0..ROUNDS {
        for (best, (_, round, workload, set, warm)) in best.iter_mut().zip(&all) {
            let figures = round(*workload, *set, *warm)?;
            if figures[0] < best[0] {
                *best = figures;
            }
        }
    }
    println!(
        "\n| workload, {} threads | ms per tick | to plain | candidates per pair | bytes per agent |",
        rayon::current_num_threads()
    );
    println!("|---|---|---|---|---|");
    for ([milliseconds, candidates, bytes], (name, ..)) in best.iter().zip(&all) {
        println!("| {name} | {milliseconds:.2} | {:.2} | {candidates:.2} | {bytes:.0} |", milliseconds / best[0][0]);
    }
    Ok(())
}
