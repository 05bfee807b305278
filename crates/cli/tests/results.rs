//! Tests of the last lines of commands: results of runs, files that were written, and the next command to try.

use crate::common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use common::pictures::Picture;
use common::{Folder, SMALL, command, json, throng};

/// The output of a command, without colours.
fn said(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = throng(folder, arguments);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// People who leave a room by one of its two ends.
const ROOM: &str = r#"format = 1
world = { dimensions = 2, size = [20, 10], edge = "bounce", tick = 0.1, ticks = 300, until = "empty", seed = 1 }
region = [{ name = "room", centre = [8, 5], size = [8, 8] }, { name = "out", centre = [18, 5], size = [4, 10] }]
source = [{ name = "in", species = "person", region = "room", schedule = [[0.0, 20]] }]
sink = [{ name = "exit", region = "out" }]
[species.person]
count = 0
radius = 0.2
max_speed = 1.4
behaviours = [{ rule = "seek", target = [19, 5] }]
[output.measures]
every = 5
names = ["agents"]
line.door = { from = [14, 0], to = [14, 10] }
area.front = { centre = [12, 5], size = [4, 4] }
"#;

#[test]
fn a_run_ends_with_its_results_in_a_few_lines() {
    let folder = Folder::new("results");
    let file = folder.write("room.toml", ROOM);
    let (code, text, error) = said(&folder, &["run", &file, "-o", "out"]);
    assert_eq!((code, &error[..]), (Some(0), ""));
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert!((6..=12).contains(&lines.len()) && lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    assert!(lines[0].starts_with("room: ") && lines[0].contains(" s (") && lines[0].contains("simulated in"), "{text}");
    for part in [
        "agents         20 entered, 20 left by exit, 0 at the end",
        "flow door",
        "20 forward, 0 backward",
        "time to exit",
        "area front     density ",
        "over the run",
        "x real time",
        "state hash",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        lines.last().unwrap().ends_with("picture.png") && text.contains("wrote          out/ measures.csv"),
        "{text}"
    );
    // The work of the engine is shown on request.
    assert!(!text.contains("quarantine") && !text.contains("candidates"), "{text}");
    let (_, verbose, _) = said(&folder, &["run", &file, "-v"]);
    assert!(verbose.contains("quarantine") && verbose.contains("candidates"), "{verbose}");
    assert!(verbose.lines().all(|line| line.chars().count() <= 80), "{verbose}");
}

#[test]
fn the_picture_is_of_the_tick_that_tells_most() {
    let folder = Folder::new("telling");
    let file = folder.write("room.toml", ROOM);
    let summary = json(&throng(&folder, &["run", &file, "--json", "-o", "out"]).stdout);
    assert_eq!((summary["agents"].as_u64(), summary["most_agents"].as_u64()), (Some(0), Some(20)));
    let (tick, last) = (summary["picture_tick"].as_u64().unwrap(), summary["ticks"].as_u64().unwrap());
    assert!(tick > 1 && tick < last, "{summary}");
    // It is the picture of that tick, and not an empty room.
    let tick = tick.to_string();
    let arguments = ["render", &file, "-o", "same.png", "--ticks", &tick, "-q"];
    assert_eq!(throng(&folder, &arguments).status.code(), Some(0));
    let [drawn, same] = ["out/picture.png", "same.png"].map(|name| Picture::read(&folder.path(name)));
    assert!(drawn == same);
    // A resumed run has the same picture as one without an interruption.
    let parts = ["run", &file, "-q", "-o", "parts", "--checkpoint-every", "5"];
    assert_eq!(throng(&folder, &parts).status.code(), Some(0));
    let checkpoint = format!("parts/checkpoints/{:012}.ckpt", (last - 1) / 5 * 5);
    assert_eq!(throng(&folder, &["resume", &checkpoint, "-q"]).status.code(), Some(0));
    let resumed = json(&fs::read(folder.path("parts/summary.json")).unwrap());
    assert_eq!(resumed["picture_tick"].to_string(), tick);
}

#[test]
fn what_wrote_a_file_says_so() {
    let folder = Folder::new("wrote");
    let file = folder.write("small.toml", SMALL);
    let plan = format!("{}/../../scenarios/plans/rooms.wkt", env!("CARGO_MANIFEST_DIR"));
    let sweep = ["sweep", &file, "--ticks", "4", "--from", "1", "--seeds", "2", "-o", "table.csv"];
    let plot = ["plot", "table.csv", "--x", "seed", "--y", "polarisation", "-o", "figure.svg"];
    for (arguments, wrote) in [
        (&["new", "mine"][..], "wrote mine.toml. Next: throng view mine.toml"),
        (&sweep, "wrote table.csv"),
        (&plot, "wrote figure.svg"),
        (&["plan", &plan, "-o", "plan.svg"], "wrote plan.svg"),
        (&["man", "pages"], "wrote pages. Next: man -l pages/throng.1"),
    ] {
        let (code, text, error) = said(&folder, arguments);
        assert_eq!((code, text.lines().last()), (Some(0), Some(wrote)), "{arguments:?}: {text} {error}");
    }
    // A figure without its columns names those that there are.
    let (code, _, error) = said(&folder, &["plot", "table.csv", "-o", "other.svg"]);
    assert!(code == Some(2) && error.contains("--y is one of polarisation, mean_speed"), "{error}");
}

#[test]
fn errors_say_what_to_try() {
    let folder = Folder::new("try");
    let (code, _, error) = said(&folder, &["explain", "hall", "--agent", "0"]);
    assert!(code == Some(2) && error.contains("try --tick 1 --agent 0"), "{error}");
    let (code, text, _) = said(&folder, &["explain", "hall", "--agent", "0", "--tick", "1"]);
    assert!(code == Some(0) && text.starts_with("person 0 at tick 1"), "{text}");
    // A word that is nearly right.
    let wrong = folder.write("wrong.toml", &SMALL.replace("\"wrap\"", "\"bounse\""));
    let (code, _, error) = said(&folder, &["check", &wrong]);
    assert!(code == Some(2) && error.contains("; did you mean `bounce`?"), "{error}");
    // The setting in which two runs differ.
    let file = folder.write("small.toml", SMALL);
    for (seed, trace) in [("12", "a"), ("5", "b")] {
        let run = ["run", &file, "--ticks", "1", "-q", "--seed", seed, "--trace", trace];
        assert_eq!(throng(&folder, &run).status.code(), Some(0));
    }
    let (code, _, error) = said(&folder, &["verify", "a", "b"]);
    assert!(code == Some(3) && error.contains("the settings differ: seed is 12 in a, 5 in b"), "{error}");
    // A run that is over.
    let run = ["run", &file, "--ticks", "6", "-q", "-o", "done", "--checkpoint-every", "3"];
    assert_eq!(throng(&folder, &run).status.code(), Some(0));
    let (code, text, _) = said(&folder, &["resume", "done"]);
    assert_eq!((code, &text[..]), (Some(0), "done: this run is complete (6 ticks); --ticks N goes on\n"));
}

#[test]
fn rules_are_a_list_and_have_parameters_on_request() {
    let folder = Folder::new("rules-list");
    let (_, list, _) = said(&folder, &["rules"]);
    assert!(list.contains("  separation ") && !list.contains("fov"), "{list}");
    assert!(list.lines().count() < 60 && list.lines().all(|line| line.chars().count() <= 80), "{list}");
    let (_, all, _) = said(&folder, &["rules", "--all"]);
    assert!(all.contains("fov") && all.lines().all(|line| line.chars().count() <= 80), "{all}");
}

#[test]
fn a_picture_in_the_terminal_needs_one() {
    let folder = Folder::new("live");
    let (code, _, error) = said(&folder, &["run", "flock", "--live", "--ticks", "1"]);
    assert!(code == Some(2) && error.contains("--live: the standard output is not a terminal"), "{error}");
    assert!(!folder.path("throng-out/flock/summary.json").exists());
}

#[cfg(unix)]
#[test]
fn a_watched_file_runs_again_when_it_is_saved() {
    let folder = Folder::new("watch");
    let file = folder.write("small.toml", SMALL);
    let arguments = ["run", &file, "--ticks", "2", "--watch", "-q", "-o", "out"];
    let mut child = command(&folder, &arguments).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let agents = || json(&fs::read(folder.path("out/summary.json")).unwrap())["agents"].clone();
    assert!(lines.next().unwrap().starts_with("watching "));
    assert_eq!(agents(), 30);
    // A mistake is reported, and mended.
    folder.write("small.toml", "format = 7");
    assert!(lines.any(|line| line.contains("small.toml:1:10")));
    assert!(lines.any(|line| line.starts_with("watching ")));
    folder.write("small.toml", &SMALL.replace("count = 30", "count = 8"));
    assert!(lines.any(|line| line.starts_with("watching ")));
    assert_eq!(agents(), 8);
    let end = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(end.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn the_shoal_to_start_from_stays_a_shoal() {
    let folder = Folder::new("shoal-template");
    let measures = r#"output.measures={every=400,names=["largest_cluster","nearest_distance"],radius=4.0}"#;
    assert_eq!(said(&folder, &["new", "mine", "--template", "shoal"]).0, Some(0));
    let run = ["run", "mine", "--ticks", "1200", "-q", "--set", measures];
    assert_eq!(throng(&folder, &run).status.code(), Some(0));
    let table = fs::read_to_string(folder.path("throng-out/mine/measures.csv")).unwrap();
    let rows: Vec<Vec<f64>> =
        table.lines().skip(1).map(|row| row.split(',').map(|field| field.parse().unwrap()).collect()).collect();
    // After 20 and after 60 seconds most fish are together, and none are pressed into balls.
    for row in [&rows[1], &rows[3]] {
        assert!(row[2] > 0.5 && row[3] > 1.0, "{table}");
    }
}

#[test]
fn a_sink_named_like_a_reason_is_in_the_summary() {
    let folder = Folder::new("results-left");
    let two = "sink = [{ name = \"left\", region = \"out\" }, { name = \"lifetime\", region = \"back\" }]";
    let text = ROOM.replace("sink = [{ name = \"exit\", region = \"out\" }]", two);
    let back =
        "name = \"out\", centre = [18, 5], size = [4, 10] }, { name = \"back\", centre = [5, 5], size = [1, 10] }";
    let text = text.replace("name = \"out\", centre = [18, 5], size = [4, 10] }", back);
    let file = folder.write("room.toml", &text);
    let (code, text, error) = said(&folder, &["run", &file, "-o", "out"]);
    assert_eq!((code, &error[..]), (Some(0), ""));
    let line = text.lines().find(|line| line.contains("20 left (")).unwrap_or_else(|| panic!("{text}"));
    assert!(line.contains(" by left") && line.contains(" by lifetime"), "{text}");
}
