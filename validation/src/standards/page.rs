//! The page of the standards: a table of verdicts, one section per test, and the fundamental diagrams.

use std::fmt::Write;
use std::path::Path;

use crate::plot;
use crate::run::Outcome;
use crate::standards::diagrams::{DENSITIES, LINE_DENSITIES, sfpe, single_file, weidmann};
use crate::standards::test::{Over, Value, Verdict};
use crate::standards::{MODELS, Outcomes};

/// Writes the page and its figures into a folder.
pub(super) fn write(folder: &Path, outcomes: &[Outcomes], seeds: u64) -> Outcome<()> {
    std::fs::write(folder.join("standards.md"), text(outcomes, seeds)?)?;
    for (test, densities, name, x, reference) in [
        ("rimea_04", &DENSITIES[..], "fundamental_diagram", "density (1/m²)", weidmann as fn(f64) -> f64),
        ("rimea_16", &LINE_DENSITIES[..], "single_file", "density (1/m)", single_file),
    ] {
        let of = outcomes.iter().filter(|outcome| outcome.test.name == test);
        let mut lines: Vec<plot::Line> = of
            .map(|outcome| {
                let mean = |numbers: &Vec<f64>| numbers.iter().sum::<f64>() / numbers.len() as f64;
                let points = densities.iter().copied().zip(outcome.numbers.iter().map(mean));
                (outcome.model.name.to_owned(), points.collect())
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

fn text(outcomes: &[Outcomes], seeds: u64) -> Outcome<String> {
    let mut text = include_str!("head.txt").replace("{seeds}", &seeds.to_string());
    let models: Vec<_> =
        MODELS.iter().filter(|model| outcomes.iter().any(|one| one.model.name == model.name)).collect();
    let tests = || outcomes.iter().filter(|one| one.model.name == models[0].name).map(|one| one.test);
    let of = |test: &str, model: &str| outcomes.iter().find(|one| one.test.name == test && one.model.name == model);
    let names: Vec<_> = models.iter().map(|model| format!("`{}`", model.name)).collect();
    writeln!(text, "| test | | {} | JuPedSim, as published |", names.join(" | "))?;
    writeln!(text, "|---|---|{}---|", "---|".repeat(models.len()))?;
    for test in tests() {
        let verdicts: Vec<_> = models
            .iter()
            .filter_map(|model| of(test.name, model.name))
            .map(|one| if one.passes() { "pass" } else { "**fail**" })
            .collect();
        let link = test.name.replace('_', "-");
        writeln!(
            text,
            "| [{}](#{link}) | {} | {} | {} |",
            test.of.join(", "),
            test.title,
            verdicts.join(" | "),
            test.peers
        )?;
    }
    let passed: Vec<_> = models
        .iter()
        .map(|model| {
            let all = outcomes.iter().filter(|one| one.model.name == model.name);
            let tests = |one: &Outcomes| one.test.of.len();
            let passed: usize = all.clone().filter(|one| one.passes()).map(tests).sum();
            let all: usize = all.map(tests).sum();
            format!("`{}` {passed} of {all}", model.name)
        })
        .collect();
    writeln!(text, "\nTests passed, a line of several only as a whole: {}.\n", passed.join(", "))?;
    text += include_str!("left_out.md");
    for test in tests() {
        writeln!(
            text,
            "\n### {}\n\n**{}: {}.** {}\n",
            test.name.replace('_', "-"),
            test.of.join(", "),
            test.title,
            test.text
        )?;
        writeln!(
            text,
            "| model | quantity | measured | least to most | bound | margin | |\n|---|---|---|---|---|---|---|"
        )?;
        for one in outcomes.iter().filter(|one| one.test.name == test.name) {
            for (value, verdict) in one.verdicts() {
                writeln!(text, "| `{}` | {} |", one.model.name, cells(value, &verdict).join(" | "))?;
            }
        }
        let figures = match test.name {
            "rimea_04" => "fundamental_diagram",
            "rimea_16" => "single_file",
            _ => continue,
        };
        for (figure, caption) in [("speed", "Speed over density"), ("flow", "Flow over density")] {
            writeln!(text, "\n![{caption}](pictures/validation/{figures}_{figure}.svg)")?;
        }
    }
    Ok(text)
}

/// The quantity, the measured values, their range, its bound, the margin and the verdict.
pub(super) fn cells(value: &Value, verdict: &Verdict) -> [String; 6] {
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
        Over::Distribution(_) => format!("{}, p-value", value.what),
        Over::Deviation | Over::Each | Over::Mean => value.what.to_owned(),
    };
    let range = match value.over {
        Over::Distribution(_) | Over::Deviation => String::new(),
        Over::Each | Over::Mean => format!("{} to {}", number(verdict.least), number(verdict.most)),
    };
    let bound = match (value.low.is_finite(), value.high.is_finite()) {
        (true, true) if value.low == value.high => unit(number(value.low)),
        (true, true) => unit(format!("{} to {}", number(value.low), number(value.high))),
        (true, false) => unit(format!("at least {}", number(value.low))),
        (false, true) => unit(format!("at most {}", number(value.high))),
        (false, false) => String::new(),
    };
    let margin = if value.judged() && verdict.margin.is_finite() { number(verdict.margin) } else { String::new() };
    let judged = match value.over {
        _ if !value.judged() => "measured".to_owned(),
        Over::Each if !verdict.holds() => format!("**fail**: {} of {} kept", verdict.kept, verdict.numbers),
        _ if verdict.holds() => "pass".to_owned(),
        _ => "**fail**".to_owned(),
    };
    [what, unit(number(verdict.shown)), range, bound, margin, judged]
}
