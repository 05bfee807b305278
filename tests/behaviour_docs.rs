//! Tests that the tables of `docs/behaviours.md` are those of the rules. `THRONG_BLESS=1` rewrites them.

use throng::parameters::Value;
use throng::{NamedRule, Registry};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/behaviours.md");
const START: &str = "<!-- parameters -->\n";
const END: &str = "<!-- end -->";

fn table(rule: &dyn NamedRule<2>) -> String {
    let mut text = "| parameter | default | allowed | |\n|---|---|---|---|\n".to_owned();
    for parameter in rule.parameters() {
        let default = rule.get(parameter.name).map_or(String::new(), |value| shown(&value));
        let unit = if default.is_empty() || matches!(rule.get(parameter.name), Some(Value::Word(_))) {
            String::new()
        } else {
            format!(" {}", parameter.unit)
        };
        let allowed = parameter.allowed();
        text += &format!("| `{}` | {default}{} | {allowed} | {} |\n", parameter.name, unit.trim_end(), parameter.help);
    }
    text
}

fn shown(value: &Value) -> String {
    // The shortest decimal of the `f32`, which is the number as the rule declares it.
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

/// Returns the page with the rules' own tables. Panics if a rule has no section, or a section has no rule.
fn right(page: &str) -> String {
    let (head, sections) = page.split_once("\n## ").expect("the page has sections");
    let mut text = head.to_owned();
    let registry = Registry::new();
    let rules: Vec<&dyn NamedRule<2>> = registry.rules().collect();
    let mut names = Vec::new();
    for section in sections.split("\n## ") {
        let name = section.lines().next().unwrap_or_default();
        let rule = rules.iter().find(|rule| rule.rule() == name).unwrap_or_else(|| panic!("{name} is not a rule"));
        let (before, rest) = section.split_once(START).unwrap_or_else(|| panic!("{name} lacks a table"));
        let (_, after) = rest.split_once(END).unwrap_or_else(|| panic!("the table of {name} lacks {END}"));
        text += &format!("\n## {before}{START}{}{END}{after}", table(*rule));
        names.push(name);
    }
    let rules: Vec<&str> = rules.iter().map(|rule| rule.rule()).collect();
    assert_eq!(names, rules, "one section per rule, in the order of the rules");
    text
}

#[test]
fn the_tables_are_those_of_the_rules() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let right = right(&page);
    if std::env::var_os("THRONG_BLESS").is_some() {
        std::fs::write(PAGE, &right).unwrap();
        return;
    }
    for (is, should) in page.lines().zip(right.lines()) {
        assert_eq!(is, should, "THRONG_BLESS=1 rewrites the tables");
    }
    assert_eq!(page, right);
}
