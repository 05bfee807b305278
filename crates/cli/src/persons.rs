//! The table of the agents of a run: when each came, set off and left, and the length of its way.

use throng::measures::Persons;
use throng::{Agents, AnyWorld, with_world};

/// The names of species by their numbers; empty for those that were removed.
pub(crate) fn species_names(world: &AnyWorld) -> Vec<&str> {
    with_world!(world, world => world.all_agents().iter().map(Agents::name).collect())
}

/// The table, with a row for each agent in the order in which they came.
pub(crate) fn csv(persons: &Persons, world: &AnyWorld) -> String {
    let species = species_names(world);
    let mut text = "id,species,start_s,departure_s,exit_s,exit,way_m\n".to_owned();
    for person in persons.all() {
        let number = |time: Option<f64>| time.map(|time| time.to_string()).unwrap_or_default();
        let species = species.get(person.species.number()).copied().unwrap_or_default();
        let (start, departure, exit) = (person.start, number(person.departure), number(person.exit));
        let by = persons.exit_of(person).unwrap_or_default();
        // Millimetres: the last digits of a sum of steps are of no use.
        let way = (person.way * 1e3).round() / 1e3;
        text.push_str(&format!("{},{species},{start},{departure},{exit},{by},{way}\n", person.id));
    }
    text
}
