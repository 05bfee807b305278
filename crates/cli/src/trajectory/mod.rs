//! The trajectories of a run: files of positions over time, each written by a thread of its own.

mod background;
mod frame;
mod sink;
mod target;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use throng::AnyWorld;
use throng_draw::{Colour, Options, Painter};
use throng_formats::trajectory::{Frame, TrajectoryFormat, shortest};
use throng_scenario::{Scenario, Storeys, trajectories};

use crate::checkpoint::Resumable;
use crate::failure::Failure;
use crate::results::{Checksums, Files, Folder, TRAJECTORY};
use crate::unwrapped::Unwrapped;
use background::Background;
use sink::Sink;
pub(crate) use sink::SinkState;
pub(crate) use target::{Requested, Target, trajectory_file};

/// The trajectories of a run in progress.
#[derive(Debug)]
pub(crate) struct Trajectories {
    files: Vec<TrajectoryFile>,
    unwrapped: Option<Unwrapped>,
    /// Chooses the colours of agents, if a format has them.
    painter: Option<Painter>,
}

/// One trajectory.
#[derive(Debug)]
struct TrajectoryFile {
    target: Target,
    every: u64,
    /// The building, if the file has places in its plan and their heights.
    storeys: Option<Storeys>,
    writer: Background,
}

/// The part of a checkpoint for the trajectories.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct TrajectoriesState {
    pub(crate) files: Vec<FileState>,
    unwrapped: Option<Unwrapped>,
}

/// The part of a checkpoint for one trajectory.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FileState {
    pub(crate) target: Target,
    every: u64,
    pub(crate) sink: SinkState,
}

impl Resumable for Trajectories {
    type State = TrajectoriesState;

    fn mark(&mut self) -> Result<TrajectoriesState, Failure> {
        let marked = self.files.iter_mut().map(|file| {
            let sink = file.writer.mark()?;
            Ok(FileState { target: file.target.clone(), every: file.every, sink })
        });
        let marked: Result<Vec<FileState>, Failure> = marked.collect();
        let files = marked.map_err(|failure| self.end(failure))?;
        Ok(TrajectoriesState { files, unwrapped: self.unwrapped.clone() })
    }
}

impl Trajectories {
    /// Starts the trajectory that the scenario asks for, if it does, and the trajectories of the command line.
    pub(crate) fn start(
        mut folder: Option<&mut Folder>,
        requested: &Requested<'_>,
        scenario: &Scenario,
        world: &AnyWorld,
    ) -> Result<Self, Failure> {
        let output = scenario.output();
        let own = output.trajectory_every.filter(|_| folder.is_some());
        if let Some(folder) = folder.as_mut().filter(|_| own.is_some()) {
            folder.expect(TRAJECTORY);
        }
        let folder = folder.as_deref();
        let own = own.map(|every| (Target::Result(TRAJECTORY.to_owned()), every));
        let every = requested.every.or(output.trajectory_every).unwrap_or(1);
        let others = requested.files.iter().map(|file| (Target::of(file, folder), every));
        let targets: Vec<(Target, u64)> = own.into_iter().chain(others).collect();
        let mut files = Vec::new();
        for (target, every) in targets {
            let path = target.path(folder.map(Folder::root));
            let storeys = building(scenario, &path);
            let heading = frame::heading(scenario, world, every, storeys);
            let writer = Background::start(Sink::start(path, &heading)?)?;
            files.push(TrajectoryFile { target, every, storeys: storeys.cloned(), writer });
        }
        let unwrapped = (output.trajectory_unwrapped && !files.is_empty()).then(Unwrapped::default);
        let painter = painter(&files, scenario, world);
        Ok(Self { files, unwrapped, painter })
    }

    /// Continues the trajectories of a run.
    pub(crate) fn resume(
        folder: &mut Folder,
        scenario: &Scenario,
        world: &AnyWorld,
        state: TrajectoriesState,
    ) -> Result<Self, Failure> {
        if state.files.iter().any(|file| file.target.is_result(TRAJECTORY)) {
            folder.expect(TRAJECTORY);
        }
        let resumed = state.files.into_iter().map(|FileState { target, every, sink }| {
            let path = target.path(Some(folder.root()));
            let storeys = building(scenario, &path);
            let heading = frame::heading(scenario, world, every, storeys);
            let writer = Background::start(Sink::resume(path, &heading, &sink)?)?;
            Ok(TrajectoryFile { target, every, storeys: storeys.cloned(), writer })
        });
        let files = resumed.collect::<Result<Vec<_>, Failure>>()?;
        let painter = painter(&files, scenario, world);
        Ok(Self { files, unwrapped: state.unwrapped, painter })
    }

    /// Whether a file reads the world at this tick.
    pub(crate) fn is_due(&self, tick: u64) -> bool {
        self.unwrapped.is_some() || self.files.iter().any(|file| tick.is_multiple_of(file.every))
    }

    /// Observes the world at every tick, and writes it where the tick is due.
    pub(crate) fn write(&mut self, world: &AnyWorld) -> Result<(), Failure> {
        if let Some(unwrapped) = &mut self.unwrapped {
            unwrapped.observe(world);
        }
        let Self { files, unwrapped, painter } = self;
        let (tick, unwrapped) = (world.tick(), unwrapped.as_ref());
        let (mut shared, mut in_building) = (None, None);
        let mut due = files.iter_mut().filter(|file| tick.is_multiple_of(file.every));
        let written = due.try_for_each(|file| {
            let frame = shared.get_or_insert_with(|| Arc::new(frame::frame(world, unwrapped, painter.as_mut())));
            let frame = match &file.storeys {
                Some(storeys) => {
                    in_building.get_or_insert_with(|| Arc::new(trajectories::frame_in(storeys, Frame::clone(frame))))
                }
                None => frame,
            };
            file.writer.write(Arc::clone(frame))
        });
        written.map_err(|failure| self.end(failure))
    }

    /// Ends all files after a failure of one: their frames stay readable.
    fn end(&mut self, failure: Failure) -> Failure {
        self.files.drain(..).for_each(|file| file.writer.end());
        failure
    }

    /// Gives the files their final names, and describes them.
    pub(crate) fn keep(self, world: &AnyWorld, folder: Option<&Folder>) -> Result<Kept, Failure> {
        let mut kept = Kept::default();
        let unwrapped = self.unwrapped.is_some();
        let mut failed = None;
        for TrajectoryFile { target, every, writer, .. } in self.files {
            let path = target.path(folder.map(Folder::root));
            let extent = match writer.keep() {
                Ok(extent) => extent,
                // The others are completed all the same.
                Err(failure) => {
                    failed = failed.or(Some(failure));
                    continue;
                }
            };
            let rate = 1.0 / (shortest(world.settings().tick_seconds) * every as f64);
            let described =
                json!({ "file": path.to_string_lossy(), "every": every, "frame_rate": rate, "unwrapped": unwrapped });
            kept.described.push(described);
            if let (Target::Result(name), Some(extent)) = (target, extent) {
                kept.checksums.push((name, extent));
            }
            kept.files.push(("trajectory", path));
        }
        failed.map_or(Ok(kept), Err)
    }
}

/// The building whose plan and heights a file has. A database of JuPedSim has two dimensions, and the storeys side by side.
fn building<'a>(scenario: &'a Scenario, path: &Path) -> Option<&'a Storeys> {
    scenario.storeys().filter(|_| TrajectoryFormat::of(path) != Some(TrajectoryFormat::Sqlite))
}

/// A painter with the colours of the scenario's pictures, if a file has them.
fn painter(files: &[TrajectoryFile], scenario: &Scenario, world: &AnyWorld) -> Option<Painter> {
    let is_drawn =
        |file: &TrajectoryFile| TrajectoryFormat::of(file.writer.path()).is_some_and(TrajectoryFormat::is_drawn);
    let colour = scenario.output().colour.clone().map(Colour::from);
    // It never paints.
    let options = Options { width: Some(16), height: Some(16), colour, ..Options::default() };
    let painter = if files.iter().any(is_drawn) { Painter::new(world, &options) } else { return None };
    painter.ok()
}

/// Trajectories that are complete.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) files: Files,
    pub(crate) checksums: Checksums,
    /// For each file its path, the interval between frames, and their rate per simulated second.
    pub(crate) described: Vec<Value>,
}

impl FileState {
    /// Compares the file with its part of the checkpoint.
    ///
    /// # Errors
    ///
    /// The reason why a run cannot continue it.
    pub(crate) fn compare(&self, results: &Path) -> Result<(), String> {
        let path: PathBuf = self.target.path(Some(results));
        self.sink.compare(&path)
    }
}
