//! The builder of a program: operations on slots, sorted into stages. Equal operations share a slot.

use crate::base::values::Mistake;
use crate::kernels::expression::{Binary, Unary};
use crate::rules::expressions::program::{OwnOperation, PairOperation, Program, Reduction, Slot, Stage};

/// A number of each agent or of each pair: a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Own(Slot),
    Pair(Slot),
}

/// The value of an expression: a number, or a vector with one number per axis.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(Number),
    Vector(Vec<Number>),
}

/// The largest number of random draws of a program.
const MOST_DRAWS: u32 = 256;

/// A program that is being made.
pub(super) struct Builder {
    pub(super) dimensions: usize,
    pub(super) program: Program,
    /// For each slot of agents, the stage in which it is filled; for each slot of pairs, the first stage that can.
    own_stages: Vec<usize>,
    pair_stages: Vec<usize>,
    pub(super) lets: Vec<(String, Value)>,
    pub(super) statement: usize,
    /// The byte of the present operation in its statement.
    pub(super) at: usize,
    draws: u32,
    /// The number of reductions around the present expression.
    pub(super) depth: usize,
    /// The last name of something of a pair outside of reductions.
    pub(super) stray: Option<(usize, String)>,
}

impl Builder {
    pub(super) fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            program: Program::default(),
            own_stages: Vec::new(),
            pair_stages: Vec::new(),
            lets: Vec::new(),
            statement: 0,
            at: 0,
            draws: 0,
            depth: 0,
            stray: None,
        }
    }

    pub(super) fn number(&mut self, number: f32) -> Number {
        Number::Own(self.own(OwnOperation::Number(number.to_bits())))
    }

    pub(super) fn dot(&mut self, a: &[Number], b: &[Number]) -> Number {
        let mut sum = self.binary(Binary::Times, a[0], b[0]);
        for (a, b) in a.iter().zip(b).skip(1) {
            let product = self.binary(Binary::Times, *a, *b);
            sum = self.binary(Binary::Plus, sum, product);
        }
        sum
    }

    pub(super) fn length(&mut self, vector: &[Number]) -> Number {
        let squared = self.dot(vector, vector);
        self.unary(Unary::Root, squared)
    }

    /// The same operation on each component.
    pub(super) fn each(&mut self, value: Value, operation: impl Fn(&mut Self, Number) -> Number) -> Value {
        match value {
            Value::Number(number) => Value::Number(operation(self, number)),
            Value::Vector(numbers) => {
                Value::Vector(numbers.into_iter().map(|number| operation(self, number)).collect())
            }
        }
    }

    pub(super) fn unary(&mut self, operation: Unary, of: Number) -> Number {
        match of {
            Number::Own(of) => Number::Own(self.own(OwnOperation::Unary(operation, of))),
            Number::Pair(of) => Number::Pair(self.pair(PairOperation::Unary(operation, of))),
        }
    }

    pub(super) fn binary(&mut self, operation: Binary, a: Number, b: Number) -> Number {
        if let (Number::Own(a), Number::Own(b)) = (a, b) {
            return Number::Own(self.own(OwnOperation::Binary(operation, a, b)));
        }
        let (a, b) = (self.spread(a), self.spread(b));
        Number::Pair(self.pair(PairOperation::Binary(operation, a, b)))
    }

    pub(super) fn choose(&mut self, which: Number, yes: Number, no: Number) -> Number {
        if let (Number::Own(which), Number::Own(yes), Number::Own(no)) = (which, yes, no) {
            return Number::Own(self.own(OwnOperation::Choose(which, yes, no)));
        }
        let (which, yes, no) = (self.spread(which), self.spread(yes), self.spread(no));
        Number::Pair(self.pair(PairOperation::Choose(which, yes, no)))
    }

    pub(super) fn reduce(&mut self, reduction: Reduction, of: Number) -> Number {
        let of = self.spread(of);
        self.program.sees = true;
        Number::Own(self.own(OwnOperation::Reduce(reduction, of)))
    }

    /// The number of neighbours.
    pub(super) fn count(&mut self) -> Number {
        self.program.sees = true;
        Number::Own(self.own(OwnOperation::Count))
    }

    /// The number of a substance.
    pub(super) fn substance(&mut self, name: &str) -> usize {
        let all = &mut self.program.substances;
        all.iter().position(|known| known == name).unwrap_or_else(|| {
            all.push(name.to_owned());
            all.len() - 1
        })
    }

    /// The number of a new draw.
    pub(super) fn draw(&mut self, at: usize) -> Result<u32, Mistake> {
        if self.depth > 0 {
            let what = "a draw is one of the agent, not of each pair: name it with `let` before the sum";
            return Err(Mistake::new(at, what));
        }
        self.next_draw(at)
    }

    pub(super) fn next_draw(&mut self, at: usize) -> Result<u32, Mistake> {
        if self.draws == MOST_DRAWS {
            return Err(Mistake::new(at, format!("the statements draw more than {MOST_DRAWS} random numbers")));
        }
        self.draws += 1;
        Ok(self.draws - 1)
    }

    /// The slot of pairs with a number.
    fn spread(&mut self, number: Number) -> Slot {
        match number {
            Number::Own(slot) => self.pair(PairOperation::Own(slot)),
            Number::Pair(slot) => slot,
        }
    }

    /// The slot of an operation of agents.
    pub(super) fn own(&mut self, operation: OwnOperation) -> Slot {
        if let Some(slot) = self.program.own.iter().position(|known| *known == operation) {
            return slot;
        }
        let own = |slot: Slot| self.own_stages[slot];
        let stage = match operation {
            OwnOperation::Unary(_, of) => own(of),
            OwnOperation::Sense(_, at) => at.into_iter().map(own).fold(0, larger),
            OwnOperation::Binary(_, a, b) => larger(own(a), own(b)),
            OwnOperation::Choose(which, yes, no) => larger(own(which), larger(own(yes), own(no))),
            OwnOperation::Reduce(Reduction::Pick(_, without), of) => larger(self.pair_stages[of], own(without)) + 1,
            OwnOperation::Reduce(_, of) => self.pair_stages[of] + 1,
            _ => 0,
        };
        self.program.own.push(operation);
        self.program.places[0].push((self.statement, self.at));
        self.own_stages.push(stage);
        self.program.own.len() - 1
    }

    pub(super) fn pair(&mut self, operation: PairOperation) -> Slot {
        if let Some(slot) = self.program.pairs.iter().position(|known| *known == operation) {
            return slot;
        }
        let pair = |slot: Slot| self.pair_stages[slot];
        let stage = match operation {
            PairOperation::Own(of) => self.own_stages[of],
            PairOperation::Unary(_, of) => pair(of),
            PairOperation::Binary(_, a, b) => larger(pair(a), pair(b)),
            PairOperation::Choose(which, yes, no) => larger(pair(which), larger(pair(yes), pair(no))),
            PairOperation::Offset(_) | PairOperation::Of(_) => 0,
        };
        self.program.pairs.push(operation);
        self.program.places[1].push((self.statement, self.at));
        self.pair_stages.push(stage);
        self.program.pairs.len() - 1
    }

    /// Sorts the operations into stages.
    pub(super) fn finish(mut self) -> Program {
        let last = self.own_stages.iter().copied().fold(0, larger);
        let mut stages: Vec<Stage> = (0..=last).map(|_| Stage::default()).collect();
        for (slot, (operation, &stage)) in self.program.own.iter().zip(&self.own_stages).enumerate() {
            match operation {
                OwnOperation::Reduce(..) => stages[stage - 1].reduced.push(slot),
                _ => stages[stage].own.push(slot),
            }
        }
        for stage in &mut stages {
            let mut needed = vec![false; self.program.pairs.len()];
            for &slot in &stage.reduced {
                if let OwnOperation::Reduce(_, of) = self.program.own[slot] {
                    needed[of] = true;
                }
            }
            for slot in (0..needed.len()).rev().filter(|&slot| needed[slot]).collect::<Vec<_>>() {
                mark(&self.program.pairs, slot, &mut needed);
            }
            stage.pairs = (0..needed.len()).filter(|&slot| needed[slot]).collect();
        }
        self.program.stages = stages;
        self.program
    }
}

/// Marks the slots of pairs from which one is computed.
fn mark(pairs: &[PairOperation], slot: Slot, needed: &mut [bool]) {
    let operands: &[Slot] = match &pairs[slot] {
        PairOperation::Unary(_, of) => &[*of],
        PairOperation::Binary(_, a, b) => &[*a, *b],
        PairOperation::Choose(which, yes, no) => &[*which, *yes, *no],
        PairOperation::Own(_) | PairOperation::Offset(_) | PairOperation::Of(_) => &[],
    };
    for &operand in operands {
        if !needed[operand] {
            needed[operand] = true;
            mark(pairs, operand, needed);
        }
    }
}

impl Value {
    pub(super) fn numbers(&self) -> &[Number] {
        match self {
            Self::Number(number) => std::slice::from_ref(number),
            Self::Vector(numbers) => numbers,
        }
    }
}

fn larger(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}
