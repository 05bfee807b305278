//! A trajectory as a file: a stream of bytes, or a database.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use throng_formats::trajectory::{Database, Encoder, Frame, Heading, TrajectoryFormat};
use throng_scenario::shown;

use crate::atomic_file::{AtomicFile, compare, present};
use crate::failure::Failure;
use crate::summed::Extent;

/// A file in progress.
#[derive(Debug)]
pub(super) struct Sink {
    path: PathBuf,
    file: AtomicFile,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Bytes, and the ends of frames that may not be in the file yet, with their ticks.
    Stream(Box<dyn Encoder>, VecDeque<(u64, u64)>),
    /// Tables, and their part of a checkpoint.
    Tables(Box<Database>, Described),
}

/// The part of a checkpoint for a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum SinkState {
    Stream { extent: Extent, encoder: Vec<u8> },
    Tables(Described),
}

/// How far the tables of a database are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Described {
    every: u64,
    last: Option<u64>,
}

impl Sink {
    /// Starts a file in the format of its ending.
    pub(super) fn start(named: PathBuf, heading: &Heading) -> Result<Self, Failure> {
        let format = format(&named)?;
        let path = format.file(&named);
        let fail = |error: io::Error| failure(&path, &error);
        let mut file = AtomicFile::start(path.clone())?;
        let kind = match format.encoder(&named, heading).map_err(fail)? {
            Some(mut encoder) => {
                encoder.start(&mut file).map_err(fail)?;
                Kind::Stream(encoder, VecDeque::new())
            }
            None => {
                let database = Database::create(file.temporary(), heading).map_err(fail)?;
                Kind::Tables(Box::new(database), Described { every: heading.every, last: None })
            }
        };
        Ok(Self { path, file, kind })
    }

    /// Continues a file of this state.
    pub(super) fn resume(named: PathBuf, heading: &Heading, state: &SinkState) -> Result<Self, Failure> {
        let format = format(&named)?;
        let path = format.file(&named);
        let fail = |error: io::Error| failure(&path, &error);
        let (file, kind) = match (state, format.encoder(&named, heading).map_err(fail)?) {
            (SinkState::Stream { extent, encoder: state }, Some(mut encoder)) => {
                encoder.resume(state).map_err(fail)?;
                (AtomicFile::resume(path.clone(), *extent)?, Kind::Stream(encoder, VecDeque::new()))
            }
            (SinkState::Tables(described), None) => {
                let file = AtomicFile::reopen(path.clone())?;
                let database = Database::resume(file.temporary(), heading, described.last).map_err(fail)?;
                (file, Kind::Tables(Box::new(database), described.clone()))
            }
            _ => return Err(Failure::Checkpoint(format!("{}: is of another format", shown(&path)))),
        };
        Ok(Self { path, file, kind })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn write(&mut self, frame: &Frame) -> Result<(), Failure> {
        let written = match &mut self.kind {
            Kind::Stream(encoder, ends) => {
                let written = encoder.write(frame, &mut self.file);
                if let (Ok(()), Some(tick)) = (&written, encoder.written()) {
                    ends.push_back((self.file.position(), tick));
                    while ends.get(1).is_some_and(|(end, _)| *end <= self.file.on_disk()) {
                        ends.pop_front();
                    }
                }
                written
            }
            Kind::Tables(database, _) => database.write(frame),
        };
        written.map_err(|error| failure(&self.path, &error))
    }

    /// Makes all frames durable.
    pub(super) fn mark(&mut self) -> Result<SinkState, Failure> {
        let fail = |error: io::Error| failure(&self.path, &error);
        match &mut self.kind {
            Kind::Stream(encoder, ends) => {
                let state = encoder.mark(&mut self.file).map_err(fail)?;
                let extent = self.file.mark()?;
                ends.clear();
                ends.extend(encoder.written().map(|tick| (extent.length, tick)));
                Ok(SinkState::Stream { extent, encoder: state })
            }
            Kind::Tables(database, described) => {
                database.mark().map_err(fail)?;
                self.file.mark()?;
                described.last = database.written();
                Ok(SinkState::Tables(described.clone()))
            }
        }
    }

    /// Gives the complete file its final name. Returns its extent, unless it is a database.
    pub(super) fn keep(mut self) -> Result<Option<Extent>, Failure> {
        match self.kind {
            Kind::Stream(ref mut encoder, _) => {
                if let Err(error) = encoder.finish(&mut self.file).and_then(|()| self.file.flush()) {
                    let fail = failure(&self.path, &error);
                    return Err(self.end_after(fail));
                }
                self.file.complete().map(Some)
            }
            Kind::Tables(ref mut database, _) => {
                if let Err(error) = database.finish() {
                    let fail = failure(&self.path, &error);
                    return Err(self.end_after(fail));
                }
                drop(self.kind);
                self.file.keep().map(|()| None)
            }
        }
    }

    /// Ends the file after a failure, which is returned with the last tick of the file.
    pub(super) fn end_after(self, failure: Failure) -> Failure {
        match (failure, self.end()) {
            (Failure::Write(text), Some(tick)) => Failure::Write(format!("{text}; it has the ticks up to {tick}")),
            (failure, _) => failure,
        }
    }

    /// Cuts the file after its last whole frame, and gives it its final name. Returns the tick of that frame; a file
    /// without one is dropped.
    pub(super) fn end(mut self) -> Option<u64> {
        match self.kind {
            Kind::Stream(mut encoder, ends) => {
                let whole: Vec<(u64, u64)> = ends.into_iter().filter(|(end, _)| *end <= self.file.on_disk()).collect();
                for (end, tick) in whole.into_iter().rev() {
                    encoder.cut(end);
                    let cut = self.file.cut(end).and_then(|()| encoder.finish(&mut self.file));
                    if cut.and_then(|()| self.file.flush()).is_ok() {
                        return self.file.keep().ok().map(|()| tick);
                    }
                }
                None
            }
            Kind::Tables(database, _) => {
                let tick = database.written()?;
                drop(database);
                self.file.keep().ok().map(|()| tick)
            }
        }
    }
}

impl SinkState {
    /// Compares the file of this name with the state.
    pub(crate) fn compare(&self, named: &Path) -> Result<(), String> {
        let path = TrajectoryFormat::of(named).map_or(named.to_owned(), |format| format.file(named));
        match self {
            Self::Stream { extent, .. } => compare(&path, *extent),
            Self::Tables(Described { every, last }) => {
                let present = present(&path);
                let wrong = |reason| format!("{} {reason}", shown(&present));
                Database::check(&present, *every, *last).map_err(wrong)
            }
        }
    }
}

fn format(named: &Path) -> Result<TrajectoryFormat, Failure> {
    let unknown = || Failure::Input(format!("{}: is not a trajectory", shown(&named)));
    TrajectoryFormat::of(named).ok_or_else(unknown)
}

/// The failure of a file: of the request if the format cannot hold the world, else of writing.
fn failure(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => {
            Failure::Input(format!("{}: {error}", shown(&path)))
        }
        io::ErrorKind::InvalidData => Failure::Checkpoint(format!("{}: {error}", shown(&path))),
        _ => Failure::write(path, error),
    }
}
