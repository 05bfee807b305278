//! Tables with a row for each frame and two columns for each animal, as idtracker.ai writes them: `x1, y1, x2, y2`.

use std::io::Read;
use std::path::Path;

use super::columns::with_unit;
use super::loaded::{Loaded, NO_RATE, NO_SCALE, in_comments};
use super::rows::{AgentRow, FARTHEST, TrajectoryError};
use crate::table::{TextTable, TextTableError};

/// The places of the columns.
#[derive(Debug)]
pub(super) struct Wide {
    /// The time in seconds.
    time: Option<usize>,
    /// The coordinates of each animal.
    animals: Vec<[usize; 2]>,
}

impl Wide {
    /// Finds the columns; `None` if this is not such a table.
    pub(super) fn find(names: &[String]) -> Option<Self> {
        let place = |name: String| names.iter().position(|known| known.eq_ignore_ascii_case(&name));
        let animal = |number: u32| Some([place(format!("x{number}"))?, place(format!("y{number}"))?]);
        let animals: Vec<[usize; 2]> = (1..).map_while(animal).collect();
        let time = names.iter().position(|name| ["time", "seconds"].contains(&&with_unit(name).0[..]));
        (!animals.is_empty()).then_some(Self { time, animals })
    }

    /// Reads the rows. An animal without numbers is missing in the frame.
    pub(super) fn read(self, file: &Path, mut table: TextTable<impl Read>) -> Result<Loaded, TrajectoryError> {
        let wrong = |error: TextTableError| TrajectoryError::at(file, error.line, error.column, error.reason);
        let [rate, scale] = ["framerate", "scale"].map(|word| in_comments(table.comments(), word));
        let (mut rows, mut frame, mut first, mut seconds) = (Vec::new(), 0, None, None);
        while table.next().map_err(wrong)? {
            let number = |place: usize| {
                let name = table.names().get(place).map_or("", String::as_str);
                let problem =
                    || table.problem(table.column(place), format!("{name} must be a number, within 1e9 of zero"));
                let field = table.field(place).ok_or_else(problem)?;
                match field.parse::<f64>() {
                    Ok(number) if number.is_nan() => Ok(None),
                    Ok(number) if number.abs() <= f64::from(FARTHEST) => Ok(Some(number)),
                    _ if field.is_empty() => Ok(None),
                    _ => Err(problem()),
                }
            };
            if let Some(time) = self.time.map(number).transpose().map_err(wrong)?.flatten() {
                let (first, start) = *first.get_or_insert((frame, time));
                seconds = (frame > first).then(|| (time - start) / (frame - first) as f64).or(seconds);
            }
            for (&[x, y], id) in self.animals.iter().zip(1..) {
                if let (Some(x), Some(y)) = (number(x).map_err(wrong)?, number(y).map_err(wrong)?) {
                    let position = [x, y, 0.0].map(|axis| (axis * scale.unwrap_or(1.0)) as f32);
                    let line = u32::try_from(table.line()).unwrap_or(0);
                    rows.push(AgentRow { tick: frame, id, species: 0, line, position, velocity: [0.0; 3] });
                }
            }
            frame += 1;
        }
        let seconds = rate.map(|rate| 1.0 / rate).or(seconds).filter(|seconds: &f64| *seconds > 0.0);
        let notes = [seconds.is_none().then_some(NO_RATE), scale.is_none().then_some(NO_SCALE)];
        let notes = notes.into_iter().flatten().map(str::to_owned).collect();
        Ok(Loaded::new(2, vec!["agent".to_owned()], rows, (seconds.unwrap_or(1.0), 1), false).with(notes))
    }
}
