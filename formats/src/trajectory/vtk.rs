//! Trajectories for ParaView and pyvista: a file of points per frame (`.vtp`), and a list of them over time (`.pvd`).

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Encoder, Frame, Heading, Numbers, SpeciesRows, load_tick, save_tick};

/// An encoder. It writes the list, and the frames to a folder beside it: `run.pvd` and `run/000000010.vtp`.
#[derive(Debug)]
pub(super) struct Vtk {
    heading: Heading,
    folder: PathBuf,
    /// The name of the folder, as the list has it.
    name: String,
    /// The ends of entries of the list, and their ticks.
    entries: Vec<(u64, u64)>,
    /// The number of entries whose files are on the disk for good.
    synced: usize,
    /// The length of the list.
    length: u64,
    last: Option<u64>,
}

/// The numbers of an array of a file.
struct Array<'a> {
    name: &'a str,
    /// The type in VTK.
    kind: &'static str,
    components: usize,
    bytes: Vec<u8>,
}

impl Vtk {
    pub(super) fn new(named: &Path, heading: &Heading) -> Self {
        let folder = named.with_extension("");
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { heading: heading.clone(), folder, name, entries: Vec::new(), synced: 0, length: 0, last: None }
    }

    fn put(&mut self, text: &str, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(text.as_bytes())?;
        self.length += text.len() as u64;
        Ok(())
    }

    /// The file of a frame.
    fn path(&self, tick: u64) -> PathBuf {
        self.folder.join(file_name(tick))
    }

    /// Writes the file of a frame under another name first, so that it is whole or missing.
    fn write_frame(&self, frame: &Frame) -> io::Result<()> {
        let path = self.path(frame.tick);
        let part = path.with_extension("part");
        let write = || {
            let mut file = BufWriter::with_capacity(1 << 18, File::create(&part)?);
            self.encode(frame, &mut file)?;
            file.flush()?;
            fs::rename(&part, &path)
        };
        let written = write();
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        written.map_err(named)
    }

    fn encode(&self, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
        let count = frame.agents();
        let points = self.of_axes(frame, |rows, axis, row| match rows.unwrapped.get(axis) {
            Some(unwrapped) => unwrapped[row] as f32,
            None => rows.positions.get(axis).map_or(0.0, |positions| positions[row]),
        });
        let velocities =
            self.of_axes(frame, |rows, axis, row| rows.velocities.get(axis).map_or(0.0, |velocities| velocities[row]));
        let mut data = vec![
            Array { name: "velocity", kind: "Float32", components: 3, bytes: velocities },
            Array {
                name: "id",
                kind: "Int64",
                components: 1,
                bytes: of_rows(frame, |rows, row| rows.ids[row].to_le_bytes()),
            },
            Array {
                name: "species",
                kind: "Int32",
                components: 1,
                bytes: of_rows(frame, |rows, _| (rows.species as i32).to_le_bytes()),
            },
        ];
        if self.heading.has_states() {
            // Minus one for an agent without states.
            let state = |rows: &SpeciesRows, row: usize| rows.states.get(row).map_or(-1, |state| *state as i32);
            let bytes = of_rows(frame, |rows, row| state(rows, row).to_le_bytes());
            data.push(Array { name: "state", kind: "Int32", components: 1, bytes });
        }
        for (number, column) in self.heading.columns.iter().enumerate() {
            let width = column.width;
            let mut bytes = Vec::with_capacity(8 * count * width);
            for rows in &frame.species {
                for place in 0..rows.ids.len() * width {
                    bytes.extend(value(rows, number, place / width, place % width).to_le_bytes());
                }
            }
            data.push(Array { name: &column.name, kind: "Float64", components: width, bytes });
        }
        let indices = |from: i64| (from..from + count as i64).flat_map(i64::to_le_bytes).collect::<Vec<u8>>();
        let points = Array { name: "points", kind: "Float32", components: 3, bytes: points };
        let connectivity = Array { name: "connectivity", kind: "Int64", components: 1, bytes: indices(0) };
        let offsets = Array { name: "offsets", kind: "Int64", components: 1, bytes: indices(1) };
        write!(
            to,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" \
             NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"{count}\" \
             NumberOfVerts=\"{count}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
            frame.seconds
        )?;
        let mut offset = 0;
        let mut declare = |to: &mut dyn Write, array: &Array<'_>| {
            let Array { name, kind, components, bytes } = array;
            let name = escaped(name);
            let components =
                if *components == 1 { String::new() } else { format!(" NumberOfComponents=\"{components}\"") };
            let declared = writeln!(
                to,
                "<DataArray type=\"{kind}\" Name=\"{name}\"{components} format=\"appended\" offset=\"{offset}\"/>"
            );
            offset += 8 + bytes.len();
            declared
        };
        writeln!(to, "<Points>")?;
        declare(to, &points)?;
        writeln!(to, "</Points>\n<Verts>")?;
        declare(to, &connectivity)?;
        declare(to, &offsets)?;
        writeln!(to, "</Verts>\n<PointData Vectors=\"velocity\">")?;
        data.iter().try_for_each(|array| declare(to, array))?;
        write!(to, "</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_")?;
        for array in [points, connectivity, offsets].iter().chain(&data) {
            to.write_all(&(array.bytes.len() as u64).to_le_bytes())?;
            to.write_all(&array.bytes)?;
        }
        writeln!(to, "\n</AppendedData>\n</VTKFile>")
    }

    /// Three numbers per agent; the numbers of a missing axis are zero.
    fn of_axes(&self, frame: &Frame, number: impl Fn(&SpeciesRows, usize, usize) -> f32) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(12 * frame.agents());
        for rows in &frame.species {
            for row in 0..rows.ids.len() {
                for axis in 0..3 {
                    let number = if axis < self.heading.dimensions { number(rows, axis, row) } else { 0.0 };
                    bytes.extend(number.to_le_bytes());
                }
            }
        }
        bytes
    }
}

fn file_name(tick: u64) -> String {
    format!("{tick:09}.vtp")
}

/// A text as part of an attribute in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn of_rows<const N: usize>(frame: &Frame, bytes: impl Fn(&SpeciesRows, usize) -> [u8; N]) -> Vec<u8> {
    let mut all = Vec::with_capacity(N * frame.agents());
    for rows in &frame.species {
        (0..rows.ids.len()).for_each(|row| all.extend(bytes(rows, row)));
    }
    all
}

/// A number of a column; NaN where the species lacks it.
fn value(rows: &SpeciesRows, column: usize, row: usize, place: usize) -> f64 {
    match rows.columns.get(column) {
        Some(Some((width, numbers))) if place < *width => match numbers {
            Numbers::F32(numbers) => f64::from(numbers[row * width + place]),
            Numbers::U32(numbers) => f64::from(numbers[row * width + place]),
            Numbers::U64(numbers) => numbers[row * width + place] as f64,
        },
        _ => f64::NAN,
    }
}

impl Encoder for Vtk {
    fn start(&mut self, to: &mut dyn Write) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        remove_after(&self.folder, None)?;
        let head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n\
                    <Collection>\n";
        self.put(head, to)
    }

    fn write(&mut self, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
        self.write_frame(frame)?;
        let (name, file) = (escaped(&self.name), file_name(frame.tick));
        let entry = format!("<DataSet timestep=\"{}\" part=\"0\" file=\"{name}/{file}\"/>\n", frame.seconds);
        self.put(&entry, to)?;
        self.entries.push((self.length, frame.tick));
        self.last = Some(frame.tick);
        Ok(())
    }

    fn written(&self) -> Option<u64> {
        self.last
    }

    fn mark(&mut self, _: &mut dyn Write) -> io::Result<Vec<u8>> {
        for (_, tick) in &self.entries[self.synced..] {
            File::open(self.path(*tick))?.sync_all()?;
        }
        // Elsewhere a folder cannot be opened as a file.
        if cfg!(unix) {
            File::open(&self.folder)?.sync_all()?;
        }
        self.synced = self.entries.len();
        let mut state = save_tick(self.last);
        state.extend(self.length.to_le_bytes());
        Ok(state)
    }

    fn resume(&mut self, state: &[u8]) -> io::Result<()> {
        let (tick, length) = state.split_at(state.len().saturating_sub(8));
        self.length = load_tick(length)?.unwrap_or(0);
        self.last = load_tick(tick)?;
        self.entries = self.last.map(|tick| (self.length, tick)).into_iter().collect();
        self.synced = self.entries.len();
        fs::create_dir_all(&self.folder)?;
        remove_after(&self.folder, self.last)
    }

    fn cut(&mut self, length: u64) {
        self.entries.retain(|(end, _)| *end <= length);
        self.synced = usize::min(self.synced, self.entries.len());
        self.last = self.entries.last().map(|(_, tick)| *tick);
        self.length = length;
        let _ = remove_after(&self.folder, self.last);
    }

    fn finish(&mut self, to: &mut dyn Write) -> io::Result<()> {
        self.put("</Collection>\n</VTKFile>\n", to)
    }
}

/// Removes the frames after this tick, and the remains of frames that were not written to their ends.
fn remove_after(folder: &Path, last: Option<u64>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| stem.len() >= 9);
        let Some(tick) = stem.and_then(|stem| stem.parse::<u64>().ok()) else { continue };
        let extension = path.extension().and_then(|extension| extension.to_str());
        let later = last.is_none_or(|last| tick > last);
        if extension == Some("part") || extension == Some("vtp") && later {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
