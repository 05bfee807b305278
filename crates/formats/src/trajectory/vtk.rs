//! Trajectories for ParaView and pyvista: a file of points per frame (`.vtp`), and a list of them over time (`.pvd`).

use std::io::{self, Write};

use super::frame_files::PerFrame;
use super::{Frame, Heading, SpeciesRows};

/// The format.
#[derive(Debug)]
pub(super) struct Vtk(pub(super) Heading);

/// The numbers of an array of a file.
struct Array<'a> {
    name: &'a str,
    /// The type in VTK.
    kind: &'static str,
    components: usize,
    bytes: Vec<u8>,
}

impl PerFrame for Vtk {
    const ENDING: &'static str = "vtp";

    fn encode(&self, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
        let count = frame.agents();
        let floats = |numbers: [f32; 3]| numbers.map(f32::to_le_bytes);
        let points = of_rows(frame, |rows, row| floats(rows.point(row)));
        let velocities = of_rows(frame, |rows, row| floats(rows.velocity(row)));
        let mut data = vec![
            Array { name: "velocity", kind: "Float32", components: 3, bytes: velocities },
            Array {
                name: "id",
                kind: "Int64",
                components: 1,
                bytes: of_rows(frame, |rows, row| [rows.ids[row].to_le_bytes()]),
            },
            Array {
                name: "species",
                kind: "Int32",
                components: 1,
                bytes: of_rows(frame, |rows, _| [(rows.species as i32).to_le_bytes()]),
            },
        ];
        if self.0.has_states() {
            // Minus one for an agent without states.
            let state = |rows: &SpeciesRows, row: usize| rows.states.get(row).map_or(-1, |state| *state as i32);
            let bytes = of_rows(frame, |rows, row| [state(rows, row).to_le_bytes()]);
            data.push(Array { name: "state", kind: "Int32", components: 1, bytes });
        }
        for (number, column) in self.0.columns.iter().enumerate() {
            let width = column.width;
            let mut bytes = Vec::with_capacity(8 * count * width);
            for rows in &frame.species {
                for place in 0..rows.ids.len() * width {
                    bytes.extend(rows.value(number, place / width, place % width).to_le_bytes());
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

    fn head(&self) -> String {
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n\
         <Collection>\n"
            .to_owned()
    }

    fn entry(&self, file: &str, frame: &Frame, _: bool) -> String {
        let file = escaped(file);
        format!("<DataSet timestep=\"{}\" part=\"0\" file=\"{file}\"/>\n", frame.seconds)
    }

    fn foot(&self, _: &str, _: Option<[u64; 2]>) -> String {
        "</Collection>\n</VTKFile>\n".to_owned()
    }
}

/// A text as part of an attribute in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn of_rows<const N: usize, const M: usize>(
    frame: &Frame,
    bytes: impl Fn(&SpeciesRows, usize) -> [[u8; N]; M],
) -> Vec<u8> {
    let rows = frame.species.iter().flat_map(|rows| (0..rows.ids.len()).map(move |row| (rows, row)));
    let mut all = Vec::with_capacity(N * M * frame.agents());
    rows.for_each(|(rows, row)| all.extend_from_slice(bytes(rows, row).as_flattened()));
    all
}
