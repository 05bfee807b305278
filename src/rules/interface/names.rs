//! Named inputs of rules, resolved to numbers when species, rules or the scenery change.

use crate::agents::Agents;
use crate::base::ids::{AgentId, SpeciesId};
use crate::environment::Scenery;
use crate::maths::Vector;
use crate::rules::interface::{Needs, Whom};

/// A target as a rule requests it, in any number of dimensions.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    Point([f32; 3]),
    Mark(String),
    Agent(AgentId),
    Nearest(Whom),
    /// With its number in the rule's memory.
    Kept(Whom, usize),
    Random(f32),
}

/// A target whose names are resolved.
#[derive(Clone, Debug)]
pub(crate) enum Sought<const D: usize> {
    /// A point; `None` if the scenery lacks the mark.
    Point(Option<Vector<D>>),
    Agent(AgentId),
    /// The nearest agent of the species with these numbers.
    Nearest(Vec<u32>),
    Kept(Vec<u32>, usize),
    Random(f32),
}

/// The named inputs of one rule, in the order of its requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names<const D: usize> {
    pub(crate) targets: Vec<Sought<D>>,
    /// Indices of flow fields in the scenery.
    pub(crate) fields: Vec<Option<usize>>,
    /// Indices of columns in each species.
    pub(crate) columns: Vec<Vec<Option<usize>>>,
}

impl<const D: usize> Names<D> {
    pub(crate) fn new(needs: &Needs<'_>, own: SpeciesId, agents: &[Agents<D>], scenery: &Scenery<D>) -> Self {
        let target = |wanted: &Wanted| match wanted {
            Wanted::Point(point) => Sought::Point(Some(Vector::from_fn(|axis| point[axis]))),
            Wanted::Mark(name) => Sought::Point(scenery.mark(name)),
            Wanted::Agent(id) => Sought::Agent(*id),
            Wanted::Nearest(whom) => Sought::Nearest(whom.species(own, agents)),
            Wanted::Kept(whom, number) => Sought::Kept(whom.species(own, agents), *number),
            Wanted::Random(seconds) => Sought::Random(*seconds),
        };
        let field = |name: &&str| scenery.fields().position(|(other, _)| other == *name);
        let column = |name: &&str| agents.iter().map(|agents| agents.columns.place_of(name)).collect();
        Self {
            targets: needs.targets.iter().map(target).collect(),
            fields: needs.fields.iter().map(field).collect(),
            columns: needs.columns.iter().map(column).collect(),
        }
    }
}
