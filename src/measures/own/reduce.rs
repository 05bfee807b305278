//! The functions of own measures: over all agents, over pairs of them, and of numbers and vectors.

use crate::base::values::Mistake;
use crate::kernels::expression::{Binary, Unary};
use crate::measures::outcomes::quantile;
use crate::measures::own::evaluate::{Column, MeasureEvaluation, Rows, Value};
use crate::rules::expressions::functions::{OF_ONE, exactly};
use crate::rules::expressions::syntax::Expr;

/// The functions over all agents, of one expression.
const OVER_AGENTS: [&str; 7] = ["mean", "sum", "count", "min", "max", "sd", "median"];

/// The functions of several numbers or of vectors.
const OTHERS: [&str; 10] =
    ["quantile", "pairs", "vector", "dot", "length", "direction", "atan2", "clamp", "where", "wrap"];

impl<const D: usize> MeasureEvaluation<'_, D> {
    pub(super) fn call(&mut self, name: &str, arguments: &[Expr], at: usize) -> Result<Value, Mistake> {
        if let Some((_, operation)) = OF_ONE.iter().find(|(known, _)| *known == name) {
            let [of] = exactly(name, arguments, at)?;
            let of = self.number(of)?;
            return Ok(Value::Number(self.unary(*operation, &of)));
        }
        match (name, arguments) {
            ("min" | "max", [_, _, ..]) => {
                let operation = if name == "min" { Binary::Lesser } else { Binary::Greater };
                let numbers = arguments.iter().map(|one| self.number(one)).collect::<Result<Vec<_>, _>>()?;
                let least = numbers.into_iter().reduce(|a, b| self.binary(operation, &a, &b));
                Ok(Value::Number(least.unwrap_or(Column::Same(f32::NAN))))
            }
            ("count", []) => self.over(Rows::Agents, |all| Ok(Value::same(all.count() as f64))),
            _ if OVER_AGENTS.contains(&name) => {
                let [of] = exactly(name, arguments, at)?;
                self.over(Rows::Agents, |all| all.reduce(name, of))
            }
            ("quantile", _) => {
                let [of, share] = exactly(name, arguments, at)?;
                let share = f64::from(self.outside(share)?);
                self.over(Rows::Agents, |all| Ok(Value::same(quantile(&all.sorted(of)?, share))))
            }
            ("pairs", _) => {
                let [of, radius] = exactly(name, arguments, at)?;
                let radius = self.outside(radius)?;
                let pairs = self.pairs(radius);
                self.over(pairs, |all| all.reduce("mean", of))
            }
            _ => self.of_values(name, arguments, at),
        }
    }

    /// A function of numbers and vectors.
    fn of_values(&mut self, name: &str, arguments: &[Expr], at: usize) -> Result<Value, Mistake> {
        let number = match name {
            "vector" if arguments.len() == D => {
                let axes = arguments.iter().map(|one| self.number(one)).collect::<Result<_, _>>()?;
                return Ok(Value::Vector(axes));
            }
            "vector" => return Err(Mistake::new(at, format!("`vector` has {D} numbers here"))),
            "direction" => {
                let [of] = exactly(name, arguments, at)?;
                let of = self.vector(of)?;
                let length = self.length(&of);
                let safe = self.choose(&length, &length, &Column::Same(1.0));
                return Ok(Value::Vector(of.iter().map(|axis| self.binary(Binary::Over, axis, &safe)).collect()));
            }
            "where" => {
                let [which, yes, no] = exactly(name, arguments, at)?;
                let which = self.number(which)?;
                return match (self.value(yes)?, self.value(no)?) {
                    (Value::Number(yes), Value::Number(no)) => Ok(Value::Number(self.choose(&which, &yes, &no))),
                    (Value::Vector(yes), Value::Vector(no)) => {
                        Ok(Value::Vector(yes.iter().zip(&no).map(|(yes, no)| self.choose(&which, yes, no)).collect()))
                    }
                    _ => Err(Mistake::new(at, "`where` has two numbers or two vectors to choose from")),
                };
            }
            "dot" => {
                let [a, b] = exactly(name, arguments, at)?;
                let (a, b) = (self.vector(a)?, self.vector(b)?);
                self.dot(&a, &b)
            }
            "length" => {
                let [of] = exactly(name, arguments, at)?;
                let of = self.vector(of)?;
                self.length(&of)
            }
            "atan2" => {
                let [y, x] = exactly(name, arguments, at)?;
                let (y, x) = (self.number(y)?, self.number(x)?);
                self.binary(Binary::Angle, &y, &x)
            }
            "clamp" => {
                let [of, low, high] = exactly(name, arguments, at)?;
                let (of, low, high) = (self.number(of)?, self.number(low)?, self.number(high)?);
                self.binary(Binary::Lesser, &self.binary(Binary::Greater, &of, &low), &high)
            }
            "wrap" => {
                let [of, period] = exactly(name, arguments, at)?;
                let (of, period) = (self.number(of)?, self.number(period)?);
                let turns = self.unary(Unary::Floor, &self.binary(Binary::Over, &of, &period));
                self.binary(Binary::Minus, &of, &self.binary(Binary::Times, &turns, &period))
            }
            _ => {
                let known = OVER_AGENTS.into_iter().chain(OTHERS).chain(OF_ONE.iter().map(|(name, _)| *name));
                return Err(Mistake::unknown(at, "function", name, known));
            }
        };
        Ok(Value::Number(number))
    }

    /// A number that is the same for all agents.
    fn outside(&mut self, expr: &Expr) -> Result<f32, Mistake> {
        let around = std::mem::replace(&mut self.rows, Rows::World);
        let number = self.number(expr);
        self.rows = around;
        Ok(number?.first())
    }

    /// The result of a function over these rows.
    fn over(&mut self, rows: Rows, result: impl FnOnce(&mut Self) -> Result<Value, Mistake>) -> Result<Value, Mistake> {
        let around = std::mem::replace(&mut self.rows, rows);
        let value = result(self);
        self.rows = around;
        value
    }

    fn reduce(&mut self, name: &str, of: &Expr) -> Result<Value, Mistake> {
        if name == "median" {
            return Ok(Value::same(quantile(&self.sorted(of)?, 0.5)));
        }
        let rows = self.count();
        let numbers = |column: &Column| (0..rows).map(|row| f64::from(column.at(row))).collect::<Vec<f64>>();
        let sum = |numbers: &[f64]| numbers.iter().fold(0.0, |sum, number| sum + number);
        let mean = |numbers: &[f64]| if rows == 0 { f64::NAN } else { sum(numbers) / rows as f64 };
        let reduced = |column: &Column| {
            let numbers = numbers(column);
            let of_all = |is_better: fn(f64, f64) -> bool| {
                let better = |a, b| if is_better(b, a) { b } else { a };
                numbers.iter().copied().reduce(better).unwrap_or(f64::NAN)
            };
            let result = match name {
                "sum" => sum(&numbers),
                "count" => numbers.iter().filter(|number| **number != 0.0 && !number.is_nan()).count() as f64,
                "min" => of_all(|one, least| one < least),
                "max" => of_all(|one, most| one > most),
                "sd" => {
                    let middle = mean(&numbers);
                    let squares: Vec<f64> = numbers.iter().map(|one| (one - middle) * (one - middle)).collect();
                    mean(&squares).sqrt()
                }
                _ => mean(&numbers),
            };
            Column::Same(result as f32)
        };
        match self.value(of)? {
            value @ Value::Vector(_) if name == "mean" || name == "sum" => Ok(value.each(reduced)),
            Value::Vector(_) => Err(Mistake::new(of.at, "a number is needed here, and this is a vector")),
            value @ Value::Number(_) => Ok(value.each(reduced)),
        }
    }

    /// The values of a number, in ascending order.
    fn sorted(&mut self, of: &Expr) -> Result<Vec<f64>, Mistake> {
        let column = self.number(of)?;
        let mut numbers: Vec<f64> = (0..self.count()).map(|row| f64::from(column.at(row))).collect();
        numbers.sort_by(f64::total_cmp);
        Ok(numbers)
    }
}

impl Value {
    fn same(number: f64) -> Self {
        Self::Number(Column::Same(number as f32))
    }
}
