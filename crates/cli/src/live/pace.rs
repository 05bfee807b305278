//! The pace of a world that is shown: simulated seconds per second.

use std::time::{Duration, Instant};

/// The least number of ticks per second at the start: worlds with long ticks run faster than in real time.
const LEAST_TICKS: f64 = 9.9;
/// The slowest and the fastest pace, in simulated seconds per second.
const SLOWEST: f64 = 1.0 / 64.0;
const FASTEST: f64 = 65_536.0;
/// A world that is late by more than this does not catch up.
const LATE: Duration = Duration::from_millis(200);

/// When ticks are due.
#[derive(Debug)]
pub(super) struct Pace {
    tick_seconds: f64,
    /// Simulated seconds per second.
    speed: f64,
    paused: bool,
    next: Instant,
}

impl Pace {
    /// Real time, or the next multiple by a power of two at which ticks follow each other closely.
    pub(super) fn new(tick_seconds: f64, now: Instant) -> Self {
        let mut speed = 1.0;
        while speed / tick_seconds < LEAST_TICKS && speed < FASTEST {
            speed *= 2.0;
        }
        Self { tick_seconds, speed, paused: false, next: now }
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused
    }

    pub(super) fn toggle(&mut self, now: Instant) {
        self.paused = !self.paused;
        self.next = now;
    }

    /// Multiplies the pace.
    pub(super) fn scale(&mut self, factor: f64, now: Instant) {
        self.speed = (self.speed * factor).clamp(SLOWEST, FASTEST);
        self.next = now;
    }

    /// The time until the next tick; `None` in a pause.
    pub(super) fn until_tick(&self, now: Instant) -> Option<Duration> {
        (!self.paused).then(|| self.next.saturating_duration_since(now))
    }

    /// A tick begins.
    pub(super) fn passed(&mut self, now: Instant) {
        let late = now.saturating_duration_since(self.next) > LATE;
        let from = if late { now } else { self.next };
        self.next = from + Duration::from_secs_f64((self.tick_seconds / self.speed).clamp(0.0, 3600.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_due_at_multiples_of_real_time() {
        let now = Instant::now();
        let mut pace = Pace::new(0.05, now);
        assert_eq!(pace.until_tick(now), Some(Duration::ZERO));
        pace.passed(now);
        assert_eq!(pace.until_tick(now), Some(Duration::from_millis(50)));
        pace.scale(2.0, now);
        pace.passed(now);
        assert_eq!(pace.until_tick(now), Some(Duration::from_millis(25)));
        pace.toggle(now);
        assert_eq!(pace.until_tick(now), None);
        pace.toggle(now);
        // A slow world is not made up for by a burst of ticks.
        let late = now + Duration::from_secs(9);
        pace.passed(late);
        assert_eq!(pace.until_tick(late), Some(Duration::from_millis(25)));
        // A tick of a second is not waited for.
        let mut long = Pace::new(1.0, now);
        long.passed(now);
        assert!(long.until_tick(now).unwrap() <= Duration::from_millis(100));
    }
}
