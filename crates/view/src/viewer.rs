//! The state of a session that outlives a single world: its source, its changes and its pages.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value as Json;
use throng::{AgentId, AnyWorld};
use throng_scenario::{Problems, Scenario};

use super::changes::Changes;
use super::host::Host;
use super::pace::Pace;
use super::pages::{PageId, Pages};
use super::shade::Shade;
use super::source::Source;

/// The state of a session that outlives a single world.
#[derive(Debug)]
pub struct Viewer {
    pub(super) source: Source,
    pub(super) pages: Box<dyn Pages>,
    pub(super) host: Host,
    /// Whether a page has been here before. The first one starts the world.
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
    pub(super) watched: HashMap<PageId, AgentId>,
}

/// The next scenario and its world.
pub(super) type NextWorld = (Scenario, AnyWorld);

impl Viewer {
    /// The viewer of a source, for these pages.
    #[must_use]
    pub fn new(source: Source, pages: Box<dyn Pages>, host: Host) -> Self {
        Self {
            source,
            pages,
            pace: Pace::new(1.0, (host.now)()),
            host,
            seen: false,
            number: 0,
            serial: 0,
            changes: Changes::default(),
            shade: Shade::default(),
            forces: false,
            original: Json::Null,
            watched: HashMap::new(),
        }
    }

    pub(super) fn now(&self) -> Duration {
        (self.host.now)()
    }

    /// Builds the world of a source, with the changes if `keep`. A failure leaves the present world intact.
    pub(super) fn prepare(&mut self, source: Source, keep: bool) -> Result<NextWorld, String> {
        let problems = |problems: Problems| problems.to_string();
        let scenario = match keep {
            true => source.parse(&self.changes.text(&source)?).map_err(problems)?,
            false => source.load().map_err(problems)?,
        };
        let world = self.host.build(&scenario).map_err(|error| error.to_string())?;
        self.source = source;
        if !keep {
            self.changes = Changes::default();
            self.original = Json::Null;
        }
        Ok((scenario, world))
    }
}
