//! The choice between one thread and the pool for the next tick, from the times of earlier ones.
//!
//! Dividing a tick pays if it saves more than it takes to wake the pool's threads: a few microseconds if they have just
//! worked, a tenth of a millisecond if they sleep because a host draws a frame between ticks. How long a tick takes
//! depends on the rules, the neighbours and the machine, so both ways are tried and timed. Neither changes a bit.

use crate::agents::parallel::FEW_CHUNKS;

/// The number of ticks after which both ways are tried again.
const PERIOD: u32 = 128;

/// The number of ticks in which each is tried. The first one is not timed: threads may have to wake. The median of the
/// others counts, because a tick that sorts rows takes longer.
const TRIES: u32 = 1 + TIMED as u32;
const TIMED: usize = 3;

/// The number of chunks from which a tick is always divided, and the milliseconds on one thread.
const MANY_CHUNKS: usize = 64;
const LONG: f64 = 1.0;

/// The times of ticks on one thread and on all threads of the pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The number of ticks since both ways were last tried.
    tick: u32,
    /// The milliseconds of the timed ticks.
    timed: [f64; TIMED],
    /// Their median, on one thread and divided.
    alone: f64,
    divided: f64,
    /// The number of chunks from which a tick is always divided.
    many: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self { tick: 0, timed: [0.0; TIMED], alone: 0.0, divided: 0.0, many: MANY_CHUNKS }
    }
}

impl Pace {
    /// Returns whether the next tick, of a world with this number of chunks, is faster on one thread.
    pub(super) fn is_alone(&self, chunks: usize) -> bool {
        let is_faster = self.tick < TRIES || self.tick >= 2 * TRIES && self.alone < self.divided;
        chunks <= FEW_CHUNKS || chunks < self.many && is_faster
    }

    /// Records the time of that tick.
    pub(super) fn record(&mut self, chunks: usize, milliseconds: f64) {
        if self.tick < 2 * TRIES {
            if let Some(number) = (self.tick % TRIES).checked_sub(1) {
                self.timed[number as usize] = milliseconds;
            }
            if self.tick % TRIES == TRIES - 1 {
                self.timed.sort_unstable_by(f64::total_cmp);
                let median = self.timed[TIMED / 2];
                if self.tick > TRIES {
                    self.divided = median;
                } else {
                    self.alone = median;
                    self.many = if median > LONG && chunks < self.many { chunks } else { self.many };
                }
            }
        }
        self.tick = (self.tick + 1) % PERIOD;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the share of ticks on one thread, over some periods of a world with this number of chunks.
    fn share_alone(pace: &mut Pace, chunks: usize, mut milliseconds: impl FnMut(bool) -> f64) -> f64 {
        let ticks = 10 * PERIOD;
        let alone = (0..ticks).filter(|_| {
            let alone = pace.is_alone(chunks);
            pace.record(chunks, milliseconds(alone));
            alone
        });
        alone.count() as f64 / f64::from(ticks)
    }

    #[test]
    fn the_faster_way_is_taken() {
        let mut pace = Pace::default();
        assert!(share_alone(&mut pace, 8, |alone| if alone { 0.08 } else { 0.2 }) > 0.96);
        // The host no longer sleeps: the pool's threads are awake.
        assert!(share_alone(&mut pace, 8, |alone| if alone { 0.08 } else { 0.05 }) < 0.04);
        // Every third tick sorts, and takes longer.
        let mut tick = 0;
        let mut uneven = |alone: bool| {
            tick += 1;
            (if alone { 0.3 } else { 0.2 }) + if tick % 3 == 0 { 0.5 } else { 0.0 }
        };
        assert!(share_alone(&mut Pace::default(), 40, &mut uneven) < 0.04);
    }

    #[test]
    fn small_worlds_are_not_divided_and_large_ones_always() {
        let fast_alone = |alone: bool| if alone { 0.1 } else { 9.0 };
        let fast_divided = |alone: bool| if alone { 9.0 } else { 0.1 };
        assert_eq!(share_alone(&mut Pace::default(), FEW_CHUNKS, fast_divided), 1.0);
        assert_eq!(share_alone(&mut Pace::default(), MANY_CHUNKS, fast_alone), 0.0);
        // After a few long ticks on one thread, it is not tried again in worlds as large.
        let mut pace = Pace::default();
        assert_eq!(share_alone(&mut pace, 20, fast_divided), f64::from(TRIES) / f64::from(10 * PERIOD));
        assert_eq!(share_alone(&mut pace, 20, fast_alone), 0.0);
        assert!(share_alone(&mut pace, 19, fast_alone) > 0.5);
    }
}
