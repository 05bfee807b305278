//! JuPedSim's databases of trajectories, versions 1 and 2.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::loaded::Loaded;
use super::rows::{AgentRow, FARTHEST, TrajectoryError};

/// The rows that any file may hold, and the bytes of a file for each further one: a row has four numbers and a heading.
const MOST_ROWS: u64 = 1 << 20;
const BYTES_PER_ROW: u64 = 6;

/// Refuses views, virtual tables and generated columns instead of tables: they compute rows without end.
fn is_plain(connection: &Connection) -> Result<(), String> {
    let names = "('trajectory_data', 'metadata')";
    let count = |what: &str| {
        let found = connection.query_row(what, [], |row| row.get::<_, i64>(0));
        found.map_err(|error| error.to_string())
    };
    let tables = count(&format!("SELECT count(*) FROM sqlite_schema WHERE name IN {names} AND rootpage > 0"))?;
    if tables < 2 {
        return Err("is not a trajectory of JuPedSim: it has no tables `trajectory_data` and `metadata`".to_owned());
    }
    for table in ["trajectory_data", "metadata"] {
        if count(&format!("SELECT count(*) FROM pragma_table_xinfo('{table}') WHERE hidden > 0"))? > 0 {
            return Err(format!("its table `{table}` has columns that are computed"));
        }
    }
    Ok(())
}

/// Reads a file as a whole.
pub(super) fn read(file: &Path) -> Result<Loaded, TrajectoryError> {
    let fail = |reason: &dyn std::fmt::Display| TrajectoryError::whole(file, reason);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags).map_err(|error| fail(&error))?;
    is_plain(&connection).map_err(|error| fail(&error))?;
    let length = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
    let most = MOST_ROWS + length / BYTES_PER_ROW;
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
        if rows.len() as u64 >= most {
            return Err(fail(&format!("has more than {most} rows in {length} bytes: it is damaged")));
        }
        rows.push(AgentRow { tick, id: id as u64, species: 0, line: 0, position, velocity: [0.0; 3] });
    }
    Ok(Loaded::new(2, vec!["agent".to_owned()], rows, (1.0 / rate, every), false))
}
