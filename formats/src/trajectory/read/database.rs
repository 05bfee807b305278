//! JuPedSim's databases of trajectories, versions 1 and 2.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::loaded::Loaded;
use super::{AgentRow, FARTHEST, TrajectoryError};

/// Reads a file as a whole.
pub(super) fn read(file: &Path) -> Result<Loaded, TrajectoryError> {
    let fail = |reason: &dyn std::fmt::Display| TrajectoryError::whole(file, reason);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags).map_err(|error| fail(&error))?;
    let value = |key: &str| -> Option<String> {
        connection.query_row("SELECT CAST(value AS TEXT) FROM metadata WHERE key = ?", [key], |row| row.get(0)).ok()
    };
    match value("version").as_deref() {
        Some("1" | "2") => {}
        Some(version) => return Err(fail(&format!("has the version {version} of JuPedSim's tables, not 1 or 2"))),
        None => return Err(fail(&"is not a trajectory of JuPedSim: its table `metadata` has no version")),
    }
    let positive = |number: &f64| *number > 0.0 && number.is_finite();
    let rate = value("fps").and_then(|text| text.parse().ok()).filter(positive);
    let rate: f64 = rate.ok_or_else(|| fail(&"the frame rate (`fps`) must be a positive number"))?;
    let every = value("every").and_then(|text| text.parse().ok()).filter(|every| *every > 0).unwrap_or(1);
    let select = "SELECT CAST(frame AS INTEGER), id, pos_x, pos_y FROM trajectory_data";
    let mut rows = Vec::new();
    let mut statement = connection.prepare(select).map_err(|error| fail(&error))?;
    let mut found = statement.query([]).map_err(|error| fail(&error))?;
    while let Some(row) = found.next().map_err(|error| fail(&error))? {
        let numbers = || Ok::<_, rusqlite::Error>((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        let (frame, id, x, y): (i64, i64, f64, f64) = numbers().map_err(|error| fail(&error))?;
        let position = [x as f32, y as f32, 0.0];
        let inside = position.iter().all(|at| at.abs() <= FARTHEST);
        let Some(tick) = u64::try_from(frame).ok().filter(|_| inside).map(|frame| frame.saturating_mul(every)) else {
            return Err(fail(&format!("frame {frame}: numbers of frames are positive, positions within 1e9 of zero")));
        };
        rows.push(AgentRow { tick, id: id as u64, species: 0, position, velocity: [0.0; 3] });
    }
    Ok(Loaded::new(2, vec!["agent".to_owned()], rows, (1.0 / rate, every)))
}
