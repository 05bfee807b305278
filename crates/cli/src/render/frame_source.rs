//! Sources of frames, tick by tick: a scenario or a trajectory.

use std::path::Path;

use throng::Vector;
use throng_draw::{Drawable, Options};

use super::caption::Names;
use crate::failure::Failure;

/// A source of frames, drawn at its present tick.
pub(super) trait FrameSource: Drawable {
    /// The drawing options that the source sets.
    fn options(&self) -> Options;
    /// The requested ticks.
    fn ticks(&self) -> Ticks;
    /// The names in captions.
    fn names(&self) -> Names;
    /// Advances to the next tick and returns its number; `None` after the last tick. The first call returns the first
    /// tick.
    fn next(&mut self) -> Result<Option<u64>, Failure>;
    /// The number of agents at the present tick.
    fn agents(&self) -> usize;
    /// Whether no agent is left and none will come.
    fn has_ended(&self) -> bool;
    /// The point at which the camera of a film looks at this tick; `None` for a camera at rest.
    fn middle(&self, tick: u64) -> Option<Vector<3>>;
}

/// The ticks to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticks {
    /// The first and the last tick that may be drawn.
    pub(super) first: u64,
    pub(super) last: u64,
    /// The number of ticks from the present one to the last.
    pub(super) count: u64,
}

/// Whether a file has this extension, in upper or lower case.
pub(super) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// The failure of an empty range of ticks.
pub(super) fn no_frames(first: u64, last: u64) -> Failure {
    Failure::Input(format!("no tick to draw: --from is {first}, and the last tick is {last}"))
}

/// The failure of `--stacked` without a building.
pub(super) fn needs_storeys() -> Failure {
    Failure::Input("--stacked is for scenarios with storeys".to_owned())
}
