//! Overrides of scenario keys (`--set key=value`), applied before the check of the scenario.
//!
//! A path consists of keys joined by dots. The index from 0 identifies an element of an array; a rule of a species is
//! also identified by its name: `species.starling.behaviours.0.weight`, `species.starling.separation.radius`.

use throng::parameters::{Kind, Parameter};

use crate::document::{At, Document, Entry, Item, Node, Table, value_of};
use crate::keys::FILE;
use crate::problem::{Location, Problem, Problems};
use crate::reason::Reason;

/// Applies the document's overrides in order.
pub(crate) fn apply(document: &mut Document<'_>, problems: &mut Problems) {
    for (number, set) in document.sets.iter().enumerate() {
        if let Err(reason) = apply_one(&mut document.root, number, set) {
            let place = Location::Set(set.clone());
            problems.add(Problem { place, key: String::new(), value: None, reason });
        }
    }
}

fn apply_one(root: &mut Table, number: usize, set: &str) -> Result<(), Reason> {
    let at = At::Set(number);
    let Some((path, value)) = set.split_once('=') else {
        return Err(Reason::NotAnOverride);
    };
    let value = value.trim();
    let node = value_of(value, at).ok_or_else(|| Reason::NotAValue(value.to_owned()))?;
    let path: Vec<&str> = path.split('.').map(str::trim).collect();
    if path.iter().any(|key| key.is_empty()) {
        return Err(Reason::EmptyKey);
    }
    let (last, first) = path.split_last().ok_or(Reason::NotAnOverride)?;
    let mut table = root;
    let mut rest = first;
    while let Some((key, after)) = rest.split_first() {
        let depth = first.len() - rest.len();
        let of_species = depth >= 1 && first[0] == "species";
        if of_species && depth == 1 && !table.iter().any(|entry| entry.key == *key) {
            let names: Vec<&str> = table.iter().map(|entry| &entry.key[..]).collect();
            return Err(Reason::unknown("species", key, &names));
        }
        let known = table.iter().position(|entry| entry.key == *key);
        let of_state = of_species && depth == 4 && first[2] == "states";
        let keys = if of_state { keys_of_state() } else { keys_of_species() };
        let is_rule = known.is_none() && !keys.iter().any(|known| known.name == *key);
        if is_rule && (of_species && depth == 2 || of_state) {
            table = rule_named(table, key, keys)?;
            rest = after;
            continue;
        }
        let position = known.unwrap_or_else(|| {
            table.push(Entry { key: (*key).to_owned(), at, item: Item { at, node: Node::Table(Table::new()) } });
            table.len() - 1
        });
        match &mut table[position].item.node {
            Node::Table(inner) => (table, rest) = (inner, after),
            Node::Array(items) => {
                let Some((which, after)) = after.split_first() else {
                    *element(items, last)? = Item { at, node };
                    return Ok(());
                };
                match &mut element(items, which)?.node {
                    Node::Table(inner) => (table, rest) = (inner, after),
                    _ => return Err(Reason::NoKeys(format!("{key}.{which}"))),
                }
            }
            _ => return Err(Reason::NoKeys((*key).to_owned())),
        }
    }
    match table.iter_mut().find(|entry| entry.key == *last) {
        Some(entry) => entry.item = Item { at, node },
        None => table.push(Entry { key: (*last).to_owned(), at, item: Item { at, node } }),
    }
    Ok(())
}

/// The keys of a species.
fn keys_of_species() -> &'static [Parameter] {
    FILE.iter().find_map(|key| if let Kind::Species(keys) = key.kind { Some(keys) } else { None }).unwrap_or_default()
}

/// The keys of a state of a species.
fn keys_of_state() -> &'static [Parameter] {
    let states = keys_of_species().iter().find(|key| key.name == "states").map(|key| key.kind);
    if let Some(Kind::Named(_, Kind::Table(keys))) = states { keys } else { &[] }
}

fn element<'t>(items: &'t mut [Item], number: &str) -> Result<&'t mut Item, Reason> {
    let count = items.len();
    let item = number.parse::<usize>().ok().and_then(|number| items.get_mut(number));
    item.ok_or_else(|| Reason::NoElement { number: number.to_owned(), count })
}

/// The table of the only rule with this name among a species' or a state's behaviours. `keys` are the other words that
/// may have been meant.
fn rule_named<'t>(species: &'t mut Table, name: &str, keys: &[Parameter]) -> Result<&'t mut Table, Reason> {
    let behaviours = species.iter_mut().find(|entry| entry.key == "behaviours").map(|entry| &mut entry.item.node);
    let mut rules: Vec<(String, &mut Table)> = Vec::new();
    if let Some(Node::Array(items)) = behaviours {
        for item in items {
            if let Node::Table(table) = &mut item.node {
                let rule = table.iter().find(|entry| entry.key == "rule").map(|entry| &entry.item.node);
                if let Some(Node::Text(rule)) = rule {
                    rules.push((rule.clone(), table));
                }
            }
        }
    }
    let names: Vec<String> = rules.iter().map(|(rule, _)| rule.clone()).collect();
    let mut found = rules.into_iter().filter(|(rule, _)| rule == name).map(|(_, table)| table);
    match (found.next(), found.next()) {
        (Some(table), None) => Ok(table),
        (Some(_), Some(_)) => Err(Reason::SeveralRules(name.to_owned())),
        (None, _) => {
            let keys = keys.iter().map(|key| key.name.to_owned());
            Err(Reason::NeitherKeyNorRule { name: name.to_owned(), rules: names.into_iter().chain(keys).collect() })
        }
    }
}
