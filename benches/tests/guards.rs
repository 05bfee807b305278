//! Does a tick look at more candidates than it did, or a world need more memory? Numbers that no noise reaches: time
//! is measured elsewhere.

use peak_alloc::PeakAlloc;
use throng::InstructionSet;
use throng_bench::{Flock, Kind, Rounds, design::ROUND, design::WARM};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const AGENTS: usize = 20_000;

/// Candidates per neighbour and bytes per agent of one design, over a round.
fn count<const D: usize>(kind: Kind, set: InstructionSet) -> (f64, f64) {
    let flock = Flock::<D>::new(AGENTS);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let make = || kind.make(&flock, set).unwrap();
    let mut design = make();
    pool.install(|| (0..WARM + ROUND).for_each(|_| design.tick()));
    let bytes = ALLOCATOR.peak_usage() - before;
    let mut rounds = Rounds::default();
    pool.install(|| rounds.round(&mut *make(), ROUND));
    let counts = rounds.totals.counts;
    (counts.candidates as f64 / counts.neighbours as f64, bytes as f64 / AGENTS as f64)
}

/// Whether a number is at most what it may be. What was gained is to be kept: a limit is not much more than the number.
fn holds(what: &str, value: f64, most: f64) -> bool {
    println!("{what}: {value:.3}, at most {most}");
    value <= most && value >= 0.9 * most
}

/// One test: two at once would count each other's memory.
#[test]
fn candidates_and_memory() {
    // Candidates of clusters, and of half clusters: with narrower registers than those of AVX-512.
    let limits = [
        (InstructionSet::Avx512, [3.52, 7.1, 3.4, 5.4, 118.0, 136.0, 138.0, 176.0]),
        (InstructionSet::Baseline, [2.25, 3.15, 2.54, 3.76, 118.0, 137.0, 138.0, 183.0]),
    ];
    let available: Vec<_> = InstructionSet::available().collect();
    let mut all = Vec::new();
    for (set, limits) in limits.into_iter().filter(|(set, _)| available.contains(set)) {
        let (fresh, kept) = (count::<2>(Kind::Fresh, set), count::<2>(Kind::Kept, set));
        let (fresh_3d, kept_3d) = (count::<3>(Kind::Fresh, set), count::<3>(Kind::Kept, set));
        let found = [
            ("candidates per pair, 2D, fresh", fresh.0),
            ("candidates per pair, 3D, fresh", fresh_3d.0),
            ("candidates per pair, 2D, kept", kept.0),
            ("candidates per pair, 3D, kept", kept_3d.0),
            ("bytes per agent, 2D, fresh", fresh.1),
            ("bytes per agent, 2D, kept", kept.1),
            ("bytes per agent, 3D, fresh", fresh_3d.1),
            ("bytes per agent, 3D, kept", kept_3d.1),
        ];
        all.extend(
            found.into_iter().zip(limits).map(|((what, value), most)| holds(&format!("{what}, {set}"), value, most)),
        );
    }
    assert!(!all.contains(&false), "more than it may be, or so much less that its limit can be lowered");
}
