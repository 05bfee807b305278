//! What the rival designs share: a clock and a hash.

use std::time::Instant;

/// Hashes numbers in sequence (FNV-1a, by words).
pub(crate) fn hash(numbers: impl Iterator<Item = f32>) -> u64 {
    numbers.fold(0xcbf2_9ce4_8422_2325, |hash, number| {
        (hash ^ u64::from(number.to_bits())).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
    })
}

/// A clock that is read once per stage.
#[derive(Debug)]
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Milliseconds since the last reading.
    pub(crate) fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let milliseconds = (now - self.0).as_secs_f64() * 1e3;
        self.0 = now;
        milliseconds
    }
}
