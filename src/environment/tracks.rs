//! Tracks: recorded paths that agents follow.

use crate::base::error::Error;
use crate::base::handles::TracksId;
use crate::base::ids::AgentId;
use crate::base::settings::{LIMIT, Settings, within_limit};
use crate::base::values::{Allowed, Kind, Range};
use crate::environment::collection::{Data, Item};
use crate::maths::Vector;

/// The largest number of tracks of an item, and of the frames before the end of a track.
const MOST: u64 = 1 << 32;

/// The part of a frame that is rounding, in addition to the rounding of the lengths of ticks and frames.
const ROUNDING: f64 = 1e-4;

/// Recorded paths: agents come into the world where a track starts, follow it, and leave where it ends.
///
/// Each track has one agent of the species, from its first frame to its last. Other agents perceive it like any agent of
/// its species. Its rules, its limits, other agents and walls do not move it. Between frames it moves straight ahead, and
/// its velocity is its mean velocity in the last tick. On a periodic axis it takes the shortest way to the next frame. An
/// agent that a host or a respawn has set elsewhere is back on its track at the next tick, without a way there.
///
/// ```
/// use throng::{Settings, Species, Track, Tracks, Vector, World};
///
/// let mut world = World::<2>::new(Settings { tick_seconds: 0.5, ..Settings::default() })?;
/// let walker = world.add_species(Species::new("walker"))?;
/// let positions = vec![Vector([10.0, 20.0]), Vector([12.0, 20.0]), Vector([12.0, 23.0])];
/// let tracks = Tracks::new("experiment", "walker", 1.0, vec![Track { first: 0, positions }]);
/// let id = world.environment_mut().tracks.add(tracks)?;
/// (0..3).for_each(|_| world.step());
/// let [(agent, track)] = *world.environment().followers(id).unwrap() else { panic!() };
/// assert_eq!((track, world.position(agent)?), (0, Vector([12.0, 21.5])));
/// (0..2).for_each(|_| world.step());
/// assert_eq!(world.population(), 0);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Tracks<const D: usize> {
    /// Its name, unique among tracks.
    pub name: String,
    /// The name of the species. The item is idle while the world has no such species.
    pub species: String,
    /// The time between frames, in seconds. Frame 0 is the start of the world.
    pub frame_seconds: f32,
    /// The tracks, in ascending order of their first frames.
    pub tracks: Vec<Track<D>>,
}

/// The recorded path of one agent.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Track<const D: usize> {
    /// The number of its first frame.
    pub first: u64,
    /// The positions in metres, one for each frame.
    pub positions: Vec<Vector<D>>,
}

/// The agents of tracks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Followers {
    /// The number of tracks that have begun.
    pub(crate) begun: u32,
    /// The agents that follow a track, with its number, in the order in which they came.
    pub(crate) agents: Vec<(AgentId, u32)>,
}

impl<const D: usize> Tracks<D> {
    /// The range of [`frame_seconds`](Self::frame_seconds).
    pub const FRAME: Range = Range::above(0.0, 1000.0);

    /// Tracks in any order.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        species: impl Into<String>,
        frame_seconds: f32,
        mut tracks: Vec<Track<D>>,
    ) -> Self {
        tracks.sort_by_key(|track| track.first);
        Self { name: name.into(), species: species.into(), frame_seconds, tracks }
    }

    /// The frame at a time in seconds, between two frames with its fraction.
    #[must_use]
    pub fn frame(&self, seconds: f64) -> f64 {
        let frame = seconds / f64::from(self.frame_seconds);
        let whole = frame.round();
        let rounding = ROUNDING + frame * f64::from(f32::EPSILON);
        if (frame - whole).abs() < rounding { whole } else { frame }
    }
}

impl<const D: usize> Track<D> {
    /// The number of its last frame.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.first + (self.positions.len() as u64).saturating_sub(1)
    }

    /// The position at a frame, straight between two frames; outside of the track that at its nearest end.
    #[must_use]
    pub fn at(&self, settings: &Settings<D>, frame: f64) -> Vector<D> {
        let (Some(&start), Some(&end)) = (self.positions.first(), self.positions.last()) else { return Vector::ZERO };
        let since = frame - self.first as f64;
        let number = since.floor();
        match (self.positions.get(number as usize), self.positions.get((number as usize).saturating_add(1))) {
            _ if since.is_nan() || since <= 0.0 => start,
            (Some(&from), Some(&to)) => {
                let share = (since - number) as f32;
                if share == 0.0 { from } else { from + settings.offset(from, to) * share }
            }
            _ => end,
        }
    }

    /// The mean velocity between two frames that are this number of seconds apart, in metres per second.
    pub(crate) fn velocity(&self, settings: &Settings<D>, frames: [f64; 2], seconds: f32) -> Vector<D> {
        let [from, to] = frames.map(|frame| self.at(settings, frame));
        let way = settings.offset(from, to);
        Vector::from_fn(|axis| (way[axis] / seconds).clamp(-LIMIT, LIMIT))
    }
}

impl<const D: usize> Item for Tracks<D> {
    type Id = TracksId;

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl<const D: usize> Data for Tracks<D> {
    type Record = Followers;

    fn check(&self) -> Result<(), Error> {
        let whole = |least| Allowed::Kind { kind: Kind::Whole(least, MOST), unit: "" };
        if !Self::FRAME.contains(f64::from(self.frame_seconds)) {
            return Err(Error::bad("frame_seconds", self.frame_seconds, Allowed::number(Self::FRAME, "s")));
        }
        if self.tracks.len() as u64 >= MOST {
            return Err(Error::bad("tracks", self.tracks.len(), whole(0)));
        }
        if let Some(pair) = self.tracks.windows(2).find(|pair| pair[0].first > pair[1].first) {
            let allowed = Allowed::Kind { kind: Kind::Whole(pair[0].first, MOST), unit: "" };
            return Err(Error::bad("first frame of a track", pair[1].first, allowed));
        }
        for Track { first, positions } in &self.tracks {
            let count = positions.len() as u64;
            if count == 0 || count > MOST {
                return Err(Error::bad("frames of a track", count, whole(1)));
            }
            if *first > MOST {
                return Err(Error::bad("first frame of a track", *first, whole(0)));
            }
            positions.iter().try_for_each(|position| within_limit("position", *position, "m").map(drop))?;
        }
        Ok(())
    }
}

impl Followers {
    /// Returns whether all of this number of tracks have begun.
    pub(crate) fn have_begun(&self, tracks: usize) -> bool {
        self.begun as usize >= tracks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;

    #[test]
    fn a_track_is_straight_between_frames_and_crosses_the_seam() {
        let settings = Settings { size: [10.0, 10.0].into(), edge: [Edge::Wrap; 2], ..Settings::default() };
        let track = Track { first: 2, positions: vec![Vector([9.0, 1.0]), Vector([1.0, 1.0]), Vector([1.0, 3.0])] };
        assert_eq!(track.last(), 4);
        for (frame, at) in [
            (f64::NAN, [9.0, 1.0]),
            (0.0, [9.0, 1.0]),
            (2.0, [9.0, 1.0]),
            (2.25, [9.5, 1.0]),
            (3.0, [1.0, 1.0]),
            (3.5, [1.0, 2.0]),
            (4.0, [1.0, 3.0]),
            (1e300, [1.0, 3.0]),
        ] {
            assert_eq!(track.at(&settings, frame), Vector(at), "{frame}");
        }
        assert_eq!(track.velocity(&settings, [2.0, 3.0], 0.5), Vector([4.0, 0.0]));
    }

    #[test]
    fn ticks_of_decimal_lengths_meet_their_frames() {
        for (tick, frame_seconds, ticks) in [(0.01f32, 0.04f32, 4), (0.01, 0.05, 5), (0.05, 0.05, 1), (0.1, 0.7, 7)] {
            let tracks = Tracks::<2>::new("", "", frame_seconds, Vec::new());
            for frame in (0..40_000u32).step_by(7) {
                assert_eq!(tracks.frame(f64::from(ticks * frame) * f64::from(tick)), f64::from(frame));
                let between = tracks.frame((f64::from(ticks * frame) + 0.5) * f64::from(tick));
                assert!((between - f64::from(frame) - 0.5 / f64::from(ticks)).abs() < 0.01);
            }
        }
    }

    #[test]
    fn tracks_that_cannot_be_followed_are_refused() {
        let positions = || vec![Vector([1.0, 2.0])];
        let track = |first| Track { first, positions: positions() };
        let good = Tracks::new("all", "walker", 0.04, vec![track(7), track(3)]);
        assert_eq!(good.check(), Ok(()));
        let tracks = |tracks| Tracks { tracks, ..good.clone() };
        for (bad, reason) in [
            (Tracks { frame_seconds: 0.0, ..good.clone() }, "frame_seconds"),
            (Tracks { frame_seconds: f32::NAN, ..good.clone() }, "frame_seconds"),
            (tracks(vec![track(7), track(3)]), "first frame"),
            (tracks(vec![track(u64::MAX)]), "first frame"),
            (tracks(vec![Track { first: 0, positions: Vec::new() }]), "frames of a track"),
            (tracks(vec![Track { first: 0, positions: vec![Vector([f32::NAN, 0.0])] }]), "position"),
        ] {
            let error = bad.check().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
