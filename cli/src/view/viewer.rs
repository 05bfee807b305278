//! The state of the viewer that outlives a single world: its source, its changes and its clients.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use throng::{AgentId, AnyWorld};
use throng_scenario::{Problems, Scenario};

use super::changes::Changes;
use super::command::Inbox;
use super::gallery::Gallery;
use super::mailbox::{ClientId, Hub};
use super::pace::Pace;
use super::shade::Shade;
use super::source::Source;
use crate::execution;
use crate::signals::Signals;
use crate::watch::Watch;

/// The state of the viewer that outlives a single world.
pub(crate) struct Viewer {
    pub(super) source: Source,
    pub(super) hub: Arc<Hub>,
    pub(super) gallery: Gallery,
    pub(super) inbox: Inbox,
    pub(super) signals: Signals,
    /// The file whose world starts again when it is saved.
    pub(super) watch: Option<Watch>,
    /// Whether a client has connected before. The first one starts the world.
    pub(super) seen: bool,
    pub(super) pace: Pace,
    /// The number of the present world.
    pub(super) number: u32,
    /// The number of the last frame.
    pub(super) serial: u32,
    /// The changes since the source was read.
    pub(super) changes: Changes,
    /// The values that colours show, and whether frames have forces.
    pub(super) shade: Shade,
    pub(super) forces: bool,
    /// The description of the species as the file has them.
    pub(super) original: Json,
    pub(super) watched: HashMap<ClientId, AgentId>,
}

/// The next scenario and its world.
pub(super) type NextWorld = (Scenario, AnyWorld);

impl Viewer {
    pub(crate) fn new(source: Source, hub: Arc<Hub>, inbox: Inbox, signals: Signals) -> Self {
        Self {
            source,
            gallery: Gallery::new(Arc::clone(&hub)),
            hub,
            inbox,
            signals,
            watch: None,
            seen: false,
            pace: Pace::new(1.0),
            number: 0,
            serial: 0,
            changes: Changes::default(),
            shade: Shade::default(),
            forces: false,
            original: Json::Null,
            watched: HashMap::new(),
        }
    }

    /// The world of a file that was saved meanwhile. A file with mistakes leaves the present world intact.
    pub(super) fn saved(&mut self) -> Option<NextWorld> {
        let watch = self.watch.as_mut().filter(|watch| watch.file() == self.source.file)?;
        if !watch.was_saved() || !watch.take() {
            return None;
        }
        let source = self.source.reread().map_err(|problems| problems.to_string());
        match source.and_then(|source| self.prepare(source, false)) {
            Ok(next) => Some(next),
            Err(reason) => {
                self.hub.send_all(&json!({ "error": reason }).to_string());
                None
            }
        }
    }

    /// Builds the world of a source, with the changes if `keep`. A failure leaves the present world intact.
    pub(super) fn prepare(&mut self, source: Source, keep: bool) -> Result<NextWorld, String> {
        let problems = |problems: Problems| problems.to_string();
        let scenario = match keep {
            true => source.parse(&self.changes.text(&source)?).map_err(problems)?,
            false => source.load().map_err(problems)?,
        };
        let world = execution::build(&scenario).map_err(|error| error.to_string())?;
        self.source = source;
        if !keep {
            self.changes = Changes::default();
            self.original = Json::Null;
        }
        Ok((scenario, world))
    }
}
