//! Tests of the names of scenarios: files, scenarios in the program, the standard input, and lists of them.

use crate::common;

use std::io::Write;
use std::process::Stdio;

use common::{Folder, SMALL, command, json, names, throng};

/// The standard output and the standard error of a command that succeeds.
fn said(folder: &Folder, arguments: &[&str]) -> (String, String) {
    let output = throng(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn every_command_knows_the_scenarios_in_the_program() {
    let folder = Folder::new("names");
    said(&folder, &["check", "hunt", "hall"]);
    said(&folder, &["run", "hunt", "--ticks", "2", "-q"]);
    assert!(folder.path("throng-out/hunt/summary.json").exists());
    assert!(said(&folder, &["explain", "hunt", "--agent", "3"]).0.starts_with("prey 3 at tick 0"));
    said(&folder, &["render", "seek", "-o", "seek.png", "--ticks", "1", "--width", "64"]);
    said(&folder, &["sweep", "seek", "--ticks", "2", "--from", "1", "-o", "table.csv", "-q"]);
    // A run of it can be repeated and resumed, though it is in the program alone.
    said(&folder, &["run", "--again", "throng-out/hunt", "-q"]);
    said(&folder, &["run", "seek", "--ticks", "4", "-q", "-o", "seek", "--checkpoint-every", "2"]);
    said(&folder, &["resume", "seek", "--ticks", "6", "-q"]);
    // An unknown name gets the nearest known one.
    let output = throng(&folder, &["run", "murmuratoin"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && error.contains("did you mean murmuration?"), "{error}");
}

#[test]
fn files_come_before_the_scenarios_in_the_program() {
    let folder = Folder::new("names-order");
    let agents = |name: &str| {
        let output = throng(&folder, &["run", name, "--ticks", "0", "--json"]);
        json(&output.stdout)["agents"].as_u64().unwrap_or_else(|| panic!("{output:?}"))
    };
    assert_eq!(agents("seek"), 40);
    std::fs::create_dir(folder.path("scenarios")).unwrap();
    folder.write("scenarios/seek.toml", &SMALL.replace("count = 30", "count = 7"));
    assert_eq!(agents("seek"), 7);
    folder.write("seek.toml", &SMALL.replace("count = 30", "count = 6"));
    assert_eq!(agents("seek"), 6);
    folder.write("seek", &SMALL.replace("count = 30", "count = 5"));
    assert_eq!(agents("seek"), 5);
    // A folder of that name does not hide a scenario.
    std::fs::create_dir(folder.path("flock")).unwrap();
    assert_eq!(agents("flock"), 800);
}

#[test]
fn a_scenario_comes_from_the_standard_input() {
    let folder = Folder::new("names-input");
    let with = |arguments: &[&str], text: &str| {
        let mut child = command(&folder, arguments);
        let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let ran = with(&["run", "-", "--ticks", "3", "--json"], SMALL);
    assert_eq!(json(&ran.stdout)["agents"], 30, "{ran:?}");
    assert!(folder.path("throng-out/stdin/picture.png").exists());
    let wrong = with(&["run", "-"], "format = 7");
    let error = String::from_utf8(wrong.stderr).unwrap();
    assert!(wrong.status.code() == Some(2) && error.contains("stdin:1:10"), "{error}");
}

#[test]
fn the_list_has_groups_and_a_line_for_each_scenario() {
    let folder = Folder::new("names-list");
    let (list, _) = said(&folder, &["list"]);
    for group in ["Flocks", "Hunters", "People", "Papers", "Single rules"] {
        assert_eq!(list.lines().filter(|line| *line == group).count(), 1, "{group}: {list}");
    }
    assert!(list.lines().all(|line| line.chars().count() <= 80), "{list}");
    let line = |name: &str| {
        let found: Vec<&str> = list.lines().filter(|line| line.split_whitespace().next() == Some(name)).collect();
        assert_eq!(found.len(), 1, "{name}: {list}");
        found[0].to_owned()
    };
    // Agents from sources are counted, and a sentence does not end at "et al.".
    assert!(line("hall").contains(" 500 enter "), "{list}");
    assert!(line("couzin").contains("The model of Couzin et al. (2002) in three"), "{list}");
    assert!(list.contains("are in the program"), "{list}");
    // Those here are listed too, and other files are not.
    folder.write("mine.toml", SMALL);
    folder.write("Cargo.toml", "[package]\nname = \"x\"\n");
    let (list, _) = said(&folder, &["list"]);
    assert!(list.contains("mine.toml") && !list.contains("Cargo.toml"), "{list}");
    let (checked, _) = said(&folder, &["check", "hall"]);
    assert!(checked.contains("500 enter from 1 source") && !checked.contains(" 0 person"), "{checked}");
}

#[test]
fn a_copy_of_a_scenario_is_a_start() {
    let folder = Folder::new("names-new");
    let (wrote, _) = said(&folder, &["new", "--from", "hunt"]);
    assert_eq!(wrote, "wrote hunt.toml. Next: throng view hunt.toml\n");
    said(&folder, &["new", "my-hall", "--from", "hall"]);
    assert_eq!(names(&folder), ["hunt.toml", "my-hall.toml"]);
    let text = std::fs::read_to_string(folder.path("my-hall.toml")).unwrap();
    assert!(text.starts_with("# 500 people leave a hall"), "{text}");
    said(&folder, &["check", "my-hall.toml", "hunt.toml"]);
    assert_eq!(throng(&folder, &["new", "--from", "hunt"]).status.code(), Some(2), "the file exists");
    assert_eq!(throng(&folder, &["new"]).status.code(), Some(2));
}
