//! The command `throng view`: serves a page on which a running world is watched and changed. `throng_view` has the page and
//! its session.
//!
//! A trajectory file is played by `playback.rs` instead of a world.
//!
//! The engine runs in the main thread and never waits for a page: a slow page loses frames. These are the threads, and
//! all channels between them:
//!
//! ```text
//! server ──► one thread per connection (request.rs) ──► reader and writer of a client (client.rs)
//!                                                          │ commands          ▲ mailbox: two frames, newest win
//!                                                          ▼                   │
//!                                                      engine (playing.rs) ────┘
//! ```

mod access;
mod client;
mod document;
#[cfg(fuzzing)]
mod fuzz;
mod gallery;
mod mailbox;
mod pending;
mod playback;
mod playing;
mod recording;
mod request;
mod server;
mod token;

use std::ffi::OsStr;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use throng::Registry;
use throng_view::{Session, Source, Viewer, built_in};

use crate::arguments::{ViewOptions, is_trajectory};
use crate::execution;
use crate::failure::Failure;
use crate::find::{Found, find};
use crate::list;
use crate::opening::open;
use crate::output::print;
use crate::signals::Signals;
use crate::terminal::{warn, warn_all, width};
use crate::threads;
use crate::watch::Watch;
use access::Access;
#[cfg(fuzzing)]
pub(crate) use fuzz::fuzz;
use mailbox::{Hub, Inbox};
use playback::Playback;
use playing::{HOST, Sockets};
use recording::Recording;

/// Runs the command `throng view`.
pub(crate) fn view(view: &ViewOptions, registry: Registry) -> Result<(), Failure> {
    let found = match &view.scenario {
        Some(file) if is_trajectory(file, &view.set, view.seed)? => return play(view, file, &registry),
        Some(name) => find(name)?,
        None => first()?,
    };
    let watch = view.scenario.as_deref().filter(|_| view.watch).map(Watch::start).transpose()?;
    let Found { file, text, place } = found;
    let source = Source::new(registry, file, text, place).with(&view.set, view.seed);
    let scenario = source.load()?;
    warn_all(&scenario.warnings());
    let world = execution::build(&scenario)?;
    let signals = Signals::listen()?;
    let (hub, inbox) = serve(view)?;
    let pool = threads::pool(Some(view.threads.unwrap_or_else(spare_one)))?;
    let viewer = Viewer::new(source, Box::new(Sockets::new(hub)), HOST);
    let session = Session::new(viewer, &scenario, world);
    pool.install(move || playing::run(session, &inbox, watch, &signals))
}

/// Plays a recorded trajectory.
fn play(view: &ViewOptions, file: &Path, registry: &Registry) -> Result<(), Failure> {
    let signals = Signals::listen()?;
    let (recording, fault) = signals.while_reading(|| Recording::read(file, registry, &signals))?;
    if let Some(reason) = fault {
        warn(&format!("the world of the run is not shown: {reason}"));
    }
    let (hub, inbox) = serve(view)?;
    let pool = threads::pool(Some(view.threads.unwrap_or_else(spare_one)))?;
    pool.install(|| Playback::new(file, recording, hub, inbox, signals).run())
}

/// The scenario behind the gallery: the first one here, or else one of those in the program.
fn first() -> Result<Found, Failure> {
    let here = list::here().into_iter().next();
    find(&here.unwrap_or_else(|| built_in::START.into()))
}

/// Serves the page, and opens it in a browser. Returns the clients and their commands.
fn serve(view: &ViewOptions) -> Result<(Arc<Hub>, Inbox), Failure> {
    let (listener, address) = listen(view.listen, view.port)?;
    let access = Access::new(address, view.port != 0)?;
    let mut url = access.url();
    if view.scenario.is_none() {
        // The page opens its gallery.
        url += "#gallery";
    }
    let hub = Arc::new(Hub::default());
    let (commands, inbox) = sync_channel(256);
    server::start(listener, access, Arc::clone(&hub), commands).map_err(Failure::threads)?;
    print(&format!("{url}\n"))?;
    if width().is_some() {
        print("Ctrl-C ends it.\n")?;
    }
    if !view.no_open {
        open(OsStr::new(&url));
    }
    Ok((hub, inbox))
}

/// Returns the number of cores less one, which is left to the browser.
fn spare_one() -> NonZeroUsize {
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    NonZeroUsize::new(threads - 1).unwrap_or(NonZeroUsize::MIN)
}

fn listen(ip: IpAddr, port: u16) -> Result<(TcpListener, SocketAddr), Failure> {
    let asked = SocketAddr::new(ip, port);
    let failed = |error| Failure::Write(format!("{asked}: cannot listen on this address: {error}"));
    let listener = TcpListener::bind(asked).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}
