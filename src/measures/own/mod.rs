//! Own measures: expressions over the agents of a world, such as
//! `order = length(mean(vector(cos(phase), sin(phase))))`.

mod evaluate;
mod reduce;

use crate::agents::Agents;
use crate::base::ids::SpeciesId;
use crate::base::values::Mistake;
use crate::kernels::simd::InstructionSet;
use crate::measures::own::evaluate::{MeasureEvaluation, Value};
use crate::rules::expressions::syntax::{self, Expr};
use crate::rules::parameters::is_name;
use crate::world::World;

/// An expression over agents, and the variables of agents in it.
#[derive(Clone, Debug)]
pub(super) struct Own {
    text: String,
    expr: Expr,
    variables: Vec<(usize, String)>,
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// The parts of the text of an own measure: its name, its unit, and its expression with the first byte of it.
#[derive(Debug, PartialEq)]
pub(super) struct Parts<'t> {
    pub(super) name: &'t str,
    pub(super) unit: &'t str,
    pub(super) expression: (usize, &'t str),
}

/// The parts of a text; none if it is the name of a measure alone. An expression without a name is its own name.
pub(super) fn parts(text: &str) -> Option<Parts<'_>> {
    let (head, unit) = match text.split_once('=') {
        Some((head, _)) if head.trim_end().ends_with(']') => head.trim_end().trim_end_matches(']').split_once('[')?,
        Some((head, _)) => (head, ""),
        None => ("", ""),
    };
    let (name, start) = (head.trim(), text.find('=').map_or(0, |at| at + 1));
    let is_named = name.split('.').all(is_name) && !text[start..].starts_with('=');
    if is_named {
        return Some(Parts { name, unit: unit.trim(), expression: (start, &text[start..]) });
    }
    text.contains('(').then(|| Parts { name: text.trim(), unit: "", expression: (0, text) })
}

impl Own {
    /// Reads an expression, and checks everything but the names of variables.
    ///
    /// # Errors
    ///
    /// [`Mistake`], at its place in the expression.
    pub(super) fn new(text: &str) -> Result<Self, Mistake> {
        let expr = syntax::parse_value(text).map_err(|mistake| mistake.placed(0, text))?;
        let mut own = Self { text: text.trim().to_owned(), expr, variables: Vec::new() };
        // Without agents, an expression has a value in two dimensions or in three.
        let [flat, space] = [own.evaluated::<2>(&[], None), own.evaluated::<3>(&[], None)];
        let (_, variables) = flat.or(space).map_err(|mistake| mistake.placed(0, text))?;
        own.variables = variables;
        Ok(own)
    }

    /// Checks that agents with these variables, of a world with this number of dimensions, have the measure.
    ///
    /// # Errors
    ///
    /// [`Mistake`], at its place in the expression.
    pub(super) fn check(&self, dimensions: usize, known: &[&str]) -> Result<(), Mistake> {
        if let Some((at, name)) = self.variables.iter().find(|(_, name)| !known.contains(&&name[..])) {
            let known = known.iter().chain(&evaluate::QUANTITIES).copied();
            return Err(Mistake::unknown(*at, "name", name, known).placed(0, &self.text));
        }
        let checked = match dimensions {
            3 => self.evaluated::<3>(&[], None).map(drop),
            _ => self.evaluated::<2>(&[], None).map(drop),
        };
        checked.map_err(|mistake| mistake.placed(0, &self.text))
    }

    /// The value for the agents of a world, or of one of its species. Agents of species without one of the variables do
    /// not count. NaN where the value is undefined.
    pub(super) fn value<const D: usize>(&self, world: &World<D>, species: Option<SpeciesId>) -> f64 {
        let all = world.all_agents();
        let of_species = |agents: &&Agents<D>| species.is_none_or(|species| agents.species() == species);
        let has_all = |agents: &Agents<D>| self.variables.iter().all(|(_, name)| agents.column::<f32>(name).is_ok());
        let parts: Vec<&Agents<D>> = all.iter().filter(of_species).filter(|agents| has_all(agents)).collect();
        self.evaluated(&parts, Some(world)).map_or(f64::NAN, |(value, _)| value)
    }

    /// The value, and the variables that it needs.
    fn evaluated<const D: usize>(
        &self,
        parts: &[&Agents<D>],
        world: Option<&World<D>>,
    ) -> Result<(f64, Vec<(usize, String)>), Mistake> {
        let Some(level) = InstructionSet::widest().level() else { return Ok((f64::NAN, Vec::new())) };
        let mut evaluation = MeasureEvaluation::new(level, parts, world);
        match evaluation.value(&self.expr)? {
            Value::Number(number) => Ok((f64::from(number.first()), evaluation.variables)),
            Value::Vector(_) => Err(Mistake::new(self.expr.at, "a measure is a number, and this is a vector")),
        }
    }
}
