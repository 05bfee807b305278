//! What can be set on a rule, in which unit and range? One table per rule, written once.
//!
//! The table drives the scenario reader, `--set`, `throng rules`, the JSON schema, sliders and the tests of bad
//! values: nothing about a parameter stands anywhere else.

use crate::error::Error;
use crate::maths::Vector;
use crate::settings::LIMIT;

/// One parameter of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its key in a scenario file, and the name of its field.
    pub name: &'static str,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// One line on what it does.
    pub help: &'static str,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// A number in a range.
    Number(Range),
    /// Yes or no.
    Flag,
    /// Whom a rule perceives: `own`, `all`, a species or several.
    Whom,
    /// A point of the world.
    Point,
    /// Several points of the world.
    Points,
    /// A point, a mark, an agent, the nearest of a species or a random draw.
    Target,
    /// The name of something in the scenery.
    Name,
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// A range of numbers, up to and including `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest number, or what numbers must be above.
    pub low: f64,
    /// The largest number.
    pub high: f64,
    /// Whether `low` itself is excluded.
    pub above: bool,
}

impl Range {
    /// Numbers from `low` to `high`, both included.
    #[must_use]
    pub const fn from(low: f64, high: f64) -> Self {
        Self { low, high, above: false }
    }

    /// Numbers above `low`, up to `high`.
    #[must_use]
    pub const fn above(low: f64, high: f64) -> Self {
        Self { low, high, above: true }
    }

    /// Lengths: from nothing to the largest world.
    pub const LENGTH: Self = Self::from(0.0, LIMIT as f64);

    /// Whether `number` is in the range: no number that is not finite ever is.
    #[must_use]
    pub fn contains(&self, number: f64) -> bool {
        // Bounds are rounded as values are: a tenth is a tenth in either precision.
        let (value, low) = (number as f32, self.low as f32);
        number <= self.high && if self.above { value > low } else { value >= low }
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}, {}]", if self.above { '(' } else { '[' }, short(self.low), short(self.high))
    }
}

/// A number as people write it.
fn short(number: f64) -> String {
    if number.abs() >= 1e6 { format!("{number:e}") } else { number.to_string() }
}

/// The value of a parameter, independent of the rule's type and the number of dimensions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(String),
    /// Several words.
    Words(Vec<String>),
    /// The coordinates of a point.
    Point(Vec<f64>),
    /// The coordinates of several points.
    Points(Vec<Vec<f64>>),
}

/// A rule whose parameters can be read and set by name.
pub trait Tunable {
    /// The rule's name in a scenario file.
    fn rule(&self) -> &'static str;

    /// What the rule does, in one line.
    fn summary(&self) -> &'static str;

    /// The rule's parameters.
    fn parameters(&self) -> &'static [Parameter];

    /// The value of a parameter, `None` if there is none of this name.
    fn get(&self, name: &str) -> Option<Value>;

    /// Sets a parameter.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if there is no parameter of this name, or the value is not one it may have.
    fn set(&mut self, name: &str, value: &Value) -> Result<(), Error>;
}

/// The type of a rule's field.
pub(crate) trait Field: Sized {
    fn value(&self) -> Value;
    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error>;
}

/// What a parameter may be, in words.
#[must_use]
pub fn allowed(parameter: &Parameter) -> String {
    match parameter.kind {
        Kind::Number(range) if parameter.unit.is_empty() => format!("a number in {range}"),
        Kind::Number(range) => format!("a number in {range} {}", parameter.unit),
        Kind::Flag => "true or false".to_owned(),
        Kind::Whom => "\"own\", \"all\", the name of a species or an array of names".to_owned(),
        Kind::Point => "a point: an array of one number per dimension, each within 1e6 of zero".to_owned(),
        Kind::Points => "an array of points, each an array of one number per dimension within 1e6 of zero".to_owned(),
        Kind::Target => {
            "a point, \"mark:NAME\", \"nearest:SPECIES\" (or own, all), \"agent:ID\" or \"random:SECONDS\"".to_owned()
        }
        Kind::Name => "a name".to_owned(),
        Kind::Choice(words) => format!("one of {}", words.join(", ")),
    }
}

fn refuse(parameter: &Parameter, value: &Value) -> Error {
    let value = match value {
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Word(word) => format!("{word:?}"),
        Value::Words(words) => format!("{words:?}"),
        Value::Point(point) => format!("{point:?}"),
        Value::Points(points) => format!("{points:?}"),
    };
    Error::BadValue { what: parameter.name.to_owned(), value, allowed: allowed(parameter) }
}

impl Field for f32 {
    fn value(&self) -> Value {
        Value::Number(f64::from(*self))
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match (value, parameter.kind) {
            (Value::Number(number), Kind::Number(range)) if range.contains(*number) => Ok(*number as f32),
            _ => Err(refuse(parameter, value)),
        }
    }
}

impl Field for bool {
    fn value(&self) -> Value {
        Value::Flag(*self)
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match value {
            Value::Flag(flag) => Ok(*flag),
            _ => Err(refuse(parameter, value)),
        }
    }
}

impl Field for String {
    fn value(&self) -> Value {
        Value::Word(self.clone())
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match value {
            Value::Word(word) => Ok(word.clone()),
            _ => Err(refuse(parameter, value)),
        }
    }
}

impl<const D: usize> Field for Vector<D> {
    fn value(&self) -> Value {
        Value::Point(self.0.iter().map(|&component| f64::from(component)).collect())
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        let within = |number: &f64| number.abs() <= f64::from(LIMIT);
        match value {
            Value::Point(point) if point.len() == D && point.iter().all(within) => {
                Ok(Self::from_fn(|axis| point[axis] as f32))
            }
            _ => Err(refuse(parameter, value)),
        }
    }
}

impl<const D: usize> Field for Vec<Vector<D>> {
    fn value(&self) -> Value {
        Value::Points(
            self.iter().map(|point| point.0.iter().map(|&component| f64::from(component)).collect()).collect(),
        )
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        let Value::Points(points) = value else { return Err(refuse(parameter, value)) };
        let read = |point: &Vec<f64>| Vector::read(&Value::Point(point.clone()), parameter);
        points.iter().map(read).collect::<Result<_, _>>().map_err(|_| refuse(parameter, value))
    }
}

/// Declares a rule: its struct, its defaults and its parameter table.
macro_rules! rule {
    (
        $(#[$meta:meta])*
        $rule:literal: $summary:literal
        pub struct $name:ident $(<$dimensions:ident>)? {
            $(
                #[doc = $help:literal]
                pub $field:ident: $type:ty = $default:expr, $unit:literal, $kind:expr;
            )*
        }
    ) => {
        #[doc = $summary]
        #[doc = ""]
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name $(<const $dimensions: usize>)? {
            $(
                #[doc = $help]
                #[doc = concat!("\n\nUnit: ", $unit, ".")]
                pub $field: $type,
            )*
        }

        impl $(<const $dimensions: usize>)? Default for $name $(<$dimensions>)? {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $(<const $dimensions: usize>)? $crate::parameters::Tunable for $name $(<$dimensions>)? {
            fn rule(&self) -> &'static str {
                $rule
            }

            fn summary(&self) -> &'static str {
                $summary
            }

            fn parameters(&self) -> &'static [$crate::parameters::Parameter] {
                const TABLE: &[$crate::parameters::Parameter] = &[$($crate::parameters::Parameter {
                    name: stringify!($field),
                    unit: $unit,
                    kind: $kind,
                    help: $help,
                },)*];
                TABLE
            }

            fn get(&self, name: &str) -> Option<$crate::parameters::Value> {
                use $crate::parameters::Field;
                $(if name == stringify!($field) {
                    return Some(self.$field.value());
                })*
                let _ = name;
                None
            }

            fn set(&mut self, name: &str, value: &$crate::parameters::Value) -> Result<(), $crate::Error> {
                use $crate::parameters::Field;
                let table = self.parameters();
                let Some(parameter) = table.iter().find(|parameter| parameter.name == name) else {
                    let names: Vec<&str> = table.iter().map(|parameter| parameter.name).collect();
                    return Err($crate::Error::bad($rule, name, format!("one of {}", names.join(", "))));
                };
                $(if name == stringify!($field) {
                    self.$field = Field::read(value, parameter)?;
                })*
                Ok(())
            }
        }
    };
}
pub(crate) use rule;

/// In the `impl Behaviour` of a rule with a table: where the table is.
macro_rules! tunable {
    () => {
        fn tunable(&self) -> Option<&dyn $crate::parameters::Tunable> {
            Some(self)
        }

        fn tunable_mut(&mut self) -> Option<&mut dyn $crate::parameters::Tunable> {
            Some(self)
        }
    };
}
pub(crate) use tunable;

/// Declares the type of a field that is one of several words.
macro_rules! choice {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $(
                #[doc = $help:literal]
                $variant:ident = $word:literal,
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(
                #[doc = $help]
                #[doc = concat!("\n\nIn a scenario file: `", $word, "`.")]
                $variant,
            )*
        }

        impl $name {
            /// What it may be.
            const KIND: $crate::parameters::Kind = $crate::parameters::Kind::Choice(&[$($word),*]);
        }

        impl $crate::parameters::Field for $name {
            fn value(&self) -> $crate::parameters::Value {
                let word = match self {
                    $(Self::$variant => $word,)*
                };
                $crate::parameters::Value::Word(word.to_owned())
            }

            fn read(
                value: &$crate::parameters::Value,
                parameter: &$crate::parameters::Parameter,
            ) -> Result<Self, $crate::Error> {
                match value {
                    $($crate::parameters::Value::Word(word) if word == $word => Ok(Self::$variant),)*
                    _ => Err($crate::Error::bad(parameter.name, value, $crate::parameters::allowed(parameter))),
                }
            }
        }
    };
}
pub(crate) use choice;
