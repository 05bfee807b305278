//! The values of expressions over agents, column by column.

use std::f32::consts::{PI, TAU};

use fearless_simd::Level;

use crate::agents::Agents;
use crate::base::values::Mistake;
use crate::kernels::CLUSTER;
use crate::kernels::expression::{Binary, Unary, binary, choose, unary};
use crate::measures::sample::Sample;
use crate::rules::expressions::syntax::{Expr, Node, Operator};
use crate::world::World;

/// The numbers of an agent.
pub(super) const QUANTITIES: [&str; 9] =
    ["position", "velocity", "heading", "speed", "mass", "radius", "max_speed", "max_force", "state"];

/// Numbers of agents, or of pairs of agents.
#[derive(Clone, Debug)]
pub(super) enum Column {
    /// The same number for all.
    Same(f32),
    /// One number each, and zeros up to a whole number of chunks.
    Each(Vec<f32>),
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(Column),
    Vector(Vec<Column>),
}

/// What the names of an expression stand for.
#[derive(Clone, Debug)]
pub(super) enum Rows {
    /// Outside of all sums.
    World,
    Agents,
    /// Pairs of agents, by their numbers, with the offset per axis from the first to the second.
    Pairs(Vec<[u32; 2]>, Vec<Column>),
}

/// The evaluation of an expression.
pub(super) struct MeasureEvaluation<'a, const D: usize> {
    level: Level,
    pub(super) parts: &'a [&'a Agents<D>],
    pub(super) world: Option<&'a World<D>>,
    pub(super) rows: Rows,
    /// The variables of agents in the expression, with their places.
    pub(super) variables: Vec<(usize, String)>,
}

impl Column {
    pub(super) fn first(&self) -> f32 {
        match self {
            Self::Same(number) => *number,
            Self::Each(numbers) => numbers.first().copied().unwrap_or(f32::NAN),
        }
    }

    /// The column of numbers in their order.
    pub(super) fn of(numbers: impl Iterator<Item = f32>) -> Self {
        let mut numbers: Vec<f32> = numbers.collect();
        numbers.resize(numbers.len().next_multiple_of(CLUSTER), 0.0);
        Self::Each(numbers)
    }

    /// The number of a row.
    pub(super) fn at(&self, row: usize) -> f32 {
        match self {
            Self::Same(number) => *number,
            Self::Each(numbers) => numbers[row],
        }
    }

    fn chunk(&self, start: usize) -> [f32; CLUSTER] {
        std::array::from_fn(|lane| self.at(start + lane))
    }

    /// The results of an operation on chunks of these columns.
    fn map<const N: usize>(of: [&Self; N], operation: impl Fn([[f32; CLUSTER]; N], &mut [f32; CLUSTER])) -> Self {
        let length =
            of.iter().find_map(|column| if let Self::Each(numbers) = column { Some(numbers.len()) } else { None });
        let mut out = vec![0.0; length.unwrap_or(CLUSTER)];
        for (chunk, out) in out.as_chunks_mut::<CLUSTER>().0.iter_mut().enumerate() {
            operation(of.map(|column| column.chunk(chunk * CLUSTER)), out);
        }
        if length.is_some() { Self::Each(out) } else { Self::Same(out[0]) }
    }
}

impl<'a, const D: usize> MeasureEvaluation<'a, D> {
    pub(super) fn new(level: Level, parts: &'a [&'a Agents<D>], world: Option<&'a World<D>>) -> Self {
        Self { level, parts, world, rows: Rows::World, variables: Vec::new() }
    }

    pub(super) fn value(&mut self, expr: &Expr) -> Result<Value, Mistake> {
        let at = expr.at;
        match &expr.node {
            Node::Number(number) => Ok(Value::Number(Column::Same(*number))),
            Node::Name(name) => self.named(name, at),
            Node::Component(of, axis) => match self.value(of)? {
                Value::Vector(mut axes) if *axis < D => Ok(Value::Number(axes.swap_remove(*axis))),
                Value::Vector(_) => Err(Mistake::new(at, "a vector of two dimensions has the components x and y")),
                Value::Number(_) => Err(Mistake::new(at, "a number has no components")),
            },
            Node::Call(name, arguments) => self.call(name, arguments, at),
            Node::Negative(of) => {
                let value = self.value(of)?;
                Ok(value.each(|column| self.unary(Unary::Negative, column)))
            }
            Node::Not(of) => {
                let number = self.number(of)?;
                Ok(Value::Number(self.unary(Unary::Not, &number)))
            }
            Node::Binary(operator, _, left, right) => {
                let (a, b) = (self.value(left)?, self.value(right)?);
                self.operation(*operator, a, b, right.at)
            }
        }
    }

    /// The value of an expression that must be a number.
    pub(super) fn number(&mut self, expr: &Expr) -> Result<Column, Mistake> {
        match self.value(expr)? {
            Value::Number(number) => Ok(number),
            Value::Vector(_) => Err(Mistake::new(expr.at, "a number is needed here, and this is a vector")),
        }
    }

    /// The value of an expression that must be a vector.
    pub(super) fn vector(&mut self, expr: &Expr) -> Result<Vec<Column>, Mistake> {
        match self.value(expr)? {
            Value::Vector(axes) => Ok(axes),
            Value::Number(_) => Err(Mistake::new(expr.at, "a vector is needed here, and this is a number")),
        }
    }

    pub(super) fn unary(&self, operation: Unary, of: &Column) -> Column {
        Column::map([of], |[of], out| unary(self.level, operation, &of, out))
    }

    pub(super) fn binary(&self, operation: Binary, a: &Column, b: &Column) -> Column {
        Column::map([a, b], |[a, b], out| binary(self.level, operation, &a, &b, out))
    }

    pub(super) fn choose(&self, which: &Column, yes: &Column, no: &Column) -> Column {
        Column::map([which, yes, no], |[which, yes, no], out| choose(self.level, &which, &yes, &no, out))
    }

    pub(super) fn dot(&self, a: &[Column], b: &[Column]) -> Column {
        let products = a.iter().zip(b).map(|(a, b)| self.binary(Binary::Times, a, b));
        products.reduce(|sum, product| self.binary(Binary::Plus, &sum, &product)).unwrap_or(Column::Same(0.0))
    }

    pub(super) fn length(&self, of: &[Column]) -> Column {
        self.unary(Unary::Root, &self.dot(of, of))
    }

    fn operation(&self, operator: Operator, a: Value, b: Value, at: usize) -> Result<Value, Mistake> {
        use Operator::{Minus, Over, Plus, Times};
        use Value::{Number, Vector};
        match (a, b) {
            (Number(a), Number(b)) => Ok(Number(self.numbers(operator, &a, &b))),
            (Vector(a), Vector(b)) if matches!(operator, Plus | Minus) => {
                Ok(Vector(a.iter().zip(&b).map(|(a, b)| self.numbers(operator, a, b)).collect()))
            }
            (a @ Vector(_), Number(b)) if matches!(operator, Times | Over) => {
                Ok(a.each(|a| self.numbers(operator, a, &b)))
            }
            (Number(a), b @ Vector(_)) if operator == Times => Ok(b.each(|b| self.numbers(operator, &a, b))),
            (Vector(_), Vector(_)) => {
                Err(Mistake::new(at, "two vectors have a sum and a difference; dot(a, b) is their product"))
            }
            _ => Err(Mistake::new(at, "a vector and a number have a product; a vector over a number is a vector")),
        }
    }

    fn numbers(&self, operator: Operator, a: &Column, b: &Column) -> Column {
        let (operation, is_swapped) = operator.meaning();
        let (a, b) = if is_swapped { (b, a) } else { (a, b) };
        self.binary(operation, a, b)
    }

    fn named(&mut self, name: &str, at: usize) -> Result<Value, Mistake> {
        let settings = self.world.map(World::settings);
        let constant = match name {
            "pi" => Some(PI),
            "tau" => Some(TAU),
            "inf" => Some(f32::INFINITY),
            "dt" => Some(settings.map_or(0.0, |settings| settings.tick_seconds)),
            "time" => Some(self.world.map_or(0.0, |world| world.seconds() as f32)),
            _ => None,
        };
        if let Some(constant) = constant {
            return Ok(Value::Number(Column::Same(constant)));
        }
        match (&self.rows, name) {
            (Rows::World, _) => {
                let what =
                    format!("`{name}` is of an agent: put it inside mean, sum, count, min, max, sd, quantile or pairs");
                Err(Mistake::new(at, what))
            }
            (Rows::Agents, _) => Ok(self.of_agents(name, at)),
            (Rows::Pairs(_, offset), "offset") => Ok(Value::Vector(offset.clone())),
            (Rows::Pairs(_, offset), "distance") => Ok(Value::Number(self.length(offset))),
            (Rows::Pairs(pairs, _), _) => {
                let (own, side) = match (name.strip_suffix("_j"), name.strip_suffix("_i")) {
                    (Some(theirs), _) => (theirs, 1),
                    (_, own) => (own.unwrap_or(name), 0),
                };
                let rows: Vec<usize> = pairs.iter().map(|pair| pair[side] as usize).collect();
                let value = self.of_agents(own, at);
                Ok(value.each(|column| Column::of(rows.iter().map(|&row| column.at(row)))))
            }
        }
    }

    /// A quantity or a variable of all agents.
    fn of_agents(&mut self, name: &str, at: usize) -> Value {
        let parts = self.parts;
        let vector = |of: fn(&Agents<D>, usize) -> [f32; D]| {
            let axes = (0..D).map(|axis| {
                Column::of(parts.iter().flat_map(|agents| (0..agents.len()).map(move |row| of(agents, row)[axis])))
            });
            Value::Vector(axes.collect())
        };
        let number = |of: fn(&Agents<D>, usize) -> f32| {
            Value::Number(Column::of(parts.iter().flat_map(|agents| (0..agents.len()).map(move |row| of(agents, row)))))
        };
        match name {
            "position" => vector(|agents, row| agents.position(row).0),
            "velocity" => vector(|agents, row| agents.velocity(row).0),
            "heading" => vector(|agents, row| agents.heading(row).0),
            "speed" => number(|agents, row| agents.velocity(row).length()),
            "mass" => number(Agents::mass),
            "radius" => number(Agents::radius),
            "max_speed" => number(Agents::max_speed),
            "max_force" => number(Agents::max_force),
            "state" => number(|agents, row| agents.state(row) as f32),
            variable => {
                if !self.variables.iter().any(|(_, known)| known == variable) {
                    self.variables.push((at, variable.to_owned()));
                }
                let values = parts.iter().flat_map(|agents| agents.column::<f32>(variable).unwrap_or_default());
                Value::Number(Column::of(values.copied()))
            }
        }
    }

    /// The number of rows to which an expression is evaluated.
    pub(super) fn count(&self) -> usize {
        match &self.rows {
            Rows::World => 1,
            Rows::Agents => self.parts.iter().map(|agents| agents.len()).sum(),
            Rows::Pairs(pairs, _) => pairs.len(),
        }
    }

    /// The pairs of agents within a radius of each other, and their offsets.
    pub(super) fn pairs(&self, radius: f32) -> Rows {
        let Some(world) = self.world else { return Rows::Pairs(Vec::new(), vec![Column::Each(Vec::new()); D]) };
        let sample = Sample::of_parts(world, self.parts);
        let others = sample.each(|agent| {
            let mut others = Vec::new();
            sample.within(agent, radius, |other, _| others.push(other as u32));
            others.sort_unstable();
            others
        });
        let each = others
            .iter()
            .enumerate()
            .flat_map(|(agent, others)| others.iter().map(move |&other| [agent as u32, other]));
        let pairs: Vec<[u32; 2]> = each.collect();
        let axes = (0..D)
            .map(|axis| Column::of(pairs.iter().map(|&[from, to]| sample.offset(from as usize, to as usize)[axis])));
        let axes = axes.collect();
        Rows::Pairs(pairs, axes)
    }
}

impl Value {
    pub(super) fn each(&self, of: impl FnMut(&Column) -> Column) -> Self {
        match self {
            Self::Number(number) => {
                Self::Number(std::iter::once(number).map(of).next().unwrap_or(Column::Same(f32::NAN)))
            }
            Self::Vector(axes) => Self::Vector(axes.iter().map(of).collect()),
        }
    }
}
