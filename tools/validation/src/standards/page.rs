//! The pages of the standards: an overview with the verdicts and the failures, pages with a section per test, and the
//! fundamental diagrams.

use std::fmt::Write;
use std::path::Path;

use crate::plot;
use crate::run::Outcome;
use crate::standards::diagrams::{DENSITIES, LINE_DENSITIES, sfpe, single_file, weidmann};
use crate::standards::test::{Grade, Over, Summary, Test, Value};
use crate::standards::{JUPEDSIM, MODELS, Outcomes, SEEDS, tests};

/// The pages with the sections of the tests, in `standards/`, each with its title. The name of a test starts with the
/// name of its page; all others are on the page of experiments.
const PAGES: [(&str, &str); 4] = [
    ("rimea", "Tests of RiMEA"),
    ("iso", "Tests of ISO 20414"),
    ("nist", "Tests of NIST TN 1822"),
    (EXPERIMENTS, "Tests against experiments"),
];

const EXPERIMENTS: &str = "experiments";

/// Writes the pages and their figures into a folder.
pub(super) fn write(folder: &Path, outcomes: &[Outcomes]) -> Outcome<()> {
    std::fs::create_dir_all(folder.join("standards"))?;
    for (file, text) in pages(outcomes)? {
        std::fs::write(folder.join(file), text)?;
    }
    for (test, densities, name, x, reference) in [
        ("rimea_04", &DENSITIES[..], "fundamental_diagram", "density (1/m²)", weidmann as fn(f64) -> f64),
        ("rimea_16", &LINE_DENSITIES[..], "single_file", "density (1/m)", single_file),
    ] {
        let of = outcomes.iter().filter(|outcome| outcome.test.name == test);
        let mut lines: Vec<plot::Line> = of
            .map(|outcome| {
                let speeds = outcome.summaries.iter().map(|summary| summary.shown);
                (outcome.model.to_owned(), densities.iter().copied().zip(speeds).collect())
            })
            .collect();
        if lines.is_empty() {
            continue;
        }
        let most = densities[densities.len() - 1];
        let curve: Vec<(f64, f64)> =
            (4..=60).map(|step| f64::from(step) / 60.0 * most).map(|at| (at, reference(at))).collect();
        lines.push((if test == "rimea_04" { "Weidmann" } else { "Seyfried 2005" }.to_owned(), curve.clone()));
        if test == "rimea_04" {
            lines.push(("SFPE".to_owned(), curve.iter().map(|(at, _)| (*at, sfpe(*at))).collect()));
        }
        let axes = [x, "speed (m/s)"];
        plot::curves(folder, &format!("{name}_speed"), axes, [most * 1.02, 1.6], &lines, &[])?;
        for (_, points) in &mut lines {
            points.iter_mut().for_each(|(density, speed)| *speed *= *density);
        }
        let band: &[f64] = if test == "rimea_04" { &[1.0, 2.0] } else { &[] };
        let axes = [x, if test == "rimea_04" { "flow (1/(m s))" } else { "flow (1/s)" }];
        plot::curves(
            folder,
            &format!("{name}_flow"),
            axes,
            [most * 1.02, if band.is_empty() { 1.2 } else { 3.0 }],
            &lines,
            band,
        )?;
    }
    Ok(())
}

/// The pages, each with its path in the folder and its text.
fn pages(outcomes: &[Outcomes]) -> Outcome<Vec<(String, String)>> {
    let mut pages = vec![("standards.md".to_owned(), overview(outcomes)?)];
    for (page, title) in PAGES {
        let mut text = format!("# {title}\n\n{}", include_str!("sections.txt"));
        for test in tests().filter(|test| page_of(test) == page) {
            section(&mut text, outcomes, test)?;
        }
        pages.push((format!("standards/{page}.md"), text));
    }
    Ok(pages)
}

fn overview(outcomes: &[Outcomes]) -> Outcome<String> {
    let mut text = include_str!("head.txt").replace("{seeds}", &SEEDS[0].to_string());
    writeln!(text, "## Verdicts\n")?;
    let (standards, experiments): (Vec<_>, Vec<_>) = tests().partition(|test| !test.of.is_empty());
    verdicts(&mut text, outcomes, &standards)?;
    let passed: Vec<_> = MODELS
        .iter()
        .map(|model| {
            let all = outcomes.iter().filter(|one| one.model == model.name && !one.test.of.is_empty());
            let tests = |one: &Outcomes| one.test.of.len();
            let passed: usize = all.clone().filter(|one| one.passes()).map(tests).sum();
            format!("`{}` {passed} of {}", model.name, all.map(tests).sum::<usize>())
        })
        .collect();
    writeln!(text, "\nTests passed, a line of several only as a whole: {}.\n", passed.join(", "))?;
    writeln!(text, "## Experiments\n\nResults of experiments with people, beyond the standards.\n")?;
    verdicts(&mut text, outcomes, &experiments)?;
    failures(&mut text, outcomes)?;
    text += include_str!("left_out.md");
    Ok(text)
}

/// The name of the page with the section of a test.
fn page_of(test: &Test) -> &'static str {
    PAGES.iter().map(|(page, _)| *page).find(|page| test.name.starts_with(page)).unwrap_or(EXPERIMENTS)
}

/// The link to the section of a test.
fn link(test: &Test) -> String {
    let shown = if test.of.is_empty() { test.title.to_owned() } else { test.of.join(", ") };
    format!("[{shown}](standards/{}.md#{})", page_of(test), test.name.replace('_', "-"))
}

/// The standards with a test's numbers, its title, and its name on the command line.
pub(super) fn heading(test: &Test) -> String {
    let of = if test.of.is_empty() { "Experiments".to_owned() } else { test.of.join(", ") };
    format!("{of}: {} ({})", test.title, test.name)
}

/// A table with the verdict of each model in each of these tests.
fn verdicts(text: &mut String, outcomes: &[Outcomes], tests: &[&'static Test]) -> Outcome<()> {
    let names: Vec<_> = MODELS.iter().map(|model| format!("`{}`", model.name)).collect();
    writeln!(text, "| test | | {} | JuPedSim, run here | JuPedSim, as published |", names.join(" | "))?;
    writeln!(text, "|---|---|{}---|---|", "---|".repeat(MODELS.len()))?;
    for test in tests {
        let of = |model: &str| outcomes.iter().find(|one| one.test.name == test.name && one.model == model);
        let verdict = |model: &str| match of(model) {
            None => "",
            Some(one) if one.passes() => "pass",
            Some(one) => match one.known().map(|failure| failure.grade) {
                Some(Grade::Disqualifying) => "**disqualifying**",
                Some(Grade::Serious) => "**serious**",
                Some(Grade::Minor) => "**minor**",
                None => "**fail**",
            },
        };
        let all: Vec<_> = MODELS.iter().map(|model| model.name).chain([JUPEDSIM]).map(verdict).collect();
        let title = if test.of.is_empty() { "" } else { test.title };
        writeln!(text, "| {} | {title} | {} | {} |", link(test), all.join(" | "), test.peers)?;
    }
    Ok(())
}

/// The failures in words, the gravest first.
fn failures(text: &mut String, outcomes: &[Outcomes]) -> Outcome<()> {
    writeln!(text, "\n## Failures\n")?;
    text.push_str(include_str!("grades.md"));
    writeln!(text, "\n| grade | model | test | |\n|---|---|---|---|")?;
    let mut failed: Vec<_> =
        outcomes.iter().filter(|one| !one.passes()).filter_map(|one| Some((one, one.known()?))).collect();
    failed.sort_by_key(|(one, failure)| (failure.grade, MODELS.iter().position(|model| model.name == one.model)));
    for (one, failure) in failed {
        writeln!(text, "| {} | `{}` | {} | {} |", failure.grade.name(), one.model, link(one.test), failure.words)?;
    }
    writeln!(text)?;
    Ok(())
}

/// The section of a test: its set-up, and a table of all values.
fn section(text: &mut String, outcomes: &[Outcomes], test: &'static Test) -> Outcome<()> {
    let of = if test.of.is_empty() { String::new() } else { format!("{}: ", test.of.join(", ")) };
    writeln!(text, "\n## {}\n\n**{of}{}.** {}\n", test.name.replace('_', "-"), test.title, test.text)?;
    let all = || outcomes.iter().filter(|one| one.test.name == test.name);
    if all().next().is_none() {
        writeln!(text, "Not measured yet.")?;
        return Ok(());
    }
    writeln!(
        text,
        "| model | quantity | measured | least to most | bound | margin | |\n|---|---|---|---|---|---|---|"
    )?;
    for one in all() {
        for (value, summary) in one.values() {
            writeln!(text, "| `{}` | {} |", one.model, cells(value, summary).join(" | "))?;
        }
    }
    for one in all().filter(|one| one.seeds != SEEDS[0]) {
        writeln!(text, "\n`{}`: seeds 1 to {}.", one.model, one.seeds)?;
    }
    let figures = match test.name {
        "rimea_04" => "fundamental_diagram",
        "rimea_16" => "single_file",
        _ => return Ok(()),
    };
    for (figure, caption) in [("speed", "Speed over density"), ("flow", "Flow over density")] {
        writeln!(text, "\n![{caption}](../pictures/validation/{figures}_{figure}.svg)")?;
    }
    Ok(())
}

/// The quantity, the measured values, their range, its bound, the margin and the verdict.
pub(super) fn cells(value: &Value, summary: &Summary) -> [String; 6] {
    let number = |number: f64| match number {
        _ if number.is_nan() || number.is_infinite() => "never".to_owned(),
        _ if number.fract() == 0.0 => format!("{number}"),
        _ if number.abs() >= 20.0 => format!("{number:.1}"),
        _ if number.abs() >= 0.1 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    };
    let unit = |text: String| {
        if value.unit.is_empty() || text == "never" || value.unit == "p" {
            text
        } else {
            format!("{text} {}", value.unit)
        }
    };
    let what = match value.over {
        Over::Distribution(_) | Over::NotNegative => format!("{}, p-value", value.what),
        Over::Deviation | Over::Each | Over::Mean => value.what.to_owned(),
    };
    let range = match value.over {
        Over::Distribution(_) | Over::Deviation | Over::NotNegative => String::new(),
        Over::Each | Over::Mean => format!("{} to {}", number(summary.least), number(summary.most)),
    };
    let bound = match (value.low.is_finite(), value.high.is_finite()) {
        (true, true) if value.low == value.high => unit(number(value.low)),
        (true, true) => unit(format!("{} to {}", number(value.low), number(value.high))),
        (true, false) => unit(format!("at least {}", number(value.low))),
        (false, true) => unit(format!("at most {}", number(value.high))),
        (false, false) => String::new(),
    };
    let margin = value.margin(summary);
    let margin = if value.judged() && margin.is_finite() { number(margin) } else { String::new() };
    let judged = match value.over {
        _ if !value.judged() => "measured".to_owned(),
        Over::Each if !value.holds(summary) => format!("**fail**: {} of {} kept", summary.kept, summary.numbers),
        _ if value.holds(summary) => "pass".to_owned(),
        _ => "**fail**".to_owned(),
    };
    [what, unit(number(summary.shown)), range, bound, margin, judged]
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::pages;
    use crate::standards::recorded;

    #[test]
    fn the_pages_follow_from_the_records() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"));
        for (file, text) in pages(&recorded().unwrap()).unwrap() {
            let is = std::fs::read_to_string(folder.join(&file)).unwrap();
            assert!(is == text, "docs/{file}: scripts/standards.sh --page --out docs rewrites it");
        }
    }
}
