//! Limits on candidates per pair and on memory per agent. Neither depends on noise; time is measured elsewhere.

use std::io::Write as _;

use peak_alloc::PeakAlloc;
use throng::{Execution, InstructionSet};
use throng_bench::cliffs::{WorldBuilder, all};
use throng_bench::{Counts, DesignKind, Flock, Rounds, design::ROUND, design::WARM};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const AGENTS: usize = 20_000;

/// Runs one design for a round; returns candidates per neighbour and peak bytes per agent.
fn count<const D: usize>(kind: DesignKind, set: InstructionSet) -> (f64, f64) {
    let flock = Flock::<D>::new(AGENTS);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let make = || kind.build(&flock, set).unwrap();
    let mut design = make();
    pool.install(|| (0..WARM + ROUND).for_each(|_| design.tick()));
    let bytes = ALLOCATOR.peak_usage() - before;
    let mut rounds = Rounds::default();
    pool.install(|| rounds.round(&mut *make(), ROUND));
    let counts = rounds.totals.counts;
    (counts.candidates as f64 / counts.neighbours as f64, bytes as f64 / AGENTS as f64)
}

/// Candidates per neighbour of a workload in two dimensions, over a round, with the lists that every machine can make.
fn candidates(name: &str) -> f64 {
    let list = all(AGENTS);
    let workload = list.iter().find(|workload| workload.name == name).unwrap();
    let WorldBuilder::Two(make) = &workload.build else { panic!("{name} has three dimensions") };
    let (mut world, mut counts) = (make().unwrap().world, Counts::default());
    let baseline = Execution { instruction_set: Some(InstructionSet::Baseline), ..Execution::default() };
    world.set_execution(baseline).unwrap();
    for _ in 0..ROUND {
        world.step();
        let profile = world.profile();
        counts.candidates += profile.candidates;
        counts.neighbours += profile.neighbours;
    }
    counts.candidates as f64 / counts.neighbours as f64
}

/// Returns whether a number is within its limit. Prints, also where the test passes, if the limit can be lowered: one far
/// above the number would hide the loss of a gain.
fn within_limit(what: &str, value: f64, most: f64) -> bool {
    println!("{what}: {value:.3}, at most {most}");
    if value < 0.9 * most {
        // Not `println`, whose output the test keeps to itself.
        let _ = writeln!(std::io::stdout(), "limit can be lowered: {what}: {value:.3}, at most {most}");
    }
    value <= most
}

/// A single test: two tests at once would count each other's memory.
#[test]
fn candidates_and_memory() {
    // Candidates of clusters, and of half clusters: with narrower registers than AVX-512 has.
    let limits = [
        (InstructionSet::Avx512, [3.52, 7.1, 3.4, 5.4, 134.0, 138.0, 168.0, 180.0]),
        (InstructionSet::Baseline, [2.25, 3.15, 2.54, 3.76, 134.0, 139.0, 168.0, 188.0]),
    ];
    let available: Vec<_> = InstructionSet::available().collect();
    let mut all = Vec::new();
    for (set, limits) in limits.into_iter().filter(|(set, _)| available.contains(set)) {
        let (fresh, kept) = (count::<2>(DesignKind::Fresh, set), count::<2>(DesignKind::Kept, set));
        let (fresh_3d, kept_3d) = (count::<3>(DesignKind::Fresh, set), count::<3>(DesignKind::Kept, set));
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
            found
                .into_iter()
                .zip(limits)
                .map(|((what, value), most)| within_limit(&format!("{what}, {set}"), value, most)),
        );
    }
    let (several, many) =
        (candidates("2 species that all see each other"), candidates("200 species that all see each other"));
    let (unequal, apart) = (
        candidates("10 species, each half as many, that all see each other"),
        candidates("10 species that keep from all, flock with their own"),
    );
    let few = candidates("10 of a second species, all see");
    all.extend([
        within_limit("candidates per pair, 2 species", several, 3.3),
        within_limit("candidates per pair, 200 species", many, 2.65),
        within_limit("candidates per pair, 10 species of unequal sizes", unequal, 2.65),
        within_limit("candidates per pair, 10 species that flock with their own", apart, 6.9),
        within_limit("candidates per pair, 10 agents of a second species", few, 2.65),
    ]);
    assert!(!all.contains(&false), "a number exceeds its limit");
}
