//! Tests of warnings: of scenarios that are hardly meant, and of runs in which something went wrong.

use crate::common;

use std::fs;
use std::path::Path;

use common::{Folder, SMALL, json, scenario, throng};

/// The program's standard error.
fn said(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let output = throng(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stderr).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn no_scenario_of_the_project_has_a_warning() {
    let folder = Folder::new("warnings-none");
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let files = fs::read_dir(scenarios).unwrap().map(|entry| entry.unwrap().path().to_string_lossy().into_owned());
    let files: Vec<String> = files.filter(|file| file.ends_with(".toml")).collect();
    assert!(files.len() > 40);
    let arguments: Vec<&str> = std::iter::once("check").chain(files.iter().map(String::as_str)).collect();
    assert_eq!(said(&folder, &arguments), Vec::<String>::new());
}

#[test]
fn values_that_are_hardly_meant_are_named_before_and_with_a_run() {
    let folder = Folder::new("warnings-values");
    let file = folder.write("small.toml", SMALL);
    let overshoot = "warning: species.starling.response: rules overshoot: response 0.2 s, tick 1 s, sum of weights 2.5: \
                     use a tick of at most 0.04 s or a response of at least 5 s";
    let step = "warning: species.starling.separation: an agent moves up to 10 m in a tick and perceives others within 3 m: \
                use a tick of at most 0.3 s";
    let tick = ["--set", "world.tick=1"];
    assert_eq!(said(&folder, &[&["check", &file][..], &tick].concat()), [overshoot, step]);
    assert_eq!(said(&folder, &[&["run", &file, "-q", "--ticks", "2"][..], &tick].concat()), [overshoot, step]);
    assert_eq!(said(&folder, &["check", &file, "--set", "world.tick=0.04"]), Vec::<String>::new());
    let keys = [
        (
            "motion={model=\"couzin\",fov=4.71}",
            "motion.fov: 4.71 degrees look like radians: 4.71 radians are 270 degrees",
        ),
        ("place={heading=1.5708}", "place.heading: 1.5708 degrees look like radians: 1.5708 radians are 90 degrees"),
        (
            "motion={model=\"vicsek\",radius=9,noise=5}",
            "motion.noise: 5 radians are 286 degrees, which leave hardly any order; 5 degrees are 0.0873 radians",
        ),
    ];
    let balls = "warning: species.starling.cohesion.weight: cohesion of weight 3 outweighs separation of weight 1: agents collapse \
                 into balls and slow down; at most half the weight of separation keeps a flock";
    let cohesion = |set: &str| said(&folder, &["check", &file, "--set", &format!("species.starling.cohesion.{set}")]);
    assert_eq!(cohesion("weight=3"), [balls]);
    assert_eq!(cohesion("weight=0.9"), Vec::<String>::new());
    for (key, message) in keys {
        let set = format!("species.starling.{key}");
        let said = said(&folder, &["check", &file, "--set", &set]);
        assert_eq!(said, [format!("warning: species.starling.{message}")], "{key}");
    }
}

#[test]
fn keys_without_effect_are_named_if_the_file_has_them() {
    let folder = Folder::new("warnings-keys");
    let unused = |model: &str, rules: &str| {
        let keys = "mass = 1.0\nradius = 0.1\nmax_force = 9.0\nmin_speed = 0.1\nmax_turn_rate = 90.0\nresponse = 3.0\nmax_speed = 0.5";
        let motion = format!("motion = {{ model = \"{model}\" }}");
        let world = "format = 1\n[world]\ndimensions = 2\nsize = [60, 40]\ntick = 0.01\n[species.bird]\ncount = 3";
        let file = folder.write("keys.toml", &format!("{world}\n{keys}\n{motion}\nbehaviours = [{rules}]\n"));
        let end = format!(": has no effect with the motion {model}");
        let named = |line: String| {
            line.strip_prefix("warning: species.bird.").and_then(|line| line.strip_suffix(&end)).map(str::to_owned)
        };
        said(&folder, &["check", &file])
            .into_iter()
            .map(|line| named(line.clone()).ok_or(line).unwrap())
            .collect::<Vec<_>>()
    };
    let wander = r#"{ rule = "wander" }"#;
    assert_eq!(unused("vicsek", ""), ["mass", "max_force", "min_speed", "max_turn_rate", "response"]);
    assert_eq!(unused("vicsek", wander), ["max_force", "min_speed", "max_turn_rate"]);
    assert_eq!(unused("orca", wander), ["mass", "max_force", "min_speed", "max_turn_rate"]);
    assert_eq!(unused("dorsogna", ""), ["max_force", "min_speed", "max_turn_rate", "response"]);
    assert_eq!(said(&folder, &["check", &scenario("vicsek")]), Vec::<String>::new());
}

#[test]
fn faults_of_runs_are_columns_of_sweeps_and_warnings() {
    let folder = Folder::new("warnings-faults");
    let mill = scenario("mill");
    let design = ["--ticks", "60", "--from", "40", "--vary", "world.tick=0.01,5", "-o", "tick.csv", "-q"];
    let lines = said(&folder, &[&["sweep", &mill][..], &design].concat());
    let is_about = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    assert_eq!(is_about("species.fish.motion: the forces of dorsogna are too stiff for a tick of 5 s"), 1, "{lines:?}");
    assert_eq!(is_about("was dropped"), 1, "{lines:?}");
    assert_eq!(is_about("(in 1 of 2 runs, such as world.tick=5)"), 3, "{lines:?}");
    let table = fs::read_to_string(folder.path("tick.csv")).unwrap();
    let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let rows: Vec<_> = rows.collect();
    for name in ["inexact", "quarantined", "left"] {
        let [sound, faulty] = [0, 1].map(|row| rows[row][column(name)].parse::<u64>().unwrap());
        assert_eq!(sound, 0, "{name}");
        assert_eq!(faulty > 0, name != "inexact", "{name}");
    }
    // A run says the same, and a resumed one counts the warnings before its checkpoint.
    let run =
        ["run", &mill, "--set", "world.tick=5", "-q", "--out", "out", "--checkpoint-every", "40", "--ticks", "40"];
    let dropped = |lines: &[String]| {
        let line = lines.iter().find_map(|line| line.split_once("was dropped ")).unwrap().1.to_owned();
        line.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let first = dropped(&said(&folder, &run));
    let second = dropped(&said(&folder, &["resume", "out", "-q", "--ticks", "60"]));
    assert!(second > first, "{first} {second}");
    assert_eq!(rows[1][column("quarantined")].parse::<u64>().unwrap(), second);
    let summary = json(&fs::read(folder.path("out/summary.json")).unwrap());
    assert!(summary["warnings"][0].as_str().unwrap().contains("was dropped"), "{summary}");
}

#[test]
fn explanations_name_the_motion_and_the_velocity_that_it_chooses() {
    let folder = Folder::new("warnings-explain");
    let text = String::from_utf8(throng(&folder, &["explain", &scenario("vicsek"), "--agent", "0"]).stdout).unwrap();
    assert!(text.contains("chosen velocity") && text.contains("The motion vicsek chooses the velocity"), "{text}");
    assert!(!text.contains("largest force"), "{text}");
    let arguments = ["explain", &scenario("active_brownian"), "--agent", "0", "--json"];
    let explained = json(&throng(&folder, &arguments).stdout);
    assert_eq!(explained["motion"]["model"], "active_brownian");
    let [x, y] = [0, 1].map(|axis| explained["motion"]["velocity"][axis].as_f64().unwrap());
    assert!((x.hypot(y) - 1.0).abs() < 0.3, "{explained}");
}
