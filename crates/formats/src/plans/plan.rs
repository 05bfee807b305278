//! The data of a floor plan.

use std::fmt;

use crate::plans::error::Place;
use crate::plans::units::Units;

/// Walls and areas of a floor plan.
#[derive(Clone, Debug, PartialEq)]
pub struct FloorPlan {
    /// The units of the file.
    pub units: Units,
    /// Metres per unit of the file. `None` if the file has no such scale and the reader was given none: coordinates are
    /// then in the units of the file.
    pub scale: Option<f64>,
    /// Whether the reader was given the scale.
    pub scale_given: bool,
    /// The walls. The outlines and holes of walkable areas are among them.
    pub walls: Vec<Path>,
    /// The areas.
    pub areas: Vec<Area>,
    /// The names of the filled shapes of a drawing without a stroke, which are areas, if no one has said that they are.
    pub filled: Vec<String>,
    /// The strokes that were cut where they cross themselves; `None` if none was.
    pub cuts: Option<Cuts>,
    /// Warnings about the contents of the file.
    pub doubts: Vec<Warning>,
    /// The number of shapes of the file that are neither walls nor areas, such as texts of a drawing.
    pub ignored: usize,
    /// Their kinds, each once.
    pub ignored_kinds: Vec<String>,
    /// The point of the map that is (0, 0), or the caller's origin; `None` if the coordinates belong to no map.
    pub anchor: Option<Anchor>,
}

/// Strokes that were cut where they cross themselves, or return along themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuts {
    /// The number of strokes.
    pub count: usize,
    /// The first such point of the first stroke.
    pub first: [f64; 2],
    /// The place of the first stroke in the text; `None` in a drawing of a CAD program.
    pub place: Option<Place>,
}

/// A point of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// Coordinates in metres, by which the reader moved the plan.
    Metres([f64; 2]),
    /// Longitude and latitude in degrees; the reader measured metres from there.
    Degrees([f64; 2]),
}

/// A polyline or a polygon without thickness.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The corners, at least two; consecutive corners differ.
    pub points: Vec<[f64; 2]>,
    /// Whether a segment joins the last corner to the first.
    pub closed: bool,
    /// The name in the file.
    pub name: Option<String>,
    /// For a ring of a walkable area: whether it is a hole, so that people walk outside of it, and not an outline.
    /// `None` of any other wall.
    pub solid: Option<bool>,
}

/// A part of the plane: a polygon with holes.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// The name in the file.
    pub name: Option<String>,
    /// The meaning.
    pub kind: AreaKind,
    /// The corners of the outline, at least three; the last differs from the first.
    pub outline: Vec<[f64; 2]>,
    /// The corners of each hole.
    pub holes: Vec<Vec<[f64; 2]>>,
}

/// The meaning of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaKind {
    /// The inside of a building, between walls.
    Walkable,
    /// A zone without walls of its own, such as an exit.
    Zone,
}

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The smallest coordinates.
    pub low: [f64; 2],
    /// The largest coordinates.
    pub high: [f64; 2],
}

/// A property of a plan that suggests a mistake.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The plan has neither walls nor areas.
    Empty,
    /// The file has no scale, and none was given.
    NoScale(Units, Bounds),
    /// The plan is larger than [`FloorPlan::LARGEST`], and no scale was given.
    Large(Units, Bounds),
    /// The plan is smaller than [`FloorPlan::SMALLEST`], and no scale was given.
    Small(Units, Bounds),
    /// The filled shapes of a drawing with these names have no stroke, so they are areas and not walls.
    Filled(Vec<String>),
    /// Strokes cross themselves, and were cut there; coordinates have this unit.
    Cut(Cuts, Units),
    /// The features with these values of a property belong to several floors, which are united.
    Floors {
        /// The property.
        property: String,
        /// Its values.
        values: Vec<String>,
    },
    /// The coordinate system of this name has an unknown unit, which was read as metres.
    Crs(String),
    /// This number of shapes is neither a wall nor an area; these are their kinds.
    Ignored(usize, Vec<String>),
    /// The coordinates belong to a map, and this point of it is (0, 0).
    Moved(Anchor),
}

impl Bounds {
    /// The bounds of points; `None` without points.
    fn of(points: impl Iterator<Item = [f64; 2]>) -> Option<Self> {
        points.fold(None, |bounds, point| {
            let Self { mut low, mut high } = bounds.unwrap_or(Self { low: point, high: point });
            for axis in 0..2 {
                low[axis] = if point[axis] < low[axis] { point[axis] } else { low[axis] };
                high[axis] = if point[axis] > high[axis] { point[axis] } else { high[axis] };
            }
            Some(Self { low, high })
        })
    }

    /// The width and the height.
    #[must_use]
    pub fn size(&self) -> [f64; 2] {
        [self.high[0] - self.low[0], self.high[1] - self.low[1]]
    }
}

impl Area {
    /// The bounds of an area that is a rectangle along the axes without holes; `None` for any other.
    #[must_use]
    pub fn rectangle(&self) -> Option<Bounds> {
        let bounds = Bounds::of(self.outline.iter().copied())?;
        let [width, height] = bounds.size();
        // Transforms of drawings round in single precision.
        let error = 1e-5 * if width > height { width } else { height };
        let near = |one: f64, other: f64| (one - other).abs() <= error;
        let [a, b, c, d] = self.outline[..] else { return None };
        let sides = [(a, b), (b, c), (c, d), (d, a)];
        // Sides along x and along y alternate.
        let along = |first: usize| {
            sides.iter().enumerate().all(|(side, (from, to))| near(from[(first + side) % 2], to[(first + side) % 2]))
        };
        (self.holes.is_empty() && width > error && height > error && (along(0) || along(1))).then_some(bounds)
    }
}

impl FloorPlan {
    /// The largest width or height of a plan, in metres, that needs no scale.
    pub const LARGEST: f64 = 2000.0;
    /// The larger one of width and height, in metres, below which a plan needs a scale.
    pub const SMALLEST: f64 = 0.5;

    /// The bounds of all walls and areas; `None` for an empty plan.
    #[must_use]
    pub fn bounds(&self) -> Option<Bounds> {
        let walls = self.walls.iter().flat_map(|wall| &wall.points);
        Bounds::of(walls.chain(self.areas.iter().flat_map(|area| &area.outline)).copied())
    }

    /// The unit of the coordinates: metres, or the unit of the file without a scale.
    #[must_use]
    pub const fn unit(&self) -> Units {
        if self.scale.is_some() { Units::Metres } else { self.units }
    }

    /// The number of wall segments.
    #[must_use]
    pub fn segments(&self) -> usize {
        self.walls.iter().map(|wall| wall.points.len() - usize::from(!wall.closed)).sum()
    }

    /// Properties of the plan that suggest a mistake.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        match self.bounds() {
            None => warnings.push(Warning::Empty),
            Some(bounds) if self.scale.is_none() => warnings.push(Warning::NoScale(self.units, bounds)),
            Some(_) if self.scale_given => {}
            Some(bounds) => {
                let [width, height] = bounds.size();
                let extent = if width > height { width } else { height };
                if extent > Self::LARGEST {
                    warnings.push(Warning::Large(self.units, bounds));
                } else if extent < Self::SMALLEST {
                    warnings.push(Warning::Small(self.units, bounds));
                }
            }
        }
        if !self.filled.is_empty() {
            warnings.push(Warning::Filled(self.filled.clone()));
        }
        warnings.extend(self.anchor.map(Warning::Moved));
        warnings.extend(self.cuts.map(|cuts| Warning::Cut(cuts, self.unit())));
        warnings.extend(self.doubts.iter().cloned());
        if self.ignored > 0 {
            warnings.push(Warning::Ignored(self.ignored, self.ignored_kinds.clone()));
        }
        warnings
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = [self.low, self.high].map(|point| point.map(|number| (number * 1e4).round() / 1e4));
        write!(f, "({}, {}) to ({}, {})", low[0], low[1], high[0], high[1])
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the plan has neither walls nor areas"),
            Self::NoScale(units, bounds) => {
                let unit = units.name();
                write!(f, "the plan reaches from {bounds} in {unit}, which have no length: set scale, in m per {unit}")
            }
            Self::Large(units, bounds) => {
                let [width, height] = bounds.size();
                write!(f, "the plan is {width} m x {height} m, from {bounds}: ")?;
                write!(f, "if its unit is not {}, set scale, in m per unit; otherwise set the same scale", units.name())
            }
            Self::Small(units, bounds) => {
                let [width, height] = bounds.size();
                write!(f, "the plan is only {width} m x {height} m, from {bounds}: ")?;
                write!(f, "if its unit is not {}, set scale, in m per unit; otherwise set the same scale", units.name())
            }
            Self::Filled(names) => {
                let shown = names.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = if names.len() > 5 { format!(" and {} more", names.len() - 5) } else { String::new() };
                write!(f, "no stroke: read as areas, through which agents walk: {shown}{more}. List the ids or ")?;
                write!(f, "colours of those that are walls in `walls`, which may be empty")
            }
            Self::Moved(Anchor::Metres([x, y])) => {
                write!(f, "the coordinates belong to a map: ({x}, {y}) m of it is (0, 0) here; ")?;
                write!(f, "`origin = [{}, {}]` says so", -x, -y)
            }
            Self::Moved(Anchor::Degrees([longitude, latitude])) => {
                write!(f, "the coordinates belong to a map: longitude {longitude}, latitude {latitude} is (0, 0) here")
            }
            Self::Cut(Cuts { count, first, place }, units) => {
                let [x, y] = first.map(|at| (at * 1e4).round() / 1e4);
                match count {
                    1 => write!(f, "1 stroke crosses itself or returns along itself, and was cut there")?,
                    count => {
                        write!(f, "{count} strokes cross themselves or return along themselves, and were cut there")?
                    }
                }
                let line = place.map_or(String::new(), |place| format!(", in line {}", place.line));
                write!(f, ": the first one{line} at ({x}, {y}) {}", units.name())
            }
            Self::Floors { property, values } => {
                let shown = values.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = if values.len() > 5 { format!(" and {} more", values.len() - 5) } else { String::new() };
                write!(f, "features of several floors are one plan: their property {property} is {shown}{more}; ")?;
                write!(f, "`select = [\"{property}={}\"]` takes one", values.first().map_or("", String::as_str))
            }
            Self::Crs(name) => {
                write!(f, "the coordinates were read as metres: the unit of their system {name} is not known here; ")?;
                write!(f, "set scale, in m per unit, and 1 for metres")
            }
            Self::Ignored(count, kinds) => {
                match count {
                    1 => write!(f, "1 shape is neither a wall nor an area")?,
                    count => write!(f, "{count} shapes are neither walls nor areas")?,
                }
                if kinds.is_empty() { Ok(()) } else { write!(f, ": {}", kinds.join(", ")) }
            }
        }
    }
}
