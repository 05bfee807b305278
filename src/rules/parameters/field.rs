//! The types of rules' parameters, and their conversion from and to values.

use crate::base::error::Error;
use crate::maths::Vector;
use crate::rules::parameters::{Kind, Parameter, Value};

/// The type of a rule's parameter, with its conversion to and from a [`Value`].
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
            Some(word) if parameter.kind.takes(value, 0) => Ok(word.to_owned()),
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
            (Value::Point(point), Kind::Point(_)) if parameter.kind.takes(value, D) => Ok(vector(point)),
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
            _ => Err(parameter.refuse(value)),
        }
    }
}
