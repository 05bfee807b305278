//! Tests of the flow of frames: clients that do not read neither delay the engine nor fill its memory.

#![cfg(unix)]

use crate::common;

use std::time::{Duration, Instant};

use common::viewer::{Socket, Viewer, frame, head, receive, send};
use serde_json::json;
use tungstenite::Message;

/// The time limit of a test for a message that must arrive.
const PATIENCE: Duration = Duration::from_secs(60);

/// Receives and acknowledges `frames` frames. Returns the tick and the number of the last.
fn read(socket: &mut Socket, frames: usize) -> (f64, u32) {
    let start = Instant::now();
    let mut last = (0.0, 0);
    for _ in 0..frames {
        last = head(&frame(socket));
        send(socket, &json!({ "do": "drawn" }));
        assert!(start.elapsed() < PATIENCE, "too few frames");
    }
    last
}

#[test]
fn a_client_that_never_reads_loses_frames_and_delays_no_other() {
    let viewer = Viewer::start("view-flow", &["--threads", "1"]);
    let (mut reader, mut silent) = (viewer.socket().unwrap(), viewer.socket().unwrap());
    let first = head(&frame(&mut silent));
    let last = read(&mut reader, 100);
    assert!(last.0 > first.0 + 50.0, "ticks should pass without frames to the silent client: {first:?} to {last:?}");

    // A second frame was on its way; the newest frames wait for an acknowledgement, and older ones were dropped.
    let second = head(&frame(&mut silent));
    silent.get_mut().set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let start = Instant::now();
    while let Ok(message) = silent.read() {
        assert!(!matches!(message, Message::Binary(_)), "a third frame arrived without an acknowledgement");
        assert!(start.elapsed() < PATIENCE);
    }
    silent.get_mut().set_read_timeout(Some(PATIENCE)).unwrap();
    send(&mut silent, &json!({ "do": "drawn" }));
    let third = head(&frame(&mut silent));
    // The page counts dropped frames by gaps in their numbers.
    assert!(third.1 > second.1 + 40 && third.1 + 2 >= last.1, "{first:?} {second:?} {third:?}, {last:?}");
    assert!(third.0 > second.0 + 40.0, "{second:?} {third:?}");
}

#[test]
fn unread_messages_take_bounded_memory() {
    // Each saved file has half a megabyte.
    let text = format!("{}# {}\n", common::SMALL, "x".repeat(1 << 19));
    let viewer = Viewer::of("view-memory", &text, &["--threads", "1"]);
    let resident = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", viewer.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
        line.split_whitespace().next().unwrap_or("0").parse::<u64>().unwrap()
    };
    let mut reader = viewer.socket().unwrap();
    send(&mut reader, &json!({ "do": "save" }));
    receive(&mut reader, &["file"]);
    read(&mut reader, 20);
    let before = resident();
    let mut silent: Vec<_> = (0..6).map(|_| viewer.socket().unwrap()).collect();
    // One client keeps asking and reads no answer.
    for _ in 0..100 {
        send(&mut silent[0], &json!({ "do": "save" }));
    }
    // Connections without a request: the server keeps a bounded number of them and closes the others.
    let nameless: Vec<_> = (0..40).map(|_| viewer.connect()).collect();
    // Commands are executed in order: the answer to this one shows that the others were executed.
    send(&mut reader, &json!({ "do": "save" }));
    receive(&mut reader, &["file"]);
    read(&mut reader, 50);
    let after = resident();
    assert!(after < before + 16 * 1024, "{before} KiB, then {after} KiB");
    drop((silent, nameless));
}

/// Measures the ticks per second without clients, with a client that reads every frame, and with one that reads none,
/// for docs/dev/programs.md. `cargo test --release -p throng-cli --test program view_flow -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn ticks_per_second() {
    const SECONDS: Duration = Duration::from_secs(10);
    let text = std::fs::read_to_string(common::scenario("murmuration")).unwrap();
    let viewer = Viewer::of("view-rates", &text, &[]);
    send(&mut viewer.socket().unwrap(), &json!({ "do": "speed", "times": 0 }));
    // Waits until the flock has formed: the cost of a tick grows with its density.
    std::thread::sleep(2 * SECONDS);
    for round in 0..5 {
        for clients in ["no clients", "reads all", "never reads"] {
            let mut socket = (clients != "no clients").then(|| viewer.socket().unwrap());
            let (start, before) = (Instant::now(), viewer.tick());
            let (mut frames, mut dropped, mut last) = (0, 0, None);
            while start.elapsed() < SECONDS {
                match &mut socket {
                    Some(socket) if clients == "reads all" => {
                        let number = head(&frame(socket)).1;
                        send(socket, &json!({ "do": "drawn" }));
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
                send(socket, &json!({ "do": "drawn" }));
                dropped = head(&frame(socket)).1 - second - 1;
                frames = second - first + 1;
            }
            println!("round {round}, {clients}: {rate:.1} ticks/s, {frames} frames, {dropped} dropped");
        }
    }
}
