//! The command `throng fit`: compares a scenario with recorded tracks, and seeks the values of keys that fit them best.

use std::path::Path;

use serde_json::json;
use throng::Registry;
use throng::measures::Pattern;
use throng_scenario::fit::{Compared, Fit, FitDesign, FitFault, Fitted, PersonFit, Sought, means};
use throng_scenario::{Scenario, printable, shown};
use throng_view::with_overrides;

use crate::arguments::FitOptions;
use crate::failure::Failure;
use crate::files::existing;
use crate::find::{Found, find};
use crate::origin::add_scenario;
use crate::output::{fixed, grouped, json_text};
use crate::paths::Paths;
use crate::signals::Signals;
use crate::terminal::warn;
use crate::{progress, threads};

/// The number of points beside the best one that the text lists.
const MORE: usize = 4;

/// Runs the command `throng fit`.
pub(crate) fn fit(options: &FitOptions, registry: &Registry) -> Result<(), Failure> {
    let sought = options
        .vary
        .iter()
        .map(|text| Sought::parse(text).map_err(|reason| Failure::Input(format!("--vary {text}: {reason}"))));
    let sought = sought.collect::<Result<Vec<_>, _>>()?;
    check_output(options.output.as_deref(), options.force, sought.is_empty())?;
    let Found { file, text, .. } = find(&options.source.scenario)?;
    if let Some(output) = &options.output {
        let mut paths = Paths::default();
        // A scenario with mistakes is refused below.
        match Scenario::parse_in(registry, &text, &file.to_string_lossy(), &options.source.set) {
            Ok(scenario) => add_scenario(&mut paths, &file, &scenario),
            Err(_) => paths.reads("the scenario", &file),
        }
        options.to.iter().for_each(|tracks| paths.reads("the file of --to", tracks));
        paths.writes("the file of --output", output);
        paths.check()?;
    }
    let design = FitDesign {
        registry: registry.clone(),
        text: text.clone(),
        file: file.to_string_lossy().into_owned(),
        set: options.source.set.clone(),
        tracks: options.to.iter().map(|tracks| existing(tracks).cloned()).collect::<Result<_, _>>()?,
        species: options.species.clone(),
        sought: sought.clone(),
        patterns: patterns(&options.pattern)?,
        persons: options.persons,
        from: options.from,
        every: options.every.map(Into::into),
        frames: options.frames.map(Into::into),
        seeds: options.seeds.get(),
        points: options.points.get(),
        interval: options.interval,
    };
    let pool = threads::pool(options.threads)?;
    let signals = Signals::listen()?;
    let fit = signals.while_reading(|| pool.install(|| Fit::new(design))).map_err(failure)?;
    fit.tracks().notes.iter().for_each(|note| warn(note));
    let bar = progress::bar(fit.ticks(), options.output_options.quiet);
    let watch = |ticks: u64| {
        bar.inc(ticks);
        signals.received().is_none()
    };
    let outcome = pool.install(|| {
        let points = fit.run(&watch)?;
        let best = points.first().map_or(&[][..], |best| &best.values);
        let intervals = fit.intervals(best, &watch)?;
        let watch = |_| signals.received().is_none();
        Ok((fit.compare(best, &watch)?, fit.persons(best, &watch)?, intervals, points))
    });
    bar.finish_and_clear();
    signals.check()?;
    let (compared, persons, intervals, points) = outcome.map_err(failure)?;
    if let (Some(output), Some(best)) = (&options.output, points.first()) {
        let fitted = sought.iter().zip(&best.values).map(|(sought, &value)| sought.set(value));
        let set: Vec<String> = options.source.set.iter().cloned().chain(fitted).collect();
        let text =
            with_overrides(&text, &set).map_err(|reason| Failure::Input(format!("{}: {reason}", shown(&file))))?;
        std::fs::write(output, text).map_err(|error| Failure::write(output, &error))?;
    }
    let report = Report {
        options,
        fit: &fit,
        sought: &sought,
        points: &points,
        compared: &compared,
        persons: &persons,
        intervals: &intervals,
    };
    options.output_options.print(|| report.json(), || report.text())
}

/// Refuses a scenario file that exists, or for which nothing is sought.
fn check_output(output: Option<&Path>, force: bool, nothing: bool) -> Result<(), Failure> {
    let Some(output) = output else { return Ok(()) };
    let refuse = |reason: &str| Err(Failure::Input(format!("{}: {reason}", shown(&output))));
    match output.extension() {
        _ if nothing => refuse("nothing is fitted: --vary KEY=LOW..HIGH"),
        Some(ending) if ending == "toml" => match output.exists() && !force {
            true => refuse("exists; --force overwrites it"),
            false => Ok(()),
        },
        _ => refuse("the name of a scenario ends in .toml"),
    }
}

/// The patterns with these names.
fn patterns(names: &[String]) -> Result<Vec<Pattern>, Failure> {
    let known = |name: &String| {
        let found = Pattern::ALL.into_iter().find(|pattern| pattern.name() == name.trim());
        found.ok_or_else(|| {
            let all = Pattern::ALL.map(Pattern::name).join(", ");
            Failure::Input(format!("--pattern {name}: must be one of {all}"))
        })
    };
    names.iter().map(known).collect()
}

/// The failure of the program for a fit that is refused or ends.
fn failure(fault: FitFault) -> Failure {
    match fault {
        FitFault::Scenario(problems) => problems.into(),
        FitFault::Build(error) => error.into(),
        FitFault::Step(error) => Failure::Step(error),
        fault => Failure::Input(fault.to_string()),
    }
}

/// The numbers of a person, or their means, by name. A time that does not exist is null.
fn numbers(numbers: [f64; 6]) -> serde_json::Map<String, serde_json::Value> {
    PersonFit::NUMBERS.iter().zip(numbers).map(|((name, _), number)| ((*name).to_owned(), json!(number))).collect()
}

fn json_of(person: &PersonFit) -> serde_json::Value {
    let mut object = numbers(person.numbers());
    object.insert("id".to_owned(), json!(person.id));
    object.insert("seed".to_owned(), json!(person.seed));
    object.insert("seconds".to_owned(), json!(person.seconds));
    object.into()
}

/// The outcome of a fit.
struct Report<'r> {
    options: &'r FitOptions,
    fit: &'r Fit,
    sought: &'r [Sought],
    points: &'r [Fitted],
    compared: &'r [Compared],
    persons: &'r [PersonFit],
    intervals: &'r [Option<[f64; 2]>],
}

impl Report<'_> {
    fn json(&self) -> String {
        let values = |point: &Fitted| -> serde_json::Map<String, serde_json::Value> {
            self.sought.iter().zip(&point.values).map(|(sought, &value)| (sought.key.clone(), json!(value))).collect()
        };
        let points = self.points.iter().map(|point| json!({ "distance": point.distance, "values": values(point) }));
        let patterns = self.compared.iter().map(|of| {
            json!({
                "pattern": of.pattern.name(),
                "unit": of.pattern.unit(),
                "recorded": of.recorded,
                "run": of.run,
                "wasserstein": of.wasserstein,
                "relative": of.relative,
                "kolmogorov_smirnov": of.kolmogorov_smirnov,
            })
        });
        let mut object = json!({
            "frames": self.fit.tracks().frames,
            "every": self.fit.every(),
            "points": points.collect::<Vec<_>>(),
            "patterns": patterns.collect::<Vec<_>>(),
            "scenario": self.options.output.as_ref().map(|output| output.to_string_lossy()),
        });
        if self.options.interval {
            let named = self.sought.iter().zip(self.intervals).map(|(sought, ends)| (sought.key.clone(), json!(ends)));
            object["intervals"] = named.collect::<serde_json::Map<_, _>>().into();
        }
        if !self.persons.is_empty() {
            object["persons"] = self.persons.iter().map(json_of).collect();
            object["means"] = numbers(means(self.persons)).into();
        }
        json_text(&object)
    }

    /// The table of persons, or of patterns.
    fn table(&self) -> String {
        if self.persons.is_empty() {
            return self.patterns();
        }
        let missing = self.persons.iter().filter(|person| person.late.is_nan()).count();
        let count = grouped(self.persons.len() as u64);
        let mut text = format!("means of {count} runs, each with one simulated person\n");
        for ((name, unit), mean) in PersonFit::NUMBERS.iter().zip(means(self.persons)) {
            let named = if unit.is_empty() { (*name).to_owned() } else { format!("{name}, {unit}") };
            let name = named.replace('_', " ");
            text += &format!("{name:<18} {:>9}\n", fixed(mean, 3));
        }
        text + &format!("{:<18} {missing:>9}\n", "not arrived")
    }

    fn patterns(&self) -> String {
        let mut text = "pattern           tracks        run  distance  relative      KS\n".to_owned();
        for of in self.compared {
            let name = match of.pattern.unit() {
                "" => of.pattern.name().to_owned(),
                unit => format!("{}, {unit}", of.pattern.name()),
            };
            let [recorded, run, distance] = [of.recorded, of.run, of.wasserstein].map(|number| fixed(number, 3));
            let [relative, largest] = [of.relative, of.kolmogorov_smirnov].map(|number| fixed(number, 3));
            text += &format!("{name:<14} {recorded:>9} {run:>10} {distance:>9} {relative:>9} {largest:>7}\n");
        }
        text
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if let (Some(best), false) = (self.points.first(), self.sought.is_empty()) {
            let count = grouped(self.points.len() as u64);
            text += &format!("the best of {count} points has the distance {}\n", fixed(best.distance, 4));
            for (number, (sought, value)) in self.sought.iter().zip(&best.values).enumerate() {
                let interval = match self.intervals.get(number).filter(|_| self.options.interval) {
                    Some(Some([low, high])) => {
                        format!(", from {} to {} with 95 % confidence", fixed(*low, 4), fixed(*high, 4))
                    }
                    Some(None) => {
                        ", which the tracks do not bound inside of its range, and within a fifth of it".to_owned()
                    }
                    None => String::new(),
                };
                text += &format!("  {} = {value}{interval}\n", printable(&sought.key));
            }
            let others = self.points.iter().skip(1).take(MORE).map(|point| {
                let values: Vec<String> = point.values.iter().map(f64::to_string).collect();
                format!("{} at {}", fixed(point.distance, 4), values.join(", "))
            });
            let others: Vec<String> = others.collect();
            if !others.is_empty() {
                text += &format!("the next ones: {}\n", others.join("; "));
            }
            text += "\n";
        }
        text += &self.table();
        if let Some(output) = &self.options.output {
            text += &format!("wrote {}\n", shown(&output));
        }
        text
    }
}
