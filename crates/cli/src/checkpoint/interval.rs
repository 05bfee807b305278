//! The interval between checkpoints.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The longest interval in seconds: ten years.
const LONGEST: f64 = 3.2e8;

/// The interval between checkpoints, in ticks or in seconds of real time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum Interval {
    Ticks(NonZeroU64),
    Seconds(f64),
}

impl FromStr for Interval {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || "must be a number of ticks from 1, or of seconds such as 30s".to_owned();
        match text.strip_suffix('s') {
            None => text.parse().map(Self::Ticks).map_err(|_| refuse()),
            Some(seconds) => {
                let seconds: f64 = seconds.parse().map_err(|_| refuse())?;
                if seconds > 0.0 && seconds <= LONGEST { Ok(Self::Seconds(seconds)) } else { Err(refuse()) }
            }
        }
    }
}

impl TryFrom<String> for Interval {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Interval> for String {
    fn from(interval: Interval) -> Self {
        interval.to_string()
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ticks(ticks) => write!(f, "{ticks}"),
            Self::Seconds(seconds) => write!(f, "{seconds}s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_ticks_or_seconds() {
        assert_eq!("500".parse(), Ok(Interval::Ticks(NonZeroU64::new(500).unwrap())));
        assert_eq!("0.5s".parse(), Ok(Interval::Seconds(0.5)));
        for text in ["", "0", "-1", "1.5", "s", "0s", "-1s", "nans", "infs", "1e9s", "5m"] {
            assert!(text.parse::<Interval>().is_err(), "{text}");
        }
        for text in ["500", "30s", "0.25s"] {
            assert_eq!(text.parse::<Interval>().unwrap().to_string(), text);
        }
    }
}
