//! The measures of a sweep, and which ticks of a run they are taken over.

use throng::measures::{MeasureOf, Outcome, Statistic};
use throng_scenario::Scenario;

use crate::failure::Failure;
use crate::values::whole;

/// The measures that a sweep writes if the command line names none.
const DEFAULT: [&str; 2] = ["polarisation", "mean_speed"];

/// The names of measures in texts with commas between them. Commas inside of expressions are a part of these.
pub(super) fn apart(texts: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for text in texts {
        let mut depth = 0;
        names.extend(text.split(|character| {
            depth += i32::from(character == '(') - i32::from(character == ')');
            character == ',' && depth <= 0
        }));
    }
    names.into_iter().map(|name| name.trim().to_owned()).collect()
}

/// The measures with these names, in a sweep of this scenario with this radius.
pub(super) fn named(names: &[String], radius: Option<f32>, scenario: &Scenario) -> Result<Vec<MeasureOf>, Failure> {
    let names = if names.is_empty() { DEFAULT.map(str::to_owned).to_vec() } else { names.to_vec() };
    let known: Vec<&str> = scenario.species().map(|(name, _)| name).collect();
    let mut found: Vec<MeasureOf> = Vec::new();
    for name in &names {
        let refuse = |reason: &str| Err(Failure::Input(format!("--measure {name}: {reason}")));
        let of = scenario.measure(name).map_err(|error| Failure::Input(format!("--{error}")))?;
        if found.iter().any(|other| other.to_string() == of.to_string()) {
            return refuse("is there twice");
        }
        if of.measure.needs_radius && radius.is_none() {
            return refuse("needs a radius: --radius R");
        }
        if of.species.as_deref().is_some_and(|species| !known.contains(&species)) {
            return refuse(&format!("the scenario has no such species; it has {}", known.join(", ")));
        }
        found.push(of);
    }
    Ok(found)
}

/// The name of a measure, and its expression if it has one.
pub(super) fn definition(of: &MeasureOf) -> String {
    if of.measure.built_in_name().is_empty() { format!("{of} = {}", of.measure.help) } else { of.to_string() }
}

/// The outcomes of a sweep that adds seeds until its egress curves have converged.
const DEFAULT_OUTCOMES: [&str; 5] = ["exit_first", "exit_median", "exit_95", "exit_last", "remaining"];

/// The outcomes among these names, each once, and the other names. With `until`, the usual outcomes of an evacuation if
/// names are missing.
pub(super) fn outcomes(names: &[String], until: bool) -> Result<(Vec<Outcome>, Vec<String>), Failure> {
    if names.is_empty() && until {
        return Ok((DEFAULT_OUTCOMES.into_iter().filter_map(Outcome::parse).collect(), Vec::new()));
    }
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for name in names {
        match Outcome::parse(name.trim()) {
            Some(outcome) if found.contains(&outcome) => {
                return Err(Failure::Input(format!("--measure {name}: is there twice")));
            }
            Some(outcome) => found.push(outcome),
            None => others.push(name.clone()),
        }
    }
    Ok((found, others))
}

/// The statistics with these names, each once.
pub(super) fn statistics(names: &[String]) -> Result<Vec<Statistic>, Failure> {
    let mut found = Vec::new();
    for name in names {
        let refuse = |reason: String| Err(Failure::Input(format!("--statistic {name}: {reason}")));
        match Statistic::ALL.into_iter().find(|known| known.name() == name.trim()) {
            Some(statistic) if found.contains(&statistic) => return refuse("is there twice".to_owned()),
            Some(statistic) => found.push(statistic),
            None => {
                let known = Statistic::ALL.map(Statistic::name).join(", ");
                return refuse(format!("must be one of {known}"));
            }
        }
    }
    Ok(found)
}

/// The ticks that a sweep measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// Those after this one.
    Tick(u64),
    /// Those after the run has relaxed.
    Relaxed,
}

/// Parses a tick or `auto`.
pub(crate) fn from(text: &str) -> Result<From, String> {
    if text == "auto" {
        Ok(From::Relaxed)
    } else {
        whole(text).map(From::Tick).map_err(|reason| format!("{reason}, or auto"))
    }
}

/// The largest errors of means, by the numbers of measures.
pub(super) type Precision = Vec<(usize, f64)>;

/// Parses `NAME=ERROR` for some of the measures.
pub(super) fn precision(texts: &[String], measures: &[MeasureOf]) -> Result<Precision, Failure> {
    let target = |text: &String| {
        let refuse = |reason: String| Failure::Input(format!("--precision {text}: {reason}"));
        let parts = text.split_once('=').map(|(name, error)| (name.trim(), error.trim().parse::<f64>()));
        let Some((name, Ok(error))) = parts.filter(|(_, error)| error.as_ref().is_ok_and(|error| *error > 0.0)) else {
            return Err(refuse("must be NAME=ERROR, with an error above zero".to_owned()));
        };
        let measure = measures.iter().position(|measure| measure.to_string() == name);
        let measure = measure.ok_or_else(|| refuse(format!("{name} is not measured: --measure {name}")))?;
        Ok((measure, error))
    };
    texts.iter().map(target).collect()
}
