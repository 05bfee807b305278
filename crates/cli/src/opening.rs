//! Opening pages and pictures with the program that the desktop has for them.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Opens an address or a file if a screen is found. Errors are ignored, because its name is printed too.
pub(crate) fn open(target: &OsStr) {
    let screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ if screen => ("xdg-open", &[]),
        _ => return,
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(target).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // Waits for the process, so that it does not stay behind as a zombie.
        let _ = std::thread::Builder::new().spawn(move || child.wait());
    }
}
