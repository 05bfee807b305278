//! The measures of a run in its summary.

use serde_json::{Map, Value, json};
use throng::measures::{Column, Recorder};

use crate::output::fixed;

/// The keys of the JSON object, for what was measured. `agents` is the number of agents of a species, or of all.
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
                "pair_seconds_per_agent_second": overlaps.pairs_per_agent(),
            }),
        ));
    }
    if let (Some(stuck), Some(exits)) = (recorder.stuck(), recorder.exit_times()) {
        keys.push(("stuck", json!(stuck.count(None))));
        keys.push(("stuck_share", json!(stuck.share())));
        let (mean, median, last) = (exits.mean(), exits.median(), exits.last());
        let agents = exits.times().len();
        keys.push(("exit_times", json!({ "agents": agents, "mean": mean, "median": median, "last": last })));
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

/// The lines of the text: names and values.
pub(crate) fn lines(recorder: &Recorder) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let measures = recorder.columns().filter(|column| column.measure().is_some());
    for column in measures.filter(|column| !column.name.contains('.')) {
        let (mean, deviation) = (column.moments.mean(), column.moments.deviation());
        let decimals = if mean.abs() < 100.0 { 3 } else { 1 };
        let unit = if column.unit.is_empty() { String::new() } else { format!(" {}", column.unit) };
        lines.push((
            format!("mean {}", column.name.trim_start_matches("mean_").replace('_', " ")),
            format!("{}{unit}, sd {}", fixed(mean, decimals), fixed(deviation, decimals)),
        ));
    }
    for (name, line) in recorder.lines() {
        let (forward, backward) = (line.forward(), line.backward());
        let text = format!("{} persons/s, {forward} forward, {backward} backward", fixed(line.persons_per_second(), 3));
        lines.push((format!("flow {name}"), text));
    }
    if let (Some(overlaps), Some(stuck), Some(exits)) = (recorder.overlaps(), recorder.stuck(), recorder.exit_times()) {
        let (share, worst) = (100.0 * overlaps.share(), overlaps.worst());
        lines.push((
            "overlaps".to_owned(),
            format!("{} % of agent-time, {} m at most", fixed(share, 3), fixed(worst, 3)),
        ));
        lines.push(("stuck".to_owned(), format!("{} agents", stuck.count(None))));
        if !exits.times().is_empty() {
            let (mean, median) = (exits.mean(), exits.median());
            let text = format!(
                "{} s mean, {} s median, last at {} s",
                fixed(mean, 1),
                fixed(median, 1),
                fixed(exits.last(), 1)
            );
            lines.push(("time to exit".to_owned(), text));
        }
    }
    lines
}
