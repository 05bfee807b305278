//! The series of measures of a run: `measures.csv` and its plot.

mod plot;

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use throng::measures::Recorder;
use throng::{AnyWorld, with_world};
use throng_formats::table::ColumnCells;
use throng_scenario::{Scenario, shown};

use crate::atomic_file::AtomicFile;
use crate::checkpoint::Resumable;
use crate::failure::Failure;
use crate::origin::seconds;
use crate::results::{Files, Folder, MEASURES, MEASURES_PLOT};
use crate::summed::Extent;
use crate::tables;
use crate::trajectory::Target;

/// The largest number of records in a plot, more than it has pixels.
const MOST_POINTS: usize = 2000;

/// A series in progress.
#[derive(Debug)]
pub(crate) struct Series {
    recorder: Recorder,
    /// The table, if the scenario asks for one.
    file: Option<AtomicFile>,
    /// The place of another table with the same rows.
    also: Option<Target>,
    /// The records that are plotted: time and values.
    points: Vec<(f64, Vec<f64>)>,
    /// Every `stride`-th record is plotted.
    stride: u64,
    records: u64,
}

/// The part of a checkpoint for a series.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SeriesState {
    pub(crate) extent: Option<Extent>,
    pub(crate) also: Option<Target>,
    /// The saved recorder.
    recorder: Vec<u8>,
    points: Vec<(f64, Vec<f64>)>,
    stride: u64,
    records: u64,
}

impl Resumable for Series {
    type State = SeriesState;

    fn mark(&mut self) -> Result<SeriesState, Failure> {
        let mut recorder = Vec::new();
        self.recorder.save(&mut recorder).map_err(|error| Failure::Write(format!("the measures: {error}")))?;
        let extent = self.file.as_mut().map(AtomicFile::mark).transpose()?;
        let Self { also, points, stride, records, .. } = self;
        let (also, points) = (also.clone(), points.clone());
        Ok(SeriesState { extent, also, recorder, points, stride: *stride, records: *records })
    }
}

impl Series {
    /// Starts the measures of a scenario. `also` is another table for them.
    pub(crate) fn start(
        folder: Option<&mut Folder>,
        also: Option<&Path>,
        scenario: &Scenario,
        world: &AnyWorld,
    ) -> Result<Self, Failure> {
        let recorder = Recorder::new(scenario.recording().clone());
        let place = also.map(|file| Target::of(file, folder.as_deref()));
        let mut series = Self { recorder, file: None, also: place, points: Vec::new(), stride: 1, records: 0 };
        with_world!(world, world => series.recorder.start(world));
        if let Some(file) = also.filter(|_| folder.is_none() || series.recorder.columns().len() == 0) {
            let reason = "no measures to write: the scenario has no output.measures, or a repeated run no --out";
            return Err(Failure::Input(format!("{}: {reason}", shown(&file))));
        }
        if let Some(folder) = folder.filter(|_| series.recorder.columns().len() > 0) {
            let mut file = folder.start(MEASURES)?;
            file.write(|file| {
                write!(file, "tick,time")?;
                series.recorder.columns().try_for_each(|column| write!(file, ",{}", column.name))?;
                writeln!(file)
            })?;
            series.file = Some(file);
        }
        Ok(series)
    }

    /// Continues the series of a run.
    pub(crate) fn resume(
        folder: &mut Folder,
        scenario: &Scenario,
        world: &AnyWorld,
        state: SeriesState,
    ) -> Result<Self, Failure> {
        let SeriesState { extent, also, recorder, points, stride, records } = state;
        let recording = scenario.recording().clone();
        let recorder = with_world!(world, world => Recorder::load(recording, world, &recorder[..]));
        let recorder = recorder.map_err(|error| Failure::Checkpoint(format!("the measures: {error}")))?;
        let file = extent.map(|extent| folder.resume(MEASURES, extent)).transpose()?;
        Ok(Self { recorder, file, also, points, stride: stride.clamp(1, u64::MAX), records })
    }

    /// Whether a measure reads the world at this tick.
    pub(crate) fn is_due(&self, tick: u64) -> bool {
        self.recorder.is_due(tick)
    }

    /// Observes the world before the first tick and after each, and writes a record if one is due.
    pub(crate) fn observe(&mut self, world: &AnyWorld) -> Result<(), Failure> {
        match with_world!(world, world => self.recorder.observe(world)) {
            true => self.write(world),
            false => Ok(()),
        }
    }

    /// Writes the last record. Numbers have the fewest digits from which the same bits are read back; an undefined
    /// measure is an empty field.
    fn write(&mut self, world: &AnyWorld) -> Result<(), Failure> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let time = seconds(world);
        let columns = self.recorder.columns();
        file.write(|file| {
            write!(file, "{},{time}", world.tick())?;
            for column in columns {
                match column.value() {
                    value if value.is_nan() => write!(file, ",")?,
                    value => write!(file, ",{value}")?,
                }
            }
            writeln!(file)
        })?;
        if self.records.is_multiple_of(self.stride) {
            self.points.push((time, self.recorder.columns().map(|column| column.value()).collect()));
        }
        self.records += 1;
        if self.points.len() > MOST_POINTS {
            let mut number = 0;
            self.points.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.stride *= 2;
        }
        Ok(())
    }

    /// Gives the table its final name, and writes the plot. Returns the recorder, the names and paths of the files, and
    /// the extent of the table.
    pub(crate) fn keep(self, folder: Option<&mut Folder>) -> Result<(Recorder, Files, Option<Extent>), Failure> {
        let (Some(file), Some(folder)) = (self.file, folder) else { return Ok((self.recorder, Vec::new(), None)) };
        let extent = file.complete()?;
        let path = folder.path(MEASURES_PLOT);
        let plot = plot::figure(&self.recorder, &self.points).svg();
        let plot = plot.map_err(|error| Failure::draw(&path, error))?;
        folder.write(MEASURES_PLOT, plot.as_bytes())?;
        let mut files = vec![("measures", folder.path(MEASURES)), ("measures_plot", path)];
        if let Some(target) = self.also {
            let (from, to) = (folder.path(MEASURES), target.path(Some(folder.root())));
            let unreadable = |error| Failure::Write(format!("{}: {error}", shown(&from)));
            let rows = tables::rows(&tables::read(&from)?).map_err(unreadable)?;
            let kind = |name: &str, fields: &[&str]| match name {
                "tick" => ColumnCells::of_fields(fields),
                _ => ColumnCells::numbers(fields),
            };
            let units = self.recorder.columns().filter(|column| !column.unit.is_empty());
            let units = units.map(|column| (format!("unit.{}", column.name), column.unit.to_string()));
            tables::write(&to, &rows, kind, units.chain([("unit.time".to_owned(), "s".to_owned())]).collect())?;
            files.push(("measures_table", to));
        }
        Ok((self.recorder, files, Some(extent)))
    }
}
