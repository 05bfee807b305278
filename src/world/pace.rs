//! The choice between one thread and the pool for the next tick, from the times of earlier ones.
//!
//! Dividing a tick pays if it saves more than it takes to wake the pool's threads: a few microseconds if they have just
//! worked, a tenth of a millisecond if they sleep because a host draws a frame between ticks. How long a tick takes
//! depends on the rules, the neighbours and the machine, so both ways are tried and timed. Neither changes a bit. The
//! other way is taken only if it is clearly faster in two trials, and both are tried again when ticks take another time than in the
//! last trial, so that chance and the start of a run do not decide for thousands of ticks.

/// The number of ticks in which each way is tried. The first one is not timed: threads may have to wake. The shortest of
/// the others counts: ticks that sort rows take longer, and so do those in which other programs have the processor.
const TRIES: u32 = 1 + TIMED as u32;
const TIMED: usize = 5;

/// The smallest and the largest number of ticks after which both ways are tried again. Between these, the slower way may
/// cost this share of the time.
const SHORTEST: u32 = 128;
const LONGEST: u32 = 4096;
const SHARE: f64 = 0.01;

/// How many times as fast the other way must be to be taken.
const CLEARLY: f64 = 1.1;

/// How many times as long or as short ticks must take as in the last trial for another one, and the weight of one tick
/// in their mean.
const CHANGED: f64 = 1.5;
const WEIGHT: f64 = 1.0 / 32.0;

/// The number of chunks that cannot be divided, and that from which a tick is always divided.
const ONE_CHUNK: usize = 1;
const MANY_CHUNKS: usize = 64;

/// The times of ticks on one thread and on all threads of the pool.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    /// The number of ticks since both ways were last tried, and that after which they are tried again.
    tick: u32,
    period: u32,
    /// The number of chunks in that trial.
    chunks: usize,
    /// The milliseconds of the timed ticks.
    timed: [f64; TIMED],
    /// The shortest of them, on one thread and divided.
    serial: f64,
    divided: f64,
    /// Whether ticks are on one thread, and whether the last trial found the other way faster: a second one must agree.
    chosen: bool,
    doubted: bool,
    /// The moving mean of the milliseconds since the trial, and its value when both ways had been timed.
    mean: f64,
    usual: f64,
    /// The numbers of ticks that were divided, and on one thread.
    ticks: [u64; 2],
}

impl Pace {
    /// Returns whether the next tick, of a world with this number of chunks, is faster on one thread.
    pub(super) fn is_serial(&mut self, chunks: usize) -> bool {
        let is_serial = self.chooses_one(chunks);
        self.ticks[usize::from(is_serial)] += 1;
        is_serial
    }

    /// The share of ticks on one thread; zero before the first.
    pub(super) fn share_on_one(&self) -> f64 {
        let [divided, serial] = self.ticks.map(|ticks| ticks as f64);
        if serial > 0.0 { serial / (serial + divided) } else { 0.0 }
    }

    fn chooses_one(&mut self, chunks: usize) -> bool {
        if chunks <= ONE_CHUNK || chunks >= MANY_CHUNKS {
            return chunks <= ONE_CHUNK;
        }
        if self.tick >= self.period || chunks > 2 * self.chunks || 2 * chunks < self.chunks {
            (self.tick, self.period, self.chunks) = (0, SHORTEST, chunks);
        }
        self.tick < TRIES || self.tick >= 2 * TRIES && self.chosen
    }

    /// Records the time of that tick.
    pub(super) fn record(&mut self, chunks: usize, milliseconds: f64) {
        if chunks <= ONE_CHUNK || chunks >= MANY_CHUNKS {
            return;
        }
        if self.tick < 2 * TRIES {
            if let Some(number) = (self.tick % TRIES).checked_sub(1) {
                self.timed[number as usize] = milliseconds;
            }
            if self.tick % TRIES == TRIES - 1 {
                let shortest = self.timed.into_iter().min_by(f64::total_cmp).unwrap_or_default();
                if self.tick < TRIES {
                    self.serial = shortest;
                } else {
                    self.divided = shortest;
                    self.period = self.next_trial();
                    let (own, other) = if self.chosen { (self.serial, shortest) } else { (shortest, self.serial) };
                    let is_slow = CLEARLY * other < own;
                    self.chosen ^= is_slow && self.doubted;
                    self.doubted = is_slow && !self.doubted;
                    if self.doubted {
                        self.period = self.tick + 1;
                    }
                    self.mean = if self.chosen { self.serial } else { shortest };
                }
            }
        } else {
            self.mean += WEIGHT * (milliseconds - self.mean);
            if self.tick < SHORTEST {
                self.usual = self.mean;
            } else if self.mean > CHANGED * self.usual || CHANGED * self.mean < self.usual {
                self.period = self.tick;
            }
        }
        self.tick += 1;
    }

    /// Returns the number of ticks after which both ways are tried again: more if the slower way is slow.
    fn next_trial(&self) -> u32 {
        let (serial, divided) = (self.serial, self.divided);
        let (fast, slow) = if serial < divided { (serial, divided) } else { (divided, serial) };
        let ticks = f64::from(TRIES) * (slow - fast) / (SHARE * fast);
        // Without a clock all times are zero, and the ratio is NaN.
        if ticks > f64::from(SHORTEST) { ticks.clamp(0.0, LONGEST.into()) as u32 } else { SHORTEST }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns for each of these ticks of a world with this number of chunks whether it is on one thread.
    fn ways(pace: &mut Pace, chunks: usize, ticks: u32, mut milliseconds: impl FnMut(u32, bool) -> f64) -> Vec<bool> {
        let tick = |tick| {
            let serial = pace.is_serial(chunks);
            pace.record(chunks, milliseconds(tick, serial));
            serial
        };
        (0..ticks).map(tick).collect()
    }

    /// Returns the share of ticks on one thread.
    fn share_serial(pace: &mut Pace, chunks: usize, milliseconds: impl FnMut(u32, bool) -> f64) -> f64 {
        let ways = ways(pace, chunks, 20 * SHORTEST, milliseconds);
        ways.iter().filter(|serial| **serial).count() as f64 / ways.len() as f64
    }

    #[test]
    fn the_faster_way_is_taken_whatever_the_number_of_chunks() {
        for chunks in [2, 4, 8, 40, 63] {
            let mut pace = Pace::default();
            assert!(share_serial(&mut pace, chunks, |_, serial| if serial { 0.08 } else { 0.2 }) > 0.96);
            // The host no longer sleeps: the pool's threads are awake. Found after the present period.
            ways(&mut pace, chunks, LONGEST, |_, serial| if serial { 0.08 } else { 0.05 });
            assert!(share_serial(&mut pace, chunks, |_, serial| if serial { 0.08 } else { 0.05 }) < 0.04);
            // Every third tick sorts, and takes longer.
            let uneven = |tick, serial| (if serial { 0.3 } else { 0.2 }) + if tick % 3 == 0 { 0.5 } else { 0.0 };
            assert!(share_serial(&mut Pace::default(), chunks, uneven) < 0.04);
        }
        let fast_divided = |_, serial| if serial { 9.0 } else { 0.1 };
        assert_eq!(share_serial(&mut Pace::default(), ONE_CHUNK, fast_divided), 1.0);
        let fast_serial = |_, serial| if serial { 0.1 } else { 9.0 };
        let mut pace = Pace::default();
        assert_eq!(share_serial(&mut pace, MANY_CHUNKS, fast_serial), 0.0);
        assert_eq!(pace.share_on_one(), 0.0);
        let found = share_serial(&mut pace, ONE_CHUNK, fast_divided);
        assert_eq!((found, pace.share_on_one()), (1.0, 0.5));
    }

    #[test]
    fn trials_of_the_slower_way_cost_a_hundredth() {
        for (serial, divided) in [(9.0, 1.0), (1.0, 9.0), (1.0, 1.4), (0.3, 0.29)] {
            let mut total = 0.0;
            let mut time = |_, is_serial: bool| {
                let time = if is_serial { serial } else { divided };
                total += time;
                time
            };
            let ticks = 10 * LONGEST;
            ways(&mut Pace::default(), 20, ticks, &mut time);
            let fastest = f64::from(ticks) * if serial < divided { serial } else { divided };
            assert!(total < 1.015 * fastest, "{serial} {divided}: {total} instead of {fastest}");
        }
    }

    #[test]
    fn equal_ways_are_not_swapped_by_chance() {
        let mut draws = 1u64;
        let mut chance = || {
            draws = draws.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (draws >> 40) as f64 / f64::from(1 << 24)
        };
        for _ in 0..20 {
            let share = share_serial(&mut Pace::default(), 20, |_, _| 0.2 + 0.04 * chance());
            assert!(share < 0.1, "{share}");
        }
    }

    #[test]
    fn ways_are_tried_again_when_ticks_take_longer() {
        let mut pace = Pace::default();
        let cheap = |_, serial| if serial { 0.05 } else { 0.2 };
        assert!(share_serial(&mut pace, 20, cheap) > 0.96);
        ways(&mut pace, 20, 2 * SHORTEST, |_, serial| if serial { 2.0 } else { 1.1 });
        assert!(share_serial(&mut pace, 20, |_, serial| if serial { 2.0 } else { 1.1 }) < 0.04);
    }

    #[test]
    fn a_machine_that_stood_still_is_forgotten() {
        // A debugger stops the world for a second in three of the ticks that are timed on one thread.
        let stopped = |tick, serial| match serial {
            true if (1..4).contains(&tick) => 1000.0,
            true => 0.1,
            false => 0.3,
        };
        assert!(share_serial(&mut Pace::default(), 20, stopped) > 0.96);
    }

    #[test]
    fn a_world_of_another_size_is_tried_anew() {
        let mut pace = Pace::default();
        ways(&mut pace, 4, 20, |_, serial| if serial { 0.02 } else { 1.0 });
        let time = |_, serial| if serial { 4.0 } else { 1.0 };
        assert!(share_serial(&mut pace, 30, time) < 0.04);
        ways(&mut pace, 30, 20, time);
        assert!(share_serial(&mut pace, 3, |_, serial| if serial { 0.02 } else { 1.0 }) > 0.96);
    }
}
