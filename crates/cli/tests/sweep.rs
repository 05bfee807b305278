//! Tests of `throng sweep` and `throng plot`: tables, resumed sweeps, figures and refused designs.

use crate::common;

use std::collections::HashMap;
use std::fs;
use std::process::Output;

use common::{EVACUATION, Folder, SMALL, json, throng};

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

/// Size and number at a fixed density, from the command line and from a table: the same runs.
#[test]
fn keys_that_move_together_give_the_runs_of_a_table_of_points() {
    let folder = Folder::new("sweep-together");
    let file = folder.write("small.toml", SMALL);
    let points = folder.write("points.csv", "species.starling.count,world.tick\n20,0.05\n40, 0.02\n");
    let design = ["--ticks", "6", "--from", "2", "--quiet"];
    let vary = ["--vary", "species.starling.count=20,40 & world.tick=0.05,0.02", "-o", "one.csv"];
    let one = throng(&folder, &[&["sweep", &file][..], &design, &vary].concat());
    let other = throng(&folder, &[&["sweep", &file][..], &design, &["--points", &points, "-o", "other.csv"]].concat());
    assert!(one.status.success() && other.status.success(), "{one:?} {other:?}");
    // As a table calculation in Germany writes it.
    let german = "\u{feff}species.starling.count;\"world.tick\"\r\n20;0,05\r\n40;0,02\r\n";
    let german = folder.write("german.csv", german);
    let third = throng(&folder, &[&["sweep", &file][..], &design, &["--points", &german, "-o", "third.csv"]].concat());
    assert!(third.status.success(), "{third:?}");
    let [one, other, third] =
        ["one.csv", "other.csv", "third.csv"].map(|name| fs::read_to_string(folder.path(name)).unwrap());
    assert!(one == other && one == third, "{third}");
    let rows = rows(&one);
    let found: Vec<_> = rows.iter().map(|row| (&row["species.starling.count"][..], &row["world.tick"][..])).collect();
    assert_eq!(found, [("20", "0.05"), ("40", "0.02")]);
    // The run of a row is the one that its values give.
    let set = ["--set", "species.starling.count=40", "--set", "world.tick=0.02", "--ticks", "6", "--json"];
    let run = throng(&folder, &[&["run", &file][..], &set].concat());
    assert_eq!(json(&run.stdout)["hash"], rows[1]["state_hash"][..]);
}

/// Agents that turn at random: their order forgets itself, so its error is small at the first three looks.
#[test]
fn a_run_ends_when_its_error_is_small_enough() {
    let folder = Folder::new("sweep-precision");
    let text = "format = 1\n[world]\ndimensions = 2\nsize = [20.0, 20.0]\nedge = \"wrap\"\ntick = 1.0\n\
                [species.bird]\ncount = 40\nmax_speed = 0.1\nmin_speed = 0.1\nmotion = { model = \"vicsek\", radius = 1.0, noise = 5.0 }\n";
    let file = folder.write("noise.toml", text);
    let design = ["--ticks", "20000", "--from", "auto", "--measure", "polarisation", "--quiet", "-o", "table.csv"];
    let more = ["--precision", "polarisation=0.01", "--statistic", "mean,se,inefficiency,binder,susceptibility"];
    let output = throng(&folder, &[&["sweep", &file][..], &design, &more].concat());
    assert!(output.status.success(), "{output:?}");
    let row = &rows(&fs::read_to_string(folder.path("table.csv")).unwrap())[0];
    let number = |column: &str| row[column].parse::<f64>().unwrap();
    let [error, ticks, from] = ["polarisation_se", "ticks", "from"].map(number);
    assert!(error <= 0.01 && ticks == 8192.0 && (1638.0..4096.0).contains(&from), "{row:?}");
    // Random directions of forty agents.
    let disorder = (std::f64::consts::PI / (4.0 * 40.0)).sqrt();
    assert!((number("polarisation") - disorder).abs() < 5.0 * error + 0.05, "{row:?}");
    assert!(number("polarisation_inefficiency") > 1.0 && number("polarisation_binder") < 0.6, "{row:?}");
    assert!(number("polarisation_susceptibility") > 0.0);
}

/// A run with a few ticks, and one whose speed still changes: neither has an error, and the sweep says why.
#[test]
fn an_error_that_is_unknown_has_a_reason() {
    let folder = Folder::new("sweep-unknown");
    let file = folder.write("small.toml", SMALL);
    for (ticks, reason) in
        [("30", "it has fewer than 50 independent values"), ("240", "the error still grows with the block")]
    {
        let design = ["--ticks", ticks, "--from", "0", "--statistic", "mean,se", "--measure", "mean_speed", "--force"];
        let output = throng(&folder, &[&["sweep", &file][..], &design, &["-o", "table.csv", "--quiet"]].concat());
        assert!(output.status.success(), "{output:?}");
        let row = &rows(&fs::read_to_string(folder.path("table.csv")).unwrap())[0];
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        let warning =
            format!("mean_speed: the error is unknown, as the run is not long enough: {reason} (in 1 of 1 runs)");
        assert!(row["mean_speed_se"] == "NaN" && printed.contains(&warning), "{row:?} {printed}");
    }
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

/// Starts a sweep, and interrupts it once its part has this number of bytes.
#[cfg(unix)]
fn interrupt(folder: &Folder, arguments: &[&str], bytes: usize) -> Output {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let child = common::command(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (part, started) = (folder.path("table.csv.part"), Instant::now());
    while fs::read(&part).map_or(0, |found| found.len()) < bytes {
        assert!(started.elapsed() < Duration::from_secs(120), "no row was written");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_sweep_and_keeps_its_rows() {
    let folder = Folder::new("sweep-signal");
    let file = folder.write("small.toml", SMALL);
    let design = ["--ticks", "200", "--from", "10", "--seeds", "2000", "--json", "-o", "table.csv", "--threads", "2"];
    let output = interrupt(&folder, &[&["sweep", &file][..], &design].concat(), 300);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let summary = json(&output.stdout);
    let computed = summary["computed"].as_u64().unwrap();
    assert!(summary["interrupted"] == true && (1..2000).contains(&computed), "{summary}");
    let part = fs::read_to_string(folder.path("table.csv.part")).unwrap();
    assert_eq!(part.lines().count() as u64, computed);
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
        (&["--vary", "world.tick=0.1,0.2 & world.seed=1,2"], "--seeds"),
        (&["--vary", "world.tick=0.1,0.2 & species.starling.count=1"], "together they need equal numbers"),
        (&["--vary", "world.tick=0.1:0.2"], "--latin"),
        (&["--latin", "4"], "needs ranges"),
        (&["--points", "small.toml"], "small.toml:"),
        (&["--statistic", "mode"], "mean, sd, se"),
        (&["--precision", "polarisation=0"], "above zero"),
        (&["--precision", "milling=0.1"], "not measured"),
        (&["--from", "early"], "or auto"),
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
fn a_species_named_like_a_statistic_makes_no_second_column() {
    let folder = Folder::new("sweep-columns");
    let file = folder.write("two.toml", &format!("{SMALL}[species.starling_sd]\ncount = 2\n"));
    let measures = ["--measure", "mean_speed.starling,mean_speed.starling_sd", "-o", "table.csv"];
    let output = throng(&folder, &[&["sweep", &file, "--ticks", "2", "--from", "0"][..], &measures].concat());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2) && text.contains("mean_speed.starling_sd: the table would have two"),
        "{text}"
    );
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
        ["deviation over 2 seeds", "alignment weight", "mean speed in m/s", "world.tick = 0.02", "world.tick = 0.05"];
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

/// The evacuation with a line at its door and an area behind it.
fn evacuation() -> String {
    let measured = "[output.measures]\nnames = []\n[output.measures.line.door]\nfrom = [10.0, 6.0]\nto = [10.0, 4.0]\n\
                    [output.measures.area.room]\ncentre = [5.0, 5.0]\nsize = [10.0, 10.0]\n";
    format!("{EVACUATION}{measured}")
}

#[test]
fn a_sweep_has_the_outcomes_of_evacuations() {
    let folder = Folder::new("sweep-outcomes");
    let file = folder.write("rooms.toml", &evacuation());
    let names = "exit_last,mean_speed,remaining,persons.door,peak_density.room";
    let design = ["--ticks", "1200", "--from", "0", "--vary", "species.person.count=3,9", "--measure", names, "-q"];
    let made = throng(&folder, &[&["sweep", &file, "-o", "table.csv"][..], &design].concat());
    assert!(made.status.success(), "{made:?}");
    let rows = rows(&fs::read_to_string(folder.path("table.csv")).unwrap());
    let number = |row: usize, name: &str| rows[row][name].parse::<f64>().unwrap();
    for (row, persons) in [(0, 3.0), (1, 9.0)] {
        assert_eq!([number(row, "remaining"), number(row, "persons.door")], [0.0, persons]);
        assert!((number(row, "peak_density.room") - 0.01 * persons).abs() < 1e-9);
    }
    // A run ends when its world is empty, as by itself.
    let set = ["--set", "species.person.count=9", "--json", "--out", "done"];
    let summary = json(&throng(&folder, &[&["run", &file][..], &set].concat()).stdout);
    assert_eq!(summary["hash"], rows[1]["state_hash"][..]);
    assert!((number(1, "exit_last") - summary["simulated_seconds"].as_f64().unwrap()).abs() < 0.051);
    assert!((number(1, "mean_speed") - 1.3).abs() < 0.5);
    assert!(!String::from_utf8_lossy(&made.stderr).contains("remain"), "{made:?}");
    // Runs that end too early say that their times do not cover all.
    let short = ["--ticks", "100", "--from", "0", "--measure", "exit_last,exit_first", "--seeds", "2"];
    let cut = throng(&folder, &[&["sweep", &file, "-o", "cut.csv"][..], &short].concat());
    let text = String::from_utf8_lossy(&cut.stderr);
    assert!(cut.status.success() && text.contains("exit_last: ") && text.contains("in 2 of 2 runs"), "{cut:?}");
    let refused =
        throng(&folder, &["sweep", &file, "-o", "b.csv", "--ticks", "9", "--from", "0", "--measure", "flow.dor"]);
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && text.contains("door"), "{refused:?}");
}

#[test]
fn seeds_are_added_until_the_egress_curves_have_converged() {
    let folder = Folder::new("sweep-until");
    let file = folder.write("rooms.toml", &evacuation());
    let vary = "species.person.count=3,9";
    let sweep = |table: &str, threads: &str| {
        let design = ["--ticks", "1200", "--until", "0.2", "--vary", vary, "--json", "--threads", threads];
        let made = throng(&folder, &[&["sweep", &file, "-o", table][..], &design].concat());
        assert!(made.status.success(), "{made:?}");
        json(&made.stdout)
    };
    let (one, two) = (sweep("one.csv", "1"), sweep("two.csv", "2"));
    let tables = ["one.csv", "two.csv"].map(|table| fs::read_to_string(folder.path(table)).unwrap());
    assert_eq!(tables[0], tables[1]);
    let rows = rows(&tables[0]);
    let counts = [0, 1].map(|place| one["combinations"][place]["runs"].as_u64().unwrap());
    assert!(counts.iter().all(|count| (12..100).contains(count)), "{one}");
    assert_eq!((one["runs"].as_u64(), rows.len() as u64), (Some(counts[0] + counts[1]), counts[0] + counts[1]));
    assert_eq!((&one["combinations"], &one["computed"]), (&two["combinations"], &two["computed"]));
    assert!(rows.iter().all(|row| row["remaining"] == "0" && row["exit_last"].parse::<f64>().is_ok()));
    // The finished table is not computed again.
    assert_eq!(sweep("one.csv", "1")["computed"].as_u64(), Some(0));
    let plot = ["plot", "one.csv", "--x", "species.person.count", "--y", "exit_last", "--band", "-o", "figure.svg"];
    assert!(throng(&folder, &plot).status.success());
    let figure = fs::read_to_string(folder.path("figure.svg")).unwrap();
    assert!(figure.contains("5 to 95 %") && figure.contains("exit last in s"), "{figure}");
}

/// The runs before an interruption count as those after it, also if the last one is cut.
#[cfg(unix)]
#[test]
fn an_interrupted_sweep_until_convergence_ends_with_the_same_table() {
    let folder = Folder::new("sweep-until-resume");
    let file = folder.write("rooms.toml", &evacuation());
    let design = ["--ticks", "1200", "--until", "0.1", "--vary", "species.person.count=6,9", "--json", "--threads"];
    let sweep = |table: &str, threads: &str| {
        let made = throng(&folder, &[&["sweep", &file, "-o", table][..], &design, &[threads]].concat());
        assert!(made.status.success(), "{made:?}");
        (json(&made.stdout), fs::read_to_string(folder.path(table)).unwrap())
    };
    let (whole, table) = sweep("whole.csv", "2");
    let stopped = interrupt(&folder, &[&["sweep", &file, "-o", "table.csv"][..], &design, &["2"]].concat(), 200);
    assert_eq!(stopped.status.code(), Some(130), "{stopped:?}");
    let path = folder.path("table.csv.part");
    let part = fs::read_to_string(&path).unwrap();
    let kept = part.lines().count() as u64;
    fs::write(&path, format!("{part}150:6,1.5")).unwrap();
    let (rest, resumed) = sweep("table.csv", "1");
    assert_eq!(resumed, table);
    assert!(kept > 0 && rest["resumed"] == kept && whole["resumed"] == 0, "{rest}");
    assert_eq!((&rest["combinations"], &rest["runs"]), (&whole["combinations"], &whole["runs"]));
    assert_eq!(rest["computed"].as_u64().map(|computed| computed + kept), whole["computed"].as_u64());
}
