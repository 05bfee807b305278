//! `docs/ground.md`: each step is a scenario that runs, and the page shows the code of the steps.

use throng::Scenario;

use crate::page;

const PAGE: &str = "docs/ground.md";
const STEPS: [&str; 6] = ["1-corridor", "2-walls", "3-door", "4-ways", "5-people", "6-measures"];

fn file(step: &str) -> String {
    format!("docs/ground/{step}.toml")
}

#[test]
fn every_step_runs() {
    for step in STEPS {
        let scenario = Scenario::load(page::path(&file(step))).unwrap_or_else(|problems| panic!("{problems}"));
        let mut world = scenario.build::<2>().unwrap();
        let comes = !world.environment().sources().is_empty();
        for _ in 0..scenario.ticks() {
            world.step();
            assert!(comes || world.population() == scenario.agents() as usize, "{step}: {} agents", world.population());
        }
        assert!(world.population() > 0, "{step} has agents at its end");
    }
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
