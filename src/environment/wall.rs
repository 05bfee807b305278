//! Walls, which no agent's centre crosses.

use crate::base::definition::{self, Alternative, Definition, definition, required};
use crate::base::error::Error;
use crate::base::handles::WallId;
use crate::base::settings::{LIMIT, within_limit};
use crate::base::values::{Allowed, Field, Kind, Parameter, Range, Scaled, Value};
use crate::environment::collection::{Data, Item};
use crate::environment::wall_path::PathFault;
use crate::maths::Vector;

/// The largest displacement of a wall in a world that is not periodic, in metres.
pub(crate) const FARTHEST: f64 = 4.0 * LIMIT as f64;

definition! {
    /// A wall. The centre of an agent stays on the side where it is, at any speed, and its body stays clear of the wall
    /// where there is room.
    ///
    /// An agent may be placed anywhere, also on a wall. In the next tick a centre inside a box, a disc or a ball goes to the
    /// nearest side that is free, with the event [`PushedOut`](crate::Event::PushedOut); one on the face of such a solid is
    /// outside; one on a path or a plane goes to the side of its motion, or to one that is drawn; and a body that overlaps a
    /// wall is pushed off it.
    ///
    /// ```
    /// use throng::{Settings, Vector, Wall, WallShape, World};
    ///
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let corners = [[20.0, 20.0], [60.0, 20.0], [60.0, 50.0]].map(Vector).to_vec();
    /// let wall = world.environment_mut().walls.add(Wall::new(WallShape::Path { points: corners, closed: false }))?;
    /// // A door that stands open for the first minute.
    /// let door = Wall { name: Some("door".into()), open: vec![[0.0, 60.0]], ..Wall::segment([60.0, 50.0], [20.0, 20.0]) };
    /// world.environment_mut().walls.add(door)?;
    /// world.environment_mut().walls.remove(wall)?;
    /// # Ok::<(), throng::Error>(())
    /// ```
    #[derive(Clone, Debug, PartialEq)]
    pub struct Wall<D> {
        /// Name of the wall, which no other wall has.
        pub name: Option<String> = None, "", Kind::Name;
        /// Shape, where it was when the wall was added or set.
        pub shape: WallShape<D> as WallShape<2>;
        /// Velocity; the wall turns back at the world's boundary, and re-enters a periodic world on the opposite side. It
        /// moves at most 0.45 periods in a tick.
        pub velocity: Vector<D> = (Vector::ZERO) or "zero", "m/s", Kind::Point(Range::COORDINATE);
        /// Times at which the wall does not exist: a door is open from the first number, included, to the second, excluded.
        pub open: Vec<[f32; 2]> = (Vec::new()), "s", Kind::Intervals(Range::LENGTH);
        /// Whether agents start outside a `polygon`, as of a column, or inside, as of a room.
        pub solid: Option<bool> =
            None or "false if it encloses a region, a start, a mark, an obstacle, a wall or half of the world",
            "", Kind::Flag;
        /// Whether routes of navigations lead round it while it moves.
        pub carve: bool = false, "", Kind::Flag, [added];
    }
}

const SHAPE: [Parameter; 7] = [
    Parameter::optional("line", "m", Kind::Points(Range::COORDINATE), "Corners of a line, in two dimensions."),
    Parameter::optional(
        "polygon",
        "m",
        Kind::Points(Range::COORDINATE),
        "Corners of a closed line, in two dimensions.",
    ),
    Parameter::optional("centre", "m", Kind::Point(Range::COORDINATE), "Centre of a disc, a ball or a box."),
    Parameter::optional("radius", "m", Kind::Number(WallShape::<2>::EXTENT), "Radius of a disc or a ball.")
        .growing(Scaled::Length),
    Parameter::optional("size", "m", Kind::Point(Range::EXTENT), "Extent of a box."),
    Parameter::optional(
        "point",
        "m",
        Kind::Point(Range::COORDINATE),
        "Point of a plane, or of a line without ends in two dimensions.",
    ),
    Parameter::optional("normal", "", Kind::Point(Range::COORDINATE), "Direction at right angles to the plane."),
];

impl<const D: usize> Definition for WallShape<D> {
    const KEYS: &'static [Parameter] = &SHAPE;

    const ALTERNATIVES: &'static [Alternative] =
        &[("line", &[]), ("polygon", &[]), ("radius", &["centre"]), ("size", &["centre"]), ("normal", &["point"])];

    fn get(&self, key: &str) -> Option<Value> {
        match (self, key) {
            (Self::Path { points, closed: false }, "line") | (Self::Path { points, closed: true }, "polygon") => {
                Some(points.value())
            }
            (Self::Box { centre, .. } | Self::Ball { centre, .. }, "centre") => Some((*centre).into()),
            (Self::Box { half, .. }, "size") => Some((*half * 2.0).into()),
            (Self::Ball { radius, .. }, "radius") => Some((*radius).into()),
            (Self::Plane { point, .. }, "point") => Some((*point).into()),
            (Self::Plane { normal, .. }, "normal") => Some((*normal).into()),
            _ => None,
        }
    }

    fn blank() -> Self {
        Self::Path { points: Vec::new(), closed: false }
    }

    fn read(given: &[(&str, Value)]) -> Result<Self, Error> {
        let value = |name: &str| definition::given(given, name).map(|value| (value, Self::key(name)));
        for (name, closed) in [("line", false), ("polygon", true)] {
            if let Some((value, key)) = value(name) {
                return Vec::read(value, key).map(|points| Self::Path { points, closed });
            }
        }
        if let Some((value, key)) = value("normal") {
            return Ok(Self::Plane { point: required(given, Self::key("point"))?, normal: Vector::read(value, key)? });
        }
        let centre = required(given, Self::key("centre"))?;
        match value("size") {
            Some((value, key)) => Vector::read(value, key).map(|size| Self::Box { centre, half: size * 0.5 }),
            None => required(given, Self::key("radius")).map(|radius| Self::Ball { centre, radius }),
        }
    }

    fn check_keys(&self) -> Result<(), Error> {
        self.check()
    }
}

/// The shape of a wall. In a periodic world it may cross the seam, and be longer than a period: the images of a segment
/// that count are those within 64 periods of a point.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WallShape<const D: usize> {
    /// Segments without thickness, in two dimensions: a segment, a polyline or a polygon.
    Path {
        /// The corners, in metres.
        points: Vec<Vector<D>>,
        /// Whether a segment leads from the last corner to the first.
        closed: bool,
    },
    /// A box, aligned with the axes.
    Box {
        /// Its centre, in metres.
        centre: Vector<D>,
        /// Half of its extent on each axis, in metres.
        half: Vector<D>,
    },
    /// A ball, or a disc in two dimensions.
    Ball {
        /// Its centre, in metres.
        centre: Vector<D>,
        /// Its radius, in metres.
        radius: f32,
    },
    /// A plane, or a line without ends in two dimensions. In a periodic world it has one image on each side.
    Plane {
        /// One of its points, in metres.
        point: Vector<D>,
        /// A vector at right angles to it, of any length.
        normal: Vector<D>,
    },
}

/// The motion of a wall: a part of the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WallMotion<const D: usize> {
    /// The displacement since its shape was set, in metres.
    pub(crate) offset: [f64; D],
    /// Whether it existed in the last tick.
    pub(crate) stood: bool,
    /// The angle in radians by which the host has turned it since its shape was set, if the host drives it.
    pub(crate) turned: Option<f32>,
}

impl<const D: usize> Default for WallMotion<D> {
    fn default() -> Self {
        Self { offset: [0.0; D], stood: false, turned: None }
    }
}

impl<const D: usize> Wall<D> {
    /// A wall at rest that always exists.
    #[must_use]
    pub const fn new(shape: WallShape<D>) -> Self {
        Self { name: None, shape, velocity: Vector::ZERO, open: Vec::new(), solid: None, carve: false }
    }

    /// A straight wall at rest from one point to another.
    #[must_use]
    pub fn segment(from: impl Into<Vector<D>>, to: impl Into<Vector<D>>) -> Self {
        Self::new(WallShape::Path { points: vec![from.into(), to.into()], closed: false })
    }

    /// Returns whether the wall does not exist at this simulated time, in seconds.
    #[must_use]
    pub fn is_open(&self, seconds: f64) -> bool {
        self.open.iter().any(|&[from, to]| f64::from(from) <= seconds && seconds < f64::from(to))
    }
}

impl<const D: usize> WallShape<D> {
    /// The range of radii and of extents, in metres.
    pub const EXTENT: Range = Range::above(0.0, LIMIT as f64);

    /// The shape, displaced by this vector in metres.
    #[must_use]
    pub fn displaced(&self, by: [f64; D]) -> Self {
        self.moved(|point| Vector::from_fn(|axis| (f64::from(point[axis]) + by[axis]) as f32))
    }

    /// The shape with its corners or its centre moved.
    pub(crate) fn moved(&self, moved: impl Fn(&Vector<D>) -> Vector<D>) -> Self {
        match self {
            Self::Path { points, closed } => Self::Path { points: points.iter().map(moved).collect(), closed: *closed },
            Self::Box { centre, half } => Self::Box { centre: moved(centre), half: *half },
            Self::Ball { centre, radius } => Self::Ball { centre: moved(centre), radius: *radius },
            Self::Plane { point, normal } => Self::Plane { point: moved(point), normal: *normal },
        }
    }

    /// The segments of a path, or the edges of a box; none of a ball or a plane.
    #[must_use]
    pub fn edges(&self) -> Vec<[Vector<D>; 2]> {
        match self {
            Self::Path { points, closed } => {
                let next = points.iter().skip(1).chain(points.first().filter(|_| *closed));
                points.iter().zip(next).map(|(&from, &to)| [from, to]).collect()
            }
            Self::Box { centre, half } => {
                let corner = |number: usize| {
                    Vector::from_fn(|axis| {
                        if number >> axis & 1 == 0 { centre[axis] - half[axis] } else { centre[axis] + half[axis] }
                    })
                };
                let pairs = (0..1usize << D).flat_map(|from| (0..D).map(move |axis| (from, from | 1 << axis)));
                pairs.filter(|(from, to)| from != to).map(|(from, to)| [corner(from), corner(to)]).collect()
            }
            Self::Ball { .. } | Self::Plane { .. } => Vec::new(),
        }
    }

    fn check(&self) -> Result<(), Error> {
        match self {
            Self::Path { points, closed } => {
                for &point in points {
                    within_limit("points", point, "m")?;
                }
                match PathFault::of(points, *closed) {
                    None => Ok(()),
                    Some(_) => {
                        let points = points.iter().map(|point| point.0.map(f64::from).to_vec()).collect();
                        let key = if *closed { "polygon" } else { "line" };
                        Err(Error::bad(key, Value::Points(points), Allowed::WallPath))
                    }
                }
            }
            Self::Box { centre, half } => {
                within_limit("centre", *centre, "m")?;
                if half.0.iter().all(|&length| Self::EXTENT.contains(length.into())) {
                    return Ok(());
                }
                Err(Error::bad("size", *half * 2.0, Allowed::point(Range::EXTENT, "m")))
            }
            Self::Ball { centre, radius } => {
                within_limit("centre", *centre, "m")?;
                if Self::EXTENT.contains((*radius).into()) {
                    return Ok(());
                }
                Err(Error::bad("radius", *radius, Allowed::number(Self::EXTENT, "m")))
            }
            Self::Plane { point, normal } => {
                within_limit("point", *point, "m")?;
                within_limit("normal", *normal, "")?;
                if normal.0.iter().any(|&component| component != 0.0) {
                    return Ok(());
                }
                Err(Error::bad("normal", *normal, Allowed::Direction))
            }
        }
    }
}

impl<const D: usize> Item for Wall<D> {
    type Id = WallId;

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

impl<const D: usize> Data for Wall<D> {
    type Record = WallMotion<D>;

    fn check(&self) -> Result<(), Error> {
        self.check_keys()?;
        if let Some(solid) = self.solid.filter(|_| !matches!(self.shape, WallShape::Path { closed: true, .. })) {
            return Err(Error::bad("solid", solid, Allowed::one_of(["none, of a wall that is not a closed path"])));
        }
        Ok(())
    }

    /// Setting the shape resets the displacement: the wall jumps to its new shape in the next tick.
    fn replaces(&self, old: &Self, motion: &mut WallMotion<D>) {
        if self.shape != old.shape {
            *motion = WallMotion::default();
        }
    }
}
