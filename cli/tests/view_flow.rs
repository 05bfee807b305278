//! Does the engine wait for a page? Clients that read nothing, and what they cost.

#![cfg(unix)]

mod common;

use std::time::{Duration, Instant};

use common::viewer::{Socket, Viewer, ask, frame, head, told};
use serde_json::json;
use tungstenite::Message;

/// How long a test waits for what is bound to come.
const PATIENCE: Duration = Duration::from_secs(60);

/// Takes so many frames, and says so. Tells the tick and the number of the last.
fn read(socket: &mut Socket, frames: usize) -> (f64, u32) {
    let start = Instant::now();
    let mut last = (0.0, 0);
    for _ in 0..frames {
        last = head(&frame(socket));
        ask(socket, &json!({ "do": "drawn" }));
        assert!(start.elapsed() < PATIENCE, "too few frames");
    }
    last
}

#[test]
fn a_client_that_never_reads_loses_frames_and_holds_nobody_up() {
    let viewer = Viewer::start("view-flow", &["--threads", "1"]);
    let (mut reader, mut silent) = (viewer.socket().unwrap(), viewer.socket().unwrap());
    let first = head(&frame(&mut silent));
    let last = read(&mut reader, 100);
    assert!(last.0 > first.0 + 50.0, "ticks were left out: {first:?} to {last:?}");

    // One more was on its way; the others waited for this one to be drawn, and only the newest still do.
    let second = head(&frame(&mut silent));
    silent.get_mut().set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let start = Instant::now();
    while let Ok(message) = silent.read() {
        assert!(!matches!(message, Message::Binary(_)), "a third frame, and none was drawn");
        assert!(start.elapsed() < PATIENCE);
    }
    silent.get_mut().set_read_timeout(Some(PATIENCE)).unwrap();
    ask(&mut silent, &json!({ "do": "drawn" }));
    let third = head(&frame(&mut silent));
    // The numbers of frames tell the page how many it did not get.
    assert!(third.1 > second.1 + 40 && third.1 + 2 >= last.1, "{first:?} {second:?} {third:?}, {last:?}");
    assert!(third.0 > second.0 + 40.0, "{second:?} {third:?}");
}

#[test]
fn what_nobody_reads_takes_no_memory() {
    // Half a megabyte that goes with every file that is saved.
    let text = format!("{}# {}\n", common::SMALL, "x".repeat(1 << 19));
    let viewer = Viewer::of("view-memory", &text, &["--threads", "1"]);
    let resident = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", viewer.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
        line.split_whitespace().next().unwrap_or("0").parse::<u64>().unwrap()
    };
    let mut reader = viewer.socket().unwrap();
    ask(&mut reader, &json!({ "do": "save" }));
    told(&mut reader, &["file"]);
    read(&mut reader, 20);
    let before = resident();
    let mut silent: Vec<_> = (0..6).map(|_| viewer.socket().unwrap()).collect();
    // One of them asks and asks, and takes no answer.
    for _ in 0..100 {
        ask(&mut silent[0], &json!({ "do": "save" }));
    }
    // And some never say what they want; the server keeps some of them waiting and closes the others.
    let nameless: Vec<_> = (0..40).map(|_| viewer.connect()).collect();
    // Commands are obeyed in their order: when this one is, so were the others.
    ask(&mut reader, &json!({ "do": "save" }));
    told(&mut reader, &["file"]);
    read(&mut reader, 50);
    let after = resident();
    assert!(after < before + 16 * 1024, "{before} KiB, then {after} KiB");
    drop((silent, nameless));
}

/// Ticks per second with nobody there, with a client that takes every frame, and with one that takes none: what
/// docs/view.md says. `cargo test --release -p throng-cli --test view_flow -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn ticks_per_second() {
    const SECONDS: Duration = Duration::from_secs(10);
    let text = std::fs::read_to_string(common::scenario("murmuration")).unwrap();
    let viewer = Viewer::of("view-rates", &text, &[]);
    ask(&mut viewer.socket().unwrap(), &json!({ "do": "speed", "ticks": 0 }));
    // Until the flock has found itself: the cost of a tick follows how dense it is.
    std::thread::sleep(2 * SECONDS);
    for round in 0..5 {
        for clients in ["nobody", "reads all", "never reads"] {
            let mut socket = (clients != "nobody").then(|| viewer.socket().unwrap());
            let (start, before) = (Instant::now(), viewer.tick());
            let (mut frames, mut dropped, mut last) = (0, 0, None);
            while start.elapsed() < SECONDS {
                match &mut socket {
                    Some(socket) if clients == "reads all" => {
                        let number = head(&frame(socket)).1;
                        ask(socket, &json!({ "do": "drawn" }));
                        frames += 1;
                        dropped += last.map_or(0, |last| number - last - 1);
                        last = Some(number);
                    }
                    _ => std::thread::sleep(Duration::from_millis(100)),
                }
            }
            let rate = (viewer.tick() - before) / start.elapsed().as_secs_f64();
            if let Some(socket) = socket.as_mut().filter(|_| clients == "never reads") {
                let (first, second) = (head(&frame(socket)).1, head(&frame(socket)).1);
                ask(socket, &json!({ "do": "drawn" }));
                dropped = head(&frame(socket)).1 - second - 1;
                frames = second - first + 1;
            }
            println!("round {round}, {clients}: {rate:.1} ticks/s, {frames} frames, {dropped} dropped");
        }
    }
}
