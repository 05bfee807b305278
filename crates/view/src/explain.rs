//! The explanation of the watched agent for the page: its neighbours, and the force of each rule.

use serde_json::{Value as Json, json};
use throng::{AgentId, Neighbour, Perception, SpeciesId, Vector, World};

use super::transitions;

/// The most neighbours to show. All of them are counted.
const MAX_SHOWN: usize = 400;

/// Describes an agent: its state, its neighbours, its fields of view and the force of each of its rules. `None` if it
/// no longer exists.
pub(crate) fn explain<const D: usize>(world: &mut World<D>, id: AgentId) -> Option<Json> {
    let explanation = world.explain(id).ok()?;
    let (own, row) = world.find(id).ok()?;
    let species = world.species(own).ok()?;
    let views: Vec<(&str, Perception)> = species
        .rules
        .iter()
        .flat_map(|rule| {
            let views: Vec<_> = rule.behaviour.inputs().perceptions().cloned().collect();
            views.into_iter().map(|view| (rule.behaviour.name(), view))
        })
        .collect();
    let agents = world.agents(own).ok()?;
    let (count, shown) = neighbours(world, id, own, agents.heading(row), &views);
    let contributions: Vec<Json> = explanation
        .contributions
        .iter()
        .map(|part| {
            json!({ "rule": part.rule, "weight": part.weight, "force": part.force.0.to_vec(), "silent": part.silent })
        })
        .collect();
    let views: Vec<Json> = views
        .iter()
        .map(|(rule, view)| json!({ "rule": rule, "radius": view.radius, "fov": view.field_of_view }))
        .collect();
    Some(json!({
        "id": id.to_bits().to_string(),
        "name": id.to_string(),
        "species": own.number(),
        "state": explanation.state,
        "transitions": transitions::of(world, id),
        "position": explanation.position.0.to_vec(),
        "velocity": explanation.velocity.0.to_vec(),
        "columns": explanation.columns.iter().map(|(name, numbers)| json!([name, numbers])).collect::<Vec<_>>(),
        "radius": agents.radius(row),
        "max_speed": agents.max_speed(row),
        "max_force": agents.max_force(row),
        "steering": explanation.steering.0.to_vec(),
        "motion": explanation.chosen.as_ref().map(|chosen| json!({ "model": chosen.model, "velocity": chosen.velocity.0.to_vec() })),
        "contributions": contributions,
        "views": views,
        "neighbours": count,
        "offsets": shown,
    }))
}

/// Returns the number of neighbours that any of the agent's rules perceives, and the offsets of some.
fn neighbours<const D: usize>(
    world: &World<D>,
    id: AgentId,
    own: SpeciesId,
    heading: Vector<D>,
    views: &[(&str, Perception)],
) -> (usize, Vec<Vec<f32>>) {
    let widest = views.iter().fold(0.0, |most, (_, view)| if view.radius > most { view.radius } else { most });
    let mut found = Vec::new();
    // An invalid agent or radius leaves `found` empty.
    let _ = world.query().around(id, widest, &mut found);
    let mut seen = vec![false; found.len()];
    for (_, view) in views {
        let mut of_view: Vec<usize> =
            (0..found.len()).filter(|&number| sees(world, own, heading, view, &found[number])).collect();
        if view.nearest > 0 {
            of_view.sort_by(|&a, &b| {
                let (a, b) = (&found[a], &found[b]);
                a.distance_squared.total_cmp(&b.distance_squared).then(a.id.cmp(&b.id))
            });
            of_view.truncate(view.nearest as usize);
        }
        of_view.into_iter().for_each(|number| seen[number] = true);
    }
    let neighbours = || found.iter().zip(&seen).filter(|(_, seen)| **seen).map(|(other, _)| other.offset.0.to_vec());
    (neighbours().count(), neighbours().take(MAX_SHOWN).collect())
}

/// Whether a rule perceives a nearby agent, before the rule's limit on the number of neighbours.
fn sees<const D: usize>(
    world: &World<D>,
    own: SpeciesId,
    heading: Vector<D>,
    view: &Perception,
    other: &Neighbour<D>,
) -> bool {
    world.agents(other.species).is_ok_and(|agents| view.filter.includes(own, agents, other.row))
        && other.distance_squared <= view.radius * view.radius
        && in_view(heading, other.offset, view.field_of_view)
}

/// Whether an offset is within a field of view of this width, in degrees.
fn in_view<const D: usize>(heading: Vector<D>, offset: Vector<D>, degrees: f32) -> bool {
    let lengths = f64::from(heading.length()) * f64::from(offset.length());
    lengths == 0.0 || f64::from(heading.dot(offset)) >= lengths * (f64::from(degrees) / 2.0).to_radians().cos()
}
