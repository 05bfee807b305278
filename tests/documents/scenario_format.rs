//! `docs/scenario-format.md`: its tables list the keys, and its examples are scenarios that have every key.

use std::collections::BTreeSet;

use throng::Registry;
use throng::parameters::{Kind, Parameter, Preset, Reflect, Value};
use throng_scenario::Scenario;
use throng_scenario::keys::{DISTRIBUTION, FILE};
use toml::Table;

use crate::page;

const PAGE: &str = "docs/scenario-format.md";

/// The tables of a file, each with the path of its key; the table of the file is `file`.
fn tables() -> Vec<(String, &'static [Parameter])> {
    fn visit(path: &str, kind: Kind, tables: &mut Vec<(String, &'static [Parameter])>) {
        match kind {
            Kind::Table(keys) | Kind::Tables(keys) | Kind::Species(keys) | Kind::FileOrTable(keys) => {
                tables.push((path.to_owned(), keys));
                for key in keys {
                    visit(&inner(path, key.name), key.kind, tables);
                }
            }
            Kind::Named(_, kind) => visit(path, *kind, tables),
            _ => {}
        }
    }
    let mut tables = Vec::new();
    visit("file", Kind::Table(FILE), &mut tables);
    tables.push(("distribution".to_owned(), DISTRIBUTION));
    tables
}

fn inner(path: &str, key: &str) -> String {
    if path == "file" { key.to_owned() } else { format!("{path}.{key}") }
}

fn table(keys: &[Parameter]) -> String {
    let mut text = "| key | value | default | |\n|---|---|---|---|\n".to_owned();
    for key in keys {
        let (value, default) = (value(key), default(key));
        text += &format!("| `{}` | {value} | {default} | {} |\n", key.name, key.help);
    }
    text
}

fn value(key: &Parameter) -> String {
    let see = format!("[{0}](#{0})", key.name);
    match key.kind {
        Kind::Table(_) => format!("a table: {see}"),
        Kind::Tables(_) => format!("an array of tables: {see}"),
        Kind::FileOrTable(_) => format!("{}: {see}", key.allowed()),
        Kind::Species(_) | Kind::Named(_, Kind::Table(_)) => format!("a table of names, each a table: {see}"),
        Kind::Named(_, kind) => format!("a table of names, each {}", kind.allowed(key.unit)),
        Kind::Rules => "an array of tables: [rules](#rules)".to_owned(),
        Kind::Motion => "a table: [motion](#motion)".to_owned(),
        _ => key.allowed(),
    }
}

fn default(key: &Parameter) -> String {
    match key.default {
        Preset::Required => "**required**".to_owned(),
        Preset::Number(number) => format!("{number} {}", key.unit).trim_end().to_owned(),
        Preset::Word(word) => match key.kind {
            Kind::Choice(words) if !words.contains(&word) => word.to_owned(),
            Kind::Choice(_)
            | Kind::ChoiceOrRegion(_)
            | Kind::ChoicePerAxis(_)
            | Kind::Heading
            | Kind::WholeOrOff(_) => format!("`\"{word}\"`"),
            Kind::Flag => format!("`{word}`"),
            _ => word.to_owned(),
        },
        _ => String::new(),
    }
}

/// A species with every rule, each with all of its parameters.
fn rules() -> String {
    let mut text = "```toml\n[fields.wind]\ncells = [1, 1]\nvectors = [[1.0, 0.0]]\n\n".to_owned();
    text += "[places.queue]\nline = [[10.0, 10.0], [20.0, 10.0]]\n\n";
    text += "[species.agent]\ncount = 10\nbehaviours = [\n";
    for rule in Registry::new().rules::<2>() {
        text += &format!("  {{ rule = \"{}\", weight = 1.0", rule.rule());
        for parameter in rule.parameters() {
            text += &format!(", {} = {}", parameter.name, setting(rule, parameter.name, parameter.kind));
        }
        text += " },\n";
    }
    text + "]\n```\n"
}

/// A species for every motion, with all of its parameters but the advanced ones.
fn motions() -> String {
    let mut text = "```toml\n".to_owned();
    for motion in Registry::new().motions::<2>() {
        text += &format!("[species.{0}]\ncount = 10\nmotion = {{ model = \"{0}\"", motion.rule());
        for parameter in motion.parameters().iter().filter(|parameter| !parameter.advanced) {
            text += &format!(", {} = {}", parameter.name, setting(motion, parameter.name, parameter.kind));
        }
        text += " }\n\n";
    }
    text.trim_end().to_owned() + "\n```\n"
}

/// Returns a parameter's default as a file has it, or an example where a file cannot have the default.
fn setting(rule: &dyn Reflect, name: &str, kind: Kind) -> String {
    // A number as it was written, before it was rounded to `f32`.
    let number = |number: f64| format!("{:?}", (number as f32).to_string().parse::<f64>().unwrap());
    let point = |point: &[f64]| format!("[{}]", point.iter().map(|&at| number(at)).collect::<Vec<_>>().join(", "));
    match (rule.get(name), kind) {
        (_, Kind::Points(_)) => "[[10.0, 10.0], [90.0, 10.0], [50.0, 90.0]]".to_owned(),
        (_, Kind::Reference("flow field")) => "\"wind\"".to_owned(),
        (Some(Value::Number(value)), _) => number(value),
        (Some(Value::Whole(value)), _) => value.to_string(),
        (Some(Value::Flag(flag)), _) => flag.to_string(),
        (Some(Value::Word(word)), _) => format!("\"{word}\""),
        (Some(Value::Words(words)), _) => format!("{words:?}"),
        (Some(Value::Point(at)), _) => point(&at),
        (value, _) => panic!("an example for {}.{name}, {kind:?}: {value:?}", rule.rule()),
    }
}

#[test]
fn the_tables_are_those_of_the_keys() {
    let text = page::read(PAGE);
    let mut tables = tables();
    let right = page::fill(&text, |name| {
        if name == "rules" {
            return Some(rules());
        }
        if name == "motions" {
            return Some(motions());
        }
        let path = name.strip_prefix("keys of ").unwrap_or_else(|| panic!("{name}"));
        let found = tables.iter().position(|(table, _)| table == path).unwrap_or_else(|| panic!("no table {path}"));
        let (path, keys) = tables.remove(found);
        let heading = path.rsplit('.').next().unwrap();
        assert!(text.contains(&format!("# {heading}\n")), "links lead to a heading {heading}");
        Some(table(keys))
    });
    let left: Vec<&String> = tables.iter().map(|(path, _)| path).collect();
    assert!(left.is_empty(), "tables that the page lacks: {left:?}");
    page::compare(PAGE, &right);
}

/// The paths of all keys of a table and of the tables in it; paths of rules are `rules.NAME.PARAMETER`.
fn used(path: &str, kind: Kind, value: &toml::Value, all: &mut BTreeSet<String>) {
    let table = |value: &toml::Value, keys: &[Parameter], all: &mut BTreeSet<String>| {
        for (name, value) in value.as_table().expect("a table") {
            let key = keys.iter().find(|key| key.name == name).unwrap_or_else(|| panic!("{path}.{name}"));
            let path = inner(path, name);
            used(&path, key.kind, value, all);
            all.insert(path);
        }
    };
    match kind {
        Kind::Table(keys) => table(value, keys, all),
        Kind::FileOrTable(keys) if value.is_table() => table(value, keys, all),
        Kind::Tables(keys) => value.as_array().expect("an array").iter().for_each(|value| table(value, keys, all)),
        Kind::Species(keys) => {
            value.as_table().expect("a table").values().for_each(|value| table(value, keys, all));
        }
        Kind::Named(_, kind) => {
            value.as_table().expect("a table").values().for_each(|value| used(path, *kind, value, all));
        }
        Kind::Distribution(_) => {
            let keys = value.as_table().into_iter().flat_map(Table::keys);
            all.extend(keys.map(|key| format!("distribution.{key}")));
        }
        Kind::Rules => {
            for rule in value.as_array().expect("an array") {
                let rule = rule.as_table().expect("a table");
                let name = rule["rule"].as_str().expect("a name");
                all.extend(rule.keys().map(|parameter| format!("rules.{name}.{parameter}")));
            }
        }
        Kind::Motion => {
            let motion = value.as_table().expect("a table");
            let name = motion["model"].as_str().expect("a name");
            all.extend(motion.keys().map(|parameter| format!("motions.{name}.{parameter}")));
        }
        _ => {}
    }
}

#[test]
fn the_examples_are_scenarios_and_have_every_key() {
    let mut all = BTreeSet::new();
    for (line, example) in page::blocks(&page::read(PAGE), "toml") {
        let text = page::whole(&example);
        let scenario =
            Scenario::parse(&text, "scenarios/example.toml").unwrap_or_else(|error| panic!("line {line}: {error}"));
        let mut world = scenario.build::<2>().unwrap_or_else(|error| panic!("line {line}: {error}"));
        (0..3).for_each(|_| world.step());
        used("file", Kind::Table(FILE), &toml::Value::Table(example.parse().unwrap()), &mut all);
    }
    let keys = tables().into_iter().flat_map(|(path, keys)| keys.iter().map(move |key| inner(&path, key.name)));
    let registry = Registry::new();
    let parameters = registry.rules::<2>().flat_map(|rule| {
        let names = rule.parameters().iter().map(|parameter| parameter.name).chain(["rule", "weight"]);
        names.map(|name| format!("rules.{}.{name}", rule.rule()))
    });
    let of_motions = registry.motions::<2>().flat_map(|motion| {
        let usual = motion.parameters().iter().filter(|parameter| !parameter.advanced);
        let names = usual.map(|parameter| parameter.name).chain(["model"]);
        names.map(|name| format!("motions.{}.{name}", motion.rule()))
    });
    let without: Vec<String> = keys.chain(parameters).chain(of_motions).filter(|key| !all.contains(key)).collect();
    assert!(without.is_empty(), "keys without an example: {without:?}");
}
