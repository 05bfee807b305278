//! Tracks of a trajectory: the paths of its agents, frame by frame.

use std::path::Path;

use throng::{Settings, Track, Vector};
use throng_formats::trajectory::TrajectoryReader;

/// The largest number of positions of all tracks of a file.
const MOST: u64 = 1 << 27;

/// The parts of a trajectory to read, and what it may lack.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrackOptions<'o> {
    /// The species, if the file has it; otherwise all agents.
    pub species: Option<&'o str>,
    /// The tick or frame of the file at which the tracks begin; `None` for its first.
    pub from: Option<u64>,
    /// The time between frames in seconds; `None` for the time in the file.
    pub frame_seconds: Option<f32>,
}

/// One agent in one frame: its id, the number of the frame, and its position in metres.
pub type TrackRow<const D: usize> = (u64, u64, Vector<D>);

/// The tracks of a trajectory, for [`Tracks`](throng::Tracks).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RecordedTracks<const D: usize> {
    /// The time between frames, in seconds.
    pub frame_seconds: f32,
    /// The tracks, in the order of their first frames and of ids.
    pub tracks: Vec<Track<D>>,
    /// The id of each in the file.
    pub ids: Vec<u64>,
    /// Parts of the file that are not read or are guesses, in words.
    pub notes: Vec<String>,
}

impl<const D: usize> RecordedTracks<D> {
    /// Reads a trajectory: CSV or Parquet of throng, JuPedSim's SQLite, or the text of the pedestrian data archive.
    /// Frames in which an agent is missing, between its first and its last, lie on a straight line.
    ///
    /// # Errors
    ///
    /// The reason in words, with its place.
    pub fn read(file: &Path, settings: &Settings<D>, options: TrackOptions<'_>) -> Result<Self, String> {
        let wrong = |reason: String| format!("{}: {reason}", file.to_string_lossy());
        let mut reader = TrajectoryReader::open(file).map_err(|error| error.to_string())?;
        let mut rows = Vec::new();
        while let Some(row) = reader.row().map_err(|error| error.to_string())? {
            rows.push(row);
        }
        if reader.dimensions() < D {
            return Err(wrong(format!("has {} dimensions, and the world {D}", reader.dimensions())));
        }
        let mut notes = reader.notes();
        if reader.dimensions() > D {
            notes.insert(0, "z is not read: the world has two dimensions".to_owned());
        }
        if let Some(number) = options.species.and_then(|name| reader.species().iter().position(|known| known == name)) {
            rows.retain(|row| row.species == number as u32);
        }
        let rows = rows.iter().map(|row| (row.id, row.tick, Vector::from_fn(|axis| row.position[axis])));
        let tick = reader.tick_seconds();
        let tracks = Self::of_rows(rows.collect(), settings, options, tick).map_err(wrong)?;
        Ok(Self { notes, ..tracks })
    }

    /// The tracks of these rows, in any order. `tick` is the time in seconds between two consecutive numbers of frames, if
    /// it is known.
    ///
    /// # Errors
    ///
    /// The reason in words.
    pub fn of_rows(
        mut rows: Vec<TrackRow<D>>,
        settings: &Settings<D>,
        options: TrackOptions<'_>,
        tick: Option<f64>,
    ) -> Result<Self, String> {
        let mut ticks: Vec<u64> = rows.iter().map(|(_, tick, _)| *tick).collect();
        ticks.sort_unstable();
        ticks.dedup();
        let Some(&first) = ticks.first() else { return Err("holds no agents".to_owned()) };
        let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(1);
        let frame_seconds = options.frame_seconds.or_else(|| tick.map(|tick| (tick * step as f64) as f32));
        let frame_seconds = frame_seconds.ok_or("has no time: frame_seconds gives the time between frames")?;
        let from = options.from.unwrap_or(first);
        rows.sort_by_key(|(id, tick, _)| (*id, *tick));
        if let Some(twice) = rows.windows(2).find(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            return Err(format!("agent {} has two positions at {}", twice[0].0, twice[0].1));
        }
        let (mut all, mut count) = (Vec::new(), 0);
        for rows in rows.chunk_by(|one, next| one.0 == next.0) {
            let Some(track) = track(rows, settings, (from, step), &mut count)? else { continue };
            all.push((rows[0].0, track));
        }
        if all.is_empty() {
            return Err(format!("holds no agents from {from} on"));
        }
        all.sort_by_key(|(id, track)| (track.first, *id));
        let (ids, tracks) = all.into_iter().unzip();
        Ok(Self { frame_seconds, tracks, ids, notes: Vec::new() })
    }
}

/// The track of an agent with these rows; `None` if it has no frame at or after the first. Adds its positions to `count`.
fn track<const D: usize>(
    rows: &[TrackRow<D>],
    settings: &Settings<D>,
    (from, step): (u64, u64),
    count: &mut u64,
) -> Result<Option<Track<D>>, String> {
    let (start, end) = (rows[0].1, rows[rows.len() - 1].1);
    if end < from {
        return Ok(None);
    }
    let (first, last) = (start.saturating_sub(from).div_ceil(step), (end - from) / step);
    if first > last {
        return Ok(None);
    }
    *count = count.saturating_add(last - first + 1);
    if *count > MOST {
        return Err(format!("has more than {MOST} positions, with missing frames"));
    }
    let (mut positions, mut next) = (Vec::with_capacity((last - first + 1) as usize), 0);
    for tick in (first..=last).map(|frame| from + frame * step) {
        while rows[next].1 < tick {
            next += 1;
        }
        let (_, after, to) = rows[next];
        positions.push(match next.checked_sub(1).map(|before| rows[before]) {
            Some((_, before, from)) if after > tick => {
                from + settings.offset(from, to) * ((tick - before) as f64 / (after - before) as f64) as f32
            }
            _ => to,
        });
    }
    Ok(Some(Track { first, positions }))
}
