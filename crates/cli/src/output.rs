//! Output of text, and the formats of numbers.

use std::io::{self, Write};

use serde_json::Value;
use throng::Faults;
use throng_scenario::is_printable;

use crate::failure::Failure;
use crate::terminal::{columns, folded_lines, width};

/// Prints to the standard output, without colours where they are not wanted. Ignores a closed pipe.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Write(format!("the standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a text for people: in a terminal, lines that are wider are folded.
pub(crate) fn print_folded(text: &str) -> Result<(), Failure> {
    match width() {
        Some(columns) => print(&folded_lines(text, columns)),
        None => print(text),
    }
}

/// A JSON value as lines of text. Characters that must not reach a terminal raw are escaped.
pub(crate) fn json_text(value: &Value) -> String {
    let mut text = format!("{value:#}\n");
    // They occur only in strings.
    let raw = |character: char| character != '\n' && !is_printable(character);
    let mut found: Vec<char> = text.chars().filter(|character| raw(*character)).collect();
    found.sort_unstable();
    found.dedup();
    for character in found {
        text = text.replace(character, &format!("\\u{:04x}", u32::from(character)));
    }
    text
}

/// Wraps a text at [`columns`], with this many spaces before each line.
pub(crate) fn wrapped(text: &str, indent: usize) -> String {
    let spaces = " ".repeat(indent);
    let options = textwrap::Options::new(columns()).initial_indent(&spaces).subsequent_indent(&spaces);
    let lines = textwrap::fill(&text.split_whitespace().collect::<Vec<_>>().join(" "), options);
    if lines.trim().is_empty() { String::new() } else { lines + "\n" }
}

/// Formats a whole number with its digits in groups: 50 000.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with this many decimals: 0.00 and not -0.00, 12 345.0 with its digits in groups, and a dash for
/// none.
pub(crate) fn fixed(number: impl Into<f64>, decimals: usize) -> String {
    let number = number.into();
    if !number.is_finite() {
        return if number.is_nan() { "-".to_owned() } else { number.to_string() };
    }
    let text = format!("{number:.decimals$}");
    let (sign, digits) = text.strip_prefix('-').map_or(("", &text[..]), |digits| ("-", digits));
    let sign = if digits.bytes().all(|digit| matches!(digit, b'0' | b'.')) { "" } else { sign };
    let whole = digits.find('.').unwrap_or(digits.len());
    let (whole, fraction) = digits.split_at(whole);
    format!("{sign}{}{fraction}", whole.parse().map_or(whole.to_owned(), grouped))
}

/// Formats a count or a rate: in groups of digits, millions or billions.
pub(crate) fn short(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{} billion", fixed(n / 1e9, 2)),
        n if n >= 1e6 => format!("{} million", fixed(n / 1e6, 1)),
        n if n >= 100.0 => fixed(n, 0),
        n => fixed(n, 1),
    }
}

/// Returns the share of agent-ticks with inexact neighbours, and the remedy. `None` if all neighbours were exact.
pub(crate) fn advice(capped: u64, agent_ticks: u64) -> Option<String> {
    let mut faults = Faults::default();
    (faults.inexact, faults.agents) = (capped, agent_ticks);
    faults.warnings().first().map(ToString::to_string)
}

/// Formats a number with at most this many decimals: 0.5, not 0.50.
pub(crate) fn trimmed(number: f32, decimals: usize) -> String {
    let text = fixed(number, decimals);
    let text = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_shortened() {
        assert_eq!(grouped(1234), "1234");
        assert_eq!(grouped(50_000), "50 000");
        assert_eq!(grouped(1_234_567), "1 234 567");
        assert_eq!(short(10_512_345.0), "10.5 million");
        assert_eq!([short(12_345.6), short(0.04)], ["12 346", "0.0"]);
        let numbers = [(-0.0, 2), (-0.004, 2), (-0.5, 1), (12_345.678, 1), (-98_765.4, 0), (108.6026, 1)];
        let texts = numbers.map(|(number, decimals)| fixed(number, decimals));
        assert_eq!(texts, ["0.00", "0.00", "-0.5", "12 345.7", "-98 765", "108.6"]);
        assert_eq!([fixed(f64::NAN, 1), fixed(f64::INFINITY, 1)], ["-", "inf"]);
    }

    #[test]
    fn advice_is_given_for_inexact_neighbours_only() {
        assert_eq!(advice(0, 10_000), None);
        for (capped, text) in [(1, " less than 0.1 % "), (40, " 0.4 % "), (999, " 10.0 % "), (10_000, " 100 % ")] {
            let advice = advice(capped, 10_000).unwrap();
            assert!(advice.contains(text), "{advice}");
        }
    }
}
