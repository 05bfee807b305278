//! The pace of time on the page: whether it runs, how fast it should, and how fast it does.

use std::time::{Duration, Instant};

/// The least and the most seconds between two ticks.
const SHORTEST: f64 = 1e-4;
const LONGEST: f64 = 1e3;

/// The pace of a world or a recording.
#[derive(Debug)]
pub(super) struct Pace {
    pub(super) playing: bool,
    /// The multiple of real time; zero for no limit.
    pub(super) times: f64,
    /// The simulated seconds of a tick.
    tick_seconds: f64,
    /// When the next tick is due.
    next: Instant,
    /// The time and the tick of the last measurement of the rate.
    measured: (Instant, u64),
    rate: f64,
}

impl Pace {
    /// Real time, with ticks of this many simulated seconds.
    pub(super) fn new(tick_seconds: f64) -> Self {
        let now = Instant::now();
        Self { playing: false, times: 1.0, tick_seconds, next: now, measured: (now, 0), rate: 0.0 }
    }

    /// Plays or pauses.
    pub(super) fn play(&mut self, playing: bool) {
        self.playing = playing;
        self.next = Instant::now();
    }

    /// Sets the multiple of real time; zero for no limit.
    pub(super) fn set_times(&mut self, times: f64) {
        self.times = times;
        self.next = Instant::now();
    }

    /// Sets the simulated seconds of a tick.
    pub(super) fn set_tick_seconds(&mut self, tick_seconds: f64) {
        self.tick_seconds = tick_seconds;
    }

    /// The real time of this number of ticks.
    fn period(&self, ticks: u64) -> Duration {
        if self.times > 0.0 {
            let seconds = (ticks as f64 * self.tick_seconds / self.times).clamp(SHORTEST, LONGEST);
            Duration::from_secs_f64(seconds)
        } else {
            Duration::ZERO
        }
    }

    /// Goes to another tick, which does not count as progress.
    pub(super) fn jump(&mut self, tick: u64) {
        (self.next, self.measured) = (Instant::now(), (Instant::now(), tick));
    }

    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.playing && now >= self.next
    }

    /// The time until the next tick is due, at most this long.
    pub(super) fn wait(&self, now: Instant, longest: Duration) -> Duration {
        if self.playing { longest.min(self.next.saturating_duration_since(now)) } else { longest }
    }

    /// Records that these ticks were due at `now`. A delay of more than four of these periods is not caught up.
    pub(super) fn passed(&mut self, ticks: u64, now: Instant) {
        let period = self.period(ticks);
        self.next += period;
        if self.next + period * 4 < now {
            self.next = now;
        }
    }

    /// The ticks per second of the last half second or more.
    pub(super) fn rate(&mut self, tick: u64, now: Instant) -> f64 {
        let (then, before) = self.measured;
        let seconds = (now - then).as_secs_f64();
        if seconds > 0.5 || !self.playing {
            self.rate = tick.saturating_sub(before) as f64 / seconds;
            self.measured = (now, tick);
        }
        self.rate
    }
}
