//! Benchmarks of a tick: one flock (`src/flock.rs`) in throng, in a grid of cells with the same kernels (`src/grid/`)
//! and in a tree of agents (`src/literal.rs`), with the same agents and rules, in one pool.
//!
//! A round starts from the same state and runs [`WARM`] ticks off the clock, then [`ROUND`] ticks on it. An iteration
//! is one tick. `throng bench` measures the same, with counts, hashes and plots.
//!
//! ```text
//! cargo bench -p throng-bench --bench tick              everything, in a few minutes
//! cargo bench -p throng-bench --bench tick -- 2d/throng one of them
//! cargo bench -p throng-bench --bench tick -- --test    each once, up to ten thousand agents
//! RAYON_NUM_THREADS=1 THRONG_ISA=avx2 cargo bench -p throng-bench --bench tick
//! ```

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use throng::{InstructionSet, World};
use throng_bench::design::{INTERVAL, ROUND, WARM};
use throng_bench::{Design, Flock, Grid, PerAgentTree, execution};

/// The flock in throng, with default execution.
fn world<const D: usize>(flock: &Flock<D>) -> World<D> {
    flock.world(execution().expect("THRONG_ISA")).expect("this machine has the instruction set")
}

/// Rounds of ticks that all start from the same state.
struct RoundTimer<S, N: Fn() -> S, T: Fn(&mut S)> {
    start: N,
    tick: T,
    state: Option<S>,
    /// Ticks to the end of the round.
    left: u64,
}

impl<S, N: Fn() -> S, T: Fn(&mut S)> RoundTimer<S, N, T> {
    fn new(start: N, tick: T) -> Self {
        Self { start, tick, state: None, left: 0 }
    }

    /// Runs the next `ticks` ticks; returns their time.
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
        // Criterion calls the closure once per sample; rounds continue from one sample to the next.
        let mut rounds = RoundTimer::new(|| world(&flock), World::step);
        group.bench_function(BenchmarkId::new("throng", agents), |bencher| {
            // Whole intervals: rows are arranged in one tick of each, and every tick bears its share.
            bencher.iter_custom(|ticks| {
                let whole = ticks.next_multiple_of(INTERVAL);
                rounds.time(whole).mul_f64(ticks as f64 / whole as f64)
            });
        });
        let set = world(&flock).instruction_set();
        let mut rounds = RoundTimer::new(|| grid(&flock, set), Grid::tick);
        group.bench_function(BenchmarkId::new("grid", agents), |bencher| {
            bencher.iter_custom(|ticks| rounds.time(ticks))
        });
        let mut rounds = RoundTimer::new(|| PerAgentTree::<D>::new(&flock), PerAgentTree::tick);
        group.bench_function(BenchmarkId::new("literal", agents), |bencher| {
            bencher.iter_custom(|ticks| rounds.time(ticks));
        });
    }
    group.finish();
}

/// The flock in a grid of cells.
fn grid<const D: usize>(flock: &Flock<D>, set: InstructionSet) -> Grid<D> {
    Grid::new(flock, set).expect("this machine has the instruction set")
}

fn main() {
    let sizes: &[usize] = if std::env::args().any(|argument| argument == "--test") {
        &[1_000, 10_000]
    } else {
        &[1_000, 10_000, 100_000]
    };
    // One pool for all designs. The main thread belongs to it, so no design pays for a switch to another thread.
    let pool = rayon::ThreadPoolBuilder::new().build().expect("the pool of threads starts");
    pool.install(|| {
        let mut criterion = Criterion::default().configure_from_args();
        bench::<2>(&mut criterion, sizes);
        bench::<3>(&mut criterion, sizes);
        criterion.final_summary();
    });
}
