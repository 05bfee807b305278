//! Reading of the rules of a species, with values checked against the parameter table of each rule.

use std::sync::Arc;

use throng::parameters::{Allowed, Field, Kind, Mistake, Parameter, Reflect, Value};
use throng::species::tables::WEIGHT;
use throng::{Behaviour, Error, Registry, Rule, Statements};

use crate::document::{Entry, Item, Node};
use crate::fields::Reader;
use crate::reason::Reason;

/// A rule in a scenario.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RuleSpec {
    rule: String,
    weight: f32,
    pub(crate) values: Vec<(&'static str, Value)>,
    /// The state in which it is active; `None` for all states.
    during: Option<String>,
}

/// The names that the rules and the states of a file may refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownNames<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) species: &'a [&'a str],
    pub(crate) marks: &'a [&'a str],
    pub(crate) regions: &'a [&'a str],
    pub(crate) fields: &'a [&'a str],
    pub(crate) navigations: &'a [&'a str],
    pub(crate) walls: &'a [&'a str],
    pub(crate) places: &'a [&'a str],
    pub(crate) substances: &'a [&'a str],
    /// The variables of the species that is read, and of all species.
    pub(crate) variables: &'a [&'a str],
    pub(crate) all_variables: &'a [&'a str],
    pub(crate) dimensions: usize,
}

impl RuleSpec {
    pub(crate) fn build<const D: usize>(&self, registry: &Registry) -> Result<Rule<D>, Error> {
        let unknown = || Error::UnknownRule(self.rule.clone());
        let mut behaviour = registry.named::<D>(&self.rule).ok_or_else(unknown)?;
        for (name, value) in &self.values {
            behaviour.set(name, value)?;
        }
        let rule = Rule::from_arc(self.weight, Arc::from(behaviour as Box<dyn Behaviour<D>>));
        Ok(self.during.iter().fold(rule, Rule::during))
    }

    /// Whether the rule leads people: to goals around walls, or to places where they wait.
    pub(crate) fn leads(&self) -> bool {
        matches!(&self.rule[..], "walk_to" | "take_place")
    }

    /// Whether the rule may take notice of obstacles. Rules of a host may.
    pub(crate) fn sees_obstacles(&self) -> bool {
        let looks = |(name, value): &(&str, Value)| *name == "sight" && *value == Value::Word("walls".to_owned());
        matches!(&self.rule[..], "avoid_obstacles" | "hide")
            || self.values.iter().any(looks)
            || Registry::default().named::<2>(&self.rule).is_none()
    }

    /// The weight of the rule and the state in which it acts, if it is this one and desires full speed at any distance.
    pub(crate) fn full(&self, rule: &str) -> Option<(f32, Option<&str>)> {
        let fades = |(name, _): &(&str, Value)| matches!(*name, "slowing_radius" | "max_force" | "from");
        (self.rule == rule && !self.values.iter().any(fades)).then_some((self.weight, self.during.as_deref()))
    }

    /// The numbers of the rule: `RULE.PARAMETER`.
    pub(crate) fn sliders(&self, registry: &Registry) -> Vec<String> {
        let own = registry.named::<2>(&self.rule);
        let parameters =
            own.iter().flat_map(|rule| rule.parameters()).filter(|row| matches!(row.kind, Kind::Number(_)));
        let names = std::iter::once("weight").chain(parameters.map(|row| row.name));
        names.map(|name| format!("{}.{name}", self.rule)).collect()
    }

    /// Restricts the rule to one state.
    pub(crate) fn during(mut self, state: &str) -> Self {
        self.during = Some(state.to_owned());
        self
    }
}

/// Reads the rules of a species.
pub(crate) fn read<'d>(reader: &mut Reader<'d>, path: &str, entry: &'d Entry, names: &KnownNames<'_>) -> Vec<RuleSpec> {
    let Node::Array(items) = &entry.item.node else {
        reader.refuse(path.to_owned(), &entry.item, Reason::MustBe(Allowed::Kind { kind: Kind::Rules, unit: "" }));
        return Vec::new();
    };
    let items = items.iter().enumerate();
    items
        .filter_map(|(number, item)| {
            let path = format!("{path}.{number}");
            match names.dimensions {
                3 => read_one::<3>(reader, &path, item, names),
                _ => read_one::<2>(reader, &path, item, names),
            }
        })
        .collect()
}

fn read_one<const D: usize>(
    reader: &mut Reader<'_>,
    path: &str,
    item: &Item,
    names: &KnownNames<'_>,
) -> Option<RuleSpec> {
    let Node::Table(table) = &item.node else {
        reader.refuse(path.to_owned(), item, Reason::MustBe(Allowed::Rule));
        return None;
    };
    let Some(named) = table.iter().find(|entry| entry.key == "rule") else {
        let reason = Reason::Missing(Allowed::Kind { kind: Kind::Reference("rule"), unit: "" });
        reader.note(item.at, format!("{path}.rule"), None, reason);
        return None;
    };
    let word = named.item.node.text().unwrap_or_default();
    let Some(mut behaviour) = names.registry.named::<D>(word) else {
        let names: Vec<&str> = names.registry.rules::<D>().map(|rule| rule.rule()).collect();
        reader.refuse(format!("{path}.rule"), &named.item, Reason::unknown("rule", word, &names));
        return None;
    };
    let mut weight = 1.0;
    for entry in table.iter().filter(|entry| entry.key == WEIGHT.name) {
        match entry.item.node.value(WEIGHT.kind).and_then(|weight| f32::read(&weight, &WEIGHT).ok()) {
            Some(read) => weight = read,
            None => reader.refuse(format!("{path}.{}", entry.key), &entry.item, Reason::must_be(&WEIGHT)),
        }
    }
    let values = read_values(reader, path, table, &["rule", WEIGHT.name], &mut *behaviour, names);
    for entry in table {
        let is_statements = |row: &Parameter| row.name == entry.key && row.kind == Kind::Statements;
        if behaviour.parameters().iter().any(is_statements)
            && let Err(error) = behaviour.check_variables(names.variables, Some(names.all_variables))
            && let Some(mistake) = mistake(&error)
        {
            reader.mistake(format!("{path}.{}", entry.key), &entry.item, mistake);
        }
        if let Some(Value::Words(texts)) =
            behaviour.get(&entry.key).filter(|_| behaviour.parameters().iter().any(is_statements))
            && let Ok(statements) = Statements::new(texts)
        {
            for name in statements.substances().filter(|name| !names.substances.contains(name)) {
                let reason = Reason::unknown("substance", name, names.substances);
                reader.refuse(format!("{path}.{}", entry.key), &entry.item, reason);
            }
        }
    }
    Some(RuleSpec { rule: behaviour.rule().to_owned(), weight, values, during: None })
}

/// Reads the parameters of a rule or a motion, and sets them in it. `others` are the other keys of its table.
pub(super) fn read_values<T: Reflect + ?Sized>(
    reader: &mut Reader<'_>,
    path: &str,
    table: &[Entry],
    others: &[&str],
    rule: &mut T,
    names: &KnownNames<'_>,
) -> Vec<(&'static str, Value)> {
    let mut values = Vec::new();
    let known: Vec<&str> = others.iter().copied().chain(rule.parameters().iter().map(|row| row.name)).collect();
    for entry in table {
        reader.check_key(path, entry, &known);
        let Some(parameter) = rule.parameters().iter().find(|parameter| parameter.name == entry.key) else {
            continue;
        };
        let key = format!("{path}.{}", entry.key);
        let value = entry.item.node.value(parameter.kind);
        match value.map(|value| rule.set(parameter.name, &value).map(|()| value)) {
            Some(Ok(value)) => {
                check_names(reader, &key, &entry.item, (parameter.kind, &value), names);
                values.push((parameter.name, value));
            }
            Some(Err(error)) if let Some(mistake) = mistake(&error) => reader.mistake(key, &entry.item, mistake),
            _ => reader.refuse(key, &entry.item, Reason::must_be(parameter)),
        }
    }
    values
}

/// The mistake in a statement that an error is about.
fn mistake(error: &Error) -> Option<Mistake> {
    match error {
        Error::BadValue(bad) => match &bad.allowed {
            Allowed::Statement(mistake) => Some(mistake.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Reports references to unknown names.
fn check_names(reader: &mut Reader<'_>, key: &str, item: &Item, (kind, value): (Kind, &Value), names: &KnownNames<'_>) {
    let words: Vec<&str> = match value {
        Value::Word(word) => vec![word],
        Value::Words(words) => words.iter().map(String::as_str).collect(),
        _ => return,
    };
    let (what, named) = match (kind, words[..].first().and_then(|word| word.split_once(':'))) {
        (Kind::SpeciesFilter, _) => ("species", words),
        (Kind::Reference(what) | Kind::References(what), _) => (what, words),
        (Kind::Target, Some(("mark", mark))) => ("mark", vec![mark]),
        (Kind::Target, Some(("nearest" | "kept", filter))) => ("species", filter.split(',').map(str::trim).collect()),
        _ => return,
    };
    let known = match what {
        "species" => names.species,
        "mark" => names.marks,
        "flow field" => names.fields,
        "queue or waiting area" => names.places,
        "navigation" => names.navigations,
        _ => return,
    };
    let is_keyword = matches!(kind, Kind::SpeciesFilter | Kind::Target) && matches!(named[..], ["own" | "all"]);
    for name in named.iter().filter(|name| !is_keyword && !known.contains(name)) {
        reader.refuse(key.to_owned(), item, Reason::unknown(what, name, known));
    }
}
