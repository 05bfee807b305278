//! Every workload at a small size: its agents see exactly whom a search over all pairs finds.

use throng_bench::cliffs::{all, exactness};

const AGENTS: usize = 2000;

/// Workloads that are known not to be exact as yet.
const KNOWN: &[&str] = &[
    "1 % of 2000 despawned, that tick",
    "1 % of 2000 despawned, each of the next 30",
    "1 % of 20000 despawned, that tick",
    "1 % of 20000 despawned, each of the next 30",
    "2 spawned and despawned a tick",
    "20 spawned and despawned a tick",
    "edge remove",
    "edge respawn",
    "fliers at 1 m a tick, 5 see 1 km",
    "fliers at 3 m a tick, 5 see 1 km",
    "fliers at 10 m a tick, 5 see 1 km",
    "1 % see ten times as far",
    "10 of a second species, all see",
    "hunt.toml",
    "500 neighbours",
    "200 neighbours, 3D",
    "everybody on one point",
];

#[test]
fn all_see_whom_a_search_over_all_pairs_finds() {
    let mut surprises = Vec::new();
    for workload in all(AGENTS) {
        let exact = exactness(&workload).unwrap_or_else(|problem| panic!("{}: {problem}", workload.name));
        assert!(exact.compared > 0, "{}", workload.name);
        if (exact.wrong > 0) != KNOWN.contains(&&workload.name[..]) {
            surprises.push(format!("{}: {} of {} wrong", workload.name, exact.wrong, exact.compared));
        }
    }
    assert!(surprises.is_empty(), "{surprises:#?}");
}
