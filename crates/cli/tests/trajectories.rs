//! Trajectories in every format: equal rows, refused names, resumed runs, full disks and start positions.

use crate::common;

use std::fs;
use std::path::Path;

use common::{Folder, SMALL, json, throng};
use throng_formats::trajectory::{AgentRow, TrajectoryReader};

/// Two species, one with states and columns and one in groups, in a world with walls; agents come and go.
const SCENARIO: &str = r#"format = 1
[world]
name = "in cm, in m"
dimensions = 2
size = [30.0, 20.0]
edge = "wrap"
tick = 0.05
seed = 7
[[wall]]
line = [[15.0, 0.0], [15.0, 8.0]]
[[wall]]
centre = [5.0, 15.0]
size = [2.0, 2.0]
[species.bird]
count = 60
behaviours = [{ rule = "separation", radius = 1.0 }, { rule = "wander" }]
variables.energy = { start = 1.0, low = 0.0, high = 1.0 }
[species.bird.states.fresh]
rates = { energy = -0.1 }
transitions = [{ to = "tired", when = "energy", below = 0.9 }]
[species.bird.states.tired]
[species.hawk]
count = 3
place = { group_size = 3 }
max_speed = 3.0
lifetime = 2.0
behaviours = [{ rule = "wander" }]
[output]
trajectory = { every = 7, unwrapped = true }
measures = { every = 3, names = ["polarisation", "agents"] }
"#;

const ENDINGS: [&str; 7] = ["parquet", "sqlite", "txt", "vtp", "ply", "usda", "csv"];

/// The options for a trajectory of each format in this folder.
fn all(folder: &str) -> Vec<String> {
    ENDINGS.iter().flat_map(|ending| ["--trajectory".to_owned(), format!("{folder}/run.{ending}")]).collect()
}

fn run(folder: &Folder, arguments: &[&str], more: &[String]) -> std::process::Output {
    let arguments: Vec<&str> = arguments.iter().copied().chain(more.iter().map(|text| &text[..])).collect();
    throng(folder, &[&["run", "world.toml", "--quiet"][..], &arguments].concat())
}

fn rows(path: &Path) -> Vec<AgentRow> {
    let mut reader = TrajectoryReader::open(path).unwrap();
    let mut rows = Vec::new();
    while let Some(row) = reader.row().unwrap() {
        // Only a text has lines.
        rows.push(AgentRow { line: 0, ..row });
    }
    rows
}

/// The files of a folder by name, with their contents.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let name = |entry: &fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().flatten().map(|entry| (name(&entry), fs::read(entry.path()).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn every_format_has_the_rows_of_the_csv() {
    let folder = Folder::new("formats");
    folder.write("world.toml", SCENARIO);
    let out = run(&folder, &["--ticks", "60", "--out", "made", "--every", "7"], &all("made"));
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let read = |name: &str| fs::read(folder.path("made").join(name)).unwrap();
    let text = String::from_utf8(read("run.csv")).unwrap();
    assert!(
        text.starts_with("tick,id,species,x,y,vx,vy,time,x_unwrapped,y_unwrapped,state,energy,lifetime,group\n"),
        "{}",
        &text[..90]
    );
    assert!(read("run.csv") == read("trajectory.csv"));
    let table = rows(&folder.path("made/run.csv"));
    assert_eq!(table.iter().filter(|row| row.tick == 0).count(), 63);
    // Hawks are gone after two seconds.
    assert_eq!(table.iter().filter(|row| row.tick == 56).count(), 60);
    assert_eq!(rows(&folder.path("made/run.parquet")), table);
    // These formats have neither species nor velocities, and unwrapped positions.
    for ending in ["sqlite", "txt"] {
        let found = rows(&folder.path(&format!("made/run.{ending}")));
        assert_eq!(found.len(), table.len(), "{ending}");
        for row in &found {
            let own = table.iter().find(|own| (own.tick, own.id) == (row.tick, row.id)).unwrap();
            for (axis, period) in [(0, 30.0), (1, 20.0)] {
                let apart = (row.position[axis] - own.position[axis]) / period;
                assert!((apart - apart.round()).abs() < 1e-6, "{ending}: {row:?} {own:?}");
            }
        }
    }
    // Three formats share a folder.
    let names: Vec<String> = contents(&folder.path("made/run")).into_iter().map(|(name, _)| name).collect();
    let of_frame = |frame| ["ply", "usda", "vtp"].map(|ending| format!("{:09}.{ending}", 7 * frame));
    let mut expected: Vec<String> = (0..9).flat_map(of_frame).collect();
    expected.push("manifest.usda".to_owned());
    assert_eq!(names, expected);
    let layer = String::from_utf8(read("run/000000000.usda")).unwrap();
    let colours = layer.lines().find(|line| line.contains("displayColor")).unwrap().matches("(").count();
    assert_eq!(colours, 63, "{layer}");
    let list = String::from_utf8(read("run.pvd")).unwrap();
    assert!(list.contains("<DataSet timestep=\"2.8\" part=\"0\" file=\"run/000000056.vtp\"/>"), "{list}");
    // The text has no unit but its own.
    let head = String::from_utf8(read("run.txt")).unwrap();
    let head: Vec<&str> = head.lines().take_while(|line| line.starts_with('#')).collect();
    assert!(head.contains(&"# id frame x/m y/m") && !head.iter().any(|line| line.contains("cm")), "{head:?}");
    let summary = json(&read("summary.json"));
    let described: Vec<&str> =
        summary["trajectories"].as_array().unwrap().iter().map(|own| own["file"].as_str().unwrap()).collect();
    assert_eq!(described.len(), 8, "{described:?}");
    assert!(described.iter().any(|file| file.ends_with("made/run.vtp")), "{described:?}");
    assert!(summary["checksums"]["run.parquet"].is_string());
}

#[test]
fn the_walkable_area_is_the_room_without_walls_and_obstacles() {
    let folder = Folder::new("formats-walkable");
    let world = format!(
        "{SMALL}\n{}",
        r#"
[[wall]]
polygon = [[1.0, 1.0], [59.0, 1.0], [59.0, 39.0], [1.0, 39.0]]
[[wall]]
centre = [8.0, 8.0]
size = [4.0, 2.0]
[[wall]]
centre = [20.0, 8.0]
radius = 3.0
[[obstacle]]
centre = [40.0, 30.0]
radius = 2.0
"#
    );
    let place = "count = 30\nplace = { region = \"disc\", centre = [30.0, 20.0], radius = 5.0 }";
    folder.write("world.toml", &world.replace("count = 30", place));
    let out = run(&folder, &["--ticks", "1", "--trajectory", "run.parquet"], &[]);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    // The footer of Parquet has the text as it is.
    let bytes = fs::read(folder.path("run.parquet")).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let text = text.split_once("GEOMETRYCOLLECTION (POLYGON (").unwrap().1.split_once(")))").unwrap().0;
    let numbers = |point: &str| -> Vec<f64> { point.split_whitespace().map(|text| text.parse().unwrap()).collect() };
    let areas = text.split("), (").map(|ring| {
        let points: Vec<_> = ring.trim_matches(['(', ')']).split(", ").map(numbers).collect();
        points.windows(2).map(|side| side[0][0] * side[1][1] - side[1][0] * side[0][1]).sum::<f64>().abs() / 2.0
    });
    // A disc is a polygon of 32 corners.
    let disc = |radius: f64| 16.0 * (std::f64::consts::TAU / 32.0).sin() * radius * radius;
    for (found, expected) in areas.clone().zip([58.0 * 38.0, 8.0, disc(3.0), disc(2.0)]) {
        assert!((found - expected).abs() < 1e-4 * expected, "{found} {expected}");
    }
    assert_eq!(areas.count(), 4);
    // A world of three dimensions has none.
    folder.write("world.toml", &SMALL.replace("dimensions = 2", "dimensions = 3").replace("40.0]", "40.0, 30.0]"));
    let out = run(&folder, &["--ticks", "1", "--trajectory", "space.parquet"], &[]);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let bytes = fs::read(folder.path("space.parquet")).unwrap();
    assert!(!String::from_utf8_lossy(&bytes).contains("POLYGON"));
}

#[test]
fn a_resumed_run_has_the_rows_of_an_uninterrupted_one() {
    let folder = Folder::new("formats-resumed");
    folder.write("world.toml", SCENARIO);
    let measures = |name: &str| ["--measures".to_owned(), format!("{name}/m.parquet")];
    let more = |name: &str| [all(name), measures(name).to_vec()].concat();
    let out = run(&folder, &["--ticks", "100", "--out", "whole", "--every", "4"], &more("whole"));
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let parts = ["--ticks", "55", "--out", "half", "--every", "4", "--checkpoint-every", "20"];
    assert_eq!(run(&folder, &parts, &more("half")).status.code(), Some(0));
    for source in ["half/checkpoints/000000000040.ckpt", "half"] {
        let resumed = throng(&folder, &["resume", source, "--ticks", "100", "--quiet"]);
        assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
        for name in ["run.csv", "run.txt", "run.pvd", "m.parquet", "trajectory.csv"] {
            let read = |results: &str| fs::read(folder.path(results).join(name)).unwrap();
            assert!(read("whole") == read("half"), "{name}");
        }
        for name in ["run.parquet", "run.sqlite"] {
            assert_eq!(rows(&folder.path("whole").join(name)), rows(&folder.path("half").join(name)), "{name}");
        }
        assert!(contents(&folder.path("whole/run")) == contents(&folder.path("half/run")));
    }
    // Another file in place of an output is found.
    fs::write(folder.path("half/run.sqlite"), "").unwrap();
    let refused = throng(&folder, &["resume", "half", "--ticks", "110", "--quiet"]);
    assert_eq!(refused.status.code(), Some(6), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("run.sqlite"), "{refused:?}");
}

#[test]
fn wrong_names_are_refused_before_the_run() {
    let folder = Folder::new("formats-names");
    folder.write("world.toml", SMALL);
    folder.write("space.toml", &SMALL.replace("dimensions = 2", "dimensions = 3").replace("40.0]", "40.0, 30.0]"));
    fs::write(folder.path("old.csv"), "").unwrap();
    let refused = |file: &str, name: &str, said: &str| {
        let out = throng(&folder, &["run", file, "--ticks", "4", "--trajectory", name]);
        assert_eq!(out.status.code(), Some(2), "{name}: {out:?}");
        let text = String::from_utf8(out.stderr).unwrap();
        assert!(text.contains(said), "{name}: {text}");
        assert!(!folder.path("throng-out/world/summary.json").exists());
    };
    refused("world.toml", "run.parqet", "did you mean run.parquet?");
    refused("world.toml", "run.exe", ".parquet, .sqlite, .txt, .vtp, .ply, .usda or .csv");
    refused("world.toml", "old.csv", "old.csv: exists; --force replaces it");
    refused("space.toml", "run.sqlite", "run.sqlite: holds positions of two dimensions");
    let twice = ["run", "world.toml", "--trajectory", "a.csv", "--trajectory", "a.csv"];
    assert_eq!(throng(&folder, &twice).status.code(), Some(2));
    assert_eq!(throng(&folder, &["run", "world.toml", "--every", "4"]).status.code(), Some(2));
    let unwritable = throng(&folder, &["run", "world.toml", "--ticks", "1", "--trajectory", "missing/a.parquet"]);
    assert_eq!(unwritable.status.code(), Some(5), "{unwritable:?}");
    let measures = throng(&folder, &["run", "world.toml", "--ticks", "1", "--measures", "m.parquet"]);
    assert_eq!(measures.status.code(), Some(2), "{measures:?}");
}

/// Runs a world with files of at most `kib` KiB, and returns the last tick that the report of the failure names. The
/// limit stands for a disk that fills: writes beyond it fail. `None` without the shell that sets it.
#[cfg(unix)]
fn last_tick_on_a_full_disk(folder: &Folder, (name, file): (&str, &str), kib: u32, more: &str) -> Option<u64> {
    folder.write("world.toml", &SMALL.replace("count = 30", "count = 2000").replace("60.0, 40.0", "400.0, 400.0"));
    let program = env!("CARGO_BIN_EXE_throng");
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec {program} run world.toml --quiet --ticks 300 --trajectory {name} --force {more}",
        // Blocks of 512 bytes.
        2 * kib,
    );
    let out = std::process::Command::new("dash").args(["-c", &script]).current_dir(folder.path(".")).output().ok()?;
    assert_eq!(out.status.code(), Some(5), "{name}: {out:?}");
    let text = String::from_utf8(out.stderr).unwrap();
    assert!(text.contains(file) && text.contains("it has the ticks up to "), "{name}: {text}");
    Some(text.trim().rsplit(' ').next().unwrap().parse().unwrap())
}

#[cfg(unix)]
#[test]
fn a_disk_that_fills_leaves_the_frames_before() {
    let folder = Folder::new("formats-full");
    for (name, kib) in [("run.csv", 3000), ("run.txt", 3000), ("run.parquet", 9000), ("run.sqlite", 9000)] {
        let Some(last) = last_tick_on_a_full_disk(&folder, (name, name), kib, "") else { return };
        let rows = rows(&folder.path(name));
        assert_eq!((rows.len() as u64, rows.last().unwrap().tick), (2000 * (last + 1), last), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_list_of_frames_on_a_full_disk_has_those_before() {
    let folder = Folder::new("formats-full-list");
    // The list must be longer than a frame.
    let few = "--set species.starling.count=30";
    let Some(last) = last_tick_on_a_full_disk(&folder, ("run.vtp", "run.pvd"), 8, few) else { return };
    let list = fs::read_to_string(folder.path("run.pvd")).unwrap();
    assert_eq!(list.matches("<DataSet").count() as u64, last + 1);
    assert!(list.ends_with("</Collection>\n</VTKFile>\n"), "{list}");
    assert_eq!(contents(&folder.path("run")).len() as u64, last + 1);
}

#[test]
fn files_are_drawn_and_start_other_runs() {
    let folder = Folder::new("formats-read");
    folder.write("world.toml", SMALL);
    let out = run(&folder, &["--ticks", "12", "--every", "4"], &all("."));
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let picture = |name: &str| {
        let drawn = throng(&folder, &["render", name, "-o", "a.png", "--width", "64", "--force", "--quiet"]);
        assert_eq!(drawn.status.code(), Some(0), "{name}: {drawn:?}");
        fs::read(folder.path("a.png")).unwrap()
    };
    assert!(picture("run.csv") == picture("run.parquet"));
    picture("run.txt");
    picture("run.sqlite");
    assert_eq!(throng(&folder, &["render", "run.vtp", "-o", "b.png"]).status.code(), Some(2));
    // A world that starts from the last frame has its positions and velocities.
    let table = rows(&folder.path("run.csv"));
    for (ending, tick) in [("parquet", ", tick = 8"), ("csv", ""), ("txt", ", tick = 4"), ("sqlite", "")] {
        let place = format!("place = {{ file = \"run.{ending}\"{tick} }}");
        folder.write("next.toml", &SMALL.replace("count = 30", &place));
        let next = ["run", "next.toml", "--ticks", "0", "--quiet", "--trajectory", "next.csv", "--force"];
        let out = throng(&folder, &next);
        assert_eq!(out.status.code(), Some(0), "{ending}: {out:?}");
        let tick: u64 = tick.rsplit(' ').next().and_then(|tick| tick.parse().ok()).unwrap_or(12);
        let (start, frame) = (rows(&folder.path("next.csv")), table.iter().filter(|row| row.tick == tick));
        assert_eq!(start.len(), 30);
        let exact = matches!(ending, "parquet" | "csv");
        // Files without species and velocities are in the order of ids.
        let mut frame: Vec<AgentRow> = frame.copied().collect();
        if !exact {
            frame.sort_by_key(|row| row.id);
        }
        for (start, row) in start.iter().zip(&frame) {
            assert_eq!(start.position, row.position, "{ending}");
            let apart = (0..2).any(|axis| (start.velocity[axis] - row.velocity[axis]).abs() > 1e-4);
            assert!(!exact || !apart, "{ending}: {start:?} {row:?}");
        }
    }
    let refused = |place: &str, said: &str| {
        folder.write("next.toml", &SMALL.replace("count = 30", place));
        let out = throng(&folder, &["check", "next.toml"]);
        assert_eq!(out.status.code(), Some(2), "{place}: {out:?}");
        assert!(String::from_utf8_lossy(&out.stderr).contains(said), "{place}: {out:?}");
    };
    refused(
        "place = { file = \"run.csv\", tick = 5 }",
        "no agents of starling at tick 5; it has the ticks from 0 to 12",
    );
    refused("place = { file = \"run.csv\", region = \"all\" }", "region");
    refused("count = 31\nplace = { file = \"run.csv\" }", "has 30 agents");
    refused("place = { file = \"none.csv\" }", "none.csv: cannot be read");
    refused("count = 3\nplace = { tick = 5 }", "`tick` needs it");
    folder.write("far.csv", "tick,id,species,x,y,vx,vy\n0,0,a,1e8,0,0,0\n");
    refused("place = { file = \"far.csv\" }", "next.toml:");
}

#[test]
fn agents_on_storeys_and_stairs_have_their_plan_and_height() {
    let folder = Folder::new("trajectories-storeys");
    fs::write(
        folder.path("world.toml"),
        r#"format = 1
world = { dimensions = 2, size = [20.0, 12.0], edge = "bounce", tick = 0.05, seed = 3 }
storey = [{ name = "ground" }, { name = "first", elevation = 3.0 }]
stair = [{ name = "west", storeys = ["ground", "first"], foot = [[4.0, 3.0], [6.0, 3.0]], run = [0.0, 6.0] }]
region = [{ name = "exit", centre = [19.0, 1.0], size = [2.0, 2.0] }]
navigation.out = { goals = ["region:exit"], cell = 0.25 }
species.person = { count = 5, people = true, behaviours = [{ rule = "walk_to", goals = ["out"] }], place = { region = "box", centre = [5.0, 10.5], size = [3.0, 1.0], storey = "first" } }
"#,
    )
    .unwrap();
    let files = ["csv", "parquet", "txt"].map(|ending| format!("run.{ending}"));
    let more: Vec<String> = files.iter().flat_map(|file| ["--trajectory".to_owned(), file.clone()]).collect();
    let run = run(&folder, &["--ticks", "700", "--out", "out"], &more);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    for file in files {
        let rows = rows(&folder.path(&file));
        let heights = || rows.iter().map(|row| row.position[2]);
        assert!(rows.iter().all(|row| (0.0..=20.0).contains(&row.position[0]) && row.position[1] <= 12.0), "{file}");
        assert!(heights().all(|height| (0.0..=3.0).contains(&height)), "{file}");
        assert!(heights().any(|height| height == 3.0) && heights().any(|height| height == 0.0), "{file}");
        // On the flight the height rises with the way: half a metre for each metre.
        let on_stair = rows.iter().filter(|row| row.position[2] > 0.1 && row.position[2] < 2.9);
        assert!(on_stair.clone().count() > 100, "{file}");
        for row in on_stair {
            let off = row.position[2] - 0.5 * (row.position[1] - 3.0);
            assert!(off.abs() < 1e-3, "{file}: {off} m");
        }
    }
}
