//! Signals that ask the program to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::failure::Failure;

/// The number of the first signal received; zero before.
#[derive(Clone, Debug)]
pub(crate) struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Records SIGINT and SIGTERM from now on; the second of them ends the program at once.
    pub(crate) fn listen() -> Result<Self, Failure> {
        Self::register().map_err(|error| Failure::Input(format!("signals cannot be handled: {error}")))
    }

    fn register() -> io::Result<Self> {
        let (first, again) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&again))?;
            flag::register_usize(signal, Arc::clone(&first), signal as usize)?;
            flag::register(signal, Arc::clone(&again))?;
        }
        Ok(Self(first))
    }

    /// The number of the first signal received, if any.
    pub(crate) fn received(&self) -> Option<u8> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            number => Some(number as u8),
        }
    }

    /// Fails if a signal was received.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.received().map_or(Ok(()), |signal| Err(Failure::Signal(signal)))
    }
}
