//! Tests of checkpoints: a run that continues from one ends with the same bytes as a run that was never interrupted.

use crate::common;

use std::fs;
use std::path::Path;

use common::{Folder, json, throng};

/// People with a model of motion, walls and a flow line, and every output that grows with the run.
const SCENARIO: &str = r#"format = 1
[world]
dimensions = 2
size = [30.0, 20.0]
edge = "wrap"
tick = 0.05
seed = 7
[[wall]]
line = [[15.0, 0.0], [15.0, 8.0]]
[species.bird]
count = 60
behaviours = [{ rule = "separation", radius = 1.0 }, { rule = "wander" }, { rule = "alignment", radius = 3.0 }]
[species.hawk]
count = 3
max_speed = 3.0
behaviours = [{ rule = "wander" }]
[output]
trajectory = { every = 7, unwrapped = true }
audit = true
[output.measures]
every = 3
names = ["polarisation", "mean_squared_displacement", "stuck", "overlaps"]
[output.measures.line.gate]
from = [5.0, 0.0]
to = [5.0, 20.0]
"#;

/// The results that must have the same bytes.
const SAME: [&str; 4] = ["trajectory.csv", "measures.csv", "measures.svg", "picture.png"];

fn run(folder: &Folder, arguments: &[&str]) -> std::process::Output {
    throng(folder, &[&["run", "people.toml", "--quiet"], arguments].concat())
}

/// Compares the results of two runs; times differ.
fn assert_same(folder: &Folder, one: &str, other: &str) {
    for name in SAME {
        let read = |results: &str| fs::read(folder.path(results).join(name)).unwrap();
        assert!(read(one) == read(other), "{name} of {one} and {other}");
    }
    let summary = |results: &str| json(&fs::read(folder.path(results).join("summary.json")).unwrap());
    let (one, other) = (summary(one), summary(other));
    for key in ["hash", "ticks", "events", "measures", "overlaps", "stuck", "exit_times", "flow", "wall_crossings"] {
        assert_eq!(one[key], other[key], "{key}");
        assert!(!one[key].is_null(), "{key}");
    }
}

fn checkpoints(folder: &Folder, results: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder.path(results).join("checkpoints"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_resumed_run_ends_with_the_bytes_of_an_uninterrupted_one() {
    let folder = Folder::new("resumed");
    folder.write("people.toml", SCENARIO);
    assert!(run(&folder, &["--ticks", "100", "--out", "whole"]).status.success());
    assert!(!folder.path("whole/checkpoints").exists());
    let out = run(&folder, &["--ticks", "55", "--out", "half", "--checkpoint-every", "20"]);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    // The last two; the end of a run has one too.
    assert_eq!(checkpoints(&folder, "half"), ["000000000040.ckpt", "000000000055.ckpt"]);
    for (results, source, threads, instructions) in
        [("first", "first", "1", "baseline"), ("second", "second/checkpoints/000000000040.ckpt", "3", "avx2")]
    {
        copy(&folder.path("half"), &folder.path(results));
        let arguments = ["resume", source, "--ticks", "100", "--json", "--threads", threads];
        let resumed = common::command(&folder, &arguments).env("THRONG_ISA", instructions).output().unwrap();
        let refused = String::from_utf8_lossy(&resumed.stderr).contains("THRONG_ISA");
        if instructions == "baseline" || !refused {
            assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
            assert_eq!(json(&resumed.stdout)["threads"].to_string(), threads);
            assert_same(&folder, "whole", results);
            assert_eq!(checkpoints(&folder, results), ["000000000080.ckpt", "000000000100.ckpt"]);
        }
    }
    // The scenario may be gone, and checkpoints may be written at another interval.
    fs::remove_file(folder.path("people.toml")).unwrap();
    copy(&folder.path("half"), &folder.path("third"));
    let arguments = ["resume", "third", "--ticks", "100", "--quiet", "--checkpoint-every", "1000000s"];
    assert_eq!(throng(&folder, &arguments).status.code(), Some(0));
    assert_same(&folder, "whole", "third");
    assert_eq!(checkpoints(&folder, "third"), ["000000000055.ckpt", "000000000100.ckpt"]);
    let expected = throng(&folder, &["resume", "third", "--quiet", "--expect-hash", "0123456789abcdef"]);
    assert_eq!(expected.status.code(), Some(3));
    let earlier = throng(&folder, &["resume", "third", "--quiet", "--ticks", "7"]);
    assert_eq!(earlier.status.code(), Some(2), "{earlier:?}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The checkpoint with its header changed and its checksum corrected.
fn with_header(bytes: &[u8], change: impl Fn(String) -> String) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let header = change(String::from_utf8(bytes[16..16 + length].to_vec()).unwrap());
    let mut changed = bytes[..12].to_vec();
    changed.extend((header.len() as u32).to_le_bytes());
    changed.extend(header.as_bytes());
    changed.extend(crc32fast::hash(&changed).to_le_bytes());
    changed.extend(&bytes[20 + length..]);
    changed
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused_with_what_differs() {
    let folder = Folder::new("unusable");
    let file = folder.write("people.toml", SCENARIO);
    let made = run(&folder, &["--ticks", "50", "--out", "made", "--checkpoint-every", "20"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let (newest, older) = ("made/checkpoints/000000000050.ckpt", "made/checkpoints/000000000040.ckpt");
    let bytes = fs::read(folder.path(newest)).unwrap();
    let refused = |parts: &[&str]| {
        let refused = throng(&folder, &["resume", "made", "--ticks", "60"]);
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(6), "{text}");
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        assert!(folder.path("made/summary.json").exists(), "a refused checkpoint changes no results");
    };
    let usable = format!("an older checkpoint is usable: `throng resume {older}`");
    let version =
        |text: String| text.replace(&format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION")), "\"version\":\"0.0.9\"");
    fs::write(folder.path(newest), with_header(&bytes, version)).unwrap();
    refused(&[newest, "version 0.0.9", env!("CARGO_PKG_VERSION"), &usable]);
    let physics = |text: String| text.replacen("\"physics\":", "\"physics\":9", 1);
    fs::write(folder.path(newest), with_header(&bytes, physics)).unwrap();
    refused(&["physics 9", &usable]);
    // Cut short, changed by a bit, or another file.
    fs::write(folder.path(newest), &bytes[..bytes.len() - 1]).unwrap();
    refused(&["damaged or cut short", &usable]);
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 4;
    fs::write(folder.path(newest), &flipped).unwrap();
    refused(&["damaged", &usable]);
    fs::write(folder.path(newest), "nothing of this kind, but long enough for a header").unwrap();
    refused(&["is not a checkpoint", &usable]);
    fs::write(folder.path(newest), &bytes).unwrap();
    // Another scenario.
    fs::write(&file, SCENARIO.replace("tick = 0.05", "tick = 0.1")).unwrap();
    refused(&["people.toml:6", "`tick = 0.1`", "`tick = 0.05`", "no older checkpoint is usable"]);
    fs::write(&file, SCENARIO).unwrap();
    // Outputs that were changed, or that lost rows which the newest checkpoint counts.
    let table = fs::read(folder.path("made/trajectory.csv")).unwrap();
    let mut changed = table.clone();
    changed[100] ^= 1;
    fs::write(folder.path("made/trajectory.csv"), &changed).unwrap();
    refused(&["trajectory.csv has changed", "no older checkpoint is usable"]);
    fs::write(folder.path("made/trajectory.csv"), &table[..table.len() - 1]).unwrap();
    refused(&["trajectory.csv has", &usable]);
    // The older one is, in fact.
    let resumed = throng(&folder, &["resume", older, "--ticks", "50", "--quiet"]);
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    assert!(fs::read(folder.path("made/trajectory.csv")).unwrap() == table);

    for arguments in [&["resume", "nowhere"][..], &["resume", "."], &["run", &file, "--checkpoint-every", "0"]] {
        assert_eq!(throng(&folder, arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_run_does_not_replace_one_that_has_not_ended() {
    let folder = Folder::new("unfinished");
    let file = folder.write("people.toml", SCENARIO);
    let again = || throng(&folder, &["run", &file, "--ticks", "10", "--quiet"]);
    let run = throng(&folder, &["run", &file, "--ticks", "10", "--quiet", "--checkpoint-every", "5"]);
    assert_eq!(run.status.code(), Some(0));
    // A run that has ended is replaced, with its checkpoints.
    assert_eq!(again().status.code(), Some(0));
    assert!(!folder.path("throng-out/people/checkpoints").exists());
    let run = throng(&folder, &["run", &file, "--ticks", "10", "--quiet", "--checkpoint-every", "5"]);
    assert_eq!(run.status.code(), Some(0));
    // As a kill leaves it.
    fs::remove_file(folder.path("throng-out/people/summary.json")).unwrap();
    let refused = again();
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains("`throng resume throng-out/people`") && text.contains("--force"), "{text}");
    assert_eq!(throng(&folder, &["resume", "throng-out/people", "--quiet"]).status.code(), Some(0));
    assert_eq!(again().status.code(), Some(0));
}
