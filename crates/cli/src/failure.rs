//! Failures of the program: their messages and exit codes.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use throng::Error;
use throng_scenario::{BuildError, Location, Problems, printable, shown};

use crate::terminal::error;

/// The reason for an exit code other than zero.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The program panicked.
    Bug,
    /// The scenario is wrong.
    Problems(Problems),
    /// Another part of the request is invalid.
    Input(String),
    /// The result differs from the expected one.
    Unexpected(String),
    /// The request exceeds the limits of this machine.
    Limit(String),
    /// An output could not be written.
    Write(String),
    /// A checkpoint cannot be used.
    Checkpoint(String),
    /// A step failed: a rule panicked.
    Step(Error),
    /// Another rank failed.
    Rank(String),
    /// A signal ended the run.
    Signal(u8),
}

impl Failure {
    pub(crate) fn write(path: &Path, error: &io::Error) -> Self {
        Self::Write(format!("{}: cannot be written: {error}", shown(&path)))
    }

    /// The failure of a picture or film that is written to `path`.
    pub(crate) fn draw(path: &Path, error: throng_draw::Error) -> Self {
        match error {
            throng_draw::Error::Io(error) => Self::write(path, &error),
            throng_draw::Error::Encoding(reason) | throng_draw::Error::Ffmpeg(reason) => {
                Self::Write(format!("{}: {reason}", shown(&path)))
            }
            other => Self::Input(format!("{}: {other}", shown(&path))),
        }
    }

    pub(crate) fn threads(error: impl Display) -> Self {
        Self::Limit(format!("the threads cannot be started: {error}"))
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Bug | Self::Step(_) => 1,
            Self::Problems(_) | Self::Input(_) => 2,
            Self::Unexpected(_) => 3,
            Self::Limit(_) => 4,
            Self::Write(_) => 5,
            Self::Checkpoint(_) => 6,
            Self::Rank(_) => 7,
            Self::Signal(number) => 128 + number,
        }
    }

    /// Prints the message to the standard error.
    pub(crate) fn report(&self) {
        match self {
            Self::Problems(problems) => {
                let text = problems.to_string();
                let mut places = problems.list().iter().map(|problem| &problem.place);
                for line in text.lines() {
                    error(line);
                    excerpt(problems.file(), places.next());
                }
            }
            Self::Signal(_) => {}
            other => error(&other.to_string()),
        }
    }
}

/// Shows the line of a problem with a mark under its place, on a terminal. Programs read only the messages.
fn excerpt(file: &str, place: Option<&Location>) {
    let Some(Location::Text { line, column }) = place else { return };
    // A pipe has been read already.
    let text = if Path::new(file).is_file() { fs::read_to_string(file).unwrap_or_default() } else { String::new() };
    let shown = text.lines().nth(line.saturating_sub(1)).map(|line| line.trim_end().to_owned());
    // A line that is longer than the terminal would move the mark.
    if let Some(shown) =
        shown.filter(|shown| io::stderr().is_terminal() && shown.chars().count() < 72 && !shown.contains('\t'))
    {
        let mark = " ".repeat(column.saturating_sub(1));
        let _ = writeln!(
            anstream::stderr().lock(),
            "\x1b[2m{line:>5} |\x1b[0m {}\n      \x1b[2m|\x1b[0m {mark}\x1b[1;31m^\x1b[0m",
            printable(&shown)
        );
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bug => {
                formatter.write_str("this is a bug in throng: please report it with the command and the lines above")
            }
            Self::Problems(problems) => problems.fmt(formatter),
            Self::Step(failed) => failed.fmt(formatter),
            Self::Input(text)
            | Self::Unexpected(text)
            | Self::Limit(text)
            | Self::Write(text)
            | Self::Checkpoint(text)
            | Self::Rank(text) => formatter.write_str(text),
            Self::Signal(number) => write!(formatter, "signal {number}"),
        }
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Self::Problems(problems)
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Agents(_) | BuildError::Species(_) | BuildError::Rules(_) | BuildError::Memory { .. } => {
                Self::Limit(error.to_string())
            }
            other => Self::Input(other.to_string()),
        }
    }
}
