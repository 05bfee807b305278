//! The command `throng explain`: the steering of an agent by each rule after a number of ticks.

use std::fmt::Write;

use serde_json::{Map, Value, json};
use throng::{AgentId, AnyWorld, Contribution, Explanation, Registry, Vector, with_world};
use throng_formats::trajectory::shortest;
use throng_scenario::Scenario;

use crate::arguments::ExplainOptions;
use crate::execution;
use crate::failure::Failure;
use crate::output::{fixed, json_text, print, print_folded};
use crate::terminal::{folded, width};
use crate::threads;

/// Runs the command `throng explain`.
pub(crate) fn explain(explain: &ExplainOptions, registry: &Registry) -> Result<(), Failure> {
    let scenario = explain.source.load(registry, None)?;
    scenario.check_limits()?;
    threads::pool(None)?.install(|| explained(explain, &scenario))
}

fn explained(explain: &ExplainOptions, scenario: &Scenario) -> Result<(), Failure> {
    let mut world = execution::build(scenario)?;
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
    if explain.json { print(&json_text(&report.json())) } else { print_folded(&report.table(width().unwrap_or(80))) }
}

/// Finds an agent by its displayed id.
fn find(world: &AnyWorld, text: &str) -> Result<AgentId, Failure> {
    let named = world.all_species().filter_map(|(species, name, _)| Some((name, world.ids(species).ok()?)));
    let named: Vec<(&str, &[AgentId])> = named.collect();
    let mut ids = named.iter().flat_map(|(_, ids)| *ids);
    if let Some(id) = ids.find(|id| id.to_string() == text) {
        return Ok(*id);
    }
    let existing: Vec<String> =
        named.iter().filter(|(_, ids)| !ids.is_empty()).map(|(name, ids)| list(name, ids)).collect();
    let tick = world.tick();
    if existing.is_empty() {
        return Err(Failure::Input(format!("no agents at tick {tick}{}", later(world))));
    }
    Err(Failure::Input(format!("unknown agent {text} at tick {tick}; existing agents: {}", existing.join("; "))))
}

/// A proposal instead of a tick without agents: the first one after it at which there are some.
fn later(world: &AnyWorld) -> String {
    /// The most ticks to look ahead.
    const MOST: u64 = 10_000;
    let mut ahead = world.clone();
    while ahead.population() == 0 && !ahead.has_ended() && ahead.tick() - world.tick() < MOST {
        ahead.step();
    }
    let first = ahead.tick();
    match ahead.all_species().find_map(|(species, ..)| ahead.ids(species).ok()?.iter().min().copied()) {
        Some(id) => format!("; the first enter in tick {first}: try --tick {first} --agent {id}"),
        None if ahead.has_ended() => "; none is to come: try an earlier --tick".to_owned(),
        None => format!(", nor up to tick {first}: try another --tick"),
    }
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
        (length > self.max_force && self.explanation.chosen.is_none()).then(|| self.max_force / length)
    }

    /// The components along the world's axes.
    fn components<'v>(&self, vector: &'v Vector<3>) -> &'v [f32] {
        &vector.0[..self.dimensions]
    }

    fn json(&self) -> Value {
        let numbers =
            |vector| -> Value { self.components(vector).iter().map(|component| number(*component)).collect() };
        let Explanation { agent, species, state, position, velocity, columns, contributions, steering, chosen, .. } =
            &self.explanation;
        let contributions: Vec<Value> = contributions
            .iter()
            .map(|Contribution { rule, weight, force, silent, .. }| {
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
            "motion": chosen.as_ref().map(|chosen| json!({ "model": chosen.model, "velocity": numbers(&chosen.velocity) })),
        })
    }

    /// The table within this many columns. A line that is wider has its numbers below its name.
    fn table(&self, width: usize) -> String {
        let Explanation { agent, species, state, position, velocity, columns, contributions, steering, chosen, .. } =
            &self.explanation;
        let mut lines = vec![self.line("position", "", position, "m"), self.line("velocity", "", velocity, "m/s")];
        lines.extend(contributions.iter().map(|Contribution { rule, weight, force, silent, .. }| {
            let unit = if *silent { "N, silent" } else { "N" };
            self.line(rule, &format!("x {weight}"), force, unit)
        }));
        if chosen.is_none() || !contributions.is_empty() {
            lines.push(self.line("steering", "", steering, "N"));
        }
        if let Some(chosen) = chosen {
            lines.push(self.line("chosen velocity", "", &chosen.velocity, "m/s"));
        }
        if let Some(share) = self.truncated() {
            lines.push(self.line("truncated", "", &(*steering * share), "N"));
        }
        let columns: Vec<Line> =
            columns.iter().map(|(name, numbers)| Line::of(name, numbers.iter().copied())).collect();
        let cells = Cells::of(lines.iter().chain(&columns));
        let fits = lines.iter().chain(&columns).all(|line| line.wide(&cells).chars().count() <= width);
        let shown = |lines: &[Line]| -> String {
            lines.iter().map(|line| line.styled(&if fits { line.wide(&cells) } else { line.narrow(width) })).collect()
        };
        let state = state.as_ref().map_or(String::new(), |state| format!(", in the state {state}"));
        let mut text = format!("\x1b[1m{species} {agent}\x1b[0m at tick {}{state}\n\n", self.tick);
        text += &shown(&lines);
        if let Some(chosen) = chosen {
            let rules = if contributions.is_empty() { "" } else { " and the force of the rules" };
            let _ = writeln!(
                text,
                "\n  The motion {} chooses the velocity from the agent's surroundings{rules}.",
                chosen.model
            );
        } else if self.truncated().is_none() {
            let _ = writeln!(text, "\n  Within the largest force, {} N.", self.max_force);
        }
        if contributions.iter().any(|contribution| contribution.silent) {
            text += "\n  Rules that are silent in this state have no part in the steering.\n";
        }
        if !columns.is_empty() {
            text.push('\n');
        }
        text + &shown(&columns)
    }

    fn line(&self, name: &str, weight: &str, vector: &Vector<3>, unit: &str) -> Line {
        let length = format!("{:>7} {unit}", fixed(vector.length(), 3));
        Line {
            weight: weight.to_owned(),
            length: Some(length),
            ..Line::of(name, self.components(vector).iter().map(|part| f64::from(*part)))
        }
    }
}

/// A line of the table.
struct Line {
    name: String,
    weight: String,
    numbers: Vec<String>,
    /// The length of the vector, with its unit.
    length: Option<String>,
}

/// The widths of the cells of a table.
struct Cells {
    name: usize,
    weight: usize,
    number: usize,
}

impl Cells {
    /// The widths of the widest cells of some lines.
    fn of<'l>(lines: impl Iterator<Item = &'l Line>) -> Self {
        let widest = |width: usize, text: &str| Ord::max(width, text.chars().count());
        lines.fold(Self { name: 0, weight: 0, number: 0 }, |cells, line| Self {
            name: widest(cells.name, &line.name),
            weight: widest(cells.weight, &line.weight),
            number: line.numbers.iter().fold(cells.number, |width, text| widest(width, text)),
        })
    }
}

impl Line {
    fn of(name: &str, numbers: impl Iterator<Item = f64>) -> Self {
        let numbers = numbers.map(|number| fixed(number, 3)).collect();
        Self { name: name.to_owned(), weight: String::new(), numbers, length: None }
    }

    fn wide(&self, &Cells { name, weight, number }: &Cells) -> String {
        let numbers: String = self.numbers.iter().map(|text| format!("  {text:>number$}")).collect();
        let length = self.length.as_ref().map_or(String::new(), |length| format!("  | {length}"));
        format!("  {:<name$}  {:>weight$}{numbers}{length}", self.name, self.weight)
    }

    /// Two lines or more: the name with the length, and the numbers.
    fn narrow(&self, width: usize) -> String {
        let parts = [&self.name[..], &self.weight, self.length.as_deref().unwrap_or_default().trim()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!(
            "{}\n{}",
            folded(&format!("  {}", parts.join("  ")), width, 4),
            folded(&format!("    {}", self.numbers.join("  ")), width, 4)
        )
    }

    /// The text of the line with a faint name, and its end.
    fn styled(&self, text: &str) -> String {
        format!("{}\n", text.replacen(&self.name, &format!("\x1b[2m{}\x1b[0m", self.name), 1))
    }
}

#[cfg(test)]
mod tests {
    use throng_scenario::Scenario;

    use super::*;
    use crate::terminal::folded_lines;

    #[test]
    fn a_table_narrows_to_the_terminal() {
        let text = include_str!("../../../scenarios/hunt.toml");
        let mut world = Scenario::parse(text, "hunt.toml").unwrap().build_any().unwrap();
        let id = find(&world, "240").unwrap();
        let explanation = world.explain(id).unwrap();
        let report = AgentReport { explanation, dimensions: 2, tick: 0, max_force: 1.0 };
        let plain = |width| {
            let table = ["\x1b[1m", "\x1b[2m", "\x1b[0m"]
                .iter()
                .fold(report.table(width), |text, style| text.replace(style, ""));
            folded_lines(&table, width)
        };
        let wide = plain(usize::MAX);
        for width in [30, 40, 60, 200] {
            let table = plain(width);
            assert!(table.lines().all(|line| line.chars().count() <= width), "{width}: {table}");
            // The same words and numbers, in another order.
            let words = |text: &str| {
                let mut words: Vec<String> =
                    text.split_whitespace().filter(|word| *word != "|").map(str::to_owned).collect();
                words.sort_unstable();
                words
            };
            assert_eq!(words(&table), words(&wide), "{width}");
        }
        assert_eq!(plain(200), wide);
        assert!(plain(40).lines().any(|line| line.starts_with("  separation  x ")), "{}", plain(40));
        // All numbers of a rule are in one line, also with states.
        assert_eq!(plain(80), wide);
    }
}
