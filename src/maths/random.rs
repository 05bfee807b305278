//! Where does chance come from, so that it is the same on every machine and thread?
//!
//! A draw is a function of (seed, agent, tick, purpose) and of how many draws went before it: never of a thread, a row
//! or a generator that several agents share. Nothing has to be saved to go on after a pause.

use std::convert::Infallible;

use rand::rand_core::{TryRng, utils};

use crate::maths::Vector;

/// A stream of random numbers that belongs to one (seed, agent, tick, purpose).
///
/// It is a [`rand::Rng`], so the distributions of the rand crate may be used on it; throng's own rules use only the
/// methods below, whose bits will not change between versions of rand.
///
/// ```
/// use throng::Noise;
///
/// let mut noise = Noise::new(7, 42, 100, Noise::USER);
/// assert_eq!(noise.unit(), Noise::new(7, 42, 100, Noise::USER).unit());
/// assert_ne!(noise.unit(), Noise::new(7, 42, 101, Noise::USER).unit());
/// ```
#[derive(Clone, Debug)]
pub struct Noise {
    state: u64,
}

/// The golden ratio as a 64-bit fraction: Weyl increment of SplitMix64 (Steele, Lea & Flood 2014).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Noise {
    /// The first purpose that is free for the behaviours of users; smaller ones are throng's own.
    pub const USER: u64 = 1 << 32;

    #[cfg(feature = "scenario")]
    pub(crate) const PLACE: u64 = 1;
    pub(crate) const COINCIDENT: u64 = 2;
    pub(crate) const BODY: u64 = 3;
    pub(crate) const TARGET: u64 = 4;
    pub(crate) const WANDER: u64 = 5;
    pub(crate) const AVOID: u64 = 20;

    /// The stream of one (seed, agent, tick, purpose); `agent` is [`AgentId::to_bits`](crate::AgentId::to_bits).
    #[inline]
    #[must_use]
    pub fn new(seed: u64, agent: u64, tick: u64, purpose: u64) -> Self {
        let state = mix(mix(mix(mix(seed ^ GOLDEN) ^ agent).wrapping_add(tick)) ^ purpose);
        Self { state }
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A number in [0, 1), one of 2^24 with equal chances.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 * (1.0 / 16_777_216.0)
    }

    /// A number in [low, high): `low` where the range is empty.
    #[inline]
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A direction, all equally likely: by rejection in the unit ball, so without trigonometry.
    pub fn direction<const D: usize>(&mut self) -> Vector<D> {
        loop {
            let candidate = Vector::<D>::from_fn(|_| self.between(-1.0, 1.0));
            let squared = candidate.length_squared();
            if squared <= 1.0 && squared > 1e-6 {
                return candidate.direction();
            }
        }
    }

    /// A direction at right angles to another one, all equally likely. Any direction where `other` has none.
    pub fn across<const D: usize>(&mut self, other: Vector<D>) -> Vector<D> {
        let other = if other.is_finite() { other.direction() } else { Vector::ZERO };
        loop {
            let candidate = self.direction();
            let across = candidate - other * candidate.dot(other);
            // What is left of a vector that is nearly parallel is mostly rounding.
            if across.length_squared() > 1e-2 {
                return across.direction();
            }
        }
    }

    /// A point of the unit ball, all equally likely.
    pub fn in_ball<const D: usize>(&mut self) -> Vector<D> {
        loop {
            let candidate = Vector::<D>::from_fn(|_| self.between(-1.0, 1.0));
            if candidate.length_squared() <= 1.0 {
                return candidate;
            }
        }
    }
}

impl TryRng for Noise {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        utils::fill_bytes_via_next_word(bytes, || self.try_next_u64())
    }
}

/// A bijection of 64-bit words in which every input bit flips every output bit with a chance of about a half
/// (Stafford's variant 13 of the MurmurHash3 finaliser).
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_splitmix64() {
        // The first outputs for state 0, as published with the generator.
        let mut noise = Noise { state: 0 };
        assert_eq!(noise.next(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(noise.next(), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn every_key_makes_a_difference() {
        let base = Noise::new(1, 2, 3, 4).next();
        for other in [Noise::new(2, 2, 3, 4), Noise::new(1, 3, 3, 4), Noise::new(1, 2, 4, 4), Noise::new(1, 2, 3, 5)] {
            assert_ne!(other.clone().next(), base);
        }
    }

    #[test]
    fn neighbouring_keys_are_uncorrelated_and_uniform() {
        // One draw each for 100 000 agents: the mean is 1/2 within five standard errors, and so is the lag-one product.
        let draws: Vec<f64> = (0..100_000).map(|agent| f64::from(Noise::new(7, agent, 1, 9).unit()) - 0.5).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        let lag = draws.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / 1e5;
        assert!(mean.abs() < 5.0 * 0.2887 / 1e5f64.sqrt(), "{mean}");
        assert!(lag.abs() < 5.0 / 12.0 / 1e5f64.sqrt(), "{lag}");
    }

    #[test]
    fn directions_have_length_one_and_no_preference() {
        let mut noise = Noise::new(3, 0, 0, 0);
        let mut sum = Vector::<3>::ZERO;
        for _ in 0..10_000 {
            let direction = noise.direction::<3>();
            assert!((direction.length() - 1.0).abs() < 1e-6);
            sum += direction;
        }
        assert!(sum.length() < 5.0 * 100.0, "{sum:?}");
    }

    #[test]
    fn across_is_at_right_angles() {
        let mut noise = Noise::new(3, 0, 0, 0);
        let (mut left, other) = (0, Vector([3.0, -4.0]));
        for _ in 0..1000 {
            let across = noise.across(other);
            assert!(across.dot(other.direction()).abs() < 1e-5 && (across.length() - 1.0).abs() < 1e-6);
            left += usize::from(across[0] > 0.0);
            let across = noise.across(Vector([1e-3, 2.0, 1e3]));
            assert!(across.dot(Vector([1e-3, 2.0, 1e3]).direction()).abs() < 1e-5, "{across:?}");
            assert!((noise.across(Vector::<3>::ZERO).length() - 1.0).abs() < 1e-6);
        }
        assert!((400..600).contains(&left), "{left}");
    }
}
