//! The named inputs of rules, resolved to numbers when species, rules or the environment change.

use std::sync::Arc;

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::base::ids::{AgentId, SpeciesId};
use crate::environment::Environment;
use crate::environment::paths::FoundPath;
use crate::environment::region::Shape;
use crate::maths::Vector;
use crate::rules::interface::{Inputs, PerceivedSpecies, RequestedTarget, Sight};

/// A target whose names are resolved.
#[derive(Clone, Debug)]
pub(crate) enum ResolvedTarget<const D: usize> {
    /// A point; `None` if the environment lacks the mark.
    Point(Option<Vector<D>>),
    Agent(AgentId),
    /// The nearest agent of these species.
    Nearest(PerceivedSpecies),
    Kept(PerceivedSpecies, usize),
    Random(f32),
}

/// The named inputs of one rule, in the order of its requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResolvedNames<const D: usize> {
    pub(crate) targets: Vec<ResolvedTarget<D>>,
    /// Whether walls hide the nearest agent from the search for a target.
    pub(crate) hides: bool,
    /// Indices of flow fields in the environment.
    pub(crate) fields: Vec<Option<usize>>,
    /// Indices of navigations, for the same names.
    pub(crate) navigations: Vec<Option<usize>>,
    /// The index of the queue or waiting area in the environment.
    pub(crate) places: Option<usize>,
    /// Indices of columns in each species.
    pub(crate) columns: Vec<Vec<Option<usize>>>,
    /// Indices of substances in the environment.
    pub(crate) substances: Vec<Option<usize>>,
    /// The index of the column with the groups in the species of the rule.
    pub(crate) group: Option<usize>,
    /// The regions of the sinks that remove agents of the species, each with the states in which they do, one bit each.
    pub(crate) sinks: Arc<[(Shape<D>, u32)]>,
    /// The path that the rule follows, from the first tick that needs it.
    pub(crate) path: FoundPath<D>,
}

impl<const D: usize> ResolvedNames<D> {
    pub(crate) fn new(inputs: &Inputs, own: SpeciesId, agents: &[Agents<D>], environment: &Environment<D>) -> Self {
        let target = |wanted: &RequestedTarget| match wanted {
            RequestedTarget::Point(point) => ResolvedTarget::Point(Some(Vector::from_fn(|axis| point[axis]))),
            RequestedTarget::Mark(name) => {
                ResolvedTarget::Point(environment.marks.named(name).map(|mark| mark.position))
            }
            RequestedTarget::Agent(id) => ResolvedTarget::Agent(*id),
            RequestedTarget::Nearest(filter) => ResolvedTarget::Nearest(filter.species(own, agents)),
            RequestedTarget::Kept(filter, number) => ResolvedTarget::Kept(filter.species(own, agents), *number),
            RequestedTarget::Random(seconds) => ResolvedTarget::Random(*seconds),
        };
        let field = |name: &String| environment.fields.position(name);
        let navigation = |name: &String| environment.navigations.position(name);
        let place = |name: &String| environment.places.position(name);
        let column = |name: &String| agents.iter().map(|agents| agents.columns.place_for_rules(name)).collect();
        let group =
            |name: &String| agents[own.number()].columns.0.iter().position(|column| column.is(Owner::Host, name));
        Self {
            targets: inputs.targets.iter().map(target).collect(),
            hides: inputs.sight == Sight::Walls,
            fields: inputs.fields.iter().map(field).collect(),
            navigations: inputs.fields.iter().map(navigation).collect(),
            places: inputs.places.as_ref().and_then(place),
            columns: inputs.columns.iter().map(column).collect(),
            substances: inputs.substances.iter().map(|name| environment.substances.position(name)).collect(),
            group: inputs.group.as_ref().and_then(group),
            sinks: Arc::default(),
            path: FoundPath::default(),
        }
    }
}
