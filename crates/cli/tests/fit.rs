//! Tests of `throng fit`: known parameters are found again, designs are refused, and the fitted scenario is written.

use crate::common;

use std::fs;

use common::{Folder, SMALL, json, throng};
use serde_json::Value;

/// Records the tracks of a scenario with these overrides.
fn record(folder: &Folder, file: &str, ticks: &str, set: &[&str]) {
    let set: Vec<&str> = set.iter().flat_map(|set| ["--set", set]).collect();
    let run = ["run", file, "--ticks", ticks, "--seed", "99", "--quiet", "--trajectory", "tracks.csv"];
    let output = throng(folder, &[&run[..], &set].concat());
    assert!(output.status.success(), "{output:?}");
}

/// Fits with these arguments, and returns the summary.
fn fit(folder: &Folder, file: &str, more: &[&str]) -> Value {
    let tracks = folder.path("tracks.csv").to_string_lossy().into_owned();
    let output = throng(folder, &[&["fit", file, "--to", &tracks, "--json"][..], more].concat());
    assert!(output.status.success(), "{output:?}");
    json(&output.stdout)
}

const RADIUS: &str = "species.starling.alignment.radius";
const WEIGHT: &str = "species.starling.alignment.weight";

/// All but the order, which has one value per frame.
const PATTERNS: &str = "spacing,speed,turning,correlation";

/// A flock that wanders.
const FLOCK: &str = r#"format = 1
[world]
dimensions = 2
size = [60.0, 40.0]
tick = 0.05
seed = 7
[species.starling]
count = 120
max_speed = 8.0
min_speed = 4.0
place = { region = "all", speed = 6.0 }
behaviours = [
  { rule = "separation", radius = 3.0 },
  { rule = "alignment", radius = 8.0 },
  { rule = "wander", weight = 1.5 },
]
"#;

/// The tracks have another seed than the runs of the fit.
#[test]
fn the_parameters_of_a_flock_are_found_again() {
    let folder = Folder::new("fit-flock");
    let file = folder.write("small.toml", FLOCK);
    record(&folder, &file, "300", &[&format!("{RADIUS}=5.0"), &format!("{WEIGHT}=1.6"), "output.trajectory.every=10"]);
    let ranges = [format!("{RADIUS}=2.0..12.0"), format!("{WEIGHT}=0.2..4.0")];
    let vary =
        ["--vary", &ranges[0], "--vary", &ranges[1], "--seeds", "3", "--points", "80", "--pattern", PATTERNS, "-o"];
    let fitted = folder.path("fitted.toml").to_string_lossy().into_owned();
    let found = fit(&folder, &file, &[&vary[..], &[&fitted]].concat());
    let best = &found["points"][0];
    let [radius, weight] = [RADIUS, WEIGHT].map(|key| best["values"][key].as_f64().unwrap());
    assert!((radius - 5.0).abs() < 0.6 && (weight - 1.6).abs() < 0.3, "{found:#}");
    // The scenario has the values in its own text, and its distance is the one of the best point.
    assert!(fs::read_to_string(&fitted).unwrap().contains(&format!("weight = {weight:?}")));
    let again = fit(&folder, &fitted, &["--seeds", "3", "--pattern", PATTERNS]);
    assert_eq!(again["points"][0]["distance"], best["distance"]);
    let patterns = again["patterns"].as_array().unwrap();
    assert!(patterns.len() == 4 && patterns.iter().all(|of| of["relative"].as_f64().unwrap() < 0.1), "{again:#}");
}

/// People at their own pace in a periodic corridor.
const PEOPLE: &str = r#"format = 1
[world]
dimensions = 2
size = [20.0, 4.0]
edge = ["wrap", "bounce"]
tick = 0.05
[fields.way]
cells = [1, 1]
vectors = [[1.0, 0.0]]
[species.walker]
count = 25
max_speed = 1.0
motion = { model = "collision_free_speed" }
behaviours = [{ rule = "follow_flow_field", field = "way" }]
"#;

#[test]
fn the_speed_of_people_is_found_again() {
    let folder = Folder::new("fit-people");
    let file = folder.write("people.toml", PEOPLE);
    record(&folder, &file, "100", &["species.walker.max_speed=1.45", "output.trajectory.every=4"]);
    let vary = ["--vary", "species.walker.max_speed=0.5..2.5", "--pattern", "speed,spacing", "--points", "40"];
    let found = fit(&folder, &file, &[&vary[..], &["--seeds", "3", "--threads", "2"]].concat());
    let speed = found["points"][0]["values"]["species.walker.max_speed"].as_f64().unwrap();
    assert!((speed - 1.45).abs() < 0.05, "{found:#}");
    // Two recordings count together, and around the best point there is an interval.
    let tracks = folder.path("tracks.csv").to_string_lossy().into_owned();
    let both = [&vary[..4], &["--points", "10", "--to", &tracks, "--interval"]].concat();
    let both = fit(&folder, &file, &both);
    let ends = &both["intervals"]["species.walker.max_speed"];
    let [low, high] = [0, 1].map(|end| ends[end].as_f64().unwrap());
    assert!(1.3 < low && low <= high && high < 1.6 && both["frames"] == 52, "{both:#}");
    // Equal seeds on one thread: the same points in the same order.
    let again = fit(&folder, &file, &[&vary[..], &["--seeds", "3", "--threads", "1"]].concat());
    assert_eq!(again, found);
}

#[test]
fn wrong_designs_are_refused_with_their_place() {
    let folder = Folder::new("fit-refused");
    let file = folder.write("small.toml", SMALL);
    record(&folder, &file, "40", &["output.trajectory.every=10"]);
    let other = folder.write("tracks.txt", "# framerate: 7\n1 0 1.0 1.0\n1 1 1.5 1.0\n");
    let places = folder.write("places.csv", "x,y\n1.0,1.0\n2.0,1.0\n");
    let tracks = folder.path("tracks.csv").to_string_lossy().into_owned();
    let vary = "species.starling.max_speed=1..2";
    let cases: [(&[&str], &str); 15] = [
        (&["--to", "trakcs.csv"], "trakcs.csv: "),
        (&["--to", &other], "set world.tick to the time between frames"),
        (&["--to", &tracks, "--vary", "species.starling.max_speed=2..1"], "the lower first"),
        (&["--to", &tracks, "--vary", "species.starling.max_speed=1"], "must be KEY=LOW..HIGH"),
        (&["--to", &tracks, "--vary", "species.starling.max_sped=1..2"], "max_sped"),
        (&["--to", &tracks, "--vary", vary, "--vary", vary], "the key is sought twice"),
        (&["--to", &tracks, "--vary", "world.seed=1..2"], "world.seed: is not fitted"),
        (&["--to", &tracks, "--pattern", "sped"], "--pattern sped: must be one of order, spacing"),
        (&["--to", &tracks, "--species", "owl"], "owl: the scenario has no such species; it has starling"),
        (&["--to", &tracks, "-o", "fitted.toml"], "nothing is fitted"),
        (&["--to", &tracks, "--from", "18446744073709551615"], "more than 10000000: from 18446744073709551615"),
        (&["--to", &tracks, "--frames", "1000000000"], "with 1000000000 frames every 10 ticks"),
        (&["--to", &tracks, "--every", "18446744073709551615"], "more than 10000000"),
        (&["--to", &tracks, "--seeds", "18446744073709551615"], "more than 1000000 runs"),
        (&["--to", &places], "has no column tick or frame, as tracks have"),
    ];
    for (more, reason) in cases {
        let output = throng(&folder, &[&["fit", &file][..], more].concat());
        let error = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.code() == Some(2) && error.contains(reason), "{more:?}: {error}");
    }
}

/// People come one after another, cross a hall and pass a column.
const HALL: &str = r#"format = 1
[world]
dimensions = 2
size = [16.0, 8.0]
edge = "bounce"
tick = 0.05
[[wall]]
centre = [8.0, 4.0]
radius = 0.6
[[region]]
name = "west"
centre = [1.0, 4.0]
size = [1.5, 5.0]
[[region]]
name = "east"
centre = [15.0, 4.0]
size = [1.5, 5.0]
[[source]]
name = "guests"
species = "walker"
region = "west"
rate = 1.5
limit = 20
[navigation.out]
goals = ["region:east"]
[[sink]]
name = "out"
region = "east"
[species.walker]
motion = { model = "collision_free_speed" }
max_speed = 1.3
behaviours = [{ rule = "walk_to", goals = ["out"] }]
"#;

/// The model that made the tracks walks as they do; with another pace it comes late, and the pace is found again.
#[test]
fn one_simulated_person_walks_like_the_recorded_one() {
    let folder = Folder::new("fit-persons");
    let file = folder.write("hall.toml", HALL);
    record(&folder, &file, "500", &["output.trajectory.every=4"]);
    let same = fit(&folder, &file, &["--persons", "all", "--threads", "2"]);
    let mean = |found: &Value, name: &str| found["means"][name].as_f64().unwrap();
    assert_eq!(same["persons"].as_array().unwrap().len(), 20, "{same:#}");
    assert!(mean(&same, "place") < 0.15 && mean(&same, "end") < 0.3, "{:#}", same["means"]);
    assert!(mean(&same, "speed") < 0.03 && mean(&same, "late").abs() < 0.11, "{:#}", same["means"]);
    assert!((mean(&same, "overlap") - mean(&same, "recorded_overlap")).abs() < 0.01);
    let slow = fit(&folder, &file, &["--persons", "all", "--set", "species.walker.max_speed=1.1"]);
    assert!(mean(&slow, "place") > 0.5 && mean(&slow, "end") > 1.0, "{:#}", slow["means"]);
    assert!(mean(&slow, "late") > 1.0 && mean(&slow, "speed") > 0.1, "{:#}", slow["means"]);
    // The distance of a fit is the mean of places.
    assert_eq!(same["points"][0]["distance"], same["means"]["place"]);
    let vary = ["--persons", "5", "--vary", "species.walker.max_speed=0.8..1.8", "--points", "25"];
    let found = fit(&folder, &file, &vary);
    assert_eq!(found["persons"].as_array().unwrap().len(), 5);
    let pace = found["points"][0]["values"]["species.walker.max_speed"].as_f64().unwrap();
    assert!((pace - 1.3).abs() < 0.03, "{pace}");
    assert_eq!(fit(&folder, &file, &[&vary[..], &["--threads", "1"]].concat()), found);
    let text = throng(&folder, &["fit", &file, "--to", &folder.path("tracks.csv").to_string_lossy(), "--persons", "3"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("means of 3 runs") && text.contains("place, m"), "{text}");
}

/// A scenario replays tracks: they are read from its file, and are where the recording has them.
#[test]
fn a_scenario_repeats_a_recording() {
    let folder = Folder::new("fit-tracks");
    let hall = folder.write("hall.toml", HALL);
    record(&folder, &hall, "300", &["output.trajectory.every=4"]);
    let sources = HALL.find("[[source]]").unwrap()..HALL.find("[navigation.out]").unwrap();
    let mut text = HALL.to_owned();
    text.replace_range(sources, "[[tracks]]\nspecies = \"walker\"\nfile = \"tracks.csv\"\nfrom = 0\n");
    // Walls and sinks would stop others.
    let repeat = folder.write("repeat.toml", &text.replace("radius = 0.6", "radius = 2.4"));
    let run = ["run", &repeat, "--ticks", "280", "--quiet", "--trajectory", "again.csv"];
    let run = throng(&folder, &[&run[..], &["--set", "output.trajectory.every=4"]].concat());
    assert!(run.status.success(), "{run:?}");
    let positions = |file: &str| {
        let text = fs::read_to_string(folder.path(file)).unwrap();
        let names: Vec<String> = text.lines().next().unwrap().split(',').map(str::to_owned).collect();
        let columns = ["tick", "x", "y"].map(|name| names.iter().position(|other| other == name).unwrap());
        let row = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            columns.map(|column| fields[column].to_owned())
        };
        let mut rows: Vec<_> =
            text.lines().skip(1).map(row).filter(|row| row[0].parse::<u64>().unwrap() <= 280).collect();
        rows.sort();
        rows
    };
    let (recorded, again) = (positions("tracks.csv"), positions("again.csv"));
    assert!(recorded.len() > 400, "{}", recorded.len());
    assert_eq!(again, recorded);
}
