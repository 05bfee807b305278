//! Which rules steer a species, with which parameters? Every rule's own table says what they may be.

use crate::behaviours::{self, NamedRule};
use crate::error::Error;
use crate::parameters::{Kind, Value, allowed};
use crate::scenario::document::{Entry, Item, Node};
use crate::scenario::fields::{Reader, no_such};
use crate::scenario::suggest::nearest;
use crate::species::{Rule, WEIGHT};

/// A rule as a scenario has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RuleText {
    rule: String,
    weight: f32,
    values: Vec<(&'static str, Value)>,
    /// The state in which it is not silent; all of them if none.
    during: Option<String>,
}

/// What the rules of a file may name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'a> {
    pub(crate) species: &'a [&'a str],
    pub(crate) marks: &'a [&'a str],
    pub(crate) fields: &'a [&'a str],
    pub(crate) dimensions: usize,
}

impl RuleText {
    pub(crate) fn build<const D: usize>(&self) -> Result<Rule<D>, Error> {
        let mut behaviour = find::<D>(&self.rule).ok_or_else(|| Error::bad("rule", &self.rule, "a rule's name"))?;
        for (name, value) in &self.values {
            behaviour.set(name, value)?;
        }
        Ok(Rule { weight: self.weight, behaviour, during: self.during.iter().cloned().collect() })
    }

    /// The same rule, silent but in one state.
    pub(crate) fn during(mut self, state: &str) -> Self {
        self.during = Some(state.to_owned());
        self
    }
}

fn find<const D: usize>(name: &str) -> Option<Box<dyn NamedRule<D>>> {
    behaviours::all::<D>().into_iter().find(|rule| rule.rule() == name)
}

/// Reads a species' rules.
pub(crate) fn read<'d>(reader: &mut Reader<'d>, path: &str, entry: &'d Entry, names: &Names<'_>) -> Vec<RuleText> {
    let Node::Array(items) = &entry.item.node else {
        reader.refuse(path.to_owned(), &entry.item, crate::scenario::keys::Form::Rules.allowed(""));
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

fn read_one<const D: usize>(reader: &mut Reader<'_>, path: &str, item: &Item, names: &Names<'_>) -> Option<RuleText> {
    let Node::Table(table) = &item.node else {
        reader.refuse(path.to_owned(), item, "must be a table, such as { rule = \"separation\" }");
        return None;
    };
    let Some(named) = table.iter().find(|entry| entry.key == "rule") else {
        reader.note(item.at, format!("{path}.rule"), None, "is missing: must be the name of a rule".to_owned());
        return None;
    };
    let behaviour = match &named.item.node {
        Node::Text(name) => find::<D>(name),
        _ => None,
    };
    let Some(mut behaviour) = behaviour else {
        let rules = behaviours::all::<D>();
        let names: Vec<&str> = rules.iter().map(|rule| rule.rule()).collect();
        let word = if let Node::Text(name) = &named.item.node { name } else { "" };
        reader.refuse(format!("{path}.rule"), &named.item, format!("there is no such rule{}", nearest(word, &names)));
        return None;
    };
    let mut text = RuleText { rule: behaviour.rule().to_owned(), weight: 1.0, values: Vec::new(), during: None };
    let mut known = vec!["rule", WEIGHT.name];
    known.extend(behaviour.parameters().iter().map(|parameter| parameter.name));
    for entry in table {
        reader.check_key(path, entry, &known);
        let key = format!("{path}.{}", entry.key);
        if entry.key == WEIGHT.name {
            match (&entry.item.node, WEIGHT.kind) {
                (Node::Number(number, _), Kind::Number(range)) if range.contains(*number) => {
                    text.weight = *number as f32;
                }
                _ => reader.refuse(key, &entry.item, format!("must be {}", allowed(&WEIGHT))),
            }
            continue;
        }
        let Some(parameter) = behaviour.parameters().iter().find(|parameter| parameter.name == entry.key) else {
            continue;
        };
        let value = value_of(&entry.item.node, parameter.kind);
        match value.filter(|value| behaviour.set(parameter.name, value).is_ok()) {
            Some(value) => {
                check_names(reader, &key, &entry.item, (parameter.kind, &value), names);
                text.values.push((parameter.name, value));
            }
            None => reader.refuse(key, &entry.item, format!("must be {}", allowed(parameter))),
        }
    }
    Some(text)
}

/// Notes names of what the file does not have.
fn check_names(reader: &mut Reader<'_>, key: &str, item: &Item, (kind, value): (Kind, &Value), names: &Names<'_>) {
    let (what, known, named): (_, _, Vec<&str>) = match (kind, value) {
        (Kind::Whom, Value::Word(word)) => ("species", names.species, vec![word]),
        (Kind::Whom, Value::Words(words)) => ("species", names.species, words.iter().map(String::as_str).collect()),
        (Kind::Name, Value::Word(word)) => ("flow field", names.fields, vec![word]),
        (Kind::Target, Value::Word(word)) => match word.split_once(':') {
            Some(("mark", mark)) => ("mark", names.marks, vec![mark]),
            Some(("nearest", whom)) => ("species", names.species, whom.split(',').map(str::trim).collect()),
            _ => return,
        },
        _ => return,
    };
    let either = what == "species" && matches!(named[..], ["own" | "all"]);
    for name in named.iter().filter(|name| !either && !known.contains(name)) {
        reader.refuse(key.to_owned(), item, no_such(what, name, known));
    }
}

/// A value of the kind that a parameter has, as far as a file can say it.
fn value_of(node: &Node, kind: Kind) -> Option<Value> {
    let value = match (node, kind) {
        (Node::Number(number, _), _) => Value::Number(*number),
        (Node::Flag(flag), _) => Value::Flag(*flag),
        (Node::Text(text), _) => Value::Word(text.clone()),
        (Node::Array(items), Kind::Whom) => {
            let text = |item: &Item| if let Node::Text(text) = &item.node { Some(text.clone()) } else { None };
            Value::Words(items.iter().map(text).collect::<Option<_>>()?)
        }
        (Node::Array(items), Kind::Points) => {
            let point = |item: &Item| if let Node::Array(items) = &item.node { numbers(items) } else { None };
            Value::Points(items.iter().map(point).collect::<Option<_>>()?)
        }
        (Node::Array(items), _) => Value::Point(numbers(items)?),
        (Node::Table(_) | Node::Other, _) => return None,
    };
    Some(value)
}

fn numbers(items: &[Item]) -> Option<Vec<f64>> {
    items.iter().map(|item| if let Node::Number(number, _) = item.node { Some(number) } else { None }).collect()
}
