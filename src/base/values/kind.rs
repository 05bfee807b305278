//! The description of a key of rules, species and scenario files: its name, its type, its default and its help.

use std::f32::consts::PI;

use crate::base::values::value::three_digits;
use crate::base::values::{Range, Value};

/// The type and range of a parameter of a rule or of a key of a scenario file.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// A number in a range.
    Number(Range),
    /// A whole number, both bounds included.
    Whole(u64, u64),
    /// A whole number from this one on, or `"off"`.
    WholeOrOff(u64),
    /// A number, or a distribution: `[low, high]`, or in a scenario file a table such as `{ mean = 1.0, sd = 0.2 }`.
    Distribution(Range),
    /// Several numbers in this range.
    Numbers(Range),
    /// A point or a vector: one number per dimension, each in this range.
    Point(Range),
    /// Several of them.
    Points(Range),
    /// Pairs of a time and a whole number, in ascending order of time.
    Schedule(Range),
    /// Pairs of a time in seconds from 0 on and a number in this range, in ascending order of time.
    Series(Range),
    /// Several paths, each of several points.
    Paths(Range),
    /// Several intervals, each of two numbers in this range that ascend.
    Intervals(Range),
    /// One whole number per dimension, both bounds included.
    WholePoint(u64, u64),
    /// True or false.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words, or a region.
    ChoiceOrRegion(&'static [&'static str]),
    /// Several of these words.
    Choices(&'static [&'static str]),
    /// One of these words for all axes, or one per dimension.
    ChoicePerAxis(&'static [&'static str]),
    /// A text on one line.
    Text,
    /// The name of a file, relative to the folder of the scenario file.
    File,
    /// The name of a file, or a table with these keys.
    FileOrTable(&'static [Parameter]),
    /// A new name: 1 to 64 letters, digits, `_` and `-`.
    Name,
    /// The name of an existing item; the string describes its kind.
    Reference(&'static str),
    /// Several of them.
    References(&'static str),
    /// Several points, marks and regions.
    Goals,
    /// One or several statements of the rule `expression`.
    Statements,
    /// The species that a rule perceives: `own`, `all`, a species or several.
    SpeciesFilter,
    /// The species or the place that a condition refers to.
    SpeciesOrPlace,
    /// A point, a mark, an agent, the nearest of a species (once, or from tick to tick) or a random draw.
    Target,
    /// `"random"`, a vector, or in two dimensions an angle in degrees.
    Heading,
    /// A table with these keys. Only scenario files have this and the following kinds.
    Table(&'static [Parameter]),
    /// An array of tables with these keys.
    Tables(&'static [Parameter]),
    /// A table in which each key is a name and each value is of this kind; the string describes the named item.
    Named(&'static str, &'static Kind),
    /// A table of tables with these keys, one for each species, keyed by its name.
    Species(&'static [Parameter]),
    /// An array of tables, one for each rule, with the keys of the rule's parameter table.
    Rules,
    /// A table with the name of a model and the keys of the model's parameter table.
    Motion,
}

impl Kind {
    /// The longest text of [`Kind::Text`], in characters.
    pub const LONGEST_TEXT: usize = 100;

    /// The longest name of a file of [`Kind::File`], in bytes.
    pub const LONGEST_FILE: usize = 1024;

    /// The names of [`Kind::Name`], as a regular expression.
    pub const NAME_PATTERN: &'static str = "^[A-Za-z0-9_-]{1,64}$";

    /// The name of the kind in lists of parameters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number(_) => "number",
            Self::Whole(..) => "whole",
            Self::WholeOrOff(_) => "whole_or_off",
            Self::Distribution(_) => "spread",
            Self::Numbers(_) => "numbers",
            Self::Point(_) => "point",
            Self::Points(_) => "points",
            Self::Schedule(_) => "schedule",
            Self::Series(_) => "series",
            Self::Paths(_) => "paths",
            Self::Intervals(_) => "intervals",
            Self::WholePoint(..) => "whole_point",
            Self::Flag => "flag",
            Self::Choice(_) => "choice",
            Self::ChoiceOrRegion(_) => "choice_or_region",
            Self::Choices(_) => "choices",
            Self::ChoicePerAxis(_) => "choice_per_axis",
            Self::Text => "text",
            Self::File => "file",
            Self::FileOrTable(_) => "file_or_table",
            Self::Name => "name",
            Self::Reference(_) => "reference",
            Self::References(_) => "references",
            Self::Goals => "goals",
            Self::Statements => "statements",
            Self::SpeciesFilter => "whom",
            Self::SpeciesOrPlace => "whom_or_place",
            Self::Target => "target",
            Self::Heading => "heading",
            Self::Table(_) => "table",
            Self::Tables(_) => "tables",
            Self::Named(..) => "named",
            Self::Species(_) => "species",
            Self::Rules => "rules",
            Self::Motion => "motion",
        }
    }

    /// The allowed values in words, to follow "must be". The unit may be empty.
    #[must_use]
    pub fn allowed(self, unit: &str) -> String {
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        match self {
            Self::Number(range) => format!("a number in {range}{unit}"),
            Self::Whole(low, high) if low == high => low.to_string(),
            Self::Whole(low, u64::MAX) => format!("a whole number from {low} on"),
            Self::Whole(low, high) => format!("a whole number from {low} to {high}"),
            Self::WholeOrOff(low) => format!("a whole number from {low} on, or \"off\""),
            Self::Distribution(range) => {
                format!("a number in {range}{unit}, [low, high] for a draw between two, or a table of a distribution")
            }
            Self::Numbers(range) => format!("an array of numbers, each in {range}{unit}"),
            Self::Point(range) => format!("an array of one number per dimension, each in {range}{unit}"),
            Self::Points(range) => {
                format!("an array of vectors, each of one number per dimension in {range}{unit}")
            }
            Self::Schedule(range) => {
                format!("an array of [time, number] pairs, in ascending order of times in {range}{unit}")
            }
            Self::Series(range) => format!(
                "an array of [seconds, number] pairs, in ascending order of times in {}, each number in {range}{unit}",
                Range::LENGTH
            ),
            Self::Paths(range) => {
                format!("an array of paths, each an array of points with one number per dimension in {range}{unit}")
            }
            Self::Intervals(range) => format!("an array of intervals [from, to], with from < to, in {range}{unit}"),
            Self::WholePoint(low, high) => {
                format!("an array of one whole number per dimension, each from {low} to {high}")
            }
            Self::Flag => "true or false".to_owned(),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::ChoiceOrRegion(words) => format!("one of {}, or \"region:NAME\"", words.join(", ")),
            Self::Choices(words) => format!("an array of words, each one of {}", words.join(", ")),
            Self::ChoicePerAxis(words) => format!("one of {}, or an array of one per dimension", words.join(", ")),
            Self::Text => format!("a text on one line, of at most {} characters", Self::LONGEST_TEXT),
            Self::File => "the name of a file".to_owned(),
            Self::FileOrTable(_) => "the name of a file, or a table".to_owned(),
            Self::Name => "1 to 64 letters, digits, `_` or `-`".to_owned(),
            Self::Reference(what) => format!("the name of a {what}"),
            Self::References(what) => format!("an array of names, each of a {what}"),
            Self::Goals => "an array of points, or of words such as \"mark:NAME\" and \"region:NAME\"".to_owned(),
            Self::Statements => "a statement such as \"age += dt\", or an array of statements".to_owned(),
            Self::SpeciesFilter => "\"own\", \"all\", the name of a species or an array of names".to_owned(),
            Self::SpeciesOrPlace => "\"own\", \"all\", the name of a species, an array of names, \"mark:NAME\", \
                                  \"region:NAME\" or a point"
                .to_owned(),
            Self::Target => {
                "a point, \"mark:NAME\", \"nearest:SPECIES\" or \"kept:SPECIES\" (or own, all), \"agent:ID\" or \
                 \"random:SECONDS\""
                    .to_owned()
            }
            Self::Heading => {
                "\"random\", a vector that is not zero, or in two dimensions degrees from the x axis".to_owned()
            }
            Self::Table(_) => "a table".to_owned(),
            Self::Species(_) => "a table of species, such as [species.starling]".to_owned(),
            Self::Tables(_) => "an array of tables".to_owned(),
            Self::Named(what, kind) => {
                format!("a table of names, one for each {what}; each value must be {}", kind.allowed(unit.trim_start()))
            }
            Self::Rules => "an array of tables, such as [{ rule = \"separation\" }]".to_owned(),
            Self::Motion => "a table with a model, such as { model = \"vicsek\" }".to_owned(),
        }
    }

    /// Whether a value is of this kind and in its range, in a world of this number of dimensions. A reference may still
    /// name an item that does not exist.
    #[must_use]
    pub fn takes(self, value: &Value, dimensions: usize) -> bool {
        let whole = |number: f64, low: u64, high: u64| {
            number.fract() == 0.0 && number >= low as f64 && number <= high as f64 && number < u64::MAX as f64
        };
        let point =
            |point: &[f64], range: Range| point.len() == dimensions && point.iter().all(|&at| range.contains(at));
        match (self, value) {
            (Self::Number(range) | Self::Distribution(range), Value::Number(number)) => range.contains(*number),
            (Self::Number(range) | Self::Distribution(range), Value::Whole(number)) => range.contains(*number as f64),
            (Self::Distribution(range), Value::Point(ends)) => {
                matches!(ends[..], [low, high] if low <= high && range.contains(low) && range.contains(high))
            }
            (Self::Whole(low, high), Value::Whole(number)) => (low..=high).contains(number),
            (Self::Whole(low, high), Value::Number(number)) => whole(*number, low, high),
            (Self::WholeOrOff(low), Value::Whole(number)) => *number >= low,
            (Self::WholeOrOff(low), Value::Number(number)) => whole(*number, low, u64::MAX),
            (Self::WholeOrOff(_), Value::Word(word)) => word == "off",
            (Self::Numbers(range), Value::Point(all)) => all.iter().all(|&number| range.contains(number)),
            (Self::Point(range), Value::Point(at)) => point(at, range),
            (Self::Goals, Value::Points(points)) => points.iter().all(|at| point(at, Range::COORDINATE)),
            (Self::Points(range), Value::Points(points)) => points.iter().all(|at| point(at, range)),
            (Self::Schedule(times), Value::Points(pairs)) => over_time(pairs, times, |count| whole(count, 0, 1 << 53)),
            (Self::Series(range), Value::Points(pairs)) => over_time(pairs, Range::LENGTH, |number| range.contains(number)),
            (Self::Intervals(range), Value::Points(ends)) => ends.iter().all(|ends| {
                matches!(ends[..], [from, to] if range.contains(from) && range.contains(to) && (from as f32) < to as f32)
            }),
            (Self::WholePoint(low, high), Value::Point(at)) => {
                at.len() == dimensions && at.iter().all(|&at| whole(at, low, high))
            }
            (Self::Flag, Value::Flag(_)) => true,
            (Self::Choice(words) | Self::ChoicePerAxis(words), Value::Word(word)) => words.contains(&&word[..]),
            (Self::ChoiceOrRegion(words), Value::Word(word)) => {
                words.contains(&&word[..]) || word.starts_with("region:")
            }
            (Self::ChoicePerAxis(words), Value::Words(chosen)) => {
                chosen.len() == dimensions && chosen.iter().all(|word| words.contains(&&word[..]))
            }
            (Self::Text, Value::Word(text)) => {
                text.chars().count() <= Self::LONGEST_TEXT && !text.chars().any(char::is_control)
            }
            (Self::File | Self::FileOrTable(_), Value::Word(file)) => {
                (1..=Self::LONGEST_FILE).contains(&file.len()) && !file.chars().any(char::is_control)
            }
            (Self::Name, Value::Word(name)) => is_name(name),
            (Self::Reference(_) | Self::Statements | Self::SpeciesFilter | Self::SpeciesOrPlace, Value::Word(_)) => true,
            (Self::Choices(allowed), Value::Words(words)) => words.iter().all(|word| allowed.contains(&&word[..])),
            (Self::References(_) | Self::Goals, Value::Words(_)) => true,
            (Self::Statements | Self::SpeciesFilter | Self::SpeciesOrPlace, Value::Words(_)) => true,
            (Self::Distribution(_), Value::Distribution(_)) => true,
            (Self::Target, Value::Word(word)) => word.contains(':'),
            (Self::Target | Self::SpeciesOrPlace, Value::Point(at)) => point(at, Range::COORDINATE),
            (Self::Heading, Value::Word(word)) => word == "random",
            (Self::Heading, Value::Number(degrees)) => dimensions == 2 && Range::COORDINATE.contains(*degrees),
            (Self::Heading, Value::Whole(degrees)) => dimensions == 2 && Range::COORDINATE.contains(*degrees as f64),
            (Self::Heading, Value::Point(at)) => {
                point(at, Range::COORDINATE) && at.iter().any(|&component| component as f32 != 0.0)
            }
            _ => false,
        }
    }
}

/// Whether these are pairs of a time in a range and an allowed number, in ascending order of time.
fn over_time(pairs: &[Vec<f64>], times: Range, is_allowed: impl Fn(f64) -> bool) -> bool {
    let is_pair = |pair: &Vec<f64>| matches!(pair[..], [time, number] if times.contains(time) && is_allowed(number));
    pairs.iter().all(is_pair) && pairs.windows(2).all(|pair| pair[0][0] <= pair[1][0])
}

/// A parameter of a rule, a quantity of a species or a key of a scenario file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its key in a scenario file. A parameter's key is also the name of its field.
    pub name: &'static str,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// Its type and range.
    pub kind: Kind,
    /// Its help: one line.
    pub help: &'static str,
    /// Its value where a file lacks the key.
    pub default: Preset,
    /// How its value grows in a larger world of the same density.
    pub scaled: Scaled,
    /// Whether the key is newer than its definition. A snapshot leaves such a key out while it has its default, so
    /// worlds that do not use it keep their hashes.
    pub added: bool,
    /// Whether few users change it: lists show it after the others, and the page has no slider for it.
    pub advanced: bool,
}

/// How the value of a key grows where a world becomes larger at the same density, with `k` times the agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scaled {
    /// Points and paths in metres by `s`, the square root or the cube root of `k`; other values do not grow.
    #[default]
    Places,
    /// By `s`: an extent of the layout.
    Length,
    /// By `k`: a number of agents.
    Count,
    /// By `k / s`: a number of agents per second.
    Rate,
    /// Not at all: a point that is relative to an agent.
    Fixed,
}

impl Parameter {
    /// A required key that is as old as its definition, and whose points and paths grow with the world.
    #[must_use]
    pub const fn new(name: &'static str, unit: &'static str, kind: Kind, help: &'static str) -> Self {
        Self {
            name,
            unit,
            kind,
            help,
            default: Preset::Required,
            scaled: Scaled::Places,
            added: false,
            advanced: false,
        }
    }

    /// Such a key that may be absent.
    #[must_use]
    pub const fn optional(name: &'static str, unit: &'static str, kind: Kind, help: &'static str) -> Self {
        Self::new(name, unit, kind, help).or(Preset::Absent)
    }

    /// The same key with a default.
    #[must_use]
    pub const fn or(self, default: Preset) -> Self {
        Self { default, ..self }
    }

    /// The same key, growing in another way with the world.
    #[must_use]
    pub const fn growing(self, scaled: Scaled) -> Self {
        Self { scaled, ..self }
    }

    /// The allowed values in words, to follow "must be".
    #[must_use]
    pub fn allowed(&self) -> String {
        self.kind.allowed(self.unit)
    }

    /// The doubt about an angle in degrees that radians would explain: a view of a few degrees, or another angle of a
    /// few degrees that is not a whole or half number. `None` for other values, and for parameters
    /// other than angles.
    ///
    /// ```
    /// use throng::Registry;
    ///
    /// let rule = Registry::new().named::<2>("alignment").unwrap();
    /// let fov = rule.parameter("fov")?;
    /// assert!(fov.doubt(270.0).is_none());
    /// assert!(fov.doubt(4.71).unwrap().contains("look like radians"));
    /// # Ok::<(), throng::Error>(())
    /// ```
    #[must_use]
    pub fn doubt(&self, value: f32) -> Option<String> {
        let Self { unit, kind, .. } = self;
        let is_view = matches!(kind, Kind::Number(range) if range.contains(360.0) && !range.contains(361.0));
        let is_angle = matches!(*unit, "degrees" | "degrees/s") || *kind == Kind::Heading;
        let unit = if unit.is_empty() { "degrees" } else { unit };
        let degrees = three_digits(value * (180.0 / PI));
        let in_radians = (1e-3..=2.0 * PI + 1e-3).contains(&value.abs()) && (is_view || (2.0 * value).fract() != 0.0);
        (is_angle && in_radians)
            .then(|| format!("{value} {unit} look like radians: {value} radians are {degrees} {unit}"))
    }
}

/// The value of a key that a file lacks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Preset {
    /// The key is required.
    Required,
    /// No value: the key's function is off.
    Absent,
    /// The value that the rule has in its registry.
    OfRule,
    /// This number.
    Number(f32),
    /// This word, or a description of the default.
    Word(&'static str),
}

/// Whether a text is a name of an item, as of a mark or a species in a file: whether it matches
/// [`Kind::NAME_PATTERN`].
///
/// ```
/// use throng::parameters::is_name;
///
/// assert!(is_name("north-door") && !is_name("north door") && !is_name(""));
/// ```
#[must_use]
pub fn is_name(text: &str) -> bool {
    let character = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    (1..=64).contains(&text.len()) && text.chars().all(character)
}

/// Whether a column of a trajectory has this name, so that no column of a host and no variable can have it.
pub(crate) fn is_trajectory_column(name: &str) -> bool {
    const COLUMNS: [&str; 12] = ["tick", "frame", "id", "species", "x", "y", "z", "vx", "vy", "vz", "time", "state"];
    COLUMNS.contains(&name) || name.ends_with("_unwrapped")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_exact() {
        let all = Kind::Whole(0, u64::MAX);
        assert!(all.takes(&Value::Whole(u64::MAX), 2) && all.takes(&Value::Number(3.0), 2));
        for number in [-1.0, 0.5, f64::NAN, f64::INFINITY, 18_446_744_073_709_551_616.0] {
            assert!(!all.takes(&Value::Number(number), 2), "{number}");
        }
        assert!(!Kind::Whole(2, 3).takes(&Value::Whole(4), 2));
    }

    #[test]
    fn points_have_as_many_numbers_as_the_world_has_dimensions() {
        let point = Value::Point(vec![1.0, 2.0]);
        assert!(Kind::Point(Range::LENGTH).takes(&point, 2) && !Kind::Point(Range::LENGTH).takes(&point, 3));
        assert!(Kind::Distribution(Range::LENGTH).takes(&point, 3));
        assert!(!Kind::Distribution(Range::LENGTH).takes(&Value::Point(vec![2.0, 1.0]), 2));
        assert!(!Kind::Heading.takes(&Value::Point(vec![0.0, 1e-60]), 2));
    }
}
