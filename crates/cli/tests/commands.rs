//! Tests of the small commands: `new`, `list`, `rules NAME`, `check`, `completions`, `man`, and of wrong values.

use crate::common;

use std::io::Write;
use std::process::Stdio;

use common::{Folder, SMALL, command, names, scenario, throng};

/// Runs the program; returns its exit code, its standard output and its standard error.
fn run(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = throng(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn every_template_makes_a_scenario_that_runs() {
    let folder = Folder::new("new");
    for template in ["flock", "shoal", "hunt", "crowd"] {
        let name = format!("my-{template}");
        let (code, said, error) = run(&folder, &["new", &name, "--template", template]);
        assert_eq!(code, Some(0), "{error}");
        assert!(said.contains(&format!("throng view {name}.toml")), "{said}");
        let file = format!("{name}.toml");
        let ran = run(&folder, &["run", &file, "--ticks", "5", "-q"]);
        assert_eq!(ran.0, Some(0), "{}", ran.2);
    }
    let (code, _, error) = run(&folder, &["new", "my-flock"]);
    assert!(code == Some(2) && error.contains("my-flock.toml exists"), "{error}");
    assert_eq!(run(&folder, &["new", "my-flock", "--force"]).0, Some(0));
    for name in ["../x", "two words", ""] {
        let (code, _, error) = run(&folder, &["new", name]);
        assert!(code == Some(2) && error.contains("is not a name"), "{name}: {error}");
    }

    let (code, listed, _) = run(&folder, &["list"]);
    assert_eq!(code, Some(0));
    for text in ["my-crowd.toml", "100 enter", "my-flock: a flock in a periodic plane.\n", "--template"] {
        assert!(listed.contains(text), "{text}: {listed}");
    }
}

#[test]
fn check_takes_several_files_and_the_standard_input() {
    let folder = Folder::new("check-several");
    let (good, bad) = (folder.write("good.toml", SMALL), folder.write("bad.toml", "format = 7"));
    let (code, said, error) = run(&folder, &["check", &bad, &good]);
    assert_eq!((code, said.matches("ok ").count()), (Some(2), 1), "{error}");
    assert!(error.contains("bad.toml:1:10"), "{error}");

    let mut child = command(&folder, &["check", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(SMALL.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("30 starling"));
}

#[test]
fn a_folder_in_place_of_a_file_gets_the_command_for_it() {
    let folder = Folder::new("kinds");
    folder.write("small.toml", SMALL);
    std::fs::create_dir(folder.path("studies")).unwrap();
    for command in ["run", "check", "view"] {
        let (code, _, error) = run(&folder, &[command, "studies"]);
        assert!(code == Some(2) && error.contains("studies is a folder; `throng list studies`"), "{error}");
    }
    for (wrong, expected) in
        [("small.toml", "small.toml is a file; `throng check small.toml`"), ("studeis", "no such folder; did you mean")]
    {
        let (code, _, error) = run(&folder, &["list", wrong]);
        assert!(code == Some(2) && error.contains(expected), "{error}");
    }
}

#[test]
fn wrong_names_get_suggestions() {
    let folder = Folder::new("suggestions");
    folder.write("murmuration.toml", SMALL);
    for command in ["run", "check", "view"] {
        let (code, _, error) = run(&folder, &[command, "murmuratoin.toml"]);
        assert_eq!(code, Some(2));
        assert!(
            error.contains("no such file; did you mean ./murmuration.toml?")
                || error.contains("no such file; did you mean murmuration.toml?"),
            "{command}: {error}"
        );
    }
    folder.write("trajectory.csv", "tick,id,species,x,y,vx,vy\n");
    folder.write("table.csv", "");
    for (wrong, meant) in [("rnu", "run"), ("rendr", "render"), ("chekc", "check")] {
        let (code, _, error) = run(&folder, &[wrong]);
        assert!(
            code == Some(2) && error.contains("similar subcommand") && error.contains(&format!("'{meant}'")),
            "{error}"
        );
    }
    for (arguments, meant) in [
        (vec!["run", "murmuration.tmol"], "murmuration.toml"),
        (vec!["view", "trajectroy.csv"], "trajectory.csv"),
        (vec!["render", "trajectroy.csv", "-o", "a.png"], "trajectory.csv"),
        (vec!["plot", "tabel.csv", "--x", "a", "--y", "b", "-o", "a.svg"], "table.csv"),
    ] {
        let (code, _, error) = run(&folder, &arguments);
        assert!(code == Some(2) && error.contains(&format!("did you mean {meant}?")), "{error}");
    }
    let (code, _, error) = run(&folder, &["rules", "alignmnet"]);
    assert!(code == Some(2) && error.contains("did you mean alignment?"), "{error}");
    let (code, said, _) = run(&folder, &["rules", "alignment"]);
    assert!(code == Some(0) && said.contains("alignment") && !said.contains("cohesion"), "{said}");
    assert!(said.contains(" A number in [0, 1e6] m.\n"), "{said}");
}

#[test]
fn wrong_numbers_are_refused_in_one_style() {
    let folder = Folder::new("wrong-numbers");
    let file = folder.write("small.toml", SMALL);
    for (arguments, says) in [
        (vec!["run", &file, "--ticks", "-5"], "must be a whole number, at least 0"),
        (vec!["run", &file, "--threads", "0"], "must be a whole number from 1 to"),
        (vec!["run", &file, "--seed", "-1"], "must be a whole number from 0 to"),
        (vec!["render", &file, "-o", "x.gif", "--every", "0"], "must be a whole number, at least 1"),
        (vec!["render", &file, "-o", "x.png", "--width", "-3"], "must be a whole number from 16 to 16384"),
        (vec!["render", &file, "-o", "x.png", "--zoom", "-1"], "must be a number from 0.01 to 10000"),
        (vec!["resume", ".", "--ticks", "-1"], "must be a whole number, at least 0"),
        (vec!["resume", ".", "--threads", "0"], "must be a whole number from 1 to"),
        (vec!["run", &file, "--checkpoint-every", "-1"], "must be a number of ticks from 1, or of seconds"),
        (vec!["view", &file, "--port", "70000"], "must be a whole number from 0 to 65535"),
        (vec!["view", &file, "--listen", "here"], "must be the address of this machine"),
        (vec!["plan", &file, "--scale", "-1"], "must be a number of metres from 1e-9 to 1e9"),
        (vec!["bench", "--agents", "0"], "must be a whole number from 1 to 1e15"),
        (vec!["bench", "--dimensions", "4"], "must be a whole number from 2 to 3"),
        (vec!["explain", &file, "--agent", "-1"], "unknown agent -1"),
    ] {
        let (code, _, error) = run(&folder, &arguments);
        assert!(code == Some(2) && error.contains(says), "{arguments:?}: {error}");
    }
}

#[test]
fn pictures_take_both_spellings_and_captions() {
    let folder = Folder::new("spellings");
    let file = folder.write("small.toml", SMALL);
    let common = ["--ticks", "3", "--width", "400"];
    let plain = ["render", &file, "-o", "a.png", "--colour", "speed", "--centre", "30,20", "--no-caption"];
    let other = ["render", &file, "-o", "b.png", "--color", "speed", "--center", "30,20", "--no-caption"];
    let captioned = ["render", &file, "-o", "c.png", "--colour", "speed", "--centre", "30,20"];
    for arguments in [plain.to_vec(), other.to_vec(), captioned.to_vec()] {
        let (code, said, error) = run(&folder, &[&arguments[..], &common[..]].concat());
        assert_eq!(code, Some(0), "{error}");
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("colours show the speed in m/s from "), "{said}");
    }
    let bytes = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert_eq!(bytes("a.png"), bytes("b.png"));
    assert_ne!(bytes("a.png"), bytes("c.png"));
    let runs = ["plain", "captioned"].map(|out| {
        let caption = if out == "plain" { &["--no-caption"][..] } else { &[] };
        let arguments = [&["run", &file, "--ticks", "3", "-v", "-o", out], caption].concat();
        let (code, said, error) = run(&folder, &arguments);
        assert_eq!(code, Some(0), "{error}");
        assert!(said.trim_end().ends_with("picture.png"), "{said}");
        assert!(said.contains("colours        heading (by default; output.picture changes it)\n"), "{said}");
        bytes(&format!("{out}/picture.png"))
    });
    assert_ne!(runs[0], runs[1]);
}

#[cfg(target_os = "linux")]
#[test]
fn pictures_are_opened_on_request() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new("open");
    let file = folder.write("small.toml", SMALL);
    let opener = folder.write("xdg-open", "#!/bin/sh\necho \"$1\" > opened.new && mv opened.new opened\n");
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", folder.path(".").to_string_lossy());
    for (arguments, picture) in [
        (vec!["run", &file, "--ticks", "2", "--open"], "throng-out/small/picture.png"),
        (vec!["render", &file, "--ticks", "2", "-o", "a.png", "--open"], "a.png"),
    ] {
        let output = command(&folder, &arguments).env("PATH", &path).env("DISPLAY", ":0").output().unwrap();
        assert!(output.status.success() && !output.stdout.contains(&0x1b), "{output:?}");
        let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while !folder.path("opened").exists() && std::time::Instant::now() < end {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert_eq!(std::fs::read_to_string(folder.path("opened")).unwrap().trim(), picture);
        std::fs::remove_file(folder.path("opened")).unwrap();
    }
}

#[test]
fn shells_and_man_get_the_command_line() {
    let folder = Folder::new("shells");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, script, _) = run(&folder, &["completions", shell]);
        assert!(code == Some(0) && script.contains("expect-hash"), "{shell}");
    }
    assert_eq!(run(&folder, &["man", "pages"]).0, Some(0));
    let pages: Vec<_> = std::fs::read_dir(folder.path("pages")).unwrap().collect();
    assert!(pages.len() > 12, "{}", pages.len());
    assert!(names(&folder).contains(&"pages".to_owned()));
}

#[test]
fn silent_rules_are_named_by_explain() {
    let folder = Folder::new("silent");
    let (code, said, error) = run(&folder, &["explain", &scenario("hunt"), "--agent", "0"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(said.contains("silent in this state"), "{said}");
}
