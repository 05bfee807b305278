//! The watchdog: ends the run when the other ranks keep this one waiting, and names its last checkpoint.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::consts::SIGTERM;

/// The exit code of a run that lost a rank.
const LOST: i32 = 7;

/// The time between two looks at the clock.
const PAUSE: Duration = Duration::from_millis(200);

/// Since when this rank has waited for the others.
type Since = Mutex<Option<Instant>>;

/// The watchdog of a rank.
pub(crate) struct Watch(Arc<Since>);

/// A call that waits for the other ranks.
pub(crate) struct Waiting<'a>(&'a Since);

impl Watch {
    /// Starts a watchdog that allows calls of this length.
    pub(crate) fn start(longest: Duration) -> Self {
        let (since, ended) = (Arc::new(Since::default()), Arc::new(AtomicBool::new(false)));
        // Without the signal, the end of another rank is reported by `mpirun` alone.
        let _ = signal_hook::flag::register(SIGTERM, Arc::clone(&ended));
        let watched = Arc::clone(&since);
        std::thread::spawn(move || watch(&watched, longest, &ended));
        Self(since)
    }

    /// Watches a call until the result is dropped.
    pub(crate) fn wait(&self) -> Waiting<'_> {
        *lock(&self.0) = Some(Instant::now());
        Waiting(&self.0)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        *lock(self.0) = None;
    }
}

fn lock(since: &Since) -> MutexGuard<'_, Option<Instant>> {
    since.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch(since: &Since, longest: Duration, ended: &AtomicBool) {
    let mut is_reported = false;
    loop {
        std::thread::sleep(PAUSE);
        let Some(waited) = lock(since).map(|since| since.elapsed()) else { continue };
        // `mpirun` ends all ranks when it loses one.
        if ended.load(Relaxed) && waited > PAUSE && !is_reported {
            is_reported = true;
            eprintln!("error: the run ends while this rank waits for another one; {}", last_checkpoint());
        }
        if waited > longest {
            let seconds = longest.as_secs_f64();
            eprintln!("error: another rank has not answered for {seconds} s; {}", last_checkpoint());
            std::process::exit(LOST);
        }
    }
}

fn last_checkpoint() -> String {
    let path = throng_cli::last_checkpoint();
    path.map_or("no checkpoint has been written".to_owned(), |path| format!("the last checkpoint is {path:?}"))
}
