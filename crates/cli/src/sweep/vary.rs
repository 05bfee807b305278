//! Varied keys and their values.

use std::fs::File;
use std::num::NonZeroU64;
use std::path::Path;

use throng::Noise;
use throng_formats::table::{TextTable, TextTableError};
use throng_scenario::shown;

use crate::failure::Failure;
use crate::files::existing;

/// The largest number of values of a key.
const MOST_VALUES: usize = 1_000_000;

/// Keys of the scenario that move together, and their values in each point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Vary {
    pub(super) keys: Vec<String>,
    /// A value for each key, as in `--set`.
    pub(super) points: Vec<Vec<String>>,
}

/// A key and its values.
#[derive(Debug, PartialEq)]
struct Part {
    key: String,
    values: Values,
}

#[derive(Debug, PartialEq)]
enum Values {
    List(Vec<String>),
    /// Any number from the first to the second, or any whole number.
    Between([f64; 2], bool),
}

const FORMS: &str = "must be KEY=A,B,C or KEY=START:STOP:STEPS";

/// The varied keys of a command line: groups of keys that move together. `latin` is the number of points that fill the
/// box of all keys with a range.
pub(super) fn read(texts: &[String], points: Option<&Path>, latin: Option<NonZeroU64>) -> Result<Vec<Vary>, Failure> {
    let (mut all, mut ranges) = (Vec::new(), Vec::new());
    for text in texts {
        let refuse = |reason: String| Failure::Input(format!("--vary {text}: {reason}"));
        let mut parts = Vec::new();
        for part in split(text, '&') {
            parts.push(Part::parse(&part).map_err(refuse)?);
        }
        match &parts[..] {
            [Part { key, values: Values::Between(ends, whole) }] => ranges.push((key.clone(), *ends, *whole)),
            _ => all.push(together(parts).map_err(refuse)?),
        }
    }
    match (latin, &ranges[..]) {
        (None, []) => {}
        (None, [(key, ..), ..]) => {
            let reason = "a range without a number of steps is for --latin: START:STOP:STEPS has them";
            return Err(Failure::Input(format!("--vary {key}: {reason}")));
        }
        (Some(_), []) => {
            return Err(Failure::Input("--latin: needs ranges: --vary KEY=LOW:HIGH".to_owned()));
        }
        (Some(count), ranges) => all.push(latin_hypercube(ranges, count.get() as usize)),
    }
    if let Some(file) = points {
        all.push(table(file)?);
    }
    let keys: Vec<&String> = all.iter().flat_map(|vary| &vary.keys).collect();
    match (1..keys.len()).find(|&number| keys[..number].contains(&keys[number])) {
        Some(twice) => Err(Failure::Input(format!("{}: the key is varied twice", keys[twice]))),
        None => Ok(all),
    }
}

impl Part {
    /// Parses `KEY=A,B,C`, `KEY=START:STOP:STEPS` or `KEY=LOW:HIGH`.
    fn parse(text: &str) -> Result<Self, String> {
        let Some((key, values)) = text.split_once('=') else { return Err(FORMS.to_owned()) };
        if text.chars().any(char::is_control) {
            return Err("must be on one line".to_owned());
        }
        let key = key_path(key)?;
        let values = match between(values) {
            Some(values) => values?,
            None => Values::List(steps(values).unwrap_or_else(|| list(values))?),
        };
        Ok(Self { key, values })
    }
}

/// A key without its spaces.
fn key_path(text: &str) -> Result<String, String> {
    let key = text.split('.').map(str::trim).collect::<Vec<_>>().join(".");
    if key.is_empty() || key.split('.').any(str::is_empty) {
        return Err("must start with a key, such as species.starling.max_speed".to_owned());
    }
    Ok(key)
}

/// Keys that move together.
fn together(parts: Vec<Part>) -> Result<Vary, String> {
    let (mut keys, mut columns) = (Vec::new(), Vec::new());
    for Part { key, values } in parts {
        let Values::List(values) = values else {
            return Err(format!("{key}: a range without steps moves with no other key"));
        };
        if let (Some(first), Some(column)) = (keys.first(), columns.first().map(Vec::len))
            && column != values.len()
        {
            return Err(format!(
                "{first} has {column} values and {key} {}: together they need equal numbers",
                values.len()
            ));
        }
        keys.push(key);
        columns.push(values);
    }
    let count = columns.first().map_or(0, Vec::len);
    let points = (0..count).map(|point| columns.iter().map(|values| values[point].clone()).collect());
    Ok(Vary { points: points.collect(), keys })
}

/// The points of a table: a column for each key.
fn table(file: &Path) -> Result<Vary, Failure> {
    let refuse = |reason: String| Failure::Input(format!("{}: {reason}", shown(&file)));
    let wrong = |TextTableError { line, column, reason, .. }: TextTableError| {
        Failure::Input(format!("{}:{line}:{column}: {reason}", shown(&file)))
    };
    let open = File::open(existing(&file)?).map_err(|error| refuse(format!("cannot be read: {error}")))?;
    let mut table = TextTable::start(open).map_err(wrong)?;
    let keys = table.names().iter().map(|name| key_path(name)).collect::<Result<Vec<_>, _>>();
    let keys = keys.map_err(|reason| wrong(table.problem(1, format!("the header {reason}"))))?;
    let mut points: Vec<Vec<String>> = Vec::new();
    while table.next().map_err(wrong)? {
        if table.len() != keys.len() {
            let reason = format!("has {} values, and the header {} keys", table.len(), keys.len());
            return Err(wrong(table.problem(1, reason)));
        }
        let point: Vec<String> = (0..keys.len()).filter_map(|key| table.field(key).map(str::to_owned)).collect();
        if let Some(empty) = point.iter().position(String::is_empty) {
            return Err(wrong(table.problem(table.column(empty), format!("{} is empty", keys[empty]))));
        }
        if points.len() >= MOST_VALUES {
            return Err(wrong(table.problem(1, format!("there can be {MOST_VALUES} points at most"))));
        }
        points.push(point);
    }
    if points.is_empty() {
        return Err(refuse("has no points".to_owned()));
    }
    Ok(Vary { keys, points })
}

/// A latin hypercube: in the range of every key, each of `count` equal parts has one point. The points depend on nothing
/// but the keys and their number.
///
/// McKay, Beckman and Conover, *A comparison of three methods for selecting values of input variables*, Technometrics 21,
/// 239 (1979).
fn latin_hypercube(ranges: &[(String, [f64; 2], bool)], count: usize) -> Vary {
    let column = |(number, (_, [low, high], whole)): (usize, &(String, [f64; 2], bool))| {
        let mut noise = Noise::new(0, number as u64, count as u64, Noise::USER);
        let mut parts: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            let other = (f64::from(noise.unit()) * (last + 1) as f64) as usize;
            parts.swap(last, if other < last { other } else { last });
        }
        let mut value = |part: usize| {
            let share = (part as f64 + f64::from(noise.unit())) / count as f64;
            if *whole {
                (low + (share * (high - low + 1.0)).floor()).clamp(*low, *high).to_string()
            } else {
                let value = low + share * (high - low);
                let short: f64 = format!("{value:.6e}").parse().unwrap_or(value);
                (short.clamp(*low, *high) + 0.0).to_string()
            }
        };
        parts.into_iter().map(&mut value).collect::<Vec<String>>()
    };
    let columns: Vec<Vec<String>> = ranges.iter().enumerate().map(column).collect();
    let points = (0..count).map(|point| columns.iter().map(|values| values[point].clone()).collect());
    Vary { keys: ranges.iter().map(|(key, ..)| key.clone()).collect(), points: points.collect() }
}

/// The range of `LOW:HIGH`; `None` if the text has another form.
fn between(text: &str) -> Option<Result<Values, String>> {
    let (low, high) = text.split_once(':').map(|(low, high)| (low.trim(), high.trim()))?;
    let ends: [f64; 2] = [low.parse().ok()?, high.parse().ok()?];
    if !(ends[0].is_finite() && ends[1].is_finite() && ends[0] < ends[1]) {
        return Some(Err("the range must have finite ends, the lower first".to_owned()));
    }
    let is_whole = |text: &str| text.parse::<i64>().is_ok();
    Some(Ok(Values::Between(ends, is_whole(low) && is_whole(high))))
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

/// The values of a list.
fn list(text: &str) -> Result<Vec<String>, String> {
    let values = split(text, ',');
    if values.len() > MOST_VALUES {
        return Err(format!("there can be {MOST_VALUES} values at most"));
    }
    if values.iter().any(String::is_empty) {
        return Err("a value is empty".to_owned());
    }
    Ok(values)
}

/// The parts of a text between separators. Those within brackets, braces and quotes separate nothing.
fn split(text: &str, separator: char) -> Vec<String> {
    let mut values = vec![String::new()];
    let (mut depth, mut quote) = (0_usize, None);
    for character in text.chars() {
        match (character, quote) {
            (character, None) if character == separator && depth == 0 => {
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
    values.into_iter().map(|value| value.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varied(texts: &[&str], latin: u64) -> Result<Vec<Vary>, Failure> {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        read(&texts, None, NonZeroU64::new(latin))
    }

    fn values(text: &str) -> Vec<String> {
        varied(&[text], 0).unwrap().swap_remove(0).points.concat()
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
        assert_eq!(varied(&[" a . b =1"], 0).unwrap()[0].keys, ["a.b"]);
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
            assert!(varied(&[text], 0).is_err(), "{text}");
        }
    }

    #[test]
    fn keys_move_together() {
        let found = varied(&["n=100,400 & world.size=[10, 10],[20, 20]", "b=1:3:3"], 0).unwrap();
        assert_eq!(found[0].keys, ["n", "world.size"]);
        assert_eq!(found[0].points, [["100", "[10, 10]"], ["400", "[20, 20]"]]);
        assert_eq!(found[1].points.concat(), ["1", "2", "3"]);
        let error = |texts: &[&str]| format!("{:?}", varied(texts, 0).unwrap_err());
        assert!(error(&["a=1,2 & b=1,2,3"]).contains("a has 2 values and b 3"), "{}", error(&["a=1,2 & b=1,2,3"]));
        assert!(error(&["a=1,2 & b=3,4", "b=5"]).contains("varied twice"));
        assert!(error(&["a=1:2"]).contains("--latin"));
    }

    #[test]
    fn each_part_of_a_range_has_one_point_of_a_latin_hypercube() {
        let found = varied(&["x=0.5:2.5", "n=10:29", "y=1,2"], 20).unwrap();
        assert_eq!((found[0].points.len(), found[1].keys.join(" ")), (2, "x n".to_owned()));
        let column = |key: usize| found[1].points.iter().map(move |point| point[key].parse::<f64>().unwrap());
        let mut parts: Vec<usize> = column(0).map(|x| ((x - 0.5) / 0.1) as usize).collect();
        parts.sort_unstable();
        assert_eq!(parts, (0..20).collect::<Vec<_>>());
        let mut whole: Vec<f64> = column(1).collect();
        whole.sort_by(f64::total_cmp);
        assert_eq!(whole, (10..30).map(f64::from).collect::<Vec<_>>());
        // The two keys are not in the same order.
        assert!(found[1].points.iter().zip(1..).any(|(point, number)| point[1] != (9 + number).to_string()));
        assert!(varied(&["y=1,2"], 20).is_err());
    }
}
