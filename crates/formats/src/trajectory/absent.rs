//! The database of trajectories in a build without SQLite: it cannot be opened.

use std::convert::Infallible;
use std::io;
use std::path::Path;

use crate::NO_SQLITE;
use crate::trajectory::{Frame, Heading};

/// A database of trajectories: none in this build, which has not the feature `sqlite`.
#[derive(Debug)]
pub struct Database(Infallible);

#[expect(clippy::missing_errors_doc, reason = "this build has no database")]
impl Database {
    /// Always fails.
    pub fn create(_: &Path, _: &Heading) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, NO_SQLITE))
    }

    /// Always fails.
    pub fn resume(path: &Path, heading: &Heading, _: Option<u64>) -> io::Result<Self> {
        Self::create(path, heading)
    }

    /// Always fails.
    pub fn check(_: &Path, _: u64, _: Option<u64>) -> Result<(), String> {
        Err(NO_SQLITE.to_owned())
    }

    /// Never called: nothing makes a database.
    #[must_use]
    pub fn written(&self) -> Option<u64> {
        match self.0 {}
    }

    /// Never called: nothing makes a database.
    pub fn write(&mut self, _: &Frame) -> io::Result<()> {
        match self.0 {}
    }

    /// Never called: nothing makes a database.
    pub fn mark(&mut self) -> io::Result<()> {
        match self.0 {}
    }

    /// Never called: nothing makes a database.
    pub fn finish(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}
