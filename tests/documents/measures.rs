//! `docs/measures.md`: its table lists the measures.

use throng::measures::measures;

use crate::page;

const PAGE: &str = "docs/measures.md";

fn table() -> String {
    let mut text = "| name | unit | |\n|---|---|---|\n".to_owned();
    for measure in measures() {
        let radius = if measure.needs_radius { " Needs `radius`." } else { "" };
        let unit = match measure.unit {
            "1/m^D" => "1/m², 1/m³",
            "m2" => "m²",
            unit => unit,
        };
        text += &format!("| `{}` | {unit} | {}{radius} |\n", measure.name, measure.help);
    }
    text
}

#[test]
fn the_table_is_that_of_the_measures() {
    let page = page::read(PAGE);
    page::compare(PAGE, &page::fill(&page, |name| (name == "measures").then(table)));
}
