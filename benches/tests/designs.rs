//! Tests that all designs move the flock in the same way.

use throng::{Execution, InstructionSet, Vector};
use throng_bench::flock::{MAX_SPEED, NEIGHBOURS, TICK_SECONDS};
use throng_bench::{Counts, Design, DesignKind, Flock, Grid, PerAgentTree, ThrongDesign};

/// Checks that after one tick all designs have the same neighbours and positions, within rounding.
fn agree<const D: usize>(agents: usize) {
    let flock = Flock::<D>::new(agents);
    let set = InstructionSet::widest();
    let mut throng = ThrongDesign(flock.world(Execution::default()).unwrap());
    let boid = throng.0.species_ids().next().unwrap();
    let ids = throng.0.agents(boid).unwrap().ids().to_vec();
    let mut grid = Grid::new(&flock, set).unwrap();
    let mut tree = PerAgentTree::<D>::new(&flock);
    throng.tick();
    grid.tick();
    tree.tick();

    let mean = |counts: Counts| counts.neighbours as f64 / agents as f64;
    let expected = mean(tree.counts());
    assert!((expected / NEIGHBOURS - 1.0).abs() < 0.1, "{expected} neighbours, expected about {NEIGHBOURS}");
    for counts in [throng.counts(), grid.counts()] {
        assert!((mean(counts) - expected).abs() <= 1e-4 * expected, "{} neighbours, expected {expected}", mean(counts));
        assert!(counts.candidates > counts.neighbours);
    }
    assert_eq!(throng.counts().capped, 0, "throng must test every candidate");

    // The distance of a pair at the radius, or of two nearly coincident agents, may round either way.
    let near = |one: Vector<D>, other: Vector<D>| {
        let apart = throng.0.settings().offset(one, other).length();
        assert!(apart < 0.1 * MAX_SPEED * TICK_SECONDS, "{apart} m apart");
    };
    let gridded = grid.positions();
    for (row, id) in ids.into_iter().enumerate() {
        let position = throng.0.position(id).unwrap();
        near(position, tree.position(row));
        near(position, gridded[row]);
    }
}

#[test]
fn designs_agree_in_two_dimensions() {
    // Worlds of 12 and of 39 cells per axis.
    agree::<2>(1000);
    agree::<2>(10_000);
}

#[test]
fn designs_agree_in_three_dimensions() {
    agree::<3>(1000);
    agree::<3>(10_000);
}

#[test]
fn the_grid_works_in_a_world_of_about_one_cell() {
    for agents in [1, 30, 100, 200] {
        let flock = Flock::<2>::new(agents);
        let mut grid = Grid::new(&flock, InstructionSet::widest()).unwrap();
        (0..20).for_each(|_| grid.tick());
        assert!(grid.positions().iter().all(|position| (0..2).all(|axis| position[axis] >= 0.0)));
    }
}

#[test]
fn threads_and_instruction_sets_give_the_same_hash() {
    let flock = Flock::<3>::new(3000);
    for kind in DesignKind::ALL {
        let mut hashes = Vec::new();
        for (set, threads) in InstructionSet::available().map(|set| (set, 1)).chain([(InstructionSet::widest(), 3)]) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut design = kind.build(&flock, set).unwrap();
            pool.install(|| (0..20).for_each(|_| design.tick()));
            hashes.push(design.hash());
        }
        hashes.dedup();
        assert_eq!(hashes.len(), 1, "{}", kind.name());
    }
}
