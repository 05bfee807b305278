//! The columns of people: their kind, and the goals that they know.

use crate::agents::Agents;
use crate::environment::Environment;
use crate::rules::behaviours::WalkTo;
use crate::species::{Familiar, PersonKind, Species};

/// The columns of people that a species has: name and value of an agent that draws nothing.
pub(super) fn columns<const D: usize>(species: &Species<D>) -> impl IntoIterator<Item = (&'static str, u32)> {
    let kind = (!species.kinds.is_empty()).then_some((PersonKind::COLUMN, 0));
    let familiar = knows_some(species).then_some((WalkTo::FAMILIAR, u32::MAX));
    kind.into_iter().chain(familiar)
}

/// Whether agents of a species know some goals and not others.
fn knows_some<const D: usize>(species: &Species<D>) -> bool {
    !species.familiar.is_empty() || species.kinds.iter().any(|kind| !kind.familiar.is_empty())
}

/// Draws the kind of an agent and the goals that it knows into its columns, if its species has these.
pub(super) fn draw<const D: usize>(
    species: &Species<D>,
    environment: &Environment<D>,
    seed: u64,
    agents: &mut Agents<D>,
    row: usize,
) {
    let id = agents.id[row];
    let kind = species.start_kind(seed, id);
    if !species.kinds.is_empty()
        && let Some(kinds) = agents.columns.host_mut::<u32>(PersonKind::COLUMN)
    {
        kinds[row] = kind.map_or(0, |kind| kind as u32 + 1);
    }
    if knows_some(species) {
        let of_kind = kind.map_or(&[][..], |kind| &species.kinds[kind].familiar);
        let (shares, radius) = ([&species.familiar[..], of_kind], agents.radius(row));
        let known = Familiar::known(shares, &environment.navigations, (seed, id), radius);
        if let Some(familiar) = agents.columns.host_mut::<u32>(WalkTo::FAMILIAR) {
            familiar[row] = known;
        }
    }
}
