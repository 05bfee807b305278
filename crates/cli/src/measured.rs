//! The measures of a run in its summary.

use serde_json::{Map, Value, json};
use throng::measures::{Column, FlowLine, Recorder, measures};

use crate::output::{fixed, grouped};

/// The keys of the JSON object, for the measurements. `agents` is the number of agents of a species, or of all.
pub(crate) fn json(recorder: &Recorder, agents: impl Fn(Option<&str>) -> usize) -> Vec<(&'static str, Value)> {
    let mut keys = Vec::new();
    if recorder.columns().len() > 0 {
        let of = |column: &Column| {
            let moments = &column.moments;
            let mut value = json!({ "mean": moments.mean(), "sd": moments.deviation(), "last": moments.last() });
            if column.measure().is_some_and(|measure| measure.name == "polarisation") {
                let species = column.name.split_once('.').map(|(_, species)| species);
                value["binder_cumulant"] = json!(moments.binder_cumulant());
                value["susceptibility"] = json!(moments.susceptibility(agents(species)));
            }
            (column.name.clone(), value)
        };
        keys.push(("measures", Value::Object(recorder.columns().map(of).collect())));
    }
    if let Some(overlaps) = recorder.overlaps() {
        keys.push((
            "overlaps",
            json!({
                "share": overlaps.share(),
                "worst": overlaps.worst(),
                "yielding_share": overlaps.yielding_share(),
                "pair_seconds_per_agent_second": overlaps.pairs_per_agent(),
            }),
        ));
    }
    if let (Some(stuck), Some(exits)) = (recorder.stuck(), recorder.exit_times()) {
        keys.push(("stuck", json!(stuck.count(None))));
        keys.push(("stuck_share", json!(stuck.share())));
        let (mean, median, last, remaining) = (exits.mean(), exits.median(), exits.last(), exits.remaining());
        let agents = exits.times().len();
        let times = json!({ "agents": agents, "mean": mean, "median": median, "last": last, "remaining": remaining });
        keys.push(("exit_times", times));
        let mut flow = Map::new();
        let mut crossings = Map::new();
        for (name, line) in recorder.lines() {
            flow.insert(name.to_owned(), json!(line.persons_per_second()));
            let (forward, backward, persons) = (line.forward(), line.backward(), line.persons());
            let counts = json!({ "forward": forward, "backward": backward, "persons": persons });
            crossings.insert(name.to_owned(), counts);
        }
        keys.push(("flow", Value::Object(flow)));
        keys.push(("crossings", Value::Object(crossings)));
    }
    keys
}

/// The most measures, and the most lines of one kind, in a text.
const MOST: usize = 4;

/// The lines of the text: names and values. A value over a whole run says so by its name.
pub(crate) fn lines(recorder: &Recorder) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    lines.extend(recorder.lines().take(MOST).map(flow));
    if recorder.lines().len() > MOST {
        lines.push((String::new(), format!("and {} more lines, with --verbose", recorder.lines().len() - MOST)));
    }
    let crowd = recorder.overlaps().zip(recorder.stuck()).zip(recorder.exit_times());
    if let Some(((overlaps, stuck), exits)) = crowd {
        if !exits.times().is_empty() {
            let [mean, median, last] = [exits.mean(), exits.median(), exits.last()].map(|time| fixed(time, 1));
            let remain = match exits.remaining() {
                0 => String::new(),
                1 => "; 1 agent remains".to_owned(),
                count => format!("; {} agents remain", grouped(count as u64)),
            };
            let times = format!("mean {mean} s, median {median} s, the last {last} s{remain}");
            lines.push(("time to exit".to_owned(), times));
        }
        let (share, worst) = (fixed(100.0 * overlaps.share(), 1), fixed(overlaps.worst(), 3));
        let stuck = format!("{} stuck at the end", stuck.count(None));
        let yielding = match overlaps.yielding_share() {
            0.0 => String::new(),
            share => format!("; shoulders of {} % yield", fixed(100.0 * share, 1)),
        };
        lines.push(("crowd".to_owned(), format!("{share} % in overlap, {worst} m at most{yielding}; {stuck}")));
    }
    for area in areas(recorder).into_iter().take(MOST) {
        let of = |measure: &str| {
            let column = recorder.columns().find(|column| column.name == format!("{measure}.{area}"));
            column.map_or_else(String::new, mean)
        };
        let text = |density, speed| format!("density {} persons/m2, speed {} m/s", of(density), of(speed));
        let cells = text("voronoi_density", "voronoi_speed");
        let count = text("classic_density", "classic_speed");
        lines.push((format!("area {area}"), format!("{cells} by Voronoi cells; {count} by count")));
    }
    // Values that the lines above have too are left out.
    let elsewhere = ["overlaps", "overlap_depth", "yielding", "stuck"];
    let measures = overall(recorder).filter(|column| !elsewhere.contains(&&column.name[..]));
    let measures: Vec<String> = measures.take(MOST).map(described).collect();
    if !measures.is_empty() {
        lines.push(("over the run".to_owned(), measures.join(", ")));
    }
    lines
}

/// The last values of the measures that the file defines, over all agents.
pub(crate) fn own(recorder: &Recorder) -> Vec<String> {
    let is_own =
        |column: &&Column| column.measure().is_some_and(|own| !measures().iter().any(|known| known.name == own.name));
    let last = |column: &Column| {
        let unit = if column.unit.is_empty() { String::new() } else { format!(" {}", column.unit) };
        format!("{} {}{unit}", column.name.replace('_', " "), fixed(column.moments.last(), 3))
    };
    overall(recorder).filter(is_own).take(MOST).map(last).collect()
}

/// The lines of all measures, for a longer text.
pub(crate) fn all(recorder: &Recorder) -> Vec<(String, String)> {
    let columns = overall(recorder).skip(MOST).map(|column| ("over the run".to_owned(), described(column)));
    columns.chain(recorder.lines().skip(MOST).map(flow)).collect()
}

/// The flow through a line, with its name.
fn flow((name, line): (&str, &FlowLine)) -> (String, String) {
    let (rate, forward, backward) = (fixed(line.persons_per_second(), 3), line.forward(), line.backward());
    (format!("flow {name}"), format!("{rate} persons/s, {forward} forward, {backward} backward"))
}

/// The measures of all agents together.
fn overall(recorder: &Recorder) -> impl Iterator<Item = &Column> {
    recorder.columns().filter(|column| column.measure().is_some() && !column.name.contains('.'))
}

/// The names of the measuring areas.
fn areas(recorder: &Recorder) -> Vec<&str> {
    recorder.columns().filter_map(|column| column.name.strip_prefix("voronoi_density.")).collect()
}

/// A measure in words: its name, mean and standard deviation.
fn described(column: &Column) -> String {
    let name = column.name.trim_start_matches("mean_").replace('_', " ");
    let unit = if column.unit.is_empty() { String::new() } else { format!(" {}", column.unit) };
    format!("{name} {}{unit}", mean(column))
}

/// The mean and the standard deviation of a column over the run.
fn mean(column: &Column) -> String {
    let (mean, deviation) = (column.moments.mean(), column.moments.deviation());
    let decimals = if mean.abs() < 100.0 { 3 } else { 1 };
    format!("{} ± {}", fixed(mean, decimals), fixed(deviation, decimals))
}
