//! JSON descriptions of a world for the page: its space, its rules and their sliders, its numbers.

use serde_json::{Value as Json, json};
use throng::parameters::{Kind, Parameter, Value};
use throng::species::Distribution;
use throng::species::tables::WEIGHT;
use throng::{AnyWorld, Edge, Event, Faults, Quantity, Registry, Rule, Shape, Species, WallShape, World};
use throng_draw::{Drawable, EnvironmentShape};
use throng_formats::trajectory::shortest;
use throng_scenario::{Colour, Scenario};

use super::constants;
use super::edit::{is_falcon, reference};
use super::story::own;

/// Describes the species of a world.
pub(crate) fn species<const D: usize>(world: &World<D>, registry: &Registry) -> Json {
    let described = world.species_ids().filter_map(|id| {
        let (species, agents) = (world.species(id).ok()?, world.agents(id).ok()?);
        let own = species.rules.iter().filter(|rule| !is_falcon(rule));
        let rules: Vec<Json> = own.map(|own| rule(own, registry)).collect();
        let states: Vec<&str> = species.states.iter().map(|state| &state.name[..]).collect();
        let columns: Vec<&str> = agents.columns().map(|column| column.name).collect();
        let variables: Vec<Json> = species
            .variables
            .iter()
            .map(|variable| json!([variable.name, shortest(variable.low), shortest(variable.high)]))
            .collect();
        Some(json!({
            "name": species.name,
            "person": is_person(species),
            "goals": !agents.is_empty() && agents.goal(0).is_some(),
            "fastest": shortest(species.largest(Quantity::MaxSpeed)),
            "quantities": quantities(species),
            "rules": rules,
            "states": states,
            "columns": columns,
            "variables": variables,
        }))
    });
    described.collect()
}

/// Describes the parts of a world that only commands change.
#[must_use]
pub fn world<const D: usize>(world: &World<D>, registry: &Registry) -> Json {
    let settings = world.settings();
    let flows: Vec<Json> = world
        .shapes()
        .into_iter()
        .filter_map(|shape| match shape {
            EnvironmentShape::Flow { from, to } => Some(json!([from.0[..D].to_vec(), to.0[..D].to_vec()])),
            _ => None,
        })
        .collect();
    json!({
        "dimensions": D,
        "size": settings.size.0.to_vec(),
        "edge": settings.edge.map(Edge::name).to_vec(),
        "tick_seconds": shortest(settings.tick_seconds),
        "seed": settings.seed.to_string(),
        "instruction_set": world.instruction_set().name(),
        "threads": rayon::current_num_threads(),
        "species": species(world, registry),
        "flows": flows,
    })
}

/// Describes the marks, obstacles, walls, regions and links, which may move. A wall is its edges, or a disc.
#[must_use]
pub fn environment<const D: usize>(world: &World<D>) -> Json {
    let environment = world.environment();
    let marks =
        environment.marks.items().iter().map(|mark| json!({ "name": mark.name, "at": mark.position.0.to_vec() }));
    let obstacles =
        environment.obstacles.items().iter().map(|obstacle| json!([obstacle.centre.0.to_vec(), obstacle.radius]));
    let regions = environment.regions.items().iter().map(|region| {
        let (centre, radius, half) = match region.shape {
            Shape::Ball { centre, radius } => (centre, Some(radius), None),
            Shape::Box { centre, half } => (centre, None, Some(half.0.to_vec())),
            _ => return Json::Null,
        };
        let sinks = environment.sinks.items().iter().enumerate().filter(|(_, sink)| sink.region == region.name);
        let sources = environment.sources.items().iter().filter(|source| source.region == region.name);
        json!({
            "name": region.name, "centre": centre.0.to_vec(), "radius": radius, "half": half,
            "sinks": sinks.map(|(number, sink)| json!([number, sink.name])).collect::<Vec<_>>(),
            "sources": sources.map(|source| &source.name[..]).collect::<Vec<_>>(),
        })
    });
    let edges = |shape: &WallShape<D>| -> Vec<Json> {
        shape.edges().iter().map(|[from, to]| json!([from.0.to_vec(), to.0.to_vec()])).collect()
    };
    let walls = world.standing_walls().map(|(id, shape)| {
        let disc = match &shape {
            WallShape::Ball { centre, radius } => Some(json!([centre.0.to_vec(), radius])),
            _ => None,
        };
        let is_room = environment.walls.get(id).is_some_and(|wall| wall.solid == Some(false));
        let solid = matches!(shape, WallShape::Box { .. } | WallShape::Path { closed: true, .. }) && !is_room;
        json!({
            "number": environment.walls.index_of(id), "edges": edges(&shape), "disc": disc, "solid": solid,
            "at": reference(&shape).0.to_vec(),
        })
    });
    let seconds = world.seconds();
    let doors = environment.walls.items().iter().filter(|wall| !wall.open.is_empty());
    let doors = doors.map(|wall| json!({ "edges": edges(&wall.shape), "open": wall.is_open(seconds) }));
    json!({
        "walls": walls.collect::<Vec<_>>(),
        "doors": doors.collect::<Vec<_>>(),
        "marks": marks.collect::<Vec<_>>(),
        "obstacles": obstacles.collect::<Vec<_>>(),
        "regions": regions.collect::<Vec<_>>(),
        "links": throng_draw::links(world).map(|ends| json!(ends.map(|end| end.0.to_vec()))).collect::<Vec<_>>(),
    })
}

/// The most cells per axis of a substance on the page.
const CELLS: usize = 128;

/// Describes the amounts of substances, seen from above: a character from `0` to `o` for each cell, row by row.
pub(crate) fn substances<const D: usize>(world: &World<D>) -> Vec<Json> {
    let described = |shape: EnvironmentShape| {
        let EnvironmentShape::Substance { cells, shares, number, .. } = shape else { return None };
        let block = cells[0].max(cells[1]).div_ceil(CELLS);
        let few = cells.map(|cells| cells.div_ceil(block));
        let mut most = vec![0; few[0] * few[1]];
        for (cell, &share) in shares.iter().enumerate() {
            let place = cell / cells[0] / block * few[0] + cell % cells[0] / block;
            most[place] = share.max(most[place]);
        }
        let shares: String = most.into_iter().map(|share| char::from(b'0' + share / 4)).collect();
        Some(json!({ "cells": few, "number": number, "shares": shares }))
    };
    throng_draw::substances(world).into_iter().filter_map(described).collect()
}

/// Describes the picture and the measures of a scenario.
pub(crate) fn outputs(scenario: &Scenario) -> Json {
    let recording = scenario.recording();
    let lines = recording.lines.iter();
    let lines = lines.map(|(name, [from, to])| json!({ "name": name, "from": from.0.to_vec(), "to": to.0.to_vec() }));
    let storeys = scenario
        .storeys()
        .into_iter()
        .filter(|storeys| !storeys.is_mesh())
        .flat_map(|storeys| storeys.names().zip(storeys.parts()));
    let storeys = storeys.map(|(name, [low, high])| json!({ "name": name, "low": low.0, "size": (high - low).0 }));
    json!({
        "storeys": storeys.collect::<Vec<_>>(),
        "colour": scenario.output().colour.as_ref().map(|colour| match colour {
            Colour::Variable(name) => format!("column:{name}"),
            colour => colour.name().to_owned(),
        }),
        "show": scenario.output().show,
        "lines": lines.collect::<Vec<_>>(),
        "areas": recording.areas.iter().map(|(name, ..)| &name[..]).collect::<Vec<_>>(),
        "own": own(recording).map(|measure| [&*measure.name, &*measure.unit]).collect::<Vec<_>>(),
    })
}

/// Whether agents of a species are people, which are drawn as discs: they have a model or a rule of pedestrians.
fn is_person<const D: usize>(species: &Species<D>) -> bool {
    const MODELS: [&str; 4] = ["collision_free_speed", "orca", "pedvo", "social_force"];
    const RULES: [&str; 6] = ["avoid_neighbours", "avoid_walls", "queue", "stand", "stay_in_group", "walk_to"];
    D == 2
        && (species.motion.as_ref().is_some_and(|motion| MODELS.contains(&motion.name()))
            || species.rules.iter().any(|rule| RULES.contains(&rule.behaviour.name())))
}

/// Returns the measures of the present tick.
pub(crate) fn numbers(world: &AnyWorld) -> Json {
    let profile = world.profile();
    let mut faults = Faults::default();
    (faults.inexact, faults.cut, faults.agents) = (profile.capped, profile.cut, profile.agents);
    faults.quarantined =
        world.events().iter().filter(|event| matches!(event, Event::Quarantined { .. })).count() as u64;
    faults.cause = world.faults().cause;
    let warnings: Vec<String> = faults.warnings().iter().map(ToString::to_string).collect();
    json!({
        "tick": world.tick(),
        "agents": world.population(),
        "polarisation": world.polarisation(),
        "mean_speed": world.mean_speed(),
        "mean_neighbours": profile.mean_neighbours(),
        "capped": profile.capped,
        "capped_share": profile.capped_share(),
        "warnings": warnings,
        "stages": profile.stages().map(|(name, milliseconds)| json!([name, milliseconds])),
    })
}

/// Describes the quantities of a species that are numbers or ranges. The value of a quantity that differs between
/// agents is its range: two numbers.
fn quantities<const D: usize>(species: &Species<D>) -> Vec<Json> {
    let usual = Species::<D>::new("");
    let body = Quantity::ALL.into_iter().filter_map(|quantity| {
        let (row, value, usual) = (quantity.parameter(), species.quantity(quantity), usual.quantity(quantity));
        let usual = if let Distribution::Same(usual) = usual { Some(shortest(usual)) } else { None };
        let value = match value {
            Distribution::Same(value) => Value::Number(value.into()),
            Distribution::Uniform(low, high) => Value::Point(vec![shortest(low), shortest(high)]),
            // The page has no control for the other distributions.
            _ => return None,
        };
        Some(parameter(row, Some(value), usual))
    });
    constants::describe(species).chain(body).chain(motion(species)).collect()
}

/// Describes the parameters of a species' motion, named `motion.NAME`; lists and advanced parameters have no slider.
fn motion<const D: usize>(species: &Species<D>) -> Vec<Json> {
    let Some(table) = species.motion.as_ref().and_then(|motion| motion.table()) else { return Vec::new() };
    let shown = table.parameters().iter().filter(|row| !row.advanced);
    let rows = shown.filter_map(|row| Some((row, table.get(row.name)?)));
    rows.filter(|(_, value)| matches!(value, Value::Number(_) | Value::Whole(_) | Value::Flag(_) | Value::Word(_)))
        .map(|(row, value)| {
            let mut json = parameter(row, Some(value), None);
            json["name"] = format!("motion.{}", row.name).into();
            json
        })
        .collect()
}

fn rule<const D: usize>(rule: &Rule<D>, registry: &Registry) -> Json {
    let mut parameters = vec![parameter(&WEIGHT, Some(Value::Number(shortest(rule.weight))), Some(1.0))];
    let mut summary = "";
    if let Some(table) = rule.behaviour.table() {
        let defaults = registry.named::<D>(table.rule());
        summary = table.summary();
        parameters.extend(table.parameters().iter().filter(|row| !row.advanced).map(|row| {
            let usual = defaults.as_ref().and_then(|rule| rule.get(row.name)?.number());
            parameter(row, table.get(row.name), usual)
        }));
    }
    json!({ "rule": rule.behaviour.name(), "summary": summary, "during": rule.during, "parameters": parameters })
}

fn parameter(row: &Parameter, value: Option<Value>, usual: Option<f64>) -> Json {
    let mut json = json!({ "name": row.name, "unit": row.unit, "help": row.help });
    match row.kind {
        Kind::Number(range) => {
            json["low"] = range.low.into();
            // Infinity becomes null: JSON cannot represent it.
            json["high"] = range.high.into();
            json["above"] = range.above.into();
            json["usual"] = usual.into();
        }
        Kind::Choice(words) => json["words"] = words.into(),
        _ => {}
    }
    json["form"] = row.kind.name().into();
    json["value"] = value.map_or(Json::Null, to_json);
    json
}

fn to_json(value: Value) -> Json {
    match value {
        Value::Number(number) => shortest(number as f32).into(),
        Value::Whole(whole) => whole.into(),
        Value::Flag(flag) => flag.into(),
        Value::Word(word) => word.into(),
        Value::Words(words) => words.into(),
        Value::Point(point) => point.into(),
        Value::Points(points) => points.into(),
        _ => Json::Null,
    }
}
