//! The exits, lines and areas of a report.

use throng::measures::{LEVELS_OF_SERVICE, level_of_service};
use throng_draw::plot::{Axis, COLOURS, Chart, Mark};

use super::contents::Contents;
use super::html::{counted, figure, shown, table, thinned};
use crate::failure::Failure;
use crate::output::{fixed, grouped};

/// How many left by each exit, and how fast.
pub(super) fn exits(html: &mut String, report: &Contents) -> Result<(), Failure> {
    let exits = report.first.persons.by_exit();
    if exits.is_empty() {
        return Ok(());
    }
    let row = |(name, times): &(&str, Vec<f64>)| {
        let [first, last, flow] = times_and_flow(times);
        [(*name).to_owned(), grouped(times.len() as u64), first, last, flow]
    };
    table(html, "<h2>Exits</h2>", ["exit", "agents", "first, s", "last, s", "flow, 1/s"], 1, exits.iter().map(row));
    html.push_str("<p>A flow counts the agents after the first, over the time between the first and the last exit, as in the summary of a run.</p>\n");
    let last = || exits.iter().filter_map(|(_, times)| times.last().copied());
    let most = || exits.iter().map(|(_, times)| times.len() as f64);
    let mut chart = Chart::new(Axis::from_zero("time, s", last()), Axis::from_zero("agents that left", most()));
    chart.title = "Agents that left by each exit".to_owned();
    for (name, times) in exits.iter().take(COLOURS.len()) {
        let colour = chart.name(*name);
        chart.marks.push(Mark::line(thinned(&counted(times)), colour));
    }
    figure(html, chart)
}

/// The first and the last of ascending times, and the flow between them as for a line of the measures.
pub(super) fn times_and_flow(times: &[f64]) -> [String; 3] {
    let [first, last] = [times.first(), times.last()].map(|time| time.copied().unwrap_or(f64::NAN));
    let flow = (last > first).then(|| (times.len() - 1) as f64 / (last - first));
    [shown(first), shown(last), flow.map_or("–".to_owned(), |flow| fixed(flow, 2))]
}

/// The lines and the areas of the scenario.
pub(super) fn measures(html: &mut String, report: &Contents) {
    let recorder = &report.first.recorder;
    if recorder.lines().len() > 0 {
        let rows = recorder.lines().map(|(name, line)| {
            let [first, last] = line.times().unwrap_or([f64::NAN; 2]).map(shown);
            let [persons, forward, backward] = [line.persons(), line.forward(), line.backward()].map(grouped);
            [name.to_owned(), persons, forward, backward, first, last, fixed(line.persons_per_second(), 2)]
        });
        let names = ["line", "agents", "forward", "backward", "first, s", "last, s", "flow, 1/s"];
        table(html, "<h2>Lines</h2>", names, 1, rows);
    }
    let mean = |measure: &str, area: &str| {
        let column = recorder.columns().find(|column| column.name == format!("{measure}.{area}"));
        column.map_or(f64::NAN, |column| column.moments.mean())
    };
    let areas: Vec<&str> =
        recorder.columns().filter_map(|column| column.name.strip_prefix("classic_density.")).collect();
    if areas.is_empty() {
        return;
    }
    let rows = areas.into_iter().map(|area| {
        let [count, speed, cells, speed_of_cells] =
            ["classic_density", "classic_speed", "voronoi_density", "voronoi_speed"].map(|name| mean(name, area));
        let level = LEVELS_OF_SERVICE[level_of_service(count)].0.to_owned();
        [area.to_owned(), fixed(count, 2), level, fixed(speed, 2), fixed(cells, 2), fixed(speed_of_cells, 2)]
    });
    let names = ["area", "density, 1/m²", "level", "speed, m/s", "Voronoi density, 1/m²", "Voronoi speed, m/s"];
    table(html, "<h2>Areas</h2>", names, 1, rows);
    html.push_str(
        "<p>Means over the run, as in its summary: by count, with Fruin's level, and by Voronoi cells.</p>\n",
    );
}
