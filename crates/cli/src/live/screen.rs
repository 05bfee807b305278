//! The terminal: another screen without an echo of keys, which is given back however the program ends.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::failure::Failure;
use crate::signals::Signals;

/// The other screen without a cursor, and the way back.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[2J";
const LEAVE: &str = "\x1b[0m\x1b[?25h\x1b[?1049l";

/// A key with a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Pause,
    Faster,
    Slower,
    Quit,
}

/// The terminal while it is taken over.
#[derive(Debug)]
pub(super) struct Screen {
    taken: Arc<Mutex<Taken>>,
    has_keys: bool,
    colours: bool,
    size: usize,
}

/// The state that must be restored.
#[derive(Debug)]
struct Taken {
    given_back: bool,
    keys: Option<keys::Mode>,
}

impl Taken {
    /// Gives the terminal back, once.
    fn give_back(&mut self) {
        if !std::mem::replace(&mut self.given_back, true) {
            let mut out = io::stdout().lock();
            // Nothing can be done about a terminal that is gone.
            let _ = out.write_all(LEAVE.as_bytes()).and_then(|()| out.flush());
            drop(self.keys.take());
        }
    }
}

impl Screen {
    pub(super) fn open(signals: &Signals) -> Result<Self, Failure> {
        let keys = keys::Mode::start();
        let has_keys = keys.is_some();
        let taken = Arc::new(Mutex::new(Taken { given_back: false, keys }));
        let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let screen = Self { taken, has_keys, colours, size: 0 };
        write(ENTER)?;
        // A tick can take long, and a second signal ends the program at once: the terminal is given back before that.
        let (taken, signals) = (Arc::clone(&screen.taken), signals.clone());
        let watch = move || {
            while !lock(&taken).given_back {
                if signals.received().is_some() {
                    lock(&taken).give_back();
                }
                thread::sleep(Duration::from_millis(20));
            }
        };
        thread::Builder::new().name("terminal".into()).spawn(watch).map_err(Failure::threads)?;
        Ok(screen)
    }

    pub(super) fn has_keys(&self) -> bool {
        self.has_keys
    }

    /// Whether colours are wanted.
    pub(super) fn colours(&self) -> bool {
        self.colours
    }

    /// The next key with a meaning that was pressed.
    pub(super) fn key(&self) -> Option<Key> {
        if !self.has_keys {
            return None;
        }
        loop {
            match keys::read()? {
                b' ' => return Some(Key::Pause),
                b'+' | b'=' => return Some(Key::Faster),
                b'-' | b'_' => return Some(Key::Slower),
                b'q' | b'Q' => return Some(Key::Quit),
                _ => {}
            }
        }
    }

    /// Shows the lines of a picture, and a line of text below.
    pub(super) fn show(&mut self, picture: &[String], status: &str, columns: usize) -> Result<(), Failure> {
        let mut text = String::new();
        // A terminal of another size keeps rests of the last picture.
        let size = columns << 16 | picture.len();
        text += if std::mem::replace(&mut self.size, size) == size { "\x1b[H" } else { "\x1b[2J\x1b[H" };
        for line in picture {
            text += line;
            text += "\x1b[K\r\n";
        }
        let status: String = status.chars().take(columns).collect();
        let (on, off) = if self.colours { ("\x1b[7m", "\x1b[0m") } else { ("", "") };
        text += &format!("{on}{status:<columns$}{off}");
        let taken = lock(&self.taken);
        if taken.given_back { Ok(()) } else { write(&text) }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        lock(&self.taken).give_back();
    }
}

fn lock(taken: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes to the terminal. A terminal that is gone ends the program by a signal.
fn write(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Failure::Write(format!("the terminal: {error}")))
}

/// The columns and rows of the terminal.
pub(super) fn size() -> (usize, usize) {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map_or((80, 24), |(columns, rows)| (columns.0.into(), rows.0.into()))
}

/// Keys without an echo and without waiting for the end of a line. Ctrl-C stays a signal.
#[cfg(unix)]
mod keys {
    use std::io::{self, IsTerminal};

    use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};

    /// The value of a terminal for a special key that does nothing.
    const NONE: u8 = if cfg!(target_os = "linux") { 0 } else { 0xff };

    /// The terminal's mode before, which is restored when this is dropped.
    #[derive(Debug)]
    pub(super) struct Mode(Termios);

    impl Mode {
        /// Changes the mode, if the standard input is a terminal.
        pub(super) fn start() -> Option<Self> {
            let input = io::stdin();
            if !input.is_terminal() {
                return None;
            }
            let before = tcgetattr(&input).ok()?;
            let mut raw = before.clone();
            raw.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
            for (code, value) in [
                (SpecialCodeIndex::VMIN, 0),
                (SpecialCodeIndex::VTIME, 0),
                // A program that is stopped would leave this screen behind.
                (SpecialCodeIndex::VSUSP, NONE),
            ] {
                raw.special_codes[code] = value;
            }
            tcsetattr(&input, OptionalActions::Now, &raw).ok()?;
            Some(Self(before))
        }
    }

    impl Drop for Mode {
        fn drop(&mut self) {
            // Nothing can be done about a terminal that is gone.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
        }
    }

    /// A byte that was typed, if there is one.
    pub(super) fn read() -> Option<u8> {
        let mut byte = [0];
        matches!(rustix::io::read(io::stdin(), &mut byte), Ok(1)).then_some(byte[0])
    }
}

/// No keys: Ctrl-C ends the run.
#[cfg(not(unix))]
mod keys {
    #[derive(Debug)]
    pub(super) struct Mode;

    impl Mode {
        pub(super) fn start() -> Option<Self> {
            None
        }
    }

    pub(super) fn read() -> Option<u8> {
        None
    }
}
