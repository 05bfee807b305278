//! Varied keys and their values.

use crate::failure::Failure;

/// The largest number of values of a key.
const MOST_VALUES: usize = 1_000_000;

/// A key of the scenario and the values that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Vary {
    pub(super) key: String,
    /// As in `--set`.
    pub(super) values: Vec<String>,
}

impl Vary {
    /// Parses `KEY=A,B,C` or `KEY=START:STOP:STEPS`.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let refuse = |reason: String| Err(Failure::Input(format!("--vary {text}: {reason}")));
        let Some((key, values)) = text.split_once('=') else {
            return refuse("must be KEY=A,B,C or KEY=START:STOP:STEPS".to_owned());
        };
        let key = key.split('.').map(str::trim).collect::<Vec<_>>().join(".");
        if text.chars().any(char::is_control) {
            return refuse("must be on one line".to_owned());
        }
        if key.is_empty() || key.split('.').any(str::is_empty) {
            return refuse("must start with a key, such as species.starling.max_speed".to_owned());
        }
        let values = match steps(values) {
            Some(values) => values,
            None => list(values),
        };
        match values {
            Ok(values) => Ok(Self { key, values }),
            Err(reason) => refuse(reason),
        }
    }
}

/// The values of `START:STOP:STEPS`; `None` if the text has another form.
fn steps(text: &str) -> Option<Result<Vec<String>, String>> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let [start, stop, steps] = parts[..] else { return None };
    let (start, stop, steps): (f64, f64, f64) = (start.parse().ok()?, stop.parse().ok()?, steps.parse().ok()?);
    if !(start.is_finite() && stop.is_finite()) {
        return Some(Err("the range must have finite ends".to_owned()));
    }
    if steps < 1.0 || steps > MOST_VALUES as f64 || steps.fract() != 0.0 || steps.is_nan() {
        return Some(Err(format!("the range is empty: the number of its values must be from 1 to {MOST_VALUES}")));
    }
    if steps == 1.0 && start != stop {
        return Some(Err("a range of one value cannot reach from one end to the other".to_owned()));
    }
    let last = if steps > 1.0 { steps - 1.0 } else { 1.0 };
    let value = |step: usize| {
        let value = start + (stop - start) * (step as f64 / last);
        // Thirteen digits are those without rounding errors.
        let short: f64 = format!("{value:.12e}").parse().unwrap_or(value);
        // A whole number stays one, so that a range can vary a number of agents.
        (short + 0.0).to_string()
    };
    Some(Ok((0..steps as usize).map(value).collect()))
}

/// The values of a list. Commas within brackets, braces and quotes separate no values.
fn list(text: &str) -> Result<Vec<String>, String> {
    let mut values = vec![String::new()];
    let (mut depth, mut quote) = (0_usize, None);
    for character in text.chars() {
        match (character, quote) {
            (',', None) if depth == 0 => {
                values.push(String::new());
                continue;
            }
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth = depth.saturating_sub(1),
            ('"' | '\'', None) => quote = Some(character),
            (closing, Some(opening)) if closing == opening => quote = None,
            _ => {}
        }
        if let Some(value) = values.last_mut() {
            value.push(character);
        }
    }
    let values: Vec<String> = values.into_iter().map(|value| value.trim().to_owned()).collect();
    if values.len() > MOST_VALUES {
        return Err(format!("there can be {MOST_VALUES} values at most"));
    }
    if values.iter().any(String::is_empty) {
        return Err("a value is empty".to_owned());
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        Vary::parse(text).unwrap().values
    }

    #[test]
    fn lists_and_ranges_become_values_of_overrides() {
        assert_eq!(values("a.b=1,2.50, three"), ["1", "2.50", "three"]);
        assert_eq!(values("a=[1, 2],[3, 4]"), ["[1, 2]", "[3, 4]"]);
        assert_eq!(values("a=\"x,y\",kept:prey"), ["\"x,y\"", "kept:prey"]);
        assert_eq!(values("a=0:1:6"), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(values("a=100:300:3"), ["100", "200", "300"]);
        assert_eq!(values("a=1:-1:3"), ["1", "0", "-1"]);
        assert_eq!(values("a=0.1:0.7:7"), ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]);
        assert_eq!(values("a=5:5:1"), ["5"]);
        assert_eq!(Vary::parse(" a . b =1").unwrap().key, "a.b");
    }

    #[test]
    fn empty_ranges_and_keys_are_refused() {
        for text in [
            "a",
            "=1",
            "a..b=1",
            "a=",
            "a=1,,2",
            "a=0:1:0",
            "a=0:1:1",
            "a=0:1:1.5",
            "a=0:1:-3",
            "a=0:inf:3",
            "a=nan:1:3",
            "a=0:1:1e9",
        ] {
            assert!(Vary::parse(text).is_err(), "{text}");
        }
    }
}
