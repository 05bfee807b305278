//! The initial positions and velocities of a species, as read from a scenario.

use std::sync::Arc;

use throng::{Distribution, Shape, Vector};

/// The initial positions and velocities of a species.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Start {
    pub(crate) region: StartRegion,
    pub(crate) heading: Heading,
    /// `None` for the maximum speed of each agent.
    pub(crate) speed: Option<Distribution>,
    /// Whether the goal of each agent is the point opposite its initial position, beyond the centre of the region.
    pub(crate) opposite: bool,
    /// The sizes of groups; `None` for agents without groups.
    pub(crate) group_size: Option<Distribution>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StartRegion {
    All,
    /// Centre and radius.
    Disc(Vec<f32>, f32),
    /// Centre and radius: places at equal distances on a circle.
    Circle(Vec<f32>, f32),
    /// Centre and extent.
    Box(Vec<f32>, Vec<f32>),
    /// The corners of rings, in two dimensions: agents start in the parts that an odd number of them encloses.
    Polygon(Vec<Vec<[f32; 2]>>),
    /// All of several regions.
    Several(Vec<StartRegion>),
    /// The agents of a file or a list: positions and velocities.
    Recorded(Arc<[Recorded]>),
}

/// The position of an agent of a file or a list, and its velocity if the file has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Recorded {
    pub(crate) position: [f32; 3],
    pub(crate) velocity: Option<[f32; 3]>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Heading {
    Random,
    Along(Vec<f32>),
}

/// The number of points along each axis of a grid in a polygon.
const SAMPLES: usize = 9;

impl StartRegion {
    /// The shape; `None` for the whole world and polygons.
    pub(crate) fn shape<const D: usize>(&self) -> Option<Shape<D>> {
        match self {
            Self::All | Self::Recorded(_) | Self::Polygon(_) | Self::Several(_) => None,
            Self::Disc(centre, radius) | Self::Circle(centre, radius) => {
                Some(Shape::Ball { centre: in_dimensions(centre), radius: *radius })
            }
            Self::Box(centre, size) => {
                Some(Shape::Box { centre: in_dimensions(centre), half: in_dimensions(size) * 0.5 })
            }
        }
    }

    /// The region in another place.
    pub(super) fn moved(self, by: Vector<2>) -> Self {
        let moved = |at: Vec<f32>| at.iter().zip(by.0).map(|(at, by)| at + by).collect();
        match self {
            Self::All => Self::All,
            Self::Disc(centre, radius) => Self::Disc(moved(centre), radius),
            Self::Circle(centre, radius) => Self::Circle(moved(centre), radius),
            Self::Box(centre, size) => Self::Box(moved(centre), size),
            Self::Polygon(rings) => {
                let ring = |ring: Vec<[f32; 2]>| ring.iter().map(|corner| (Vector(*corner) + by).0).collect();
                Self::Polygon(rings.into_iter().map(ring).collect())
            }
            Self::Several(all) => Self::Several(all.into_iter().map(|region| region.moved(by)).collect()),
            Self::Recorded(agents) => Self::Recorded(
                agents
                    .iter()
                    .map(|agent| {
                        let [x, y, z] = agent.position;
                        Recorded { position: [x + by[0], y + by[1], z], ..*agent }
                    })
                    .collect(),
            ),
        }
    }

    /// The corners of the smallest box around the region, in a world of this size.
    pub(super) fn bounds<const D: usize>(&self, size: Vector<D>) -> [Vector<D>; 2] {
        match self {
            Self::Polygon(rings) => around(rings.iter().flatten().map(|corner| in_dimensions(corner))),
            Self::Several(all) => around(all.iter().flat_map(|region| region.bounds(size))),
            _ => self.shape().map_or([Vector::ZERO, size], |shape| {
                let (centre, half) = shape.bounds();
                [centre - half, centre + half]
            }),
        }
    }

    /// Whether a point between these bounds is in the region.
    pub(super) fn contains<const D: usize>(&self, point: Vector<D>) -> bool {
        match self {
            Self::Polygon(rings) => {
                let edges = rings.iter().flat_map(|ring| ring.iter().zip(ring.iter().cycle().skip(1)));
                let [x, y] = [f64::from(point[0]), f64::from(point[1])];
                edges.fold(false, |inside, (a, b)| {
                    let ([ax, ay], [bx, by]) = (a.map(f64::from), b.map(f64::from));
                    inside ^ ((ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax))
                })
            }
            Self::Several(all) => all.iter().any(|region| {
                let [low, high] = region.bounds(Vector::<D>::ZERO);
                (0..D).all(|axis| (low[axis]..=high[axis]).contains(&point[axis])) && region.contains(point)
            }),
            Self::Disc(centre, radius) => (in_dimensions::<D>(centre) - point).length_squared() <= radius * radius,
            _ => true,
        }
    }

    /// Points of the region, which a wall around it encloses; none of the whole world.
    pub(super) fn samples<const D: usize>(&self) -> Vec<[f64; 2]> {
        if let Some(shape) = self.shape::<D>() {
            return shape.samples();
        }
        if let Self::Several(all) = self {
            return all.iter().flat_map(Self::samples::<D>).collect();
        }
        let Self::Polygon(_) = self else { return Vec::new() };
        let [low, high] = self.bounds(Vector::<D>::ZERO);
        let share = |number: usize| (number as f32 + 0.5) / SAMPLES as f32;
        let at = |number: usize| {
            let shares = [share(number % SAMPLES), share(number / SAMPLES)];
            Vector::<D>::from_fn(|axis| {
                low[axis] + shares.get(axis).map_or(0.0, |share| share * (high[axis] - low[axis]))
            })
        };
        let points = (0..SAMPLES * SAMPLES).map(at).filter(|point| self.contains(*point));
        points.map(|point| [f64::from(point[0]), f64::from(point[1])]).collect()
    }
}

/// The corners of the smallest box around points.
fn around<const D: usize>(points: impl Iterator<Item = Vector<D>>) -> [Vector<D>; 2] {
    points.fold([Vector([f32::INFINITY; D]), Vector([-f32::INFINITY; D])], |[low, high], point| {
        let least = |a: f32, b: f32| if b < a { b } else { a };
        let most = |a: f32, b: f32| if b > a { b } else { a };
        [Vector::from_fn(|axis| least(low[axis], point[axis])), Vector::from_fn(|axis| most(high[axis], point[axis]))]
    })
}

/// A vector of a world, with zeros in place of missing components.
pub(super) fn in_dimensions<const D: usize>(components: &[f32]) -> Vector<D> {
    Vector::from_fn(|axis| components.get(axis).copied().unwrap_or(0.0))
}
