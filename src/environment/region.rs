//! Regions: named parts of the world. Events report agents that enter or leave them.

use crate::base::definition::{self, Alternative, Definition, definition};
use crate::base::error::Error;
use crate::base::handles::RegionId;
use crate::base::settings::{Edge, LIMIT, Settings, within_limit, wrap_into_world};
use crate::base::values::{Allowed, Field, Kind, Parameter, Range, Scaled, Value};
use crate::environment::collection::{Data, Item};
use crate::maths::{Noise, Vector};

/// The largest number of images of a shape that are tested on each axis, for ways of many periods.
const MOST_IMAGES: f32 = 16.0;

/// The number of halvings that find the point of a way nearest to a box.
const HALVINGS: u32 = 24;

/// The number of [samples](Shape::samples) along each axis of a box.
const SAMPLES: usize = 5;

definition! {
    /// A named part of the world. Several regions may share a name: a sink or a zone that refers to it means all of
    /// them.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Region<D> {
        /// Name of the region.
        pub name: String, "", Kind::Name;
        /// Shape.
        pub shape: Shape<D> as Shape<2>;
    }
}

const SHAPE: [Parameter; 3] = [
    Parameter::new("centre", "m", Kind::Point(Range::COORDINATE), "Centre of the disc, the ball or the box."),
    Parameter::optional("radius", "m", Kind::Number(Range::LENGTH), "Radius of a disc or a ball; excludes `size`.")
        .growing(Scaled::Length),
    Parameter::optional("size", "m", Kind::Point(Range::EXTENT), "Extent of a box; excludes `radius`."),
];

impl<const D: usize> Definition for Shape<D> {
    const KEYS: &'static [Parameter] = &SHAPE;

    const ALTERNATIVES: &'static [Alternative] = &[("radius", &["centre"]), ("size", &["centre"])];

    fn get(&self, key: &str) -> Option<Value> {
        match (*self, key) {
            (Self::Ball { centre, .. } | Self::Box { centre, .. }, "centre") => Some(centre.into()),
            (Self::Ball { radius, .. }, "radius") => Some(radius.into()),
            (Self::Box { half, .. }, "size") => Some((half * 2.0).into()),
            _ => None,
        }
    }

    fn blank() -> Self {
        Self::Ball { centre: Vector::ZERO, radius: 0.0 }
    }

    fn read(given: &[(&str, Value)]) -> Result<Self, Error> {
        let centre = definition::required(given, Self::key("centre"))?;
        match definition::given(given, "size") {
            Some(size) => Vector::read(size, Self::key("size")).map(|size| Self::Box { centre, half: size * 0.5 }),
            None => definition::required(given, Self::key("radius")).map(|radius| Self::Ball { centre, radius }),
        }
    }

    /// Checks that coordinates are within [`LIMIT`] and lengths are not negative.
    fn check_keys(&self) -> Result<(), Error> {
        let (centre, half) = self.bounds();
        within_limit("centre", centre, "m")?;
        if !half.0.iter().all(|length| (0.0..=LIMIT).contains(length)) {
            return Err(Error::bad("size", half, Allowed::point(Range::LENGTH, "m")));
        }
        Ok(())
    }
}

/// The shape of a region. In a periodic world it may cross the seam.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape<const D: usize> {
    /// Everything within a distance of a point.
    Ball {
        /// The point, in metres.
        centre: Vector<D>,
        /// The distance, in metres.
        radius: f32,
    },
    /// Everything within a distance of a point on every axis.
    Box {
        /// The point, in metres.
        centre: Vector<D>,
        /// The distance on each axis, in metres.
        half: Vector<D>,
    },
}

impl<const D: usize> Region<D> {
    /// A region of this shape.
    #[must_use]
    pub fn new(name: impl Into<String>, shape: Shape<D>) -> Self {
        Self { name: name.into(), shape }
    }
}

impl<const D: usize> Item for Region<D> {
    type Id = RegionId;

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl<const D: usize> Data for Region<D> {
    type Record = ();

    const HAS_OWN_NAME: bool = false;

    fn check(&self) -> Result<(), Error> {
        self.check_keys()
    }
}

impl<const D: usize> Shape<D> {
    /// The bounding box: its centre, and half of its extent on each axis, in metres.
    #[must_use]
    pub fn bounds(&self) -> (Vector<D>, Vector<D>) {
        match *self {
            Self::Ball { centre, radius } => (centre, Vector::splat(radius)),
            Self::Box { centre, half } => (centre, half),
        }
    }

    /// Returns whether a point is inside the shape or on its boundary.
    #[must_use]
    pub fn contains(&self, settings: &Settings<D>, point: Vector<D>) -> bool {
        match self {
            Self::Ball { centre, radius } => settings.offset(*centre, point).length_squared() <= radius * radius,
            Self::Box { centre, half } => {
                let offset = settings.offset(*centre, point);
                (0..D).all(|axis| offset[axis].abs() <= half[axis])
            }
        }
    }

    /// Draws a position at which a body of this radius lies inside the shape. `None` if the shape is smaller than the
    /// body, or the position is outside of the world.
    ///
    /// ```
    /// use throng::{Noise, Settings, Shape, Vector};
    ///
    /// let settings = Settings::<2>::default();
    /// let room = Shape::Box { centre: Vector([10.0, 5.0]), half: Vector([4.0, 3.0]) };
    /// let mut noise = Noise::new(settings.seed, 0, 0, Noise::USER);
    /// let position = room.draw(&settings, 0.25, &mut noise).unwrap();
    /// assert!((6.25..=13.75).contains(&position[0]) && (2.25..=7.75).contains(&position[1]));
    /// assert_eq!(room.draw(&settings, 3.5, &mut noise), None);
    /// ```
    #[must_use]
    pub fn draw(&self, settings: &Settings<D>, radius: f32, noise: &mut Noise) -> Option<Vector<D>> {
        let (centre, half) = self.bounds();
        if half.0.iter().any(|&half| half < radius) {
            return None;
        }
        let offset = match *self {
            Self::Ball { radius: reach, .. } => noise.in_ball() * (reach - radius),
            Self::Box { half, .. } => Vector::from_fn(|axis| noise.between(radius - half[axis], half[axis] - radius)),
        };
        // Adding 0.0 turns -0.0 into 0.0.
        let position = wrap_into_world(centre + offset, &settings.period()) + Vector::ZERO;
        let inside = |axis: usize| match settings.edge[axis] {
            Edge::Wrap => (0.0..settings.size[axis]).contains(&position[axis]),
            Edge::Open => position[axis].abs() <= LIMIT,
            _ => (0.0..=settings.size[axis]).contains(&position[axis]),
        };
        (0..D).all(inside).then_some(position)
    }

    /// Points of the shape on its first two axes, in metres, evenly spread and up to its boundary. A wall around all of
    /// them is around the shape: see [`FreeSpace::new`](crate::FreeSpace::new).
    #[must_use]
    pub fn samples(&self) -> Vec<[f64; 2]> {
        let (centre, half) = self.bounds();
        let share = |number: usize| number as f64 / (SAMPLES - 1) as f64 * 2.0 - 1.0;
        let squares = (0..SAMPLES * SAMPLES).map(|number| [share(number % SAMPLES), share(number / SAMPLES)]);
        let fits = |[x, y]: &[f64; 2]| !matches!(self, Self::Ball { .. }) || x * x + y * y <= 1.0;
        let place = |shares: [f64; 2]| {
            std::array::from_fn(|axis| f64::from(centre[axis]) + shares[axis] * f64::from(half[axis]))
        };
        squares.filter(fits).map(place).collect()
    }

    /// Returns whether the way by which an agent came to a point leads within a distance of the shape. The way is
    /// straight, and may lead across the seams of a periodic world.
    pub(crate) fn is_near_way(
        &self,
        settings: &Settings<D>,
        point: Vector<D>,
        moved: Vector<D>,
        distance: f32,
    ) -> bool {
        if self.distance_squared(settings, point) <= distance * distance {
            return true;
        }
        if moved == Vector::ZERO {
            return false;
        }
        let (half, reach) = match *self {
            Self::Ball { radius, .. } => (Vector::ZERO, radius + distance),
            Self::Box { half, .. } => (half, distance),
        };
        let (period, start) = (settings.period(), settings.offset(self.bounds().0, point) - moved);
        // The first image of the shape beside the way on each axis, and the number of images.
        let mut images = [(0.0, 1usize); D];
        for axis in 0..D {
            let size = period[axis];
            let (from, to) = (start[axis], start[axis] + moved[axis]);
            let (low, high) = if from < to { (from, to) } else { (to, from) };
            let out = half[axis] + reach;
            if size < f32::INFINITY {
                let (first, last) = (((low - out) / size).ceil(), ((high + out) / size).floor());
                images[axis] = (first * size, (last - first + 1.0).clamp(0.0, MOST_IMAGES) as usize);
            } else if low > out || high < -out {
                images[axis].1 = 0;
            }
        }
        (0..images.iter().map(|(_, count)| count).product()).any(|number: usize| {
            let mut rest = number;
            let from = Vector::from_fn(|axis| {
                let (first, count) = images[axis];
                let image = first + (rest % count) as f32 * period_or_zero(period[axis]);
                rest /= count;
                start[axis] - image
            });
            passes(from, moved, half, reach)
        })
    }

    /// The squared distance from a point to the shape, in square metres; zero inside the shape.
    pub(crate) fn distance_squared(&self, settings: &Settings<D>, point: Vector<D>) -> f32 {
        match self {
            Self::Ball { centre, radius } => {
                let beyond = settings.offset(*centre, point).length() - radius;
                if beyond > 0.0 { beyond * beyond } else { 0.0 }
            }
            Self::Box { centre, half } => {
                let offset = settings.offset(*centre, point);
                let beyond = Vector::from_fn(|axis| {
                    let beyond = offset[axis].abs() - half[axis];
                    if beyond > 0.0 { beyond } else { 0.0 }
                });
                Vector::<D>::length_squared(beyond)
            }
        }
    }
}

fn period_or_zero(period: f32) -> f32 {
    if period < f32::INFINITY { period } else { 0.0 }
}

/// Whether a way comes within `reach` of the box with these half extents around the origin.
fn passes<const D: usize>(from: Vector<D>, way: Vector<D>, half: Vector<D>, reach: f32) -> bool {
    if reach <= 0.0 {
        return crosses(from, way, half);
    }
    let beyond = |share: f32| {
        let at = from + way * share;
        Vector::<D>::from_fn(|axis| at[axis] - at[axis].clamp(-half[axis], half[axis]))
    };
    // The squared distance is a convex function of the share: its slope changes sign once.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if beyond(middle).dot(way) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    [low, high].into_iter().any(|share| beyond(share).length_squared() <= reach * reach)
}

/// Whether a way leads through the box with these half extents around the origin, or touches it.
fn crosses<const D: usize>(from: Vector<D>, way: Vector<D>, half: Vector<D>) -> bool {
    let (mut enters, mut leaves) = (0.0, 1.0);
    for axis in 0..D {
        if way[axis] == 0.0 {
            if from[axis].abs() > half[axis] {
                return false;
            }
            continue;
        }
        let [one, other] = [-half[axis], half[axis]].map(|face| (face - from[axis]) / way[axis]);
        let (first, last) = if one < other { (one, other) } else { (other, one) };
        enters = if first > enters { first } else { enters };
        leaves = if last < leaves { last } else { leaves };
    }
    enters <= leaves
}
