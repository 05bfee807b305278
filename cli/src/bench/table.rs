//! The results of a benchmark as a table of text.

use std::fmt::Write;

use crate::output::{advice, fixed, grouped, short};

use super::row::Row;

/// Returns the table, the growth of a tick's time with the agents, and the serial shares.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut heading = None;
    for row in rows {
        let this = (row.dimensions, row.agents);
        if heading != Some(this) {
            heading = Some(this);
            let _ = writeln!(text, "\n\x1b[1m{} agents in {}D\x1b[0m", grouped(row.agents as u64), row.dimensions);
            let _ = writeln!(
                text,
                "  \x1b[2m{:<16} {:>7} {:>9} {:>15} {:>14} {:>9} {:>10} {:>10} {:>8}\x1b[0m",
                "", "threads", "ms/tick", "agents/s", "pair tests/s", "roofline", "candidates", "neighbours", "bytes"
            );
        }
        let roofline = format!("{} %", fixed(100.0 * row.roofline_fraction(), 0));
        let _ = writeln!(
            text,
            "  {:<16} {:>7} {:>9} {:>15} {:>14} {:>9} {:>10} {:>10} {:>8}  \x1b[2m{}\x1b[0m",
            row.design,
            row.threads,
            fixed(row.milliseconds_per_tick(), 3),
            short(row.agent_updates_per_second()),
            short(row.pair_tests_per_second()),
            roofline,
            fixed(row.candidates_per_pair(), 2),
            fixed(row.mean_neighbours(), 1),
            fixed(row.bytes_per_agent(), 0),
            row.instruction_set,
        );
        if let Some(advice) = advice(row.totals.counts.capped, row.agents as u64 * row.totals.ticks) {
            let _ = writeln!(text, "  {advice}");
        }
    }
    let slopes = slopes(rows);
    if !slopes.is_empty() {
        let _ = writeln!(text, "\nTime per tick grows as agents to the power of");
        for (name, slope) in slopes {
            let _ = writeln!(text, "  {name:<32} {}", fixed(slope, 2));
        }
    }
    let shares = serial_shares(rows);
    if !shares.is_empty() {
        let _ = writeln!(text, "\nSpeed-up over one thread, and the serial share that explains it");
        for (name, speed_up, share) in shares {
            let _ = writeln!(text, "  {name:<32} {} {:>5} %", fixed(speed_up, 2), fixed(100.0 * share, 1));
        }
    }
    text.push_str(
        "\nroofline: pair tests as a share of those of the pair kernel alone on the same number of cores.\n\
         candidates: per neighbour. bytes: the peak of allocated memory, per agent.\n",
    );
    for row in rows.iter().filter(|row| row.notes.is_some()) {
        let _ = writeln!(text, "{}: {}", row.design, row.notes.as_deref().unwrap_or_default());
    }
    text
}

/// For each design, number of dimensions and number of threads, at the largest number of agents: the speed-up over one
/// thread and the serial share of the work that explains it.
fn serial_shares(rows: &[Row]) -> Vec<(String, f64, f64)> {
    let most = rows.iter().map(|row| row.agents).max();
    let share = |row: &Row| {
        let speed_up = row.speed_up(rows.iter())?;
        let name = format!("{} {}D, {} threads", row.design, row.dimensions, row.threads);
        Some((name, speed_up, serial_share(row.threads as f64, speed_up)))
    };
    rows.iter().filter(|row| row.threads > 1 && Some(row.agents) == most).filter_map(share).collect()
}

/// The serial share of the work by Amdahl's law (1967), from a number of threads and their speed-up over one thread.
/// Zero if the speed-up is linear or more.
fn serial_share(threads: f64, speed_up: f64) -> f64 {
    let share = (threads / speed_up - 1.0) / (threads - 1.0);
    if share > 0.0 { share } else { 0.0 }
}

/// The slope of each design, number of dimensions and number of threads that has two numbers of agents or more.
fn slopes(rows: &[Row]) -> Vec<(String, f64)> {
    let mut slopes: Vec<(String, f64)> = Vec::new();
    for row in rows {
        let same = |other: &&Row| {
            (&other.design, other.dimensions, other.threads) == (&row.design, row.dimensions, row.threads)
        };
        let points: Vec<_> =
            rows.iter().filter(same).map(|row| (row.agents as f64, row.milliseconds_per_tick())).collect();
        let threads = if row.threads == 1 { "thread" } else { "threads" };
        let name = format!("{} {}D, {} {threads}", row.design, row.dimensions, row.threads);
        if slopes.iter().all(|(known, _)| *known != name)
            && let Some(slope) = slope(&points)
        {
            slopes.push((name, slope));
        }
    }
    slopes
}

/// The slope of the line through the points on logarithmic axes, by least squares.
pub(crate) fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let mean = |sum: f64| sum / logs.len() as f64;
    let (x, y) = (mean(logs.iter().map(|p| p.0).sum()), mean(logs.iter().map(|p| p.1).sum()));
    let spread: f64 = logs.iter().map(|p| (p.0 - x).powi(2)).sum();
    let slope = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / spread;
    (spread > 0.0 && slope.is_finite()).then_some(slope)
}

#[cfg(test)]
mod tests {
    use super::{serial_share, slope};

    #[test]
    fn serial_shares_by_amdahl() {
        assert!((serial_share(4.0, 2.5) - 0.2).abs() < 1e-9);
        assert_eq!([serial_share(2.0, 1.0), serial_share(2.0, 2.0), serial_share(2.0, 2.1)], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn slopes_of_lines() {
        assert!((slope(&[(1e3, 0.1), (1e4, 1.0), (1e5, 10.0)]).unwrap() - 1.0).abs() < 1e-9);
        assert!((slope(&[(2.0, 4.0), (3.0, 9.0)]).unwrap() - 2.0).abs() < 1e-9);
        assert_eq!(slope(&[(1.0, 1.0)]), None);
    }
}
