//! Sources of frames: a crowd for each tick, from a scenario or a trajectory.

use std::path::Path;

use throng::Registry;

use crate::arguments::Render;
use crate::failure::Failure;
use crate::picture::{Camera, Shape, Sight, Subject, Wishes};
use crate::signals::Signals;

use super::simulation;
use super::trajectory::Recording;

/// A source of crowds, tick by tick.
pub(super) trait Footage {
    /// The facts that hold at all ticks.
    fn subject(&self) -> &Subject;
    /// The options of pictures that the source sets.
    fn wishes(&self) -> Wishes;
    /// The requested ticks.
    fn ticks(&self) -> Ticks;
    /// Fills `crowd` with the agents of the next tick and returns its number; `None` after the last.
    fn next(&mut self, crowd: &mut Vec<Sight>) -> Result<Option<u64>, Failure>;
    /// The present scenery.
    fn scenery(&self, camera: &Camera) -> Vec<Shape>;
}

/// The ticks to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticks {
    /// The first and the last tick that may be drawn.
    pub(super) first: u64,
    pub(super) last: u64,
    /// The number of ticks from the start to the last.
    pub(super) count: u64,
}

/// Opens the input of the command line: a trajectory if its extension is `csv`, else a scenario.
pub(super) fn open(render: &Render, registry: &Registry, signals: &Signals) -> Result<Box<dyn Footage>, Failure> {
    let input = &render.source.scenario;
    if !has_extension(input, "csv") {
        return simulation::open(render, registry, signals);
    }
    if !render.source.set.is_empty() || render.engine.seed.is_some() {
        let reason = "is a trajectory: --set and --seed are for scenarios";
        return Err(Failure::Input(format!("{}: {reason}", input.display())));
    }
    Ok(Box::new(Recording::open(render, signals)?))
}

/// Whether a file has this extension, in upper or lower case.
pub(super) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// The failure of an empty range of ticks.
pub(super) fn no_frames(first: u64, last: u64) -> Failure {
    Failure::Input(format!("there is no tick to draw from tick {first} (--from) to tick {last}, the last one"))
}
