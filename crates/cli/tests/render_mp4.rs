//! Tests of MP4 films: encoding by ffmpeg, failures of ffmpeg, and signals.

#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::pictures::frames;
use common::{Folder, SMALL, names};

/// Whether ffmpeg with libx264 is installed; prints a note if not.
fn ffmpeg() -> bool {
    let found = Command::new("ffmpeg").args(["-hide_banner", "-encoders"]).output();
    let found = found.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("libx264"));
    if !found {
        println!("not tested: ffmpeg with libx264 is not installed");
    }
    found
}

fn render(folder: &Folder, file: &str, more: &[&str]) -> Command {
    let small = folder.write("small.toml", SMALL);
    common::command(folder, &[&["render", &small, "-o", file, "--width", "160", "--height", "90"], more].concat())
}

#[test]
fn a_film_has_every_frame() {
    if !ffmpeg() {
        return;
    }
    let folder = Folder::new("render-mp4");
    let output = render(&folder, "film.mp4", &["--ticks", "19", "--quiet"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(names(&folder), ["film.mp4", "small.toml"]);
    let film = folder.path("film.mp4");
    let mut raw = Command::new("ffmpeg");
    raw.args(["-loglevel", "error", "-i"]).arg(film);
    let raw = raw.args(["-f", "rawvideo", "-pix_fmt", "gray", "-"]).output().unwrap();
    assert!(raw.stderr.is_empty(), "{}", String::from_utf8_lossy(&raw.stderr));
    let frames: Vec<&[u8]> = raw.stdout.chunks(160 * 90).collect();
    assert_eq!((frames.len(), raw.stdout.len()), (20, 20 * 160 * 90));
    assert!(frames.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn without_ffmpeg_the_error_names_the_package() {
    let folder = Folder::new("render-none");
    let output = render(&folder, "film.mp4", &["--ticks", "3"]).env("PATH", folder.path("empty")).output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    let text = String::from_utf8(output.stderr).unwrap();
    let expected = "error: film.mp4: ffmpeg, which encodes MP4 films, is not on the PATH: install the package ffmpeg";
    assert!(text.starts_with(expected) && text.lines().count() == 1, "{text}");
    assert_eq!(names(&folder), ["small.toml"]);
}

#[test]
fn an_error_of_ffmpeg_is_reported_and_no_file_is_left() {
    let folder = Folder::new("render-fails");
    let frame = 160 * 90 * 3;
    let half = r#"for file; do :; done; echo a film >"${file#file:}""#;
    for (ticks, script, reason) in [
        (
            "400",
            format!("head -c {frame} >/dev/null; echo first >&2; echo 'No space left' >&2; exit 1"),
            "No space left",
        ),
        ("400", "cat >/dev/null; echo 'Unknown encoder' >&2; exit 8".to_owned(), "Unknown encoder"),
        ("400", "exit 3".to_owned(), "it ended early (exit status: 3)"),
        ("400", "exit 0".to_owned(), "it ended before the film"),
        // Few enough frames that the failure shows only at the end.
        ("2", half.to_owned(), "it ended before the film"),
        ("0", "cat >/dev/null".to_owned(), "it wrote nothing"),
    ] {
        fs::create_dir_all(folder.path("bin")).unwrap();
        let program = folder.path("bin/ffmpeg");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", folder.path("bin").to_string_lossy(), std::env::var("PATH").unwrap());
        let output = render(&folder, "film.mp4", &["--ticks", ticks]).env("PATH", path).output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text, format!("error: film.mp4: ffmpeg: {reason}\n"));
        assert_eq!(names(&folder), ["bin", "small.toml"]);
    }
}

#[test]
fn a_signal_keeps_what_is_drawn() {
    for (file, needed) in [("film.gif", true), ("film.mp4", ffmpeg())] {
        for (signal, code) in [("INT", 130), ("TERM", 143)] {
            if !needed {
                continue;
            }
            let folder = Folder::new(&format!("render-{signal}-{file}"));
            let mut command = render(&folder, file, &["--ticks", "900000", "--every", "1"]);
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let start = Instant::now();
            // The program handles signals before it creates the file.
            while names(&folder).len() < 2 {
                assert!(start.elapsed() < Duration::from_secs(60), "the film does not start");
                sleep(Duration::from_millis(10));
            }
            // A GIF grows with its frames, an MP4 is written at its end.
            let length = || {
                let files = fs::read_dir(folder.path(".")).unwrap().flatten();
                let films = files.filter(|file| file.file_name() != "small.toml");
                films.filter_map(|film| film.metadata().ok()).map(|film| film.len()).sum::<u64>()
            };
            while file == "film.gif" && length() == 0 {
                assert!(start.elapsed() < Duration::from_secs(60), "the film does not grow");
                sleep(Duration::from_millis(10));
            }
            sleep(Duration::from_millis(if file == "film.gif" { 50 } else { 2000 }));
            let kill = format!("kill -{signal} {}", child.id());
            assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{output:?}");
            let text = String::from_utf8(output.stdout).unwrap();
            let first = text.lines().next().unwrap();
            assert!(first.starts_with("interrupted: ") && first.ends_with(&format!(" in {file}")), "{text}");
            assert!(output.stderr.is_empty());
            assert_eq!(names(&folder), [file, "small.toml"]);
            if file == "film.gif" {
                let shown = frames(&folder.path(file)).len();
                let frames = if shown == 1 { "1 frame".to_owned() } else { format!("{shown} frames") };
                assert_eq!(first, format!("interrupted: {frames} in {file}"));
            }
        }
    }
}
