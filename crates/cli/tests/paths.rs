//! Tests of the files of commands: no output replaces another one or an input, and names of files are printed escaped.

use crate::common;

use std::fs;

use common::{Folder, SMALL, json, throng};

/// The message of a command that is refused.
fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let output = throng(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn no_output_replaces_another_one_or_an_input() {
    let folder = Folder::new("paths");
    folder.write("small.toml", SMALL);
    folder.write("tracks.csv", "tick,id,species,x,y,vx,vy\n0,1,starling,1,2,0,0\n");
    folder.write("placed.toml", &SMALL.replace("count = 30", "place = { file = \"o/trajectory.csv\", tick = 0 }"));
    let run = ["run", "small.toml", "--ticks", "2", "-q", "-o", "o", "--force", "--set", "output.trajectory={every=1}"];
    assert!(throng(&folder, &run).status.success());
    let before = |name: &str| fs::read(folder.path(name)).unwrap();
    let files = ["small.toml", "o/summary.json", "o/picture.png", "o/trajectory.csv", "tracks.csv", "placed.toml"];
    let contents = files.map(before);
    let run = |more: &[&'static str]| [&["run", "small.toml", "--ticks", "1", "-o", "o", "--force"], more].concat();
    for (arguments, both) in [
        (run(&["--record", "o/picture.png"]), ["--record", "picture.png of the results"]),
        (run(&["--record", "./o/../o/measures.svg"]), ["--record", "measures.svg of the results"]),
        (run(&["--record", "o/checkpoints/000000000001.ckpt"]), ["--record", "the folder of checkpoints"]),
        (run(&["--record", "small.toml"]), ["--record", "the scenario"]),
        (run(&["--record", "o"]), ["--record", "is a folder"]),
        (run(&["--trajectory", "o/trajectory.csv"]), ["--trajectory", "trajectory.csv of the results"]),
        (run(&["--trajectory", "a.csv", "--trajectory", "./a.csv"]), ["--trajectory", "--trajectory (./a.csv)"]),
        (run(&["--trajectory", "a.csv", "--measures", "a.csv"]), ["--trajectory", "--measures"]),
        (run(&["--trace", "t", "--record", "t/values.bin"]), ["--record", "values.bin of --trace"]),
        (vec!["run", "placed.toml", "-o", "o", "--force"], ["trajectory.csv of the results", "a file of the scenario"]),
        (vec!["run", "--again", "o", "-o", "o", "--force"], ["summary.json of the results", "the run to repeat"]),
        (vec!["report", "o", "-o", "o/summary.json", "--force"], ["--output", "the summary"]),
        (vec!["report", "o", "-o", "o/picture.png", "--force"], ["--output", "picture.png of the results"]),
        (
            vec!["sweep", "placed.toml", "--ticks", "1", "--from", "0", "-o", "o/trajectory.csv", "--force"],
            ["--output", "a file of the scenario"],
        ),
        (
            vec![
                "fit",
                "small.toml",
                "--to",
                "tracks.csv",
                "-o",
                "small.toml",
                "--vary",
                "world.tick=0.01..1",
                "--force",
            ],
            ["--output", "the scenario"],
        ),
        (vec!["new", "--from", "small.toml", "--force"], ["the new scenario", "the scenario to copy"]),
    ] {
        let said = refused(&folder, &arguments);
        assert!(both.iter().all(|part| said.contains(part)), "{arguments:?}: {said}");
    }
    assert!(files.map(before) == contents, "a refused command has changed a file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path("o"), folder.path("link")).unwrap();
        let said = refused(&folder, &run(&["--record", "link/picture.png"]));
        assert!(said.contains("picture.png of the results (o/picture.png)"), "{said}");
    }
    // Files that differ are written all at once.
    let apart = run(&["-q", "--record", "o/run.recording", "--trajectory", "o/a.csv", "--trace", "o"]);
    assert!(throng(&folder, &apart).status.success());
}

/// A name that retitles a terminal, forges a line and turns the direction of writing.
#[cfg(unix)]
#[test]
fn names_of_files_are_printed_without_what_a_terminal_obeys() {
    const EVIL: &str = "y\u{1b}]0;pwned\u{7}\nforged \u{9b}31m\u{202e}";
    let folder = Folder::new("printed");
    let (file, picture) = (format!("{EVIL}.toml"), format!("{EVIL}.png"));
    folder.write(&file, SMALL);
    let out = format!("{EVIL}-out");
    for arguments in [
        &["list"][..],
        &["list", "."],
        &["check", &file],
        &["run", &file, "--ticks", "1", "-o", &out],
        &["run", &file, "--ticks", "1", "-o", "b", "--json"],
        &["render", &file, "-o", &picture, "--ticks", "1", "--width", "64"],
        &["render", &file, "-o", &picture, "--ticks", "1", "--width", "64", "--force", "--json"],
        &["sweep", &file, "--ticks", "1", "--from", "0", "-o", "t.csv", "--json"],
        &["report", &out, "--json"],
        &["man", &out],
        &["verify", &out, &out],
    ] {
        let output = throng(&folder, arguments);
        for text in [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()) {
            let raw = text.chars().find(|&letter| letter != '\n' && (letter.is_control() || letter == '\u{202e}'));
            assert!(raw.is_none() && !text.lines().any(|line| line.starts_with("forged")), "{arguments:?}: {text:?}");
        }
    }
    // What a program reads is the name itself.
    let output =
        throng(&folder, &["render", &file, "-o", &picture, "--ticks", "1", "--width", "64", "--force", "--json"]);
    assert_eq!(json(&output.stdout)["file"].as_str(), Some(&picture[..]));
}
