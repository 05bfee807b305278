//! Tests of `throng render`: pictures, GIF films and errors of usage.

use crate::common;

use std::fs;

use common::pictures::{Picture, drawn, frames};
use common::{Folder, SMALL, json, names, scenario, throng};

#[test]
fn a_picture_shows_the_last_tick_in_the_requested_size() {
    let folder = Folder::new("render-png");
    let file = folder.write("small.toml", SMALL);
    let output = throng(&folder, &["render", &file, "-o", "a.png", "--ticks", "5", "--width", "320"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("0.3 s, 30 agents, ") && text.lines().all(|line| line.len() <= 80), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("colours show the heading (by default; --colour changes it)"), "{text}");
    assert!(text.ends_with("\nwrote a.png\n"), "the path is in the last line: {text}");
    assert!(output.stderr.is_empty(), "no bar in a pipe");
    let picture = Picture::read(&folder.path("a.png"));
    assert_eq!((picture.width, picture.height), (320, 214));
    drawn(&folder, &file, "b.png", &["--ticks", "6", "--width", "320"]);
    assert_ne!(Picture::read(&folder.path("b.png")), picture, "the agents have moved");

    // A run draws the same picture, and the scenario's keys are the defaults.
    let sets = ["--set", "output.picture.width=320", "--ticks", "5"];
    drawn(&folder, &file, "a.png", &["--ticks", "5", "--width", "320"]);
    let picture = Picture::read(&folder.path("a.png"));
    assert!(throng(&folder, &[&["run", &file, "--quiet"], &sets[..]].concat()).status.success());
    assert_eq!(Picture::read(&folder.path("throng-out/small/picture.png")), picture);
    drawn(&folder, &file, "c.png", &sets);
    assert_eq!(Picture::read(&folder.path("c.png")), picture);
    assert_eq!(names(&folder), ["a.png", "b.png", "c.png", "small.toml", "throng-out"], "no other file is left");
}

#[test]
fn a_gif_has_its_frames_and_keeps_time() {
    let folder = Folder::new("render-gif");
    let file = folder.write("small.toml", SMALL);
    let arguments = ["--from", "4", "--ticks", "20", "--every", "2", "--fps", "30", "--width", "320", "--trails", "8"];
    let output = throng(&folder, &[&["render", &file, "-o", "film.gif", "--json"], &arguments[..]].concat());
    let summary = json(&output.stdout);
    // Ticks 4, 6, ..., 20.
    assert_eq!(summary["frames"].as_u64(), Some(9));
    assert_eq!(summary["bytes"].as_u64(), Some(fs::metadata(folder.path("film.gif")).unwrap().len()));
    let frames = frames(&folder.path("film.gif"));
    assert_eq!(frames.len(), 9);
    assert!(frames.iter().all(|(frame, _)| (frame.width, frame.height) == (320, 214)));
    assert!(frames.windows(2).all(|pair| pair[0].0 != pair[1].0));
    // Thirty frames last one second, although delays are in whole hundredths.
    assert_eq!(frames.iter().map(|(_, delay)| delay).sum::<u16>(), 30);
    // The last frame is the picture of that tick in fewer colours.
    drawn(&folder, &file, "last.png", &["--ticks", "20", "--width", "320", "--trails", "8"]);
    let (last, picture) = (&frames[8].0, Picture::read(&folder.path("last.png")));
    let apart = |a: &[u8; 3], b: &[u8; 3]| (0..3).map(|channel| a[channel].abs_diff(b[channel])).max().unwrap();
    let differences: Vec<u8> = last.pixels.iter().zip(&picture.pixels).map(|(a, b)| apart(a, b)).collect();
    let far = differences.iter().filter(|&&apart| apart > 24).count();
    assert!(far < differences.len() / 500, "{far} of {} pixels are far off", differences.len());
}

#[test]
fn files_have_the_same_bytes_with_any_number_of_threads() {
    let folder = Folder::new("render-bytes");
    let file = folder.write("small.toml", SMALL);
    for (name, more) in [
        ("a.png", &["--trails", "10"][..]),
        ("a.png", &["--density"]),
        ("a.png", &["--colour", "neighbours"]),
        ("a.gif", &["--trails", "10", "--ticks", "11"]),
    ] {
        let draw = |threads: &str| {
            let arguments = [&["--width", "200", "--ticks", "30", "--threads", threads][..], more].concat();
            let arguments =
                if more.contains(&"--ticks") { [more, &["--threads", threads]].concat() } else { arguments };
            drawn(&folder, &file, name, &arguments)
        };
        let one = draw("1");
        assert_eq!(draw("1"), one, "{more:?}");
        assert_eq!(draw("2"), one, "{more:?}");
        assert_eq!(draw("3"), one, "{more:?}");
    }
}

#[test]
fn every_option_changes_the_picture() {
    let folder = Folder::new("render-ways");
    let hunt = scenario("hunt");
    let ways: [&[&str]; 13] = [
        &["--colour", "species"],
        &["--colour", "heading"],
        &["--colour", "speed"],
        &["--colour", "neighbours"],
        &["--colour", "state"],
        &["--light"],
        &["--light", "--colour", "heading"],
        &["--trails", "30"],
        &["--trails", "60"],
        &["--density"],
        &["--density", "--light"],
        &["--zoom", "2"],
        &["--zoom", "2", "--centre", "100,40"],
    ];
    let draw = |more: &[&str]| drawn(&folder, &hunt, "a.png", &[&["--width", "320", "--ticks", "80"], more].concat());
    let mut pictures: Vec<Vec<u8>> = ways.iter().map(|way| draw(way)).collect();
    // The scenario may set the colour too; the command line takes precedence.
    let key = "output.picture.colour=speed";
    assert_eq!(draw(&["--set", key]), pictures[2]);
    assert_eq!(draw(&["--set", key, "--colour", "state"]), pictures[4]);
    assert_eq!(draw(&[]), pictures[0]);
    pictures.sort();
    pictures.dedup();
    assert_eq!(pictures.len(), ways.len());

    // In 3D the camera turns.
    let shoal = scenario("shoal");
    let few = ["--ticks", "2", "--width", "320", "--set", "species.sardine.count=300"];
    let draw = |more: &[&str]| drawn(&folder, &shoal, "b.png", &[&few[..], more].concat());
    let usual = draw(&[]);
    assert_eq!(draw(&["--azimuth", "57", "--elevation", "17.5", "--zoom", "1"]), usual);
    for more in [["--azimuth", "-30"], ["--elevation", "90"], ["--zoom", "3"], ["--centre", "-10,0,0"]] {
        assert_ne!(draw(&more), usual, "{more:?}");
    }
}

#[test]
fn environment_is_drawn() {
    let folder = Folder::new("render-scenery");
    let draw = |environment: &str| {
        let text = format!("{SMALL}\n{environment}\n").replace("count = 30", "count = 0");
        // An obstacle that no rule sees is warned of.
        let file = folder
            .write("world.toml", &text.replace("behaviours = [", "behaviours = [{ rule = \"avoid_obstacles\" },"));
        drawn(&folder, &file, "a.png", &["--ticks", "0", "--width", "240"]);
        Picture::read(&folder.path("a.png"))
    };
    let empty = draw("");
    let (x, y) = (120, 80);
    for (environment, [right, down]) in [
        ("[[obstacle]]\ncentre = [30.0, 20.0]\nradius = 5.0", [20, 0]),
        ("[marks]\nhome = [30.0, 20.0]", [0, 0]),
        ("[[region]]\nname = \"disc\"\ncentre = [30.0, 20.0]\nradius = 5.0", [20, 0]),
        ("[[region]]\nname = \"box\"\ncentre = [30.0, 20.0]\nsize = [10.0, 10.0]", [20, 0]),
        ("[fields.wind]\ncells = [1, 1]\nvectors = [[1.0, 0.0]]", [0, 6]),
    ] {
        let picture = draw(environment);
        let near = |column: usize, row: usize| {
            let (columns, rows) = (column - 4..column + 4, row - 4..row + 4);
            rows.flat_map(|row| columns.clone().map(move |column| (column, row)))
                .any(|(column, row)| picture.light(column, row) > empty.light(column, row) + 20)
        };
        assert!(near(x + right, y + down), "{environment}");
    }
}

#[test]
fn an_existing_file_is_kept_unless_forced() {
    let folder = Folder::new("render-force");
    let file = folder.write("small.toml", SMALL);
    folder.write("film.gif", "mine");
    let arguments = ["render", &file, "-o", "film.gif", "--ticks", "3", "--width", "64"];
    let refused = throng(&folder, &arguments);
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(text, "error: film.gif: already exists; --force replaces it\n");
    assert_eq!(fs::read(folder.path("film.gif")).unwrap(), b"mine");
    assert_eq!(throng(&folder, &[&arguments[..], &["--force"]].concat()).status.code(), Some(0));
    // Twelve frames a second: two for 0.15 s.
    assert_eq!(frames(&folder.path("film.gif")).len(), 2);
}

#[test]
fn errors_of_usage_are_reported() {
    let folder = Folder::new("render-usage");
    let small = folder.write("small.toml", SMALL);
    let table = folder.write("t.csv", "tick,id,species,x,y,vx,vy\n3,1,a,0,0,1,0\n4,1,a,1,0,1,0\n");
    for (arguments, expected) in [
        (&[&small, "-o", "a.bmp"][..], "must end in .png"),
        (&[&small, "-o", "a"], "must end in .png"),
        (&[&small, "-o", "a.gif", "--fps", "51"], "at most 50 frames"),
        (&[&small, "-o", "a.mp4", "--width", "101"], "must be even"),
        (&[&small, "-o", "a.gif", "--from", "6", "--ticks", "5"], "no tick to draw"),
        (&[&small, "-o", "a.png", "--azimuth", "5"], "for worlds of three dimensions"),
        (&[&small, "-o", "a.png", "--stacked"], "for scenarios with storeys"),
        (&[&table, "-o", "a.png", "--stacked"], "for scenarios with storeys"),
        (&[&small, "-o", "a.png", "--centre", "1,2,3"], "must have 2"),
        (&[&small, "-o", "a.png", "--centre", "1,x"], "must be a number"),
        (&[&small, "-o", "a.png", "--zoom", "0"], "must be a number from 0.01"),
        (&[&small, "-o", "a.png", "--zoom", "NaN"], "must be a number from 0.01"),
        (&[&small, "-o", "a.png", "--colour", "red"], "species, heading, speed, neighbours, state"),
        (&[&small, "-o", "a.png", "--density", "--trails", "3"], "cannot be used with"),
        (&[&small, "-o", "a.png", "--set", "world.tick=0"], "world.tick"),
        (&[&table, "-o", "a.png", "--set", "world.tick=1"], "for scenarios"),
        (&[&table, "-o", "a.png", "--seed", "1"], "for scenarios"),
        (&[&table, "-o", "a.png", "--colour", "state"], "has no states"),
        (&[&table, "-o", "a.png", "--from", "5"], "no tick to draw"),
        (&[&table, "-o", "a.png", "--ticks", "2"], "--ticks is 2, and the first tick is 3"),
        (&["missing.toml", "-o", "a.png"], "missing.toml"),
        (&["missing.csv", "-o", "a.png"], "missing.csv"),
    ] {
        let output = throng(&folder, &[&["render"], arguments].concat());
        let text = String::from_utf8(output.stderr.clone()).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {text}");
        assert!(text.contains(expected), "{arguments:?} {text}");
    }
    let output = throng(&folder, &["render", &small, "-o", "nowhere/a.png", "--ticks", "1"]);
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    assert_eq!(names(&folder), ["small.toml", "t.csv"]);
}

/// A hall whose twelve people enter after two seconds and leave by a door, all within sixteen.
const VISIT: &str = r#"format = 1
walls = [[[8.0, 0.0], [8.0, 3.4]], [[8.0, 4.6], [8.0, 8.0]]]
[world]
dimensions = 2
size = [12.0, 8.0]
edge = "bounce"
tick = 0.05
ticks = 1000
[[region]]
name = "hall"
centre = [4.0, 4.0]
size = [6.0, 6.0]
[[region]]
name = "outside"
centre = [11.0, 4.0]
size = [2.0, 4.0]
[[source]]
name = "people"
species = "person"
region = "hall"
schedule = [[2.0, 12]]
speed = 0.0
[[sink]]
name = "outside"
region = "outside"
[navigation.out]
goals = ["region:outside"]
[species.person]
count = 0
radius = 0.2
motion = { model = "collision_free_speed" }
behaviours = [{ rule = "walk_to", goals = ["out"] }]
[output]
picture = { colour = "speed" }
"#;

#[test]
fn a_picture_shows_the_tick_that_tells_most() {
    let folder = Folder::new("render-telling");
    let file = folder.write("visit.toml", VISIT);
    let draw = |more: &[&str]| {
        let arguments = [&["render", &file, "-o", "a.png", "--force", "--json", "--width", "240"], more].concat();
        let output = throng(&folder, &arguments);
        let summary = json(&output.stdout);
        (
            summary["tick"].as_u64().unwrap(),
            summary["agents"].as_u64().unwrap(),
            fs::read(folder.path("a.png")).unwrap(),
        )
    };
    let (telling, agents, picture) = draw(&[]);
    // Half of the twelve are out.
    assert_eq!(agents, 6);
    let tick = |tick: u64| draw(&["--ticks", &tick.to_string()]);
    assert!(tick(telling) == (telling, 6, picture.clone()));
    assert!(tick(telling - 1).1 > 6);
    // A run shows it too, and when it was interrupted before it shows its own.
    let run = |more: &[&str]| {
        let arguments = [&["run", &file, "--quiet", "--set", "output.picture.width=240"], more].concat();
        assert!(throng(&folder, &arguments).status.success());
        fs::read(folder.path("throng-out/visit/picture.png")).unwrap()
    };
    assert!(run(&[]) == picture);
    assert!(run(&["--ticks", &telling.to_string()]) == picture);
    let early = (telling - 3).to_string();
    assert!(run(&["--ticks", &early]) == draw(&["--ticks", &early]).2);
    // An empty room says so.
    let output = throng(&folder, &["render", &file, "-o", "b.png", "--ticks", "900", "--width", "240"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("45.0 s, no agents, ") && text.contains("there are no agents to be seen"), "{text}");
}

#[test]
fn a_film_lasts_from_the_first_agent_to_the_last() {
    let folder = Folder::new("render-pace");
    let file = folder.write("visit.toml", VISIT);
    let film = |more: &[&str]| {
        let arguments = [&["render", &file, "-o", "a.gif", "--force", "--json"], more].concat();
        json(&throng(&folder, &arguments).stdout)
    };
    let summary = film(&["--width", "120"]);
    let number = |key: &str| summary[key].as_f64().unwrap();
    // The fifty seconds of the scenario would last too long.
    assert_eq!((number("every"), number("fps")), (11.0, 12.0));
    assert!(number("film_seconds") > 1.3 && number("film_seconds") < 3.5, "{summary}");
    assert!(number("tick") < 400.0 && number("agents") < 2.0, "{summary}");
    let (first, _) = &frames(&folder.path("a.gif"))[0];
    drawn(&folder, &file, "empty.png", &["--ticks", "10", "--width", "120"]);
    assert!(first.pixels.len() == Picture::read(&folder.path("empty.png")).pixels.len());
    // Explicit ticks are obeyed.
    assert_eq!(film(&["--width", "120", "--from", "0", "--ticks", "20", "--every", "10"])["frames"].as_u64(), Some(3));
    // Without a size, 640 x 480 hold a GIF.
    let summary = film(&["--from", "60", "--ticks", "60"]);
    assert_eq!((summary["width"].as_u64(), summary["height"].as_u64()), (Some(640), Some(428)));
}

#[test]
fn a_film_follows_a_crowd_in_an_open_world() {
    let folder = Folder::new("render-follow");
    let open = SMALL
        .replace("\"wrap\"", "\"open\"")
        .replace("count = 30", "count = 30\nplace = { region = \"disc\", radius = 5.0, heading = 0, speed = 9.0 }");
    let file = folder.write("open.toml", &open);
    let share = |more: &[&str]| {
        let arguments = [&["render", &file, "--force", "--json", "--ticks", "100", "--width", "160"], more].concat();
        let summary = json(&throng(&folder, &arguments).stdout);
        [0, 1].map(|axis| summary["crowd_share"][axis].as_f64().unwrap())
    };
    for file in ["a.png", "a.gif"] {
        let [wide, high] = share(&["-o", file, "--trails", "5"]);
        assert!(wide > 0.25 || high > 0.25, "{file}: {wide} x {high}");
    }
    let output = throng(&folder, &["render", &file, "-o", "b.png", "--fit", "sea"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("must be world or crowd"));
}
