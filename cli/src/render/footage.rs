//! Where does the crowd come from, tick by tick?

use std::path::Path;

use throng::Registry;

use crate::arguments::Render;
use crate::failure::Failure;
use crate::picture::{Camera, Shape, Sight, Subject, Wishes};
use crate::signals::Signals;

use super::simulation;
use super::trajectory::Recording;

/// A crowd at one tick after another.
pub(super) trait Footage {
    /// What is the same at all ticks.
    fn subject(&self) -> &Subject;
    /// What it asks of pictures of it.
    fn wishes(&self) -> Wishes;
    /// The ticks that are asked for.
    fn ticks(&self) -> Ticks;
    /// Fills `crowd` with who is there at the next tick, and gives its number; `None` after the last.
    fn next(&mut self, crowd: &mut Vec<Sight>) -> Result<Option<u64>, Failure>;
    /// What is below the agents at present.
    fn scenery(&self, camera: &Camera) -> Vec<Shape>;
}

/// Which ticks are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticks {
    /// The first and the last that may be.
    pub(super) first: u64,
    pub(super) last: u64,
    /// How many there are up to the last, from the start.
    pub(super) count: u64,
}

/// What the command line names: a table if its name ends as those of tables do.
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

/// Whether the name of a file ends so, in letters of any size.
pub(super) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// That there is nothing to draw, for a reason.
pub(super) fn no_frames(first: u64, last: u64) -> Failure {
    Failure::Input(format!("there is no tick to draw from tick {first} (--from) to tick {last}, the last one"))
}
