//! The thread that writes a trajectory while the run continues.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use throng_formats::trajectory::Frame;
use throng_scenario::shown;

use super::sink::{Sink, SinkState};
use crate::failure::Failure;
use crate::summed::Extent;

/// The number of frames that wait while one is written; then the run waits.
const WAITING: usize = 1;

/// A request to the thread.
enum Request {
    Write(Arc<Frame>),
    Mark(SyncSender<SinkState>),
    Keep,
    /// Ends the file where it is, after the failure of another one.
    End,
}

/// A file and its thread. Dropping it abandons the file.
#[derive(Debug)]
pub(super) struct Background {
    path: PathBuf,
    requests: Option<SyncSender<Request>>,
    thread: Option<JoinHandle<Result<Option<Extent>, Failure>>>,
}

impl Background {
    pub(super) fn start(sink: Sink) -> Result<Self, Failure> {
        let path = sink.path().to_owned();
        let (requests, received) = sync_channel(WAITING);
        let thread = thread::Builder::new().name("trajectory".to_owned()).spawn(move || work(sink, &received));
        Ok(Self { path, requests: Some(requests), thread: Some(thread.map_err(Failure::threads)?) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Hands a frame over.
    ///
    /// # Errors
    ///
    /// The failure of an earlier frame.
    pub(super) fn write(&mut self, frame: Arc<Frame>) -> Result<(), Failure> {
        self.request(Request::Write(frame))
    }

    /// Waits until all frames are written and durable.
    pub(super) fn mark(&mut self) -> Result<SinkState, Failure> {
        let (sender, state) = sync_channel(1);
        self.request(Request::Mark(sender))?;
        match state.recv() {
            Ok(state) => Ok(state),
            Err(_) => Err(self.failure()),
        }
    }

    /// Waits until all frames are written, and gives the file its final name. Returns its extent, unless it is a
    /// database.
    pub(super) fn keep(mut self) -> Result<Option<Extent>, Failure> {
        self.request(Request::Keep)?;
        self.join()
    }

    /// Ends the file where it is.
    pub(super) fn end(mut self) {
        // It may have failed too; the first failure is the one that is reported.
        let _ = self.request(Request::End);
        let _ = self.join();
    }

    fn request(&mut self, request: Request) -> Result<(), Failure> {
        match self.requests.as_ref().map(|requests| requests.send(request)) {
            Some(Ok(())) => Ok(()),
            _ => Err(self.failure()),
        }
    }

    /// The failure for which the thread ended early.
    fn failure(&mut self) -> Failure {
        let ended = format!("{}: has ended before", shown(&self.path));
        self.join().err().unwrap_or(Failure::Write(ended))
    }

    fn join(&mut self) -> Result<Option<Extent>, Failure> {
        self.requests = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(Failure::Bug),
            None => Ok(None),
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let _ = self.join();
    }
}

/// Carries out requests until the file is complete, has failed or is abandoned.
fn work(mut sink: Sink, requests: &Receiver<Request>) -> Result<Option<Extent>, Failure> {
    while let Ok(request) = requests.recv() {
        let done = match request {
            Request::Write(frame) => sink.write(&frame),
            Request::Mark(sender) => sink.mark().map(|state| _ = sender.send(state)),
            Request::Keep => return sink.keep(),
            Request::End => {
                sink.end();
                return Ok(None);
            }
        };
        if let Err(failure) = done {
            return Err(sink.end_after(failure));
        }
    }
    Ok(None)
}
