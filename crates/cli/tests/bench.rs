//! Tests of `throng bench`: its rows in worlds of several sizes, its outputs, comparisons and errors of usage.

use crate::common;

use std::fs;

use common::{Folder, SMALL, json, scenario, throng};
use serde_json::Value;

/// Options of measurements that take a moment.
const SHORT: [&str; 6] = ["--repetitions", "2", "--ticks", "3", "--from", "2"];

/// Runs `throng bench` with these options; returns its exit code, its standard output and its standard error.
fn bench(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = throng(folder, &[&["bench"], &SHORT[..], arguments].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The rows of a measurement that succeeds.
fn rows(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let (code, out, error) = bench(folder, &[arguments, &["--json"]].concat());
    assert_eq!(code, Some(0), "{error}");
    json(out.as_bytes())["rows"].as_array().unwrap().clone()
}

#[test]
fn a_scenario_has_a_row_for_each_number_of_threads_with_the_hash_of_its_run() {
    let folder = Folder::new("bench-scenario");
    folder.write("small.toml", SMALL);
    let rows = rows(&folder, &["small.toml", "--threads", "1,2,3", "--set", "world.seed=9"]);
    let threads: Vec<_> = rows.iter().map(|row| row["threads"].as_u64().unwrap()).collect();
    assert_eq!(threads, [1, 2, 3]);
    let run = ["run", "small.toml", "--set", "world.seed=9", "--ticks", "5", "--json", "--out", "run"];
    let run = json(&throng(&folder, &run).stdout);
    for row in &rows {
        let keys = [
            "milliseconds_per_tick",
            "lower_quartile",
            "upper_quartile",
            "agents_per_second",
            "speed_up",
            "efficiency",
            "neighbours",
            "candidates_per_neighbour",
            "bytes_per_agent",
        ];
        for key in keys {
            assert!(row[key].as_f64().is_some_and(|number| number > 0.0), "{key} in {row}");
        }
        assert_eq!((&row["hash"], &row["agents"], &row["ticks"]), (&run["hash"], &30.0.into(), &6.into()), "{row}");
        assert_eq!((row["repetitions"].as_array().unwrap().len(), &row["design"]), (2, &"throng".into()));
        assert_eq!(row["stage_milliseconds"].as_object().unwrap().len(), 9);
    }
    assert_eq!((&rows[0]["speed_up"], &rows[0]["efficiency"]), (&1.0.into(), &1.0.into()));
}

#[test]
fn larger_worlds_have_the_same_density() {
    let folder = Folder::new("bench-scale");
    let many = SMALL.replace("count = 30", "count = 400");
    folder.write("small.toml", &many);
    for options in [["--scale", "1,9"], ["--agents", "400,3600"]] {
        let rows = rows(&folder, &[&["small.toml", "--threads", "1"], &options[..]].concat());
        let of = |row: usize, key: &str| rows[row][key].as_f64().unwrap();
        assert_eq!([of(0, "agents"), of(1, "agents")], [400.0, 3600.0], "{options:?}");
        let ratio = of(1, "neighbours") / of(0, "neighbours");
        assert!((ratio - 1.0).abs() < 0.1, "{options:?}: {ratio} times the neighbours");
    }
    let rows = rows(&folder, &["small.toml", "--threads", "1,3", "--agents", "500", "--weak"]);
    let agents: Vec<_> = rows.iter().map(|row| row["agents"].as_f64().unwrap()).collect();
    assert_eq!(agents, [500.0, 1500.0], "in proportion to the threads");
    // The agents of this one come from sources in the first tick.
    let hall = self::rows(&folder, &[&scenario("bottleneck"), "--threads", "1", "--agents", "300"]);
    assert!((hall[0]["agents"].as_f64().unwrap() / 300.0 - 1.0).abs() < 0.1, "{hall:?}");
}

#[test]
fn the_flock_is_measured_without_a_scenario() {
    let folder = Folder::new("bench-flock");
    let rows = rows(&folder, &["--agents", "300,2e3", "--threads", "1,2"]);
    assert_eq!(rows.len(), 2 * 2 * 2);
    for row in &rows {
        assert!((15.0..25.0).contains(&row["neighbours"].as_f64().unwrap()), "{row}");
        for other in &rows {
            let world = |row: &Value| (row["agents"].as_f64().map(|agents| agents as u64), row["dimensions"].as_u64());
            assert_eq!(world(row) == world(other), row["hash"] == other["hash"], "{row} {other}");
        }
    }
}

#[cfg(feature = "designs")]
#[test]
fn rival_designs_have_rows_too_and_fresh_and_kept_share_a_hash() {
    let folder = Folder::new("bench-designs");
    let rows = rows(&folder, &["--designs", "--agents", "300,2000", "--threads", "1,2"]);
    assert_eq!(rows.len(), 5 * 2 * 2 * 2);
    let of_throng = ["throng", "fresh", "kept"];
    for row in &rows {
        let design = row["design"].as_str().unwrap();
        assert!([&of_throng[..], &["grid", "rstar_per_agent"]].concat().contains(&design), "{row}");
        assert!(row["candidates_per_neighbour"].as_f64().unwrap() >= 1.0, "{row}");
        assert_eq!(row["roofline_fraction"].is_f64(), design != "throng", "{row}");
        for other in &rows {
            let key = |row: &Value| {
                let design = row["design"].as_str().unwrap().to_owned();
                let design = if of_throng.contains(&&design[..]) { "throng".to_owned() } else { design };
                (design, row["size"].clone(), row["dimensions"].clone())
            };
            assert_eq!(key(row) == key(other), row["hash"] == other["hash"], "{row} {other}");
        }
    }
}

#[test]
fn tables_fit_a_terminal_and_plots_and_csv_hold_every_row() {
    let folder = Folder::new("bench-outputs");
    let flock = ["--agents", "500,4000", "--threads", "1,2", "--dimensions", "2"];
    let (code, out, error) = bench(&folder, &[&flock[..], &["-v", "--plot", "bench.svg"]].concat());
    assert_eq!(code, Some(0), "{error}");
    let machine = out.lines().next().unwrap();
    assert!(out.lines().filter(|line| *line != machine).all(|line| line.chars().count() <= 80), "{out}");
    for text in
        ["efficiency", "quartiles", "state hash ", "grows as agents to the power of", "steer", "plot  bench.svg"]
    {
        assert!(out.contains(text), "{text}: {out}");
    }
    let picture = fs::read_to_string(folder.path("bench.svg")).unwrap();
    for text in ["<svg", "over threads", "over agents", "4000 agents", "2 threads", "dashed"] {
        assert!(picture.contains(text), "{text}: {picture}");
    }
    let (code, out, error) = bench(&folder, &[&flock[..], &["--csv", "--plot", "bench.png"]].concat());
    assert_eq!(code, Some(0), "{error}");
    for key in ["# processor: ", "# cores: ", "# instruction_set: ", "# version: ", "# date: 20"] {
        assert!(out.contains(key), "{key}: {out}");
    }
    let table = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(out.as_bytes()).into_records();
    assert_eq!(table.map(Result::unwrap).count(), 4, "{out}");
    assert!(fs::read(folder.path("bench.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_slower_row_than_in_an_earlier_measurement_fails() {
    let folder = Folder::new("bench-against");
    folder.write("small.toml", SMALL);
    let options = ["small.toml", "--threads", "1"];
    let (_, out, _) = bench(&folder, &[&options[..], &["--json"]].concat());
    let with = |change: &dyn Fn(&mut Value)| {
        let mut old = json(out.as_bytes());
        change(&mut old["rows"][0]);
        folder.write("old.json", &old.to_string());
        bench(&folder, &[&options[..], &["--against", "old.json"]].concat())
    };
    let (code, _, error) = with(&|row| row["repetitions"] = vec![1e-9; 5].into());
    assert!(code == Some(3) && error.contains("slower than in old.json: small"), "{code:?} {error}");
    let (code, said, error) = with(&|row| row["repetitions"] = vec![1e9; 5].into());
    assert!(code == Some(0) && said.contains(" faster") && !said.contains("other bits"), "{said} {error}");
    let (_, said, _) = with(&|row| row["hash"] = "0".into());
    assert!(said.contains("other bits"), "{said}");
    let (code, _, error) = with(&|row| row["threads"] = 7.into());
    assert!(code == Some(2) && error.contains("has none of these rows"), "{error}");
    folder.write("old.json", "[]");
    let (code, _, error) = bench(&folder, &["small.toml", "--against", "old.json"]);
    assert!(code == Some(2) && error.contains("is not a measurement"), "{error}");
}

#[test]
fn span_names_what_bounds_each_stage() {
    let folder = Folder::new("bench-span");
    let (code, out, error) = bench(&folder, &["--span", "--json", "--agents", "20000", "--dimensions", "2"]);
    assert_eq!(code, Some(0), "{error}");
    let report = &json(out.as_bytes())["spans"][0];
    let times = |value: &Value| ["work_milliseconds", "span_milliseconds"].map(|key| value[key].as_f64().unwrap());
    let stages: Vec<_> = report["stages"].as_object().unwrap().values().map(times).collect();
    for number in 0..2 {
        let sum: f64 = stages.iter().map(|times| times[number]).sum();
        assert!((times(&report["tick"])[number] / sum - 1.0).abs() < 1e-6, "the stages are one after another");
    }
    let bounds: Vec<_> =
        ["4", "16", "64", "256"].map(|n| report["tick"]["most_speed_up"][n].as_f64().unwrap()).into_iter().collect();
    let parallelism = report["tick"]["parallelism"].as_f64().unwrap();
    assert!(bounds.is_sorted() && bounds[0] <= 4.0 && bounds[3] <= parallelism * 1.000_001, "{report}");
    // Twenty thousand agents are 79 chunks, each for one thread.
    assert!(report["stages"]["steer"]["pieces"].as_f64().unwrap() >= 79.0, "{report}");
    let (_, out, _) = bench(&folder, &["--span", "-v", &scenario("hunt")]);
    assert!(out.contains("parallelism") && out.contains("longest pieces") && out.contains("  tick "), "{out}");
}

#[test]
fn invalid_plans_are_refused_before_the_measurement() {
    let folder = Folder::new("bench-usage");
    folder.write("small.toml", SMALL);
    let circle = SMALL.replace("count = 30", "count = 30\nplace = { region = \"circle\", radius = 5.0 }");
    folder.write("circle.toml", &circle);
    let fed = "[[region]]\nname = \"door\"\ncentre = [5.0, 5.0]\nsize = [4.0, 4.0]\n[[source]]\nname = \"door\"\n\
               species = \"starling\"\nregion = \"door\"\nrate = 0.01\n[species";
    folder.write("fed.toml", &SMALL.replace("count = 30\n", "").replace("[species", fed));
    for (arguments, code, says) in [
        (&["--dimensions", "4"][..], 2, "--dimensions"),
        (&["--agents", "0"], 2, "must be a whole number from 1"),
        (&["--agents", "many"], 2, "must be a whole number from 1"),
        (&["--ticks", "0"], 2, "--ticks"),
        (&["--threads", "0"], 2, "--threads"),
        (&["--threads", "1,1000000"], 2, "--threads"),
        (&["--repetitions", "0"], 2, "--repetitions"),
        (&["--scale", "2"], 2, "SCENARIO"),
        (&["small.toml", "--dimensions", "3"], 2, "cannot be used with"),
        (&["small.toml", "--scale", "0"], 2, "must be a number from 1e-6"),
        (&["small.toml", "--scale", "1", "--agents", "9"], 2, "cannot be used with"),
        (&["none.toml"], 2, "none.toml: no such file"),
        (&["circle.toml", "--scale", "2"], 2, "species.starling.place.region: cannot be scaled"),
        (&["fed.toml", "--agents", "100"], 2, "no agents after tick 2"),
        (&["--agents", "1e12"], 4, "agents"),
        (&["small.toml", "--agents", "2e9"], 4, "agents"),
        (&["small.toml", "--agents", "1e8", "--weak", "--threads", "64"], 4, "agents"),
        (&["--agents", "10", "--plot", "nowhere/bench.svg"], 5, "nowhere/bench.svg"),
        (&["--agents", "10", "--plot", "bench.pdf"], 2, "must end in .svg or .png"),
        (&["--agents", "10", "--against", "none.json"], 2, "none.json: no such file"),
    ] {
        let (found, _, error) = bench(&folder, arguments);
        assert!(found == Some(code) && error.contains(says), "{arguments:?}: {found:?} {error}");
    }
}

#[test]
fn the_commands_of_the_page_run() {
    let folder = Folder::new("bench-page");
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/benchmark.md")).unwrap();
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let lines: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert!(lines.len() > 8, "{lines:?}");
    for line in lines {
        let words = line.split('#').next().unwrap().split_whitespace();
        let mut words: Vec<String> = words.map(|word| word.replace("scenarios/hunt.toml", &scenario("hunt"))).collect();
        assert_eq!(words[..2], ["throng", "bench"], "{line}");
        let file = words.iter().position(|word| word == ">").map(|at| words.drain(at..).next_back().unwrap());
        // Worlds a hundred times smaller take a moment, and their times vary.
        for word in words.iter_mut().filter(|word| word.starts_with("1e")) {
            let smaller = word.split(',').map(|number| (number.parse::<f64>().unwrap() / 100.0).to_string());
            *word = smaller.collect::<Vec<_>>().join(",");
        }
        let (code, out, error) = bench(&folder, &words[2..].iter().map(String::as_str).collect::<Vec<_>>());
        assert!(matches!(code, Some(0 | 3)), "{line}: {error}");
        if let Some(file) = file {
            fs::write(folder.path(&file), out).unwrap();
        }
    }
}
