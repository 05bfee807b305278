//! Tracks of a trajectory: the paths of its agents, frame by frame.

use std::path::Path;

use throng::{Settings, Track, Tracks, Vector};

use crate::recorded_rows::{RecordedRows, at_row};

/// The largest number of frames without a position, of all agents between their first and their last.
const MOST_MISSING: u64 = 1 << 23;

/// The largest number of the last frame of a track.
const LAST_FRAME: u64 = (1 << 32) - 1;

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
    /// Reads a trajectory: CSV, Parquet, JuPedSim's SQLite, or the text of the pedestrian data archive. Frames in which an
    /// agent is missing, between its first and its last, lie on a straight line.
    ///
    /// # Errors
    ///
    /// The reason in words, with its place.
    pub fn read(file: &Path, settings: &Settings<D>, options: TrackOptions<'_>) -> Result<Self, String> {
        let RecordedRows { rows: found, tick_seconds, notes } = RecordedRows::read(file, D, options.species)?;
        let rows = found.iter().map(|row| (row.id, row.tick, Vector::from_fn(|axis| row.position[axis])));
        let tracks = Self::of(rows.collect(), settings, options, tick_seconds).map_err(|fault| {
            let row = fault.row.and_then(|(id, tick)| found.iter().find(|row| (row.id, row.tick) == (id, tick)));
            at_row(file, row, &fault.reason)
        })?;
        Ok(Self { notes, ..tracks })
    }

    /// The tracks of these rows, in any order. `tick` is the time in seconds between two consecutive numbers of frames, if
    /// it is known.
    ///
    /// # Errors
    ///
    /// The reason in words.
    pub fn of_rows(
        rows: Vec<TrackRow<D>>,
        settings: &Settings<D>,
        options: TrackOptions<'_>,
        tick: Option<f64>,
    ) -> Result<Self, String> {
        Self::of(rows, settings, options, tick).map_err(|fault| fault.reason)
    }

    fn of(
        mut rows: Vec<TrackRow<D>>,
        settings: &Settings<D>,
        options: TrackOptions<'_>,
        tick: Option<f64>,
    ) -> Result<Self, TrackFault> {
        let whole = |reason: String| TrackFault { row: None, reason };
        let at = |row: &TrackRow<D>, reason: String| TrackFault { row: Some((row.0, row.1)), reason };
        let mut ticks: Vec<u64> = rows.iter().map(|(_, tick, _)| *tick).collect();
        ticks.sort_unstable();
        ticks.dedup();
        let Some(&first) = ticks.first() else { return Err(whole("holds no agents".to_owned())) };
        let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(1);
        let of_file = |tick: f64| {
            let seconds = (tick * step as f64) as f32;
            match Tracks::<D>::FRAME.contains(f64::from(seconds)) {
                true => Ok(seconds),
                false => {
                    let second = rows.iter().find(|row| Some(row.1) == ticks.get(1).copied());
                    let reason = format!("frames are {seconds} s apart: tracks have at most 1000 s between frames");
                    Err(second.map_or(whole(reason.clone()), |row| at(row, reason)))
                }
            }
        };
        let frame_seconds = match (options.frame_seconds, tick) {
            (Some(seconds), _) => seconds,
            (None, Some(tick)) => of_file(tick)?,
            (None, None) => {
                return Err(whole("has no time: frame_seconds gives the time between frames".to_owned()));
            }
        };
        drop(ticks);
        let from = options.from.unwrap_or(first);
        rows.sort_unstable_by_key(|(id, tick, _)| (*id, *tick));
        if let Some(twice) = rows.windows(2).find(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            return Err(at(&twice[1], format!("agent {} has two positions at {}", twice[0].0, twice[0].1)));
        }
        // The frames are counted before there is a position for each.
        let mut count = 0_u64;
        for rows in rows.chunk_by(|one, next| one.0 == next.0) {
            let Some((first, last)) = frames(rows, (from, step)) else { continue };
            if last > LAST_FRAME {
                let reason = format!("lies {last} frames of {frame_seconds} s after the first, more than {LAST_FRAME}");
                return Err(at(&rows[rows.len() - 1], reason));
            }
            count = count.saturating_add(last - first + 1);
        }
        if count > rows.len() as u64 + MOST_MISSING {
            let gap = |pair: &&[TrackRow<D>]| if pair[0].0 == pair[1].0 { pair[1].1 - pair[0].1 } else { 0 };
            let missing = count - rows.len() as u64;
            let reason = format!("{missing} frames of agents are missing, more than {MOST_MISSING}");
            return Err(match rows.windows(2).max_by_key(gap) {
                Some(pair) => {
                    at(&pair[1], format!("agent {} has no position from {} on: {reason}", pair[0].0, pair[0].1))
                }
                None => whole(reason),
            });
        }
        let mut all = Vec::new();
        for rows in rows.chunk_by(|one, next| one.0 == next.0) {
            all.extend(track(rows, settings, (from, step)).map(|track| (rows[0].0, track)));
        }
        if all.is_empty() {
            return Err(whole(format!("holds no agents from {from} on")));
        }
        all.sort_by_key(|(id, track)| (track.first, *id));
        let (ids, tracks) = all.into_iter().unzip();
        Ok(Self { frame_seconds, tracks, ids, notes: Vec::new() })
    }
}

/// The reason to refuse rows, and the id and the tick of the row at fault.
struct TrackFault {
    row: Option<(u64, u64)>,
    reason: String,
}

/// The first and the last frame of the track of these rows; `None` if it has none at or after the first of all.
fn frames<const D: usize>(rows: &[TrackRow<D>], (from, step): (u64, u64)) -> Option<(u64, u64)> {
    let (start, end) = (rows[0].1, rows[rows.len() - 1].1);
    let (first, last) = (start.saturating_sub(from).div_ceil(step), end.checked_sub(from)? / step);
    (first <= last).then_some((first, last))
}

/// The track of an agent with these rows.
fn track<const D: usize>(rows: &[TrackRow<D>], settings: &Settings<D>, (from, step): (u64, u64)) -> Option<Track<D>> {
    let (first, last) = frames(rows, (from, step))?;
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
    Some(Track { first, positions })
}
