//! The parts of a report's page: tables, figures, numbers and texts.

use std::fmt::Write;

use throng_draw::plot::{Chart, Figure};

use crate::failure::Failure;
use crate::output::fixed;

/// Writes a table after a heading. The columns after this number of texts have numbers.
pub(super) fn table<const N: usize>(
    html: &mut String,
    heading: &str,
    names: [&str; N],
    texts: usize,
    rows: impl Iterator<Item = [String; N]>,
) {
    let _ = write!(html, "{heading}\n<table>");
    let mut row = |tag: &str, cells: [&str; N]| {
        html.push_str("<tr>");
        for (number, cell) in cells.into_iter().enumerate() {
            let class = if number < texts { "" } else { " class=\"n\"" };
            let _ = write!(html, "<{tag}{class}>{}</{tag}>", escaped(cell));
        }
        html.push_str("</tr>\n");
    };
    row("th", names);
    rows.for_each(|cells| row("td", cells.each_ref().map(|cell| &cell[..])));
    html.push_str("</table>\n");
}

/// The number of ascending times up to each of them.
pub(super) fn counted(times: &[f64]) -> Vec<[f64; 2]> {
    times.iter().zip(1..).map(|(time, count)| [*time, f64::from(count)]).collect()
}

pub(super) fn figure(html: &mut String, chart: Chart) -> Result<(), Failure> {
    let svg = Figure::from(chart).svg().map_err(|error| Failure::Unexpected(error.to_string()))?;
    let _ = writeln!(html, "<figure>{svg}</figure>");
    Ok(())
}

/// At most about a thousand of the points, with the first and the last.
pub(super) fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let step = points.len() / 1000 + 1;
    let last = points.last().filter(|_| !points.len().wrapping_sub(1).is_multiple_of(step));
    points.iter().step_by(step).chain(last).copied().collect()
}

/// A time with a decimal; a dash for none.
pub(super) fn shown(time: f64) -> String {
    if time.is_nan() { "–".to_owned() } else { fixed(time, 1) }
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
