//! The command `throng bench`: how fast a scenario or the flock runs, by agents and threads.

#[cfg(feature = "designs")]
mod designs;
mod machine;
mod measure;
mod memory;
mod options;
#[cfg(feature = "designs")]
mod peers;
mod plan;
mod plot;
mod record;
mod row;
mod span;
mod statistics;
mod subject;
mod table;
mod times;

use serde_json::{Value, json};
use throng::Registry;

use crate::failure::Failure;
use crate::figure_file::FigureKind;
use crate::output::{json_text, print};
use crate::paths::Paths;
use crate::progress;
use crate::signals::Signals;

pub(crate) use options::BenchOptions;
use plan::Plan;
use record::Record;
use throng_scenario::shown;

/// The command `throng bench`: measures, and prints the figures.
pub(crate) fn bench(options: &BenchOptions, registry: &Registry) -> Result<(), Failure> {
    // A file that cannot be read or written fails before minutes of measurements, not after.
    let before = options.against.as_deref().map(Record::read).transpose()?;
    let figure = match &options.plot {
        Some(path) => Some((path, FigureKind::of(path, true)?)),
        None => None,
    };
    if let Some((path, _)) = figure {
        FigureKind::check(path)?;
    }
    let plan = Plan::new(options, registry)?;
    let mut paths = Paths::default();
    options.against.iter().for_each(|file| paths.reads("the record of --against", file));
    options.plot.iter().for_each(|file| paths.writes("the file of --plot", file));
    plan.subject.add_to(&mut paths);
    paths.check()?;
    let signals = Signals::listen()?;
    if options.span {
        return spans(options, &plan, &signals);
    }
    let rows_of =
        |group: &(usize, Vec<(_, Vec<_>)>)| group.1.iter().map(|(_, threads)| threads.len() as u64).sum::<u64>();
    let rows_in_all: u64 = plan.groups().iter().map(rows_of).sum();
    let bar = progress::bar(rows_in_all * plan.ticks_of_row(), false);
    let mut rows = Vec::new();
    #[cfg(feature = "designs")]
    let rivals = options.designs.then_some(designs::entrants as measure::Rivals);
    #[cfg(not(feature = "designs"))]
    let rivals = None;
    measure::measure(&plan, rivals, &bar, &signals, &mut rows)?;
    bar.finish_and_clear();
    #[cfg(feature = "designs")]
    if options.peers && signals.received().is_none() {
        rows.extend(peers::run(&plan)?);
    }
    // Figures from before a signal are worth their time.
    if rows.is_empty() {
        return signals.check();
    }
    if let Some((path, kind)) = figure {
        kind.write(path, &plot::figure(&rows, plan.is_weak))?;
    }
    let changes = before.as_ref().map(|before| before.compare(&plan.machine, &rows)).transpose()?;
    if options.json {
        print(&record::json(&plan.machine, &rows))?;
    } else if options.csv {
        print(&record::csv(&plan.machine, &rows)?)?;
    } else {
        let changes = changes.as_ref().map_or("", |(text, _)| text);
        let written = figure.map_or(String::new(), |(path, _)| format!("\nplot  {}\n", shown(&path)));
        print(&format!("{}{}{changes}{written}", plan.machine.text(), table::table(&rows, options.verbose)))?;
    }
    signals.check()?;
    match (before, changes) {
        (Some(before), Some((_, slower))) if !slower.is_empty() => Err(before.failure(&slower)),
        _ => Ok(()),
    }
}

/// Records and prints work and span.
fn spans(options: &BenchOptions, plan: &Plan<'_>, signals: &Signals) -> Result<(), Failure> {
    let worlds: u64 = plan.groups().iter().map(|(_, group)| group.len() as u64).sum();
    let bar = progress::bar(worlds * plan.ticks_of_row(), false);
    let mut reports = Vec::new();
    span::record(plan, &bar, signals, &mut reports)?;
    bar.finish_and_clear();
    if options.json {
        let spans: Vec<Value> = reports.iter().map(span::Report::json).collect();
        print(&json_text(&json!({ "machine": plan.machine.json(), "spans": spans })))?;
    } else if !reports.is_empty() {
        print(&format!("{}{}", plan.machine.text(), span::text(&reports, options.verbose)))?;
    }
    signals.check()
}
