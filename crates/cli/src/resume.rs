//! The command `throng resume`: continues a run from its last checkpoint.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use throng::Registry;
use throng_scenario::{Scenario, shown};

use crate::arguments::ResumeOptions;
use crate::atomic_file::compare;
use crate::checkpoint::{self, Opened};
use crate::execution;
use crate::failure::Failure;
use crate::lead::Lead;
use crate::origin::Origin;
use crate::output::{grouped, print_folded};
use crate::paths::Paths;
use crate::results::{self, Folder, MEASURES, has_ended};
use crate::running::{Progress, Running, Task};
use crate::terminal::warn_all;
use crate::threads;

/// Runs the command `throng resume`.
pub(crate) fn resume(options: &ResumeOptions, registry: &Registry) -> Result<(), Failure> {
    resume_with(options, registry, Lead::default(), &mut false)
}

/// Runs the command as the first of the ranks that `lead` leads. Sets `has_begun` once they wait for this one.
pub(crate) fn resume_with(
    options: &ResumeOptions,
    registry: &Registry,
    mut lead: Lead,
    has_begun: &mut bool,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let (results, chosen) = choose(&options.source)?;
    // The lock of the folder comes first: a run in progress changes its files.
    let folder = Folder::reopen(results.to_owned())?;
    let unusable = |reason: String| unusable(&chosen, &reason, results, registry);
    let Opened { header, progress, saved } = usable(&chosen, results).map_err(unusable)?;
    let unusable = |reason: String| unusable(format!("the checkpoint {reason}"));
    let (origin, ticks) = (header.origin, options.ticks.unwrap_or(header.ticks));
    let scenario = origin.scenario(registry)?;
    if header.tick > ticks {
        return Err(Failure::Input(format!("the checkpoint is of tick {}, after tick {ticks}", header.tick)));
    }
    if header.tick == ticks && lead.ranks().count() == 1 && asks_nothing(options) && has_ended(results) {
        let (shown, ticks) = (shown(&results).to_string(), grouped(ticks));
        let text = format!("{shown}: this run is complete ({ticks} ticks); --ticks N goes on\n");
        return if options.output_options.quiet { Ok(()) } else { print_folded(&text) };
    }
    let mut paths = Paths::default();
    origin.add_to(&mut paths, &scenario);
    results::add_to(&mut paths, results);
    progress.add_to(&mut paths);
    paths.check()?;
    execution::check()?;
    warn_all(&scenario.warnings());
    let (output_options, expect_hash, verbose) = (&options.output_options, options.expect_hash, options.verbose);
    let (origin, scenario) = (&origin, &scenario);
    let (caption, open, watch) = (true, false, None);
    let task = Task { origin, scenario, ticks, output_options, caption, open, verbose, watch, expect_hash, begun };
    let every = options.checkpoint_every.unwrap_or(header.every);
    let pool = threads::pool(options.threads)?;
    pool.install(|| {
        *has_begun = true;
        let world = lead.load(saved, origin, registry, unusable)?;
        Running::resume(&task, folder, every, progress, (world, lead))?.finish(&task)
    })
}

/// Whether nothing is asked of a run that has come to its end.
fn asks_nothing(options: &ResumeOptions) -> bool {
    options.ticks.is_none() && options.expect_hash.is_none() && !options.output_options.json
}

/// Opens the checkpoint of a run for a rank that is not the first, which changes the results meanwhile. Returns its path
/// too.
pub(crate) fn open(source: &Path) -> Result<(PathBuf, Opened<Progress>), Failure> {
    let (_, chosen) = choose(source)?;
    let opened = checkpoint::open(&chosen).map_err(|reason| refused(&chosen, &reason))?;
    Ok((chosen, opened))
}

/// The failure of a checkpoint that cannot be used.
pub(crate) fn refused(path: &Path, reason: &str) -> Failure {
    Failure::Checkpoint(format!("{}: the checkpoint {reason}", shown(&path)))
}

/// Returns the folder of results and the checkpoint that `source` names: the newest one, if it is a folder.
fn choose(source: &Path) -> Result<(&Path, PathBuf), Failure> {
    let missing = |what: &str| Failure::Input(format!("{}: {what}", shown(&source)));
    if source.is_dir() {
        let newest = checkpoint::list(source).into_iter().next();
        Ok((source, newest.ok_or_else(|| missing("no checkpoints are in this folder"))?.1))
    } else if source.exists() {
        let results = checkpoint::results_of(source).ok_or_else(|| missing("is in no folder of results"))?;
        Ok((results, source.to_owned()))
    } else {
        Err(missing("does not exist"))
    }
}

/// Opens a checkpoint, and compares the scenario and the outputs with it.
fn usable(path: &Path, results: &Path) -> Result<Opened<Progress>, String> {
    let opened = checkpoint::open::<Progress>(path).map_err(|reason| format!("the checkpoint {reason}"))?;
    let Opened { header, progress, .. } = &opened;
    if let Some(difference) = changed(&header.origin) {
        return Err(difference);
    }
    progress.trajectories.files.iter().try_for_each(|file| file.compare(results))?;
    if let Some(extent) = progress.series.extent {
        compare(&results.join(MEASURES), extent)?;
    }
    Ok(opened)
}

/// Describes the first difference of the scenario file from the scenario of the run. A file that is gone is none: the
/// checkpoint has its text.
fn changed(origin: &Origin) -> Option<String> {
    if !origin.file.is_file() {
        return None;
    }
    let file = shown(&origin.file);
    let text = match Scenario::read(&origin.file) {
        Ok(text) if text == origin.text => return None,
        Ok(text) => text,
        Err(_) => fs::read_to_string(&origin.file).unwrap_or_default(),
    };
    let (mut now, mut then) = (text.lines(), origin.text.lines());
    for number in 1_u64.. {
        match (now.next(), then.next()) {
            (now, then) if now == then && now.is_some() => {}
            (now, then) => {
                let line = |line: Option<&str>| line.map_or("missing".to_owned(), |line| format!("`{line}`"));
                let (now, then) = (line(now), line(then));
                return Some(format!("{file}:{number} has changed: it is {now}, and was {then} in this run"));
            }
        }
    }
    None
}

/// The failure of a checkpoint that cannot be used, with the newest older one that can.
fn unusable(path: &Path, reason: &str, results: &Path, registry: &Registry) -> Failure {
    let older = checkpoint::list(results)
        .into_iter()
        .map(|(_, older)| older)
        .filter(|older| older.file_name() < path.file_name());
    let mut older = older.into_iter();
    let usable =
        older.find(|older| usable(older, results).is_ok_and(|opened| execution::load(opened.saved, registry).is_ok()));
    let advice = match usable {
        Some(older) => format!("an older checkpoint is usable: `throng resume {}`", shown(&older)),
        None => "no older checkpoint is usable".to_owned(),
    };
    Failure::Checkpoint(format!("{}: {reason}; {advice}", shown(&path)))
}
