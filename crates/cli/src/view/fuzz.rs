//! The head of a request and the commands of a page, for the fuzz targets.

use std::path::PathBuf;
use std::sync::Arc;

use throng::{Registry, with_world};
use throng_view::command::{self, ClientCommand};
use throng_view::{Link, Place, Session, Source, Viewer};

use super::access::Access;
use super::mailbox::Hub;
use super::playing::{HOST, Sockets};
use super::request;

/// The most commands of one input.
const MOST_COMMANDS: usize = 16;

/// A world with everything that commands edit: rules, states, marks, obstacles and walls.
const SCENARIO: &str = include_str!("../../../../tools/determinism/scenes/bottleneck.toml");

/// Takes the bytes as the head of a request, and their lines as commands on a world, with a tick after each.
pub(crate) fn fuzz(data: &[u8]) {
    let access = Access::fixed("127.0.0.1:80", "ab");
    let _ = request::route(data, &access);
    let _ = std::str::from_utf8(data).map(Link::parse);
    let Ok(text) = std::str::from_utf8(data) else { return };
    let commands: Vec<ClientCommand> = text.lines().take(MOST_COMMANDS).filter_map(command::parse).collect();
    if !commands.is_empty() {
        execute(commands);
    }
}

fn execute(commands: Vec<ClientCommand>) {
    let hub = Arc::new(Hub::default());
    let page = hub.join().expect("there is one client").0;
    let source = Source::new(Registry::new(), PathBuf::from("fuzz/none.toml"), SCENARIO.to_owned(), Place::File);
    let mut session =
        Session::open(Viewer::new(source, Box::new(Sockets::new(hub)), HOST)).expect("the scenario is valid");
    for command in commands.into_iter().flat_map(|command| [command, ClientCommand::Step]) {
        session = session.receive(page, command);
        // A larger world would make the fuzzer slow.
        if session.world().population() > 2000 {
            return;
        }
        session.advance();
        with_world!(session.world(), world => {
            for species in world.species_ids() {
                let agents = world.agents(species).expect("it exists");
                assert!(agents.positions().into_iter().flatten().all(|number| number.is_finite()));
            }
        });
    }
}
