//! Trajectories as SQLite databases with the tables of JuPedSim, version 2.

use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags, params};

use super::{Frame, Heading};

/// The version of the tables.
const VERSION: u32 = 2;
/// The number of rows of a transaction, which whole frames exceed.
const TRANSACTION: usize = 1 << 16;

const TABLES: &str = "
    CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,
        pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
    CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
    CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
    CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);";

/// A database in progress. Its frames are whole at any time: a transaction that fails is taken back.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    heading: Heading,
    /// The corners of the box around all positions.
    bounds: [[f64; 2]; 2],
    /// The rows of the open transaction, and its last tick.
    rows: usize,
    open: Option<u64>,
    written: Option<u64>,
    /// Whether transactions must outlast a loss of power.
    durable: bool,
}

fn failed(error: rusqlite::Error) -> io::Error {
    let full = error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull);
    io::Error::new(if full { io::ErrorKind::StorageFull } else { io::ErrorKind::Other }, error.to_string())
}

impl Database {
    /// Creates the tables in an empty file.
    ///
    /// # Errors
    ///
    /// The world has three dimensions; the file cannot be written.
    pub fn create(path: &Path, heading: &Heading) -> io::Result<Self> {
        if heading.dimensions != 2 {
            let reason = "holds positions of two dimensions, and the world has three";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        let connection = open(path).map_err(failed)?;
        let database = Self {
            connection,
            heading: heading.clone(),
            bounds: heading.bounds,
            rows: 0,
            open: None,
            written: None,
            durable: false,
        };
        database.describe().map_err(failed)?;
        Ok(database)
    }

    /// Continues after the frame of this tick, and removes later ones.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or is not a database of this run.
    pub fn resume(path: &Path, heading: &Heading, last: Option<u64>) -> io::Result<Self> {
        let connection = open(path).map_err(failed)?;
        let mut database = Self {
            connection,
            heading: heading.clone(),
            bounds: heading.bounds,
            rows: 0,
            open: None,
            written: last,
            durable: true,
        };
        database.go_on(last).map_err(failed)?;
        Ok(database)
    }

    /// Compares the number of frames up to this tick, which are this number of ticks apart.
    ///
    /// # Errors
    ///
    /// The reason why a run cannot continue the file.
    pub fn check(path: &Path, every: u64, last: Option<u64>) -> Result<(), String> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags);
        let frames = last.map_or(0, |last| last / if every == 0 { 1 } else { every } + 1);
        let count = "SELECT count(*) FROM frame_data WHERE frame < ?";
        let found =
            connection.and_then(|connection| connection.query_row(count, [frames as i64], |row| row.get::<_, i64>(0)));
        match found {
            Ok(found) if found == frames as i64 => Ok(()),
            Ok(found) => Err(format!("has {found} of the {frames} frames that it had")),
            Err(error) => Err(format!("cannot be read: {error}")),
        }
    }

    fn describe(&self) -> rusqlite::Result<()> {
        let Heading { seed, version, tick_seconds, every, .. } = &self.heading;
        self.connection.execute_batch("BEGIN")?;
        self.connection.execute_batch(TABLES)?;
        self.connection.execute("INSERT INTO geometry VALUES(0, ?)", [&self.heading.walkable])?;
        let mut insert = self.connection.prepare("INSERT INTO metadata VALUES(?, ?)")?;
        insert.execute(params!["version", VERSION.to_string()])?;
        insert.execute(params!["fps", self.heading.frame_rate().to_string()])?;
        insert.execute(params!["throng_version", version])?;
        insert.execute(params!["scenario", self.heading.scenario])?;
        insert.execute(params!["seed", seed.to_string()])?;
        insert.execute(params!["tick_seconds", tick_seconds.to_string()])?;
        insert.execute(params!["every", every.to_string()])?;
        drop(insert);
        self.write_bounds()?;
        self.connection.execute_batch("COMMIT")
    }

    fn go_on(&mut self, last: Option<u64>) -> rusqlite::Result<()> {
        let frames = last.map_or(0, |last| self.heading.frame(last) + 1) as i64;
        self.connection.execute_batch("PRAGMA synchronous = FULL; BEGIN; DROP INDEX IF EXISTS frame_id_idx;")?;
        self.connection.execute("DELETE FROM trajectory_data WHERE frame >= ?", [frames])?;
        self.connection.execute("DELETE FROM frame_data WHERE frame >= ?", [frames])?;
        let limits = "SELECT min(pos_x), min(pos_y), max(pos_x), max(pos_y) FROM trajectory_data";
        let found: [Option<f64>; 4] =
            self.connection.query_row(limits, [], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
        if let [Some(left), Some(bottom), Some(right), Some(top)] = found {
            self.include([left, bottom]);
            self.include([right, top]);
        }
        self.write_bounds()?;
        self.connection.execute_batch("COMMIT")
    }

    fn include(&mut self, point: [f64; 2]) {
        let [low, high] = &mut self.bounds;
        for axis in 0..2 {
            low[axis] = if point[axis] < low[axis] { point[axis] } else { low[axis] };
            high[axis] = if point[axis] > high[axis] { point[axis] } else { high[axis] };
        }
    }

    fn write_bounds(&self) -> rusqlite::Result<()> {
        let [low, high] = self.bounds;
        let mut insert = self.connection.prepare("INSERT OR REPLACE INTO metadata VALUES(?, ?)")?;
        for (key, value) in [("xmin", low[0]), ("ymin", low[1]), ("xmax", high[0]), ("ymax", high[1])] {
            insert.execute(params![key, value.to_string()])?;
        }
        Ok(())
    }

    /// Writes a frame.
    ///
    /// # Errors
    ///
    /// The file cannot be written. The frames since the last transaction are then lost; [`written`](Self::written) is
    /// the tick of the last one that is not.
    pub fn write(&mut self, frame: &Frame) -> io::Result<()> {
        let written = self.insert(frame).and_then(|()| if self.rows >= TRANSACTION { self.commit() } else { Ok(()) });
        written.map_err(|error| self.take_back(error))
    }

    /// The tick of the last frame that is in the file for good.
    #[must_use]
    pub const fn written(&self) -> Option<u64> {
        self.written
    }

    /// Makes all that was written durable.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn mark(&mut self) -> io::Result<()> {
        if !self.durable {
            // A transaction with a sync makes the earlier ones durable too.
            self.commit().map_err(|error| self.take_back(error))?;
            self.connection.execute_batch("PRAGMA synchronous = FULL").map_err(failed)?;
            self.durable = true;
        }
        self.begin().and_then(|()| self.commit()).map_err(|error| self.take_back(error))
    }

    /// Ends the last transaction and sorts the rows into an index.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn finish(&mut self) -> io::Result<()> {
        self.commit().map_err(|error| self.take_back(error))?;
        self.connection.execute_batch("CREATE INDEX frame_id_idx ON trajectory_data(frame, id)").map_err(failed)
    }

    fn begin(&mut self) -> rusqlite::Result<()> {
        if self.connection.is_autocommit() { self.connection.execute_batch("BEGIN") } else { Ok(()) }
    }

    fn insert(&mut self, frame: &Frame) -> rusqlite::Result<()> {
        self.begin()?;
        let number = self.heading.frame(frame.tick) as i64;
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        {
            let mut insert = self.connection.prepare("INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?)")?;
            for rows in &frame.species {
                for (row, id) in rows.ids.iter().enumerate() {
                    let [x, y] = [0, 1].map(|axis| rows.position(row, axis));
                    for (axis, at) in [x, y].into_iter().enumerate() {
                        low[axis] = if at < low[axis] { at } else { low[axis] };
                        high[axis] = if at > high[axis] { at } else { high[axis] };
                    }
                    let [vx, vy] = [0, 1].map(|axis| f64::from(rows.velocities[axis][row]));
                    let speed = (vx * vx + vy * vy).sqrt();
                    let [along, across] = if speed > 0.0 { [vx / speed, vy / speed] } else { [1.0, 0.0] };
                    insert.execute(params![number, *id as i64, x, y, along, across])?;
                }
            }
            let mut insert = self.connection.prepare("INSERT INTO frame_data VALUES(?, 0)")?;
            insert.execute([number])?;
        }
        if low[0] <= high[0] {
            self.include(low);
            self.include(high);
        }
        self.rows += frame.agents();
        self.open = Some(frame.tick);
        Ok(())
    }

    fn commit(&mut self) -> rusqlite::Result<()> {
        if self.connection.is_autocommit() {
            return Ok(());
        }
        self.write_bounds()?;
        self.connection.execute_batch("COMMIT")?;
        self.written = self.open.take().or(self.written);
        self.rows = 0;
        Ok(())
    }

    fn take_back(&mut self, error: rusqlite::Error) -> io::Error {
        // It may have been taken back already.
        let _ = self.connection.execute_batch("ROLLBACK");
        (self.open, self.rows) = (None, 0);
        failed(error)
    }
}

/// Opens a file for writing. A run that is killed leaves whole frames; without checkpoints it may lose them with the
/// power, as the run is lost too.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -16000")?;
    Ok(connection)
}
