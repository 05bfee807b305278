//! The command `throng replay`: a recording, made again and compared with its hashes.

use std::fs::File;
use std::io::BufReader;

use throng::{AnyRecording, Recording, Registry, ReplayError};
use throng_scenario::shown;
use throng_view::with_falcon;

use crate::arguments::ReplayOptions;
use crate::execution::execution;
use crate::failure::Failure;
use crate::files::existing;
use crate::output::{print, print_folded};
use crate::progress;
use crate::signals::Signals;
use crate::threads;

/// Runs the command `throng replay`.
pub(crate) fn replay(options: &ReplayOptions, registry: &Registry) -> Result<(), Failure> {
    // A recording from the page may have the rule of its falcon.
    let registry = &with_falcon(registry).map_err(Failure::Input)?;
    let path = existing(&options.file)?;
    let wrong = |error: &dyn std::fmt::Display| Failure::Input(format!("{}: {error}", shown(&path)));
    let file = File::open(path).map_err(|error| wrong(&error))?;
    match AnyRecording::read_with(BufReader::new(file), registry).map_err(|error| wrong(&error))? {
        AnyRecording::Flat(recording) => replayed(options, &recording),
        AnyRecording::Space(recording) => replayed(options, &recording),
    }
}

fn replayed<const D: usize>(options: &ReplayOptions, recording: &Recording<D>) -> Result<(), Failure> {
    let (start, end) = (recording.start_tick(), recording.end_tick());
    if options.list {
        let lines = recording.edits().map(|(tick, edit)| format!("{tick:>9}  {edit}\n"));
        return print(&lines.collect::<String>());
    }
    let wrong = |error: throng::Error| Failure::Input(error.to_string());
    let signals = Signals::listen()?;
    let mut replay = recording.replay().map_err(wrong)?;
    replay.world_mut().set_execution(execution().map_err(wrong)?).map_err(wrong)?;
    let last = options.to_tick.unwrap_or(end);
    if last < start || last > end {
        return Err(Failure::Input(format!("--to-tick {last}: the recording has the ticks {start} to {end}")));
    }
    let bar = progress::bar(last - start, options.quiet);
    threads::pool(options.threads)?.install(|| {
        // The hash at the end includes the edits after the last tick; an earlier tick comes before its own edits.
        while replay.world().tick() < last || last == end {
            signals.check()?;
            if !replay.step().map_err(failure)? {
                break;
            }
            bar.inc(1);
        }
        Ok::<_, Failure>(())
    })?;
    bar.finish_and_clear();
    let (ticks, hash, edits) = (last - start, replay.world().state_hash(), recording.edits().count());
    let count = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let [ticks, edits] = [count(ticks, "tick"), count(edits as u64, "edit")];
    if options.quiet {
        return Ok(());
    }
    print_folded(&match last == end {
        true => format!("equal: {ticks}, {edits}, state hash {hash:016x}\n"),
        false => format!("{ticks} replayed; state hash at tick {last}: {hash:016x}\n"),
    })
}

/// The failure of a replay. A step that fails is a fault of the recorded run.
fn failure(error: ReplayError) -> Failure {
    match error {
        ReplayError::Step { error, .. } => Failure::Step(error),
        other => Failure::Unexpected(other.to_string()),
    }
}
