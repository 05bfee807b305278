//! Commands of the book that repeat a run end with its hash: the gallery has one for each picture, and the validation for
//! each section whose runs are scenarios. Measurements of the same flock in several browsers have the same hash.

use std::collections::BTreeMap;

use rayon::prelude::*;
use throng_scenario::Scenario;

use crate::page;

const GALLERY: &str = "docs/gallery.md";
const VALIDATION: &str = "docs/validation.md";
/// The start of the page, which the page is written from.
const HEAD: &str = "tools/validation/src/head.txt";
/// Longer runs, in agents times ticks, and crowds that come by sources are repeated only when the hashes are written.
const MOST: u64 = 2_000_000;

/// A line with the hash of its run, if it is a command that ends with one.
fn again(line: &str) -> String {
    let Some((command, _)) = line.split_once(" --expect-hash ").filter(|_| line.starts_with("throng run ")) else {
        return line.to_owned();
    };
    let words: Vec<&str> = command.split(' ').map(|word| word.trim_matches('\'')).collect();
    let option = |name| words.windows(2).filter(move |pair| pair[0] == name).map(|pair| pair[1].to_owned());
    let sets: Vec<String> = option("--set").collect();
    let ticks: u64 = option("--ticks").next().and_then(|ticks| ticks.parse().ok()).expect("a number of ticks");
    let scenario = Scenario::load_with(page::path(words[2]), &sets).unwrap_or_else(|problems| panic!("{problems}"));
    let is_short = (1..=MOST).contains(&(scenario.agents() * ticks));
    if !is_short && std::env::var_os("THRONG_BLESS").is_none() {
        return line.to_owned();
    }
    let mut world = scenario.build_any().unwrap_or_else(|error| panic!("{line}: {error}"));
    (0..ticks).for_each(|_| world.step());
    format!("{command} --expect-hash {:016x}", world.state_hash())
}

/// A page with the hashes of its runs.
fn repeated(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines.into_par_iter().map(again).collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn the_pictures_of_the_gallery_are_states_with_these_hashes() {
    let text = page::read(GALLERY);
    for part in text.split("\n## ").skip(1) {
        let name = part.lines().next().unwrap_or_default();
        let command = format!("throng run scenarios/{name}.toml --ticks ");
        let runs = part.lines().filter(|line| line.starts_with(&command) && line.contains(" --expect-hash ")).count();
        assert_eq!(runs, 1, "{GALLERY}: {name} has one command that ends with a hash");
    }
    page::compare(GALLERY, &repeated(&text));
}

#[test]
fn each_section_of_the_validation_can_be_repeated() {
    let (head, text) = (page::read(HEAD), page::read(VALIDATION));
    let rest = text.strip_prefix(&head).unwrap_or_else(|| panic!("{VALIDATION} does not begin with {HEAD}"));
    for title in rest.lines().filter_map(|line| line.strip_prefix("## ")) {
        let of_title = format!("# {title}\n");
        let (_, after) = head.split_once(&of_title).unwrap_or_else(|| panic!("{HEAD} has no command of {title}"));
        let command = after.lines().next().unwrap_or_default();
        let is_run = command.starts_with("throng run scenarios/") && command.contains(" --expect-hash ");
        assert!(is_run || command.starts_with("scripts/validate.sh "), "{title}: {command}");
    }
    let right = repeated(&head);
    page::compare(HEAD, &right);
    page::compare(VALIDATION, &(right + rest));
}

#[test]
fn measurements_of_browsers_have_the_same_states() {
    let text = page::read("docs/benchmark.md");
    let (_, part) = text.split_once("\n## In a browser\n").expect("the texts of browsers");
    let mut hashes = BTreeMap::new();
    let mut rows = 0;
    let blocks = page::blocks(part, "text");
    for line in blocks.iter().flat_map(|(_, block)| block.lines()) {
        let [agents, dimensions @ ("2D" | "3D"), _, hash] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            continue;
        };
        assert_eq!(*hashes.entry((agents, dimensions)).or_insert(hash), hash, "{line}");
        rows += 1;
    }
    assert_eq!(rows % 6, 0, "each text has six rows");
    // The program's sample on the page is the largest flock in the plane.
    let (_, sample) = text.split_once(", state hash ").expect("a sample");
    assert_eq!(hashes.get(&("100000", "2D")).copied(), sample.get(..16));
}
