//! Tests that the tables of `docs/tuning/effects.md` are measured values, and that `docs/tuning.md` shows the shoal.

use rayon::prelude::*;
use throng::measures;
use throng_scenario::Scenario;

use crate::page;

const PAGE: &str = "docs/tuning.md";
const EFFECTS: &str = "docs/tuning/effects.md";
const SHOAL: &str = "docs/tuning/shoal.toml";
const SEEDS: u64 = 5;

/// The polarisation and the mean speed after the last tick, and the mean neighbours of all ticks, as in the output of
/// `throng run --json`.
fn measure(sets: &[String]) -> [f64; 3] {
    let scenario = Scenario::load_with(page::path(SHOAL), sets).unwrap_or_else(|problems| panic!("{problems}"));
    let mut world = scenario.build::<2>().unwrap();
    let mut neighbours = 0;
    for _ in 0..scenario.ticks() {
        world.step();
        neighbours += world.profile().neighbours;
    }
    let per_agent = neighbours as f64 / (scenario.agents() * scenario.ticks()) as f64;
    [measures::polarisation(&world), measures::mean_speed(&world), per_agent]
}

/// The table of `KEY... = VALUE...`: each value applies to all the keys.
fn table(what: &str) -> String {
    let (keys, values) = what.split_once(" = ").expect("KEY... = VALUE...");
    let keys: Vec<&str> = keys.split(' ').collect();
    let values: Vec<&str> = values.split(' ').collect();
    let runs: Vec<(&str, u64)> = values.iter().flat_map(|&value| (1..=SEEDS).map(move |seed| (value, seed))).collect();
    let measured: Vec<[f64; 3]> = runs
        .into_par_iter()
        .map(|(value, seed)| {
            let keys = keys.iter().map(|key| format!("species.fish.{key}={value}"));
            measure(&keys.chain([format!("world.seed={seed}")]).collect::<Vec<_>>())
        })
        .collect();
    let names: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    let mut text = format!("| {} | polarisation | speed | neighbours |\n|---|---|---|---|\n", names.join(" and "));
    for (value, runs) in values.iter().zip(measured.chunks_exact(SEEDS as usize)) {
        let mean = |number: usize| runs.iter().map(|run| run[number]).sum::<f64>() / SEEDS as f64;
        let end =
            |number: usize, better: fn(f64, f64) -> f64| runs.iter().map(|run| run[number]).reduce(better).unwrap();
        let range = |number: usize| (end(number, f64::min), end(number, f64::max));
        let ((low, high), (fewest, most)) = (range(0), range(2));
        text += &format!(
            "| {value} | {:.2} ({low:.2} to {high:.2}) | {:.2} m/s | {:.1} ({fewest:.1} to {most:.1}) |\n",
            mean(0),
            mean(1),
            mean(2)
        );
    }
    text
}

#[test]
fn the_tables_are_the_results_of_runs() {
    let text = page::read(EFFECTS);
    let right = page::fill(&text, |name| Some(table(name.strip_prefix("measure ").expect("a measurement"))));
    page::compare(EFFECTS, &right);
}

#[test]
fn the_page_shows_the_shoal_of_the_file() {
    let (_, shown) = page::blocks(&page::read(PAGE), "toml").remove(0);
    assert!(page::read(SHOAL).contains(&shown), "{shown}");
}
