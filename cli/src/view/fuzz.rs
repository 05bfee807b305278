//! The head of a request and the commands of a page, for the fuzz targets.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::LazyLock;
use std::sync::mpsc::sync_channel;

use throng::{Registry, with_world};

use super::access::Access;
use super::command::{self, ClientCommand};
use super::mailbox::Hub;
use super::request;
use super::session::Session;
use super::source::Source;
use super::viewer::Viewer;
use crate::execution;
use crate::find::{Found, Place};
use crate::signals::Signals;

/// The most commands of one input.
const MOST_COMMANDS: usize = 16;

/// A world with everything that commands edit: rules, states, marks, obstacles and walls.
const SCENARIO: &str = include_str!("../../../determinism/scenes/bottleneck.toml");

/// The handlers of signals are registered once.
static SIGNALS: LazyLock<Signals> = LazyLock::new(|| Signals::listen().expect("signals can be handled"));

/// Takes the bytes as the head of a request, and their lines as commands on a world, with a tick after each.
pub(crate) fn fuzz(data: &[u8]) {
    let access = Access::fixed("127.0.0.1:80", "ab");
    let _ = request::route(data, &access);
    let Ok(text) = std::str::from_utf8(data) else { return };
    let commands: Vec<ClientCommand> = text.lines().take(MOST_COMMANDS).filter_map(command::parse).collect();
    if !commands.is_empty() {
        execute(commands);
    }
}

fn execute(commands: Vec<ClientCommand>) {
    let (registry, file) = (Registry::new(), PathBuf::from("fuzz/none.toml"));
    let found = Found { file, text: SCENARIO.to_owned(), place: Place::File };
    let source = Source::of(registry, found, &[], None);
    let scenario = source.load().expect("the scenario is valid");
    let world = execution::build(&scenario).expect("the scenario is small");
    let (_commands, inbox) = sync_channel(1);
    let hub = Arc::new(Hub::default());
    let client = hub.join().expect("there is one client").0;
    let mut viewer = Viewer::new(source, hub, inbox, SIGNALS.clone());
    let mut session = Session::new(&mut viewer, &scenario, world);
    for command in commands {
        let _ = session.execute(client, command);
        // A larger world would make the fuzzer slow.
        if session.world.population() > 2000 {
            return;
        }
        session.step();
        session.publish();
        with_world!(&session.world, world => {
            for species in world.species_ids() {
                let agents = world.agents(species).expect("it exists");
                assert!(agents.positions().into_iter().flatten().all(|number| number.is_finite()));
            }
        });
    }
}
