//! Meshes in the format OBJ of Wavefront: vertices, and faces with any number of corners.

use std::path::Path;

/// The largest size of a file, in bytes.
const LARGEST: u64 = 256 << 20;

/// The largest number of vertices, and of corners of faces.
const MOST: usize = 4_000_000;

/// The largest number of corners of a face.
const MOST_CORNERS: usize = 1000;

/// A mesh as a file has it: its vertices in the file's axes and units, and the vertices at the corners of each face.
#[derive(Debug, Default)]
pub(crate) struct Mesh {
    pub(super) points: Vec<[f64; 3]>,
    pub(super) faces: Vec<Vec<usize>>,
}

impl Mesh {
    /// Reads a file. The error has no name of the file.
    pub(crate) fn load(path: &Path) -> Result<Self, String> {
        let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
        if size > LARGEST {
            return Err(format!("is larger than {} MiB", LARGEST >> 20));
        }
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        // Names of groups and materials may have any encoding.
        Self::parse(&String::from_utf8_lossy(&bytes))
    }

    /// Reads vertices and faces; all else is left out. The error begins with the number of its line.
    fn parse(text: &str) -> Result<Self, String> {
        let (mut mesh, mut corners) = (Self::default(), 0);
        for (number, line) in text.lines().enumerate() {
            let mut words = line.split_ascii_whitespace();
            let result = match words.next() {
                Some("v") => point(words).map(|point| mesh.points.push(point)),
                Some("f") => face(words, mesh.points.len()).map(|face| {
                    corners += face.len();
                    mesh.faces.push(face);
                }),
                _ => Ok(()),
            };
            result.map_err(|reason| format!("{}: {reason}", number + 1))?;
            if mesh.points.len() > MOST || corners > MOST {
                return Err(format!("{}: there can be {MOST} vertices and corners at most", number + 1));
            }
        }
        if mesh.faces.is_empty() {
            return Err("1: has no faces: lines such as `f 1 2 3`".to_owned());
        }
        Ok(mesh)
    }
}

fn point<'t>(words: impl Iterator<Item = &'t str>) -> Result<[f64; 3], String> {
    let number = |word: &str| word.parse::<f64>().ok().filter(|number| number.is_finite());
    let numbers: Option<Vec<f64>> = words.take(3).map(number).collect();
    let point = numbers.and_then(|numbers| numbers.try_into().ok());
    point.ok_or_else(|| "a vertex must be three numbers: `v x y z`".to_owned())
}

/// The vertices of a face after this number of vertices. In a file they count from one, or back from the last one.
fn face<'t>(words: impl Iterator<Item = &'t str>, count: usize) -> Result<Vec<usize>, String> {
    let corner = |word: &str| {
        let text = word.split('/').next().unwrap_or_default();
        let number = text.parse::<i64>().map_err(|_| format!("`{text}` is not the number of a vertex"))?;
        let place = if number < 0 { number.saturating_add(count as i64) } else { number - 1 };
        let found = usize::try_from(place).ok().filter(|place| *place < count);
        found.ok_or_else(|| format!("a vertex {number} does not exist: {count} are before the face"))
    };
    let corners = words.take_while(|word| !word.starts_with('#')).map(corner).collect::<Result<Vec<_>, _>>()?;
    if !(3..=MOST_CORNERS).contains(&corners.len()) {
        return Err(format!("a face must have from 3 to {MOST_CORNERS} corners"));
    }
    Ok(corners)
}
