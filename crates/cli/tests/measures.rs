//! Measures of a run: the series, its plot, and the summary.

use crate::common;

use std::fs;

use common::{Folder, SMALL, json, throng};
use serde_json::Value;

/// Walkers who leave a world through its right edge, past a line and an area.
const WALKERS: &str = r#"format = 1
[world]
dimensions = 2
size = [20.0, 10.0]
edge = ["remove", "bounce"]
tick = 0.1
ticks = 200
seed = 1
[species.walker]
count = 40
radius = 0.25
max_speed = 1.5
place = { region = "box", centre = [5.0, 5.0], size = [8.0, 8.0], heading = 0.0, speed = 1.5 }
[output.measures]
every = 10
names = ["agents", "mean_speed"]
[output.measures.line.door]
from = [15.0, 0.0]
to = [15.0, 10.0]
[output.measures.area.front]
centre = [14.0, 5.0]
size = [2.0, 10.0]
"#;

/// The rows of a table, with its header.
fn table(folder: &Folder, file: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder.path(file)).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn column(table: &[Vec<String>], name: &str) -> Vec<f64> {
    let place = table[0].iter().position(|column| column == name).unwrap_or_else(|| panic!("{name} in {:?}", table[0]));
    table[1..].iter().map(|row| row[place].parse().unwrap_or(f64::NAN)).collect()
}

#[test]
fn a_run_writes_the_series_its_plot_and_the_summary() {
    let folder = Folder::new("measures");
    let text = format!("{SMALL}[output]\nmeasures = {{ every = 10, radius = 4.0 }}\n");
    let file = folder.write("small.toml", &text);
    let output = throng(&folder, &["run", &file, "--ticks", "50", "--json", "--out", "out"]);
    assert!(output.status.success(), "{output:?}");
    let summary = json(&output.stdout);
    let series = table(&folder, "out/measures.csv");
    assert_eq!(series[0][..2], ["tick", "time"]);
    assert_eq!(column(&series, "tick"), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
    assert!((column(&series, "time")[5] - 2.5).abs() < 1e-6);
    assert_eq!(column(&series, "agents"), [30.0; 6]);
    let polarisation = column(&series, "polarisation");
    let measured = &summary["measures"]["polarisation"];
    // The parser of JSON rounds the last digit.
    let near = |value: &Value, expected: f64| assert!((value.as_f64().unwrap() - expected).abs() < 1e-12, "{value}");
    near(&measured["last"], polarisation[5]);
    near(&summary["polarisation"], polarisation[5]);
    let mean = polarisation.iter().sum::<f64>() / 6.0;
    near(&measured["mean"], mean);
    let variance = polarisation.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / 6.0;
    assert!((measured["sd"].as_f64().unwrap() - variance.sqrt()).abs() < 1e-12);
    assert!((measured["susceptibility"].as_f64().unwrap() - 30.0 * variance).abs() < 1e-9);
    assert!(measured["binder_cumulant"].is_f64());
    assert!(summary["measures"]["clusters"]["last"].as_f64().unwrap() >= 1.0);
    assert!(summary["flow"].is_null() && summary["overlaps"].is_null());
    let plot = fs::read_to_string(folder.path(summary["files"]["measures_plot"].as_str().unwrap())).unwrap();
    assert!(plot.starts_with("<svg") && plot.contains("polarisation") && plot.contains("time, s"));

    // Neither measures nor the interval change a bit of the run, and the series does not depend on threads.
    let hash = &summary["hash"];
    let without =
        throng(&folder, &["run", &folder.write("none.toml", SMALL), "--ticks", "50", "--json", "--out", "none"]);
    let without = json(&without.stdout);
    assert_eq!(&without["hash"], hash);
    assert!(without["measures"].is_null() && !folder.path("none/measures.csv").exists());
    let again = throng(&folder, &["run", &file, "--ticks", "50", "--json", "--out", "again", "--threads", "1"]);
    assert!(again.status.success());
    let bytes = |path: &str| fs::read(folder.path(path)).unwrap();
    assert_eq!(bytes("again/measures.csv"), bytes("out/measures.csv"));
    // A run without measures removes the measures of the run before it.
    let replaced = throng(
        &folder,
        &["run", &folder.path("none.toml").to_string_lossy(), "--ticks", "5", "--out", "out", "--force"],
    );
    assert!(replaced.status.success() && !folder.path("out/measures.csv").exists());
}

#[test]
fn lines_and_areas_measure_a_crowd() {
    let folder = Folder::new("crowd");
    let file = folder.write("walkers.toml", WALKERS);
    let output = throng(&folder, &["run", &file, "--json", "--out", "out"]);
    assert!(output.status.success(), "{output:?}");
    let summary = json(&output.stdout);
    assert_eq!(summary["agents"], 0);
    assert_eq!(summary["crossings"]["door"], json(br#"{"forward": 40, "backward": 0, "persons": 40}"#));
    // Forty walkers out of eight metres at 1.5 m/s.
    let flow = summary["flow"]["door"].as_f64().unwrap();
    assert!((flow - 40.0 / (8.0 / 1.5)).abs() < 1.5, "{flow}");
    assert_eq!(summary["stuck"], 0);
    let exits = &summary["exit_times"];
    assert_eq!((&exits["agents"], &exits["remaining"]), (&json(b"40"), &json(b"0")));
    assert!((exits["mean"].as_f64().unwrap() - 10.0).abs() < 1.0 && exits["last"].as_f64().unwrap() < 12.9, "{exits}");
    let share = summary["overlaps"]["share"].as_f64().unwrap();
    assert!(share > 0.0 && share < 1.0 && summary["overlaps"]["worst"].as_f64().unwrap() <= 0.5);
    let series = table(&folder, "out/measures.csv");
    assert_eq!(series.len(), 1 + 21);
    let persons = column(&series, "persons.door");
    assert!(persons.is_sorted() && persons[0] == 0.0 && persons[20] == 40.0);
    // Forty walkers over 64 m2 pass the area.
    let densest = |name: &str| column(&series, name).into_iter().fold(0.0, f64::max);
    assert!((0.4..1.2).contains(&densest("classic_density.front")));
    assert!((0.4..1.0).contains(&densest("voronoi_density.front")));
    assert!(column(&series, "voronoi_speed.front")[0].is_nan());
    assert!((densest("voronoi_speed.front") - 1.5).abs() < 1e-5);
    let text = String::from_utf8(throng(&folder, &["run", &file, "--out", "text"]).stdout).unwrap();
    assert!(!text.contains("remain"), "{text}");
    // A run that is cut off has no time of the last exit before the first, and says how many remain.
    let cut = |ticks: &str| throng(&folder, &["run", &file, "--ticks", ticks, "--out", ticks, "--json"]);
    let none = &json(&cut("10").stdout)["exit_times"];
    assert_eq!(none, &json(br#"{"agents": 0, "mean": null, "median": null, "last": null, "remaining": 40}"#));
    let some = &json(&cut("100").stdout)["exit_times"];
    let remaining = 40 - some["agents"].as_u64().unwrap();
    assert!(remaining > 0 && remaining < 40 && some["remaining"] == remaining, "{some}");
    let short = throng(&folder, &["run", &file, "--ticks", "100", "--out", "short"]).stdout;
    let short = String::from_utf8_lossy(&short);
    assert!(short.contains(&format!("; {remaining} agents remain")), "{short}");
    // Both methods have their values and their names.
    let mean = |name: &str| format!("{:.3} ±", summary["measures"][name]["mean"].as_f64().unwrap());
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let [cells, count] = ["voronoi_density.front", "classic_density.front"].map(mean);
    assert!(cells != count, "{cells}");
    for part in [format!("area front density {cells}"), format!("by Voronoi cells; density {count}")] {
        assert!(one_line.contains(&part), "{part} in {text}");
    }
    for part in ["flow door", "40 forward, 0 backward", "% in overlap", "time to exit", "by count", "measures.svg"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let keys: Vec<_> = summary.as_object().unwrap().keys().filter(|key| summary[*key] == Value::Null).collect();
    assert!(keys.is_empty(), "{keys:?}");
}

#[test]
fn mistakes_have_their_place() {
    let folder = Folder::new("measures-bad");
    let file = folder.write("bad.toml", &format!("{SMALL}[output]\nmeasures = {{ names = [\"millng\"] }}\n"));
    let output = throng(&folder, &["run", &file]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("bad.toml:16:23: output.measures.names"), "{error}");
    assert!(error.contains("unknown measure `millng`") && error.contains("milling"), "{error}");
}

#[test]
fn a_table_of_persons_has_their_starts_exits_and_ways() {
    let folder = Folder::new("persons");
    let file = folder.write("walkers.toml", &WALKERS.replace("every = 10\n", "every = 10\npersons = true\n"));
    let ran = throng(&folder, &["run", &file, "--json", "--out", "done"]);
    let summary = json(&ran.stdout);
    let rows = table(&folder, "done/persons.csv");
    assert_eq!(rows[0], ["id", "species", "start_s", "departure_s", "exit_s", "exit", "way_m"]);
    assert_eq!(rows.len(), 41);
    let number = |row: &[String], place: usize| row[place].parse::<f64>().unwrap();
    for row in &rows[1..] {
        // They walk straight to the edge at 1.5 m/s.
        assert_eq!((&row[1][..], &row[2][..], &row[5][..]), ("walker", "0", "(left)"));
        assert!((number(row, 6) - 1.5 * number(row, 4)).abs() < 0.5, "{row:?}");
        assert!((0.1..0.21).contains(&number(row, 3)), "{row:?}");
    }
    let last = rows[1..].iter().map(|row| number(row, 4)).fold(0.0, |a: f64, b| if a > b { a } else { b });
    assert!((last - summary["exit_times"]["last"].as_f64().unwrap()).abs() < 0.11);
    assert!(summary["files"]["persons"].as_str().unwrap().ends_with("persons.csv"));
    // A run that was interrupted has the same table.
    let whole = fs::read_to_string(folder.path("done/persons.csv")).unwrap();
    let half = ["run", &file, "--out", "half", "--ticks", "60", "--checkpoint-every", "30", "-q"];
    assert!(throng(&folder, &half).status.success());
    assert!(throng(&folder, &["resume", "half", "--ticks", "200", "-q"]).status.success());
    assert_eq!(fs::read_to_string(folder.path("half/persons.csv")).unwrap(), whole);
}
