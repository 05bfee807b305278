//! The progress bar on the standard error.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::output::short;

/// A bar of `ticks` ticks: invisible if `quiet`, or if the standard error is not a terminal.
pub(crate) fn bar(ticks: u64, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(15) };
    let bar = ProgressBar::with_draw_target(Some(ticks), target);
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colour = if plain { "" } else { ":.cyan/dim" };
    // The bar takes the rest of the line: a line that is folded cannot be removed again.
    let template = format!("{{wide_bar{colour}}} {{pos}} of {{len}} ticks, {{rate}}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            // A failure to format is a failure of the terminal's line.
            let _ = write!(out, "{} ticks/s", short(state.per_sec()));
        };
        bar.set_style(style.progress_chars("━━─").with_key("rate", rate));
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
