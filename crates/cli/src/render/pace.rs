//! The pace of a film: the ticks between its frames, and the frames of a second.

use super::frame_source::{Ticks, has_extension};
use crate::arguments::RenderOptions;

/// The longest film that is not asked for, in seconds, and its frames of a second: a GIF has fewer, so that it is small.
const LONGEST: f64 = 20.0;
const MOST: u32 = 25;
const LONGEST_GIF: f64 = 8.0;
const MOST_OF_GIF: u32 = 12;

/// The least frames of a second.
const LEAST: u32 = 10;

/// The pace of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    /// The ticks from frame to frame.
    pub(super) every: u64,
    pub(super) fps: u32,
}

impl Pace {
    /// The pace of the command line. Without one it is real time, or faster if the film would last more than 20 seconds, a GIF
    /// more than 8.
    /// A film of long ticks has fewer frames a second; where even ten are too many, it is faster too.
    pub(super) fn of(render: &RenderOptions, ticks: Ticks, tick_seconds: Option<f64>) -> Self {
        let is_gif = has_extension(&render.output, "gif");
        let (most, longest) = if is_gif { (MOST_OF_GIF, LONGEST_GIF) } else { (MOST, LONGEST) };
        let count = ticks.last.saturating_sub(ticks.first) as f64;
        // Frames of unknown time are played as they come.
        let real = tick_seconds.map_or(count / f64::from(most), |seconds| count * seconds);
        let length = if real < longest { real } else { longest };
        let rate = f64::from(render.fps.unwrap_or(most));
        // A film of one tick has no length.
        let ticks_per_frame = if length > 0.0 { (count / (length * rate)).clamp(1.0, 1e12) } else { 1.0 };
        // Rounded up where the film would otherwise be longer than the longest.
        let whole = if real < longest { ticks_per_frame.round() } else { ticks_per_frame.ceil() };
        let every = render.every.unwrap_or(whole as u64);
        let fps = match (render.fps, render.every) {
            (Some(fps), _) => fps,
            (None, Some(_)) => most,
            (None, None) => ((count / every as f64 / length - 1e-3).ceil().clamp(0.0, 1e6) as u32).clamp(LEAST, most),
        };
        Self { every, fps }
    }

    /// How many times as fast as the world a film plays.
    pub(super) fn speed(self, tick_seconds: f64) -> f64 {
        self.every as f64 * tick_seconds * f64::from(self.fps)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        render: RenderOptions,
    }

    fn pace(count: u64, tick_seconds: f64, more: &[&str]) -> (Pace, f64) {
        let render = Line::parse_from([&["", "a.toml", "-o", "a.mp4"], more].concat()).render;
        let pace = Pace::of(&render, Ticks { first: 0, last: count, count: count + 1 }, Some(tick_seconds));
        (pace, (count / pace.every) as f64 / f64::from(pace.fps))
    }

    #[test]
    fn a_film_plays_in_real_time_and_lasts_twenty_seconds_at_most() {
        for (count, tick, real) in
            [(500, 0.02, true), (200, 0.05, true), (100, 0.1, true), (5500, 0.02, false), (300, 0.1, false)]
        {
            let (pace, length) = pace(count, tick, &[]);
            assert!(
                length <= 20.0 && length > 0.8 * if count as f64 * tick < 18.0 { count as f64 * tick } else { 18.0 },
                "{count} {tick}: {pace:?}, {length} s"
            );
            assert_eq!((pace.speed(tick) - 1.0).abs() < 0.05, real, "{pace:?}");
        }
        // Ticks of a second: ten frames a second are few enough.
        assert_eq!(pace(60, 1.0, &[]).0, Pace { every: 1, fps: 10 });
        assert_eq!(pace(0, 0.05, &[]).0.every, 1);
    }

    #[test]
    fn explicit_options_rule() {
        assert_eq!(pace(5500, 0.02, &["--every", "3"]).0, Pace { every: 3, fps: 25 });
        assert_eq!(pace(500, 0.02, &["--fps", "50"]).0, Pace { every: 1, fps: 50 });
        assert_eq!(pace(500, 0.02, &["--fps", "5", "--every", "7"]).0, Pace { every: 7, fps: 5 });
    }
}
