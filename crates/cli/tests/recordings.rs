//! Tests of recordings: `throng run --record`, the page's recording, and `throng replay`.

use crate::common;

use common::{Folder, SMALL, throng};

/// Runs the program; returns its exit code, its standard output and its standard error.
fn run(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = throng(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_recorded_run_is_replayed_and_a_wrong_one_is_found() {
    let folder = Folder::new("recordings");
    let file = folder.write("small.toml", SMALL);
    for (ticks, seed) in [("50", "7"), ("50", "8")] {
        let name = format!("{seed}.recording");
        let arguments = ["run", &file, "--ticks", ticks, "--seed", seed, "--record", &name, "-o", seed];
        let (code, said, error) = run(&folder, &arguments);
        assert!(code == Some(0) && said.contains(&name), "{said}{error}");
        assert!(run(&folder, &arguments).2.contains("--force"));
    }
    let (code, said, error) = run(&folder, &["replay", "7.recording"]);
    assert!(code == Some(0) && said.starts_with("equal: 50 ticks, 0 edits, state hash "), "{said}{error}");
    let hash = said.trim().rsplit(' ').next().unwrap().to_owned();
    assert_eq!(run(&folder, &["run", &file, "--ticks", "50", "--expect-hash", &hash, "-o", "again"]).0, Some(0));
    assert_eq!(run(&folder, &["replay", "7.recording", "-q"]), (Some(0), String::new(), String::new()));
    assert!(run(&folder, &["replay", "7.recording", "--to-tick", "30"]).1.starts_with("30 ticks replayed; state hash"));
    let (code, _, error) = run(&folder, &["replay", "7.recording", "--to-tick", "51"]);
    assert!(code == Some(2) && error.contains("the ticks 0 to 50"), "{error}");

    // The start of one run with the end of the other, and with its hashes.
    let [one, other] = ["7", "8"].map(|seed| std::fs::read(folder.path(&format!("{seed}.recording"))).unwrap());
    let place = |bytes: &[u8], tag: &[u8]| bytes.windows(4).rposition(|window| window == tag).unwrap();
    for (tag, tick) in [(b"STOP", 50), (b"EDIT", 20)] {
        let mixed = [&one[..place(&one, tag)], &other[place(&other, tag)..]].concat();
        std::fs::write(folder.path("mixed.recording"), mixed).unwrap();
        let (code, _, error) = run(&folder, &["replay", "mixed.recording"]);
        let text = format!("the state differs from the recorded one at tick {tick}, and agreed at tick ");
        assert!(code == Some(3) && error.contains(&text), "{error}");
    }

    std::fs::write(folder.path("cut.recording"), &one[..one.len() - 20]).unwrap();
    for (file, text) in [
        ("cut.recording", "cut.recording: the recording is damaged or cut short in section STOP"),
        ("small.toml", "small.toml: this is not a recording"),
        ("none.recording", "none.recording"),
    ] {
        let (code, _, error) = run(&folder, &["replay", file]);
        assert!(code == Some(2) && error.contains(text), "{file}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn the_page_saves_a_run_with_its_edits() {
    use common::viewer::{Viewer, receive, receive_file, send};
    use serde_json::json;

    let viewer = Viewer::start("recording-page", &[]);
    let mut socket = viewer.socket().unwrap();
    receive(&mut socket, &["world"]);
    send(&mut socket, &json!({ "do": "pause" }));
    let set = |weight: f64| json!({ "do": "set", "species": 0, "rule": 1, "name": "weight", "value": weight });
    let steps = |socket: &mut _, count: usize| (0..count).for_each(|_| send(socket, &json!({ "do": "step" })));
    send(&mut socket, &json!({ "do": "seek", "tick": 0 }));
    steps(&mut socket, 30);
    send(&mut socket, &set(0.25));
    steps(&mut socket, 30);
    send(&mut socket, &json!({ "do": "falcon", "point": [20.0, 20.0], "radius": 9.0 }));
    steps(&mut socket, 5);
    let edits = |name: &str| {
        let (code, said, error) = run(&viewer.folder, &["replay", name]);
        assert!(code == Some(0) && said.starts_with("equal: "), "{said}{error}");
        run(&viewer.folder, &["replay", name, "--list"]).1
    };
    let save = |socket: &mut _, name: &str| {
        send(socket, &json!({ "do": "recording" }));
        let (answer, bytes) = receive_file(socket);
        assert_eq!(answer["recording"]["name"], "small.recording");
        std::fs::write(viewer.folder.path(name), bytes).unwrap();
        edits(name)
    };
    let all = save(&mut socket, "all.recording");
    let ticks = |list: &str| -> Vec<u64> {
        assert!(list.lines().all(|line| line.contains("change the species 0, starling")), "{list}");
        list.lines().map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect()
    };
    assert_eq!(ticks(&all), [30, 60], "a weight, and the falcon");
    // After a rewind and another edit, the edits that came later are gone.
    send(&mut socket, &json!({ "do": "seek", "tick": 40 }));
    send(&mut socket, &set(0.75));
    steps(&mut socket, 5);
    let again = save(&mut socket, "again.recording");
    assert_eq!(ticks(&again), [30, 40]);
}
