//! Links: a run as a text that is short enough for an address. It has the scenario of the start, the edits with their
//! ticks, the tick that is shown, and the hash of the state there.
//!
//! The page that opens it computes the run again, with equal bits. A link can do what the file of its scenario and the commands
//! of a page can, and passes the same checks.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use throng::Registry;
use throng_scenario::LARGEST_FILE;

use super::edit::{self, Edit};
use super::edit_log::EditLog;
use super::source::{Place, Source};

/// The version of links.
const VERSION: u32 = 1;
/// The largest link in bytes, as JSON.
const LARGEST: usize = 4 << 20;
/// The last tick of a link.
const LAST_TICK: u64 = 100_000;
/// The longest name in bytes.
const LONGEST_NAME: usize = 200;

/// A run up to a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    version: u32,
    /// The name of the file of the scenario, without its ending, and its text.
    name: String,
    scenario: String,
    /// The tick that is shown, and the hash of the state there.
    pub(super) tick: u64,
    hash: String,
    /// The edits by ascending ticks.
    edits: Vec<(u64, Json)>,
}

impl Link {
    /// The link of a run whose scenario, with all changes at its start, has this text.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the run is too long.
    pub(super) fn of(name: String, scenario: String, log: &EditLog, tick: u64, hash: u64) -> Result<Self, String> {
        if log.dropped() > 0 {
            return Err("the first edits of this run are dropped already: a recording has them".to_owned());
        }
        if tick > LAST_TICK {
            return Err(format!("a link reaches at most tick {LAST_TICK}"));
        }
        let mut edits: Vec<(u64, &Edit)> = Vec::new();
        for (tick, edit) in log.present() {
            // Within a tick, only the last place of the falcon counts.
            if let (Edit::Falcon { .. }, Some((before, Edit::Falcon { .. }))) = (edit, edits.last())
                && *before == tick
            {
                edits.pop();
            }
            edits.push((tick, edit));
        }
        let edits = edits.into_iter().map(|(tick, edit)| (tick, edit::to_json(edit))).collect();
        let name = name.strip_suffix(".toml").unwrap_or(&name).to_owned();
        Ok(Self { version: VERSION, name, scenario, tick, hash: format!("{hash:016x}"), edits })
    }

    /// Parses a link.
    ///
    /// # Errors
    ///
    /// Fails with the reason if it is damaged or of another version, or beyond a bound.
    pub fn parse(text: &str) -> Result<Self, String> {
        let damaged = || "this link is damaged, or of another version of throng".to_owned();
        if text.len() > LARGEST {
            return Err(format!("this link is larger than {} MiB", LARGEST >> 20));
        }
        let link: Self = serde_json::from_str(text).map_err(|_| damaged())?;
        let ticks = || link.edits.iter().map(|(tick, _)| *tick);
        let known = link.version == VERSION
            && link.name.len() <= LONGEST_NAME
            && link.hash.len() == 16
            && link.scenario.len() as u64 <= LARGEST_FILE
            && link.tick <= LAST_TICK
            && ticks().is_sorted()
            && ticks().all(|tick| tick <= link.tick)
            && link.edits.iter().all(|(_, edit)| edit::from_json(edit).is_some());
        if known { Ok(link) } else { Err(damaged()) }
    }

    /// The source of its world at the start.
    #[must_use]
    pub fn source(&self, registry: Registry) -> Source {
        Source::new(registry, PathBuf::from(&self.name), self.scenario.clone(), Place::Program)
    }

    /// The edits with their ticks.
    pub(super) fn edits(&self) -> impl Iterator<Item = (u64, Edit)> {
        self.edits.iter().filter_map(|(tick, edit)| Some((*tick, edit::from_json(edit)?)))
    }
}
