//! The page of a report.

use std::fmt::Write;

use data_encoding::BASE64;
use throng::measures::{LEVELS_OF_SERVICE, level_of_service, quantile};
use throng_draw::plot::{Axis, Chart, Entry, Mark};
use throng_draw::{Drawable, EnvironmentShape};

use super::contents::{Contents, Observed, mean_confidence};
use super::density::Density;
use super::html::{counted, escaped, figure, shown, table, thinned};
use super::inputs::inputs;
use super::passages::{exits, measures};
use super::storeys::{labels, place, storeys};
use crate::failure::Failure;
use crate::output::{fixed, grouped};
use crate::persons;

/// The most rows of the table of persons; all are in the table to save.
const MOST_ROWS: usize = 500;
/// The colours of the levels of service, from sparse to dense (Brewer's yellow to red).
const SHADES: [&str; 6] = ["#ffffd4", "#fee391", "#fec44f", "#fe9929", "#d95f0e", "#993404"];
/// The number of runs from which an interval of confidence holds the mean in about 95 % of all cases.
const ENOUGH_RUNS: usize = 20;
/// The width of a map in pixels.
const WIDTH: f64 = 460.0;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:980px;margin:2em auto;padding:0 1em;color:#222}\
h1{font-size:1.6em;margin-bottom:.2em}h2{font-size:1.15em;margin-top:2em;border-bottom:1px solid #ddd}\
table{border-collapse:collapse;font-size:.92em}td,th{padding:.15em .9em .15em 0;text-align:left;vertical-align:top}\
td.n,th.n{text-align:right}th{font-weight:600}.maps{display:flex;flex-wrap:wrap;gap:1.2em}figure{margin:.6em 0}\
figcaption{font-size:.9em;color:#555}img,svg{max-width:100%;height:auto}code,pre{font-size:.88em}\
pre{background:#f6f6f6;padding:.8em;overflow-x:auto}.warn{background:#fff3cd;padding:.5em .8em}\
@media print{details{display:none}}";

/// The whole page.
pub(super) fn page(report: &Contents) -> Result<String, Failure> {
    let mut html = String::new();
    let title = escaped(&report.title);
    let persons = &report.first.persons;
    let (all, left) = (persons.all().len(), persons.remaining());
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n\
         <p>{} agents; {} left the world in {} s of simulated time.</p>\n",
        grouped(all as u64),
        grouped((all - left) as u64),
        fixed(report.first.counts.last().map_or(0.0, |count| count[0]), 1),
    );
    if left > 0 {
        let _ = writeln!(
            html,
            "<p class=\"warn\">{} did not leave before the end of the run: <a href=\"#left\">where they are</a>.</p>",
            grouped(left as u64)
        );
    }
    summary(&mut html, report);
    egress(&mut html, report)?;
    exits(&mut html, report)?;
    storeys(&mut html, report);
    measures(&mut html, report);
    maps(&mut html, report);
    pictures(&mut html, report);
    if left > 0 {
        remaining(&mut html, report);
    }
    agents(&mut html, report);
    let inputs = inputs(&report.first.world, &report.first.persons);
    table(&mut html, "<h2>Inputs</h2>", ["input", "name", "values"], 3, inputs.into_iter());
    html.push_str("<p>Walls that always stand are in the pictures.</p>\n");
    origin(&mut html, report);
    html.push_str("</body></html>\n");
    Ok(html)
}

/// The times of the first run, and of all runs.
fn summary(html: &mut String, report: &Contents) {
    html.push_str("<h2>Times</h2>\n<table><tr><th>time of exit, s</th><th class=\"n\">this run</th>");
    let several = report.exits.len() > 1;
    if several {
        let _ = write!(
            html,
            "<th class=\"n\">mean of {} runs</th><th class=\"n\">5 %</th><th class=\"n\">95 %</th>",
            report.exits.len()
        );
    }
    html.push_str("</tr>\n");
    for (name, share) in [("first", 0.0), ("half", 0.5), ("95 %", 0.95), ("last", 1.0)] {
        let of_run = quantile(&report.exits[0], share);
        let _ = write!(html, "<tr><td>{name}</td><td class=\"n\">{}</td>", shown(of_run));
        if several {
            let mut values: Vec<f64> = report.exits.iter().map(|exits| quantile(exits, share)).collect();
            values.retain(|value| !value.is_nan());
            values.sort_by(f64::total_cmp);
            let mean = values.iter().fold(0.0, |sum, value| sum + value) / values.len() as f64;
            for value in [mean, quantile(&values, 0.05), quantile(&values, 0.95)] {
                let _ = write!(html, "<td class=\"n\">{}</td>", shown(value));
            }
        }
        html.push_str("</tr>\n");
    }
    html.push_str(
        "</table>\n<p>Percentages are by nearest rank: the first time at which at least this share had left, and the least \
         value that at least this share of the runs does not exceed.</p>\n",
    );
    if several {
        let [low, high] = report.last_exit_confidence();
        let is_narrow = report.exits.len() < ENOUGH_RUNS;
        let narrow = if is_narrow { " Of fewer than twenty runs this interval is too narrow." } else { "" };
        let _ = writeln!(
            html,
            "<p>The mean time of the last exit is between {} and {} s with a confidence of 95 % (bootstrap of the runs, after \
             Grandison 2020).{}</p>",
            shown(low),
            shown(high),
            narrow,
        );
    }
    let convergence = &report.convergence;
    if let Some(last) = convergence.changes().last().filter(|_| several) {
        let percent =
            |share: f64| if share.is_finite() { format!("{} %", fixed(100.0 * share, 2)) } else { "–".to_owned() };
        let _ = writeln!(
            html,
            "<p>The last of the {} runs changed the mean time of the last exit by {}, its standard deviation by {}, and the \
             mean egress curve by {} (Euclidean relative difference) and {} (projection coefficient), after Ronchi, Reneke \
             and Peacock 2014. Such a change is not the error of the mean: the interval of confidence is.{}</p>",
            report.exits.len(),
            percent(last.mean),
            percent(last.deviation),
            percent(last.distance),
            percent(last.projection),
            if convergence.is_incomplete() { " In some runs, some did not leave." } else { "" }
        );
    }
}

/// The agents in the world over time, and the exits of all runs.
fn egress(html: &mut String, report: &Contents) -> Result<(), Failure> {
    let Observed { persons, counts, .. } = &report.first;
    let mut departures: Vec<f64> = persons.all().iter().filter_map(|person| person.departure).collect();
    departures.sort_unstable_by(f64::total_cmp);
    let curves =
        [("in the world", counts.clone()), ("set off", counted(&departures)), ("left", counted(&report.exits[0]))];
    let points = || curves.iter().flat_map(|(_, points)| points);
    let mut chart = Chart::new(
        Axis::from_zero("time, s", points().map(|point| point[0])),
        Axis::from_zero("agents", points().map(|point| point[1])),
    );
    chart.title = "Agents in the world, set off and left, this run".to_owned();
    for (name, points) in &curves {
        let colour = chart.name(*name);
        chart.marks.push(Mark::line(thinned(points), colour));
    }
    html.push_str("<h2>Egress</h2>\n");
    figure(html, chart)?;
    if report.exits.len() < 2 {
        return Ok(());
    }
    // The times at which the first, the second and each further agent left, over all runs.
    let most = report.exits.iter().map(Vec::len).max().unwrap_or(0);
    let step = most / 400 + 1;
    let (mut mean, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
    let mut sure = [Vec::new(), Vec::new()];
    for place in (0..most).step_by(step) {
        let mut times: Vec<f64> = report.exits.iter().filter_map(|exits| exits.get(place).copied()).collect();
        times.sort_by(f64::total_cmp);
        let count = (place + 1) as f64;
        mean.push([times.iter().fold(0.0, |sum, time| sum + time) / times.len() as f64, count]);
        low.push([quantile(&times, 0.05), count]);
        high.push([quantile(&times, 0.95), count]);
        let ends = mean_confidence(&times);
        sure.iter_mut().zip(ends).for_each(|(side, end)| side.push([if end.is_nan() { times[0] } else { end }, count]));
    }
    let ends = || high.iter().map(|point| point[0]);
    let mut chart =
        Chart::new(Axis::from_zero("time, s", ends()), Axis::from_zero("agents that left", [most as f64].into_iter()));
    chart.title = format!("Agents that left, {} runs", report.exits.len());
    let colour = chart.name("mean");
    let [from, to] = sure;
    for (low, high, share) in [(&low, &high, 0.2), (&from, &to, 0.4)] {
        let corners = low.iter().copied().chain(high.iter().rev().copied()).collect();
        chart.marks.push(Mark::Area { corners, colour, share });
    }
    chart.marks.push(Mark::line(mean, colour));
    for name in ["wide band: 5 to 95 % of the runs", "narrow band: 95 % confidence of the mean"] {
        chart.legend.push(Entry { colour: None, name: name.to_owned() });
    }
    figure(html, chart)
}

/// The maps of the largest and of the mean density.
fn maps(html: &mut String, report: &Contents) {
    let Some(density) = &report.first.density else { return };
    html.push_str("<h2>Density</h2>\n<div class=\"maps\">\n");
    let walls: Vec<[[f64; 2]; 2]> = report.first.world.shapes().iter().filter_map(wall).collect();
    for (caption, values) in [("The most at any time", density.most()), ("The mean over time", density.mean())] {
        let map = map(density, &values, &walls, &labels(report));
        let _ = writeln!(html, "<figure>{map}<figcaption>{caption}</figcaption></figure>");
    }
    html.push_str("</div>\n<table><tr><th>level of service (Fruin)</th>");
    LEVELS_OF_SERVICE.iter().zip(SHADES).for_each(|((name, _), shade)| {
        let _ = write!(html, "<td style=\"background:{shade};padding:.15em .7em\">{name}</td>");
    });
    html.push_str("</tr><tr><th>people per square metre, below</th>");
    LEVELS_OF_SERVICE.iter().for_each(|(_, below)| {
        let _ = write!(html, "<td>{}</td>", if below.is_finite() { fixed(*below, 2) } else { "more".to_owned() });
    });
    let side = fixed(density.side, 1);
    let _ = write!(html, "</tr></table>\n<p>Squares of {side} m.");
    if let Some((most, at, time)) = density.peak().filter(|(most, ..)| *most > 0.0) {
        let _ = write!(
            html,
            " The densest has {} people per square metre, at {} after {} s.",
            fixed(most, 2),
            escaped(&place(report, at)),
            fixed(time, 1)
        );
    }
    html.push_str("</p>\n");
}

/// A wall or an edge of one.
fn wall(shape: &EnvironmentShape) -> Option<[[f64; 2]; 2]> {
    match shape {
        EnvironmentShape::Wall { from, to } => Some([from, to].map(|end| [f64::from(end[0]), f64::from(end[1])])),
        _ => None,
    }
}

/// A map of squares by their levels of service, of walls, and of names at their places.
fn map(density: &Density, values: &[f64], walls: &[[[f64; 2]; 2]], names: &[(&str, [f64; 2])]) -> String {
    let [across, up] = density.size;
    let scale = WIDTH / across;
    let mut svg = format!(
        "<svg width=\"{WIDTH}\" height=\"{h}\" viewBox=\"0 0 {WIDTH} {h}\" role=\"img\"><rect width=\"100%\" height=\"100%\" \
         fill=\"#f4f4f4\"/>",
        h = (scale * up).round()
    );
    for (square, value) in values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
        let [x, y] =
            [square % density.squares[0], square / density.squares[0]].map(|at| at as f64 * density.side * scale);
        let side = density.side * scale;
        let _ = write!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.2}\" height=\"{side:.2}\" fill=\"{}\"><title>{:.2}</title></rect>",
            x,
            scale * up - y - side,
            SHADES[level_of_service(*value)],
            value
        );
    }
    svg.push_str("<path fill=\"none\" stroke=\"#222\" stroke-width=\"1.5\" d=\"");
    for [from, to] in walls {
        let at = |[x, y]: [f64; 2]| format!("{:.1} {:.1}", scale * x, scale * (up - y));
        let _ = write!(svg, "M{}L{}", at(*from), at(*to));
    }
    svg.push_str("\"/>");
    for (name, [x, y]) in names {
        let [x, y] = [scale * x + 2.0, scale * (up - y) - 3.0];
        let _ = write!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"10\">{}</text>", escaped(name));
    }
    svg.push_str("</svg>");
    svg
}

/// The most telling tick, and the end.
fn pictures(html: &mut String, report: &Contents) {
    html.push_str("<h2>Pictures</h2>\n");
    for (caption, bytes) in &report.pictures {
        let _ = writeln!(
            html,
            "<figure><img alt=\"{caption}\" src=\"data:image/png;base64,{}\"><figcaption>{caption}</figcaption></figure>",
            BASE64.encode(bytes)
        );
    }
}

/// The agents that are in the world at the end.
fn remaining(html: &mut String, report: &Contents) {
    let there = report.first.persons.all().iter().filter(|person| person.exit.is_none());
    let species = persons::species_names(&report.first.world);
    let rows = there.take(MOST_ROWS).map(|person| {
        let species = species.get(person.species.number()).copied().unwrap_or_default();
        let [x, y, _] = person.position.map(f64::from);
        [person.id.to_string(), species.to_owned(), place(report, [x, y]), fixed(person.way, 1)]
    });
    table(html, "<h2 id=\"left\">Those that did not leave</h2>", ["agent", "species", "place, m", "way, m"], 3, rows);
}

/// The table of persons, and the whole of it to save.
fn agents(html: &mut String, report: &Contents) {
    let (persons, species) = (report.first.persons.all(), persons::species_names(&report.first.world));
    let heading = format!(
        "<h2>Agents</h2>\n<p><a download=\"agents.csv\" href=\"data:text/csv;base64,{}\">Save the table of all {} agents</a></p>\n\
         <details><summary>Show {}</summary>",
        BASE64.encode(persons::csv(&report.first.persons, &report.first.world).as_bytes()),
        grouped(persons.len() as u64),
        if persons.len() > MOST_ROWS { format!("the first {MOST_ROWS}") } else { "them".to_owned() },
    );
    let rows = persons.iter().take(MOST_ROWS).map(|person| {
        let species = species.get(person.species.number()).copied().unwrap_or_default();
        let by = report.first.persons.exit_of(person).unwrap_or("–");
        let [departure, exit] = [person.departure, person.exit].map(|time| shown(time.unwrap_or(f64::NAN)));
        let [start, way] = [person.start, person.way].map(shown);
        [person.id.to_string(), species.to_owned(), by.to_owned(), start, departure, exit, way]
    });
    table(html, &heading, ["agent", "species", "exit", "start, s", "departure, s", "exit, s", "way, m"], 3, rows);
    html.push_str("</details>\n");
}

/// Everything that another run needs.
fn origin(html: &mut String, report: &Contents) {
    let seeds = match report.exits.len() as u64 {
        1 => report.seed.to_string(),
        runs => format!("{} to {}", report.seed, report.seed + runs - 1),
    };
    let overrides = report.origin.overrides().join(" ");
    html.push_str("<h2>Origin</h2>\n<table>\n");
    for (name, value) in [
        ("scenario", report.origin.file.to_string_lossy().into_owned()),
        ("changes", if overrides.is_empty() { "none".to_owned() } else { overrides }),
        ("seeds", seeds),
        ("tick", format!("{} s", report.tick_seconds)),
        ("state hash", format!("{:016x}", report.first.hash)),
        ("version", format!("throng {}, physics {}", env!("CARGO_PKG_VERSION"), throng::PHYSICS)),
    ] {
        let _ = writeln!(html, "<tr><td>{name}</td><td><code>{}</code></td></tr>", escaped(&value));
    }
    let _ = write!(
        html,
        "</table>\n<details><summary>The scenario</summary><pre>{}</pre></details>\n",
        escaped(&report.origin.text)
    );
}
