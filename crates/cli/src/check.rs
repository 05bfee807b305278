//! The command `throng check`: finds the mistakes of scenarios, or prints their outlines.

use std::path::Path;

use throng::{Registry, Warning};
use throng_scenario::printable;

use crate::arguments::CheckOptions;
use crate::failure::Failure;
use crate::find::find;
use crate::output::{grouped, print_folded};
use crate::population::described;
use crate::terminal::warn_all;

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

/// The outline of a scenario, and its warnings.
fn outline(path: &Path, check: &CheckOptions, registry: &Registry) -> Result<(String, Vec<Warning>), Failure> {
    let scenario = find(path)?.parse(registry, &check.set)?;
    scenario.check_limits()?;
    let outline = format!(
        "\x1b[1;32mok\x1b[0m {}: {} dimensions, {}, {} ticks, seed {}\n",
        printable(scenario.name()),
        scenario.dimensions(),
        described(&scenario),
        grouped(scenario.ticks()),
        scenario.seed(),
    );
    Ok((outline, scenario.warnings()))
}
