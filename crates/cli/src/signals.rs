//! Signals that ask the program to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::failure::Failure;

/// The number of the first signal received; zero before.
#[derive(Clone, Debug)]
pub(crate) struct Signals {
    first: Arc<AtomicUsize>,
    /// Whether the next signal ends the program at once.
    at_once: Arc<AtomicBool>,
}

impl Signals {
    /// Records Ctrl-C, SIGTERM and the end of the terminal from now on; the second of them ends the program at once.
    pub(crate) fn listen() -> Result<Self, Failure> {
        Self::register().map_err(|error| Failure::Input(format!("signals cannot be handled: {error}")))
    }

    fn register() -> io::Result<Self> {
        let (first, at_once) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        for signal in [SIGINT, SIGTERM].into_iter().chain(hangup()) {
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&at_once))?;
            flag::register_usize(signal, Arc::clone(&first), signal as usize)?;
            flag::register(signal, Arc::clone(&at_once))?;
        }
        Ok(Self { first, at_once })
    }

    /// Reads an input that may make the program wait, such as a pipe: the first signal ends it at once, as long as
    /// nothing has been written.
    pub(crate) fn while_reading<T>(&self, read: impl FnOnce() -> T) -> T {
        self.at_once.store(true, Ordering::SeqCst);
        let read = read();
        self.at_once.store(self.received().is_some(), Ordering::SeqCst);
        read
    }

    /// The number of the first signal received, if any.
    pub(crate) fn received(&self) -> Option<u8> {
        match self.first.load(Ordering::Relaxed) {
            0 => None,
            number => Some(number as u8),
        }
    }

    /// Fails if a signal was received.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.received().map_or(Ok(()), |signal| Err(Failure::Signal(signal)))
    }
}

/// The signal of a terminal that ends, unless the program was started to survive it, as by `nohup`.
#[cfg(target_os = "linux")]
fn hangup() -> Option<i32> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let ignored = u64::from_str_radix(ignored.trim(), 16).ok()?;
    let number = signal_hook::consts::SIGHUP;
    (ignored >> (number - 1) & 1 == 0).then_some(number)
}

/// Elsewhere nothing says whether it is ignored.
#[cfg(not(target_os = "linux"))]
fn hangup() -> Option<i32> {
    None
}

/// Turns the end of the program at a limit on the size of files into an error of the write, which names its file.
pub(crate) fn report_large_files() {
    #[cfg(unix)]
    // Without the handler, the program ends at the signal as before.
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}
