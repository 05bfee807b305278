//! Warnings of a sweep: of its scenarios, and of faults in its runs.

use throng::{Faults, Warning, WarningKind};

use super::vary::Vary;
use crate::terminal::warn;

/// The number of different warnings that are printed.
const SHOWN: usize = 10;

/// The different warnings of the scenarios of a sweep, each with the first run that has it.
#[derive(Default)]
pub(super) struct Doubts(Vec<(Warning, String)>);

impl Doubts {
    /// Adds a warning of the scenario of a run with these values.
    pub(super) fn add(&mut self, warning: Warning, run: &[String], vary: &[Vary]) {
        // A noise that is varied may reach disorder.
        let is_meant = warning.kind == WarningKind::Noise && vary.iter().any(|vary| vary.keys.contains(&warning.key));
        if !is_meant {
            self.0.push((warning, values(run, vary)));
        }
    }

    /// Prints them.
    pub(super) fn print(&self) {
        for (warning, values) in self.0.iter().take(SHOWN) {
            let of = if values.is_empty() { String::new() } else { format!(" ({values})") };
            warn(&format!("{warning}{of}"));
        }
        if self.0.len() > SHOWN {
            warn(&format!("and {} more", self.0.len() - SHOWN));
        }
    }
}

/// The faults of the computed runs.
#[derive(Default)]
pub(super) struct RunFaults {
    all: Faults,
    runs: u64,
    /// For each kind, the number of runs and the first of them.
    kinds: Vec<(WarningKind, u64, String)>,
}

impl RunFaults {
    /// Adds the warnings of a finished run with these values.
    pub(super) fn add(&mut self, faults: Faults, run: &[String], vary: &[Vary]) {
        self.runs += 1;
        for warning in faults.warnings() {
            match self.kinds.iter_mut().find(|(kind, ..)| *kind == warning.kind) {
                Some((_, runs, _)) => *runs += 1,
                None => self.kinds.push((warning.kind, 1, values(run, vary))),
            }
        }
        self.all += faults;
    }

    /// Prints them.
    pub(super) fn print(&self) {
        for warning in self.all.warnings() {
            if let Some((_, runs, first)) = self.kinds.iter().find(|(kind, ..)| *kind == warning.kind) {
                let first = if first.is_empty() { String::new() } else { format!(", such as {first}") };
                warn(&format!("{warning} (in {runs} of {} runs{first})", self.runs));
            }
        }
    }
}

/// The varied keys of a run with their values.
fn values(run: &[String], vary: &[Vary]) -> String {
    let keys = vary.iter().flat_map(|vary| &vary.keys);
    keys.zip(run).map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}
