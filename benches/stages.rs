//! Benchmarks of each stage of a tick, by throng's own profile, summed over ticks.
//!
//! ```text
//! cargo bench -p throng-bench --bench stages -- 2d/index
//! ```

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use throng::{Execution, NeighbourLists, World};
use throng_bench::design::{INTERVAL, ROUND};
use throng_bench::{Flock, execution};

/// The stages in which a flock spends time.
const STAGES: [&str; 6] = ["arrange", "index", "steer", "quarantine", "integrate", "confine"];

fn bench<const D: usize>(criterion: &mut Criterion, agents: usize) {
    let mut group = criterion.benchmark_group(format!("{D}d"));
    group.sampling_mode(SamplingMode::Flat).sample_size(10).throughput(Throughput::Elements(agents as u64));
    let start = Flock::<D>::new(agents);
    let fresh = Execution { neighbour_lists: NeighbourLists::Fresh, ..execution().expect("THRONG_ISA") };
    let start = || start.world(fresh).expect("this machine has the instruction set");
    for stage in STAGES {
        let mut world: World<D> = start();
        group.bench_function(BenchmarkId::new(stage, agents), |bencher| {
            bencher.iter_custom(|ticks| {
                let whole = ticks.next_multiple_of(INTERVAL);
                let mut milliseconds = 0.0;
                for _ in 0..whole {
                    if world.tick() > INTERVAL + ROUND {
                        world = start();
                    }
                    world.step();
                    let stages = world.profile().stages();
                    milliseconds += stages.iter().find(|(name, _)| *name == stage).map_or(0.0, |(_, time)| *time);
                }
                // Criterion does not accept a duration of zero.
                Duration::from_secs_f64(milliseconds / 1e3 * ticks as f64 / whole as f64 + 1e-9)
            });
        });
    }
    group.finish();
}

fn main() {
    let agents = if std::env::args().any(|argument| argument == "--test") { 1_000 } else { 100_000 };
    let pool = rayon::ThreadPoolBuilder::new().build().expect("the pool of threads starts");
    pool.install(|| {
        let mut criterion = Criterion::default().configure_from_args();
        bench::<2>(&mut criterion, agents);
        bench::<3>(&mut criterion, agents);
        criterion.final_summary();
    });
}
