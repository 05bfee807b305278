//! Tests of pictures of trajectories: positions, trails, and errors with their places.

use crate::common;

use std::fs;

use common::pictures::{Picture, drawn, frames};
use common::{Folder, SMALL, json, names, throng};

const HEAD: &str = "tick,id,species,x,y,vx,vy";

/// Returns the pixel of a point, for a trajectory with these bounds in a picture that they fill in width.
fn place(picture: &Picture, [low, high]: [[f32; 2]; 2], point: [f32; 2]) -> (usize, usize) {
    let extent = [high[0] - low[0], high[1] - low[1]];
    let margin = (extent[0] * extent[0] + extent[1] * extent[1]).sqrt() * 0.03 + 1.0;
    let scale = picture.width as f32 / (extent[0] + 2.0 * margin);
    let middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
    let x = 0.5 * picture.width as f32 + scale * (point[0] - middle[0]);
    let y = 0.5 * picture.height as f32 - scale * (point[1] - middle[1]);
    (x as usize, y as usize)
}

/// The pixels that stand out from the background.
fn seen(picture: &Picture) -> Vec<(usize, usize)> {
    let all = (0..picture.height).flat_map(|y| (0..picture.width).map(move |x| (x, y)));
    all.filter(|&(x, y)| picture.light(x, y) > 200).collect()
}

#[test]
fn agents_are_drawn_at_their_positions() {
    let folder = Folder::new("render-places");
    let bounds = [[-20.0, 5.0], [60.0, 45.0]];
    let points = [[-20.0, 5.0], [60.0, 45.0], [10.0, 30.0]];
    let mut text = format!("{HEAD}\n");
    for (id, [x, y]) in points.iter().enumerate() {
        text += &format!("7,{id}v2,crow,{x},{y},0.5,-2\n");
    }
    let file = folder.write("t.csv", &text);
    drawn(&folder, &file, "a.png", &["--width", "400", "--no-caption"]);
    let picture = Picture::read(&folder.path("a.png"));
    let places = points.map(|point| place(&picture, bounds, point));
    for (x, y) in places {
        assert!(picture.light(x, y) > 200, "no agent at {x}, {y}");
    }
    let near = |(x, y): (usize, usize)| places.iter().any(|&(a, b)| a.abs_diff(x) < 12 && b.abs_diff(y) < 12);
    let pixels = seen(&picture);
    assert!(pixels.len() > 20 && pixels.into_iter().all(near), "pixels far from every agent stand out");
}

#[test]
fn trails_connect_positions_but_not_across_the_seam() {
    let folder = Folder::new("render-jumps");
    // One agent walks to the right in large steps; the other crosses the upper edge to the lower one.
    let file = folder.write(
        "t.csv",
        &format!("{HEAD}\n0,0,a,0,20,20,0\n0,1,a,80,38,0,4\n10,0,a,20,20,20,0\n10,1,a,80,0,0,4\n20,0,a,40,20,20,0\n20,1,a,80,4,0,4\n"),
    );
    let bounds = [[0.0, 0.0], [80.0, 38.0]];
    let draw = |more: &[&str]| {
        drawn(&folder, &file, "a.png", &[&["--width", "400"], more].concat());
        Picture::read(&folder.path("a.png"))
    };
    let (plain, trailed) = (draw(&[]), draw(&["--trails", "30"]));
    let brighter = |point| {
        let (x, y) = place(&plain, bounds, point);
        trailed.light(x, y) > plain.light(x, y) + 60
    };
    assert!(brighter([30.0, 20.0]), "the last step has a trail");
    assert!(brighter([10.0, 20.0]), "the step before has a trail");
    assert!(brighter([80.0, 1.5]), "the step after the jump has a trail");
    assert!(!brighter([80.0, 20.0]), "the jump has no trail");
}

#[test]
fn the_trajectory_of_a_run_is_drawn() {
    let folder = Folder::new("render-run");
    for (dimensions, size, more) in [(2, "[60.0, 40.0]", &[][..]), (3, "[60.0, 40.0, 20.0]", &["--azimuth", "20"])] {
        let text = SMALL.replace("dimensions = 2", &format!("dimensions = {dimensions}"));
        let file = folder.write("world.toml", &text.replace("[60.0, 40.0]", size));
        let sets = ["--set", "output.trajectory={every=2}", "--ticks", "20", "--quiet"];
        assert!(throng(&folder, &[&["run", &file], &sets[..]].concat()).status.success());
        let arguments = ["render", "throng-out/world/trajectory.csv", "-o", "film.gif", "--json", "--force"];
        let more = [&["--from", "4", "--every", "4", "--width", "200", "--trails", "5"], more].concat();
        let summary = json(&throng(&folder, &[&arguments[..], &more].concat()).stdout);
        // Ticks 4, 8, 12, 16 and 20.
        assert_eq!(summary["frames"].as_u64(), Some(5), "{summary}");
        let frames = frames(&folder.path("film.gif"));
        assert!(frames.windows(2).all(|pair| pair[0].0 != pair[1].0));
    }
}

#[test]
fn rows_after_the_last_tick_change_nothing() {
    let folder = Folder::new("render-until");
    let text = format!("{HEAD}\n0,1,a,0,0,1,0\n0,2,a,40,30,0,3\n5,1,a,10,0,1,0\n5,2,a,40,45,0,3\n");
    let short = folder.write("short.csv", &text);
    let more: String = (3..60).map(|id| format!("6,{id},b,900,{id}00,80,0\n")).collect();
    let long = folder.write("long.csv", &format!("{text}{more}"));
    for more in [&["--colour", "speed"][..], &["--density"], &[]] {
        let draw = |file| drawn(&folder, file, "a.png", &[&["--ticks", "5", "--width", "200"], more].concat());
        assert_eq!(draw(&long), draw(&short), "{more:?}");
    }
}

#[test]
fn errors_name_line_and_column() {
    let folder = Folder::new("render-wrong");
    let long = "7".repeat(70_000);
    for (text, place, reason) in [
        ("", "1:1", "the table is empty"),
        ("HEAD\n", "", "holds no agents"),
        ("HEAD\n0,1,a,0,0,1\n", "2:12", "there must be 7 numbers and names"),
        ("HEAD\n0,1,a,0,0,1,0,4\n", "2:15", "there must be no more than 7"),
        ("HEAD\n0,1,a,0,0,1,0,\n", "2:15", "there must be no more than 7"),
        ("HEAD\n0,1,a,0,0,1,0\n-1,1,a,0,0,1,0\n", "3:1", "tick must be"),
        ("HEAD\n5,1,a,0,0,1,0\n4,1,a,0,0,1,0\n", "3:1", "tick 4 must not come after tick 5"),
        ("HEAD\n0,x,a,0,0,1,0\n", "2:3", "id must be"),
        ("HEAD\n0,1,,0,0,1,0\n", "2:5", "species must be"),
        ("HEAD\n0,1,a,zero,0,1,0\n", "2:7", "x must be a number"),
        ("HEAD\n0,1,a,0,NaN,1,0\n", "2:9", "y must be a number"),
        ("HEAD\n0,1,a,0,inf,1,0\n", "2:9", "y must be a number"),
        ("HEAD\n0,1,a,0,0,1e30,0\n", "2:11", "vx must be a number"),
        ("HEAD\n0,1,a,LONG,0,1,0\n", "2:1", "the line is too long"),
    ] {
        let text = text.replace("HEAD", HEAD).replace("LONG", &long);
        let file = folder.write("t.csv", &text);
        let output = throng(&folder, &["render", &file, "-o", "a.png"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        let expected = format!("error: {file}:{place}{}{reason}", if place.is_empty() { " " } else { ": " });
        assert!(message.starts_with(&expected), "{message} is not {expected}");
        assert_eq!(message.lines().count(), 1);
    }
    fs::write(folder.path("t.csv"), [HEAD.as_bytes(), b"\n0,1,\xff,0,0,1,0\n"].concat()).unwrap();
    let output = throng(&folder, &["render", "t.csv", "-o", "a.png"]);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: t.csv:2:5: is not UTF-8\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(names(&folder), ["t.csv"]);
}

#[test]
fn unusual_trajectories_are_drawn() {
    let folder = Folder::new("render-odd");
    for text in [
        // One agent at rest; CRLF line ends; a last line without an end.
        "HEAD\n0,1,a,5,5,0,0\n",
        "HEAD\r\n0,1,a,5,5,0,0\r\n1,1,a,5,5,0,0",
        // An empty line.
        "HEAD\n0,1,a,5,5,0,0\n\n1,1,a,6,6,0,0\n",
        // An agent that changes its species, and distant coordinates.
        "HEAD\n0,1,a,1e9,-1e9,1e9,1e9\n0,2,a,-1e9,1e9,0,0\n1,1,b,0,0,0,0\n",
        "tick,id,species,x,y,z,vx,vy,vz\n0,1,a,0,0,0,0,0,0\n18446744073709551615,1,a,1,1,1,0,0,0\n",
    ] {
        let file = folder.write("t.csv", &text.replace("HEAD", HEAD));
        for more in [&["--trails", "4"][..], &["--density"], &["--colour", "neighbours"], &["--colour", "speed"]] {
            drawn(&folder, &file, "a.gif", &[&["--width", "64", "--height", "48"], more].concat());
            assert!(!frames(&folder.path("a.gif")).is_empty());
        }
    }
}
