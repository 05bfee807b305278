//! The commands `throng rules` and `throng models`: rules and models of motion, and their parameters.

use std::fmt::Write;

use serde_json::{Value, json};
use throng::Registry;
use throng::parameters::{Kind, Parameter, Reflect, Value as Setting};

use crate::arguments::RulesOptions;
use crate::failure::Failure;
use crate::output::{json_text, print, print_folded, wrapped};
use crate::terminal::{columns, cut};

/// Runs the command `throng rules`.
pub(crate) fn rules(options: &RulesOptions, registry: &Registry) -> Result<(), Failure> {
    let remark = "Every rule also has a weight (1 by default): the factor of its force.\n";
    list(options, registry.tables(), ("rules", remark))
}

/// Runs the command `throng models`.
pub(crate) fn models(options: &RulesOptions, registry: &Registry) -> Result<(), Failure> {
    let remark = "A species names its model: motion = { model = \"vicsek\", noise = 1.0 }\n";
    list(options, registry.motion_tables(), ("models", remark))
}

fn list<'a>(
    options: &RulesOptions,
    tables: impl Iterator<Item = &'a dyn Reflect>,
    (command, remark): (&str, &str),
) -> Result<(), Failure> {
    let tables: Vec<&dyn Reflect> = tables.collect();
    if let Some(unknown) = options.names.iter().find(|name| !tables.iter().any(|table| table.rule() == **name)) {
        let near = tables.iter().map(|table| (strsim::jaro_winkler(unknown, table.rule()), table.rule()));
        let nearest = near.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(likeness, _)| *likeness > 0.7);
        let hint = nearest.map_or(String::new(), |(_, name)| format!("; did you mean {name}?"));
        return Err(Failure::Input(format!("unknown name {unknown:?}{hint}")));
    }
    let wanted =
        |table: &&dyn Reflect| options.names.is_empty() || options.names.iter().any(|name| name == table.rule());
    let described: Vec<Value> = tables.into_iter().filter(wanted).map(describe).collect();
    if options.json {
        return print(&json_text(&Value::Array(described)));
    }
    if options.names.is_empty() && !options.all {
        let width = described.iter().filter_map(|rule| rule["name"].as_str()).map(str::len).max().unwrap_or(0);
        let line = |rule: &Value| {
            let word = |key: &str| rule[key].as_str().unwrap_or_default().to_owned();
            let about = cut(&word("summary"), columns().saturating_sub(width + 4));
            format!("  \x1b[1m{:<width$}\x1b[0m  {about}\n", word("name"))
        };
        let list: String = described.iter().map(line).collect();
        return print(&format!("{list}\nParameters: throng {command} NAME, or --all\n"));
    }
    print_folded(&(table(&described) + remark))
}

fn describe(rule: &dyn Reflect) -> Value {
    let parameters: Vec<Value> = rule
        .parameters()
        .iter()
        .map(|parameter| {
            let default = rule.get(parameter.name).map_or(Value::Null, |value| setting(&value));
            json!({
                "name": parameter.name,
                "unit": parameter.unit,
                "kind": parameter.kind.name(),
                "range": range(parameter),
                "allowed": parameter.allowed(),
                "default": default,
                "help": parameter.help,
                "advanced": parameter.advanced,
            })
        })
        .collect();
    json!({ "name": rule.rule(), "summary": rule.summary(), "parameters": parameters })
}

/// Returns the bounds of a number or of a point's components, or the words of a choice.
fn range(parameter: &Parameter) -> Value {
    match parameter.kind {
        Kind::Number(range) | Kind::Point(range) | Kind::Points(range) => {
            json!({ "low": range.low, "high": range.high, "above": range.above })
        }
        Kind::Choice(words) => json!(words),
        _ => Value::Null,
    }
}

/// Converts a parameter's value to JSON, with numbers as they were written.
pub(crate) fn setting(value: &Setting) -> Value {
    let number = |number: f64| (number as f32).to_string().parse::<f64>().map_or(json!(number), |short| json!(short));
    match value {
        Setting::Number(value) => number(*value),
        Setting::Whole(whole) => json!(whole),
        Setting::Flag(flag) => json!(flag),
        Setting::Word(word) => json!(word),
        Setting::Words(words) => json!(words),
        Setting::Point(point) => point.iter().map(|value| number(*value)).collect(),
        Setting::Points(points) => {
            points.iter().map(|point| point.iter().map(|value| number(*value)).collect::<Value>()).collect()
        }
        _ => Value::Null,
    }
}

/// A phrase as a sentence.
fn sentence(phrase: &str) -> String {
    let mut letters = phrase.chars();
    letters.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

fn table(rules: &[Value]) -> String {
    let mut text = String::new();
    for rule in rules {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let _ = writeln!(text, "\x1b[1m{}\x1b[0m  {}", word(&rule["name"]), word(&rule["summary"]));
        for parameter in rule["parameters"].as_array().into_iter().flatten() {
            let default = match &parameter["default"] {
                Value::String(word) => word.clone(),
                other => other.to_string(),
            };
            let default = format!("{default} {}", word(&parameter["unit"]));
            let advanced = if parameter["advanced"] == true { "  (advanced)" } else { "" };
            let _ = writeln!(text, "  {:<18} {}{advanced}", word(&parameter["name"]), default.trim_end());
            let allowed = sentence(&word(&parameter["allowed"]));
            text += &wrapped(&format!("{} {allowed}", word(&parameter["help"])), 6);
        }
        text.push('\n');
    }
    text
}
