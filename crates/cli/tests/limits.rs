//! Tests of files that are hostile or damaged: they are refused at once, and messages about them are harmless.

use crate::common;

use std::fs::{self, File};
use std::time::{Duration, Instant};

use common::{Folder, SMALL, command, json, throng};

const WORLD: &str = "format = 1\n[world]\ndimensions = 2\nsize = [30.0, 20.0]\n";

#[test]
fn hostile_sizes_are_refused() {
    let folder = Folder::new("hostile");
    let species = |count: u32| (0..count).map(|n| format!("[species.s{n}]\ncount = 1\n")).collect::<String>();
    let rules =
        |count: usize| format!("[species.a]\ncount = 1\nbehaviours = [{}]\n", "{ rule = \"wander\" },".repeat(count));
    let texts = [
        ("species", 4, species(5000)),
        ("many_species", 2, species(200_000)),
        ("rules", 4, rules(20_000)),
        ("many_rules", 2, rules(200_000)),
        ("keys", 2, (0..1_000_000).map(|n| format!("a{n}=1\n")).collect()),
        ("tables", 2, format!("x = [{}]\n", "{a=1},".repeat(2_000_000))),
        ("points", 2, format!("walls = [[{}]]\n", "[1.5,2.5],".repeat(1_500_000))),
        ("obstacles", 2, "[[obstacle]]\ncentre=[1.0,2.0]\nradius=1.0\n".repeat(300_000)),
        ("deep", 2, format!("x = {}{}\n", "[".repeat(7_000_000), "]".repeat(7_000_000))),
        ("dotted", 2, format!("{}b = 1\n", "a.".repeat(3_000_000))),
        ("agents", 4, "[species.a]\ncount = 9007199254740992\n".to_owned()),
    ];
    for (name, code, text) in texts {
        let file = folder.write(&format!("{name}.toml"), &format!("{WORLD}{text}"));
        refused(&folder, &file, code);
    }
    File::create(folder.path("huge.toml")).unwrap().set_len(1 << 30).unwrap();
    refused(&folder, "huge.toml", 2);
    refused(&folder, "huge.csv", 2);
}

/// Walls, sources, goals and plans that cannot be meant are found before the run, with the place in the file.
#[test]
fn bad_grounds_are_found_before_the_run() {
    let folder = Folder::new("bad-ground");
    folder.write("millimetres.wkt", "POLYGON ((0 0, 30000 0, 30000 20000, 0 20000, 0 0))");
    let people = "[species.person]\ncount = 5\nradius = 0.25\nplace = { region = \"box\", centre = [5.0, 10.0], size = [4.0, 4.0] }\n";
    let gate = |walls: &str, size: &str, arrivals: &str| {
        let region = format!("[[region]]\nname = \"gate\"\ncentre = [20.0, 10.0]\nsize = {size}\n");
        format!("{walls}{region}[[source]]\nname = \"gate\"\nspecies = \"person\"\nregion = \"gate\"\n{arrivals}\n")
    };
    let ways = |walls: &str, cell: &str| {
        let exit = "[[region]]\nname = \"exit\"\ncentre = [28.0, 10.0]\nsize = [2.0, 2.0]\n";
        format!("{walls}{exit}[navigation.out]\ngoals = [\"region:exit\"]\nclearance = 0.25\ncell = {cell}\n")
    };
    let block = "[[wall]]\ncentre = [20.0, 10.0]\nsize = [6.0, 6.0]\n";
    let comb: String =
        (0..5).map(|n| format!("[[wall]]\nline = [[{0}, 8.0], [{0}, 12.0]]\n", 19.4 + 0.3 * f64::from(n))).collect();
    let cases = [
        ("[[wall]]\nline = [[1, 1], [1, 1]]\n".to_owned(), "6:8: wall.0.line = [[1, 1], [1, 1]]: point 0 is equal"),
        ("[[wall]]\ncentre = [9, 9]\nsize = [0, 1]\n".to_owned(), "7:8: wall.0.size = [0, 1]: must be"),
        (
            "[[wall]]\nline = [[0, 0], [9, 9], [9, 0], [0, 9]]\n".to_owned(),
            "6:8: wall.0.line = [[0, 0], [9, 9], [9, 0], [0, 9]]: segment 0 crosses segment 2",
        ),
        (gate(block, "[4.0, 4.0]", "rate = 1.0"), "15:10: source.0.region = \"gate\": is inside an obstacle or a wall"),
        (gate(&comb, "[1.0, 1.0]", "rate = 1.0"), "22:10: source.0.region = \"gate\": is inside an obstacle or a wall"),
        (gate("", "[0.4, 4.0]", "rate = 1.0"), "12:10: source.0.region = \"gate\": the region is smaller than a body"),
        (gate("", "[4.0, 4.0]", "rate = -1.0"), "13:8: source.0.rate = -1.0: must be a number in [0, 10000] 1/s"),
        (gate("", "[4.0, 4.0]", "poisson = -0.1"), "13:11: source.0.poisson = -0.1: must be a number in [0, 10000]"),
        (gate("", "[4.0, 4.0]", "schedule = [[0.0, -5]]"), "13:12: source.0.schedule = [[0.0, -5]]: must be"),
        (
            ways("walls = [[[15.0, 0.0], [15.0, 20.0]]]\n", "0.1"),
            "11:9: navigation.out.goals = [\"region:exit\"]: no way leads there",
        ),
        (ways("", "0.0001"), "12:8: navigation.out.cell = 0.0001: must be a number in"),
        ("floor_plan = \"millimetres.wkt\"\n".to_owned(), "5:14: floor_plan = \"millimetres.wkt\""),
    ];
    for (text, expected) in cases {
        // A key of the file itself stands before its tables.
        let is_key = text.starts_with("walls") || text.starts_with("floor_plan");
        let world = "[world]\ndimensions = 2\nsize = [30.0, 20.0]\n";
        let text = if is_key {
            let (key, rest) = text.split_once('\n').unwrap();
            let walks = rest.contains("[navigation.out]");
            let walk = if walks { "behaviours = [{ rule = \"follow_flow_field\", field = \"out\" }]\n" } else { "" };
            // Without a seam, across which a way would lead.
            format!("format = 1\n\n\n\n{key}\n{rest}{people}{walk}{world}edge = \"bounce\"\n")
        } else {
            format!("format = 1\n{world}{text}{people}")
        };
        folder.write("bad.toml", &text);
        for command in ["check", "run"] {
            let output = throng(&folder, &[command, "bad.toml"]);
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{text}\n{message}");
            assert!(message.contains(&format!("bad.toml:{expected}")), "{text}\n{message}\n{expected}");
        }
    }
}

/// Checks a file within bounds of time and, on Linux, of memory.
fn refused(folder: &Folder, file: &str, code: i32) {
    let mut child = common::command(folder, &["check", file]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let (start, mut peak) = (Instant::now(), 0);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(peak);
        assert!(start.elapsed() < Duration::from_secs(60), "{file}");
        std::thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(status.code(), Some(code), "{file}");
    assert!(peak < 64 << 10, "{file}: {peak} KiB");
}

#[test]
fn control_characters_are_escaped() {
    let folder = Folder::new("control");
    let text = format!("{WORLD}[species.\"a\\u001b[31mb\\nerror: forged\"]\ncount = 1\n");
    let file = folder.write("e\u{1b}[31mvil\n.toml", &text);
    for command in [&["check", &file][..], &["run", &file], &["run", "nothing\u{1b}[2J.toml"], &["resume", "\u{1b}[2J"]]
    {
        let output = throng(&folder, command);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!text.contains('\u{1b}') && text.lines().all(|line| line.starts_with("error: ")), "{text:?}");
        assert!(!text.contains("\nerror: forged"), "{text:?}");
    }
}

/// Files without an end, folders in place of files, and streams that take nothing.
#[cfg(target_os = "linux")]
#[test]
fn what_is_not_a_file_is_refused_and_what_cannot_be_written_ends_the_run() {
    let folder = Folder::new("no-files");
    let file = folder.write("small.toml", SMALL);
    for (input, said) in [("/dev/zero", "MiB"), (".", "is a folder"), ("/proc/self/mem", "error")] {
        let output = throng(&folder, &["check", input]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{input}: {text}");
        assert!(text.contains(said), "{input}: {text}");
    }
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for arguments in [&["rules"][..], &["schema"], &["run", &file, "--ticks", "1", "--json", "--out", "full"]] {
        let output = common::command(&folder, arguments).stdout(full()).stderr(std::process::Stdio::piped()).output();
        let output = output.unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(5), "{arguments:?}: {text}");
        assert!(text.contains("the standard output: No space left"), "{arguments:?}: {text}");
    }
    // The results were written before.
    assert!(folder.path("full/summary.json").exists());
    for out in ["/proc/throng", "/dev/null", "small.toml/results"] {
        let output = throng(&folder, &["run", &file, "--ticks", "1", "--out", out]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(5), "{out}: {text}");
        assert!(text.contains(out), "{out}: {text}");
    }
}

#[test]
fn results_stay_in_their_folder() {
    let folder = Folder::new("dots");
    folder.write("...toml", &format!("{WORLD}[species.a]\ncount = 3\n"));
    assert!(throng(&folder, &["run", "./...toml", "--ticks", "1", "--quiet"]).status.success());
    assert_eq!(common::names(&folder), ["...toml", "throng-out"]);
    assert!(folder.path("throng-out/scenario/summary.json").exists());
}

#[test]
fn a_damaged_trajectory_is_not_drawn() {
    let folder = Folder::new("damaged");
    let file = folder.write("small.toml", SMALL);
    let run = ["run", &file, "--quiet", "--ticks", "6", "--out", "made", "--set", "output.trajectory={every=2}"];
    assert!(throng(&folder, &run).status.success());
    let table = fs::read(folder.path("made/trajectory.csv")).unwrap();
    let summary = json(&fs::read(folder.path("made/summary.json")).unwrap());
    let checksum = format!("{}:{:08x}", table.len(), crc32fast::hash(&table));
    assert_eq!(summary["checksums"]["trajectory.csv"].as_str(), Some(&checksum[..]));
    let drawn =
        || throng(&folder, &["render", "made/trajectory.csv", "-o", "a.png", "--width", "64", "--force", "--quiet"]);
    assert_eq!(drawn().status.code(), Some(0));
    let lines: Vec<usize> = (0..table.len()).filter(|&at| table[at] == b'\n').map(|at| at + 1).collect();
    // Cut between frames, between rows, and within a number.
    for length in [lines[60], lines[40], lines[40] - 3, table.len() - 1] {
        fs::write(folder.path("made/trajectory.csv"), &table[..length]).unwrap();
        assert_eq!(drawn().status.code(), Some(2), "{length}");
    }
    for number in 0..20 {
        let mut changed = table.clone();
        let at = number * 7919 % table.len();
        changed[at] = if changed[at] == b'1' { b'2' } else { b'1' };
        fs::write(folder.path("made/trajectory.csv"), &changed).unwrap();
        assert_eq!(drawn().status.code(), Some(2), "{at}");
    }
}

#[test]
fn numbers_that_would_take_all_time_or_memory_are_refused_by_name() {
    let folder = Folder::new("bounds");
    let file = folder.write("small.toml", SMALL);
    // Far beyond the limit of any machine: 64, or four for each core.
    let many = "1000000";
    let sweep = ["sweep", &file, "--ticks", "2", "--from", "1", "-o", "s.csv"];
    let cases = [
        (vec!["run", &file, "--ticks", "2", "--threads", many], "--threads"),
        (vec!["resume", ".", "--threads", many], "--threads"),
        (vec!["render", &file, "-o", "a.png", "--threads", many], "--threads"),
        (vec!["view", &file, "--no-open", "--threads", many], "--threads"),
        ([&sweep[..], &["--threads", many]].concat(), "--threads"),
        ([&sweep[..], &["--seeds", "1000000000000", "--force"]].concat(), "1000000000, which is the limit"),
        (vec!["bench", "--threads", many], "--threads"),
        (vec!["bench", "--ticks", "18446744073709551615"], "--ticks"),
        (
            vec!["render", &file, "-o", "a.gif", "--ticks", "9000000000", "--every", "1"],
            "--every 1: a film can have 1000000 frames",
        ),
        (vec!["render", &file, "-o", "a.gif", "--fps", "100000"], "--fps"),
        (vec!["render", &file, "-o", "a.png", "--width", "100000"], "--width"),
    ];
    for (arguments, says) in cases {
        let output = throng(&folder, &arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(says), "{arguments:?}: {error}");
    }
    assert!(!folder.path("s.csv").exists() && !folder.path("a.gif").exists());

    let with = |variable: &str, value: &str, arguments: &[&str]| {
        let output = command(&folder, arguments).env(variable, value).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let explain = ["explain", &file, "--agent", "0", "--tick", "1"];
    for arguments in [&["run", &file, "--ticks", "2"][..], &explain, &["render", &file, "-o", "b.png", "--ticks", "1"]]
    {
        let (code, error) = with("RAYON_NUM_THREADS", many, arguments);
        assert!(code == Some(2) && error.contains("RAYON_NUM_THREADS"), "{arguments:?}: {error}");
        // More threads than cores are allowed, as far as they end.
        let (code, error) = with("RAYON_NUM_THREADS", "7", arguments);
        assert!(code == Some(0), "{arguments:?}: {error}");
    }
    let (code, error) = with("RAYON_NUM_THREADS", many, &["run", &file, "--ticks", "2", "--threads", "7"]);
    assert!(code == Some(0), "an option comes before the variable: {error}");
}
