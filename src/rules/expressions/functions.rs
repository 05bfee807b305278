//! The functions of expressions.

use crate::base::values::Mistake;
use crate::kernels::expression::{Binary, Unary};
use crate::rules::expressions::builder::{Builder, Number, Value};
use crate::rules::expressions::program::{Draw, OwnOperation, Reduction};
use crate::rules::expressions::syntax::{Expr, Node};

/// The functions of one number.
pub(crate) const OF_ONE: [(&str, Unary); 9] = [
    ("abs", Unary::Size),
    ("cos", Unary::Cosine),
    ("exp", Unary::Exponential),
    ("floor", Unary::Floor),
    ("log", Unary::Logarithm),
    ("sign", Unary::Sign),
    ("sin", Unary::Sine),
    ("sqrt", Unary::Root),
    ("tanh", Unary::HyperbolicTangent),
];

/// All other functions.
const OTHERS: [&str; 20] = [
    "atan2",
    "chance",
    "clamp",
    "count",
    "direction",
    "dot",
    "gradient",
    "length",
    "max",
    "mean",
    "min",
    "normal",
    "pick",
    "random_direction",
    "sense",
    "sum",
    "uniform",
    "vector",
    "where",
    "wrap",
];

impl Builder {
    /// Returns the value of a call.
    pub(super) fn call(&mut self, name: &str, arguments: &[Expr], at: usize) -> Result<Value, Mistake> {
        call(self, name, arguments, at)
    }
}

fn call(builder: &mut Builder, name: &str, arguments: &[Expr], at: usize) -> Result<Value, Mistake> {
    if let Some((_, operation)) = OF_ONE.iter().find(|(known, _)| *known == name) {
        let [of] = exactly(name, arguments, at)?;
        let of = builder.scalar(of)?;
        return Ok(Value::Number(builder.unary(*operation, of)));
    }
    match name {
        "sum" | "mean" | "count" | "pick" => over_neighbours(builder, name, arguments, at),
        "min" | "max" => least_or_greatest(builder, name, arguments, at),
        "uniform" | "normal" | "chance" | "random_direction" => draw(builder, name, arguments, at),
        "dot" | "length" | "direction" | "vector" => of_vectors(builder, name, arguments, at),
        "sense" | "gradient" => of_substance(builder, name, arguments, at),
        "atan2" => {
            let [y, x] = exactly(name, arguments, at)?;
            let (y, x) = (builder.scalar(y)?, builder.scalar(x)?);
            Ok(Value::Number(builder.binary(Binary::Angle, y, x)))
        }
        "clamp" => {
            let [of, low, high] = exactly(name, arguments, at)?;
            let (of, low, high) = (builder.scalar(of)?, builder.scalar(low)?, builder.scalar(high)?);
            let above = builder.binary(Binary::Greater, of, low);
            Ok(Value::Number(builder.binary(Binary::Lesser, above, high)))
        }
        "wrap" => {
            let [of, period] = exactly(name, arguments, at)?;
            let (of, period) = (builder.scalar(of)?, builder.scalar(period)?);
            let periods = builder.binary(Binary::Over, of, period);
            let whole = builder.unary(Unary::Floor, periods);
            let way = builder.binary(Binary::Times, whole, period);
            Ok(Value::Number(builder.binary(Binary::Minus, of, way)))
        }
        "where" => {
            let [which, yes, no] = exactly(name, arguments, at)?;
            let which = builder.scalar(which)?;
            match (builder.value(yes)?, builder.value(no)?) {
                (Value::Number(yes), Value::Number(no)) => Ok(Value::Number(builder.choose(which, yes, no))),
                (Value::Vector(yes), Value::Vector(no)) => {
                    let axes = yes.into_iter().zip(no).map(|(yes, no)| builder.choose(which, yes, no));
                    Ok(Value::Vector(axes.collect()))
                }
                _ => Err(Mistake::new(no.at, "both choices are numbers, or both are vectors")),
            }
        }
        _ => Err(Mistake::unknown(at, "function", name, OF_ONE.iter().map(|(name, _)| *name).chain(OTHERS))),
    }
}

/// The arguments, if their number is the one that the function takes.
pub(crate) fn exactly<'e, const N: usize>(
    name: &str,
    arguments: &'e [Expr],
    at: usize,
) -> Result<[&'e Expr; N], Mistake> {
    let all: Option<[&Expr; N]> = arguments.iter().collect::<Vec<_>>().try_into().ok();
    all.ok_or_else(|| takes(name, &N.to_string(), arguments.len(), at))
}

fn takes(name: &str, wanted: &str, given: usize, at: usize) -> Mistake {
    let values = if wanted == "1" { "value" } else { "values" };
    Mistake::new(at, format!("`{name}` takes {wanted} {values}, not {given}"))
}

fn over_neighbours(builder: &mut Builder, name: &str, arguments: &[Expr], at: usize) -> Result<Value, Mistake> {
    match (name, arguments) {
        ("count", []) => Ok(Value::Number(builder.count())),
        ("count", [which]) => {
            let zero = builder.number(0.0);
            let Value::Number(which) = builder.inside(which)? else {
                return Err(Mistake::new(which.at, "a condition is a number, and this is a vector"));
            };
            let which = builder.binary(Binary::Unequal, which, zero);
            Ok(Value::Number(builder.reduce(Reduction::Sum, which)))
        }
        ("count", _) => Err(takes(name, "0 or 1", arguments.len(), at)),
        ("pick", [of, without]) => {
            let (of, without) = (builder.inside(of)?, builder.value(without)?);
            if of.numbers().len() != without.numbers().len() {
                return Err(Mistake::new(at, "both values are numbers, or both are vectors"));
            }
            let draw = builder.next_draw(at)?;
            let mut own = Vec::new();
            for without in without.numbers() {
                let Number::Own(slot) = without else {
                    return Err(Mistake::new(arguments[1].at, "the value without neighbours is one of the agent"));
                };
                own.push(*slot);
            }
            let numbers = of.numbers().iter().zip(own).map(|(of, own)| builder.reduce(Reduction::Pick(draw, own), *of));
            let numbers: Vec<Number> = numbers.collect();
            Ok(if let Value::Number(_) = of { Value::Number(numbers[0]) } else { Value::Vector(numbers) })
        }
        ("pick", _) => Err(Mistake::new(at, "`pick` takes a value of a neighbour and the value without neighbours")),
        (_, [of]) => {
            let of = builder.inside(of)?;
            let sum = builder.each(of, |builder, of| builder.reduce(Reduction::Sum, of));
            if name == "sum" {
                return Ok(sum);
            }
            let (count, one) = (builder.count(), builder.number(1.0));
            let count = builder.binary(Binary::Greater, count, one);
            Ok(builder.each(sum, |builder, sum| builder.binary(Binary::Over, sum, count)))
        }
        _ => Err(takes(name, "1", arguments.len(), at)),
    }
}

/// With one value over all neighbours, with several the least or greatest of these.
fn least_or_greatest(builder: &mut Builder, name: &str, arguments: &[Expr], at: usize) -> Result<Value, Mistake> {
    let (reduction, operation) =
        if name == "min" { (Reduction::Least, Binary::Lesser) } else { (Reduction::Greatest, Binary::Greater) };
    match arguments {
        [] => Err(takes(name, "1 or more", 0, at)),
        [of] => match builder.inside(of)? {
            Value::Number(of) => Ok(Value::Number(builder.reduce(reduction, of))),
            Value::Vector(_) => Err(Mistake::new(of.at, "a number is needed here, and this is a vector")),
        },
        [first, others @ ..] => {
            let mut result = builder.scalar(first)?;
            for other in others {
                let other = builder.scalar(other)?;
                result = builder.binary(operation, result, other);
            }
            Ok(Value::Number(result))
        }
    }
}

fn draw(builder: &mut Builder, name: &str, arguments: &[Expr], at: usize) -> Result<Value, Mistake> {
    let number = builder.draw(at)?;
    let drawn = |builder: &mut Builder, draw| Number::Own(builder.own(OwnOperation::Draw(draw, number)));
    match (name, arguments) {
        ("random_direction", []) => {
            let axes = (0..builder.dimensions).map(|axis| drawn(builder, Draw::Direction(axis)));
            Ok(Value::Vector(axes.collect()))
        }
        ("random_direction", _) => Err(takes(name, "0", arguments.len(), at)),
        ("chance", [chance]) => {
            let (unit, chance) = (drawn(builder, Draw::Uniform), builder.scalar(chance)?);
            Ok(Value::Number(builder.binary(Binary::Less, unit, chance)))
        }
        ("chance", _) => Err(takes(name, "1", arguments.len(), at)),
        ("uniform", []) => Ok(Value::Number(drawn(builder, Draw::Uniform))),
        ("normal", []) => Ok(Value::Number(drawn(builder, Draw::Normal))),
        (_, [first, second]) => {
            let (first, second) = (builder.scalar(first)?, builder.scalar(second)?);
            // A part of the range, or a number of standard deviations.
            let (of, factor) = match name {
                "uniform" => (Draw::Uniform, builder.binary(Binary::Minus, second, first)),
                _ => (Draw::Normal, second),
            };
            let of = drawn(builder, of);
            let part = builder.binary(Binary::Times, of, factor);
            Ok(Value::Number(builder.binary(Binary::Plus, first, part)))
        }
        _ => Err(takes(name, "0 or 2", arguments.len(), at)),
    }
}

fn of_vectors(builder: &mut Builder, name: &str, arguments: &[Expr], at: usize) -> Result<Value, Mistake> {
    if name == "vector" {
        if arguments.len() != builder.dimensions {
            return Err(takes(name, &builder.dimensions.to_string(), arguments.len(), at));
        }
        let axes = arguments.iter().map(|axis| builder.scalar(axis));
        return Ok(Value::Vector(axes.collect::<Result<_, _>>()?));
    }
    let mut vector = |expr: &Expr| match builder.value(expr)? {
        Value::Vector(vector) => Ok(vector),
        Value::Number(_) => Err(Mistake::new(expr.at, "a vector is needed here, and this is a number")),
    };
    if name == "dot" {
        let [a, b] = exactly(name, arguments, at)?;
        let (a, b) = (vector(a)?, vector(b)?);
        return Ok(Value::Number(builder.dot(&a, &b)));
    }
    let [of] = exactly(name, arguments, at)?;
    let of = vector(of)?;
    let length = builder.length(&of);
    if name == "length" {
        return Ok(Value::Number(length));
    }
    // The direction of zero is zero.
    let zero = builder.number(0.0);
    let is_long = builder.binary(Binary::Less, zero, length);
    let axes = of.into_iter().map(|along| {
        let part = builder.binary(Binary::Over, along, length);
        builder.choose(is_long, part, zero)
    });
    Ok(Value::Vector(axes.collect()))
}

/// The amount of a substance at the agent or at an offset from it, or its gradient at the agent.
fn of_substance(builder: &mut Builder, name: &str, arguments: &[Expr], at: usize) -> Result<Value, Mistake> {
    let (of, offset) = match arguments {
        [of] => (of, None),
        [of, offset] if name == "sense" => (of, Some(offset)),
        _ => return Err(takes(name, if name == "sense" { "1 or 2" } else { "1" }, arguments.len(), at)),
    };
    let Node::Name(substance) = &of.node else {
        return Err(Mistake::new(of.at, format!("`{name}` takes the name of a substance first")));
    };
    let number = builder.substance(substance);
    if name == "gradient" {
        let axes = (0..builder.dimensions).map(|axis| Number::Own(builder.own(OwnOperation::Slope(number, axis))));
        return Ok(Value::Vector(axes.collect()));
    }
    let offset = match offset.map(|offset| builder.value(offset)).transpose()? {
        Some(Value::Number(_)) => return Err(Mistake::new(arguments[1].at, "the offset is a vector, in metres")),
        Some(Value::Vector(offset)) => Some(offset),
        None => None,
    };
    let mut point = [0; 3];
    for axis in 0..builder.dimensions {
        let here = Number::Own(builder.own(OwnOperation::Position(axis)));
        let there = offset.as_ref().map_or(here, |offset| builder.binary(Binary::Plus, here, offset[axis]));
        let Number::Own(slot) = there else {
            return Err(Mistake::new(at, "an agent senses a substance once, not for each neighbour"));
        };
        point[axis] = slot;
    }
    Ok(Value::Number(Number::Own(builder.own(OwnOperation::Sense(number, point)))))
}
