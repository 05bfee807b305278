//! `docs/measures.md`: its tables list the measures and the outcomes of runs.

use throng::measures::{measures, outcome_kinds};

use crate::page;

const PAGE: &str = "docs/measures.md";

fn table() -> String {
    let mut text = "| name | unit | |\n|---|---|---|\n".to_owned();
    for measure in measures() {
        let radius = if measure.needs_radius { " Needs `radius`." } else { "" };
        let usual = if measure.is_usual() { "" } else { " Only by name." };
        let unit = match &*measure.unit {
            "1/m^D" => "1/m², 1/m³",
            "m2" => "m²",
            unit => unit,
        };
        text += &format!("| `{}` | {unit} | {}{radius}{usual} |\n", measure.name, measure.help);
    }
    text
}

fn outcomes() -> String {
    let row = |kind: &throng::measures::OutcomeKind| {
        let name = if kind.item.is_empty() { kind.name.to_owned() } else { format!("{}.NAME", kind.name) };
        format!("| `{name}` | {} | {} |\n", kind.unit.replace("m2", "m²"), kind.help)
    };
    "| name | unit | |\n|---|---|---|\n".to_owned() + &outcome_kinds().iter().map(row).collect::<String>()
}

#[test]
fn the_tables_are_those_of_the_measures() {
    let page = page::read(PAGE);
    let tables = |name: &str| match name {
        "measures" => Some(table()),
        "outcomes" => Some(outcomes()),
        _ => None,
    };
    page::compare(PAGE, &page::fill(&page, tables));
}
