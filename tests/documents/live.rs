//! Live worlds of the book: every rule, every model and every step of the tutorial has one, which uses it and runs.

use throng::Registry;
use throng_scenario::Scenario;

use crate::page::{self, LIVE};

/// Rules that do nothing without a program.
const OF_HOSTS: [&str; 2] = ["prefer_velocity", "host_forces"];
/// The steps of the tutorial that have a scenario.
const STEPS: usize = 5;
/// Enough for sources and rules to do something.
const TICKS: usize = 5;

/// The files of the live worlds of a text.
fn worlds(text: &str) -> Vec<&str> {
    let comments = text.split("<!-- ").skip(1).filter_map(|rest| rest.split_once(" -->"));
    comments.filter_map(|(comment, _)| comment.strip_prefix(LIVE)).collect()
}

/// The live world of a part of a page, which has `word` in its text, and runs without a warning.
fn check(place: &str, part: &str, word: &str) {
    let files = worlds(part);
    let [file] = files[..] else { panic!("{place} has the live worlds {files:?}, and should have one") };
    let text = page::read(file);
    assert!(text.contains(word), "{place}: {file} does not have {word}");
    let scenario = Scenario::parse(&text, file).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(scenario.warnings().is_empty(), "{file}: {:?}", scenario.warnings());
    // As the page reads it: without the files of a folder.
    let mut world = scenario.build_any().unwrap_or_else(|error| panic!("{file}: {error}"));
    (0..TICKS).for_each(|_| world.step());
    assert!(world.population() > 0, "{file}");
}

#[test]
fn every_rule_has_a_live_world() {
    let text = page::read("docs/behaviours.md");
    let registry = Registry::new();
    for rule in registry.rules::<2>() {
        let name = rule.rule();
        let heading = format!("\n## {name}\n");
        let (_, part) = text.split_once(&heading).unwrap_or_else(|| panic!("docs/behaviours.md has no section {name}"));
        let part = part.split_once("\n## ").map_or(part, |(part, _)| part);
        if OF_HOSTS.contains(&name) {
            assert!(worlds(part).is_empty(), "{name}");
        } else {
            check(name, part, &format!("\"{name}\""));
        }
    }
}

#[test]
fn every_model_has_a_live_world() {
    let registry = Registry::new();
    for motion in registry.motions::<2>() {
        let name = motion.rule();
        check(name, &page::read(&format!("docs/models/{name}.md")), &format!("\"{name}\""));
    }
    for name in ["reynolds_1987", "topological"] {
        check(name, &page::read(&format!("docs/models/{name}.md")), "rule = ");
    }
}

#[test]
fn every_step_of_the_tutorial_has_a_live_world() {
    let text = page::read("docs/tutorial.md");
    for (number, part) in text.split("\n## ").enumerate() {
        if (1..=STEPS).contains(&number) {
            check(&format!("step {number}"), part, "[species.starling]");
        } else {
            assert!(worlds(part).is_empty(), "{part}");
        }
    }
}

#[test]
fn every_worksheet_has_a_live_world() {
    let files = std::fs::read_dir(page::path("docs/lessons")).unwrap().map(|entry| entry.unwrap().file_name());
    let pages: Vec<String> =
        files.filter_map(|file| file.into_string().ok()).filter(|file| file.ends_with(".md")).collect();
    assert!(pages.len() >= 5, "{pages:?}");
    for file in pages {
        let file = format!("docs/lessons/{file}");
        check(&file, &page::read(&file), "rule = ");
    }
}
