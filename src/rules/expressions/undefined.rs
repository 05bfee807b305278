//! Operations whose results are not finite, and constants.

use fearless_simd::Level;

use crate::kernels::CLUSTER;
use crate::kernels::expression::{Binary, Unary, binary, unary};
use crate::rules::expressions::program::{OwnOperation, PairOperation, Program, Slot};

/// An operation whose result is not finite, and its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undefined {
    /// Whether it is an operation of pairs.
    pub(super) is_pair: bool,
    pub(super) slot: Slot,
    operands: [f32; 2],
}

impl Undefined {
    pub(super) fn new(is_pair: bool, slot: Slot, operands: &[f32]) -> Self {
        let operand = |number: usize| operands.get(number).copied().unwrap_or(0.0);
        Self { is_pair, slot, operands: [operand(0), operand(1)] }
    }

    /// The operation with its operands, such as `sqrt(-1) is not a number`.
    pub(super) fn shown(&self, program: &Program) -> Option<String> {
        let [a, b] = self.operands;
        let operation = match self.is_pair {
            false => match program.own.get(self.slot)? {
                OwnOperation::Unary(operation, _) => Ok(*operation),
                OwnOperation::Binary(operation, ..) => Err(*operation),
                OwnOperation::Reduce(..) => return Some("the sum is not finite".to_owned()),
                _ => return Some("the value is not finite".to_owned()),
            },
            true => match program.pairs.get(self.slot)? {
                PairOperation::Unary(operation, _) => Ok(*operation),
                PairOperation::Binary(operation, ..) => Err(*operation),
                _ => return Some("the value is not finite".to_owned()),
            },
        };
        let text = match operation {
            Ok(operation) => format!("{}({a})", of_one(operation)),
            Err(Binary::Angle) => format!("atan2({a}, {b})"),
            Err(operation) => format!("{a} {} {b}", between(operation)),
        };
        Some(format!("{text} is not a finite number"))
    }
}

/// The name of an operation of one number.
fn of_one(operation: Unary) -> &'static str {
    match operation {
        Unary::Negative => "-",
        Unary::Not => "not ",
        Unary::Size => "abs",
        Unary::Sign => "sign",
        Unary::Floor => "floor",
        Unary::Root => "sqrt",
        Unary::Sine => "sin",
        Unary::Cosine => "cos",
        Unary::Exponential => "exp",
        Unary::Logarithm => "log",
        Unary::HyperbolicTangent => "tanh",
    }
}

/// The sign or word between two numbers.
fn between(operation: Binary) -> &'static str {
    match operation {
        Binary::Plus => "+",
        Binary::Minus => "-",
        Binary::Times => "*",
        Binary::Over => "/",
        Binary::Less => "<",
        Binary::LessOrEqual => "<=",
        Binary::Equal => "==",
        Binary::Unequal => "!=",
        Binary::And => "and",
        Binary::Or => "or",
        Binary::Lesser => "min",
        Binary::Greater => "max",
        Binary::Power => "^",
        Binary::Angle => "atan2",
    }
}

/// The numbers of the slots of agents that depend on no agent.
pub(super) fn constants(program: &Program, level: Level) -> Vec<Option<f32>> {
    let mut known: Vec<Option<f32>> = Vec::new();
    for operation in &program.own {
        let of = |slot: &Slot| known[*slot].map(|number| [number; CLUSTER]);
        let mut out = [0.0; CLUSTER];
        let computed = match operation {
            OwnOperation::Number(bits) => {
                out.fill(f32::from_bits(*bits));
                Some(())
            }
            OwnOperation::Unary(operation, a) => of(a).map(|a| unary(level, *operation, &a, &mut out)),
            OwnOperation::Binary(operation, a, b) => {
                of(a).zip(of(b)).map(|(a, b)| binary(level, *operation, &a, &b, &mut out))
            }
            _ => None,
        };
        known.push(computed.map(|()| out[0]));
    }
    known
}
