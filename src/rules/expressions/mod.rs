//! Expressions: statements in a text that set variables of agents, or their steering.

mod builder;
mod compile;
mod evaluate;
pub(crate) mod functions;
mod program;
pub(crate) mod syntax;
mod undefined;

use std::fmt;
use std::sync::{Arc, OnceLock};

use fearless_simd::Level;

use crate::base::error::Error;
use crate::base::values::Mistake;
pub(crate) use crate::rules::expressions::compile::is_taken;
use crate::rules::expressions::compile::{OTHERS, QUANTITIES};
use crate::rules::expressions::program::Program;
use crate::rules::expressions::syntax::Statement;
pub(crate) use crate::rules::expressions::undefined::Undefined;
use crate::rules::interface::{Forces, Inputs, Perception, Rows, SpeciesFilter};
use crate::rules::parameters::{Field, Parameter, Value};

/// Statements of the rule [`Expression`](crate::behaviours::Expression), such as
/// `phase += dt * mean(sin(phase_j - phase))`: their texts, read once.
///
/// ```
/// use throng::Statements;
///
/// let statements = Statements::new(["phase += dt * mean(sin(phase_j - phase))"]).unwrap();
/// assert_eq!(statements.texts().len(), 1);
/// let mistake = Statements::new(["phase = 2 *"]).unwrap_err();
/// assert_eq!(mistake.to_string(), "at character 12, expected a value before the end");
/// ```
#[derive(Clone, Default)]
pub struct Statements(Arc<Read>);

/// Statements that are read.
#[derive(Default)]
struct Read {
    texts: Vec<String>,
    statements: Vec<Statement>,
    /// The programs for agents of two and of three dimensions.
    programs: [OnceLock<Result<Program, Mistake>>; 2],
}

/// The largest number of statements, and of characters of each.
const MOST: usize = 64;
const LONGEST: usize = 2000;

impl fmt::Debug for Statements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.texts.fmt(f)
    }
}

impl PartialEq for Statements {
    fn eq(&self, other: &Self) -> bool {
        self.0.texts == other.0.texts
    }
}

impl Statements {
    /// Reads statements.
    ///
    /// # Errors
    ///
    /// The first [`Mistake`] in the syntax of a text. Names and types are checked when a species gets the rule.
    pub fn new<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Result<Self, Mistake> {
        let texts: Vec<String> = texts.into_iter().map(Into::into).collect();
        let mut statements = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            let read = match number < MOST && text.len() <= LONGEST {
                true => syntax::parse(text),
                false => Err(Mistake::new(0, format!("at most {MOST} statements of {LONGEST} characters each"))),
            };
            statements.push(read.map_err(|mistake| mistake.placed(number, text))?);
        }
        Ok(Self(Arc::new(Read { texts, statements, programs: Default::default() })))
    }

    /// The texts of the statements.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.0.texts
    }

    /// The names of the substances that the statements sense.
    pub fn substances(&self) -> impl Iterator<Item = &str> {
        let programs = [self.program::<2>(), self.program::<3>()];
        programs.into_iter().flatten().take(1).flat_map(|program| program.substances.iter().map(String::as_str))
    }

    /// The program for agents of `D` dimensions.
    fn program<const D: usize>(&self) -> Result<&Program, Mistake> {
        let compile = || {
            let program = compile::compile(&self.0.statements, D);
            program.map_err(|mistake| self.placed(mistake))
        };
        self.0.programs[usize::from(D == 3)].get_or_init(compile).as_ref().map_err(Clone::clone)
    }

    fn placed(&self, mistake: Mistake) -> Mistake {
        let statement = mistake.statement;
        mistake.placed(statement, &self.0.texts[statement])
    }

    /// Checks types and names: the variables of the species with the rule, and the variables of its neighbours if they are
    /// known.
    pub(crate) fn check<const D: usize>(&self, own: &[&str], theirs: Option<&[&str]>) -> Result<(), Error> {
        let check = |program: &Program| {
            if let Some(taken) = program.lets.iter().find(|given| own.contains(&&given.name[..])) {
                let what = format!("the name `{}` is taken: the species has a variable of this name", taken.name);
                return Err(self.placed(Mistake { statement: taken.statement, ..Mistake::new(taken.at, what) }));
            }
            for reference in &program.references {
                let known = if reference.is_theirs { theirs } else { Some(own) };
                let Some(known) = known.filter(|known| !known.contains(&&reference.name[..])) else { continue };
                let mark = if reference.is_theirs { "_j" } else { "" };
                let names: Vec<String> = known
                    .iter()
                    .chain(&QUANTITIES)
                    .map(|name| format!("{name}{mark}"))
                    .chain(OTHERS.iter().filter(|_| mark.is_empty()).map(|name| (*name).to_owned()))
                    .collect();
                let (name, names) = (format!("{}{mark}", reference.name), names.iter().map(String::as_str));
                let mistake = Mistake::unknown(reference.at, "name", &name, names);
                return Err(self.placed(Mistake { statement: reference.statement, ..mistake }));
            }
            Ok(())
        };
        self.program::<D>().and_then(check).map_err(|mistake| self.refuse(mistake))
    }

    fn refuse(&self, mistake: Mistake) -> Error {
        Error::mistake("set", &self.0.texts[mistake.statement], mistake)
    }

    /// The inputs that the statements need, with the neighbours in a view. None if they have a mistake.
    pub(crate) fn inputs<const D: usize>(&self, view: Perception) -> Inputs {
        let Ok(program) = self.program::<D>() else { return Inputs::default() };
        let mut inputs = Inputs::default();
        let read = [(false, &SpeciesFilter::Own), (true, &view.filter)];
        for (_, filter) in read.iter().filter(|(theirs, _)| program.headings[usize::from(*theirs)]) {
            inputs = inputs.headings_of(filter);
        }
        if program.sees {
            inputs = inputs.neighbours(view);
        }
        for name in &program.variables {
            inputs = inputs.column(name);
        }
        for name in &program.substances {
            inputs = inputs.substance(name);
        }
        for (name, _) in &program.updates {
            inputs = inputs.updating(name);
        }
        if program.theirs.is_empty() && !program.reads_states { inputs.nearby() } else { inputs }
    }

    /// Sets the variables of agents, and their forces.
    pub(crate) fn evaluate<const D: usize>(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        if let Ok(program) = self.program::<D>() {
            evaluate::evaluate(program, rows, forces);
        }
    }

    /// The operation whose result was not finite, with its place and its operands, in words.
    pub(crate) fn explain<const D: usize>(&self, undefined: &Undefined) -> Option<String> {
        let program = self.program::<D>().ok()?;
        let (statement, at) = *program.places[usize::from(undefined.is_pair)].get(undefined.slot)?;
        let text = &self.0.texts[statement];
        let character = Mistake::new(at, "").placed(statement, text).character;
        Some(format!("at character {character} of \"{text}\", {}", undefined.shown(program)?))
    }

    /// The length of the velocity or force that the statements set, if it is the same for all agents, and whether it is a
    /// velocity.
    pub(crate) fn constant<const D: usize>(&self, level: Level) -> Option<(f32, bool)> {
        let program = self.program::<D>().ok()?;
        let is_velocity = !program.velocity.is_empty();
        let slots = if is_velocity { &program.velocity } else { &program.force };
        let known = undefined::constants(program, level);
        let squared = slots.iter().try_fold(0.0, |sum, &slot| known[slot].map(|number| sum + number * number))?;
        (!slots.is_empty()).then(|| (squared.sqrt(), is_velocity))
    }
}

impl Field for Statements {
    fn value(&self) -> Value {
        Value::Words(self.0.texts.clone())
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        let texts = match value {
            Value::Word(text) => std::slice::from_ref(text),
            Value::Words(texts) => texts,
            // An empty array has no type.
            Value::Points(none) if none.is_empty() => &[],
            _ => return Err(parameter.refuse(value)),
        };
        Self::new(texts).map_err(|mistake| Error::mistake("set", &texts[mistake.statement], mistake))
    }
}
