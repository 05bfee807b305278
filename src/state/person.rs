//! The columns of people: their kind, and the goals that they know.

use std::collections::BTreeMap;

use crate::agents::Agents;
use crate::agents::columns::{Owner, Stored as _};
use crate::base::ids::AgentId;
use crate::environment::Environment;
use crate::rules::behaviours::WalkTo;
use crate::species::{PersonKind, Species};

/// The columns of people that a species has: name and value of an agent that draws nothing.
pub(super) fn columns<const D: usize>(species: &Species<D>) -> impl IntoIterator<Item = (&'static str, u32)> {
    let kind = (!species.kinds.is_empty()).then_some((PersonKind::COLUMN, 0));
    let familiar = species.knows_some().then_some((WalkTo::FAMILIAR, u32::MAX));
    kind.into_iter().chain(familiar)
}

/// Draws the kind of an agent and the goals that it knows into its columns, if its species has these. The draw of the
/// agent `first` decides the goals that it knows: the first agent of its group.
pub(super) fn draw<const D: usize>(
    species: &Species<D>,
    environment: &Environment<D>,
    seed: u64,
    agents: &mut Agents<D>,
    (row, first): (usize, AgentId),
) {
    let id = agents.id[row];
    if !species.kinds.is_empty()
        && let Some(kinds) = agents.columns.host_mut::<u32>(PersonKind::COLUMN)
    {
        kinds[row] = species.start_kind(seed, id).map_or(0, |kind| kind as u32 + 1);
    }
    let known = species.known_goals(&environment.navigations, (seed, id, first), agents.radius(row));
    if let (Some(known), Some(familiar)) = (known, agents.columns.host_mut::<u32>(WalkTo::FAMILIAR)) {
        familiar[row] = known;
    }
}

/// The first agent, by ids, of the group of each agent; itself if it belongs to none.
pub(super) fn firsts<const D: usize>(agents: &Agents<D>) -> Vec<AgentId> {
    let column = agents.columns.0.iter().find(|column| column.is(Owner::Host, WalkTo::GROUP));
    let Some(groups) = column.and_then(|column| u32::rows(&column.data)) else { return agents.id.clone() };
    let mut firsts = BTreeMap::<u32, AgentId>::new();
    for (&group, &id) in groups.iter().zip(&agents.id) {
        let first = firsts.entry(group).or_insert(id);
        *first = if id.to_bits() < first.to_bits() { id } else { *first };
    }
    let first = |(group, &id): (&u32, &AgentId)| if *group == 0 { id } else { firsts[group] };
    groups.iter().zip(&agents.id).map(first).collect()
}
