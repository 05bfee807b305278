//! The settings of a world (size, edge, length of a tick) and, separately, of its execution.

use std::fmt;

use crate::base::error::Error;
pub use crate::base::seam::Seam;
pub use crate::base::values::LIMIT;
use crate::base::values::{Allowed, Kind, Range};
pub(crate) use crate::formulas::edges::nearest_image;
use crate::kernels::simd::InstructionSet;
use crate::maths::Vector;

/// The extent of a world on an axis, in metres. In a smaller world squared distances would underflow.
const SIZE: Range = Range::from(1e-6, LIMIT as f64);

/// The length of a tick, in seconds.
const TICK: Range = Range::above(0.0, 1000.0);

/// The smallest budget of pairs, per agent.
const LEAST_PAIRS: u64 = 64;

/// The behaviour of the two boundaries of the world on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Edge {
    /// The world is periodic: an agent that leaves re-enters on the opposite side, and agents perceive each other
    /// across the seam.
    #[default]
    Wrap,
    /// An agent stops at the boundary, and its velocity is reflected inwards.
    Bounce,
    /// The axis has no boundary. An agent farther than [`LIMIT`] from the origin is removed.
    Open,
    /// An agent that leaves is removed at the start of the next tick.
    Remove,
    /// An agent that leaves continues from the centre of the world, on all axes.
    Respawn,
}

impl Edge {
    /// All edges, in the order of their documentation.
    pub const ALL: [Self; 5] = [Self::Wrap, Self::Bounce, Self::Open, Self::Remove, Self::Respawn];

    /// The name in a scenario file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrap => "wrap",
            Self::Bounce => "bounce",
            Self::Open => "open",
            Self::Remove => "remove",
            Self::Respawn => "respawn",
        }
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The source of neighbour candidates. It affects the cost of a tick, never its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum NeighbourLists {
    /// The choice that is expected to be faster, from the radii of the rules and the largest speed of the last tick.
    #[default]
    Auto,
    /// A new search in every tick.
    Fresh,
    /// Lists of all agents within the radius and a skin around it, kept until an agent may have crossed the skin:
    /// Verlet lists (Verlet 1967).
    Kept,
}

impl NeighbourLists {
    /// All sources, in the order of their documentation.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Fresh, Self::Kept];

    /// The name in an environment variable.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Fresh => "fresh",
            Self::Kept => "kept",
        }
    }
}

/// The settings of a world. It occupies `[0, size]` on every axis.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default = "Settings::default", deny_unknown_fields))]
pub struct Settings<const D: usize> {
    /// Extent of the world per axis, in metres, from 1e-6 to [`LIMIT`].
    pub size: Vector<D>,
    /// The behaviour of the boundaries, per axis: `[Edge::Wrap; 2]` in a world that is periodic on both axes,
    /// `[Edge::Wrap, Edge::Bounce]` in a corridor.
    #[cfg_attr(feature = "serde", serde(with = "crate::base::settings_forms::edges"))]
    pub edge: [Edge; D],
    /// Simulated seconds per tick, in (0, 1000].
    pub tick_seconds: f32,
    /// The key of all random draws.
    pub seed: u64,
    /// The largest number of pairs of an agent and a candidate that a tick examines, as an average per agent, at least
    /// 64; `None` for no limit. Results are exact within the budget. In a tick that would exceed it, for example with
    /// all agents at one point, crowded clusters examine only their nearest 512 candidates.
    /// [`Faults::inexact`](crate::Faults::inexact) counts the affected agents, and
    /// [`World::warnings`](crate::World::warnings) names them. Perceptions of all agents, with a radius of [`LIMIT`] or
    /// one that is larger than the world, are exact at any number of agents and do not count.
    #[cfg_attr(feature = "serde", serde(with = "crate::base::settings_forms::pair_budget"))]
    pub pair_budget: Option<usize>,
    /// Where parts of the world join that are apart in its coordinates, such as storeys. Only a world of two dimensions
    /// whose axes do not wrap has any.
    pub seams: Vec<Seam<D>>,
}

/// How a world runs. Execution affects the cost of a tick, never its result, and is not part of the world's state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Execution {
    /// The source of neighbour candidates.
    pub neighbour_lists: NeighbourLists,
    /// The instruction set of the kernels; the widest available one if `None`.
    pub instruction_set: Option<InstructionSet>,
}

impl<const D: usize> Default for Settings<D> {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl<const D: usize> Settings<D> {
    /// The defaults, as a constant: 100 m on each axis, periodic, 60 ticks per second, the seed zero and a budget of
    /// 4096 pairs per agent.
    pub const DEFAULT: Self = Self {
        size: Vector([100.0; D]),
        edge: [Edge::Wrap; D],
        tick_seconds: 1.0 / 60.0,
        seed: 0,
        pair_budget: Some(4096),
        seams: Vec::new(),
    };

    /// Checks that every setting is in its range.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] with the first setting that is not.
    pub fn check(&self) -> Result<(), Error> {
        if !self.size.0.iter().all(|&size| SIZE.contains(size.into())) {
            return Err(Error::bad("size", self.size, Allowed::point(SIZE, "m")));
        }
        check_tick(self.tick_seconds)?;
        if let Some(budget) = self.pair_budget.filter(|&budget| (budget as u64) < LEAST_PAIRS) {
            let allowed = Allowed::Kind { kind: Kind::WholeOrOff(LEAST_PAIRS), unit: "" };
            return Err(Error::bad("pair_budget", budget, allowed));
        }
        if !self.seams.is_empty() && (D != 2 || self.edge.contains(&Edge::Wrap)) {
            return Err(Error::bad("seams", self.seams.len(), Allowed::Plane));
        }
        self.seams.iter().try_for_each(Seam::check)
    }

    /// The period of the world per axis, in metres; infinite where the axis does not wrap.
    #[must_use]
    pub fn period(&self) -> [f32; D] {
        std::array::from_fn(|axis| match self.edge[axis] {
            Edge::Wrap => self.size[axis],
            _ => f32::INFINITY,
        })
    }

    /// Whether agents that perceive others within `radius` metres perceive all of the world: the radius is
    /// [`LIMIT`], or larger than the world, on axes that wrap than half of it.
    pub(crate) fn is_all(&self, radius: f32) -> bool {
        radius >= LIMIT || radius >= self.diameter()
    }

    /// The largest distance of two points of the world, in metres; of an open one, of its size.
    pub(crate) fn diameter(&self) -> f32 {
        let farthest =
            |axis: usize| if self.edge[axis] == Edge::Wrap { 0.5 * self.size[axis] } else { self.size[axis] };
        Vector::<D>::from_fn(farthest).length()
    }

    /// The offset from one point to another, in metres; on periodic axes, to its nearest image.
    ///
    /// ```
    /// # use throng::{Settings, Vector};
    /// let settings = Settings::<2> { size: Vector([10.0, 10.0]), ..Settings::default() };
    /// assert_eq!(settings.offset([1.0, 5.0], [9.0, 5.0]), Vector([-2.0, 0.0]));
    /// ```
    #[must_use]
    pub fn offset(&self, from: impl Into<Vector<D>>, to: impl Into<Vector<D>>) -> Vector<D> {
        let (from, to, period) = (from.into(), to.into(), self.period());
        Vector::from_fn(|axis| nearest_image_from_anywhere(to[axis] - from[axis], period[axis]))
    }
}

/// Checks the length of a tick in seconds.
///
/// # Errors
///
/// [`Error::BadValue`] if it is out of its range.
pub(crate) fn check_tick(seconds: f32) -> Result<(), Error> {
    if TICK.contains(seconds.into()) {
        return Ok(());
    }
    Err(Error::bad("tick_seconds", seconds, Allowed::number(TICK, "s")))
}

/// Returns the vector if each of its components is within [`LIMIT`] of zero.
///
/// # Errors
///
/// [`Error::BadValue`] for `what`.
pub(crate) fn within_limit<const D: usize>(
    what: &str,
    vector: Vector<D>,
    unit: &'static str,
) -> Result<Vector<D>, Error> {
    if vector.0.iter().all(|component| component.abs() <= LIMIT) {
        return Ok(vector);
    }
    Err(Error::bad(what, vector, Allowed::point(Range::COORDINATE, unit)))
}

/// Returns the nearest image of a difference of two coordinates of points that, unlike agents between ticks, may be any number of periods outside the world.
pub(crate) fn nearest_image_from_anywhere(difference: f32, period: f32) -> f32 {
    let far = difference.abs() > 1.5 * period;
    nearest_image(if far { difference - (difference / period).floor() * period } else { difference }, period)
}

/// Returns the image of a point inside the world, to within rounding.
pub(crate) fn wrap_into_world<const D: usize>(point: Vector<D>, period: &[f32; D]) -> Vector<D> {
    Vector::from_fn(|axis| match period[axis] {
        period if period < f32::INFINITY => point[axis] - (point[axis] / period).floor() * period,
        _ => point[axis],
    })
}
