//! Tests of saving from the page: the saved scenario describes the world after edits over the socket.

#![cfg(unix)]

use crate::common;

use common::viewer::{Socket, Viewer, receive, send};
use serde_json::{Value, json};
use throng_scenario::Scenario;

const MOTHS: &str = r#"# Moths and a lamp.
format = 1
[world]
name = "moths \"at\" night, é"  # a name with quotes
dimensions = 2
size = [80.0, 60.0]
ticks = 20

[marks]
"lamp-1" = [60.0, 30.0]     # bright

[[obstacle]]                # a post
centre = [20.0, 50.0]
radius = 2.0

[species."moth-1"]
count = 40
max_speed = [5.0, 8.0]      # drawn for each
response = 0.25
behaviours = [
  { rule = "seek", target = [10.0, 10.0] },
  { rule = "separation", radius = 3.0, weight = 1.5 },   # keeps them apart
  { rule = "follow_path", points = [
    [1.0, 2.0],             # the gate
    [30.0, 4.0],            # the tree
  ] },
]

[species."moth-1".states.calm]
behaviours = [{ rule = "wander" }]

[species.owl]
count = 3
"#;

/// Asks for the scenario as a file, and returns its text.
fn saved(socket: &mut Socket) -> String {
    send(socket, &json!({ "do": "save" }));
    let answer = receive(socket, &["file", "error"]);
    assert_eq!(answer["file"]["name"], "small.toml", "{answer}");
    answer["file"]["text"].as_str().unwrap().to_owned()
}

/// Sends a command that changes the world, and returns the new description of the world.
fn change(socket: &mut Socket, command: &Value) -> Value {
    send(socket, command);
    let answer = receive(socket, &["world", "error"]);
    assert_eq!(answer.get("error"), None, "{command}");
    answer["world"].clone()
}

fn set(species: usize, rule: Option<usize>, name: &str, value: &Value) -> Value {
    json!({ "do": "set", "species": species, "rule": rule, "name": name, "value": value })
}

/// Parses a scenario with these options.
fn scenario(text: &str, sets: &[&str]) -> Scenario {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    Scenario::parse_with(text, "small.toml", &sets).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

#[test]
fn the_saved_file_contains_all_changes() {
    let viewer = Viewer::of("view-save", MOTHS, &["--set", "species.moth-1.separation.radius=2.75"]);
    let mut socket = viewer.socket().unwrap();
    receive(&mut socket, &["world"]);
    send(&mut socket, &json!({ "do": "pause" }));
    assert_eq!(scenario(&saved(&mut socket), &[]), scenario(MOTHS, &["species.moth-1.separation.radius=2.75"]));

    change(&mut socket, &set(0, Some(1), "weight", &json!(0.1)));
    change(&mut socket, &set(0, Some(3), "weight", &json!(-1e6)));
    change(&mut socket, &set(0, Some(0), "target", &json!([12.5, 1e-3])));
    change(&mut socket, &set(0, None, "mass", &json!(1e-6)));
    change(&mut socket, &set(0, None, "max_speed", &json!([5.0, 9.1])));
    change(&mut socket, &set(0, None, "max_turn_rate", &json!(90.0)));
    change(&mut socket, &set(1, None, "max_speed", &json!(1e6)));
    change(&mut socket, &set(1, None, "max_turn_rate", &Value::Null));
    change(&mut socket, &set(1, None, "min_speed", &json!(0.100_000_001_490_116_12)));
    change(&mut socket, &json!({ "do": "mark", "name": "lamp-1", "point": [61.7, 30.0] }));
    let world = change(
        &mut socket,
        &json!({ "do": "waypoint", "species": 0, "rule": 2, "name": "points", "point": [50.5, 40.25] }),
    );
    assert_eq!(world["species"][0]["quantities"][2]["value"], json!([5.0, 9.1]));
    for command in [
        json!({ "do": "obstacle", "point": [70.0, 10.0], "radius": 2.5 }),
        json!({ "do": "spawn", "species": 1, "point": [40.0, 30.0], "radius": 0.5, "count": 7 }),
        json!({ "do": "spawn", "species": 0, "point": [79.0, 59.0], "radius": 0.5, "count": 5 }),
        json!({ "do": "remove", "point": [40.0, 30.0], "radius": 200.0 }),
        json!({ "do": "spawn", "species": 0, "point": [79.0, 59.0], "radius": 0.5, "count": 11 }),
    ] {
        send(&mut socket, &command);
    }
    send(&mut socket, &json!({ "do": "reset", "seed": "9223372036854775808", "keep": true }));
    let error = receive(&mut socket, &["error", "world"]);
    assert!(
        error["error"].as_str().unwrap().contains("must be a whole number from 0 to 9223372036854775807"),
        "{error}"
    );
    let seed = change(&mut socket, &json!({ "do": "reset", "seed": "9223372036854775807", "keep": true }));
    assert_eq!(seed["seed"], "9223372036854775807");
    for _ in 0..5 {
        send(&mut socket, &json!({ "do": "step" }));
    }
    let hash = loop {
        let numbers = &receive(&mut socket, &["numbers"])["numbers"];
        if numbers["tick"] == 5 {
            break numbers["hash"].as_str().unwrap().to_owned();
        }
    };

    let text = saved(&mut socket);
    let expected = [
        "species.moth-1.separation.radius=2.75",
        "species.moth-1.separation.weight=0.1",
        "species.moth-1.states.calm.behaviours.0.weight=-1e6",
        "species.moth-1.seek.target=[12.5, 0.001]",
        "species.moth-1.mass=1e-6",
        "species.moth-1.max_speed=[5.0, 9.1]",
        "species.moth-1.max_turn_rate=90",
        "species.owl.max_speed=1e6",
        "species.owl.max_turn_rate=inf",
        "species.owl.min_speed=0.1",
        "marks.lamp-1=[61.7, 30.0]",
        "species.moth-1.follow_path.points=[[1, 2], [30, 4], [50.5, 40.25]]",
        "obstacle=[{ centre = [20, 50], radius = 2 }, { centre = [70, 10], radius = 2.5 }]",
        "species.moth-1.count=11",
        "species.owl.count=0",
        "world.seed=9223372036854775807",
    ];
    assert_eq!(scenario(&text, &[]), scenario(MOTHS, &expected), "{text}");
    for comment in MOTHS.lines().filter_map(|line| line.split_once('#')) {
        assert!(text.contains(comment.1), "the comment {} is lost:\n{text}", comment.1);
    }

    // A run of the saved file reaches the same hash.
    let file = viewer.folder.write("saved.toml", &text);
    let check = common::throng(&viewer.folder, &["check", &file]);
    assert_eq!(check.status.code(), Some(0), "{}", String::from_utf8_lossy(&check.stderr));
    let run = common::throng(&viewer.folder, &["run", &file, "-q", "--set", "world.ticks=5", "--expect-hash", &hash]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn an_unchanged_scenario_is_saved_byte_for_byte() {
    let odd = MOTHS.replace('\n', "\r\n");
    for (name, text) in [("view-as-it-was", MOTHS), ("view-as-it-was-odd", &odd)] {
        let viewer = Viewer::of(name, text, &[]);
        let mut socket = viewer.socket().unwrap();
        assert_eq!(saved(&mut socket), text);
        // Neither a restart nor a change taken back alters the text.
        change(&mut socket, &json!({ "do": "reset", "seed": "0", "keep": true }));
        change(&mut socket, &set(0, None, "response", &json!(0.5)));
        change(&mut socket, &set(0, None, "response", &json!(0.25)));
        assert_eq!(saved(&mut socket), text);
        // Later changes to the file do not matter: the world came from the text at the start.
        viewer.folder.write("small.toml", "format = 2");
        assert_eq!(saved(&mut socket), text);
        std::fs::remove_file(viewer.folder.path("small.toml")).unwrap();
        change(&mut socket, &set(0, None, "response", &json!(0.5)));
        let changed = saved(&mut socket);
        assert_eq!(changed, text.replace("response = 0.25", "response = 0.5"));
        send(&mut socket, &json!({ "do": "reset", "seed": null, "keep": true }));
        assert!(receive(&mut socket, &["error", "world"])["error"].as_str().unwrap().contains("small.toml"));
        assert_eq!(saved(&mut socket), changed);
    }
}

#[test]
fn bad_quantities_are_refused_and_the_error_states_the_range() {
    let viewer = Viewer::of("view-quantities", MOTHS, &[]);
    let mut socket = viewer.socket().unwrap();
    // The first message describes the world.
    receive(&mut socket, &["world"]);
    for (species, name, value, says) in [
        (0, "mass", json!(0), "a number in [0.000001, 1e6] kg"),
        (0, "mass", json!(-1), "must be"),
        (0, "max_speed", json!([8, 5]), "[low, high]"),
        (0, "max_speed", json!([1]), "in ascending order"),
        (0, "max_speed", json!([1, 2, 3]), "must be"),
        (0, "max_speed", json!([1, 2e6]), "must be"),
        (0, "mass", json!([-5, 1, 2]), "must be"),
        (0, "max_speed", json!(1e300), "must be"),
        (0, "max_speed", Value::Null, "must be"),
        (0, "max_speed", json!("fast"), "must be"),
        (0, "min_speed", json!([1, 2]), "must be"),
        (0, "response", json!(0), "must be"),
        (0, "response", json!(1e-60), "must be"),
        (0, "max_turn_rate", json!(-0.1), "must be"),
        (0, "wings", json!(2), "wings"),
        (0, "", json!(2), "quantity"),
        (2, "mass", json!(1), "species"),
    ] {
        send(&mut socket, &set(species, None, name, &value));
        let error = receive(&mut socket, &["error", "world"]);
        let text = error["error"].as_str().unwrap_or_default();
        assert!(text.contains(says) && (says != "must be" || text.starts_with(name)), "{name} = {value}: {error}");
    }
    assert_eq!(saved(&mut socket), MOTHS);
}
