//! Tests of signals during runs and pictures.

#![cfg(unix)]

mod common;

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
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
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
        let (start, rows) = (Instant::now(), "0,1,a,1,2,0,0\n".repeat(1000));
        while start.elapsed() < Duration::from_secs(30) && file.write_all(rows.as_bytes()).is_ok() {}
        let output = ended(child);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
        assert_eq!(names(&folder), ["long.csv", "open.toml"]);
    }
}
