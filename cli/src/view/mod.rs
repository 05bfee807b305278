//! The command `throng view`: serves a page on which a running world is watched and changed.
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
//!                                                      engine (session.rs) ────┘
//! ```

mod access;
mod changes;
mod client;
mod command;
mod contents;
mod describe;
mod edit;
mod edit_log;
mod explain;
mod frame;
#[cfg(fuzzing)]
mod fuzz;
mod gallery;
mod history;
mod mailbox;
mod messages;
mod pace;
mod page;
mod pending;
mod playback;
mod recording;
mod request;
mod samples;
mod scenario_editor;
mod server;
mod session;
mod shade;
mod source;
mod story;
mod thumbnails;
mod time;
mod token;
mod transitions;
mod viewer;
mod wall_places;

use std::ffi::OsStr;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use throng::Registry;

use crate::arguments::{ViewOptions, is_trajectory};
use crate::built_in;
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
use command::Inbox;
#[cfg(fuzzing)]
pub(crate) use fuzz::fuzz;
use mailbox::Hub;
use playback::Playback;
use recording::Recording;
use source::Source;
use viewer::Viewer;

/// Runs the command `throng view`.
pub(crate) fn view(view: &ViewOptions, registry: Registry) -> Result<(), Failure> {
    let found = match &view.scenario {
        Some(file) if is_trajectory(file, &view.set, view.seed)? => return play(view, file, &registry),
        Some(name) => find(name)?,
        None => first()?,
    };
    let watch = view.scenario.as_deref().filter(|_| view.watch).map(Watch::start).transpose()?;
    let source = Source::of(registry, found, &view.set, view.seed);
    let scenario = source.load()?;
    warn_all(&scenario.warnings());
    let world = execution::build(&scenario)?;
    let signals = Signals::listen()?;
    let (hub, inbox) = serve(view)?;
    let pool = threads::pool(Some(view.threads.unwrap_or_else(spare_one)))?;
    let mut viewer = Viewer::new(source, hub, inbox, signals);
    viewer.watch = watch;
    pool.install(|| session::run(&mut viewer, scenario, world))
}

/// Plays a recorded trajectory.
fn play(view: &ViewOptions, file: &Path, registry: &Registry) -> Result<(), Failure> {
    let signals = Signals::listen()?;
    let (recording, fault) = Recording::read(file, registry, &signals)?;
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
