//! The command `throng check`: finds the mistakes of scenarios, or prints their outlines.

use std::io::Read;
use std::path::Path;

use throng::{Registry, Scenario, Warning};

use crate::arguments::CheckOptions;
use crate::failure::Failure;
use crate::files::existing;
use crate::output::{grouped, print_folded};
use crate::terminal::warn_all;

/// The largest scenario from the standard input, in bytes.
const MAX_INPUT: u64 = 64 << 20;

/// Runs the command `throng check`. All files are checked, even if one of them has mistakes.
pub(crate) fn check(check: &CheckOptions, registry: &Registry) -> Result<(), Failure> {
    let mut last = Ok(());
    for path in &check.scenarios {
        match outline(path, check, registry) {
            Ok((outline, warnings)) => {
                print_folded(&outline)?;
                warn_all(&warnings);
            }
            Err(failure) => {
                // The last failure is reported where the program ends.
                if let Err(earlier) = std::mem::replace(&mut last, Err(failure)) {
                    earlier.report();
                }
            }
        }
    }
    last
}

/// The outline of a scenario, and what its author hardly means.
fn outline(path: &Path, check: &CheckOptions, registry: &Registry) -> Result<(String, Vec<Warning>), Failure> {
    let scenario = if path == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().take(MAX_INPUT).read_to_string(&mut text);
        read.map_err(|error| Failure::Input(format!("the standard input: {error}")))?;
        Scenario::parse_in(registry, &text, "standard input", &check.set)?
    } else {
        Scenario::load_in(registry, existing(&path)?, &check.set)?
    };
    scenario.check_limits()?;
    let species: Vec<String> = scenario.species().map(|(name, count)| format!("{} {name}", grouped(count))).collect();
    let outline = format!(
        "\x1b[1;32mok\x1b[0m {}: {} dimensions, {}, {} ticks, seed {}\n",
        scenario.name(),
        scenario.dimensions(),
        species.join(", "),
        grouped(scenario.ticks()),
        scenario.seed(),
    );
    Ok((outline, scenario.warnings()))
}
