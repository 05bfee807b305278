//! The session of throng's page as a WebAssembly module, which `engine.js` drives in a worker.
//!
//! The module has one session for one page. Texts come in through [`input`]; messages go out through [`take`].

use std::cell::RefCell;
use std::time::Duration;

use serde_json::json;
use throng::{AnyWorld, Execution, Registry};
use throng_bench::{Flock, design};
use throng_scenario::LARGEST_FILE;
use throng_view::command::{ClientCommand, parse};
use throng_view::{Host, Link, Message, Pages, Place, Post, Session, Source, Viewer, built_in};

// SAFETY: `engine.js` provides the function, which only reads the clock of the browser.
unsafe extern "C" {
    /// The time since the start of the worker, in milliseconds.
    safe fn throng_now() -> f64;
}

const HOST: Host = Host { now: || Duration::from_secs_f64(throng_now() / 1e3), prepare: |_| Ok(()) };

/// The session, and the texts and bytes on their way.
#[derive(Default)]
struct Engine {
    session: Option<Session>,
    post: Post,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

fn with<T>(run: impl FnOnce(&mut Engine) -> T) -> T {
    ENGINE.with_borrow_mut(run)
}

impl Engine {
    fn text(&self) -> Result<&str, String> {
        std::str::from_utf8(&self.input).map_err(|_| "not UTF-8".to_owned())
    }

    fn open(&mut self, source: Source) -> Result<(), String> {
        self.session = Some(Session::open(Viewer::new(source, Box::new(self.post.clone()), HOST))?);
        Ok(())
    }

    /// Reports to the page why nothing was opened.
    fn report(&self, opened: Result<(), String>) {
        if let Err(reason) = opened {
            self.post.send(Post::PAGE, json!({ "failed": reason }).to_string());
        }
    }
}

/// Returns the address of room for `bytes` bytes of text, which the next call of another function reads.
#[unsafe(no_mangle)]
pub extern "C" fn throng_input(bytes: usize) -> *mut u8 {
    with(|engine| {
        engine.input.resize(bytes, 0);
        engine.input.as_mut_ptr()
    })
}

/// Opens the scenario of the program whose name is the input.
#[unsafe(no_mangle)]
pub extern "C" fn throng_open() {
    with(|engine| {
        let source = engine.text().and_then(|name| {
            let text = built_in::text(name).ok_or_else(|| format!("no scenario is named {name:?}"))?;
            Ok(Source::new(Registry::new(), name.into(), text.to_owned(), Place::Program))
        });
        let opened = source.and_then(|source| engine.open(source));
        engine.report(opened);
    });
}

/// Opens the link that is the input.
#[unsafe(no_mangle)]
pub extern "C" fn throng_follow() {
    with(|engine| {
        let opened = engine.text().and_then(Link::parse).and_then(|link| {
            engine.open(link.source(Registry::new()))?;
            if let Some(session) = &mut engine.session {
                session.follow(&link);
            }
            Ok(())
        });
        engine.report(opened);
    });
}

/// Opens the scenario whose text is the input, in place of the present world. Its mistakes leave that one running.
#[unsafe(no_mangle)]
pub extern "C" fn throng_write() {
    with(|engine| {
        let source = engine.text().and_then(|text| match text.len() as u64 {
            0..=LARGEST_FILE => Ok(Source::new(Registry::new(), "scenario".into(), text.to_owned(), Place::Program)),
            _ => Err(format!("a scenario has at most {} MiB", LARGEST_FILE >> 20)),
        });
        if let Some(session) = engine.session.take() {
            engine.session = Some(session.replace(source));
        } else {
            let opened = source.and_then(|source| engine.open(source));
            engine.report(opened);
        }
    });
}

/// Measures a flock of `throng bench` once, and sends the version, the size, the milliseconds of a tick and the hash.
#[unsafe(no_mangle)]
pub extern "C" fn throng_bench(dimensions: u32, agents: usize) {
    let plane = || Flock::<2>::world_of(agents, Execution::default()).map(AnyWorld::from);
    let space = || Flock::<3>::world_of(agents, Execution::default()).map(AnyWorld::from);
    let Ok(mut world) = (if dimensions == 3 { space() } else { plane() }) else { return };
    (0..design::WARM).for_each(|_| world.step());
    let began = throng_now();
    (0..design::ROUND).for_each(|_| world.step());
    let ms = (throng_now() - began) / design::ROUND as f64;
    let row = json!([env!("CARGO_PKG_VERSION"), dimensions, agents, ms, format!("{:016x}", world.state_hash())]);
    with(|engine| engine.post.send(Post::PAGE, json!({ "bench": row }).to_string()));
}

/// Executes the command of the page that is the input.
#[unsafe(no_mangle)]
pub extern "C" fn throng_receive() {
    with(|engine| match engine.text().ok().and_then(parse) {
        Some(ClientCommand::Drawn) => engine.post.drawn(),
        Some(command) => engine.session = engine.session.take().map(|session| session.receive(Post::PAGE, command)),
        None => {}
    });
}

/// Advances the session, and returns the milliseconds until it has more to do.
#[unsafe(no_mangle)]
pub extern "C" fn throng_advance() -> f64 {
    with(|engine| match &mut engine.session {
        Some(session) => {
            session.advance();
            session.wait().as_secs_f64() * 1e3
        }
        None => f64::INFINITY,
    })
}

/// Takes the next message to the page: 1 for a text, 2 for bytes, 0 if there is none. It lies at [`throng_output`].
#[unsafe(no_mangle)]
pub extern "C" fn throng_take() -> u32 {
    with(|engine| {
        let (kind, bytes) = match engine.post.take() {
            Some(Message::Text(text)) => (1, text.into_bytes()),
            Some(Message::Bytes(bytes)) => (2, bytes),
            None => return 0,
        };
        engine.output = bytes;
        kind
    })
}

/// The address of the message that was taken last.
#[unsafe(no_mangle)]
pub extern "C" fn throng_output() -> *const u8 {
    with(|engine| engine.output.as_ptr())
}

/// The number of bytes of the message that was taken last.
#[unsafe(no_mangle)]
pub extern "C" fn throng_output_length() -> usize {
    with(|engine| engine.output.len())
}
