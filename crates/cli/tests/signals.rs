//! Tests of signals during runs and pictures.

#![cfg(unix)]

use crate::common;

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Folder, SMALL, json, names};

/// Starts a run that never ends by itself, and waits until it steps.
fn endless(folder: &Folder) -> Child {
    let file = folder.write("small.toml", SMALL);
    let arguments = ["run", &file, "--json", "--ticks", "1000000000000", "--set", "output.trajectory={every=1000}"];
    let child = common::command(folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    // The program handles signals before it creates the trajectory.
    let started = || {
        let entries = std::fs::read_dir(folder.path("throng-out/small")).into_iter().flatten();
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with(".trajectory"))
    };
    while !started() {
        assert!(start.elapsed() < Duration::from_secs(60), "the run does not start");
        sleep(Duration::from_millis(10));
    }
    child
}

fn send(signal: &str, child: &Child) {
    // The shell's built-in `kill`: the program may not be installed.
    let kill = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

#[test]
fn a_signal_ends_a_run_with_its_results_so_far() {
    let hangup = cfg!(target_os = "linux").then_some(("HUP", 129));
    for (signal, code) in [("INT", 130), ("TERM", 143)].into_iter().chain(hangup) {
        let folder = Folder::new(signal);
        let child = endless(&folder);
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let summary = json(&output.stdout);
        assert_eq!(summary["interrupted"].as_bool(), Some(true));
        for file in ["summary", "picture", "trajectory"] {
            assert!(folder.path(summary["files"][file].as_str().unwrap()).exists(), "{file}");
        }
    }
}

/// Starts a run with checkpoints that never ends by itself, and waits until one of a later tick is written.
fn with_checkpoints(folder: &Folder, every: &str) -> Child {
    let file = folder.write("small.toml", SMALL);
    let arguments = ["run", &file, "--quiet", "--ticks", "1000000000000", "--set", "output.trajectory={every=10}"];
    let arguments = [&arguments[..], &["--checkpoint-every", every]].concat();
    let child = common::command(folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while last(folder).is_none_or(|tick| every != "3600s" && tick == 0) {
        assert!(start.elapsed() < Duration::from_secs(60), "the run writes no checkpoint");
        sleep(Duration::from_millis(10));
    }
    child
}

/// The tick of the last checkpoint.
fn last(folder: &Folder) -> Option<u64> {
    let entries = std::fs::read_dir(folder.path("throng-out/small/checkpoints")).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter_map(|name| name.strip_suffix(".ckpt")?.parse().ok()).max()
}

/// Compares the trajectory with the trajectory of an uninterrupted run of this many ticks.
fn assert_whole(folder: &Folder, ticks: u64) {
    let (file, ticks) = (folder.path("small.toml").to_string_lossy().into_owned(), ticks.to_string());
    let arguments = ["run", &file, "--quiet", "--ticks", &ticks, "--set", "output.trajectory={every=10}"];
    assert!(common::throng(folder, &[&arguments[..], &["--out", "whole"]].concat()).status.success());
    let read = |name: &str| std::fs::read(folder.path(name).join("trajectory.csv")).unwrap();
    assert!(read("whole") == read("throng-out/small"));
}

#[test]
fn a_killed_run_goes_on_from_its_last_checkpoint() {
    let folder = Folder::new("killed");
    let mut child = with_checkpoints(&folder, "50");
    // A folder has one run at a time.
    let file = folder.path("small.toml").to_string_lossy().into_owned();
    for arguments in [&["run", &file, "--ticks", "1", "--force"][..], &["resume", "throng-out/small"]] {
        let second = common::throng(&folder, arguments);
        assert_eq!(second.status.code(), Some(5), "{second:?}");
        assert!(String::from_utf8_lossy(&second.stderr).contains("another program is writing it"), "{second:?}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let ticks = last(&folder).unwrap() + 30;
    let resumed = common::throng(&folder, &["resume", "throng-out/small", "--quiet", "--ticks", &ticks.to_string()]);
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    assert_whole(&folder, ticks);
    let left = || {
        let names = |path: &str| std::fs::read_dir(folder.path(path)).into_iter().flatten().flatten();
        let all = names("throng-out/small").chain(names("throng-out/small/checkpoints"));
        all.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part")).count()
    };
    assert_eq!(left(), 0);
    // Without checkpoints, the next run replaces the files that the killed one left.
    let mut child = endless(&folder);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(left() > 0);
    assert!(common::throng(&folder, &["run", &file, "--quiet", "--ticks", "1"]).status.success());
    assert_eq!(left(), 0);
}

#[test]
fn a_signal_saves_the_state() {
    let folder = Folder::new("saved");
    let child = with_checkpoints(&folder, "3600s");
    sleep(Duration::from_millis(200));
    send("INT", &child);
    let output = ended(child);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let summary = json(&std::fs::read(folder.path("throng-out/small/summary.json")).unwrap());
    let tick = last(&folder).unwrap();
    assert_eq!((summary["ticks"].as_u64(), summary["interrupted"].as_bool()), (Some(tick), Some(true)));
    assert!(tick > 0);
    let ticks = tick + 25;
    let resumed = common::throng(&folder, &["resume", "throng-out/small", "--quiet", "--ticks", &ticks.to_string()]);
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    assert_whole(&folder, ticks);
}

/// Starts a picture of a named pipe, and opens the pipe for writing.
fn reading(folder: &Folder, name: &str, more: &[&str]) -> (Child, File) {
    assert!(Command::new("mkfifo").arg(folder.path(name)).status().unwrap().success());
    let arguments = [&["render", name, "-o", "a.png", "--width", "64"], more].concat();
    let child = common::command(folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Opening waits for the reader, which handles signals before it opens the pipe.
    (child, OpenOptions::new().write(true).open(folder.path(name)).unwrap())
}

/// Waits for the end of a program that ends soon, and returns its output.
fn ended(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("the program should end after the signal");
        }
        sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

#[test]
fn a_signal_ends_a_picture_while_bounds_are_surveyed() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let folder = Folder::new(&format!("survey-{signal}"));
        let (child, mut file) = reading(&folder, "open.toml", &["--ticks", "1000000000000"]);
        file.write_all(SMALL.replace("\"wrap\"", "\"open\"").as_bytes()).unwrap();
        drop(file);
        send(signal, &child);
        let output = ended(child);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");

        let (child, mut file) = reading(&folder, "long.csv", &[]);
        file.write_all(b"tick,id,species,x,y,vx,vy\n").unwrap();
        send(signal, &child);
        let (start, mut ticks) = (Instant::now(), 0..);
        let mut rows = || -> String { ticks.by_ref().take(1000).map(|tick| format!("{tick},1,a,1,2,0,0\n")).collect() };
        while start.elapsed() < Duration::from_secs(30) && file.write_all(rows().as_bytes()).is_ok() {}
        let output = ended(child);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
        assert_eq!(names(&folder), ["long.csv", "open.toml"]);
    }
}

/// The first signal ends a command that waits for a pipe, before and after someone writes to it.
#[test]
fn a_signal_ends_a_command_that_waits_for_its_input() {
    let folder = Folder::new("waiting");
    assert!(Command::new("mkfifo").arg(folder.path("a.csv")).status().unwrap().success());
    for arguments in [&["view", "a.csv", "--no-open"][..], &["render", "a.csv", "-o", "a.png"]] {
        for opened in [false, true] {
            let child = common::command(&folder, arguments).stderr(Stdio::piped()).spawn().unwrap();
            let pipe = opened.then(|| OpenOptions::new().write(true).open(folder.path("a.csv")).unwrap());
            sleep(Duration::from_millis(300));
            send("INT", &child);
            assert_eq!(ended(child).status.code(), Some(130), "{arguments:?} {opened}");
            drop(pipe);
        }
    }
}

/// `nohup` lets a run survive its terminal.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_hangup_stays_ignored() {
    let folder = Folder::new("nohup");
    let file = folder.write("small.toml", SMALL);
    let program = env!("CARGO_BIN_EXE_throng");
    let script = format!("trap '' HUP; exec {program} run '{file}' -q --ticks 1000000000000 --checkpoint-every 50");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.path(".")).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let reaches = |tick: u64| {
        let start = Instant::now();
        while last(&folder).is_none_or(|last| last < tick) {
            assert!(start.elapsed() < Duration::from_secs(60), "the run has stopped");
            sleep(Duration::from_millis(10));
        }
    };
    reaches(50);
    send("HUP", &child);
    reaches(last(&folder).unwrap() + 100);
    assert!(child.try_wait().unwrap().is_none());
    send("INT", &child);
    assert_eq!(ended(child).status.code(), Some(130));
}

/// A limit on the size of files is a failure of writing, as a full disk is: with the file, the cause and a checkpoint.
#[test]
fn a_limit_on_the_size_of_files_ends_a_run_with_the_cause() {
    let folder = Folder::new("file-size");
    let file = folder.write("small.toml", SMALL);
    let program = env!("CARGO_BIN_EXE_throng");
    let set = "'output.trajectory={every=10}'";
    let script = format!("ulimit -f 64; exec {program} run '{file}' -q --ticks 5000 --set {set} --checkpoint-every 5");
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path(".")).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{text}");
    assert!(text.contains("trajectory.csv: cannot be written: File too large"), "{text}");
    let ticks = last(&folder).unwrap() + 30;
    let resumed = common::throng(&folder, &["resume", "throng-out/small", "-q", "--ticks", &ticks.to_string()]);
    assert!(ticks > 30 && resumed.status.success(), "{resumed:?}");
    assert_whole(&folder, ticks);
}

#[test]
fn a_signal_ends_a_measurement_with_what_is_measured() {
    let folder = Folder::new("bench-signal");
    let file = folder.write("small.toml", SMALL);
    let arguments = ["bench", &file, "--threads", "1", "--ticks", "10000", "--repetitions", "1000", "--json"];
    // On a busy machine the first repetition takes longer.
    for seconds in [1, 4, 16, 64] {
        let mut command = common::command(&folder, &arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        sleep(Duration::from_secs(seconds));
        send("INT", &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        if !output.stdout.is_empty() {
            let repetitions = json(&output.stdout)["rows"][0]["repetitions"].as_array().unwrap().len();
            assert!((1..1000).contains(&repetitions), "{repetitions}");
            return;
        }
    }
    panic!("no repetition was measured");
}
