//! The meaning of statements: names and types.

use std::f32::consts::{PI, TAU};

use crate::base::values::Mistake;
use crate::kernels::expression::{Binary, Unary};
use crate::rules::expressions::builder::{Builder, Number, Value};
use crate::rules::expressions::program::{OwnOperation, PairOperation, Program, Quantity, Reference, Slot};
use crate::rules::expressions::syntax::{Expr, Node, Operator, Statement, WORDS};

/// The largest number of operations of a program.
const MOST_OPERATIONS: usize = 1000;

/// The numbers of an agent, its own or a neighbour's; those with one number per axis are vectors.
pub(super) const QUANTITIES: [&str; 8] =
    ["velocity", "heading", "speed", "mass", "radius", "max_speed", "max_force", "state"];

/// Further names of numbers and vectors.
pub(super) const OTHERS: [&str; 9] = ["position", "response", "offset", "distance", "dt", "time", "pi", "tau", "inf"];

/// The vectors that a statement may set.
const VECTORS: [&str; 2] = ["force", "velocity"];

/// The endings that say whose a name is: of the agent, and of a neighbour.
const ENDINGS: [&str; 2] = ["_i", "_j"];

/// Whether a name has a meaning in expressions, so that no variable can have it.
pub(crate) fn is_taken(name: &str) -> bool {
    let all = [&QUANTITIES[..], &OTHERS, &VECTORS, &WORDS];
    all.iter().any(|names| names.contains(&name)) || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Compiles statements for agents of a number of dimensions.
pub(super) fn compile(statements: &[Statement], dimensions: usize) -> Result<Program, Mistake> {
    let mut builder = Builder::new(dimensions);
    for (number, statement) in statements.iter().enumerate() {
        builder.statement = number;
        builder.add(statement).map_err(|mistake| Mistake { statement: number, ..mistake })?;
    }
    Ok(builder.finish())
}

impl Operator {
    /// The operation on two numbers, and whether it takes them in the other order.
    pub(crate) fn meaning(self) -> (Binary, bool) {
        match self {
            Self::Or => (Binary::Or, false),
            Self::And => (Binary::And, false),
            Self::Less => (Binary::Less, false),
            Self::LessOrEqual => (Binary::LessOrEqual, false),
            Self::Greater => (Binary::Less, true),
            Self::GreaterOrEqual => (Binary::LessOrEqual, true),
            Self::Equal => (Binary::Equal, false),
            Self::Unequal => (Binary::Unequal, false),
            Self::Plus => (Binary::Plus, false),
            Self::Minus => (Binary::Minus, false),
            Self::Times => (Binary::Times, false),
            Self::Over => (Binary::Over, false),
            Self::Power => (Binary::Power, false),
        }
    }
}

impl Builder {
    fn add(&mut self, statement: &Statement) -> Result<(), Mistake> {
        let Statement { is_let, target: (at, name), operator, value } = statement;
        self.stray = None;
        let name = match name.strip_suffix("_i") {
            Some(own) if !is_let => own,
            _ => &name[..],
        };
        let mut result = self.value(value)?;
        self.at = *at;
        if let Some(operator) = operator {
            if name == "force" {
                return Err(Mistake::new(*at, "a force has no value before: write `force = ...`"));
            }
            let before = self.value(&Expr { at: *at, node: Node::Name(name.to_owned()) })?;
            result = self.operation(*operator, before, result, value.at)?;
        }
        if self.program.own.len() + self.program.pairs.len() > MOST_OPERATIONS {
            return Err(Mistake::new(value.at, format!("the statements have more than {MOST_OPERATIONS} operations")));
        }
        if *is_let {
            if is_taken(name) || self.lets.iter().any(|(known, _)| known == name) {
                return Err(Mistake::new(*at, format!("the name `{name}` is taken")));
            }
            self.program.lets.push(Reference {
                name: name.to_owned(),
                is_theirs: false,
                statement: self.statement,
                at: *at,
            });
            self.lets.push((name.to_owned(), result));
            return Ok(());
        }
        let numbers = match (&result, VECTORS.contains(&name)) {
            (Value::Number(number), false) => std::slice::from_ref(number),
            (Value::Vector(numbers), true) => &numbers[..],
            (Value::Number(_), true) => {
                return Err(Mistake::new(value.at, format!("`{name}` is a vector, and this is a number")));
            }
            (Value::Vector(_), false) => {
                return Err(Mistake::new(value.at, format!("`{name}` is a number, and this is a vector")));
            }
        };
        let own = |number: &Number| if let Number::Own(slot) = number { Some(*slot) } else { None };
        let Some(slots) = numbers.iter().map(own).collect::<Option<Vec<Slot>>>() else {
            let (at, what) = self.stray.take().unwrap_or((value.at, name.to_owned()));
            let what = format!("`{what}` is of a neighbour: put it inside sum, mean, count, min, max or pick");
            return Err(Mistake::new(at, what));
        };
        self.set(*at, name, slots)
    }

    /// Sets a variable or a vector to the numbers of slots.
    fn set(&mut self, at: usize, name: &str, slots: Vec<Slot>) -> Result<(), Mistake> {
        if VECTORS.contains(&name) {
            if !self.program.force.is_empty() {
                return Err(Mistake::new(at, "`force` or `velocity` is set once"));
            }
            if name == "force" {
                self.program.force = slots;
            } else {
                self.program.force = self.towards(&slots);
                self.program.velocity = slots;
            }
            return Ok(());
        }
        if name.ends_with("_j") {
            return Err(Mistake::new(at, format!("`{name}` is of a neighbour: a statement sets the agent's own")));
        }
        if is_taken(name) || self.lets.iter().any(|(known, _)| known == name) {
            let what = format!("`{name}` cannot be set: set a variable of the species, `force` or `velocity`");
            return Err(Mistake::new(at, what));
        }
        if self.program.updates.iter().any(|(known, _)| known == name) {
            return Err(Mistake::new(at, format!("`{name}` is set once")));
        }
        self.refer(name, at, false);
        self.program.updates.push((name.to_owned(), slots[0]));
        Ok(())
    }

    /// The force towards a desired velocity.
    fn towards(&mut self, desired: &[Slot]) -> Vec<Slot> {
        let response = self.own(OwnOperation::Response);
        let axes = desired.iter().enumerate().map(|(axis, &desired)| {
            let velocity = self.own(OwnOperation::Of(Quantity::Velocity(axis)));
            let change = self.own(OwnOperation::Binary(Binary::Minus, desired, velocity));
            self.own(OwnOperation::Binary(Binary::Over, change, response))
        });
        axes.collect()
    }

    fn refer(&mut self, name: &str, at: usize, is_theirs: bool) {
        let statement = self.statement;
        self.program.references.push(Reference { name: name.to_owned(), is_theirs, statement, at });
    }

    pub(super) fn value(&mut self, expr: &Expr) -> Result<Value, Mistake> {
        let at = if let Node::Binary(_, at, ..) = expr.node { at } else { expr.at };
        let around = std::mem::replace(&mut self.at, at);
        let value = self.value_of(expr);
        self.at = around;
        value
    }

    fn value_of(&mut self, expr: &Expr) -> Result<Value, Mistake> {
        let at = expr.at;
        match &expr.node {
            Node::Number(number) => Ok(Value::Number(self.number(*number))),
            Node::Name(name) => self.named(name, at),
            Node::Component(of, axis) => match self.value(of)? {
                Value::Vector(numbers) if *axis < numbers.len() => Ok(Value::Number(numbers[*axis])),
                Value::Vector(_) => Err(Mistake::new(at, "a vector of two dimensions has the components x and y")),
                Value::Number(_) => Err(Mistake::new(at, "a number has no components")),
            },
            Node::Call(name, arguments) => self.call(name, arguments, at),
            Node::Negative(of) => {
                let value = self.value(of)?;
                Ok(self.each(value, |builder, number| builder.unary(Unary::Negative, number)))
            }
            Node::Not(of) => {
                let number = self.scalar(of)?;
                Ok(Value::Number(self.unary(Unary::Not, number)))
            }
            Node::Binary(Operator::Power, _, base, exponent) => self.power(base, exponent),
            Node::Binary(operator, _, left, right) => {
                let (a, b) = (self.value(left)?, self.value(right)?);
                self.operation(*operator, a, b, right.at)
            }
        }
    }

    /// The value of an expression that must be a number.
    pub(super) fn scalar(&mut self, expr: &Expr) -> Result<Number, Mistake> {
        match self.value(expr)? {
            Value::Number(number) => Ok(number),
            Value::Vector(_) => Err(Mistake::new(expr.at, "a number is needed here, and this is a vector")),
        }
    }

    fn power(&mut self, base: &Expr, exponent: &Expr) -> Result<Value, Mistake> {
        let number = self.scalar(base)?;
        if let Node::Number(power) = exponent.node {
            if power == 0.5 {
                return Ok(Value::Number(self.unary(Unary::Root, number)));
            }
            if (1.0..=8.0).contains(&power) && power.fract() == 0.0 {
                let mut product = number;
                for _ in 1..power as usize {
                    product = self.binary(Binary::Times, product, number);
                }
                return Ok(Value::Number(product));
            }
        }
        let exponent = self.scalar(exponent)?;
        Ok(Value::Number(self.binary(Binary::Power, number, exponent)))
    }

    /// The value of an operator between two values; `at` is the place of the second.
    fn operation(&mut self, operator: Operator, a: Value, b: Value, at: usize) -> Result<Value, Mistake> {
        use Value::Vector;
        let (a, b) = match (a, b) {
            (Value::Number(a), Value::Number(b)) => return Ok(Value::Number(self.scalars(operator, a, b))),
            (Vector(a), Vector(b)) if matches!(operator, Operator::Plus | Operator::Minus) => (a, b),
            (Vector(a), Value::Number(b)) if matches!(operator, Operator::Times | Operator::Over) => {
                let each = vec![b; a.len()];
                (a, each)
            }
            (Value::Number(a), Vector(b)) if operator == Operator::Times => (vec![a; b.len()], b),
            (Vector(_), Vector(_)) => {
                return Err(Mistake::new(at, "two vectors have a sum and a difference; dot(a, b) is their product"));
            }
            (Value::Number(_), Vector(_)) | (Vector(_), Value::Number(_)) => {
                return Err(Mistake::new(
                    at,
                    "a vector and a number have a product; a vector over a number is a vector",
                ));
            }
        };
        let axes = a.into_iter().zip(b).map(|(a, b)| self.scalars(operator, a, b));
        Ok(Vector(axes.collect()))
    }

    fn scalars(&mut self, operator: Operator, a: Number, b: Number) -> Number {
        let (operation, is_swapped) = operator.meaning();
        let (a, b) = if is_swapped { (b, a) } else { (a, b) };
        self.binary(operation, a, b)
    }

    fn named(&mut self, name: &str, at: usize) -> Result<Value, Mistake> {
        if let Some((_, value)) = self.lets.iter().find(|(known, _)| known == name) {
            let value = value.clone();
            if value.numbers().iter().any(|number| matches!(number, Number::Pair(_))) {
                self.note_stray(at, name);
            }
            return Ok(value);
        }
        let constant = [("pi", PI), ("tau", TAU), ("inf", f32::INFINITY)].into_iter().find(|(known, _)| *known == name);
        if let Some((_, constant)) = constant {
            return Ok(Value::Number(self.number(constant)));
        }
        match name {
            "dt" => return Ok(Value::Number(Number::Own(self.own(OwnOperation::TickSeconds)))),
            "time" => return Ok(Value::Number(Number::Own(self.own(OwnOperation::Time)))),
            "response" => return Ok(Value::Number(Number::Own(self.own(OwnOperation::Response)))),
            "position" => {
                let axes = (0..self.dimensions).map(|axis| Number::Own(self.own(OwnOperation::Position(axis))));
                return Ok(Value::Vector(axes.collect()));
            }
            "offset" => {
                self.note_stray(at, name);
                return Ok(Value::Vector(self.offset()));
            }
            "distance" => {
                self.note_stray(at, name);
                let offset = self.offset();
                return Ok(Value::Number(self.length(&offset)));
            }
            _ => {}
        }
        if let Some(theirs) = name.strip_suffix("_j") {
            self.note_stray(at, name);
            return Ok(self.quantity(theirs, at, true));
        }
        Ok(self.quantity(name.strip_suffix("_i").unwrap_or(name), at, false))
    }

    /// Records the name of something of a pair, for the error if it is outside of reductions.
    fn note_stray(&mut self, at: usize, name: &str) {
        if self.depth == 0 {
            self.stray = Some((at, name.to_owned()));
        }
    }

    fn quantity(&mut self, name: &str, at: usize, is_theirs: bool) -> Value {
        let one = match name {
            "velocity" => return Value::Vector(self.axes(Quantity::Velocity, is_theirs)),
            "heading" => {
                self.program.headings[usize::from(is_theirs)] = true;
                return Value::Vector(self.axes(Quantity::Heading, is_theirs));
            }
            "speed" => {
                let velocity = self.axes(Quantity::Velocity, is_theirs);
                return Value::Number(self.length(&velocity));
            }
            "mass" => Quantity::Mass,
            "radius" => Quantity::Radius,
            "max_speed" => Quantity::MaxSpeed,
            "max_force" => Quantity::MaxForce,
            "state" => {
                self.program.reads_states |= is_theirs;
                Quantity::State
            }
            variable => {
                self.refer(variable, at, is_theirs);
                let known = self.program.variables.iter().position(|known| known == variable);
                let number = known.unwrap_or_else(|| {
                    self.program.variables.push(variable.to_owned());
                    self.program.variables.len() - 1
                });
                if is_theirs && !self.program.theirs.contains(&number) {
                    self.program.theirs.push(number);
                }
                Quantity::Variable(number)
            }
        };
        Value::Number(self.of(one, is_theirs))
    }

    fn of(&mut self, quantity: Quantity, is_theirs: bool) -> Number {
        match is_theirs {
            true => Number::Pair(self.pair(PairOperation::Of(quantity))),
            false => Number::Own(self.own(OwnOperation::Of(quantity))),
        }
    }

    fn axes(&mut self, quantity: fn(usize) -> Quantity, is_theirs: bool) -> Vec<Number> {
        (0..self.dimensions).map(|axis| self.of(quantity(axis), is_theirs)).collect()
    }

    fn offset(&mut self) -> Vec<Number> {
        (0..self.dimensions).map(|axis| Number::Pair(self.pair(PairOperation::Offset(axis)))).collect()
    }

    /// The value of an expression inside a reduction.
    pub(super) fn inside(&mut self, expr: &Expr) -> Result<Value, Mistake> {
        self.depth += 1;
        let value = self.value(expr);
        self.depth -= 1;
        value
    }
}
