//! Benchmarks of each kernel by itself, with each instruction set, on one core, and of the index.
//!
//! ```text
//! cargo bench -p throng-bench --bench kernels -- pairs/2d
//! ```

use criterion::{BenchmarkId, Criterion, Throughput};
use throng::InstructionSet;
use throng::bench_kernels::Tile;
use throng_bench::roofline::{CANDIDATES, tile};

/// A number of agents that stay in the first-level cache.
const FEW: usize = 1024;

/// A number of agents as in a tick.
const MANY: usize = 65_536;

/// The name of a benchmark, its number of agents, and the kernel.
type Work<const D: usize> = (&'static str, usize, fn(&mut Tile<D>) -> u64);

fn bench<const D: usize>(criterion: &mut Criterion, many: usize) {
    let works: [Work<D>; 6] = [
        ("pairs", FEW, Tile::add_pairs),
        ("find", many, Tile::find),
        ("listed", many, Tile::add_pairs),
        ("index", many, Tile::index),
        ("steer", FEW, Tile::steer),
        ("integrate", FEW, Tile::integrate),
    ];
    for (name, agents, work) in works {
        let mut group = criterion.benchmark_group(format!("{name}/{D}d"));
        group.sample_size(20);
        for set in InstructionSet::available() {
            let mut tile = tile::<D>(agents, set).expect("this machine has the instruction set");
            if name == "pairs" {
                tile.list(CANDIDATES);
            } else {
                tile.find();
            }
            group.throughput(Throughput::Elements(work(&mut tile)));
            group.bench_function(BenchmarkId::from_parameter(set), |bencher| bencher.iter(|| work(&mut tile)));
        }
        group.finish();
    }
}

fn main() {
    let test = std::env::args().any(|argument| argument == "--test");
    let many = if test { FEW } else { MANY };
    // One thread: kernels use one in any case, the index would use all.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("the pool of threads starts");
    pool.install(|| {
        let mut criterion = Criterion::default().configure_from_args();
        bench::<2>(&mut criterion, many);
        bench::<3>(&mut criterion, many);
        criterion.final_summary();
    });
}
