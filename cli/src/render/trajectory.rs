//! How is a table of where everybody was watched? It is read twice: once to see what there is and that all of it can be
//! read, and once tick by tick.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use throng::Vector;
use throng::scenario::Colour;

use super::source::{Source, Ticks, no_frames};
use crate::arguments::Render;
use crate::failure::Failure;
use crate::picture::{Camera, NOWHERE, Shape, Sight, Subject, Wishes, around, with_margin};
use crate::trajectory::columns;

/// Lines longer than this, in bytes, are none of a trajectory.
const LONGEST_LINE: u64 = 4096;
/// Numbers farther from zero than this are no metres.
const FARTHEST: f32 = 1e9;

/// A trajectory, tick by tick.
#[derive(Debug)]
pub(super) struct Recording {
    table: Table,
    subject: Subject,
    ticks: Ticks,
    /// The row after the tick that was read last.
    ahead: Option<Row>,
    /// Where everybody was at that tick and is at the next one.
    before: HashMap<u64, Vector<3>>,
    now: HashMap<u64, Vector<3>>,
}

impl Recording {
    /// The trajectory that the command line names.
    pub(super) fn open(render: &Render) -> Result<Self, Failure> {
        let file = &render.source.scenario;
        if render.colour == Some(Colour::State) {
            return Err(Failure::Input(format!("{}: a trajectory does not tell states (--colour)", file.display())));
        }
        let (subject, ticks) = survey(file, render)?;
        let mut table = Table::open(file)?;
        let ahead = table.row()?;
        Ok(Self { table, subject, ticks, ahead, before: HashMap::new(), now: HashMap::new() })
    }
}

/// What there is in a trajectory, and which of its ticks are asked for.
fn survey(file: &Path, render: &Render) -> Result<(Subject, Ticks), Failure> {
    let mut table = Table::open(file)?;
    let (mut bounds, mut speeds) = (NOWHERE, [f32::INFINITY, 0.0]);
    let (mut agents, mut most, mut last_tick) = (0, 0, None);
    let until = render.ticks.unwrap_or(u64::MAX);
    let mut ticks = Ticks { first: u64::MAX, last: 0, count: 0 };
    while let Some(row) = table.row()? {
        if last_tick != Some(row.tick) {
            (agents, last_tick) = (0, Some(row.tick));
            if row.tick <= until {
                ticks.count += 1;
                ticks.last = row.tick;
                if row.tick >= render.from && row.tick < ticks.first {
                    ticks.first = row.tick;
                }
            }
        }
        agents += 1;
        most = if agents > most { agents } else { most };
        bounds = around(bounds, row.position);
        let speed = row.velocity.length();
        speeds = [if speed < speeds[0] { speed } else { speeds[0] }, if speed > speeds[1] { speed } else { speeds[1] }];
    }
    if last_tick.is_none() {
        return Err(Failure::Input(format!("{}: holds no agents at any tick", file.display())));
    }
    if ticks.first > ticks.last {
        return Err(no_frames(render.from, ticks.last));
    }
    let (flat, species) = (table.dimensions == 2, table.species.len());
    let bounds = with_margin(bounds, table.dimensions);
    let smallest = f32::INFINITY;
    Ok((Subject { flat, bounds, wraps: false, agents: most, species, states: species, speeds, smallest }, ticks))
}

impl Source for Recording {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn wishes(&self) -> Wishes {
        Wishes::default()
    }

    fn ticks(&self) -> Ticks {
        self.ticks
    }

    fn next(&mut self, crowd: &mut Vec<Sight>) -> Result<Option<u64>, Failure> {
        crowd.clear();
        let Some(tick) = self.ahead.as_ref().map(|row| row.tick).filter(|&tick| tick <= self.ticks.last) else {
            return Ok(None);
        };
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.clear();
        let [low, high] = self.subject.bounds;
        while let Some(Row { id, species, position, velocity, .. }) = self.ahead.take_if(|row| row.tick == tick) {
            let before = self.before.get(&id).copied().unwrap_or(position);
            // Who is on the other side of the world has gone through its seam.
            let jump = (0..3).any(|axis| (position[axis] - before[axis]).abs() > 0.5 * (high[axis] - low[axis]));
            let before = if jump { position } else { before };
            crowd.push(Sight { position, velocity, before, radius: 0.0, species, state: species });
            self.now.insert(id, position);
            self.ahead = self.table.row()?;
        }
        Ok(Some(tick))
    }

    fn scenery(&self, _: &Camera) -> Vec<Shape> {
        Vec::new()
    }
}

/// One agent at one tick.
#[derive(Debug)]
struct Row {
    tick: u64,
    id: u64,
    species: u32,
    position: Vector<3>,
    velocity: Vector<3>,
}

/// A file with one row per agent and tick.
#[derive(Debug)]
struct Table {
    file: PathBuf,
    lines: BufReader<File>,
    line: Vec<u8>,
    number: u64,
    dimensions: usize,
    /// Species by their names, in the order in which they come.
    species: HashMap<String, u32>,
    tick: u64,
}

impl Table {
    /// Opens a trajectory, and reads its heading.
    fn open(file: &Path) -> Result<Self, Failure> {
        let cannot = |error| Failure::Input(format!("{}: cannot be read: {error}", file.display()));
        let lines = BufReader::with_capacity(1 << 18, File::open(file).map_err(cannot)?);
        let (line, species) = (Vec::new(), HashMap::new());
        let mut table = Self { file: file.to_owned(), lines, line, number: 0, dimensions: 2, species, tick: 0 };
        table.read_line()?;
        let text = String::from_utf8_lossy(&table.line).into_owned();
        let known = [2, 3].into_iter().find(|&dimensions| columns(dimensions) == text);
        table.dimensions = known.ok_or_else(|| {
            let reason = format!("the first line of a trajectory is {} or {}", columns(2), columns(3));
            table.problem(1, &reason)
        })?;
        Ok(table)
    }

    /// Reads the next line, without its end; false if there is none.
    fn read_line(&mut self) -> Result<bool, Failure> {
        self.line.clear();
        let read = self.lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| Failure::Input(format!("{}: cannot be read: {error}", self.file.display())))?;
        self.number += 1;
        if read as u64 == LONGEST_LINE && self.line.last() != Some(&b'\n') {
            return Err(self.problem(1, "the line is too long for one of a trajectory"));
        }
        while matches!(self.line.last(), Some(b'\n' | b'\r')) {
            self.line.pop();
        }
        Ok(read > 0)
    }

    /// What is wrong with the line that was read last, with its place.
    fn problem(&self, column: usize, reason: &str) -> Failure {
        Failure::Input(format!("{}:{}:{column}: {reason}", self.file.display(), self.number))
    }

    /// The next row; `None` after the last.
    fn row(&mut self) -> Result<Option<Row>, Failure> {
        if !self.read_line()? {
            return Ok(None);
        }
        let line = std::mem::take(&mut self.line);
        let row = self.parse(&line);
        self.line = line;
        row.map(Some)
    }

    fn parse(&mut self, line: &[u8]) -> Result<Row, Failure> {
        let text = match std::str::from_utf8(line) {
            Ok(text) => text,
            Err(error) => return Err(self.problem(error.valid_up_to() + 1, "is not UTF-8")),
        };
        let mut fields = Fields { text, at: 0 };
        let tick = fields.next(|field| field.parse().ok());
        let tick: u64 = tick.map_err(|column| self.problem(column, "tick must be a whole number"))?;
        if tick < self.tick {
            let reason = format!("tick {tick} must not come after tick {}", self.tick);
            return Err(self.problem(1, &reason));
        }
        self.tick = tick;
        let id = fields.next(id).map_err(|column| self.problem(column, "id must be a number, such as 17 or 17v2"))?;
        let name = fields.next(|field| (!field.is_empty()).then_some(field));
        let name = name.map_err(|column| self.problem(column, "species must be a name"))?;
        let species = match self.species.get(name) {
            Some(&species) => species,
            None => {
                let number = self.species.len() as u32;
                self.species.insert(name.to_owned(), number);
                number
            }
        };
        let mut vector = |prefix: &str| -> Result<Vector<3>, Failure> {
            let mut vector = Vector::ZERO;
            for axis in 0..self.dimensions {
                let number = fields.next(|field| field.parse().ok().filter(|number: &f32| number.abs() <= FARTHEST));
                vector[axis] = number.map_err(|column| {
                    let reason = format!("{prefix}{} must be a number, within 1e9 of zero", ["x", "y", "z"][axis]);
                    self.problem(column, &reason)
                })?;
            }
            Ok(vector)
        };
        let (position, velocity) = (vector("")?, vector("v")?);
        if fields.at <= text.len() {
            let reason = format!("there must be no more than {} numbers and names", 3 + 2 * self.dimensions);
            return Err(self.problem(fields.at + 1, &reason));
        }
        Ok(Row { tick, id, species, position, velocity })
    }
}

/// The slot and the generation of an id, as one number.
fn id(text: &str) -> Option<u64> {
    let (slot, generation) = text.split_once('v').unwrap_or((text, "0"));
    Some(u64::from(generation.parse::<u32>().ok()?) << 32 | u64::from(slot.parse::<u32>().ok()?))
}

/// What stands between the commas of a line.
struct Fields<'t> {
    text: &'t str,
    /// Where the next one starts; beyond the end if there is none.
    at: usize,
}

impl<'t> Fields<'t> {
    /// The next one, read; its column where it cannot be.
    fn next<T>(&mut self, read: impl FnOnce(&'t str) -> Option<T>) -> Result<T, usize> {
        let column = self.at.clamp(0, self.text.len()) + 1;
        let rest = self.text.get(self.at..).ok_or(column)?;
        let field = rest.split(',').next().unwrap_or(rest);
        self.at += field.len() + 1;
        read(field).ok_or(column)
    }
}
