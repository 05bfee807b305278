//! The tables of `docs/behaviours.md` are the tables of the rules.

use throng::parameters::{Reflect, Value};
use throng::{NamedRule, Registry};

use crate::page;

const PAGE: &str = "docs/behaviours.md";

pub(crate) fn table(rule: &dyn Reflect) -> String {
    let mut text = "| parameter | default | allowed | |\n|---|---|---|---|\n".to_owned();
    for parameter in rule.parameters() {
        let default = rule.get(parameter.name).map_or(String::new(), |value| shown(&value));
        let unit = if default.is_empty() || matches!(rule.get(parameter.name), Some(Value::Word(_))) {
            String::new()
        } else {
            format!(" {}", parameter.unit)
        };
        let allowed = parameter.allowed();
        let (unit, advanced) = (unit.trim_end(), if parameter.advanced { "*Advanced.* " } else { "" });
        text += &format!("| `{}` | {default}{unit} | {allowed} | {advanced}{} |\n", parameter.name, parameter.help);
    }
    text
}

fn shown(value: &Value) -> String {
    // A number as it was written, before it was rounded to `f32`.
    let number = |number: f64| (number as f32).to_string();
    match value {
        Value::Number(value) => number(*value),
        Value::Whole(value) => value.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Word(word) => format!("`{word}`"),
        Value::Point(point) => {
            format!("[{}]", point.iter().map(|value| number(*value)).collect::<Vec<_>>().join(", "))
        }
        _ => String::new(),
    }
}

#[test]
fn the_tables_are_those_of_the_rules() {
    let text = page::read(PAGE);
    let registry = Registry::new();
    let rules: Vec<&dyn NamedRule<2>> = registry.rules().collect();
    let sections: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let names: Vec<&str> = rules.iter().map(|rule| rule.rule()).collect();
    assert_eq!(sections, names, "one section a rule, in the order of the rules");
    let mut rules = rules.into_iter();
    let right = page::fill(&text, |name| {
        assert_eq!(name, "parameters");
        Some(table(rules.next().expect("one table a rule")))
    });
    assert!(rules.next().is_none(), "one table a rule");
    page::compare(PAGE, &right);
}
