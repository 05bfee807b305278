//! The results of a benchmark as JSON and as CSV, and their comparison with earlier ones.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};
use throng_scenario::shown;

use super::machine::Machine;
use super::row::Row;
use super::statistics::Change;
use crate::failure::Failure;
use crate::files::existing;
use crate::output::{fixed, json_text};
use crate::terminal::warn;

/// The keys by which rows of two measurements are the same.
const KEYS: [&str; 5] = ["scenario", "dimensions", "size", "design", "threads"];

/// The machine and the rows as one JSON object.
pub(crate) fn json(machine: &Machine, rows: &[Row]) -> String {
    let all: Vec<Value> = rows.iter().map(|row| row.json(rows)).collect();
    json_text(&json!({ "machine": machine.json(), "rows": all }))
}

/// The rows as a table, after the machine in comments.
pub(crate) fn csv(machine: &Machine, rows: &[Row]) -> Result<String, Failure> {
    let mut text = String::new();
    for (key, value) in machine.json().as_object().into_iter().flatten() {
        let _ = writeln!(text, "# {key}: {}", plain(value));
    }
    let failed = |error: &dyn std::fmt::Display| Failure::Write(format!("the table: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (number, row) in rows.iter().enumerate() {
        let values = row.values(rows);
        if number == 0 {
            writer.write_record(values.iter().map(|(name, _)| name)).map_err(|error| failed(&error))?;
        }
        writer.write_record(values.iter().map(|(_, value)| plain(value))).map_err(|error| failed(&error))?;
    }
    let table = writer.into_inner().map_err(|error| failed(&error))?;
    text.push_str(&String::from_utf8_lossy(&table));
    Ok(text)
}

/// A value without quotes; nothing for null.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// An earlier measurement.
pub(crate) struct Record {
    file: String,
    machine: String,
    rows: Vec<Value>,
}

impl Record {
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let file = shown(&path).to_string();
        let refuse = |reason: String| Failure::Input(format!("{file}: {reason}"));
        let bytes = std::fs::read(existing(&path)?).map_err(|error| refuse(format!("cannot be read: {error}")))?;
        let object: Value = serde_json::from_slice(&bytes).map_err(|error| refuse(format!("is not JSON: {error}")))?;
        let rows = object["rows"].as_array().filter(|rows| rows.iter().all(|row| row["repetitions"].is_array()));
        let rows = rows.ok_or_else(|| refuse("is not a measurement: `throng bench --json` prints one".to_owned()))?;
        let machine = plain(&object["machine"]["name"]);
        Ok(Self { rows: rows.clone(), machine, file })
    }

    /// Compares rows with the rows of the record. Returns a line for each, and the names of slower ones.
    pub(crate) fn compare(&self, machine: &Machine, rows: &[Row]) -> Result<(String, Vec<String>), Failure> {
        if self.machine != machine.name() {
            warn(&format!("{} is of another machine: {}", self.file, self.machine));
        }
        let (mut lines, mut slower) = (Vec::new(), Vec::new());
        for row in rows {
            let values = row.values(rows);
            let value = |key: &str| values.iter().find(|(name, _)| *name == key).map(|(_, value)| value);
            let is_same = |old: &&Value| KEYS.iter().all(|key| Some(&old[*key]) == value(key));
            let Some(old) = self.rows.iter().find(is_same) else { continue };
            let before: Vec<f64> =
                old["repetitions"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
            if before.is_empty() {
                continue;
            }
            let change = Change::between(&before, &row.repetitions());
            let threads = if row.threads == 1 { "thread" } else { "threads" };
            let name = format!("{}, {}, {}D, {} {threads}", row.scenario, row.size, row.dimensions, row.threads);
            let name = if row.design == super::measure::THRONG { name } else { format!("{name}, {}", row.design) };
            let verdict = match change {
                change if change.is_slower() => "slower",
                change if change.is_faster() => "faster",
                _ => "",
            };
            let [low, high] = change.interval.map(percent);
            let bits = if Some(&old["hash"]) == value("hash") { "" } else { ", other bits" };
            lines.push(format!("  {name}{bits}\n    {:>8} %, {low} to {high} % {verdict}", percent(change.ratio)));
            if change.is_slower() {
                slower.push(name);
            }
        }
        if lines.is_empty() {
            return Err(Failure::Input(format!("{}: has none of these rows", self.file)));
        }
        let heading = format!("\n\x1b[1mChange against {}, with an interval of 95 %\x1b[0m", self.file);
        Ok((format!("{heading}\n{}\n", lines.join("\n")), slower))
    }

    /// The failure of rows that are slower than the rows of the record.
    pub(crate) fn failure(&self, slower: &[String]) -> Failure {
        Failure::Unexpected(format!("slower than in {}: {}", self.file, slower.join("; ")))
    }
}

/// A ratio as a change in per cent, with its sign.
fn percent(ratio: f64) -> String {
    let text = fixed(100.0 * (ratio - 1.0), 1);
    if text.starts_with('-') || text == "0.0" { text } else { format!("+{text}") }
}
