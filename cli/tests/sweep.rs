//! Tests of `throng sweep` and `throng plot`: tables, resumed sweeps, figures and refused designs.

mod common;

use std::collections::HashMap;
use std::fs;
use std::process::Output;

use common::{Folder, SMALL, json, throng};

/// The cells of a table without quotes, by column.
fn rows(table: &str) -> Vec<HashMap<String, String>> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| header.iter().zip(line.split(',')).map(|(a, b)| ((*a).to_owned(), b.to_owned())).collect();
    lines.map(row).collect()
}

const WEIGHT: &str = "species.starling.alignment.weight";

/// A sweep of twelve runs with these further arguments.
fn sweep(folder: &Folder, file: &str, more: &[&str]) -> Output {
    let vary = format!("{WEIGHT}=0:2:3");
    let design = ["--ticks", "30", "--from", "10", "--vary", &vary, "--vary", "world.tick=0.02,0.05", "--seeds", "2"];
    throng(folder, &[&["sweep", file][..], &design, more].concat())
}

#[test]
fn a_table_has_a_row_for_every_run() {
    let folder = Folder::new("sweep");
    let file = folder.write("small.toml", SMALL);
    let set = ["--set", "species.starling.count=20", "--json", "-o", "table.csv"];
    let output = sweep(&folder, &file, &set);
    let summary = json(&output.stdout);
    assert_eq!((summary["runs"].as_u64(), summary["computed"].as_u64()), (Some(12), Some(12)), "{output:?}");
    let table = fs::read_to_string(folder.path("table.csv")).unwrap();
    let header = format!(
        "{WEIGHT},world.tick,seed,polarisation,polarisation_sd,mean_speed,mean_speed_sd,inexact,quarantined,left,\
         scenario_hash,state_hash"
    );
    assert_eq!(table.lines().next(), Some(&header[..]));
    let rows = rows(&table);
    let runs: Vec<_> = rows.iter().map(|row| (&row[WEIGHT][..], &row["world.tick"][..], &row["seed"][..])).collect();
    let mut expected = Vec::new();
    for weight in ["0", "1", "2"] {
        for tick in ["0.02", "0.05"] {
            expected.extend(["7", "8"].map(|seed| (weight, tick, seed)));
        }
    }
    assert_eq!(runs, expected);
    // A row is the run that the same overrides give by themselves.
    let row = &rows[6];
    let weight = format!("{WEIGHT}={}", row[WEIGHT]);
    let tick = format!("world.tick={}", row["world.tick"]);
    let set = ["--set", "species.starling.count=20", "--set", &weight, "--set", &tick, "--seed", &row["seed"]];
    let mut measured = Vec::new();
    for ticks in 11..=30_u32 {
        let ticks = ticks.to_string();
        let run = throng(&folder, &[&["run", &file, "--json", "--ticks", &ticks][..], &set].concat());
        let summary = json(&run.stdout);
        measured.push(summary["polarisation"].as_f64().unwrap());
        assert!(ticks != "30" || summary["hash"] == row["state_hash"][..]);
    }
    let mean = measured.iter().sum::<f64>() / 20.0;
    let deviation = (measured.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / 20.0).sqrt();
    assert!((row["polarisation"].parse::<f64>().unwrap() - mean).abs() < 1e-12);
    assert!((row["polarisation_sd"].parse::<f64>().unwrap() - deviation).abs() < 1e-12);
    // The data from which the table follows are beside it.
    let described = json(&fs::read(folder.path("table.csv.json")).unwrap());
    assert_eq!((described["scenario_text"].as_str(), described["ticks"].as_u64()), (Some(SMALL), Some(30)));
    assert_eq!(described["scenario_hash"], rows[0]["scenario_hash"][..]);
}

#[test]
fn every_measure_has_a_column_and_its_deviation() {
    let folder = Folder::new("sweep-measures");
    let file = folder.write("small.toml", SMALL);
    let names = "agents,milling,clusters,mean_squared_displacement";
    let design = ["--ticks", "20", "--from", "19", "--radius", "5", "--measure", names, "-o", "table.csv", "--quiet"];
    let output = throng(&folder, &[&["sweep", &file][..], &design].concat());
    assert!(output.status.success(), "{output:?}");
    let row = &rows(&fs::read_to_string(folder.path("table.csv")).unwrap())[0];
    let number = |column: &str| row[column].parse::<f64>().unwrap();
    assert_eq!((number("agents"), number("agents_sd")), (30.0, 0.0));
    assert!(number("milling") <= 1.0 && number("clusters") >= 1.0);
    // It follows agents from tick zero on: nineteen ticks of 0.05 s at no more than 5 m/s by default.
    let displacement = number("mean_squared_displacement").sqrt();
    assert!(displacement > 0.5 && displacement < 20.0 * 0.05 * 50.0, "{displacement}");
}

#[test]
fn the_table_does_not_depend_on_the_number_of_threads() {
    let folder = Folder::new("sweep-threads");
    let file = folder.write("small.toml", SMALL);
    for threads in ["1", "2", "5"] {
        let table = format!("{threads}.csv");
        assert!(sweep(&folder, &file, &["--threads", threads, "--quiet", "-o", &table]).status.success());
    }
    let table = |name: &str| fs::read(folder.path(name)).unwrap();
    assert!(table("1.csv") == table("2.csv") && table("1.csv") == table("5.csv"));
}

#[test]
fn an_interrupted_sweep_goes_on_and_computes_nothing_twice() {
    let folder = Folder::new("sweep-resume");
    let file = folder.write("small.toml", SMALL);
    let run = |output: &str| json(&sweep(&folder, &file, &["--threads", "2", "--json", "-o", output]).stdout);
    let counts =
        |summary: serde_json::Value| (summary["resumed"].as_u64().unwrap(), summary["computed"].as_u64().unwrap());
    assert_eq!(counts(run("table.csv")), (0, 12));
    let table = fs::read_to_string(folder.path("table.csv")).unwrap();
    // A complete table needs no run.
    assert_eq!(counts(run("table.csv")), (12, 0));
    // An interruption leaves rows in the order in which runs ended, and perhaps a row without its end.
    let lines: Vec<&str> = table.lines().skip(1).collect();
    let part = format!("7 {}\n0 {}\n3 {}\n5 0,0.05,", lines[7], lines[0], lines[3]);
    fs::remove_file(folder.path("table.csv")).unwrap();
    fs::write(folder.path("table.csv.part"), part).unwrap();
    assert_eq!(counts(run("table.csv")), (3, 9));
    assert_eq!(fs::read_to_string(folder.path("table.csv")).unwrap(), table);
    assert_eq!(common::names(&folder), ["small.toml", "table.csv", "table.csv.json"]);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_sweep_and_keeps_its_rows() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let folder = Folder::new("sweep-signal");
    let file = folder.write("small.toml", SMALL);
    let design = ["--ticks", "200", "--from", "10", "--seeds", "2000", "--json", "-o", "table.csv", "--threads", "2"];
    let arguments = [&["sweep", &file][..], &design].concat();
    let mut command = common::command(&folder, &arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let part = folder.path("table.csv.part");
    let started = Instant::now();
    while fs::read(&part).map_or(0, |bytes| bytes.len()) < 300 {
        assert!(started.elapsed() < Duration::from_secs(120), "no row was written");
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let summary = json(&output.stdout);
    let computed = summary["computed"].as_u64().unwrap();
    assert!(summary["interrupted"] == true && (1..2000).contains(&computed), "{summary}");
    assert_eq!(fs::read_to_string(&part).unwrap().lines().count() as u64, computed);
    assert!(!folder.path("table.csv").exists());
}

#[test]
fn wrong_designs_are_refused_before_anything_runs() {
    let folder = Folder::new("sweep-wrong");
    let file = folder.write("small.toml", SMALL);
    for (more, part) in [
        (&["--vary", "species.starling.hunger=1,2"][..], "hunger"),
        (&["--vary", "species.robin.count=1,2"], "robin"),
        (&["--vary", "world.tick=0.1,-1"], "world.tick"),
        (&["--vary", "world.tick=0:1:0"], "the range is empty"),
        (&["--vary", "world.tick="], "a value is empty"),
        (&["--vary", "world.tick"], "KEY="),
        (&["--vary", "world.tick=1,2", "--vary", "world.tick=3"], "twice"),
        (&["--vary", "world.seed=1,2"], "--seeds"),
        (&["--measure", "entropy"], "polarisation"),
        (&["--measure", "polarisation,polarisation"], "twice"),
        (&["--measure", "clusters"], "--radius"),
        (&["--measure", "clusters", "--radius", "0"], "--radius"),
        (&["--seeds", "0"], "--seeds"),
        (&["--seeds", "1000000"], "1000000 runs, more than 100000; --force"),
        (
            &["--vary", "species.starling.count=1:1000000:1000000", "--seeds", "1000000000000000"],
            "more runs than 1000000000, which is the limit",
        ),
        (&["--ticks", "10", "--from", "10"], "no tick would be measured"),
        (&["-o", "table.txt"], "must end in .csv"),
    ] {
        let design = |key: &str, value: &'static str| {
            if more.contains(&key) { vec![] } else { vec![key.to_owned(), value.to_owned()] }
        };
        let mut arguments = vec!["sweep".to_owned(), file.clone()];
        arguments.extend(more.iter().map(|&text| text.to_owned()));
        for (key, value) in [("--ticks", "20"), ("--from", "5"), ("-o", "table.csv")] {
            arguments.extend(design(key, value));
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let refused = throng(&folder, &arguments);
        assert_eq!(refused.status.code(), Some(2), "{more:?}: {refused:?}");
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(text.contains(part), "{part} in {text}");
        assert_eq!(common::names(&folder), ["small.toml"], "{more:?}");
    }
    // A world that is too large for the machine.
    let large = ["--vary", "species.starling.count=10,1000000000000", "-o", "table.csv"];
    let refused = throng(&folder, &[&["sweep", &file, "--ticks", "2", "--from", "1"][..], &large].concat());
    assert_eq!(refused.status.code(), Some(4), "{refused:?}");
    assert_eq!(common::names(&folder), ["small.toml"]);
}

#[test]
fn another_sweep_is_replaced_only_if_forced() {
    let folder = Folder::new("sweep-other");
    let file = folder.write("small.toml", SMALL);
    let run = |ticks: &str, more: &[&str]| {
        let design = ["--ticks", ticks, "--from", "1", "--seeds", "2", "--quiet", "-o", "table.csv"];
        throng(&folder, &[&["sweep", &file][..], &design, more].concat())
    };
    assert!(run("5", &[]).status.success());
    let table = fs::read(folder.path("table.csv")).unwrap();
    let refused = run("6", &[]);
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains("another sweep (other ticks); --force replaces it"), "{text}");
    assert_eq!(fs::read(folder.path("table.csv")).unwrap(), table);
    assert!(run("6", &["--force"]).status.success());
    assert_ne!(fs::read(folder.path("table.csv")).unwrap(), table);
    // So is a file that is not a table.
    fs::remove_file(folder.path("table.csv.json")).unwrap();
    fs::write(folder.path("table.csv"), "my notes").unwrap();
    assert_eq!(run("6", &[]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.path("table.csv")).unwrap(), "my notes");
}

#[test]
fn a_figure_has_labels_curves_and_spread() {
    let folder = Folder::new("plot");
    let file = folder.write("small.toml", SMALL);
    assert!(sweep(&folder, &file, &["--quiet", "-o", "table.csv"]).status.success());
    let plot = |more: &[&str]| throng(&folder, &[&["plot", "table.csv"][..], more].concat());
    let output = plot(&["--x", WEIGHT, "--y", "mean_speed", "-o", "figure.svg"]);
    assert!(output.status.success(), "{output:?}");
    let figure = fs::read_to_string(folder.path("figure.svg")).unwrap();
    let labels =
        ["standard deviation over 2 seeds", WEIGHT, "mean_speed in m/s", "world.tick = 0.02", "world.tick = 0.05"];
    for label in labels {
        assert!(figure.contains(label), "{label}");
    }
    // A point for each of three weights and two ticks.
    assert_eq!(figure.matches("<circle").count(), 6);
    assert!(plot(&["--x", WEIGHT, "--y", "polarisation", "-o", "figure.png"]).status.success());
    assert_eq!(&fs::read(folder.path("figure.png")).unwrap()[..8], b"\x89PNG\r\n\x1a\n");
    for more in [
        &["--x", "hunger", "--y", "polarisation", "-o", "other.svg"][..],
        &["--x", WEIGHT, "--y", "hunger", "-o", "other.svg"],
        &["--x", WEIGHT, "--y", "state_hash", "-o", "other.svg"],
        &["--x", WEIGHT, "--y", "polarisation", "-o", "figure.svg"],
        &["--x", WEIGHT, "--y", "polarisation", "-o", "other.jpg"],
    ] {
        assert_eq!(plot(more).status.code(), Some(2), "{more:?}");
    }
}
