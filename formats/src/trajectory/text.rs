//! Trajectories as the text of the pedestrian data archive, which PedPy reads: `id frame x y [z]` in metres.

use std::io::{self, Write};

use super::{Encoder, Frame, Heading, load_tick, save_tick};

/// An encoder.
#[derive(Debug)]
pub(super) struct Text {
    heading: Heading,
    last: Option<u64>,
}

impl Text {
    pub(super) fn new(heading: &Heading) -> Self {
        Self { heading: heading.clone(), last: None }
    }
}

impl Encoder for Text {
    fn start(&mut self, to: &mut dyn Write) -> io::Result<()> {
        let Heading { seed, tick_seconds, every, version, .. } = &self.heading;
        // A reader looks for its unit in every line, so these have no text that a user chose.
        writeln!(to, "# throng {version}, seed {seed}, tick {tick_seconds} s, every {every} ticks")?;
        writeln!(to, "# framerate: {}", self.heading.frame_rate())?;
        let axes: Vec<String> = self.heading.axes().iter().map(|axis| format!("{axis}/m")).collect();
        writeln!(to, "# id frame {}", axes.join(" "))
    }

    fn write(&mut self, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
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
        self.last = Some(frame.tick);
        Ok(())
    }

    fn written(&self) -> Option<u64> {
        self.last
    }

    fn mark(&mut self, _: &mut dyn Write) -> io::Result<Vec<u8>> {
        Ok(save_tick(self.last))
    }

    fn resume(&mut self, state: &[u8]) -> io::Result<()> {
        self.last = load_tick(state)?;
        Ok(())
    }

    fn cut(&mut self, _: u64) {}

    fn finish(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
