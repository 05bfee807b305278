//! How is text printed so that a reader who has left does no harm?

use std::io::{self, Write};

use crate::failure::Failure;

/// Prints to the standard output, without colours where they are not wanted. A closed pipe is no failure.
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

/// A whole number as people read it: 50 000.
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

/// A count or a rate in thousands, millions or billions.
pub(crate) fn short(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.2} billion", n / 1e9),
        n if n >= 1e6 => format!("{:.1} million", n / 1e6),
        n if n >= 1e4 => grouped(n as u64),
        n if n >= 100.0 => format!("{n:.0}"),
        n => format!("{n:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!(grouped(1234), "1234");
        assert_eq!(grouped(50_000), "50 000");
        assert_eq!(grouped(1_234_567), "1 234 567");
        assert_eq!(short(10_512_345.0), "10.5 million");
    }
}
