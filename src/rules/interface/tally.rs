//! The tally of a chunk: results of rules that its agents cannot follow.

use crate::rules::expressions::Undefined;

/// The results of rules, or of one of them, that agents of a chunk cannot follow.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// The agents whose expression wants more than their largest speed or force.
    pub(crate) cut: u64,
    /// The first result that is not finite.
    pub(crate) broken: Option<Broken>,
}

/// A result of a rule that is not finite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Broken {
    /// The key of the rule.
    pub(crate) key: u32,
    /// The operation of an expression that gave it.
    pub(crate) operation: Option<Undefined>,
}

impl Tally {
    /// Adds the tally of a later rule or chunk.
    pub(crate) fn add(&mut self, other: &Self) {
        self.cut += other.cut;
        self.broken = self.broken.or(other.broken);
    }
}
