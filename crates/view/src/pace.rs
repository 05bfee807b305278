//! The pace of time on the page: whether it runs, how fast it should, and how fast it does.

use std::time::Duration;

/// The least and the most seconds between two ticks.
const SHORTEST: f64 = 1e-4;
const LONGEST: f64 = 1e3;

/// The pace of a world or a recording. Its methods take the present time, since some moment before.
#[derive(Debug)]
pub struct Pace {
    /// Whether time runs.
    pub playing: bool,
    /// The multiple of real time; zero for no limit.
    pub times: f64,
    /// The simulated seconds of a tick.
    tick_seconds: f64,
    /// When the next tick is due.
    next: Duration,
    /// The time and the tick of the last measurement of the rate.
    measured: (Duration, u64),
    rate: f64,
}

impl Pace {
    /// Real time, with ticks of this many simulated seconds.
    #[must_use]
    pub fn new(tick_seconds: f64, now: Duration) -> Self {
        Self { playing: false, times: 1.0, tick_seconds, next: now, measured: (now, 0), rate: 0.0 }
    }

    /// Plays or pauses.
    pub fn play(&mut self, playing: bool, now: Duration) {
        self.playing = playing;
        self.next = now;
    }

    /// Sets the multiple of real time; zero for no limit.
    pub fn set_times(&mut self, times: f64, now: Duration) {
        self.times = times;
        self.next = now;
    }

    /// Sets the simulated seconds of a tick.
    pub fn set_tick_seconds(&mut self, tick_seconds: f64) {
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
    pub fn jump(&mut self, tick: u64, now: Duration) {
        (self.next, self.measured) = (now, (now, tick));
    }

    /// Whether the next tick is due.
    #[must_use]
    pub fn is_due(&self, now: Duration) -> bool {
        self.playing && now >= self.next
    }

    /// The time until the next tick is due, at most this long.
    #[must_use]
    pub fn wait(&self, now: Duration, longest: Duration) -> Duration {
        if self.playing { longest.min(self.next.saturating_sub(now)) } else { longest }
    }

    /// Records that these ticks were due at `now`. A delay of more than four of these periods is not caught up.
    pub fn passed(&mut self, ticks: u64, now: Duration) {
        let period = self.period(ticks);
        self.next += period;
        if self.next + period * 4 < now {
            self.next = now;
        }
    }

    /// The ticks per second of the last half second or more.
    pub fn rate(&mut self, tick: u64, now: Duration) -> f64 {
        let (then, before) = self.measured;
        let seconds = (now - then).as_secs_f64();
        if seconds > 0.5 || !self.playing {
            self.rate = tick.saturating_sub(before) as f64 / seconds;
            self.measured = (now, tick);
        }
        self.rate
    }
}
