//! The simulated time of a world, in which the length of a tick may change.

use crate::base::settings::check_tick;

/// The largest time of a change, in seconds, for loading: of about thirty million years.
const MOST_SECONDS: f64 = 1e15;

/// When the length of a tick last changed. Before the first change, and after changes before the first tick, all is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Clock {
    /// The number of ticks before the change.
    pub(crate) tick: u64,
    /// The simulated time then, in seconds.
    pub(crate) seconds: f64,
    /// The length of the tick before, in seconds.
    pub(crate) before: f32,
}

impl Clock {
    /// Whether all ticks had the same length.
    pub(crate) fn is_steady(&self) -> bool {
        *self == Self::default()
    }

    /// The simulated time before a tick, in seconds, with the present length of a tick.
    pub(crate) fn seconds(&self, tick: u64, tick_seconds: f32) -> f64 {
        self.seconds + (tick - self.tick) as f64 * f64::from(tick_seconds)
    }

    /// The length of the tick before this one, in seconds.
    pub(crate) fn last_tick(&self, tick: u64, tick_seconds: f32) -> f32 {
        if tick == self.tick && !self.is_steady() { self.before } else { tick_seconds }
    }

    /// Records that the length of a tick changes from this one on.
    pub(crate) fn change(&mut self, tick: u64, tick_seconds: f32) {
        if tick > 0 {
            let (seconds, before) = (self.seconds(tick, tick_seconds), self.last_tick(tick, tick_seconds));
            *self = Self { tick, seconds, before };
        }
    }

    /// Whether this can be the clock of a world after this number of ticks.
    pub(crate) fn fits(&self, tick: u64) -> bool {
        let is_time = (0.0..=MOST_SECONDS).contains(&self.seconds) && check_tick(self.before).is_ok();
        (1..=tick).contains(&self.tick) && is_time
    }
}
