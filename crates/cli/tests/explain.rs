//! Tests of `throng explain`, of the events in summaries, and of the schema's environment and states.

use crate::common;

use common::{Folder, json, scenario, throng};

#[test]
fn the_contributions_add_up_to_the_steering() {
    let folder = Folder::new("explain");
    let hunt = scenario("hunt");
    let output = throng(&folder, &["explain", &hunt, "--agent", "3", "--tick", "5", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let explanation = json(&output.stdout);
    assert_eq!((explanation["agent"].as_str(), explanation["species"].as_str()), (Some("3"), Some("prey")));
    assert_eq!((explanation["tick"].as_u64(), explanation["state"].as_str()), (Some(5), Some("graze")));
    assert_eq!(
        (explanation["position"].as_array().unwrap().len(), explanation["velocity"].as_array().unwrap().len()),
        (2, 2)
    );
    let contributions = explanation["contributions"].as_array().unwrap();
    let rules: Vec<&str> = contributions.iter().map(|entry| entry["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["avoid_obstacles", "separation", "containment", "wander", "arrive", "evade"]);
    for axis in 0..2 {
        let sum: f64 = contributions.iter().map(|entry| entry["force"][axis].as_f64().unwrap()).sum();
        assert!((sum - explanation["steering"][axis].as_f64().unwrap()).abs() < 1e-3, "{explanation}");
    }
}

#[test]
fn variables_are_shown_by_name() {
    let folder = Folder::new("explain-columns");
    let output = throng(&folder, &["explain", &scenario("hunt"), "--agent", "240", "--tick", "5", "--json"]);
    let explanation = json(&output.stdout);
    let stamina = explanation["columns"]["stamina"][0].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&stamina), "{explanation}");
    let output = throng(&folder, &["explain", &scenario("hunt"), "--agent", "240", "--tick", "5"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("  stamina ")).count(), 1, "{text}");
}

#[test]
fn the_table_has_a_line_for_each_rule() {
    let folder = Folder::new("explain-table");
    let output = throng(&folder, &["explain", &scenario("seek"), "--agent", "0"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("moth 0 at tick 0\n"), "{text}");
    for line in ["  position ", "  velocity ", "  seek ", "  separation ", "  steering "] {
        assert_eq!(text.lines().filter(|other| other.starts_with(line)).count(), 1, "{line}: {text}");
    }
}

#[test]
fn an_unknown_agent_is_wrong_input_and_the_message_lists_all_ids() {
    let folder = Folder::new("explain-unknown");
    for agent in ["246", "3v1", "shark", ""] {
        let output = throng(&folder, &["explain", &scenario("hunt"), "--agent", agent]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        let expected = format!("unknown agent {agent} at tick 0; existing agents: prey 0 to 239; hunter 240 to 245");
        assert!(message.contains(&expected), "{message}");
    }
}

#[test]
fn a_run_counts_its_events() {
    let folder = Folder::new("explain-events");
    let output = throng(&folder, &["run", &scenario("hunt"), "--ticks", "400", "--json"]);
    let summary = json(&output.stdout);
    let caught = summary["events"]["caught"].as_u64().unwrap();
    assert!(caught > 0, "{summary}");
    assert_eq!(summary["agents"].as_u64(), Some(246 - caught));
    let names: Vec<&String> = summary["events"].as_object().unwrap().keys().collect();
    assert_eq!(names, throng::Event::NAMES);
}

#[test]
fn the_schema_contains_environment_and_states() {
    let folder = Folder::new("explain-schema");
    let schema = json(&throng(&folder, &["schema"]).stdout);
    const NAME: &str = "^[A-Za-z0-9_-]{1,64}$";
    let file = &schema["properties"];
    for key in ["marks", "obstacle", "region", "fields"] {
        assert!(file[key].is_object(), "{key}");
    }
    assert_eq!(file["obstacle"]["items"]["properties"]["radius"]["minimum"].as_f64(), Some(0.0));
    assert_eq!(file["fields"]["patternProperties"][NAME]["required"][0], "cells");
    let species = &file["species"]["patternProperties"][NAME]["properties"];
    let state = &species["states"]["patternProperties"][NAME]["properties"];
    let transition = &state["transitions"]["items"]["properties"];
    assert_eq!(transition["event"]["enum"].as_array().unwrap().len(), 3);
    assert_eq!(state["behaviours"], {
        let mut rules = species["behaviours"].clone();
        rules["description"] = state["behaviours"]["description"].clone();
        rules
    });
    assert_eq!(species["catch"]["properties"]["remove"]["type"], "boolean");
    assert_eq!(species["variables"]["patternProperties"][NAME]["required"].as_array().unwrap().len(), 3);
}
