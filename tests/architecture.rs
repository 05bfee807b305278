//! Tests that ARCHITECTURE.md matches the code: its headings the lines of `World::step`, its layers those of
//! `src/lib.rs`.

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the stages that `World::step` calls: lines with `self.NAME(` or `NAME::NAME(`, with or without a binding.
fn stages_of_step() -> Vec<String> {
    let world = read("src/world.rs");
    let body = world.split_once("pub fn step(&mut self) {\n").expect("src/world.rs has World::step").1;
    let body = body.split_once("\n    }\n").expect("World::step ends").0;
    body.lines().filter_map(stage).map(str::to_owned).collect()
}

fn stage(line: &str) -> Option<&str> {
    let call = line.trim().rsplit_once(" = ").map_or(line.trim(), |(_, call)| call);
    let name = call.split_once('(')?.0;
    match name.strip_prefix("self.") {
        Some(name) => (!name.contains('.')).then_some(name),
        None => name.split_once("::").filter(|(module, function)| module == function).map(|(module, _)| module),
    }
}

/// Returns the text of a section of ARCHITECTURE.md, below its heading of the second level.
fn section(name: &str) -> String {
    let document = read("ARCHITECTURE.md");
    let (_, text) = document.split_once(&format!("\n## {name}\n")).expect("ARCHITECTURE.md has the section");
    text.split("\n## ").next().unwrap_or(text).to_owned()
}

#[test]
fn a_stage_is_found_in_every_form_of_a_line() {
    assert_eq!(stage("        self.edit();"), Some("edit"));
    assert_eq!(stage("        let mode = self.index();"), Some("index"));
    assert_eq!(stage("        index::index(self.level, &mut self.agents);"), Some("index"));
    for other in
        ["self.events.clear();", "profile.edit = clock.lap();", "let mut clock = Clock::start();", "self.tick += 1;"]
    {
        assert_eq!(stage(other), None, "{other}");
    }
}

#[test]
fn the_headings_of_the_tick_are_the_lines_of_step() {
    let stages = stages_of_step();
    assert!(stages.len() >= 7, "World::step has at least seven stages: {stages:?}");
    let section = section("The tick");
    let headings: Vec<String> =
        section.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_lowercase).collect();
    assert_eq!(headings, stages, "the headings under \"The tick\" are the stages of World::step");
}

#[test]
fn every_stage_has_a_file_and_a_time() {
    let stages = stages_of_step();
    for stage in &stages {
        read(&format!("src/tick/{stage}.rs"));
    }
    let times = throng::Profile::default().stages().map(|(stage, _)| stage);
    assert_eq!(times.as_slice(), stages, "Profile::stages are the stages of World::step");
}

#[test]
fn the_layers_are_those_of_the_library() {
    let library = read("src/lib.rs");
    let modules = library.split_once("// Layers:").expect("src/lib.rs lists its layers").1;
    let modules = modules.split_once("\npub use").map_or(modules, |(modules, _)| modules);
    let layers = modules.lines().skip(1).filter_map(|line| line.strip_prefix("// ")?.strip_suffix('.'));
    let section = section("Layers");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let described: Vec<&str> = rows.map(|(layer, _)| layer).filter(|layer| *layer != "layer").collect();
    assert_eq!(described, layers.collect::<Vec<_>>(), "the layers in ARCHITECTURE.md are the comments in src/lib.rs");
}
