//! `--watch`: a command that is repeated whenever a file is saved.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use throng_scenario::shown;

use crate::failure::Failure;
use crate::find;

/// The time between two looks at the file.
const INTERVAL: Duration = Duration::from_millis(200);

/// A file that is watched.
#[derive(Debug)]
pub(crate) struct Watch {
    file: PathBuf,
    /// When it was saved, and its length, at the last look.
    seen: Option<(SystemTime, u64)>,
    looked: Instant,
    /// Whether it was saved, and that was not noted yet.
    saved: bool,
}

impl Watch {
    /// Watches the file that a scenario is in.
    ///
    /// # Errors
    ///
    /// Fails if the scenario is in no file.
    pub(crate) fn start(name: &Path) -> Result<Self, Failure> {
        let file = find::file(name).filter(|_| name != Path::new("-"));
        let file = file.ok_or_else(|| Failure::Input(format!("--watch: {} is not a file", shown(&name))))?;
        Ok(Self { seen: state(&file), file, looked: Instant::now(), saved: false })
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Whether the file was saved since [`Self::take`]. Looks at most a few times per second.
    pub(crate) fn was_saved(&mut self) -> bool {
        if self.looked.elapsed() >= INTERVAL {
            self.looked = Instant::now();
            let state = state(&self.file);
            // An editor may remove the file for a moment.
            self.saved |= state.is_some() && state != self.seen;
            self.seen = state.or(self.seen);
        }
        self.saved
    }

    /// Takes note of a file that was saved.
    pub(crate) fn take(&mut self) -> bool {
        std::mem::take(&mut self.saved)
    }
}

fn state(file: &Path) -> Option<(SystemTime, u64)> {
    let data = std::fs::metadata(file).ok()?;
    Some((data.modified().ok()?, data.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_saved_is_noticed_once() {
        let path = std::env::temp_dir().join(format!("throng-watch-{}.toml", std::process::id()));
        std::fs::write(&path, "format = 1").unwrap();
        let mut watch = Watch::start(&path).unwrap();
        std::thread::sleep(2 * INTERVAL);
        assert!(!watch.was_saved());
        std::fs::write(&path, "format = 1 # saved").unwrap();
        std::thread::sleep(2 * INTERVAL);
        assert!(watch.was_saved() && watch.was_saved() && watch.take());
        std::fs::remove_file(&path).unwrap();
        std::thread::sleep(2 * INTERVAL);
        assert!(!watch.was_saved(), "a file that is gone was not saved");
        assert!(Watch::start(Path::new("-")).is_err() && Watch::start(Path::new("hunt")).is_err());
    }
}
