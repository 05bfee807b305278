//! The records of measurements: one file per model, with the summed up numbers of each value of each test.
//!
//! A run of some tests or models replaces its own lines. The page is written from the records, so a new test or model
//! does not need all the others to run again.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use crate::run::Outcome;
use crate::standards::test::{Summary, Test};

/// The first line of a file.
const HEAD: &str = "test\tseeds\tvalue\tshown\tleast\tmost\tkept\tnumbers";

/// The measurements of a model, for each test by its name, with its number of seeds.
#[derive(Default)]
pub(crate) struct Record(BTreeMap<String, (u64, Vec<(String, Summary)>)>);

impl Record {
    fn path(model: &str) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("results").join(format!("{model}.tsv"))
    }

    /// Reads the record of a model; empty if it has none.
    pub(crate) fn read(model: &str) -> Outcome<Self> {
        let path = Self::path(model);
        if !path.exists() {
            return Ok(Self::default());
        }
        let mut record = Self::default();
        for line in std::fs::read_to_string(&path)?.lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let &[test, seeds, value, shown, least, most, kept, numbers] = &cells[..] else {
                return Err(format!("{}: a line has eight cells: {line}", path.to_string_lossy()).into());
            };
            let summary = Summary {
                shown: shown.parse()?,
                least: least.parse()?,
                most: most.parse()?,
                kept: kept.parse()?,
                numbers: numbers.parse()?,
            };
            let entry = record.0.entry(test.to_owned()).or_insert((seeds.parse()?, Vec::new()));
            entry.1.push((value.to_owned(), summary));
        }
        Ok(record)
    }

    /// Writes the record of a model.
    pub(crate) fn write(&self, model: &str) -> Outcome<()> {
        let mut text = format!("{HEAD}\n");
        for (test, (seeds, values)) in &self.0 {
            for (value, Summary { shown, least, most, kept, numbers }) in values {
                writeln!(text, "{test}\t{seeds}\t{value}\t{shown}\t{least}\t{most}\t{kept}\t{numbers}")?;
            }
        }
        Ok(std::fs::write(Self::path(model), text)?)
    }

    /// Replaces the measurements of a test, one for each of its values.
    pub(crate) fn set(&mut self, test: &Test, seeds: u64, summaries: &[Summary]) {
        let values = test.values.iter().map(|value| value.what.to_owned()).zip(summaries.iter().copied());
        self.0.insert(test.name.to_owned(), (seeds, values.collect()));
    }

    /// The number of seeds of a test, and the measurement of each of its values; none if the test has other values now.
    pub(crate) fn of(&self, test: &Test) -> Option<(u64, Vec<Summary>)> {
        let (seeds, values) = self.0.get(test.name)?;
        let is_same = values.iter().map(|(value, _)| &value[..]).eq(test.values.iter().map(|value| value.what));
        is_same.then(|| (*seeds, values.iter().map(|(_, summary)| *summary).collect()))
    }
}
