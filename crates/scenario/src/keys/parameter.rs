//! Helpers with which the tables of keys are written.

use throng::LIMIT;
use throng::parameters::{Kind, Parameter, Preset, Range};

/// Lengths of a world.
pub(super) const EXTENT: Range = Range::EXTENT;
/// Speeds, in metres per second.
pub(super) const SPEED: Range = Range::from(0.0, LIMIT as f64);

/// The names of all elements of a constant array, as a constant array.
macro_rules! names {
    ($all:path, $($name:tt)+) => {{
        let mut names = [""; $all.len()];
        let mut number = 0;
        while number < names.len() {
            names[number] = $all[number].$($name)+;
            number += 1;
        }
        names
    }};
}

pub(super) use names;

pub(super) const fn key(
    name: &'static str,
    unit: &'static str,
    kind: Kind,
    help: &'static str,
    default: Preset,
) -> Parameter {
    Parameter::new(name, unit, kind, help).or(default)
}

pub(super) const fn required(name: &'static str, unit: &'static str, kind: Kind, help: &'static str) -> Parameter {
    Parameter::new(name, unit, kind, help)
}

pub(super) const fn optional(name: &'static str, unit: &'static str, kind: Kind, help: &'static str) -> Parameter {
    Parameter::optional(name, unit, kind, help)
}

/// The keys without the name, which is the key of the table.
pub(super) const fn without_name(keys: &'static [Parameter]) -> &'static [Parameter] {
    match keys {
        [_, others @ ..] => others,
        [] => &[],
    }
}
