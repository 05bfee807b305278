//! Tests of the example `own_program`: `throng` with one rule of its own.

use crate::common;

use std::path::PathBuf;
use std::process::{Command, Output};

use common::{Folder, SMALL, json};

/// Runs the example, which Cargo builds beside the program for tests.
fn own_program(folder: &Folder, arguments: &[&str]) -> Output {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_throng"));
    let example = program.with_file_name("examples").join(format!("own_program{}", std::env::consts::EXE_SUFFIX));
    assert!(example.exists(), "{} is missing: cargo test -p throng-cli builds it", example.to_string_lossy());
    Command::new(example).current_dir(folder.path("")).args(arguments).output().unwrap()
}

#[test]
fn a_program_with_a_rule_of_its_own_lists_checks_and_runs_it() {
    let folder = Folder::new("own-program");
    let text = SMALL.replace("{ rule = \"cohesion\", radius", "{ rule = \"drift\", speed");
    let file = folder.write("drift.toml", &text);
    let rules = json(&own_program(&folder, &["rules", "--json"]).stdout);
    let last = rules.as_array().unwrap().last().unwrap();
    assert_eq!((&last["name"], &last["parameters"][0]["default"]), (&"drift".into(), &3.0.into()));
    let schema = String::from_utf8(own_program(&folder, &["schema"]).stdout).unwrap();
    assert!(schema.contains("Drifts with the wind."));
    let set = ["check", &file, "--set", "species.starling.drift.speed=200"];
    let refused = own_program(&folder, &set);
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && message.contains("must be a number in [0, 100] m/s"), "{message}");
    let explained = json(&own_program(&folder, &["explain", &file, "--agent", "0", "--json"]).stdout);
    assert_eq!(explained["contributions"][2]["rule"], "drift");
    let run = own_program(&folder, &["run", &file, "--ticks", "5", "--json", "--quiet"]);
    assert!(run.status.success() && json(&run.stdout)["ticks"] == 5, "{run:?}");
    // The plain program refuses the rule.
    let plain = common::throng(&folder, &["check", &file]);
    assert!(String::from_utf8(plain.stderr).unwrap().contains("unknown rule"));
}

#[test]
fn a_file_name_of_dots_gets_the_folder_scenario() {
    let folder = Folder::new("points");
    folder.write("...toml", SMALL);
    let run = common::throng(&folder, &["run", "./...toml", "--ticks", "1", "--quiet"]);
    assert!(run.status.success(), "{run:?}");
    assert_eq!(common::names(&folder), ["...toml", "throng-out"]);
    assert!(folder.path("throng-out/scenario/summary.json").exists());
}
