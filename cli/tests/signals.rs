//! Does a run end well when it is asked to?

#![cfg(unix)]

mod common;

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Folder, SMALL, json};

/// A run that would take for ever, once it has started to make ticks.
fn endless(folder: &Folder) -> Child {
    let file = folder.write("small.toml", SMALL);
    let arguments = ["run", &file, "--json", "--ticks", "1000000000000", "--set", "output.trajectory={every=1000}"];
    let child = common::command(folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    // The trajectory is started after the signals are listened to.
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
    // The shell's own `kill`: there need not be a program of the name.
    let kill = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

#[test]
fn a_signal_ends_a_run_with_what_there_is() {
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
