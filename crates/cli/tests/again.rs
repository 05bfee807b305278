//! Tests of repeated runs: the origin in a summary, `throng run --again`, and trajectories with times and unwrapped
//! positions.

use crate::common;

use std::fs;

use common::{Folder, SMALL, json, throng};

#[test]
fn a_summary_holds_what_a_repeated_run_needs() {
    let folder = Folder::new("origin");
    let file = folder.write("small.toml", SMALL);
    let set = ["--set", "species.starling.count=12", "--seed", "9", "--ticks", "4", "--out", "results", "--quiet"];
    assert!(throng(&folder, &[&["run", &file][..], &set].concat()).status.success());
    let summary = json(&fs::read(folder.path("results/summary.json")).unwrap());
    assert_eq!(summary["scenario_text"].as_str(), Some(SMALL));
    assert_eq!(summary["overrides"], serde_json::json!(["species.starling.count=12", "world.seed=9"]));
    assert_eq!(summary["size"], serde_json::json!([60.0, 40.0]));
    assert_eq!(summary["edges"], serde_json::json!(["wrap", "wrap"]));
    assert_eq!((summary["tick_seconds"].as_f64(), summary["seed"].as_u64()), (Some(0.05), Some(9)));
    assert_eq!(summary["version"].as_str(), Some(env!("CARGO_PKG_VERSION")));

    // The scenario file may change or vanish.
    fs::remove_file(&file).unwrap();
    let before = common::names(&folder);
    let again = throng(&folder, &["run", "--again", "results", "--json", "--threads", "1"]);
    assert_eq!(again.status.code(), Some(0), "{again:?}");
    let repeated = json(&again.stdout);
    for key in ["hash", "ticks", "seed", "overrides", "polarisation"] {
        assert_eq!(repeated[key], summary[key], "{key}");
    }
    // Without --out nothing is written.
    assert_eq!(common::names(&folder), before);
    assert_eq!(json(&fs::read(folder.path("results/summary.json")).unwrap()), summary);
    assert!(throng(&folder, &["run", "--again", "results", "--out", "copy", "--quiet"]).status.success());
    assert_eq!(json(&fs::read(folder.path("copy/summary.json")).unwrap())["hash"], summary["hash"]);
    assert_eq!(throng(&folder, &["run", "--again", "copy", "--quiet"]).status.code(), Some(0));
}

#[test]
fn a_repeated_run_with_another_hash_fails() {
    let folder = Folder::new("again-other");
    let file = folder.write("small.toml", SMALL);
    assert!(throng(&folder, &["run", &file, "--ticks", "4", "--out", "results", "--quiet"]).status.success());
    let summary = fs::read_to_string(folder.path("results/summary.json")).unwrap();
    let hash = json(summary.as_bytes())["hash"].as_str().unwrap().to_owned();
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let other = summary.replace(&hash, "0123456789abcdef").replace(&version, "\"version\": \"0.0.1\"");
    fs::write(folder.path("results/summary.json"), other).unwrap();
    let again = throng(&folder, &["run", "--again", "results", "--quiet"]);
    assert_eq!(again.status.code(), Some(3));
    let text = String::from_utf8_lossy(&again.stderr).into_owned();
    let expected = "results/summary.json has 0123456789abcdef, written by version 0.0.1";
    assert!(text.contains(&hash) && text.contains(expected), "{text}");

    // Summaries that are missing, no JSON, or of an earlier version.
    let earlier = summary.replace("scenario_text", "other");
    for (text, part) in [("{", "is not JSON"), ("{}", "version is missing"), (&earlier, "scenario_text is missing")] {
        fs::write(folder.path("results/summary.json"), text).unwrap();
        let refused = throng(&folder, &["run", "--again", "results"]);
        assert_eq!(refused.status.code(), Some(2), "{text}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(part), "{refused:?}");
    }
    for arguments in [
        &["run", "--again", "nowhere"][..],
        &["run", "--again", "results", &file],
        &["run", "--again", "results", "--seed", "3"],
        &["run", "--again", "results", "--set", "world.seed=3"],
        &["run", "--again", "results", "--ticks", "3"],
        &["run"],
    ] {
        assert_eq!(throng(&folder, arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_trajectory_has_times_a_frame_rate_and_unwrapped_positions() {
    let folder = Folder::new("unwrapped");
    // Walkers at 3 m/s along each axis and against it, in a world of 6 m x 4 m, for 10 s: many crossings.
    let text = r#"format = 1
[world]
dimensions = 2
size = [6.0, 4.0]
edge = ["wrap", "bounce"]
tick = 0.1
[species.right]
count = 5
max_speed = 3.0
place = { heading = 0.0, speed = 3.0 }
[species.left]
count = 5
max_speed = 3.0
place = { heading = 180.0, speed = 3.0 }
[output]
trajectory = { every = 4, unwrapped = true }
"#;
    let file = folder.write("walkers.toml", text);
    let run = throng(&folder, &["run", &file, "--ticks", "100", "--json"]);
    let summary = json(&run.stdout);
    let described = serde_json::json!({ "every": 4, "frame_rate": 2.5, "unwrapped": true });
    assert_eq!(summary["trajectory"], described, "{run:?}");
    let table = fs::read_to_string(folder.path("throng-out/walkers/trajectory.csv")).unwrap();
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("tick,id,species,x,y,vx,vy,time,x_unwrapped,y_unwrapped"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 10 * 26);
    let number = |row: &[&str], column: usize| row[column].parse::<f64>().unwrap();
    for row in &rows {
        let tick = number(row, 0);
        assert_eq!(row[7], ((tick * 0.1 * 1e6).round() / 1e6).to_string());
        let first = rows.iter().find(|first| first[0] == "0" && first[1] == row[1]).unwrap();
        // The way since the start, from the speed alone.
        let way = if row[2] == "right" { 0.3 * tick } else { -0.3 * tick };
        assert!((number(row, 8) - number(first, 3) - way).abs() < 1e-4, "{row:?} from {first:?}");
        // The axis that does not wrap has no other position; the one that does differs by whole periods.
        assert!((number(row, 9) - number(row, 4)).abs() < 1e-9);
        let periods = (number(row, 8) - number(row, 3)) / 6.0;
        assert!((periods - periods.round()).abs() < 1e-6);
    }
    // The table is still drawn.
    let film = throng(&folder, &["render", "throng-out/walkers/trajectory.csv", "-o", "film.gif", "--quiet"]);
    assert_eq!(film.status.code(), Some(0), "{film:?}");
}
