//! Constants of species: variables that are one number for all agents.

use serde_json::{Value as Json, json};
use throng::species::Distribution;
use throng::{Species, Variable};
use throng_formats::trajectory::shortest;

/// The constants of a species, with their values: variables that start at one number, and that no rule and no state
/// changes.
pub(crate) fn constants<const D: usize>(species: &Species<D>) -> impl Iterator<Item = (&Variable, f32)> {
    let updated: Vec<String> =
        species.rules.iter().flat_map(|rule| rule.behaviour.inputs().updated().to_vec()).collect();
    species.variables.iter().filter_map(move |variable| {
        let Distribution::Same(value) = variable.start else { return None };
        let mut rates = species.states.iter().flat_map(|state| &state.rates);
        let changes = updated.contains(&variable.name) || rates.any(|(name, _)| *name == variable.name);
        (!changes).then_some((variable, value))
    })
}

/// Describes the constants for the page, named `variables.NAME`.
pub(crate) fn describe<const D: usize>(species: &Species<D>) -> impl Iterator<Item = Json> {
    constants(species).map(|(variable, value)| {
        let [low, high, value] = [variable.low, variable.high, value].map(shortest);
        json!({
            "name": format!("variables.{}", variable.name), "form": "number", "value": value, "usual": null, "unit": "",
            "help": "A variable of all agents, which no rule sets.", "low": low, "high": high, "above": false,
        })
    })
}
