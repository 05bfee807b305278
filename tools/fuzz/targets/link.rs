//! A link in the first line, and commands of the page in the others: it is refused, or the run it describes is followed as
//! the page in the browser does it.
#![no_main]

mod finite;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use throng::Registry;
use throng_view::{Host, Link, Post, Session, Viewer, command};

static START: LazyLock<Instant> = LazyLock::new(Instant::now);
const HOST: Host = Host { now, prepare: |_| Ok(()) };

/// The most agents: a larger world would make the fuzzer slow.
const MOST_AGENTS: usize = 500;

fn now() -> Duration {
    START.elapsed()
}

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let Ok(link) = Link::parse(lines.next().unwrap_or_default()) else { return };
    let source = link.source(Registry::new());
    let Ok(scenario) = source.load() else { return };
    if scenario.agents() > MOST_AGENTS as u64 || scenario.check_limits().is_err() {
        return;
    }
    let post = Post::default();
    let Ok(mut session) = Session::open(Viewer::new(source, Box::new(post.clone()), HOST)) else { return };
    session.follow(&link);
    session.advance();
    for command in lines.take(8).filter_map(command::parse) {
        session = session.receive(Post::PAGE, command);
        if session.world().population() > MOST_AGENTS {
            return;
        }
        session.advance();
    }
    while post.take().is_some() {}
    finite::check(session.world());
});
