//! Reading of the states, transitions, variables and catch of a species.

use throng::parameters::{Allowed, rounded};
use throng::{Catch, Condition, State, Substance, Transition, Variable};

use crate::document::Node;
use crate::fields::{Fields, Reader, value};
use crate::items::Scope;
use crate::reason::Reason;
use crate::rules::{self, KnownNames, RuleSpec};

/// The maximum number of states of a species.
const MOST_STATES: usize = 32;

/// The names of the variables of a species, also of those that are not valid.
pub(crate) fn variables_of(species: &Node) -> Vec<&str> {
    let Node::Table(keys) = species else { return Vec::new() };
    match keys.iter().find(|key| key.key == "variables").map(|key| &key.item.node) {
        Some(Node::Table(variables)) => variables.iter().map(|variable| &variable.key[..]).collect(),
        _ => Vec::new(),
    }
}

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
    let variables = read_variables(reader, species, names.substances);
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
    let catch = read_catch(reader, species, &state_names, names);
    StatesSpec { variables, states, catch }
}

fn read_variables<'d>(reader: &mut Reader<'d>, species: &Fields<'d>, substances: &[&str]) -> Vec<Variable> {
    let mut variables = Vec::new();
    for (name, fields) in reader.named_tables(species, "variables") {
        if Variable::is_taken(name) {
            reader.note(fields.at, fields.path.clone(), None, Reason::ReservedVariable(name.to_owned()));
        }
        // Without substances the variable may be of another use.
        if let Some(name) =
            name.strip_prefix(Substance::DEPOSIT).filter(|name| !substances.is_empty() && !substances.contains(name))
        {
            reader.note(fields.at, fields.path.clone(), None, Reason::unknown("substance", name, substances));
        }
        let scope = Scope { names: &[], dimensions: 0 };
        let item = reader.item::<Variable, Variable>(&fields, Some(name), scope);
        let Some(variable) = item.and_then(|item| item.build::<Variable>().ok()) else { continue };
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
    (variables, variable_names): (&[Variable], &[&str]),
    names: &KnownNames<'_>,
) -> Vec<Transition> {
    let tables = reader.tables(state, "transitions");
    let KnownNames { walls, species, marks, regions, dimensions, .. } = *names;
    let all = [
        ("state", states),
        ("variable", variable_names),
        ("wall", walls),
        ("species", species),
        ("mark", marks),
        ("region", regions),
    ];
    let scope = Scope { names: &all, dimensions };
    let transitions = tables.iter().filter_map(|fields| {
        let transition: Transition = reader.item::<Transition, Transition>(fields, None, scope)?.build().ok()?;
        let (name, threshold) = match &transition.when {
            Condition::Below(name, value) => (name, ("below", *value)),
            Condition::Above(name, value) => (name, ("above", *value)),
            _ => return Some(transition),
        };
        if let Some(variable) = variables.iter().find(|known| known.name == *name) {
            check_threshold(reader, fields, threshold, variable);
        }
        Some(transition)
    });
    transitions.collect()
}

/// Reports a threshold beyond the range of its variable, at which the condition would hold never or always.
fn check_threshold<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, (name, value): (&str, f32), variable: &Variable) {
    if let Some(entry) = fields.entry(name)
        && !(variable.low..=variable.high).contains(&value)
    {
        let allowed = Allowed::number(variable.range(), "");
        reader.refuse(fields.path_of(name), &entry.item, Reason::MustBe(allowed));
    }
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

fn read_catch<'d>(
    reader: &mut Reader<'d>,
    species: &Fields<'d>,
    states: &[&str],
    names: &KnownNames<'_>,
) -> Option<Catch> {
    let fields = reader.inner(species, "catch")?;
    let all = [("state", states), ("species", names.species)];
    reader.item::<Catch, Catch>(&fields, None, Scope { names: &all, dimensions: names.dimensions })?.build().ok()
}
