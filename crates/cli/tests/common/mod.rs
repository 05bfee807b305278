//! Helpers of the tests: the program, temporary folders and a small scenario.

#![allow(dead_code, reason = "a test program uses a part")]

pub(crate) mod pictures;
#[cfg(unix)]
pub(crate) mod viewer;

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A scenario of thirty agents.
pub(crate) const SMALL: &str = r#"format = 1
[world]
dimensions = 2
size = [60.0, 40.0]
edge = "wrap"
tick = 0.05
seed = 7
[species.starling]
count = 30
behaviours = [
  { rule = "separation", radius = 3.0 },
  { rule = "alignment", radius = 8.0 },
  { rule = "cohesion", radius = 8.0, weight = 0.5 },
]
"#;

/// Nine people walk through a door to a sink.
pub(crate) const EVACUATION: &str = r#"format = 1
[world]
name = "Rooms <A> & B"
dimensions = 2
size = [20.0, 10.0]
edge = "bounce"
tick = 0.05
ticks = 1200
until = "empty"
seed = 3
[[wall]]
line = [[10.0, 0.0], [10.0, 4.0]]
[[wall]]
line = [[10.0, 6.0], [10.0, 10.0]]
[[region]]
name = "out"
centre = [18.0, 5.0]
size = [4.0, 10.0]
[[sink]]
name = "east"
region = "out"
[navigation.out]
goals = ["region:out"]
[species.person]
count = 9
radius = 0.25
max_speed = 1.3
place = { region = "box", centre = [6.0, 7.0], size = [6.0, 4.0] }
motion = { model = "collision_free_speed" }
behaviours = [{ rule = "walk_to", goals = ["out"] }]
"#;

/// A temporary folder, removed when the test ends.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates an empty folder.
    pub(crate) fn new(name: &str) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("throng-cli-{name}-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The path of one of the project's scenarios.
pub(crate) fn scenario(name: &str) -> String {
    format!("{}/../../scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

/// The program with these arguments and `folder` as its working directory.
pub(crate) fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.current_dir(&folder.0).args(arguments);
    command
}

/// Runs the program.
pub(crate) fn throng(folder: &Folder, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Parses the output of the program.
pub(crate) fn json(bytes: &[u8]) -> serde_json::Value {
    serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(bytes)))
}

/// The sorted names of the entries in the folder.
pub(crate) fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(&folder.0).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
