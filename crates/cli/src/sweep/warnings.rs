//! Warnings of a sweep: of its scenarios, of faults in its runs, and of seeds that differ.

use std::collections::BTreeMap;

use throng::measures::{MeasureOf, disagreement};
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

/// The faults of the computed runs, and other warnings of them.
#[derive(Default)]
pub(super) struct RunFaults {
    all: Faults,
    /// The first other warning of each kind and key.
    others: Vec<Warning>,
    runs: u64,
    /// For each kind and key, the number of runs and the first of them.
    kinds: Vec<((WarningKind, String), u64, String)>,
}

impl RunFaults {
    /// Adds the warnings of a finished run with these values.
    pub(super) fn add(&mut self, faults: Faults, others: Vec<Warning>, run: &[String], vary: &[Vary]) {
        self.runs += 1;
        for warning in faults.warnings().iter().chain(&others) {
            match self.kinds.iter_mut().find(|(known, ..)| *known == key(warning)) {
                Some((_, runs, _)) => *runs += 1,
                None => self.kinds.push((key(warning), 1, values(run, vary))),
            }
        }
        for warning in others {
            if self.others.iter().all(|other| key(other) != key(&warning)) {
                self.others.push(warning);
            }
        }
        self.all += faults;
    }

    /// Prints them.
    pub(super) fn print(&self) {
        for warning in self.all.warnings().iter().chain(&self.others) {
            if let Some((_, runs, first)) = self.kinds.iter().find(|(known, ..)| *known == key(warning)) {
                let first = if first.is_empty() { String::new() } else { format!(", such as {first}") };
                warn(&format!("{warning} (in {runs} of {} runs{first})", self.runs));
            }
        }
    }
}

/// The means of the computed runs and their errors, for each combination of values and each measure.
#[derive(Default)]
pub(super) struct Seeds(BTreeMap<String, Vec<Vec<(f64, f64)>>>);

impl Seeds {
    /// Adds the mean and the error of each measure in a run with these values.
    pub(super) fn add(&mut self, run: &[String], vary: &[Vary], means: impl Iterator<Item = (f64, f64)>) {
        let measures = self.0.entry(values(run, vary)).or_default();
        for (place, mean) in means.enumerate() {
            if measures.len() == place {
                measures.push(Vec::new());
            }
            measures[place].push(mean);
        }
    }

    /// Warns of the measures whose seeds differ by more than the errors of single runs say.
    pub(super) fn print(&self, measures: &[MeasureOf]) {
        for (place, of) in measures.iter().enumerate() {
            let worst = |(values, found): (&String, &Vec<Vec<(f64, f64)>>)| {
                Some((disagreement(found.get(place)?)?, values.clone()))
            };
            let differing: Vec<(f64, String)> = self.0.iter().filter_map(worst).collect();
            let Some((times, values)) = differing.iter().max_by(|one, other| one.0.total_cmp(&other.0)) else {
                continue;
            };
            let values = if values.is_empty() { String::new() } else { format!(" ({values})") };
            let all = self.0.len();
            warn(&format!(
                "{of}: seeds differ by up to {times:.1} times the error of one run{values}, in {} of {all} combinations: \
                 take the spread over seeds, or longer runs",
                differing.len()
            ));
        }
    }
}

/// Warnings with the same one are counted together.
fn key(warning: &Warning) -> (WarningKind, String) {
    (warning.kind, warning.key.clone())
}

/// The varied keys of a run with their values.
fn values(run: &[String], vary: &[Vary]) -> String {
    let keys = vary.iter().flat_map(|vary| &vary.keys);
    keys.zip(run).map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}
