//! The report of work and span: how many threads a tick can use, from recorded ticks on one thread.

use std::fmt::Write;

use indicatif::ProgressBar;
use serde_json::{Map, Value, json};
use throng::strand::{Part, Strand};
use throng::with_world;

use super::plan::{Plan, pool};
use crate::failure::Failure;
use crate::output::{fixed, grouped};
use crate::signals::Signals;

/// The numbers of threads of the bounds.
const THREADS: [usize; 4] = [4, 16, 64, 256];

/// Times of a stage or of a tick, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Times {
    work: f64,
    span: f64,
    /// The least times on [`THREADS`].
    on: [f64; 4],
    /// The span outside of divisions, and that of divisions themselves; the rest is the longest pieces.
    serial: f64,
    division: f64,
    /// The divisions of work and their pieces, without those within pieces.
    parts: f64,
    pieces: f64,
}

impl Times {
    fn of(strand: &Strand) -> Self {
        let division = strand.parts.iter().map(Part::span_of_division).sum::<f64>();
        Self {
            work: 1e3 * strand.work(),
            span: 1e3 * strand.span(),
            on: THREADS.map(|threads| 1e3 * strand.on(threads)),
            serial: 1e3 * strand.serial,
            division: 1e3 * division,
            parts: strand.parts.len() as f64,
            pieces: strand.parts.iter().map(|part| part.strands.len() as f64).sum(),
        }
    }

    fn add(&mut self, other: Self) {
        for (sum, other) in self.all().into_iter().zip(other.clone().all()) {
            *sum += *other;
        }
    }

    fn per(mut self, ticks: u64) -> Self {
        self.all().into_iter().for_each(|sum| *sum /= ticks as f64);
        self
    }

    fn all(&mut self) -> [&mut f64; 10] {
        let Self { work, span, on: [a, b, c, d], serial, division, parts, pieces } = self;
        [work, span, a, b, c, d, serial, division, parts, pieces]
    }

    fn parallelism(self) -> f64 {
        self.work / self.span
    }

    fn bounds(self) -> [f64; 4] {
        self.on.map(|on| self.work / on)
    }

    fn json(self) -> Value {
        let bounds: Map<String, Value> =
            THREADS.iter().zip(self.bounds()).map(|(n, bound)| (n.to_string(), json!(bound))).collect();
        json!({
            "work_milliseconds": self.work,
            "span_milliseconds": self.span,
            "parallelism": self.parallelism(),
            "most_speed_up": bounds,
            "span_of_serial_milliseconds": self.serial,
            "span_of_divisions_milliseconds": self.division,
            "divisions": self.parts,
            "pieces": self.pieces,
        })
    }
}

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
            parts(&mut text, report);
        }
    }
    text.push_str(
        "\nwork: the time on one thread. span: what is left of it on any number of threads.\nparallelism: work / span. \
         Real speed-ups are smaller: memory is shared, and threads wake.\n",
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

/// What the span of each stage consists of.
fn parts(text: &mut String, report: &Report) {
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
    use throng::strand::Part;

    /// A stage with a serial second and 64 pieces of a second.
    fn stage() -> Strand {
        let piece = Strand { serial: 1.0, parts: Vec::new() };
        Strand { serial: 1.0, parts: vec![Part { strands: vec![piece; 64], division: 0.0 }] }
    }

    #[test]
    fn bounds_follow_from_serial_work_and_the_longest_piece() {
        let times = Times::of(&stage());
        assert_eq!((times.work, times.span, times.parallelism()), (65e3, 2e3, 32.5));
        assert_eq!(times.bounds(), [65.0 / 17.0, 65.0 / 5.0, 32.5, 32.5]);
        let mut two = times;
        two.add(times);
        assert_eq!(two.per(2), times);
    }

    #[test]
    fn lines_fit_in_eighty_columns() {
        let stages = vec![("quarantine", Times::of(&stage())), ("steer", Times::of(&stage()))];
        let report =
            Report { scenario: "hunt".to_owned(), dimensions: 2, size: "scale 4".to_owned(), agents: 9, stages };
        let text = anstream::adapter::strip_str(&text(&[report], true)).to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains("tick"), "{text}");
    }
}
