//! The loop over a session: passes the commands of pages on, and advances the session.

use std::sync::Arc;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use throng_view::{Host, PageId, Pages, Session, Source};

use super::gallery::Gallery;
use super::mailbox::{Hub, Inbox};
use crate::execution;
use crate::failure::Failure;
use crate::signals::Signals;
use crate::watch::Watch;

/// The longest wait of the engine, which bounds the response time to a signal.
pub(super) const LONGEST_WAIT: Duration = Duration::from_millis(50);
/// The most commands between two ticks.
pub(super) const MAX_COMMANDS: usize = 256;

/// The time since the first call.
pub(super) fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// The clock of sessions, and the execution of their worlds.
pub(super) const HOST: Host = Host { now: clock, prepare: execution::prepare };

/// The pages at the other ends of sockets.
#[derive(Debug)]
pub(super) struct Sockets {
    hub: Arc<Hub>,
    gallery: Gallery,
}

impl Sockets {
    pub(super) fn new(hub: Arc<Hub>) -> Self {
        Self { gallery: Gallery::new(Arc::clone(&hub)), hub }
    }
}

impl Pages for Sockets {
    fn is_empty(&self) -> bool {
        self.hub.is_empty()
    }

    fn send(&self, page: PageId, text: String) {
        self.hub.send(page, text);
    }

    fn send_all(&self, text: &str) {
        self.hub.send_all(text);
    }

    fn send_file(&self, page: PageId, text: String, file: Vec<u8>) {
        self.hub.send_file(page, text, file);
    }

    fn publish(&self, frame: Vec<u8>, messages: &mut dyn FnMut(PageId) -> Vec<String>) {
        self.hub.publish(&frame.into(), messages);
    }

    fn drop_frames(&self) {
        self.hub.drop_frames();
    }

    fn show_gallery(&mut self, page: PageId, source: &Source) {
        self.gallery.request(source, page);
    }
}

/// Runs a session until a signal ends the program. The world of a file that is watched starts again when it is saved.
pub(super) fn run(
    mut session: Session,
    inbox: &Inbox,
    mut watch: Option<Watch>,
    signals: &Signals,
) -> Result<(), Failure> {
    loop {
        signals.check()?;
        if is_saved(&session, watch.as_mut()) {
            let source = session.source().reread().map_err(|problems| problems.to_string());
            session = session.replace(source);
        }
        let mut wait = session.wait().min(LONGEST_WAIT);
        for _ in 0..MAX_COMMANDS {
            let Ok((page, command)) = inbox.recv_timeout(wait) else { break };
            wait = Duration::ZERO;
            session = session.receive(page, command);
        }
        session.advance();
    }
}

/// Whether the file of the session was saved.
fn is_saved(session: &Session, watch: Option<&mut Watch>) -> bool {
    let watch = watch.filter(|watch| watch.file() == session.source().file());
    watch.is_some_and(|watch| watch.was_saved() && watch.take())
}
