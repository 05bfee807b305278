//! The types of parameters and keys, and their conversion from and to values.

use crate::base::error::Error;
use std::f64::consts::PI;

use crate::base::distribution::Distribution;
use crate::base::values::{Allowed, Kind, Parameter, Value};
use crate::maths::{Vector, sin_cos};

/// The type of a parameter or a key, with its conversion to and from a [`Value`].
///
/// ```
/// use throng::Error;
/// use throng::parameters::{Field, Parameter, Value};
///
/// /// An angle that is written in degrees and kept in turns.
/// #[derive(Clone, Debug, PartialEq)]
/// struct Turns(f32);
///
/// impl Field for Turns {
///     fn value(&self) -> Value {
///         (self.0 * 360.0).value()
///     }
///
///     fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
///         f32::read(value, parameter).map(|degrees| Self(degrees / 360.0))
///     }
/// }
/// ```
pub trait Field: Sized {
    /// The present value.
    fn value(&self) -> Value;

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// [`Parameter::refuse`] if the parameter cannot have the value.
    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error>;

    /// Checks that the present value is allowed.
    ///
    /// # Errors
    ///
    /// As for [`read`](Self::read).
    fn check(&self, parameter: &Parameter) -> Result<(), Error> {
        Self::read(&self.value(), parameter).map(drop)
    }
}

impl Parameter {
    /// The allowed values.
    #[must_use]
    pub const fn expected(&self) -> Allowed {
        Allowed::Kind { kind: self.kind, unit: self.unit }
    }

    /// The error for a value that is not allowed.
    #[must_use]
    pub fn refuse(&self, value: &Value) -> Error {
        Error::bad(self.name, value.clone(), self.expected())
    }
}

/// Rounds to `f32` and turns -0.0 into 0.0, so that a division by the number does not depend on the sign of zero. Every
/// number that enters a world as a [`Value`] is rounded so.
#[must_use]
pub fn rounded(number: f64) -> f32 {
    number as f32 + 0.0
}

impl Field for f32 {
    fn value(&self) -> Value {
        Value::Number(f64::from(*self))
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match value.number() {
            Some(number) if parameter.kind.takes(value, 0) => Ok(rounded(number)),
            _ => Err(parameter.refuse(value)),
        }
    }
}

impl Field for u32 {
    fn value(&self) -> Value {
        Value::Whole((*self).into())
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        let whole = value.whole().filter(|_| parameter.kind.takes(value, 0));
        whole.and_then(|whole| Self::try_from(whole).ok()).ok_or_else(|| parameter.refuse(value))
    }
}

impl Field for bool {
    fn value(&self) -> Value {
        Value::Flag(*self)
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match value {
            Value::Flag(flag) => Ok(*flag),
            _ => Err(parameter.refuse(value)),
        }
    }
}

impl Field for String {
    fn value(&self) -> Value {
        Value::Word(self.clone())
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match value.word() {
            // Files restrict names; a host may use any.
            Some(word) if parameter.kind == Kind::Name || parameter.kind.takes(value, 0) => Ok(word.to_owned()),
            _ => Err(parameter.refuse(value)),
        }
    }
}

impl Field for Vec<String> {
    fn value(&self) -> Value {
        Value::Words(self.clone())
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match value {
            Value::Words(words) if parameter.kind.takes(value, 0) => Ok(words.clone()),
            _ => Err(parameter.refuse(value)),
        }
    }
}

/// The components of a vector, in the precision of values.
fn components<const D: usize>(vector: &Vector<D>) -> Vec<f64> {
    vector.0.iter().map(|&component| f64::from(component)).collect()
}

fn vector<const D: usize>(point: &[f64]) -> Vector<D> {
    Vector::from_fn(|axis| rounded(point[axis]))
}

impl<const D: usize> Field for Vector<D> {
    fn value(&self) -> Value {
        Value::Point(components(self))
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match (value, parameter.kind) {
            (Value::Point(point), Kind::Point(_) | Kind::Heading) if parameter.kind.takes(value, D) => {
                Ok(vector(point))
            }
            (degrees, Kind::Heading) if parameter.kind.takes(value, D) && degrees.number().is_some() => {
                let radians = degrees.number().unwrap_or_default() * (PI / 180.0);
                let (sine, cosine) = sin_cos(radians as f32);
                Ok(Self::from_fn(|axis| if axis == 0 { cosine } else { sine }))
            }
            _ => Err(parameter.refuse(value)),
        }
    }
}

impl<const D: usize> Field for Vec<Vector<D>> {
    fn value(&self) -> Value {
        Value::Points(self.iter().map(components).collect())
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match value {
            Value::Points(points) if parameter.kind.takes(value, D) => {
                Ok(points.iter().map(|point| vector(point)).collect())
            }
            // A text does not say what an empty list is a list of.
            Value::Words(words) if words.is_empty() => Ok(Vec::new()),
            _ => Err(parameter.refuse(value)),
        }
    }
}

impl Field for u64 {
    fn value(&self) -> Value {
        Value::Whole(*self)
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        let whole = value.whole().filter(|_| parameter.kind.takes(value, 0));
        whole.ok_or_else(|| parameter.refuse(value))
    }
}

impl Field for Distribution {
    fn value(&self) -> Value {
        (*self).into()
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        let drawn = match value {
            Value::Distribution(drawn) => *drawn,
            Value::Point(ends) if parameter.kind.takes(value, 0) => Self::Uniform(rounded(ends[0]), rounded(ends[1])),
            _ => Self::Same(f32::read(value, parameter)?),
        };
        drawn.check(parameter).map(|()| drawn)
    }
}

impl Field for Vec<f32> {
    fn value(&self) -> Value {
        Value::Point(self.iter().copied().map(f64::from).collect())
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match value {
            Value::Point(all) if parameter.kind.takes(value, 0) => Ok(all.iter().copied().map(rounded).collect()),
            Value::Words(words) if words.is_empty() => Ok(Vec::new()),
            _ => Err(parameter.refuse(value)),
        }
    }
}

/// Intervals, or a series of times and numbers.
impl Field for Vec<[f32; 2]> {
    fn value(&self) -> Value {
        Value::Points(self.iter().map(|ends| ends.map(f64::from).to_vec()).collect())
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        match value {
            Value::Points(all) if parameter.kind.takes(value, 0) => {
                Ok(all.iter().map(|ends| [rounded(ends[0]), rounded(ends[1])]).collect())
            }
            Value::Words(words) if words.is_empty() => Ok(Vec::new()),
            _ => Err(parameter.refuse(value)),
        }
    }
}
