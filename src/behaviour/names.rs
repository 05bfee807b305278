//! What a rule asks for by name: looked up once, when plans are made or the scenery changes, and a number from then on.

use crate::agents::Agents;
use crate::behaviour::{Needs, Whom};
use crate::ids::{AgentId, SpeciesId};
use crate::maths::Vector;
use crate::scenery::Scenery;

/// A target as a rule asks for it, in any number of dimensions.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    Point([f32; 3]),
    Mark(String),
    Agent(AgentId),
    Nearest(Whom),
    /// With its number among those that are remembered.
    Kept(Whom, usize),
    Random(f32),
}

/// A target without names.
#[derive(Clone, Debug)]
pub(crate) enum Sought<const D: usize> {
    /// A point; none where the scenery lacks the mark.
    Point(Option<Vector<D>>),
    Agent(AgentId),
    /// The nearest agent of the species with these numbers.
    Nearest(Vec<u32>),
    Kept(Vec<u32>, usize),
    Random(f32),
}

/// What one rule asked for by name, in the order in which it asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names<const D: usize> {
    pub(crate) targets: Vec<Sought<D>>,
    /// The places of flow fields among those of the scenery.
    pub(crate) fields: Vec<Option<usize>>,
    /// The places of columns among those of each species.
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
