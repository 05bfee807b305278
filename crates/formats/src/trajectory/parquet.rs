//! Trajectories as Parquet: the columns of the CSV, with their types.

use std::io::{self, Write};
use std::sync::Arc;

use super::encoder::{Encoder, load_tick};
use super::{Frame, Heading, NumberKind, Numbers, SpeciesRows};
use crate::parquet::{Cells, Groups, Kind, Layout, Numbers as Filled};

/// The number of rows of a row group, which whole frames exceed.
const GROUP: usize = 1 << 18;

/// An encoder. Rows are held back until they make a row group.
#[derive(Debug)]
pub(super) struct Parquet {
    heading: Heading,
    /// The names of species and states, shared by all cells.
    species: Vec<Arc<str>>,
    states: Vec<Vec<Arc<str>>>,
    cells: Vec<Cells>,
    rows: usize,
    groups: Groups,
    /// The ticks of the last frames in the row groups, and of the last frame held back.
    ends: Vec<u64>,
    held: Option<u64>,
}

impl Parquet {
    pub(super) fn new(heading: &Heading) -> io::Result<Self> {
        let layout = layout(heading);
        let groups = Groups::new(&layout, description(heading))?;
        let cells = layout.iter().map(|column| Cells::new(column.kind)).collect();
        let shared = |names: &[String]| names.iter().map(|name| Arc::from(&name[..])).collect();
        let names: Vec<String> = heading.species.iter().map(|species| species.name.clone()).collect();
        Ok(Self {
            heading: heading.clone(),
            species: shared(&names),
            states: heading.species.iter().map(|species| shared(&species.states)).collect(),
            cells,
            rows: 0,
            groups,
            ends: Vec::new(),
            held: None,
        })
    }

    /// Adds the agents of a species to the cells.
    fn add(&mut self, frame: &Frame, rows: &SpeciesRows) {
        let count = rows.ids.len();
        let mut cells = self.cells.iter_mut();
        let mut next = || cells.next();
        if let Some(ticks) = next().and_then(Cells::i64s) {
            ticks.resize(ticks.len() + count, frame.tick as i64);
        }
        if let Some(ids) = next().and_then(Cells::i64s) {
            ids.extend(rows.ids.iter().map(|id| *id as i64));
        }
        if let (Some(names), Some(name)) = (next().and_then(Cells::texts), self.species.get(rows.species)) {
            names.resize(names.len() + count, name.clone());
        }
        for column in rows.positions.iter().chain(&rows.velocities) {
            if let Some(numbers) = next().and_then(Cells::f32s) {
                numbers.extend_from_slice(column);
            }
        }
        if let Some(times) = next().and_then(Cells::f64s) {
            times.resize(times.len() + count, frame.seconds);
        }
        for column in &rows.unwrapped {
            if let Some(numbers) = next().and_then(Cells::f64s) {
                numbers.extend_from_slice(column);
            }
        }
        if self.heading.has_states()
            && let Some(cells) = next()
        {
            let own = self.states.get(rows.species).filter(|states| !states.is_empty());
            match (own, cells.texts()) {
                (Some(states), Some(names)) => {
                    let name = |state: &u32| states.get(*state as usize).cloned().unwrap_or_default();
                    names.extend(rows.states.iter().map(name));
                    cells.fill(count);
                }
                _ => cells.skip(count),
            }
        }
        for (column, own) in self.heading.columns.iter().zip(&rows.columns) {
            for place in 0..column.width {
                let Some(cells) = next() else { return };
                match own {
                    Some((width, numbers)) if place < *width => {
                        add_numbers(&mut cells.numbers, numbers, *width, place);
                        cells.fill(count);
                    }
                    _ => cells.skip(count),
                }
            }
        }
    }

    /// Writes the rows held back as a row group.
    fn flush(&mut self, to: &mut dyn Write) -> io::Result<()> {
        if let Some(held) = self.held.take() {
            self.groups.write(&self.cells, to)?;
            self.ends.push(held);
            self.clear();
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.cells.iter_mut().for_each(Cells::clear);
        self.rows = 0;
    }
}

/// Adds one number of each agent from a column of this width.
fn add_numbers(to: &mut Filled, numbers: &Numbers, width: usize, place: usize) {
    fn each<T: Copy>(numbers: &[T], width: usize, place: usize) -> impl Iterator<Item = T> {
        numbers.iter().skip(place).step_by(width).copied()
    }
    match (to, numbers) {
        (Filled::F32(to), Numbers::F32(from)) => to.extend(each(from, width, place)),
        (Filled::I32(to), Numbers::U32(from)) => to.extend(each(from, width, place).map(|number| number as i32)),
        (Filled::I64(to), Numbers::U64(from)) => to.extend(each(from, width, place).map(|number| number as i64)),
        // Species have columns of one name with numbers of several kinds.
        (Filled::F64(to), Numbers::F32(from)) => to.extend(each(from, width, place).map(f64::from)),
        (Filled::F64(to), Numbers::U32(from)) => to.extend(each(from, width, place).map(f64::from)),
        (Filled::F64(to), Numbers::U64(from)) => to.extend(each(from, width, place).map(|number| number as f64)),
        _ => {}
    }
}

fn layout(heading: &Heading) -> Vec<Layout> {
    let axes = heading.axes();
    let mut layout = vec![
        Layout::new("tick", Kind::I64).delta(),
        Layout::new("id", Kind::I64).delta(),
        Layout::new("species", Kind::Text),
    ];
    layout.extend(axes.iter().map(|axis| Layout::new(*axis, Kind::F32)));
    layout.extend(axes.iter().map(|axis| Layout::new(format!("v{axis}"), Kind::F32)));
    layout.push(Layout::new("time", Kind::F64).repeating());
    if heading.unwrapped {
        layout.extend(axes.iter().map(|axis| Layout::new(format!("{axis}_unwrapped"), Kind::F64)));
    }
    if heading.has_states() {
        layout.push(Layout::new("state", Kind::Text).optional());
    }
    layout.extend(heading.column_names().map(|(name, kind)| {
        let kind = match kind {
            Some(NumberKind::F32) => Kind::F32,
            Some(NumberKind::U32) => Kind::U32,
            Some(NumberKind::U64) => Kind::U64,
            None => Kind::F64,
        };
        Layout::new(name, kind).optional()
    }));
    layout
}

/// The description of the file: where it is from, and the units of its columns.
fn description(heading: &Heading) -> Vec<(String, String)> {
    let mut pairs = vec![
        ("throng.version".to_owned(), heading.version.clone()),
        ("scenario".to_owned(), heading.scenario.clone()),
        ("seed".to_owned(), heading.seed.to_string()),
        ("tick_seconds".to_owned(), heading.tick_seconds.to_string()),
        ("every".to_owned(), heading.every.to_string()),
        ("frame_rate".to_owned(), heading.frame_rate().to_string()),
        ("dimensions".to_owned(), heading.dimensions.to_string()),
        ("unit.time".to_owned(), "s".to_owned()),
    ];
    for axis in heading.axes() {
        pairs.push((format!("unit.{axis}"), "m".to_owned()));
        pairs.push((format!("unit.v{axis}"), "m/s".to_owned()));
        if heading.unwrapped {
            pairs.push((format!("unit.{axis}_unwrapped"), "m".to_owned()));
        }
    }
    if !heading.walkable.is_empty() {
        pairs.push(("walkable_area".to_owned(), heading.walkable.clone()));
    }
    pairs
}

impl Encoder for Parquet {
    fn start(&mut self, to: &mut dyn Write) -> io::Result<()> {
        Groups::start(to)
    }

    fn write(&mut self, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
        frame.species.iter().for_each(|rows| self.add(frame, rows));
        self.rows += frame.agents();
        self.held = Some(frame.tick);
        if self.rows >= GROUP { self.flush(to) } else { Ok(()) }
    }

    fn written(&self) -> Option<u64> {
        self.ends.last().copied()
    }

    fn mark(&mut self, to: &mut dyn Write) -> io::Result<Vec<u8>> {
        self.flush(to)?;
        let mut state = self.written().unwrap_or(u64::MAX).to_le_bytes().to_vec();
        state.extend(self.groups.save()?);
        Ok(state)
    }

    fn resume(&mut self, state: &[u8]) -> io::Result<()> {
        let (tick, groups) = state.split_at(state.len().clamp(0, 8));
        let tick = load_tick(tick)?.filter(|tick| *tick != u64::MAX);
        self.groups.load(groups)?;
        // Only the last of them is ever asked for: bytes that a checkpoint refers to are not cut.
        self.ends = vec![tick.unwrap_or(0); self.groups.count()];
        Ok(())
    }

    fn cut(&mut self, length: u64) {
        self.groups.cut(length);
        self.ends.truncate(self.groups.count());
        self.held = None;
        self.clear();
    }

    fn finish(&mut self, to: &mut dyn Write) -> io::Result<()> {
        self.flush(to)?;
        self.groups.finish(to)
    }
}
