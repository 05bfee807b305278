//! The inputs in a report: the species and the environment of a world, with all changes of the command line.

use throng::measures::Persons;
use throng::parameters::{Definition, Parameter, Value};
use throng::species::tables::{QUANTITIES, TIMES};
use throng::{AnyWorld, Collection, Distribution, Familiar, Item, PersonKind, Quantity, Species, World, with_world};

/// An input: its kind, its name and its values.
pub(super) type Input = [String; 3];

/// All inputs of a world, without walls that always stand.
pub(super) fn inputs(world: &AnyWorld, persons: &Persons) -> Vec<Input> {
    with_world!(world, world => of_world(world, persons))
}

fn of_world<const D: usize>(world: &World<D>, persons: &Persons) -> Vec<Input> {
    let mut inputs = Vec::new();
    for (id, species) in world.species_ids().filter_map(|id| Some((id, world.species(id).ok()?))) {
        let agents = persons.all().iter().filter(|person| person.species == id).count();
        add_species(&mut inputs, species, agents);
    }
    let environment = world.environment();
    add_items(&mut inputs, "source", &environment.sources);
    add_items(&mut inputs, "navigation", &environment.navigations);
    add_items(&mut inputs, "sink", &environment.sinks);
    add_items(&mut inputs, "zone", &environment.zones);
    let doors = environment.walls.items().iter().filter(|wall| !wall.open.is_empty());
    inputs.extend(doors.map(|door| item("door", door)));
    add_items(&mut inputs, "region", &environment.regions);
    inputs
}

/// Adds a species, its kinds of people and its rules.
fn add_species<const D: usize>(inputs: &mut Vec<Input>, species: &Species<D>, agents: usize) {
    let of = |what: &str| format!("{what} of {}", species.name);
    let motion = species.motion.as_ref().map(|motion| format!(", motion = {}", motion.name())).unwrap_or_default();
    let [mass, radius, speed] = [Quantity::Mass, Quantity::Radius, Quantity::MaxSpeed].map(|of| species.quantity(of));
    let drawn = people([Some(mass), Some(radius), Some(speed), species.pre_movement], &species.familiar)
        + &stairs([species.stairs_up, species.stairs_down]);
    inputs.push(["species".to_owned(), species.name.clone(), format!("agents = {agents}{motion}{drawn}")]);
    for kind in &species.kinds {
        let PersonKind { name, share, mass, radius, max_speed, pre_movement, familiar, .. } = kind;
        let drawn = people([*mass, *radius, *max_speed, *pre_movement], familiar);
        let stairs = stairs([kind.stairs_up, kind.stairs_down]);
        inputs.push([of("kind"), name.clone(), format!("share = {share}{drawn}{stairs}")]);
    }
    for rule in &species.rules {
        let table = rule.behaviour.table();
        let values = table.map(|table| listed(table.parameters(), |name| table.get(name))).unwrap_or_default();
        let name = [&[rule.behaviour.name().to_owned()], &rule.during[..]].concat().join(" during ");
        inputs.push([of("rule"), name, values]);
    }
}

/// The mass, the radius, the largest speed and the pre-movement time of people, and the shares that know navigations.
fn people(drawn: [Option<Distribution>; 4], familiar: &[Familiar]) -> String {
    let keys = QUANTITIES[..3].iter().chain(&TIMES[..1]).zip(drawn);
    let drawn = keys.filter_map(|(key, drawn)| Some(format!(", {} = {} {}", key.name, drawn?, key.unit)));
    let known = familiar.iter().map(|known| format!(", familiar.{} = {}", known.navigation, known.share));
    drawn.chain(known).collect()
}

/// The factors up and down stairs.
fn stairs(factors: [Option<f32>; 2]) -> String {
    let named = ["stairs_up", "stairs_down"].into_iter().zip(factors);
    named.filter_map(|(name, factor)| Some(format!(", {name} = {}", factor?))).collect()
}

fn add_items<T: Item + Definition>(inputs: &mut Vec<Input>, kind: &str, items: &Collection<T>) {
    inputs.extend(items.items().iter().map(|one| item(kind, one)));
}

fn item<T: Item + Definition>(kind: &str, item: &T) -> Input {
    [kind.to_owned(), item.name().unwrap_or("–").to_owned(), listed(T::KEYS, |name| item.get(name))]
}

/// The present values of the keys, without names and empty lists.
fn listed(keys: &[Parameter], value: impl Fn(&str) -> Option<Value>) -> String {
    let shown = keys.iter().filter(|key| key.name != "name" && !key.advanced);
    let text = |key: &Parameter| match value(key.name)?.shortened() {
        Value::Words(words) => (!words.is_empty()).then(|| format!("{} = {words:?}", key.name)),
        value => Some(format!("{} = {value} {}", key.name, key.unit).trim_end().to_owned()),
    };
    shown.filter_map(text).collect::<Vec<_>>().join(", ")
}
