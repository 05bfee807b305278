//! Edits of rules and species: parameters, weights and quantities.

use throng::parameters::Value;
use throng::species::Distribution;
use throng::species::tables::WEIGHT;
use throng::{Quantity, Rule, Species, SpeciesId, World};
use throng_formats::trajectory::shortest;

use super::super::changes::Change;
use super::super::constants::constants;
use super::falcon::is_falcon;
use super::kinds::{Applied, Edit};
use super::points::{text, vector};

/// Sets a parameter of a rule, or its weight.
pub(super) fn set<const D: usize>(
    world: &mut World<D>,
    species: usize,
    rule: usize,
    name: &str,
    value: &Value,
) -> Result<Applied, String> {
    let id = species_of(world, species)?;
    let before = current(world, id, rule, name);
    let number = own_rules(&world.species(id).map_err(text)?.rules).nth(rule).map_or(rule, |(number, _)| number);
    let mut definition = world.species(id).map_err(text)?.clone();
    definition.set_parameter(&format!("behaviours.{number}.{name}"), value.clone()).map_err(text)?;
    let mut path = vec!["species".to_owned(), definition.name.clone()];
    path.extend(place(&definition.rules, rule));
    path.push(name.to_owned());
    // Read back from the definition, which has rounded it to `f32`.
    let value = of_rule(&definition, rule, name).as_ref().and_then(toml).ok_or("the value cannot be written")?;
    world.edit_species(id, |species| *species = definition).map_err(text)?;
    let inverse = before.map(|value| Edit::Set { species, rule: Some(rule), name: name.to_owned(), value });
    Ok(Applied { changes: vec![Change::Key(path, value)], inverse: inverse.into_iter().collect() })
}

/// Appends a point to a path.
pub(super) fn append<const D: usize>(
    world: &mut World<D>,
    species: usize,
    rule: usize,
    name: &str,
    point: &[f64],
) -> Result<Applied, String> {
    let Some(Value::Points(mut points)) = current(world, species_of(world, species)?, rule, name) else {
        return Err(format!("{name} is not a path"));
    };
    points.push(vector::<D>(point)?.0.map(f64::from).to_vec());
    set(world, species, rule, name, &Value::Points(points))
}

/// Sets a constant of a species, for the agents that are there and those that come.
fn set_constant<const D: usize>(
    world: &mut World<D>,
    species: usize,
    name: &str,
    value: &Value,
) -> Result<Applied, String> {
    let id = species_of(world, species)?;
    let Value::Number(number) = value else { return Err(format!("{name}: must be a number")) };
    let mut definition = world.species(id).map_err(text)?.clone();
    let before = constants(&definition).find(|(variable, _)| variable.name == name).map(|(_, before)| before);
    let before = before.ok_or_else(|| format!("{name}: is not a variable that all agents share"))?;
    let mut variables = definition.variables.iter_mut();
    if let Some(variable) = variables.find(|variable| variable.name == name) {
        variable.start = Distribution::Same(*number as f32);
        variable.check().map_err(text)?;
    }
    let path = ["species", &definition.name, "variables", name, "start"].map(str::to_owned).to_vec();
    let agents = world.agents(id).map_err(text)?.len();
    world.edit_species(id, |species| *species = definition).map_err(text)?;
    world.set_column(id, name, &vec![*number as f32; agents]).map_err(text)?;
    let name = format!("variables.{name}");
    let inverse = Edit::Set { species, rule: None, name, value: Value::Number(before.into()) };
    Ok(Applied { changes: vec![Change::Key(path, shortest(*number as f32).into())], inverse: vec![inverse] })
}

/// Sets a quantity of a species to a number, or to a range by its two ends, a parameter of its motion, or a constant.
pub(super) fn set_quantity<const D: usize>(
    world: &mut World<D>,
    species: usize,
    name: &str,
    value: &Value,
) -> Result<Applied, String> {
    if let Some(variable) = name.strip_prefix("variables.") {
        return set_constant(world, species, variable, value);
    }
    let id = species_of(world, species)?;
    let inverse = |value| Edit::Set { species, rule: None, name: name.to_owned(), value };
    if let Some(parameter) = name.strip_prefix("motion.") {
        let of_motion = |species: &Species<D>| species.motion.as_ref()?.table()?.get(parameter);
        let before = of_motion(world.species(id).map_err(text)?);
        let mut definition = world.species(id).map_err(text)?.clone();
        definition.set_parameter(name, value.clone()).map_err(text)?;
        let written = of_motion(&definition).as_ref().and_then(toml).ok_or("the value cannot be written")?;
        let path = ["species", &definition.name, "motion", parameter].map(str::to_owned).to_vec();
        world.edit_species(id, |species| *species = definition).map_err(text)?;
        return Ok(Applied {
            changes: vec![Change::Key(path, written)],
            inverse: before.into_iter().map(inverse).collect(),
        });
    }
    let (spread, written) = match value {
        Value::Number(number) => (Distribution::Same(*number as f32), shortest(*number as f32).into()),
        Value::Point(ends) if ends.len() == 2 => {
            let ends = [ends[0] as f32, ends[1] as f32];
            (Distribution::Uniform(ends[0], ends[1]), written_numbers(&ends))
        }
        _ => return Err(format!("{name}: must be a number, or two numbers in ascending order")),
    };
    let quantity = Quantity::named(name).ok_or_else(|| format!("{name}: is not a quantity"))?;
    let before = value_of(world, id, quantity);
    world.edit_species(id, |species| species.set_quantity(quantity, spread)).and_then(|set| set).map_err(text)?;
    let species = world.species(id).map_err(text)?.name.clone();
    let change = Change::Key(vec!["species".into(), species, name.to_owned()], written);
    Ok(Applied { changes: vec![change], inverse: before.into_iter().map(inverse).collect() })
}

/// A quantity as a number or the two ends of its range.
fn value_of<const D: usize>(world: &World<D>, id: SpeciesId, quantity: Quantity) -> Option<Value> {
    match world.species(id).ok()?.quantity(quantity) {
        Distribution::Same(value) => Some(Value::Number(value.into())),
        Distribution::Uniform(low, high) => Some(Value::Point(vec![low.into(), high.into()])),
        _ => None,
    }
}

/// The value of a rule's parameter, or its weight.
fn current<const D: usize>(world: &World<D>, species: SpeciesId, rule: usize, name: &str) -> Option<Value> {
    of_rule(world.species(species).ok()?, rule, name)
}

/// The same in a definition.
fn of_rule<const D: usize>(species: &Species<D>, rule: usize, name: &str) -> Option<Value> {
    let (_, rule) = own_rules(&species.rules).nth(rule)?;
    if name == WEIGHT.name { Some(Value::Number(rule.weight.into())) } else { rule.behaviour.table()?.get(name) }
}

pub(super) fn species_of<const D: usize>(world: &World<D>, number: usize) -> Result<SpeciesId, String> {
    world.species_ids().nth(number).ok_or_else(|| format!("unknown species number {number}"))
}

/// The rules of a species without the rule of the falcon, with their numbers in the world.
fn own_rules<const D: usize>(rules: &[Rule<D>]) -> impl Iterator<Item = (usize, &Rule<D>)> {
    rules.iter().enumerate().filter(|(_, rule)| !is_falcon(rule))
}

/// Returns the path of a rule within its species' table of a scenario file. `rules` lists the rules of the species
/// first, then the rules of its states.
fn place<const D: usize>(rules: &[Rule<D>], rule: usize) -> Vec<String> {
    match own_rules(rules).nth(rule).and_then(|(_, own)| own.during.first()) {
        None => vec!["behaviours".into(), rule.to_string()],
        Some(state) => {
            let before = own_rules(rules).take(rule).filter(|(_, other)| other.during.first() == Some(state)).count();
            vec!["states".into(), state.clone(), "behaviours".into(), before.to_string()]
        }
    }
}

/// Converts numbers to the values of a scenario file.
pub(super) fn written_numbers(numbers: &[f32]) -> toml_edit::Value {
    numbers.iter().map(|&number| shortest(number)).collect()
}

/// Converts a parameter to the value of a scenario file.
fn toml(value: &Value) -> Option<toml_edit::Value> {
    let point = |point: &[f64]| written_numbers(&point.iter().map(|&at| at as f32).collect::<Vec<_>>());
    Some(match value {
        Value::Number(number) => shortest(*number as f32).into(),
        Value::Whole(whole) => i64::try_from(*whole).ok()?.into(),
        Value::Flag(flag) => (*flag).into(),
        Value::Word(word) => word.into(),
        Value::Words(words) => words.iter().collect(),
        Value::Point(at) => point(at),
        Value::Points(points) => points.iter().map(|at| point(at)).collect(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use throng::Registry;
    use throng_scenario::Scenario;

    use super::super::apply;
    use super::*;
    use crate::describe;

    const FIREFLIES: &str = r#"format = 1
[world]
dimensions = 2
size = [20.0, 20.0]
[species.firefly]
count = 12
behaviours = [{ rule = "expression", radius = 5.0, set = ["phase += dt * (rate + coupling * mean(sin(phase_j - phase)))"] }]
[species.firefly.variables]
phase = { start = 0.0, low = -100.0, high = 100.0 }
rate = { start = [0.5, 1.5], low = 0.0, high = 2.0 }
coupling = { start = 2.0, low = 0.0, high = 10.0 }
[species.moth]
count = 3
"#;

    fn world() -> World<2> {
        Scenario::parse(FIREFLIES, "fireflies.toml").unwrap().build().unwrap()
    }

    fn set(value: Value) -> Edit {
        Edit::Set { species: 0, rule: None, name: "variables.coupling".to_owned(), value }
    }

    /// The phase is set by the statement, and each firefly has a rate of its own.
    #[test]
    fn a_variable_that_no_statement_sets_is_the_first_slider() {
        let described = describe::species(&world(), &Registry::new());
        let names = |species: usize| -> Vec<String> {
            let quantities = described[species]["quantities"].as_array().unwrap();
            quantities.iter().map(|of| of["name"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(names(0)[..2], ["variables.coupling", &names(1)[0]]);
        assert_eq!(names(0).len(), names(1).len() + 1);
        let slider = &described[0]["quantities"][0];
        assert_eq!((&slider["value"], &slider["low"], &slider["high"]), (&2.0.into(), &0.0.into(), &10.0.into()));
    }

    #[test]
    fn a_constant_is_set_for_all_agents_and_those_that_come_and_undone() {
        let mut world = world();
        let firefly = world.species_ids().next().unwrap();
        let applied = apply(&mut world, &set(Value::Number(3.5))).unwrap();
        let values = |world: &World<2>| world.agents(firefly).unwrap().column::<f32>("coupling").unwrap().to_vec();
        assert_eq!(values(&world), [3.5; 12]);
        world.spawn(firefly, [5.0, 5.0], [0.0, 0.0]).unwrap();
        assert_eq!(values(&world), [3.5; 13]);
        let Change::Key(path, value) = &applied.changes[0] else { unreachable!() };
        assert_eq!(
            (path.join("."), value.to_string()),
            ("species.firefly.variables.coupling.start".into(), "3.5".into())
        );
        apply(&mut world, &applied.inverse[0]).unwrap();
        assert_eq!(values(&world), [2.0; 13]);
        for (wrong, value) in [("coupling", 11.0), ("phase", 1.0), ("rate", 1.0), ("wings", 2.0)] {
            let name = format!("variables.{wrong}");
            let edit = Edit::Set { species: 0, rule: None, name, value: Value::Number(value) };
            assert!(apply(&mut world, &edit).is_err(), "{wrong}");
        }
        assert_eq!(values(&world), [2.0; 13]);
    }
}
