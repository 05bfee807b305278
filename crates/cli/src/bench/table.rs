//! The results of a benchmark as text.

use std::fmt::Write;

use super::measure::THRONG;
use super::row::Row;
use super::statistics::{quartiles, slope};
use crate::output::{advice, fixed, grouped, short};

/// Returns one table for each series of rows, and the growth of a tick's time with the agents.
pub(crate) fn table(rows: &[Row], with_stages: bool) -> String {
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        if rows[..number].iter().any(|earlier| earlier.is_beside(row)) {
            continue;
        }
        let series: Vec<&Row> = rows.iter().filter(|other| other.is_beside(row)).collect();
        heading(&mut text, &series);
        let _ = writeln!(
            text,
            "  \x1b[2m{:>7} {:>10} {:>19} {:>14} {:>9} {:>11}\x1b[0m",
            "threads", "ms a tick", "quartiles", "agents/s", "speed-up", "efficiency"
        );
        for row in &series {
            line(&mut text, row, rows);
        }
        if with_stages {
            stages(&mut text, &series);
        }
        let capped = series.iter().map(|row| row.capped()).fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
        if let Some(advice) = advice(capped.0, capped.1) {
            let _ = writeln!(text, "  {advice}");
        }
    }
    growth(&mut text, rows);
    let mut noted: Vec<&Row> = Vec::new();
    for row in rows.iter().filter(|row| row.notes.is_some()) {
        if noted.iter().all(|other| other.design != row.design) {
            let _ = writeln!(text, "{}: {}", row.design, row.notes.as_deref().unwrap_or_default());
            noted.push(row);
        }
    }
    text
}

/// The name of a series: the name of the design, unless it is throng.
fn name(row: &Row) -> String {
    let design = if row.design == THRONG { String::new() } else { format!(" ({})", row.design) };
    format!("{}{design}", row.scenario)
}

/// The values that all rows of a series have in common, or a row for each number of threads if they do not.
fn heading(text: &mut String, series: &[&Row]) {
    let (first, last) = (series[0], series[series.len() - 1]);
    let _ = writeln!(text, "\n\x1b[1m{}, {}, {}D\x1b[0m", name(first), first.size, first.dimensions);
    let (least, most) = (grouped(first.agents().round() as u64), grouped(last.agents().round() as u64));
    let agents = if least == most { least } else { format!("{least} to {most}") };
    let (neighbours, candidates) = (fixed(last.neighbours(), 1), fixed(last.candidates_per_neighbour(), 2));
    let _ = writeln!(text, "  {agents} agents, {neighbours} neighbours, {candidates} candidates each");
    let bytes = last.bytes_per_agent().map_or(String::new(), |bytes| format!("{} bytes an agent", fixed(bytes, 0)));
    let roofline = first
        .roofline_fraction()
        .map_or(String::new(), |share| format!("{} % of the roofline", fixed(100.0 * share, 0)));
    let is_one = series.iter().all(|row| row.hash() == first.hash());
    let hash = if is_one && first.hash() != 0 { format!("state hash {:016x}", first.hash()) } else { String::new() };
    let facts: Vec<String> = [bytes, hash, roofline].into_iter().filter(|fact| !fact.is_empty()).collect();
    if !facts.is_empty() {
        let _ = writeln!(text, "  {}", facts.join(", "));
    }
}

fn line(text: &mut String, row: &Row, rows: &[Row]) {
    let [low, middle, high] = quartiles(&row.repetitions());
    let spread = format!("{} to {}", time(low), time(high));
    let speed_up = row.speed_up(rows).map_or("-".to_owned(), |speed_up| fixed(speed_up, 2));
    let efficiency = row.efficiency(rows).map_or("-".to_owned(), |share| format!("{} %", fixed(100.0 * share, 0)));
    let rate = short(row.agents_per_second());
    let _ = writeln!(
        text,
        "  {:>7} {:>10} {spread:>19} {rate:>14} {speed_up:>9} {efficiency:>11}",
        row.threads,
        time(middle),
    );
}

/// Milliseconds, with fewer decimals where there are many.
fn time(milliseconds: f64) -> String {
    fixed(milliseconds, if milliseconds < 1000.0 { 3 } else { 1 })
}

/// The milliseconds of each stage, with one column for each number of threads.
fn stages(text: &mut String, series: &[&Row]) {
    /// The columns that fit beside each other.
    const COLUMNS: usize = 6;
    let all: Vec<_> = series.iter().map(|row| row.stages()).collect();
    let kept: Vec<usize> = (0..series.len()).rev().take(COLUMNS).rev().collect();
    let _ = write!(text, "  \x1b[2m{:<12}", "stage, ms");
    for &column in &kept {
        let threads = series[column].threads;
        let _ = write!(text, " {:>10}", format!("{threads} {}", if threads == 1 { "thread" } else { "threads" }));
    }
    let _ = writeln!(text, "\x1b[0m");
    for (stage, (name, _)) in all[0].iter().enumerate() {
        let _ = write!(text, "  {name:<12}");
        for &column in &kept {
            let time = all[column].get(stage).map_or(0.0, |(_, time)| *time);
            let _ = write!(text, " {:>10}", fixed(time, 3));
        }
        let _ = writeln!(text);
    }
}

/// The exponents of growth, of each design, number of dimensions and number of threads with two sizes or more.
fn growth(text: &mut String, rows: &[Row]) {
    let mut heads = 0;
    for (number, row) in rows.iter().enumerate() {
        let same = |other: &Row| {
            (&other.design, other.dimensions, other.threads) == (&row.design, row.dimensions, row.threads)
        };
        if rows[..number].iter().any(same) {
            continue;
        }
        let points: Vec<_> =
            rows.iter().filter(|other| same(other)).map(|row| (row.agents(), row.milliseconds())).collect();
        let Some(slope) = slope(&points) else { continue };
        if heads == 0 {
            let _ = writeln!(text, "\nThe time of a tick grows as agents to the power of");
        }
        heads += 1;
        let threads = if row.threads == 1 { "thread" } else { "threads" };
        let series = format!("{}, {}D, {} {threads}", name(row), row.dimensions, row.threads);
        let _ = writeln!(text, "  {series:<40} {}", fixed(slope, 2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::row::Sample;

    fn row(threads: usize, agents: f64, milliseconds: [f64; 3]) -> Row {
        let sample = |milliseconds| Sample { agents, milliseconds, ticks: 1, hash: 7, ..Sample::default() };
        Row {
            scenario: "flock".to_owned(),
            dimensions: 2,
            size: format!("{agents} agents"),
            design: THRONG.to_owned(),
            threads,
            instruction_set: "avx2".to_owned(),
            samples: milliseconds.map(sample).into(),
            bytes: 123_456_789,
            roofline: 1.0,
            notes: None,
        }
    }

    #[test]
    fn efficiency_is_the_share_of_a_linear_speed_up() {
        let rows = [row(1, 100.0, [9.0, 10.0, 30.0]), row(4, 100.0, [4.0, 5.0, 5.0])];
        assert_eq!((rows[1].speed_up(&rows), rows[1].efficiency(&rows)), (Some(2.0), Some(0.5)));
        // In weak scaling the world grows with the threads: the same time is an efficiency of one.
        let weak = [row(1, 100.0, [10.0; 3]), Row { size: "100 agents".to_owned(), ..row(4, 400.0, [10.0; 3]) }];
        assert_eq!(weak[1].efficiency(&weak), Some(1.0));
        assert_eq!(row(2, 50.0, [1.0; 3]).speed_up(&rows), None, "no row with one thread");
    }

    #[test]
    fn lines_fit_in_eighty_columns_and_name_spread_and_growth() {
        let large = row(256, 1e8, [12_345.678, 12_346.0, 12_390.123]);
        let rows = [row(1, 1000.0, [1.0, 2.0, 3.0]), row(1, 10_000.0, [10.0, 20.0, 30.0]), large];
        let text = anstream::adapter::strip_str(&table(&rows, true)).to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains("1.500 to 2.500"), "{text}");
        assert!(text.contains("flock, 2D, 1 thread") && text.contains(" 1.00\n"), "{text}");
    }
}
