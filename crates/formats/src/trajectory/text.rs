//! Trajectories as the text of the pedestrian data archive, which PedPy reads: `id frame x y [z]` in metres.

use std::io::{self, Write};

use super::lines::Lines;
use super::{Frame, Heading};

/// The lines of a trajectory.
#[derive(Debug)]
pub(super) struct Text {
    heading: Heading,
}

impl Text {
    pub(super) fn new(heading: &Heading) -> Self {
        Self { heading: heading.clone() }
    }
}

impl Lines for Text {
    fn head(&self, to: &mut dyn Write) -> io::Result<()> {
        let Heading { seed, tick_seconds, every, version, .. } = &self.heading;
        // A reader looks for its unit in every line, so these have no text that a user chose.
        writeln!(to, "# throng {version}, seed {seed}, tick {tick_seconds} s, every {every} ticks")?;
        writeln!(to, "# framerate: {}", self.heading.frame_rate())?;
        let axes: Vec<String> = self.heading.axes().iter().map(|axis| format!("{axis}/m")).collect();
        writeln!(to, "# id frame {}", axes.join(" "))
    }

    fn frame(&self, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
        let number = self.heading.frame(frame.tick);
        for rows in &frame.species {
            for (row, id) in rows.ids.iter().enumerate() {
                write!(to, "{id} {number}")?;
                (0..self.heading.dimensions).try_for_each(|axis| match rows.unwrapped.get(axis) {
                    Some(unwrapped) => write!(to, " {}", unwrapped[row]),
                    None => write!(to, " {}", rows.positions[axis][row]),
                })?;
                writeln!(to)?;
            }
        }
        Ok(())
    }
}
