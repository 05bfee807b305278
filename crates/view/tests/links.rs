//! A run with edits is the same in a page that opens its link; a damaged link is refused.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value as Json, json};
use throng::Registry;
use throng_view::command::parse;
use throng_view::{Host, Link, PageId, Pages, Place, Session, Source, Viewer};

const SCENARIO: &str = "# Moths.\nformat = 1\n[world]\ndimensions = 2\nsize = [60.0, 40.0]\nseed = 3\n[marks]\nlamp = [9.0, 9.0]\n\
                        [[wall]]\nline = [[50.0, 5.0], [50.0, 20.0]]\n[species.moth]\ncount = 60\n\
                        behaviours = [{ rule = \"seek\", target = \"mark:lamp\" }, { rule = \"wander\" }]\n";

/// A page that keeps its messages.
#[derive(Clone, Debug, Default)]
struct Page(Arc<Mutex<Vec<Json>>>);

impl Page {
    fn last(&self, key: &str) -> Option<Json> {
        self.0.lock().unwrap().iter().rev().find_map(|message| message.get(key).cloned())
    }
}

impl Pages for Page {
    fn is_empty(&self) -> bool {
        false
    }

    fn send(&self, _: PageId, text: String) {
        self.send_all(&text);
    }

    fn send_all(&self, text: &str) {
        self.0.lock().unwrap().push(serde_json::from_str(text).unwrap());
    }

    fn send_file(&self, _: PageId, _: String, _: Vec<u8>) {}

    fn publish(&self, _: Vec<u8>, messages: &mut dyn FnMut(PageId) -> Vec<String>) {
        messages(1).iter().for_each(|text| self.send_all(text));
    }

    fn drop_frames(&self) {}

    fn show_gallery(&mut self, _: PageId, _: &Source) {}
}

/// A clock that ticks whenever it is read.
fn now() -> Duration {
    static READ: AtomicU64 = AtomicU64::new(0);
    Duration::from_millis(5 * READ.fetch_add(1, Ordering::Relaxed))
}

fn open(source: Source) -> (Session, Page) {
    let page = Page::default();
    let host = Host { now, prepare: |_| Ok(()) };
    (Session::open(Viewer::new(source, Box::new(page.clone()), host)).unwrap(), page)
}

fn start() -> (Session, Page) {
    open(Source::new(Registry::new(), PathBuf::from("moths.toml"), SCENARIO.to_owned(), Place::File).with(&[], Some(8)))
}

fn receive(session: Session, command: Json) -> Session {
    session.receive(1, parse(&command.to_string()).unwrap_or_else(|| panic!("{command}")))
}

/// Takes the session to a tick.
fn reach(session: Session, tick: u64) -> Session {
    arrive(receive(session, json!({ "do": "seek", "tick": tick })), tick)
}

fn arrive(mut session: Session, tick: u64) -> Session {
    for _ in 0..10_000 {
        session.advance();
        if session.world().tick() == tick {
            session.advance();
            return session;
        }
    }
    panic!("the tick is not reached");
}

fn link(session: Session, page: &Page) -> (Session, String) {
    let session = receive(session, json!({ "do": "link" }));
    (session, page.last("link").expect("there is a link").to_string())
}

/// A run with every kind of edit, also reverted ones and dropped ones.
fn edited() -> (Session, Page) {
    let (mut session, page) = start();
    let commands = [
        (5, json!({ "do": "set", "species": 0, "rule": 1, "name": "weight", "value": 0.1 + 0.2 })),
        (5, json!({ "do": "mark", "name": "lamp", "point": [30.1, 20.7] })),
        (9, json!({ "do": "obstacle", "point": [20.3, 10.1], "radius": 2.2 })),
        (9, json!({ "do": "obstacle", "number": 0, "point": [22.3, 10.1], "radius": 2.1 })),
        (12, json!({ "do": "spawn", "species": 0, "point": [40.0, 30.0], "radius": 4.0, "count": 15 })),
        (14, json!({ "do": "undo" })),
        (14, json!({ "do": "redo" })),
        (15, json!({ "do": "remove", "point": [30.0, 20.0], "radius": 12.0 })),
        (16, json!({ "do": "undo" })),
        (17, json!({ "do": "remove_wall", "number": 0 })),
        (18, json!({ "do": "undo" })),
        (19, json!({ "do": "draw_wall", "from": [10.0, 10.0], "to": [20.0, 30.0] })),
        (20, json!({ "do": "falcon", "point": [30.123_456, 20.2], "radius": 9.1 })),
        (20, json!({ "do": "falcon", "point": [31.123_456, 20.2], "radius": 9.1 })),
        (24, json!({ "do": "falcon", "point": null, "radius": 0 })),
        (40, json!({ "do": "clear" })),
        // Goes back, so that the last edit is dropped.
        (30, json!({ "do": "wall", "number": 1, "point": [12.0, 11.0] })),
    ];
    for (tick, command) in commands {
        session = receive(reach(session, tick), command);
        assert_eq!(page.last("error"), None);
    }
    (session, page)
}

#[test]
fn a_link_leads_to_the_same_state_and_goes_on_alike() {
    let (session, page) = edited();
    let session = reach(session, 70);
    let (session, text) = link(session, &page);
    let wanted = session.world().state_hash();
    let session = reach(session, 120);
    let later = session.world().state_hash();
    let reverted = receive(reach(session, 70), json!({ "do": "undo" })).world().state_hash();
    assert_ne!(reverted, wanted);

    let parsed = Link::parse(&text).unwrap();
    let (mut session, page) = open(parsed.source(Registry::new()));
    session.follow(&parsed);
    let session = receive(session, json!({ "do": "hello" }));
    let session = arrive(session, 70);
    assert_eq!(session.world().state_hash(), wanted);
    assert_eq!(page.last("numbers").unwrap()["hash"], format!("{wanted:016x}"), "it rests there");
    let (session, again) = link(session, &page);
    assert_eq!(again, text, "the link of a link is the same");
    let session = reach(session, 120);
    assert_eq!(session.world().state_hash(), later);
    // Earlier ticks and reversals are the same too.
    let session = reach(session, 70);
    assert_eq!(session.world().state_hash(), wanted);
    let session = receive(session, json!({ "do": "undo" }));
    assert_eq!((session.world().state_hash(), page.last("error")), (reverted, None));
}

#[test]
fn a_damaged_link_is_refused() {
    let (session, page) = start();
    let (_, text) = link(reach(session, 4), &page);
    let good: Json = serde_json::from_str(&text).unwrap();
    assert!(Link::parse(&text).is_ok());
    let falcon = json!({ "do": "falcon", "point": null, "radius": 0 });
    let wrong = [
        ("version", json!(2)),
        ("tick", json!(1e9)),
        ("tick", json!(-1)),
        ("hash", json!("0")),
        ("name", json!("x".repeat(300))),
        ("scenario", json!(7)),
        ("edits", json!([[1, { "do": "fly" }]])),
        ("edits", json!([[1, { "do": "play" }]])),
        ("edits", json!([[5, falcon]])),
        ("edits", json!([[3, falcon], [2, falcon]])),
        ("other", json!(1)),
    ];
    for (key, value) in wrong {
        let mut link = good.clone();
        link[key] = value;
        assert!(Link::parse(&link.to_string()).is_err(), "{link}");
    }
    assert!(Link::parse(&" ".repeat(5 << 20)).is_err());
    assert!(Link::parse(&"[".repeat(100_000)).is_err());
}

#[test]
fn an_edit_that_fails_ends_a_link_with_a_reason() {
    let (session, page) = start();
    let (_, text) = link(reach(session, 4), &page);
    let mut link: Json = serde_json::from_str(&text).unwrap();
    link["edits"] = json!([[2, { "do": "remove_wall", "number": 7 }], [3, { "do": "clear" }]]);
    let parsed = Link::parse(&link.to_string()).unwrap();
    let (mut session, page) = open(parsed.source(Registry::new()));
    session.follow(&parsed);
    let session = arrive(session, 4);
    assert!(page.last("error").unwrap().as_str().unwrap().contains("unknown wall number 7"));
    assert!(!page.last("numbers").unwrap()["edited"].as_bool().unwrap(), "{}", session.world().tick());
}
