//! How long does a tick take? One flock in throng and, beside it, in the literal reading of "agents in a struct of
//! arrays, indexed in an R-tree each tick" (`literal/mod.rs`): the same agents, rules and numbers, in one pool.
//!
//! Workload `flock`: N agents spread evenly over a periodic square or cube, each with about twenty neighbours within
//! its perception radius; separation within half of it; a hundredth of it per tick at full speed. A round starts from
//! the same state, makes [`WARM`] ticks that are not counted and [`ROUND`] ticks that are; an iteration is one tick.
//!
//! ```text
//! cargo bench -p throng --bench tick              everything, in some minutes
//! cargo bench -p throng --bench tick -- 2d/throng one of them
//! cargo bench -p throng --bench tick -- --test    each once, up to ten thousand agents
//! RAYON_NUM_THREADS=1 THRONG_ISA=avx2 cargo bench -p throng --bench tick
//! ```

use std::sync::Once;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use throng::behaviours::{Alignment, Cohesion, Separation};
use throng::{Noise, Settings, Species, Vector, World};

mod literal;

use literal::Literal;

const NEIGHBOURS: f64 = 20.0;
const RADIUS: f32 = 10.0;
const SEPARATION_RADIUS: f32 = RADIUS / 2.0;
const MAX_SPEED: f32 = 1.0;
const MAX_FORCE: f32 = 1.0;
const RESPONSE: f32 = 1.0;
const TICK_SECONDS: f32 = 0.1;
const SEED: u64 = 7;

/// Ticks from one arrangement of throng's rows to the next.
const INTERVAL: u64 = 16;

/// Ticks of a round before the clock starts.
const WARM: u64 = INTERVAL;

/// Ticks of a round on the clock. An agent goes less than half a perception radius, so the flock stays spread out.
const ROUND: u64 = 2 * INTERVAL;

/// Where a flock starts.
struct Flock<const D: usize> {
    size: f32,
    position: Vec<Vector<D>>,
    velocity: Vec<Vector<D>>,
}

impl<const D: usize> Flock<D> {
    fn new(agents: usize) -> Self {
        let radius = f64::from(RADIUS);
        let ball = std::f64::consts::PI * if D == 2 { radius.powi(2) } else { 4.0 / 3.0 * radius.powi(3) };
        let size = (agents as f64 * ball / NEIGHBOURS).powf(1.0 / D as f64) as f32;
        let mut flock = Self { size, position: Vec::new(), velocity: Vec::new() };
        for number in 0..agents as u64 {
            let mut noise = Noise::new(SEED, number, 0, Noise::USER);
            flock.position.push(Vector::from_fn(|_| noise.between(0.0, size)));
            flock.velocity.push(noise.direction() * MAX_SPEED);
        }
        flock
    }

    /// The flock in throng.
    fn world(&self) -> World<D> {
        let mut world = World::new(Settings {
            size: Vector::splat(self.size),
            tick_seconds: TICK_SECONDS,
            seed: SEED,
            ..Settings::default()
        })
        .expect("the settings are in range");
        let mut boid = Species::new("boid")
            .with(1.0, Separation { radius: SEPARATION_RADIUS, ..Separation::default() })
            .with(1.0, Alignment { radius: RADIUS, ..Alignment::default() })
            .with(1.0, Cohesion { radius: RADIUS, ..Cohesion::default() });
        (boid.max_speed, boid.max_force, boid.response) = (MAX_SPEED.into(), MAX_FORCE.into(), RESPONSE);
        let boid = world.add_species(boid).expect("the limits are in range");
        for (position, velocity) in self.position.iter().zip(&self.velocity) {
            world.spawn(boid, *position, *velocity).expect("the flock is inside the world");
        }
        world
    }
}

/// Rounds of ticks that all start from the same state.
struct Rounds<S, N: Fn() -> S, T: Fn(&mut S)> {
    start: N,
    tick: T,
    state: Option<S>,
    /// Ticks to the end of the round.
    left: u64,
}

impl<S, N: Fn() -> S, T: Fn(&mut S)> Rounds<S, N, T> {
    fn new(start: N, tick: T) -> Self {
        Self { start, tick, state: None, left: 0 }
    }

    /// The time of the next `ticks` ticks.
    fn time(&mut self, mut ticks: u64) -> Duration {
        let mut time = Duration::ZERO;
        while ticks > 0 {
            if self.left == 0 {
                let mut state = (self.start)();
                (0..WARM).for_each(|_| (self.tick)(&mut state));
                (self.state, self.left) = (Some(state), ROUND);
            }
            let Some(state) = &mut self.state else { break };
            let now = if ticks < self.left { ticks } else { self.left };
            let began = Instant::now();
            (0..now).for_each(|_| (self.tick)(state));
            time += began.elapsed();
            self.left -= now;
            ticks -= now;
        }
        time
    }
}

fn bench<const D: usize>(criterion: &mut Criterion, sizes: &[usize]) {
    let mut group = criterion.benchmark_group(format!("{D}d"));
    group.sampling_mode(SamplingMode::Flat).sample_size(20);
    for &agents in sizes {
        let flock = Flock::<D>::new(agents);
        group.throughput(Throughput::Elements(agents as u64));
        // Criterion calls what it measures once per sample: the rounds go on from one to the next.
        let mut rounds = Rounds::new(|| flock.world(), World::step);
        group.bench_function(BenchmarkId::new("throng", agents), |bencher| {
            // Whole intervals: rows are arranged in one tick of sixteen, and every tick is to bear its share.
            bencher.iter_custom(|ticks| {
                let whole = ticks.next_multiple_of(INTERVAL);
                rounds.time(whole).mul_f64(ticks as f64 / whole as f64)
            });
        });
        let mut rounds = Rounds::new(|| Literal::new(&flock), Literal::tick);
        let checked = Once::new();
        group.bench_function(BenchmarkId::new("literal", agents), |bencher| {
            checked.call_once(|| check(&flock));
            bencher.iter_custom(|ticks| rounds.time(ticks));
        });
    }
    group.finish();
}

/// Fails unless both find the same neighbours and move the agents to the same places, but for rounding.
fn check<const D: usize>(flock: &Flock<D>) {
    let (mut world, mut literal) = (flock.world(), Literal::new(flock));
    let boid = world.species_ids().next().expect("there is one species");
    let ids = world.agents(boid).expect("there is one species").ids().to_vec();
    world.step();
    literal.tick();

    let (ours, theirs) = (world.profile().mean_neighbours(), literal.mean_neighbours());
    assert!((ours - theirs).abs() <= 1e-4 * theirs, "neighbours: {ours} in throng, {theirs} in the tree of agents");
    assert!((ours / NEIGHBOURS - 1.0).abs() < 0.1, "{ours} neighbours are not about {NEIGHBOURS}");
    assert_eq!(world.profile().capped, 0, "throng did not look at every candidate");
    for (row, id) in ids.into_iter().enumerate() {
        let (species, place) = world.find(id).expect("nobody dies");
        let ours = world.agents(species).expect("there is one species").position(place);
        let apart = world.settings().offset(ours, literal.position(row)).length();
        // A pair at just the radius, or two agents almost on one point, may be rounded either way.
        assert!(apart < 0.1 * MAX_SPEED * TICK_SECONDS, "agent {id} is {apart} m apart");
    }
}

fn main() {
    let sizes: &[usize] = if std::env::args().any(|argument| argument == "--test") {
        &[1_000, 10_000]
    } else {
        &[1_000, 10_000, 100_000]
    };
    // One pool for both, and the main thread is in it: nobody pays for being handed over to another thread.
    let pool = rayon::ThreadPoolBuilder::new().build().expect("a pool of threads");
    pool.install(|| {
        let mut criterion = Criterion::default().configure_from_args();
        bench::<2>(&mut criterion, sizes);
        bench::<3>(&mut criterion, sizes);
        criterion.final_summary();
    });
}
