//! The thread that computes ways for later ticks. It is none of the pool's: a thread of the pool that waits for others
//! would take such work up, and the tick would wait for its end.

use std::sync::LazyLock;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

type Work = Box<dyn FnOnce() + Send>;

/// Where no thread can be started, as in a browser, ways are computed when a tick takes them.
static THREAD: LazyLock<Option<Sender<Work>>> = LazyLock::new(|| {
    let (sender, receiver) = channel::<Work>();
    let run = move || receiver.into_iter().for_each(|work| work());
    Builder::new().name("throng-ways".to_owned()).spawn(run).ok().map(|_| sender)
});

/// Runs this after all that was passed before.
pub(super) fn run(work: impl FnOnce() + Send + 'static) {
    if let Some(thread) = &*THREAD {
        // Without the thread, the tick that takes the ways computes them.
        thread.send(Box::new(work)).unwrap_or_default();
    }
}
