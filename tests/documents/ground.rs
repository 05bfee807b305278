//! `docs/ground.md`: each step is a scenario that runs, and the page shows the code of the steps.

use throng::measures::{FlowLine, Overlaps};
use throng_scenario::Scenario;

use crate::page;

const PAGE: &str = "docs/ground.md";
const STEPS: [&str; 9] =
    ["1-corridor", "2-walls", "3-door", "4-routes", "5-people", "6-measures", "7-bridge", "8-level", "9-links"];

fn file(step: &str) -> String {
    format!("docs/ground/{step}.toml")
}

#[test]
fn every_step_runs() {
    for step in STEPS {
        let scenario = Scenario::load(page::path(&file(step))).unwrap_or_else(|problems| panic!("{problems}"));
        let mut world = scenario.build::<2>().unwrap();
        let comes = !world.environment().sources.is_empty();
        for _ in 0..scenario.ticks() {
            world.step();
            assert!(comes || world.population() == scenario.agents() as usize, "{step}: {} agents", world.population());
        }
        assert!(world.population() > 0, "{step} has agents at its end");
    }
}

#[test]
fn people_with_a_model_do_not_overlap_and_the_page_has_their_numbers() {
    let (mut overlaps, mut door) = (Overlaps::new(), FlowLine::new([14.0, 5.0], [14.0, 7.0]));
    let scenario = Scenario::load(page::path(&file("6-measures"))).unwrap_or_else(|problems| panic!("{problems}"));
    let mut world = scenario.build::<2>().unwrap();
    door.observe(&world);
    for _ in 0..scenario.ticks() {
        world.step();
        overlaps.observe(&world);
        door.observe(&world);
    }
    assert_eq!(overlaps.share(), 0.0, "no two bodies overlap");
    let removed: u64 = world.removed().map(|(_, count)| count).sum();
    let numbers =
        format!("{} people enter, {} pass the door and {removed} reach the exit", world.spawned(), door.persons());
    let text = page::read(PAGE).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(&numbers), "{PAGE}: {numbers}");
}

#[test]
fn the_code_is_that_of_the_steps() {
    let text = page::read(PAGE);
    let heads = |step: &str, line: &str| line.strip_prefix("## ").is_some_and(|head| head.starts_with(&step[..1]));
    let step_of = |line: usize| text.lines().take(line).filter_map(|line| STEPS.iter().find(|step| heads(step, line)));
    for (line, code) in page::blocks(&text, "toml") {
        let step = step_of(line).last().unwrap_or_else(|| panic!("line {line} is before the first step"));
        assert!(page::read(&file(step)).contains(&code), "{PAGE}:{line}: {} does not have\n{code}", file(step));
    }
}
