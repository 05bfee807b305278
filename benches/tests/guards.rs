//! Limits on candidates per pair and on memory per agent. Neither depends on noise; time is measured elsewhere.

use peak_alloc::PeakAlloc;
use throng::InstructionSet;
use throng_bench::{Flock, Kind, Rounds, design::ROUND, design::WARM};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const AGENTS: usize = 20_000;

/// Runs one design for a round; returns candidates per neighbour and peak bytes per agent.
fn count<const D: usize>(kind: Kind) -> (f64, f64) {
    let flock = Flock::<D>::new(AGENTS);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let make = || kind.make(&flock, InstructionSet::widest()).unwrap();
    let mut design = make();
    pool.install(|| (0..WARM + ROUND).for_each(|_| design.tick()));
    let bytes = ALLOCATOR.peak_usage() - before;
    let mut rounds = Rounds::default();
    pool.install(|| rounds.round(&mut *make(), ROUND));
    let counts = rounds.totals.counts;
    (counts.candidates as f64 / counts.neighbours as f64, bytes as f64 / AGENTS as f64)
}

/// Returns whether a number is within ten per cent below its limit. A limit far above the number would let gains slip
/// away.
fn holds(what: &str, value: f64, most: f64) -> bool {
    println!("{what}: {value:.3}, at most {most}");
    value <= most && value >= 0.9 * most
}

/// A single test: two tests at once would count each other's memory.
#[test]
fn candidates_and_memory() {
    let (fresh, kept) = (count::<2>(Kind::Fresh), count::<2>(Kind::Kept));
    let (fresh_3d, kept_3d) = (count::<3>(Kind::Fresh), count::<3>(Kind::Kept));
    let all = [
        holds("candidates per pair, 2D", fresh.0, 3.52),
        holds("candidates per pair, 3D", fresh_3d.0, 7.1),
        holds("bytes per agent, 2D, fresh", fresh.1, 118.0),
        holds("bytes per agent, 2D, kept", kept.1, 136.0),
        holds("bytes per agent, 3D, fresh", fresh_3d.1, 138.0),
        holds("bytes per agent, 3D, kept", kept_3d.1, 176.0),
    ];
    assert!(!all.contains(&false), "a number exceeds its limit, or is less than 90 % of it: lower the limit then");
}
