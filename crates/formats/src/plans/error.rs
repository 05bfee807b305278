//! The errors of floor plans, with their places.

use std::fmt;
use std::io;

use crate::plans::units::Units;

/// The reason why a floor plan cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanError {
    /// The file, as the caller named it; empty for a text.
    pub file: String,
    /// The place in the text; `None` for the file as a whole.
    pub place: Option<Place>,
    /// The reason.
    pub fault: Fault,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

/// The reason of a [`PlanError`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The file cannot be read.
    Unreadable {
        /// The kind of the error.
        kind: io::ErrorKind,
        /// The message of the operating system.
        message: String,
    },
    /// The file is larger than this number of bytes.
    TooLarge(u64),
    /// The text is not UTF-8 from this byte on.
    NotUtf8(usize),
    /// The extension of the file belongs to no known format.
    UnknownFormat,
    /// This build cannot read the format, for this reason.
    Missing(&'static str),
    /// The file is a drawing in this format, which is not text.
    Binary(&'static str),
    /// The text is not valid in its format.
    Syntax(String),
    /// Something else is expected at this place.
    Expected {
        /// The expected text.
        expected: &'static str,
        /// The text found.
        found: String,
    },
    /// A geometry or an element that no floor plan has.
    Unsupported(String),
    /// The file has more of these than the limit.
    TooMany {
        /// The name of the counted things.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// Geometries or elements are nested deeper than this limit.
    TooDeep(usize),
    /// Elements of a drawing that refer to each other become too many, or are nested too deep.
    Repeats,
    /// The coordinate system has another unit than metres, which the format cannot say.
    System(String),
    /// A coordinate is not finite, or farther from zero than [`FARTHEST`](crate::FARTHEST).
    TooFar,
    /// A ring does not end at its first point.
    NotClosed {
        /// The first point.
        first: [f64; 2],
        /// The last point.
        last: [f64; 2],
    },
    /// A ring has fewer than three different corners.
    NoRing,
    /// A polygon overlaps one before it, or shares a part of an edge with it, and the two cannot be united.
    Overlap,
    /// The ring of a walkable area crosses itself, or returns along itself, at this point, in this unit.
    Crosses([f64; 2], Units),
    /// The areas with holes, or the crossings of walls, cannot be found.
    Holes,
    /// No feature has this value of a property; these are the values.
    NoFeature {
        /// The wanted property and value.
        wanted: String,
        /// The values of the property.
        values: Vec<String>,
    },
    /// A selection is not `KEY=VALUE`, or the format has no properties.
    Select(String),
    /// The file has fewer geometries than the number of the wanted one.
    NoElement {
        /// The number of the wanted one, from zero.
        element: usize,
        /// The number of geometries.
        count: usize,
    },
    /// A wall has fewer than two different corners: its length is zero.
    NoLength,
    /// The scale must be a finite number above zero.
    Scale(f64),
    /// The tolerance of curves must be a finite number above zero.
    Tolerance(f64),
    /// The origin must be finite and within [`FARTHEST`](crate::FARTHEST) of zero.
    Origin,
}

impl PlanError {
    /// An error of the file as a whole.
    pub(crate) fn whole(fault: Fault) -> Self {
        Self { file: String::new(), place: None, fault }
    }

    /// An error at a byte of the text.
    pub(crate) fn at(text: &str, byte: usize, fault: Fault) -> Self {
        Self { file: String::new(), place: Some(Place::of(text, byte)), fault }
    }

    /// The error with the name of the file.
    pub(crate) fn in_file(mut self, file: String) -> Self {
        self.file = file;
        self
    }
}

impl Place {
    /// The place of a byte of the text.
    pub(crate) fn of(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self { line, column: before[start..].chars().count() + 1 }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { message, .. } => write!(f, "cannot be read: {message}"),
            Self::TooLarge(most) => write!(f, "is larger than {} MiB", most >> 20),
            Self::NotUtf8(at) => write!(f, "is not UTF-8 at byte {at}"),
            Self::UnknownFormat => {
                write!(f, "is not a floor plan: its extension must be .wkt, .geojson, .svg, .dxf or .toml")
            }
            Self::Binary(kind) => write!(f, "is {kind}, which is not read: save it as a DXF in text (ASCII)"),
            Self::Missing(reason) => write!(f, "{reason}"),
            Self::Syntax(message) => write!(f, "{message}"),
            Self::Expected { expected, found } if found.is_empty() => {
                write!(f, "expected {expected}, found the end of the text")
            }
            Self::Expected { expected, found } => write!(f, "expected {expected}, found `{found}`"),
            Self::Unsupported(what) => write!(f, "{what} is neither a wall nor an area of a floor plan"),
            Self::TooMany { what, most } => write!(f, "there can be {most} {what} at most"),
            Self::TooDeep(most) => write!(f, "is nested more than {most} levels deep"),
            Self::Repeats => {
                write!(f, "elements that refer to each other, such as <use>, become too many or are nested too deep")
            }
            Self::System(name) => {
                write!(
                    f,
                    "the coordinates of {name} are not metres: transform them, or write them as GeoJSON, or set scale"
                )
            }
            Self::TooFar => write!(f, "must be a number within 1e9 of zero"),
            Self::NotClosed { first, last } => write!(
                f,
                "the ring must end at its first point: it starts at {} {} and ends at {} {}",
                first[0], first[1], last[0], last[1]
            ),
            Self::NoRing => write!(f, "the ring must have three different corners"),
            Self::Overlap => {
                write!(
                    f,
                    "the polygon overlaps one before it, or shares an edge with it, and they cannot be united: "
                )?;
                write!(f, "unite them into one polygon")
            }
            Self::Crosses([x, y], units) => {
                let [x, y] = [x, y].map(|at| (at * 1e4).round() / 1e4);
                write!(f, "the ring crosses itself or returns along itself at ({x}, {y}) {}", units.name())
            }
            Self::Holes => write!(f, "the area without its holes cannot be found: unite holes that meet"),
            Self::NoFeature { wanted, values } if values.is_empty() => {
                write!(f, "no feature has {wanted}: none has this property")
            }
            Self::NoFeature { wanted, values } => {
                write!(f, "no feature has {wanted}: its values are {}", values.join(", "))
            }
            Self::Select(selection) => {
                write!(f, "`{selection}` selects nothing: features of GeoJSON are selected by KEY=VALUE")
            }
            Self::NoElement { element, count } => {
                write!(f, "there is no geometry {element}: the file has {count}, counted from 0")
            }
            Self::NoLength => write!(f, "the wall must have two different points: its length is zero"),
            Self::Scale(scale) => write!(f, "the scale is {scale}, and must be a finite number above zero"),
            Self::Tolerance(tolerance) => {
                write!(f, "the tolerance of curves is {tolerance}, and must be a finite number above zero")
            }
            Self::Origin => write!(f, "the origin must be two numbers within 1e9 of zero"),
        }
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:", self.file)?;
        }
        if let Some(Place { line, column }) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        if !self.file.is_empty() || self.place.is_some() {
            write!(f, " ")?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for PlanError {}
