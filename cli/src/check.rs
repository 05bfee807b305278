//! The command `throng check`: finds the mistakes of a scenario, or prints its outline.

use throng::Registry;

use crate::arguments::CheckOptions;
use crate::failure::Failure;
use crate::output::{grouped, print};

/// Runs the command `throng check`.
pub(crate) fn check(check: &CheckOptions, registry: &Registry) -> Result<(), Failure> {
    let scenario = check.source.load(registry, None)?;
    scenario.check_limits()?;
    let species: Vec<String> = scenario.species().map(|(name, count)| format!("{} {name}", grouped(count))).collect();
    print(&format!(
        "\x1b[1;32mok\x1b[0m {}: {} dimensions, {}, {} ticks, seed {}\n",
        scenario.name(),
        scenario.dimensions(),
        species.join(", "),
        grouped(scenario.ticks()),
        scenario.seed(),
    ))
}
