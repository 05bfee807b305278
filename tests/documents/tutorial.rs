//! `docs/tutorial.md`: each step is a scenario that runs, and the page shows the code and the results of the steps.

use throng::{Event, measures};
use throng_scenario::Scenario;

use crate::page;

const PAGE: &str = "docs/tutorial.md";
const STEPS: [&str; 5] = ["1-agents", "2-flock", "3-obstacles", "4-predators", "5-states"];

fn file(step: &str) -> String {
    format!("docs/tutorial/{step}.toml")
}

/// The results of a run of a step.
fn result(step: &str) -> String {
    let scenario = Scenario::load(page::path(&file(step))).unwrap_or_else(|problems| panic!("{problems}"));
    let mut world = scenario.build::<2>().unwrap();
    let mut caught = 0;
    for _ in 0..scenario.ticks() {
        world.step();
        caught += world.events().iter().filter(|event| matches!(event, Event::Caught { .. })).count();
    }
    let (polarisation, speed) = (measures::polarisation(&world), measures::mean_speed(&world));
    let (tick, agents) = (world.tick(), world.population());
    let ticks = format!("after {tick} ticks");
    format!(
        "| {ticks} | |\n|---|---|\n| agents | {agents} |\n| polarisation | {polarisation:.2} |\n\
         | mean speed | {speed:.2} m/s |\n| caught | {caught} |\n"
    )
}

#[test]
fn the_results_are_those_of_the_steps() {
    let text = page::read(PAGE);
    let mut steps = STEPS.iter();
    let right = page::fill(&text, |name| {
        let step = name.strip_prefix("result ").expect("a result");
        assert_eq!(Some(&step), steps.next(), "one result a step, in their order");
        Some(result(step))
    });
    assert_eq!(steps.next(), None, "one result a step");
    page::compare(PAGE, &right);
}

#[test]
fn the_code_is_that_of_the_steps() {
    let text = page::read(PAGE);
    let step_of = |line: usize| text.lines().take(line).filter_map(|line| STEPS.iter().find(|step| heads(step, line)));
    for (line, code) in page::blocks(&text, "toml") {
        let step = step_of(line).last().unwrap_or_else(|| panic!("line {line} is before the first step"));
        assert!(page::read(&file(step)).contains(&code), "{PAGE}:{line}: {} does not have\n{code}", file(step));
    }
    // The first step is there as a whole, so that a reader can begin.
    let (_, first) = page::blocks(&text, "toml").remove(0);
    assert_eq!(page::read(&file(STEPS[0])).split_once('\n').unwrap().1, first);
}

#[test]
fn the_messages_are_those_of_an_empty_file() {
    let (text, problems) = (page::read(PAGE), Scenario::parse("", "flock.toml").unwrap_err().to_string());
    for line in problems.lines() {
        assert!(text.contains(&format!("error: {line}\n")), "{PAGE} does not have: {line}");
    }
}

/// Whether a line is the heading of a step: they have the same number.
fn heads(step: &str, line: &str) -> bool {
    line.strip_prefix("## ").is_some_and(|heading| heading.starts_with(&step[..1]))
}
