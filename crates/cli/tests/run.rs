//! Tests of the program from the command line: results, hashes, exit codes and errors.

use crate::common;

use std::fs;
use std::process::Stdio;

use common::{Folder, SMALL, json, scenario, throng};

#[test]
fn the_json_object_has_every_key() {
    let folder = Folder::new("json");
    let output = throng(&folder, &["run", &scenario("seek"), "--ticks", "5", "--json", "--threads", "2"]);
    assert!(output.status.success(), "{output:?}");
    let summary = json(&output.stdout);
    for key in [
        "scenario",
        "dimensions",
        "agents",
        "ticks",
        "seed",
        "threads",
        "instruction_set",
        "seconds",
        "wall_seconds",
        "wall_parts",
        "ticks_per_second",
        "agent_updates_per_second",
        "stage_milliseconds",
        "polarisation",
        "mean_neighbours",
        "candidates_per_pair",
        "capped_share",
        "hash",
        "events",
        "files",
    ] {
        assert!(!summary[key].is_null(), "{key} in {summary}");
    }
    assert_eq!((summary["scenario"].as_str(), summary["agents"].as_u64()), (Some("seek"), Some(40)));
    assert_eq!((summary["ticks"].as_u64(), summary["threads"].as_u64()), (Some(5), Some(2)));
    assert_eq!(summary["hash"].as_str().unwrap().len(), 16);
    // The time that the user waits has all its parts.
    let parts = summary["wall_parts"].as_object().unwrap();
    let sum: f64 = parts.values().map(|part| part.as_f64().unwrap()).sum();
    assert!((sum - summary["wall_seconds"].as_f64().unwrap()).abs() < 1e-6, "{summary}");
    assert!(parts["ticks"] == summary["seconds"] && parts["pictures"].as_f64() > Some(0.0), "{summary}");
    assert!(summary["stage_milliseconds"]["steer"].as_f64().unwrap() > 0.0);
    // The file also has the text of the scenario, and the picture is a PNG file.
    let mut file = json(&fs::read(folder.path("throng-out/seek/summary.json")).unwrap());
    let text = file.as_object_mut().unwrap().remove("scenario_text");
    assert_eq!(text.unwrap(), fs::read_to_string(scenario("seek")).unwrap());
    assert_eq!(file, summary);
    let picture = fs::read(folder.path(summary["files"]["picture"].as_str().unwrap())).unwrap();
    assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n");
}

#[test]
fn people_who_come_and_go_are_accounted_for() {
    let folder = Folder::new("account");
    let run = ["run", &scenario("arrivals"), "--ticks", "1800", "--json"];
    let summary = json(&throng(&folder, &run).stdout);
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    let removed: u64 = summary["removed"].as_object().unwrap().values().map(number).sum();
    assert!(removed > 10, "{summary}");
    assert_eq!(number(&summary["spawned"]), number(&summary["alive"]) + removed);
    assert_eq!(number(&summary["spawned"]), number(&summary["events"]["spawned"]));
    assert_eq!(number(&summary["removed"]["sink:exit"]), number(&summary["events"]["removed"]));
    assert_eq!((summary["alive"].as_u64(), summary["waiting"].as_u64()), (summary["agents"].as_u64(), Some(0)));
    let text = String::from_utf8(throng(&folder, &["run", &scenario("arrivals"), "--ticks", "1800"]).stdout).unwrap();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = format!(
        "agents {} entered, {removed} left by exit, {} at the most, {} at the end",
        number(&summary["spawned"]),
        number(&summary["most_agents"]),
        number(&summary["alive"])
    );
    assert!(words.contains(&expected), "{expected} in {words}");
}

#[test]
fn any_number_of_threads_gives_the_same_hash_and_another_seed_another() {
    let folder = Folder::new("hash");
    let file = folder.write("small.toml", SMALL);
    let hash = |arguments: &[&str]| {
        let output = throng(&folder, &[&["run", &file, "--json", "--ticks", "40"], arguments].concat());
        json(&output.stdout)["hash"].as_str().unwrap().to_owned()
    };
    let one = hash(&["--threads", "1"]);
    assert_eq!(hash(&["--threads", "2"]), one);
    assert_eq!(hash(&["--threads", "3"]), one);
    assert_ne!(hash(&["--seed", "8"]), one);
    assert_eq!(hash(&["--seed", "8"]), hash(&["--set", "world.seed=8"]));
    // A file can hold the largest seed that the program takes.
    let most = i64::MAX.to_string();
    let seeded = folder.write("seeded.toml", &SMALL.replace("seed = 7", &format!("seed = {most}")));
    let summary = json(&throng(&folder, &["run", &seeded, "--json", "--ticks", "40"]).stdout);
    assert_eq!(summary["seed"].to_string(), most);
    assert_eq!(hash(&["--seed", &most]), summary["hash"].as_str().unwrap());
    for command in [&["run", &file][..], &["render", &file, "-o", "a.png"], &["view", &file, "--no-open"]] {
        let output = throng(&folder, &[command, &["--seed", "9223372036854775808"]].concat());
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("must be a whole number from 0 to 9223372036854775807"), "{error}");
    }

    let run = |hash: &str| throng(&folder, &["run", &file, "--quiet", "--ticks", "40", "--expect-hash", hash]);
    assert_eq!(run(&one).status.code(), Some(0));
    let refused = run("0123456789abcdef");
    assert_eq!(refused.status.code(), Some(3));
    let expected = format!("error: the state hash is {one}, not 0123456789abcdef as expected\n");
    assert_eq!(String::from_utf8_lossy(&refused.stderr), expected);
    assert_eq!(run("xyz").status.code(), Some(2));
}

#[test]
fn the_summary_reports_the_share_of_inexact_neighbours() {
    let folder = Folder::new("capped");
    let place = r#"place = { region = "disc", centre = [30.0, 20.0], radius = 0.5 }"#;
    let crowd = SMALL.replace("count = 30", &format!("count = 2000\n{place}"));
    let file = folder.write("crowd.toml", &crowd);
    let run = |arguments: &[&str]| throng(&folder, &[&["run", &file, "--ticks", "1"], arguments].concat());
    let share =
        |arguments: &[&str]| json(&run(&[&["--json"], arguments].concat()).stdout)["capped_share"].as_f64().unwrap();
    // By default, each of two thousand agents looks at all others.
    assert_eq!(share(&[]), 0.0);
    assert_eq!(share(&["--set", "world.pair_budget=64"]), 1.0);
    let warned = |arguments: &[&str]| String::from_utf8(run(arguments).stderr).unwrap();
    assert_eq!(warned(&[]), "");
    let warning = warned(&["--set", "world.pair_budget=64"]);
    assert!(warning.starts_with("warning: neighbours are not exact: 100 % of agent-ticks "), "{warning}");
    assert!(warning.contains("raise world.pair_budget"), "{warning}");
    assert_eq!(warned(&["--set", "world.pair_budget=64", "--quiet"]), warning, "also without a bar and a summary");
}

#[test]
fn the_environment_names_the_instruction_set_and_the_lists() {
    let folder = Folder::new("instructions");
    let run = |variables: &[(&str, &str)]| {
        let mut command = common::command(&folder, &["run", &scenario("flock"), "--ticks", "5", "--json"]);
        let command = command.env_remove("THRONG_ISA").env_remove("THRONG_LISTS");
        command.envs(variables.iter().copied()).output().unwrap()
    };
    let usual = json(&run(&[]).stdout);
    let [fresh, kept] = ["fresh", "kept"].map(|lists| {
        let run = json(&run(&[("THRONG_ISA", "baseline"), ("THRONG_LISTS", lists)]).stdout);
        assert_eq!(run["instruction_set"], "baseline");
        assert_eq!(run["hash"], usual["hash"]);
        run["candidates_per_pair"].as_f64().unwrap()
    });
    assert!(fresh != kept, "{fresh} candidates per pair with both");
    for (variable, value, allowed) in [("THRONG_ISA", "sse9", "avx2"), ("THRONG_LISTS", "old", "kept")] {
        let refused = run(&[(variable, value)]);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!([variable, value, allowed].iter().all(|part| text.contains(part)), "{text}");
    }
}

#[test]
fn a_command_can_be_repeated() {
    let folder = Folder::new("again");
    for _ in 0..2 {
        let output = throng(&folder, &["run", &scenario("seek"), "--ticks", "3"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("state hash"), "{text}");
        assert!(text.contains("picture.png"), "{text}");
        assert!(!text.contains('\x1b'), "no colours in a pipe: {text}");
        assert!(output.stderr.is_empty(), "no bar in a pipe: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_folder_with_results_is_kept_unless_forced() {
    let folder = Folder::new("out");
    let file = folder.write("small.toml", SMALL);
    let run = |more: &[&str]| throng(&folder, &[&["run", &file, "--ticks", "4", "--out", "results"], more].concat());
    assert_eq!(run(&["--set", "output.trajectory={every=2}"]).status.code(), Some(0));
    let table = fs::read_to_string(folder.path("results/trajectory.csv")).unwrap();
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("tick,id,species,x,y,vx,vy,time"));
    // Ticks 0, 2 and 4, thirty agents each.
    assert_eq!(lines.clone().count(), 3 * 30);
    let first: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!((first.len(), first[0], first[2], first[7]), (8, "0", "starling", "0"));

    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force"));
    assert_eq!(fs::read_to_string(folder.path("results/trajectory.csv")).unwrap(), table);

    // Neither results of the earlier run nor temporary files are left.
    assert_eq!(run(&["--force"]).status.code(), Some(0));
    let mut names: Vec<_> =
        fs::read_dir(folder.path("results")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["picture.png", "summary.json"]);
}

#[test]
fn exit_codes() {
    let folder = Folder::new("codes");
    let file = folder.write("small.toml", SMALL);
    let code = |arguments: &[&str]| throng(&folder, arguments).status.code();
    assert_eq!(code(&["check", &file]), Some(0));
    assert_eq!(code(&["check", "missing.toml"]), Some(2));
    assert_eq!(code(&["check", &file, "--set", "world.tick=0"]), Some(2));
    assert_eq!(code(&["walk"]), Some(2));
    assert_eq!(code(&["run", &file, "--threads", "0"]), Some(2));
    assert_eq!(code(&["run", &file, "--ticks", "-1"]), Some(2));
    assert_eq!(code(&["check", &file, "--set", "species.starling.count=1000000000000"]), Some(4));
    assert_eq!(code(&["run", &file, "--set", "species.starling.count=1000000000000"]), Some(4));
    // A file in place of the folder.
    assert_eq!(code(&["run", &file, "--out", &file]), Some(5));
    assert_eq!(code(&["--version"]), Some(0));
    // Runs without agents or without ticks succeed.
    assert_eq!(code(&["run", &file, "--set", "species.starling.count=0"]), Some(0));
    assert_eq!(code(&["run", &file, "--ticks", "0"]), Some(0));
}

#[test]
fn errors_in_a_scenario_are_reported_with_line_and_column() {
    let folder = Folder::new("mistakes");
    let file =
        folder.write("wrong.toml", &SMALL.replace("count = 30", "count = -1").replace("tick = 0.05", "tick = 0"));
    let output = throng(&folder, &["check", &file]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    let places: Vec<&str> = text.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(places, [format!("{file}:6:8"), format!("{file}:9:9")], "{text}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_world_in_space_is_run_and_drawn() {
    let folder = Folder::new("space");
    let arguments = ["run", &scenario("shoal"), "--ticks", "2", "--json", "--set", "species.sardine.count=300"];
    let output = throng(&folder, &[&arguments[..], &["--set", "output.trajectory.every=1"]].concat());
    assert_eq!(json(&output.stdout)["dimensions"].as_u64(), Some(3), "{output:?}");
    let table = fs::read_to_string(folder.path("throng-out/shoal/trajectory.csv")).unwrap();
    assert!(table.starts_with("tick,id,species,x,y,z,vx,vy,vz"));
}

#[test]
fn a_trajectory_has_states_and_columns_and_is_drawn() {
    let folder = Folder::new("columns");
    let arguments = ["run", &scenario("hunt"), "--ticks", "3", "--json", "--set", "output.trajectory.every=3"];
    let output = throng(&folder, &arguments);
    let summary = json(&output.stdout);
    let table = fs::read_to_string(folder.path("throng-out/hunt/trajectory.csv")).unwrap();
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("tick,id,species,x,y,vx,vy,time,state,thirst,stamina"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 11));
    // Each species has one of the columns; three ticks later values are others.
    let last: Vec<_> = rows.iter().filter(|row| row[0] == "3").collect();
    let of = |species: &str, column: usize| -> Vec<f64> {
        last.iter().filter(|row| row[2] == species).map(|row| row[column].parse().unwrap()).collect()
    };
    for (species, column, name, other) in [("prey", 9, "thirst", 10), ("hunter", 10, "stamina", 9)] {
        let values = of(species, column);
        assert!(last.iter().filter(|row| row[2] == species).all(|row| row[other].is_empty() && !row[8].is_empty()));
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let shown = summary["columns"][species][name].as_f64().unwrap();
        assert!((mean - shown).abs() < 1e-6, "{mean} {shown}");
    }
    let film = throng(&folder, &["render", "throng-out/hunt/trajectory.csv", "-o", "film.gif", "--json"]);
    assert_eq!(film.status.code(), Some(0), "{film:?}");
    fs::write(folder.path("short.csv"), "tick,id,species,x,y,vx,vy,state\n0,1,prey,1,2,3,4\n").unwrap();
    let short = throng(&folder, &["render", "short.csv", "-o", "short.gif"]);
    let text = String::from_utf8_lossy(&short.stderr).into_owned();
    assert!(text.contains("short.csv:2:") && text.contains("8 numbers and names"), "{text}");
}

#[test]
fn a_closed_pipe_is_ignored() {
    let folder = Folder::new("pipe");
    for arguments in [&["rules"][..], &["schema"], &["run", &scenario("seek"), "--ticks", "1"]] {
        let mut child =
            common::command(&folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn rules_and_schema_contain_every_rule_and_parameter() {
    let folder = Folder::new("rules");
    let rules = json(&throng(&folder, &["rules", "--json"]).stdout);
    let names: Vec<&str> = rules.as_array().unwrap().iter().map(|rule| rule["name"].as_str().unwrap()).collect();
    for name in ["seek", "separation", "alignment", "cohesion"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let schema = json(&throng(&folder, &["schema"]).stdout);
    let species = &schema["properties"]["species"]["patternProperties"]["^[A-Za-z0-9_-]{1,64}$"];
    let described = species["properties"]["behaviours"]["items"]["anyOf"].as_array().unwrap();
    let models = json(&throng(&folder, &["models", "--json"]).stdout);
    let motions = species["properties"]["motion"]["anyOf"].as_array().unwrap();
    for model in models.as_array().unwrap() {
        assert!(motions.iter().any(|entry| entry["properties"]["model"]["const"] == model["name"]), "{model}");
    }
    let table = String::from_utf8(throng(&folder, &["rules"]).stdout).unwrap();
    for rule in rules.as_array().unwrap() {
        let entry = described.iter().find(|entry| entry["title"] == rule["name"]).unwrap();
        assert!(table.contains(rule["name"].as_str().unwrap()));
        for parameter in rule["parameters"].as_array().unwrap() {
            for key in ["name", "unit", "kind", "range", "default", "help"] {
                assert!(parameter.get(key).is_some(), "{key} in {parameter}");
            }
            assert!(!entry["properties"][parameter["name"].as_str().unwrap()].is_null(), "{parameter}");
        }
    }
}

#[test]
fn two_traces_of_a_scenario_are_equal_and_cost_no_bit() {
    let folder = Folder::new("traces");
    let traced = |trace: &str, threads: &str, set: &str| {
        let arguments = ["run", &scenario("hunt"), "--ticks", "12", "--json", "--trace", trace, "--threads", threads];
        json(&throng(&folder, &[&arguments[..], &["--set", set, "--out", &format!("out-{trace}")]].concat()).stdout)["hash"].clone()
    };
    let set = "species.prey.max_speed=5";
    let hash = traced("a", "1", set);
    assert_eq!(hash, traced("b", "2", set));
    let plain = throng(&folder, &["run", &scenario("hunt"), "--ticks", "12", "--json", "--set", set]);
    assert_eq!(json(&plain.stdout)["hash"], hash);
    let equal = throng(&folder, &["verify", "a", "b"]);
    assert!(equal.status.success(), "{equal:?}");
    assert!(String::from_utf8(equal.stdout).unwrap().starts_with("equal: 12 ticks, "));
    // An existing trace is kept.
    let again = throng(&folder, &["run", &scenario("hunt"), "--ticks", "1", "--trace", "a", "--out", "other"]);
    assert_eq!(again.status.code(), Some(2), "{again:?}");
}

#[test]
fn verify_names_the_first_difference_of_two_traces() {
    let folder = Folder::new("differs");
    for trace in ["a", "b"] {
        let run =
            ["run", &scenario("hunt"), "--ticks", "6", "--quiet", "--trace", trace, "--out", &format!("out-{trace}")];
        assert!(throng(&folder, &run).status.success());
    }
    let lines = fs::read_to_string(folder.path("b/hashes.csv")).unwrap();
    let bytes = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let size = match fields[4] {
            "f32" | "u32" => 4,
            "u64" => 8,
            "section" => 0,
            // An array of numbers of four bytes, such as `[f32; 2]`.
            array => 4 * array.trim_matches(['[', ']']).split_once("; ").unwrap().1.parse::<usize>().unwrap(),
        };
        (size, fields[5].parse::<usize>().unwrap())
    };
    // The lowest bit of one agent's position in the third tick, and the hash of its column, are others.
    let (mut offset, mut number) = (0, 0);
    for (at, line) in lines.lines().enumerate().skip(1) {
        if line.starts_with("3,integrate,prey,position.y,") {
            number = at;
            break;
        }
        let (size, rows) = bytes(line);
        offset += size * rows;
    }
    assert!(number > 0, "agents move in every tick");
    let mut values = fs::read(folder.path("b/values.bin")).unwrap();
    values[offset + 4 * 7] ^= 1;
    fs::write(folder.path("b/values.bin"), values).unwrap();
    let mut changed: Vec<String> = lines.lines().map(str::to_owned).collect();
    let hash = changed[number].len() - 16;
    changed[number].replace_range(hash.., "0123456789abcdef");
    fs::write(folder.path("b/hashes.csv"), changed.join("\n")).unwrap();
    let differs = throng(&folder, &["verify", "a", "b"]);
    assert_eq!(differs.status.code(), Some(3), "{differs:?}");
    let text = String::from_utf8(differs.stderr).unwrap();
    assert!(text.contains("tick 3, stage integrate: prey.position.y differs: agent "), "{text}");
    assert_eq!(text.matches("(bits ").count(), 2, "{text}");
    // A column that changes in one run alone, and a run that ends early.
    let without: Vec<&str> = lines.lines().filter(|line| !line.starts_with("2,integrate,prey,velocity.x,")).collect();
    fs::write(folder.path("b/hashes.csv"), without.join("\n")).unwrap();
    let text = String::from_utf8(throng(&folder, &["verify", "a", "b"]).stderr).unwrap();
    assert!(text.contains("tick 2, stage integrate: prey.velocity.x differs"), "{text}");
    let short: Vec<&str> = lines.lines().filter(|line| !line.starts_with("6,")).collect();
    fs::write(folder.path("b/hashes.csv"), short.join("\n")).unwrap();
    let text = String::from_utf8(throng(&folder, &["verify", "a", "b"]).stderr).unwrap();
    assert!(text.contains("b ends before tick 6"), "{text}");
    fs::write(folder.path("b/hashes.csv"), "tick\n").unwrap();
    assert_eq!(throng(&folder, &["verify", "a", "b"]).status.code(), Some(2));
}

/// A run ends before its last tick when no one is left, if the file says so, and always says which of the two it was.
#[test]
fn a_run_ends_when_the_world_is_empty() {
    let folder = Folder::new("until");
    let text = "format = 1\n[world]\ndimensions = 2\nsize = [10, 10]\nedge = \"remove\"\ntick = 0.1\nticks = 200\n\
                [species.walker]\ncount = 5\nradius = 0.1\nplace = { heading = 0.0, speed = 2.0 }\n";
    let file = folder.write("leave.toml", text);
    let run = |more: &[&str]| {
        let output = throng(&folder, &[&["run", &file, "--json", "--force"][..], more].concat());
        assert!(output.status.success(), "{output:?}");
        let summary = json(&output.stdout);
        (summary["ticks"].as_u64().unwrap(), summary["ended"].as_bool().unwrap())
    };
    let (ticks, ended) = run(&["--set", "world.until=empty"]);
    assert!(ended && (2..60).contains(&ticks), "{ticks}");
    assert_eq!(run(&[]), (200, true));
    assert_eq!(run(&["--set", "world.until=empty", "--ticks", "1"]), (1, false));
}

#[test]
fn a_file_of_another_kind_is_named_in_one_line() {
    let folder = Folder::new("kinds");
    for (name, text) in
        [("run.traj", "id x y\n1 2 3\n"), ("run.scenario", "{\n \"name\": 1,\n \"a\": 2\n}\n"), ("a.json", "{}")]
    {
        let file = folder.write(name, text);
        for (command, more) in [("run", &[][..]), ("check", &[]), ("render", &["-o", "picture.png"])] {
            let output = throng(&folder, &[&[command, &file][..], more].concat());
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{command} {name}: {said}");
            assert!(
                said.contains("is not a scenario") && said.trim_end().lines().count() == 1,
                "{command} {name}: {said}"
            );
        }
    }
}
