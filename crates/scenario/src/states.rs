//! Reading of the states, transitions, variables and catch of a species.

use throng::parameters::{Allowed, Value, rounded};
use throng::{Catch, Condition, Place, SpeciesFilter, State, Transition, Variable};

use crate::document::Node;
use crate::fields::{Fields, Reader, point, value};
use crate::keys::{CONDITIONS, EVENTS};
use crate::reason::{Cause, Reason};
use crate::rules::{self, KnownNames, RuleSpec};

/// The maximum number of states of a species.
const MOST_STATES: usize = 32;

/// The states, variables and catch of a species.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StatesSpec {
    pub(crate) variables: Vec<Variable>,
    pub(crate) states: Vec<State>,
    pub(crate) catch: Option<Catch>,
}

/// Reads the variables, states and catch of a species, and adds the rules of its states to `rules`.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    species: &Fields<'d>,
    names: &KnownNames<'_>,
    rules: &mut Vec<RuleSpec>,
) -> StatesSpec {
    let variables = read_variables(reader, species);
    let tables = reader.named_tables(species, "states");
    // Invalid variables count too, so that their problem is reported once and not at each reference.
    let variable_names = names.variables;
    let state_names: Vec<&str> = tables.iter().map(|(name, _)| *name).collect();
    let mut states = Vec::new();
    for (number, (name, fields)) in tables.iter().enumerate() {
        if number == MOST_STATES {
            let reason = Reason::TooMany { what: "states", most: MOST_STATES };
            reader.note(fields.at, fields.path.clone(), None, reason);
        }
        if let Some(entry) = fields.entry("behaviours") {
            let of_state = rules::read(reader, &fields.path_of("behaviours"), entry, names);
            rules.extend(of_state.into_iter().map(|rule| rule.during(name)));
        }
        states.push(State {
            name: (*name).to_owned(),
            rates: read_rates(reader, fields, variable_names),
            transitions: read_transitions(reader, fields, &state_names, (&variables, variable_names), names),
        });
    }
    check_reached(reader, &tables, &states);
    let catch = read_catch(reader, species, &state_names, names.species);
    StatesSpec { variables, states, catch }
}

fn read_variables<'d>(reader: &mut Reader<'d>, species: &Fields<'d>) -> Vec<Variable> {
    let mut variables = Vec::new();
    for (name, fields) in reader.named_tables(species, "variables") {
        if Variable::is_taken(name) {
            reader.note(fields.at, fields.path.clone(), None, Reason::ReservedVariable(name.to_owned()));
        }
        let [low, high] = ["low", "high"].map(|key| reader.number(&fields, key));
        let (Some(start), Some(low), Some(high)) = (reader.distribution(&fields, "start"), low, high) else { continue };
        let variable = Variable { name: name.to_owned(), start, low, high };
        if variable.check().is_err() {
            let reason = Reason::Ascending(&["low", "start", "high"]);
            reader.note(fields.at, fields.path.clone(), None, reason);
        }
        variables.push(variable);
    }
    variables
}

fn read_rates<'d>(reader: &mut Reader<'d>, state: &Fields<'d>, variables: &[&str]) -> Vec<(String, f32)> {
    let (entries, Some(kind)) = reader.named(state, "rates") else { return Vec::new() };
    let mut rates = Vec::new();
    for entry in entries {
        let path = format!("{}.{}", state.path_of("rates"), entry.key.chars().take(64).collect::<String>());
        if !variables.contains(&&entry.key[..]) {
            reader.note(entry.at, path, None, Reason::unknown("variable", &entry.key, variables));
            continue;
        }
        match value(&entry.item.node, kind, 0).and_then(|rate| rate.number()) {
            Some(rate) => rates.push((entry.key.clone(), rounded(rate))),
            None => reader.refuse(path, &entry.item, Reason::MustBe(Allowed::Kind { kind, unit: "per second" })),
        }
    }
    rates
}

fn read_transitions<'d>(
    reader: &mut Reader<'d>,
    state: &Fields<'d>,
    states: &[&str],
    variables: (&[Variable], &[&str]),
    names: &KnownNames<'_>,
) -> Vec<Transition> {
    let tables = reader.tables(state, "transitions");
    let transitions = tables.iter().filter_map(|fields| {
        let to = reader.reference(fields, "to", states).map(str::to_owned);
        let when = read_condition(reader, fields, variables, names);
        Some(Transition { to: to?, when: when? })
    });
    transitions.collect()
}

fn read_condition<'d>(
    reader: &mut Reader<'d>,
    fields: &Fields<'d>,
    (variables, variable_names): (&[Variable], &[&str]),
    names: &KnownNames<'_>,
) -> Option<Condition> {
    let named: Vec<_> = CONDITIONS.iter().filter(|(name, _)| fields.entry(name).is_some()).collect();
    let [(name, others)] = named[..] else {
        let keys = CONDITIONS.iter().map(|(name, _)| *name).collect();
        reader.note(fields.at, fields.path.clone(), None, Reason::OneOf { keys, found: named.len() });
        return None;
    };
    let cause = || Cause { key: name, value: None };
    for (_, keys) in CONDITIONS {
        for key in keys {
            match fields.entry(key) {
                None if others.contains(key) => {
                    reader.note(fields.at, fields.path_of(key), None, Reason::MissingFor(cause()));
                    return None;
                }
                Some(entry) if !others.contains(key) => {
                    reader.note(entry.at, fields.path_of(key), None, Reason::Unused(cause()));
                    return None;
                }
                _ => {}
            }
        }
    }
    match *name {
        "below" | "above" => {
            let variable = reader.reference(fields, "when", variable_names).map(str::to_owned);
            let value = reader.number(fields, name);
            let (variable, value) = (variable?, value?);
            if let Some(variable) = variables.iter().find(|known| known.name == variable) {
                check_threshold(reader, fields, name, value, variable);
            }
            let condition = if *name == "below" { Condition::Below } else { Condition::Above };
            Some(condition(variable, value))
        }
        "nearer" | "farther" => {
            let reference = read_reference(reader, fields, name, names);
            let distance = reader.number(fields, "distance");
            let (reference, distance) = (reference?, distance?);
            Some(match (reference, *name) {
                (DistanceReference::Species(filter), "nearer") => Condition::Nearer(filter, distance),
                (DistanceReference::Species(filter), _) => Condition::Farther(filter, distance),
                (DistanceReference::Place(place), "nearer") => Condition::NearerPlace(place, distance),
                (DistanceReference::Place(place), _) => Condition::FartherPlace(place, distance),
            })
        }
        "open" => reader.reference(fields, name, names.walls).map(|door| Condition::Open(door.to_owned())),
        "closed" => reader.reference(fields, name, names.walls).map(|door| Condition::Closed(door.to_owned())),
        "after" => reader.number(fields, name).map(Condition::After),
        _ => {
            let word = reader.choice(fields, name)?;
            EVENTS.into_iter().find(|(event, _)| *event == word).map(|(_, condition)| condition)
        }
    }
}

/// Reports a threshold beyond the range of its variable, at which the condition would hold never or always.
fn check_threshold<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, name: &str, value: f32, variable: &Variable) {
    if let Some(entry) = fields.entry(name)
        && !(variable.low..=variable.high).contains(&value)
    {
        let allowed = Allowed::number(variable.range(), "");
        reader.refuse(fields.path_of(name), &entry.item, Reason::MustBe(allowed));
    }
}

/// The reference of a distance condition.
enum DistanceReference {
    Species(SpeciesFilter),
    Place(Place),
}

/// Reads the place or the species that `nearer` or `farther` refers to.
fn read_reference<'d>(
    reader: &mut Reader<'d>,
    fields: &Fields<'d>,
    name: &str,
    names: &KnownNames<'_>,
) -> Option<DistanceReference> {
    let value = reader.value(fields, name, names.dimensions)?;
    let place = match value.word().and_then(|word| word.split_once(':')) {
        Some(("mark", mark)) if reader.known(fields, name, "mark", mark, names.marks) => Place::Mark(mark.to_owned()),
        Some(("region", region)) if reader.known(fields, name, "region", region, names.regions) => {
            Place::Region(region.to_owned())
        }
        Some(("mark" | "region", _)) => return None,
        _ if matches!(value, Value::Point(_)) => Place::Point(point(value)?),
        _ => return reader.filter(fields, name, names.species).map(DistanceReference::Species),
    };
    Some(DistanceReference::Place(place))
}

/// Reports states that agents cannot reach.
fn check_reached<'d>(reader: &mut Reader<'d>, tables: &[(&str, Fields<'d>)], states: &[State]) {
    let mut reached = vec![false; states.len()];
    let mut pending = vec![0];
    while let Some(number) = pending.pop() {
        let Some(state) = states.get(number).filter(|_| !std::mem::replace(&mut reached[number], true)) else {
            continue;
        };
        let to = |transition: &Transition| states.iter().position(|state| state.name == transition.to);
        pending.extend(state.transitions.iter().filter_map(to));
    }
    // A transition with a problem may lead to an unreached state.
    let written: usize = tables.iter().map(|(_, fields)| written_transitions(fields)).sum();
    if states.iter().map(|state| state.transitions.len()).sum::<usize>() != written {
        return;
    }
    for ((name, fields), _) in tables.iter().zip(&reached).filter(|(_, reached)| !**reached) {
        let first = tables[0].0;
        let reason = Reason::Unreached { first: first.to_owned(), state: (*name).to_owned() };
        reader.note(fields.at, fields.path.clone(), None, reason);
    }
}

fn written_transitions(state: &Fields<'_>) -> usize {
    match state.entry("transitions").map(|entry| &entry.item.node) {
        Some(Node::Array(items)) => items.len(),
        _ => 0,
    }
}

fn read_catch<'d>(reader: &mut Reader<'d>, species: &Fields<'d>, states: &[&str], known: &[&str]) -> Option<Catch> {
    let fields = reader.inner(species, "catch")?;
    let filter = reader.filter(&fields, "whom", known);
    let distance = reader.number(&fields, "distance");
    let remove = reader.flag(&fields, "remove").unwrap_or(false);
    let during = reader.references(&fields, "during", states).unwrap_or_default();
    Some(Catch { filter: filter?, distance: distance?, remove, during })
}
