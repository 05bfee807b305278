//! Trajectories as points of PLY, for Blender, Houdini, MeshLab and CloudCompare: a file per frame, and the list of them
//! that ParaView reads (`.ply.series`).

use std::io::{self, Write};

use super::frame_files::PerFrame;
use super::{Frame, Heading};

/// The format.
#[derive(Debug)]
pub(super) struct Ply(pub(super) Heading);

impl PerFrame for Ply {
    const ENDING: &'static str = "ply";

    fn encode(&self, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
        let Self(heading) = self;
        write!(to, "ply\nformat binary_little_endian 1.0\ncomment {}\n", one_line(&heading.scenario))?;
        write!(to, "comment tick {} time {} s\nelement vertex {}\n", frame.tick, frame.seconds, frame.agents())?;
        for name in ["x", "y", "z", "vx", "vy", "vz", "radius"] {
            writeln!(to, "property float {name}")?;
        }
        for name in ["red", "green", "blue"] {
            writeln!(to, "property uchar {name}")?;
        }
        write!(to, "property double id\nproperty int species\nproperty int state\n")?;
        for (name, _) in heading.column_names() {
            let word = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
            writeln!(to, "property double {}", name.chars().map(word).collect::<String>())?;
        }
        writeln!(to, "end_header")?;
        let mut bytes = Vec::new();
        for rows in &frame.species {
            for (row, id) in rows.ids.iter().enumerate() {
                bytes.clear();
                let radius = rows.radii.get(row).copied().unwrap_or(0.0);
                for number in rows.point(row).into_iter().chain(rows.velocity(row)).chain([radius]) {
                    bytes.extend(number.to_le_bytes());
                }
                bytes.extend(rows.colours.get(row).copied().unwrap_or([255; 3]));
                bytes.extend((*id as f64).to_le_bytes());
                bytes.extend((rows.species as i32).to_le_bytes());
                // Minus one for an agent without states.
                bytes.extend(rows.states.get(row).map_or(-1, |state| *state as i32).to_le_bytes());
                for (number, column) in heading.columns.iter().enumerate() {
                    (0..column.width).for_each(|place| bytes.extend(rows.value(number, row, place).to_le_bytes()));
                }
                to.write_all(&bytes)?;
            }
        }
        Ok(())
    }

    fn head(&self) -> String {
        "{\"file-series-version\": \"1.0\", \"files\": [\n".to_owned()
    }

    fn entry(&self, file: &str, frame: &Frame, is_first: bool) -> String {
        let file = file.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{}{{\"name\": \"{file}\", \"time\": {}}}", if is_first { "" } else { ",\n" }, frame.seconds)
    }

    fn foot(&self, _: &str, _: Option<[u64; 2]>) -> String {
        "\n]}\n".to_owned()
    }
}

/// A comment ends with its line.
fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
