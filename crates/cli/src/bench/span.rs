//! The report of work and span: how many threads a tick can use, from recorded ticks on one thread.

use std::fmt::Write;

use indicatif::ProgressBar;
use serde_json::{Map, Value, json};
use throng::strand::Strand;
use throng::with_world;

use super::plan::{Plan, pool};
use super::times::Times;
use crate::failure::Failure;
use crate::output::{fixed, grouped};
use crate::signals::Signals;

/// Work and span of the ticks of one world, on average.
pub(crate) struct Report {
    scenario: String,
    dimensions: usize,
    size: String,
    agents: u64,
    stages: Vec<(&'static str, Times)>,
}

/// Records the worlds of a plan into `reports`, until a signal arrives.
pub(crate) fn record(
    plan: &Plan<'_>,
    bar: &ProgressBar,
    signals: &Signals,
    reports: &mut Vec<Report>,
) -> Result<(), Failure> {
    let alone = pool(1)?;
    for (number, (dimensions, group)) in plan.groups().into_iter().enumerate() {
        for (size, _) in group {
            let start = plan.start(dimensions, size)?;
            let mut agents = 0;
            // Recorded ticks, stage by stage: of each piece the least time of all repetitions.
            let mut ticks: Vec<Vec<(&'static str, Strand)>> = Vec::new();
            for repetition in 0..plan.repetitions {
                let mut world = start.clone();
                for tick in 0..plan.warm() + plan.ticks {
                    if signals.received().is_some() {
                        return Ok(());
                    }
                    let stages = alone.install(|| with_world!(&mut world, world => world.step_recorded()));
                    bar.inc(1);
                    let Some(timed) = tick.checked_sub(plan.warm()) else { continue };
                    match ticks.get_mut(timed as usize) {
                        Some(least) => least.iter_mut().zip(&stages).for_each(|((_, least), (_, stage))| {
                            least.keep_least(stage);
                        }),
                        None => ticks.push(stages),
                    }
                    agents += if repetition == 0 { world.population() as u64 } else { 0 };
                }
            }
            let mut stages: Vec<(&'static str, Times)> = Vec::new();
            for (number, (name, strand)) in ticks.iter().flat_map(|stages| stages.iter().enumerate()) {
                if number == stages.len() {
                    stages.push((*name, Times::default()));
                }
                stages[number].1.add(Times::of(strand));
            }
            stages.iter_mut().for_each(|(_, times)| *times = times.per(plan.ticks));
            let (scenario, size) = (plan.subject.name().to_owned(), plan.size_text(number));
            reports.push(Report { scenario, dimensions, size, agents: agents / plan.ticks, stages });
        }
    }
    Ok(())
}

impl Report {
    /// The tick: all stages, one after another.
    fn tick(&self) -> Times {
        let mut tick = Times::default();
        self.stages.iter().for_each(|(_, times)| tick.add(*times));
        tick
    }

    pub(crate) fn json(&self) -> Value {
        let stages: Map<String, Value> =
            self.stages.iter().map(|(name, times)| ((*name).to_owned(), times.json())).collect();
        json!({
            "scenario": self.scenario,
            "dimensions": self.dimensions,
            "size": self.size,
            "agents": self.agents,
            "tick": self.tick().json(),
            "stages": stages,
        })
    }
}

/// The reports as text.
pub(crate) fn text(reports: &[Report], with_parts: bool) -> String {
    let mut text = String::new();
    for report in reports {
        let Report { scenario, size, dimensions, .. } = report;
        let agents = format!("{} agents", grouped(report.agents));
        let agents = if agents == *size { String::new() } else { format!(": {agents}") };
        let _ = writeln!(text, "\n\x1b[1m{scenario}, {size}, {dimensions}D{agents}\x1b[0m");
        let _ = writeln!(
            text,
            "  \x1b[2m{:<11} {:>9} {:>9} {:>7} {:>11}   most speed-up on\x1b[0m\n  \
             \x1b[2m{:<11} {:>9} {:>9} {:>7} {:>11} {:>5} {:>5} {:>5} {:>5}\x1b[0m",
            "ms", "work", "span", "of span", "parallelism", "", "", "", "", "", 4, 16, 64, 256,
        );
        let tick = report.tick();
        for (name, times) in report.stages.iter().filter(|(_, times)| times.work >= 5e-4) {
            line(&mut text, name, *times, tick);
        }
        line(&mut text, "tick", tick, tick);
        if with_parts {
            composition(&mut text, report);
        }
    }
    text.push_str(
        "\nwork: the time on one thread. span: what is left of it on any number of threads.\nparallelism: work / span. \
         Speed-ups are smaller: threads wake, share memory.\n",
    );
    text
}

fn line(text: &mut String, name: &str, times: Times, tick: Times) {
    let share = format!("{} %", fixed(100.0 * times.span / tick.span, 0));
    let bounds =
        times.bounds().map(|bound| format!("{:>5}", fixed(bound, if bound < 100.0 { 1 } else { 0 }))).join(" ");
    let _ = writeln!(
        text,
        "  {name:<11} {:>9} {:>9} {share:>7} {:>11} {bounds}",
        fixed(times.work, 3),
        fixed(times.span, 4),
        fixed(times.parallelism(), 1),
    );
}

/// The parts of the span of each stage.
fn composition(text: &mut String, report: &Report) {
    let _ = writeln!(
        text,
        "  \x1b[2m{:<11} {:>9} {:>14} {:>10} {:>12} {:>12}\x1b[0m",
        "span, ms", "serial", "longest pieces", "divisions", "parts a tick", "pieces"
    );
    for (name, times) in report.stages.iter().filter(|(_, times)| times.parts > 0.0) {
        let _ = writeln!(
            text,
            "  {name:<11} {:>9} {:>14} {:>10} {:>12} {:>12}",
            fixed(times.serial, 4),
            fixed(times.span - times.serial - times.division, 4),
            fixed(times.division, 4),
            fixed(times.parts, 1),
            fixed(times.pieces, 0),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_in_eighty_columns() {
        let stage = Times::of(&Strand { serial: 1.0, parts: Vec::new() });
        let stages = vec![("quarantine", stage), ("steer", stage)];
        let report =
            Report { scenario: "hunt".to_owned(), dimensions: 2, size: "scale 4".to_owned(), agents: 9, stages };
        let text = anstream::adapter::strip_str(&text(&[report], true)).to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains("tick"), "{text}");
    }
}
