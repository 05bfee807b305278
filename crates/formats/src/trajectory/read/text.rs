//! The text of the pedestrian data archive: `id frame x y [z]`, with units and a frame rate in its first lines.

use std::io::BufRead;
use std::path::Path;

use super::loaded::{Loaded, NO_RATE, after};
use super::rows::{AgentRow, FARTHEST, TrajectoryError, unread, whole};

/// The longest valid line, in bytes.
const LONGEST_LINE: u64 = 4096;

/// The note of a file without a unit.
const NO_UNIT: &str = "no unit: coordinates count as metres; a first line such as `# id frame x/m y/m` has it";

/// Reads a file as a whole. Without a frame rate, frames are a second apart; without a unit, coordinates are metres. The
/// first line may name the columns, with or without a sign of a comment.
pub(super) fn read(file: &Path, mut lines: impl BufRead) -> Result<Loaded, TrajectoryError> {
    let (mut rate, mut every, mut scale, mut dimensions, mut further) = (None, 1, None, 2, 0);
    let (mut rows, mut line, mut number) = (Vec::new(), Vec::new(), 0);
    loop {
        line.clear();
        let read = std::io::Read::take(&mut lines, LONGEST_LINE).read_until(b'\n', &mut line);
        let read = read.map_err(|error| TrajectoryError::whole(file, format!("cannot be read: {error}")))?;
        if read == 0 {
            break;
        }
        number += 1;
        let problem = |column: usize, reason: &str| TrajectoryError::at(file, number, column, reason);
        if read as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
            return Err(problem(1, "the line is too long for a trajectory"));
        }
        let text = str::from_utf8(&line).map_err(|error| problem(error.valid_up_to() + 1, "is not UTF-8"))?;
        let text = text.trim_start_matches('\u{feff}').trim();
        let heading = (number == 1 && text.starts_with(|first: char| first.is_alphabetic())).then_some(text);
        if let Some(comment) = text.strip_prefix('#').or(heading) {
            let comment = comment.to_ascii_lowercase();
            rate = after(&comment, "framerate").filter(|rate| *rate > 0.0).or(rate);
            if comment.contains("throng") {
                every = after(&comment, "every").filter(|every| *every >= 1.0).map_or(every, |every| every as u64);
            }
            let units = [("m", 1.0), ("cm", 0.01), ("mm", 0.001)].into_iter();
            scale = units
                .fold(scale, |scale, (unit, length)| if names_unit(&comment, unit) { Some(length) } else { scale });
            continue;
        }
        if text.is_empty() {
            continue;
        }
        let mut fields = text.split_ascii_whitespace();
        let mut whole = |name: &str| {
            let number = fields.next().and_then(whole);
            number.ok_or_else(|| problem(1, &format!("{name} must be a whole number")))
        };
        let (id, frame): (u64, u64) = (whole("id")?, whole("frame")?);
        let mut position = [0.0; 3];
        let mut count = 0;
        for (component, field) in position.iter_mut().zip(fields.by_ref()) {
            let at: Option<f64> = field.parse().ok();
            let at = at.map(|at| (at * scale.unwrap_or(1.0)) as f32).filter(|at| at.abs() <= FARTHEST);
            *component = at.ok_or_else(|| problem(1, "a coordinate must be a number, within 1e9 of zero"))?;
            count += 1;
        }
        if count < 2 {
            return Err(problem(1, "a row has id, frame, x and y"));
        }
        dimensions = if count == 3 { 3 } else { dimensions };
        further = further.max(fields.count());
        let tick = frame.saturating_mul(every);
        let line = u32::try_from(number).unwrap_or(0);
        rows.push(AgentRow { tick, id, species: 0, line, position, velocity: [0.0; 3] });
    }
    let columns: Vec<String> = (0..further).map(|column| (column + 6).to_string()).collect();
    let mut notes: Vec<String> = unread(&columns).into_iter().collect();
    if rate.is_none() {
        notes.push(NO_RATE.to_owned());
    }
    if scale.is_none() {
        notes.push(NO_UNIT.to_owned());
    }
    let times = (1.0 / rate.unwrap_or(1.0), every);
    Ok(Loaded::new(dimensions, vec!["agent".to_owned()], rows, times, false).with(notes))
}

/// Whether a comment names a unit, as `x/cm` or `in cm`.
fn names_unit(comment: &str, unit: &str) -> bool {
    ["x/", "x [", "x[", "x (", "in "].iter().any(|before| {
        let named = comment.split(before).skip(1).filter_map(|rest| rest.strip_prefix(unit));
        named.into_iter().any(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    })
}
