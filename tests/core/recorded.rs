//! Tests of recorded ticks: the times of their pieces, and the same bits as in any other tick.

use crate::scenarios::{pool, scenarios};
use throng::strand::Strand;
use throng::with_world;

/// The pieces of all parts of a strand, those within others included.
fn pieces(strand: &Strand) -> usize {
    strand.parts.iter().flat_map(|part| &part.strands).map(|piece| 1 + pieces(piece)).sum()
}

#[test]
fn recorded_ticks_change_no_bit_and_divide_their_work_as_others_do() {
    for (name, scenario) in scenarios() {
        let mut world = scenario.build_any().unwrap();
        with_world!(&mut world, world => {
            let mut twin = world.clone();
            let chunks = |world: &throng::World<_>| world.all_agents().iter().map(|agents| agents.len().div_ceil(256)).sum::<usize>();
            pool(1).install(|| {
                for _ in 0..3 {
                    let agents = chunks(world);
                    let stages = world.step_recorded();
                    let names: Vec<_> = stages.iter().map(|(name, _)| *name).collect();
                    assert_eq!(names, world.profile().stages().map(|(name, _)| name), "{name}");
                    let steer = &stages[4].1;
                    assert!(pieces(steer) >= agents.min(chunks(world)), "{name}: {} pieces", pieces(steer));
                    for (stage, strand) in &stages {
                        let (work, span) = (strand.work(), strand.span());
                        assert!(work > 0.0 && span > 0.0 && span <= work * 1.000_001, "{name}, {stage}: {span} of {work}");
                    }
                    twin.step();
                }
            });
            assert_eq!(world.state_hash(), twin.state_hash(), "{name}");
        });
    }
}
