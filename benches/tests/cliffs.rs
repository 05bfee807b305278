//! Tests every workload at a small size: agents see exactly the neighbours that a search over all pairs finds.

use throng_bench::cliffs::{all, exactness};

const AGENTS: usize = 2000;

#[test]
fn agents_see_the_neighbours_that_a_search_over_all_pairs_finds() {
    let mut surprises = Vec::new();
    for workload in all(AGENTS) {
        let exact = exactness(&workload).unwrap_or_else(|problem| panic!("{}: {problem}", workload.name));
        assert!(exact.compared > 0, "{}: agents are compared", workload.name);
        if exact.wrong > 0 {
            surprises.push(format!("{}: {} of {} wrong", workload.name, exact.wrong, exact.compared));
        }
    }
    assert!(surprises.is_empty(), "{surprises:#?}");
}
