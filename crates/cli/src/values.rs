//! The values of options: their ranges, in messages of one style.

use std::net::IpAddr;
use std::num::{NonZeroU64, NonZeroUsize};

use throng::most_threads;
use throng_draw::Fit;
use throng_scenario::keys::MAX_SEED;

pub(crate) fn hash(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let fits = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let hash = u64::from_str_radix(digits, 16).ok().filter(|_| fits);
    hash.ok_or_else(|| "a hash has 16 hexadecimal digits".to_owned())
}

pub(crate) fn fit(text: &str) -> Result<Fit, String> {
    match text {
        "world" => Ok(Fit::World),
        "crowd" => Ok(Fit::Crowd),
        _ => Err("must be world or crowd".to_owned()),
    }
}

pub(crate) fn metres(text: &str) -> Result<f32, String> {
    number(text, -1e6, 1e6)
}

pub(crate) fn radius(text: &str) -> Result<f32, String> {
    number(text, 1e-6, 1e6)
}

pub(crate) fn zoom(text: &str) -> Result<f32, String> {
    number(text, 0.01, 1e4)
}

pub(crate) fn degrees(text: &str) -> Result<f32, String> {
    number(text, -360.0, 360.0)
}

pub(crate) fn slope(text: &str) -> Result<f32, String> {
    number(text, -90.0, 90.0)
}

fn number(text: &str, low: f32, high: f32) -> Result<f32, String> {
    let number = text.trim().parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| format!("must be a number from {low} to {high}"))
}

/// A share between zero and one.
pub(crate) fn tolerance(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "must be a number above 0 and below 1".to_owned())
}

/// A whole number.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    integer(text, 0, u64::MAX)
}

/// A number of something that is not zero.
pub(crate) fn some(text: &str) -> Result<NonZeroU64, String> {
    let number = integer(text, 1, u64::MAX)?;
    NonZeroU64::new(number).ok_or_else(|| "must not be zero".to_owned())
}

/// A number of dimensions.
pub(crate) fn dimensions(text: &str) -> Result<u8, String> {
    Ok(integer(text, 2, 3)? as u8)
}

/// The port of an address; zero for any.
pub(crate) fn port(text: &str) -> Result<u16, String> {
    Ok(integer(text, 0, u16::MAX.into())? as u16)
}

/// An address of this machine.
pub(crate) fn ip(text: &str) -> Result<IpAddr, String> {
    text.trim().parse().map_err(|_| "must be the address of this machine in a network, such as 127.0.0.1".to_owned())
}

/// Metres per unit of a file.
pub(crate) fn scale(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number| (1e-9..=1e9).contains(number));
    number.ok_or_else(|| "must be a number of metres from 1e-9 to 1e9".to_owned())
}

/// A number of persons, or all of them.
pub(crate) fn persons(text: &str) -> Result<u64, String> {
    if text == "all" { Ok(u64::MAX) } else { at_least_one(text).map_err(|reason| format!("{reason}, or all")) }
}

/// A whole number that is not zero.
pub(crate) fn at_least_one(text: &str) -> Result<u64, String> {
    integer(text, 1, u64::MAX)
}

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    integer(text, 1, most_threads() as u64)?;
    positive(text)
}

/// A number of agents.
pub(crate) fn positive(text: &str) -> Result<NonZeroUsize, String> {
    let number = integer(text, 1, u64::MAX)?;
    usize::try_from(number).ok().and_then(NonZeroUsize::new).ok_or_else(|| "is too large".to_owned())
}

pub(crate) fn seed(text: &str) -> Result<u64, String> {
    integer(text, 0, MAX_SEED)
}

/// Frames per second.
pub(crate) fn frames(text: &str) -> Result<u32, String> {
    Ok(integer(text, 1, 240)? as u32)
}

/// The width or height of a picture.
pub(crate) fn pixels(text: &str) -> Result<u32, String> {
    Ok(integer(text, 16, 16_384)? as u32)
}

/// The timed ticks of a benchmark.
pub(crate) fn timed_ticks(text: &str) -> Result<u64, String> {
    integer(text, 1, 1_000_000)
}

/// The ticks of a trail.
pub(crate) fn trail(text: &str) -> Result<u32, String> {
    Ok(integer(text, 0, u32::MAX.into())? as u32)
}

fn integer(text: &str, low: u64, high: u64) -> Result<u64, String> {
    let digits: String = text.trim().chars().filter(|letter| *letter != '_').collect();
    let number = digits.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| match high {
        u64::MAX => format!("must be a whole number, at least {low}"),
        high => format!("must be a whole number from {low} to {high}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_their_range_are_refused_in_words() {
        assert_eq!(whole("1_000"), Ok(1000));
        assert_eq!(whole("-5"), Err("must be a whole number, at least 0".to_owned()));
        assert_eq!(at_least_one("0"), Err("must be a whole number, at least 1".to_owned()));
        assert_eq!(pixels("3"), Err("must be a whole number from 16 to 16384".to_owned()));
        assert_eq!(timed_ticks("18446744073709551615"), Err("must be a whole number from 1 to 1000000".to_owned()));
        assert_eq!(threads("7").map(NonZeroUsize::get), Ok(7));
        assert_eq!(threads("64").map(NonZeroUsize::get), Ok(64));
        for refused in ["0", "5000000", "18446744073709551615"] {
            assert_eq!(threads(refused), Err(format!("must be a whole number from 1 to {}", most_threads())));
        }
        assert_eq!(zoom("-1"), Err("must be a number from 0.01 to 10000".to_owned()));
    }
}
