//! Trajectories as comma-separated values: a row per agent and frame.

use std::io::{self, Write};

use super::lines::Lines;
use super::{Frame, Heading, Numbers, SpeciesRows};

/// The first names of the header line, with this number of dimensions.
pub(super) fn first_names(axes: &[&str]) -> String {
    let velocities = axes.iter().map(|axis| format!("v{axis}"));
    let columns: Vec<String> = axes.iter().map(ToString::to_string).chain(velocities).collect();
    format!("tick,id,species,{}", columns.join(","))
}

/// The lines of a trajectory. Numbers have the fewest digits from which the same bits are read back.
#[derive(Debug)]
pub(super) struct Csv {
    heading: Heading,
}

impl Csv {
    pub(super) fn new(heading: &Heading) -> Self {
        Self { heading: heading.clone() }
    }

    fn write_rows(&self, frame: &Frame, rows: &SpeciesRows, to: &mut dyn Write) -> io::Result<()> {
        let species = self.heading.species.get(rows.species).map_or("", |species| &species.name);
        let states = self.heading.has_states();
        for (row, id) in rows.ids.iter().enumerate() {
            write!(to, "{},", frame.tick)?;
            write_id(*id, to)?;
            write!(to, ",{species}")?;
            for column in rows.positions.iter().chain(&rows.velocities) {
                write!(to, ",{}", column[row])?;
            }
            write!(to, ",{}", frame.seconds)?;
            for column in &rows.unwrapped {
                write!(to, ",{}", column[row])?;
            }
            if states {
                let state = rows.states.get(row).map_or("", |state| self.heading.state(rows.species, *state));
                write!(to, ",{state}")?;
            }
            for (column, own) in self.heading.columns.iter().zip(&rows.columns) {
                for place in 0..column.width {
                    write!(to, ",")?;
                    match own {
                        Some((width, numbers)) if place < *width => write_number(numbers, row * width + place, to)?,
                        _ => {}
                    }
                }
            }
            writeln!(to)?;
        }
        Ok(())
    }
}

/// Writes the slot of an id, followed by `v` and how often it was used before, unless it was not.
fn write_id(id: u64, to: &mut dyn Write) -> io::Result<()> {
    match id >> 32 {
        0 => write!(to, "{id}"),
        used => write!(to, "{}v{used}", id as u32),
    }
}

fn write_number(numbers: &Numbers, place: usize, to: &mut dyn Write) -> io::Result<()> {
    match numbers {
        Numbers::F32(numbers) => write!(to, "{}", numbers[place]),
        Numbers::U32(numbers) => write!(to, "{}", numbers[place]),
        Numbers::U64(numbers) => write!(to, "{}", numbers[place]),
    }
}

impl Lines for Csv {
    fn head(&self, to: &mut dyn Write) -> io::Result<()> {
        write!(to, "{},time", first_names(self.heading.axes()))?;
        if self.heading.unwrapped {
            self.heading.axes().iter().try_for_each(|axis| write!(to, ",{axis}_unwrapped"))?;
        }
        if self.heading.has_states() {
            write!(to, ",state")?;
        }
        self.heading.column_names().try_for_each(|(name, _)| write!(to, ",{name}"))?;
        writeln!(to)
    }

    fn frame(&self, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
        frame.species.iter().try_for_each(|rows| self.write_rows(frame, rows, to))
    }
}
