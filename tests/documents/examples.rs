//! The scenarios on pages for newcomers run to their ends, without a warning.

use throng::with_world;
use throng_scenario::Scenario;

use crate::page;

const PAGES: [&str; 2] = ["docs/coming-from.md", "docs/faq.md"];

#[test]
fn the_examples_run_to_their_ends() {
    for page in PAGES {
        let blocks = page::blocks(&page::read(page), "toml");
        assert!(blocks.len() >= 2, "{page} has examples");
        for (line, example) in blocks {
            let place = format!("{page}:{line}");
            let scenario = Scenario::parse(&page::whole(&example), "scenarios/example.toml")
                .unwrap_or_else(|problems| panic!("{place}: {problems}"));
            assert!(scenario.warnings().is_empty(), "{place}: {:?}", scenario.warnings());
            let mut world = scenario.build_any().unwrap_or_else(|error| panic!("{place}: {error}"));
            with_world!(&mut world, world => {
                let agents = world.population();
                while world.tick() < scenario.ticks() && !(scenario.until_empty() && world.has_ended()) {
                    world.step();
                }
                if scenario.until_empty() {
                    assert_eq!(world.population(), 0, "{place}: all are out");
                } else {
                    assert_eq!(world.population(), agents, "{place}: no agent is lost");
                }
            });
        }
    }
}
