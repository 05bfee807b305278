//! Deterministic random numbers, keyed by seed, agent, tick and purpose.
//!
//! A draw depends on its key and on the number of draws before it, never on a thread, a row or a shared generator. The
//! generator has no state to save in a snapshot.

use std::f32::consts::TAU;

use crate::maths::exponential::{exponential, logarithm};
use crate::maths::{Vector, sin_cos};

/// A stream of random numbers for one seed, agent, tick and purpose.
///
/// With the feature `rand`, which is on by default, it is a `rand::Rng` and works with the distributions of that crate.
/// The methods below do not depend on rand, and give the same bits on every machine.
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
    /// The first purpose for behaviours of users; throng uses smaller ones.
    pub const USER: u64 = 1 << 32;
    /// The purpose of the draws of where an agent starts, before it is spawned: position, heading and speed.
    pub const PLACE: u64 = 1;
    /// The purpose of the draws of the sizes of groups that start side by side.
    pub const GROUP: u64 = 41;
    /// The purpose of the draws of the exits that an agent knows.
    pub const FAMILIAR: u64 = 46;

    pub(crate) const COINCIDENT: u64 = 2;
    pub(crate) const BODY: u64 = 3;
    pub(crate) const TARGET: u64 = 4;
    pub(crate) const WANDER: u64 = 5;
    pub(crate) const AVOID: u64 = 20;
    pub(crate) const WALL: u64 = 21;
    pub(crate) const ARRIVAL: u64 = 30;
    pub(crate) const HEADING: u64 = 31;
    pub(crate) const SOURCE: u64 = 32;
    pub(crate) const MOTION: u64 = 40;
    pub(crate) const VARIABLE: u64 = 45;
    pub(crate) const GIVE_WAY: u64 = 43;
    pub(crate) const QUICKEST: u64 = 47;
    pub(crate) const PRESS_ON: u64 = 44;
    pub(crate) const DISPLACEMENT: u64 = 42;
    /// The first purpose of draws of expressions, and the number of such purposes: one for each rule and draw.
    pub(crate) const EXPRESSION: u64 = 1 << 31;
    /// The side on which walkers pass each other.
    pub(crate) const SIDE: u64 = 43;

    /// A stream without a key: a placeholder.
    pub(crate) const NOTHING: Self = Self { state: 0 };

    /// The smallest squared length of a direction's component across another direction: shorter ones are mostly
    /// rounding.
    pub(crate) const ACROSS: f32 = 1e-2;

    /// The stream of one (seed, agent, tick, purpose); `agent` is [`AgentId::to_bits`](crate::AgentId::to_bits).
    #[inline]
    #[must_use]
    pub fn new(seed: u64, agent: u64, tick: u64, purpose: u64) -> Self {
        let state = mix64(mix64(mix64(mix64(seed ^ GOLDEN) ^ agent).wrapping_add(tick)) ^ purpose);
        Self { state }
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix64(self.state)
    }

    /// A number in [0, 1): one of 2^24 equally likely values.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        // The signed conversion is exact too, and one instruction everywhere.
        (self.next() >> 40) as i32 as f32 * (1.0 / 16_777_216.0)
    }

    /// A number in [low, high), for finite bounds; `low` where the range is empty.
    #[inline]
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        let unit = self.unit();
        let number = low + (high - low) * unit;
        if number < high { number } else { between_rarely(low, high, unit) }
    }

    /// A number in (0, 1]: one of 2^53 equally likely values.
    fn above_zero(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A draw from the normal distribution with mean 0 and standard deviation 1. Always takes two words of the stream.
    ///
    /// This is the method of Box and Muller (1958).
    pub fn normal(&mut self) -> f32 {
        let radius = (-2.0 * logarithm(self.above_zero())).sqrt();
        let (_, cosine) = sin_cos(self.unit() * TAU);
        (radius * f64::from(cosine)) as f32
    }

    /// A draw from the normal distribution with mean 0 and standard deviation 1, cut to [`low`, `high`], an interval
    /// around zero. The number of words that it takes depends on the draws.
    ///
    /// Uniform draws are accepted with the probability of the density over its maximum, so that narrow intervals cost
    /// no more than wide ones. Beyond nine standard deviations lies less than the resolution of a draw.
    pub(crate) fn normal_between(&mut self, low: f64, high: f64) -> f64 {
        let (low, high) = (if low > -9.0 { low } else { -9.0 }, if high < 9.0 { high } else { 9.0 });
        loop {
            let number = low + (high - low) * self.above_zero();
            if self.above_zero() <= exponential(-0.5 * number * number) {
                return number;
            }
        }
    }

    /// The logarithm of a draw from the gamma distribution of this shape, which is above zero, and of scale 1, cut to
    /// [`low`, `high`], an interval that has a part of [`log_gamma_ends`]. The number of words that it takes depends on
    /// the draws.
    ///
    /// Uniform draws of the logarithm are accepted with the probability of its density over the maximum.
    pub(crate) fn log_gamma_between(&mut self, shape: f64, low: f64, high: f64) -> f64 {
        let [first, last] = log_gamma_ends(shape);
        let (low, high) = (if low > first { low } else { first }, if high < last { high } else { last });
        let mode = logarithm(shape);
        let mode = if mode < low { low } else { mode };
        let mode = if mode > high { high } else { mode };
        let log_density = |number: f64| shape * number - exponential(number);
        let most = log_density(mode);
        loop {
            let number = low + (high - low) * self.above_zero();
            if self.above_zero() <= exponential(log_density(number) - most) {
                return number;
            }
        }
    }

    /// A draw from the exponential distribution with mean 1: the waiting time between events of unit rate. Takes one
    /// word of the stream.
    pub fn exponential(&mut self) -> f32 {
        (0.0 - logarithm(self.above_zero())) as f32
    }

    /// A uniformly distributed direction, by rejection in the unit ball and therefore without trigonometry.
    pub fn direction<const D: usize>(&mut self) -> Vector<D> {
        self.any_way().direction()
    }

    /// A vector in the direction that [`direction`](Self::direction) draws, before normalisation.
    #[inline]
    pub(crate) fn any_way<const D: usize>(&mut self) -> Vector<D> {
        loop {
            let candidate = Vector::<D>::from_fn(|_| self.between(-1.0, 1.0));
            let squared = candidate.length_squared();
            if squared <= 1.0 && squared > 1e-6 {
                return candidate;
            }
        }
    }

    /// A uniformly distributed direction perpendicular to another one; any direction if `other` has none.
    pub fn across<const D: usize>(&mut self, other: Vector<D>) -> Vector<D> {
        let other = if other.is_finite() { other.direction() } else { Vector::ZERO };
        loop {
            let candidate = self.direction();
            let across = candidate - other * candidate.dot(other);
            if across.length_squared() > Self::ACROSS {
                return across.direction();
            }
        }
    }

    /// A uniformly distributed point of the unit ball.
    pub fn in_ball<const D: usize>(&mut self) -> Vector<D> {
        loop {
            let candidate = Vector::<D>::from_fn(|_| self.between(-1.0, 1.0));
            if candidate.length_squared() <= 1.0 {
                return candidate;
            }
        }
    }
}

/// The ends of the logarithms of gamma numbers of a shape: beyond them lies less than the resolution of a draw, e to the
/// power of -40.
pub(crate) fn log_gamma_ends(shape: f64) -> [f64; 2] {
    let below = if shape < 100.0 { 1.0 + 40.0 / shape } else { 12.0 / shape.sqrt() };
    [logarithm(shape) - below, logarithm(shape + 12.0 * shape.sqrt() + 45.0)]
}

/// The rare draws: empty ranges, ranges wider than the largest number, and sums that rounded to the high end.
#[cold]
fn between_rarely(low: f32, high: f32, unit: f32) -> f32 {
    if low < high {
        let (start, end) = (f64::from(low), f64::from(high));
        let number = (start + (end - start) * f64::from(unit)) as f32;
        if number < high { number } else { high.next_down() }
    } else {
        low
    }
}

#[cfg(feature = "rand")]
impl rand::rand_core::TryRng for Noise {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok((self.next() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        rand::rand_core::utils::fill_bytes_via_next_word(bytes, || self.try_next_u64())
    }
}

/// A bijection of 64-bit words in which every input bit flips every output bit with a probability of about one half
/// (Stafford's variant 13 of the MurmurHash3 finaliser). A hash of a number, with the same bits on every machine.
///
/// ```
/// use throng::maths::mix64;
///
/// // A shuffle that follows from a seed.
/// let mut order: Vec<u64> = (0..10).collect();
/// order.sort_by_key(|&number| mix64(mix64(7) ^ number));
/// assert_ne!(order, (0..10).collect::<Vec<_>>());
/// ```
#[inline]
#[must_use]
pub fn mix64(word: u64) -> u64 {
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
    fn a_range_excludes_its_end() {
        // Draw 88063 of this agent is the largest value of `unit`, and 1 + unit rounds to 2.
        let mut noise = Noise::new(1, 177, 0, Noise::USER);
        for _ in 0..88_100 {
            let number = noise.between(1.0, 2.0);
            assert!((1.0..2.0).contains(&number), "{number}");
        }
        for (low, high) in [(100.0, 100.001), (0.0, f32::from_bits(1)), (-1e-45, 0.0), (5.0, 5.0f32.next_up())] {
            for _ in 0..1000 {
                let number = noise.between(low, high);
                assert!((low..high).contains(&number), "{number:?} in [{low:?}, {high:?})");
            }
        }
    }

    #[test]
    fn a_range_may_be_wider_than_the_largest_number() {
        let (mut noise, mut below) = (Noise::new(1, 2, 3, 4), 0);
        for _ in 0..1000 {
            let number = noise.between(-3e38, 3e38);
            assert!((-3e38..3e38).contains(&number), "{number}");
            below += usize::from(number < 0.0);
            assert!(noise.between(f32::MIN, f32::MAX) < f32::MAX);
        }
        assert!((420..580).contains(&below), "{below}");
    }

    #[test]
    fn an_empty_range_is_its_low_end() {
        let mut noise = Noise::new(1, 2, 3, 4);
        assert_eq!((noise.between(3.0, 3.0), noise.between(3.0, -1.0)), (3.0, 3.0));
    }

    #[test]
    fn every_part_of_the_key_changes_the_stream() {
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

    /// The largest distance between the shares of draws below a number and the distribution function there (the
    /// statistic of Kolmogorov and Smirnov), and the first four moments.
    fn fit(draw: impl Fn(&mut Noise) -> f32, distribution: impl Fn(f64) -> f64) -> (f64, [f64; 4]) {
        let mut draws: Vec<f64> = (0..DRAWS).map(|agent| f64::from(draw(&mut Noise::new(5, agent, 1, 9)))).collect();
        draws.sort_by(f64::total_cmp);
        let distances = draws.iter().enumerate().map(|(below, &x)| {
            let (share, next) = (below as f64 / DRAWS as f64, (below + 1) as f64 / DRAWS as f64);
            (distribution(x) - share).abs().max((distribution(x) - next).abs())
        });
        let moment = |power: i32| draws.iter().map(|x| x.powi(power)).sum::<f64>() / DRAWS as f64;
        (distances.fold(0.0, f64::max), [1, 2, 3, 4].map(moment))
    }

    const DRAWS: u64 = 200_000;
    /// A distance that one sample in a thousand exceeds.
    const FAR: f64 = 1.95 / 447.2;

    #[test]
    fn normal_draws_have_the_normal_distribution() {
        // The distribution function as its series about zero.
        let distribution = |x: f64| {
            let (mut term, mut sum) = (x, x);
            for odd in (3..200).step_by(2) {
                term *= x * x / f64::from(odd);
                sum += term;
            }
            0.5 + sum * (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
        };
        let (distance, moments) = fit(Noise::normal, distribution);
        assert!(distance < FAR, "{distance}");
        // The variances of x, x², x³ and x⁴ are 1, 2, 15 and 96.
        for (moment, (mean, variance)) in moments.iter().zip([(0.0, 1.0), (1.0, 2.0), (0.0, 15.0), (3.0, 96.0)]) {
            assert!((moment - mean).abs() < 4.0 * (variance / DRAWS as f64).sqrt(), "{moments:?}");
        }
    }

    #[test]
    fn exponential_draws_have_the_exponential_distribution() {
        let (distance, moments) = fit(Noise::exponential, |x| 1.0 - (-x).exp());
        assert!(distance < FAR, "{distance}");
        // The n-th moment is n!, and its variance (2n)! - n!².
        for (moment, (mean, variance)) in moments.iter().zip([(1.0, 1.0), (2.0, 20.0), (6.0, 684.0), (24.0, 39_744.0)])
        {
            assert!((moment - mean).abs() < 4.0 * (variance / DRAWS as f64).sqrt(), "{moments:?}");
        }
    }

    #[test]
    fn successive_draws_are_uncorrelated() {
        let mut noise = Noise::new(5, 1, 2, 3);
        for draw in [Noise::normal, |noise: &mut Noise| noise.exponential() - 1.0] {
            let draws: Vec<f64> = (0..DRAWS).map(|_| f64::from(draw(&mut noise))).collect();
            let lag = draws.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / DRAWS as f64;
            assert!(lag.abs() < 4.0 / (DRAWS as f64).sqrt(), "{lag}");
        }
    }

    #[test]
    fn directions_have_length_one_and_are_uniform() {
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
    fn across_draws_at_right_angles() {
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
