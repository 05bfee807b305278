//! The command `throng explain`: what each rule asks of an agent after a number of ticks.

use std::fmt::Write;

use serde_json::{Map, Value, json};
use throng::{AgentId, AnyWorld, Contribution, Explanation, Registry, Vector, with_world};
use throng_formats::trajectory::shortest;

use crate::arguments::ExplainOptions;
use crate::execution;
use crate::failure::Failure;
use crate::output::{fixed, print};

/// Runs the command `throng explain`.
pub(crate) fn explain(explain: &ExplainOptions, registry: &Registry) -> Result<(), Failure> {
    let scenario = explain.source.load(registry, None)?;
    scenario.check_limits()?;
    let mut world = execution::build(&scenario)?;
    for _ in 0..explain.tick {
        world.step();
    }
    let id = find(&world, &explain.agent)?;
    let explanation = world.explain(id).map_err(|error| Failure::Input(error.to_string()))?;
    let max_force = with_world!(&world, world => {
        world.find(id).ok().and_then(|(species, row)| Some(world.agents(species).ok()?.max_force(row)))
    });
    let max_force = max_force.unwrap_or(f32::INFINITY);
    let report = AgentReport { explanation, dimensions: world.dimensions(), tick: world.tick(), max_force };
    if explain.json { print(&format!("{:#}\n", report.json())) } else { print(&report.table()) }
}

/// Finds an agent by its displayed id.
fn find(world: &AnyWorld, text: &str) -> Result<AgentId, Failure> {
    let named = world.species().filter_map(|(species, name, _)| Some((name, world.ids(species).ok()?)));
    let named: Vec<(&str, &[AgentId])> = named.collect();
    let mut ids = named.iter().flat_map(|(_, ids)| *ids);
    if let Some(id) = ids.find(|id| id.to_string() == text) {
        return Ok(*id);
    }
    let existing: Vec<String> =
        named.iter().filter(|(_, ids)| !ids.is_empty()).map(|(name, ids)| list(name, ids)).collect();
    let existing = if existing.is_empty() { "none".to_owned() } else { existing.join("; ") };
    Err(Failure::Input(format!("unknown agent {text} at tick {}; existing agents: {existing}", world.tick())))
}

/// Lists the ids of a species in order, runs of them as first and last.
fn list(name: &str, ids: &[AgentId]) -> String {
    const SHOWN: usize = 8;
    let mut bits: Vec<u64> = ids.iter().map(|id| id.to_bits()).collect();
    bits.sort_unstable();
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for id in bits {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == id => *last = id,
            _ => runs.push((id, id)),
        }
    }
    let run = |(first, last): &(u64, u64)| match (AgentId::from_bits(*first), AgentId::from_bits(*last)) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first} to {last}"),
    };
    let shown: Vec<String> = runs.iter().take(SHOWN).map(run).collect();
    let more = if runs.len() > SHOWN { ", ..." } else { "" };
    format!("{name} {}{more}", shown.join(", "))
}

fn number(number: f32) -> Value {
    json!(shortest(number))
}

/// The explanation of one agent at one tick.
struct AgentReport {
    explanation: Explanation<3>,
    dimensions: usize,
    tick: u64,
    max_force: f32,
}

impl AgentReport {
    /// The factor by which the largest force shortens the steering, if it does.
    fn truncated(&self) -> Option<f32> {
        let length = self.explanation.steering.length();
        (length > self.max_force).then(|| self.max_force / length)
    }

    /// The components along the world's axes.
    fn components<'v>(&self, vector: &'v Vector<3>) -> &'v [f32] {
        &vector.0[..self.dimensions]
    }

    fn json(&self) -> Value {
        let numbers =
            |vector| -> Value { self.components(vector).iter().map(|component| number(*component)).collect() };
        let Explanation { agent, species, state, position, velocity, columns, contributions, steering } =
            &self.explanation;
        let contributions: Vec<Value> = contributions
            .iter()
            .map(|Contribution { rule, weight, force, silent }| {
                json!({ "rule": rule, "weight": number(*weight), "force": numbers(force), "silent": silent })
            })
            .collect();
        json!({
            "agent": agent.to_string(),
            "species": species,
            "tick": self.tick,
            "state": state,
            "position": numbers(position),
            "velocity": numbers(velocity),
            "columns": columns.iter().map(|(name, numbers)| (name.clone(), json!(numbers))).collect::<Map<_, _>>(),
            "contributions": contributions,
            "steering": numbers(steering),
            "max_force": number(self.max_force),
        })
    }

    fn table(&self) -> String {
        let Explanation { agent, species, state, position, velocity, columns, contributions, steering } =
            &self.explanation;
        let mut text = String::new();
        let state = state.as_ref().map_or(String::new(), |state| format!(", in the state {state}"));
        let _ = writeln!(text, "\x1b[1m{species} {agent}\x1b[0m at tick {}{state}\n", self.tick);
        let mut line = |name: &str, weight: &str, vector: &Vector<3>, unit: &str| {
            let components: String =
                self.components(vector).iter().map(|component| format!("{:>11}", fixed(*component, 3))).collect();
            let length = vector.length();
            let _ = writeln!(
                text,
                "  \x1b[2m{name:<20}\x1b[0m {weight:>8} {components}  \x1b[2m|\x1b[0m {:>9} {unit}",
                fixed(length, 3)
            );
        };
        line("position", "", position, "m");
        line("velocity", "", velocity, "m/s");
        for Contribution { rule, weight, force, silent } in contributions {
            let unit = if *silent { "N  silent in this state" } else { "N" };
            line(rule, &format!("x {weight}"), force, unit);
        }
        line("steering", "", steering, "N");
        if let Some(share) = self.truncated() {
            line("truncated", "", &(*steering * share), "N");
        } else {
            let _ = writeln!(text, "\n  Within the largest force, {} N.", self.max_force);
        }
        if !columns.is_empty() {
            text.push('\n');
        }
        for (name, numbers) in columns {
            let numbers: String = numbers.iter().map(|number| format!("{:>11}", fixed(*number, 3))).collect();
            let _ = writeln!(text, "  \x1b[2m{name:<20}\x1b[0m {:>8} {numbers}", "");
        }
        text
    }
}
