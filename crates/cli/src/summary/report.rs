//! The summary of a run as text: first the events, and the cost of the stages on request.

use std::fmt::Write;

use throng::Removal;
use throng_scenario::{printable, shown};

use super::{Account, Summary};
use crate::measured;
use crate::output::{fixed, grouped, short};
use crate::terminal::{columns, folded};

/// The columns before the values.
const INDENT: usize = 17;

/// The lines of a text: names and values.
struct Lines(String);

impl Lines {
    /// Adds a line, folded. A line without a name continues the one before it.
    fn add(&mut self, name: &str, value: &str) {
        let margin = format!("\n{:INDENT$}", "");
        let value = folded(value, columns() - INDENT, 0).replace('\n', &margin);
        let _ = writeln!(self.0, "  \x1b[2m{name:<14}\x1b[0m {value}");
    }
}

impl Summary {
    /// The summary as text. If `verbose`, it has the stages of a tick and all figures.
    pub(crate) fn text(&self, verbose: bool) -> String {
        let mut lines = Lines(self.headline());
        lines.add("agents", &self.agents_text());
        for (name, value) in measured::lines(&self.recorder) {
            lines.add(&name, &value);
        }
        if let Some(crossings) = self.totals.wall_crossings.filter(|crossings| *crossings > 0 || verbose) {
            lines.add("walls", &format!("{} crossings", grouped(crossings)));
        }
        if self.agents > 0 {
            lines.add("at the end", &self.end_text());
        }
        if let Some(text) = self.time_text(verbose) {
            lines.add("time", &text);
        }
        lines.add("speed", &self.speed_text());
        if verbose {
            self.add_stages(&mut lines);
            self.add_figures(&mut lines);
        }
        lines.add("state hash", &format!("{} with seed {}", self.hash_text(), self.seed));
        self.add_files(&mut lines);
        lines.0
    }

    /// The run in one line.
    fn headline(&self) -> String {
        let ticks = format!("{} {}", grouped(self.ticks), if self.ticks == 1 { "tick" } else { "ticks" });
        let interrupted = if self.interrupted { ", interrupted" } else { "" };
        let (simulated, real) = (short_time(self.simulated_seconds), fixed(self.totals.clock.wall(), 2));
        let name = printable(&self.scenario).to_string();
        format!("\x1b[1m{name}\x1b[0m: {simulated} s ({ticks}) simulated in {real} s{interrupted}\n\n")
    }

    /// The state at the end: the measures that the file defines, or the order and the means of variables.
    fn end_text(&self) -> String {
        let mut parts = measured::own(&self.recorder);
        if parts.is_empty() {
            parts.push(format!("polarisation {}", fixed(self.polarisation, 3)));
            let variables = self.columns.iter().filter(|(_, name, _)| self.variables.contains(name));
            parts.extend(variables.take(3).map(|(_, name, mean)| format!("mean {name} {}", fixed(*mean, 3))));
        }
        parts.push(format!("mean speed {} m/s", fixed(self.mean_speed, 2)));
        parts.join(", ")
    }

    /// How many agents there were, came and left.
    fn agents_text(&self) -> String {
        let (start, most, end) = (self.totals.start, self.totals.most, self.agents as u64);
        let of_species = || {
            let present = self.species.iter().filter(|(_, agents)| *agents > 0 || self.species.len() == 1);
            present.map(|(name, agents)| format!("{} {name}", grouped(*agents as u64))).collect::<Vec<_>>().join(", ")
        };
        if [start, most].iter().all(|number| *number == end) && self.came_and_went().is_none() {
            return of_species();
        }
        let mut parts: Vec<String> =
            (start > 0).then(|| format!("{} at the start", grouped(start))).into_iter().collect();
        parts.extend(self.came_and_went());
        let entered = self.account.spawned.saturating_sub(start);
        if most > start && most > end && most < start + entered {
            parts.push(format!("{} at the most", grouped(most)));
        }
        let several = self.species.iter().filter(|(_, agents)| *agents > 0).count() > 1;
        let species = if several { format!(" ({})", of_species()) } else { String::new() };
        parts.push(format!("{} at the end{species}", grouped(end)));
        if self.ended && end == 0 {
            parts.push("none is to come".to_owned());
        }
        parts.join(", ")
    }

    /// The agents that entered, and those that left, by their way out.
    fn came_and_went(&self) -> Option<String> {
        let Account { spawned, removed, waiting } = &self.account;
        let entered = spawned.saturating_sub(self.totals.start);
        let sum: u64 = removed.iter().map(|(_, count)| count).sum();
        // Those that left across the edge need no words of their own beside the sum.
        let of = |(reason, count): &(String, u64)| match reason.strip_prefix("sink:") {
            Some(sink) => Some(format!("{} by {sink}", grouped(*count))),
            None if reason == Removal::Left.name() => None,
            None => Some(format!("{} {reason}", grouped(*count))),
        };
        let mut parts = Vec::new();
        if entered > 0 {
            parts.push(format!("{} entered", grouped(entered)));
        }
        if *waiting > 0 {
            parts.push(format!("{} wait for room at their sources", grouped(*waiting)));
        }
        match &removed[..] {
            [] => {}
            [(reason, count)] => parts.push(match reason.strip_prefix("sink:") {
                Some(sink) => format!("{} left by {sink}", grouped(*count)),
                None => format!("{} {reason}", grouped(*count)),
            }),
            reasons => {
                let reasons: Vec<String> = reasons.iter().filter_map(of).collect();
                let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
                parts.push(format!("{} left{reasons}", grouped(sum)));
            }
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The parts of the time, if the ticks took less than most of it.
    fn time_text(&self, verbose: bool) -> Option<String> {
        let clock = &self.totals.clock;
        let is_long = clock.wall() >= 1.0 && clock.ticks < 0.9 * clock.wall();
        let parts = clock.parts().into_iter().filter(|(_, seconds)| *seconds >= 0.005);
        let parts: Vec<String> = parts.map(|(name, seconds)| format!("{name} {} s", fixed(seconds, 2))).collect();
        (verbose || is_long).then(|| parts.join(", "))
    }

    /// How fast it was.
    fn speed_text(&self) -> String {
        let (ticks, updates) = (short(self.ticks_per_second()), short(self.updates_per_second()));
        format!("{ticks} ticks/s, {} x real time, {updates} agents/s", short(self.real_time()))
    }

    /// The cost of the stages of a tick.
    fn add_stages(&self, lines: &mut Lines) {
        let total: f64 = self.stages().map(|(_, mean)| mean).sum();
        let threads = if self.threads == 1 { "thread" } else { "threads" };
        let mut machine = format!("{} ms on {} {threads} with {}", fixed(total, 3), self.threads, self.instruction_set);
        // Where threads would cost more than they save, ticks are on one.
        let on_one = (100.0 * self.on_one_thread).round();
        if self.threads > 1 && on_one > 0.0 {
            let _ = write!(machine, ", {on_one} % of ticks on one");
        }
        lines.add("a tick", &machine);
        // The meanings of stages fit a narrow terminal without bars.
        let bars = if columns() < 72 { 0 } else { 16 };
        for (name, mean) in self.stages() {
            let share = if total > 0.0 { mean / total } else { 0.0 };
            let bar = "▪".repeat((share * bars as f64).round() as usize);
            let (mean, meaning) = (fixed(mean, 3), stage_meaning(name));
            let _ =
                writeln!(lines.0, "  \x1b[2m  {name:<12}\x1b[0m {mean:>7} ms  {bar:<bars$} \x1b[2m{meaning}\x1b[0m");
        }
        let profile = self.totals.profile();
        let (neighbours, candidates) = (profile.mean_neighbours(), profile.candidates_per_pair());
        let text = format!("{} on average, of {} candidates each", fixed(neighbours, 1), fixed(candidates, 2));
        lines.add("neighbours", &text);
    }

    /// All other figures.
    fn add_figures(&self, lines: &mut Lines) {
        for (name, value) in measured::all(&self.recorder) {
            lines.add(&name, &value);
        }
        for (species, name, mean) in &self.columns {
            lines.add("at the end", &format!("mean {name} {} ({species})", fixed(*mean, 3)));
        }
        let events = self.totals.events().filter(|(_, count)| *count > 0);
        let events: Vec<String> =
            events.map(|(name, count)| format!("{} {}", grouped(count), name.replace('_', " "))).collect();
        if !events.is_empty() {
            lines.add("events", &events.join(", "));
        }
        if let Some(colours) = &self.colours {
            lines.add("colours", colours);
        }
    }

    /// The files, by their folders. The picture comes last, where it is found at once.
    fn add_files(&self, lines: &mut Lines) {
        let (pictures, others): (Vec<_>, Vec<_>) = self.files.iter().partition(|(name, _)| *name == "picture");
        let mut folders: Vec<(String, Vec<String>)> = Vec::new();
        for (_, path) in others.into_iter().chain(pictures) {
            let shown = |part: Option<&std::path::Path>| part.map(|part| shown(&part).to_string());
            let folder = shown(path.parent()).unwrap_or_default();
            let name = shown(path.file_name().map(std::path::Path::new)).unwrap_or_default();
            match folders.iter_mut().find(|(known, _)| *known == folder) {
                Some((_, names)) => names.push(name),
                None => folders.push((folder, vec![name])),
            }
        }
        // The folder with the picture is the last.
        folders.sort_by_key(|(_, names)| names.last().is_some_and(|name| name == crate::results::PICTURE));
        for (folder, names) in folders {
            let folder = if folder.is_empty() { folder } else { format!("{folder}/ ") };
            lines.add("wrote", &format!("{folder}{}", names.join(", ")));
        }
    }
}

/// A time in seconds with the decimals that matter.
fn short_time(seconds: f64) -> String {
    fixed(
        seconds,
        if seconds < 10.0 {
            2
        } else if seconds < 1000.0 {
            1
        } else {
            0
        },
    )
}

/// The work of a stage of the tick, in a few words.
fn stage_meaning(name: &str) -> &'static str {
    match name {
        "edit" => "adds and removes agents",
        "arrange" => "sorts agents by place",
        "index" => "builds the search trees",
        "decide" => "changes states",
        "steer" => "adds up the rules' forces",
        "quarantine" => "drops invalid forces",
        "integrate" => "moves agents",
        "collide" => "keeps agents off walls",
        "confine" => "applies the world's edge",
        _ => "",
    }
}
