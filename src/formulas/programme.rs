//! The linear programme of half-spaces: the velocity nearest to a preferred one that all neighbours and walls permit.
//!
//! In two dimensions it is solved by incremental construction on lines (de Berg, Cheong, van Kreveld and Overmars,
//! "Computational Geometry", 2008, chapter 4), in three on planes and on the lines in which they meet.

use crate::maths::Vector;
use crate::maths::components::{dot, plus, times};
use crate::maths::number::{Number, Truth};

/// The largest number of half-spaces that [`nearest_velocity`](fn@crate::steering::nearest_velocity) takes into account.
pub const MOST_HALF_SPACES: usize = 96;

/// Normals whose sine is below this are parallel.
const PARALLEL: f32 = 1e-5;

/// The velocities that one neighbour or wall permits: those with `velocity . normal >= bound`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace<const D: usize> {
    /// A vector of length one that points to the permitted side.
    pub normal: Vector<D>,
    /// The least component of the velocity along the normal, in metres per second.
    pub bound: f32,
}

impl<const D: usize> HalfSpace<D> {
    /// Permits everything.
    pub(crate) const ALL: Self = Self { normal: Vector::ZERO, bound: 0.0 };

    /// By how much a velocity falls short of the bound, in metres per second; negative if it is permitted.
    #[inline]
    #[must_use]
    pub fn missing(&self, velocity: Vector<D>) -> f32 {
        self.bound - self.normal.dot(velocity)
    }
}

/// A half-space of one agent, or one of each agent in the lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Half<N, const D: usize> {
    pub(crate) normal: [N; D],
    pub(crate) bound: N,
}

impl<N: Number, const D: usize> Half<N, D> {
    #[inline(always)]
    pub(crate) fn missing(&self, velocity: &[N; D]) -> N {
        self.bound - dot(&self.normal, velocity)
    }
}

impl<N: Number, const D: usize> From<&Self> for Half<N, D> {
    #[inline(always)]
    fn from(half: &Self) -> Self {
        *half
    }
}

impl<const D: usize> From<&HalfSpace<D>> for Half<f32, D> {
    #[inline(always)]
    fn from(&HalfSpace { normal, bound }: &HalfSpace<D>) -> Self {
        Self { normal: normal.0, bound }
    }
}

impl<const D: usize> From<Half<f32, D>> for HalfSpace<D> {
    fn from(Half { normal, bound }: Half<f32, D>) -> Self {
        Self { normal: Vector(normal), bound }
    }
}

/// The aim of a linear programme.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aim<N, const D: usize> {
    /// The velocity nearest to this one.
    Near([N; D]),
    /// The velocity that is farthest in this direction.
    Along([N; D]),
}

/// The velocity nearest to `preferred` that is at most `max_speed` long and in all half-spaces (van den Berg, Guy, Lin
/// and Manocha 2011, section 5).
///
/// If no velocity is in all of them, the first `walls` half-spaces hold if possible, and the result is the velocity
/// whose worst violation of the others is least. Half-spaces after the first [`MOST_HALF_SPACES`] are ignored. In two
/// dimensions the programme is solved by incremental construction on lines (de Berg et al. 2008), in three on planes.
///
/// ```
/// use throng::Vector;
/// use throng::steering::{HalfSpace, nearest_velocity};
///
/// let slow = HalfSpace { normal: Vector([-1.0, 0.0]), bound: -0.5 };
/// assert_eq!(nearest_velocity(&[slow], 0, 2.0, [1.0, 1.0]), Vector([0.5, 1.0]));
/// ```
#[must_use]
pub fn nearest_velocity<const D: usize>(
    half_spaces: &[HalfSpace<D>],
    walls: usize,
    max_speed: f32,
    preferred: impl Into<Vector<D>>,
) -> Vector<D> {
    let half_spaces = &half_spaces[..half_spaces.len().clamp(0, MOST_HALF_SPACES)];
    match nearest_permitted(half_spaces, max_speed, preferred.into()) {
        Ok(velocity) => velocity,
        Err((first, velocity)) => least_violation(half_spaces, walls, first, max_speed, velocity),
    }
}

/// The velocity nearest to `preferred` in all half-spaces, or the first half-space that none fits and the velocity
/// before it.
pub(crate) fn nearest_permitted<const D: usize>(
    half_spaces: &[HalfSpace<D>],
    max_speed: f32,
    preferred: Vector<D>,
) -> Result<Vector<D>, (usize, Vector<D>)> {
    solve(half_spaces, max_speed, Aim::Near(preferred.0))
}

/// Solves a programme. Without a solution, returns the first half-space that none fits and the solution before it.
#[inline]
fn solve<const D: usize>(
    half_spaces: &[HalfSpace<D>],
    max_speed: f32,
    aim: Aim<f32, D>,
) -> Result<Vector<D>, (usize, Vector<D>)> {
    let mut velocity = match aim {
        Aim::Near(preferred) => Vector(preferred).truncate(max_speed),
        Aim::Along(direction) => Vector(direction) * max_speed,
    };
    for (number, half_space) in half_spaces.iter().enumerate() {
        if half_space.missing(velocity) > 0.0 {
            let before = &half_spaces[..number];
            let solution = if D == 2 {
                let (fails, solution) = on_line(&half_space.into(), &[before], max_speed, &aim);
                (!fails).then_some(Vector(solution))
            } else {
                on_plane(half_space, before, max_speed, &aim)
            };
            velocity = solution.ok_or((number, velocity))?;
        }
    }
    Ok(velocity)
}

// ---- two dimensions ----

/// Returns the solution on the boundary of a half-plane, at most `max_speed` long and in the half-planes `before`; and
/// whether there is none. Only the first two axes count.
#[inline(always)]
pub(crate) fn on_line<N: Number, H, const D: usize>(
    half_plane: &Half<N, D>,
    before: &[&[H]],
    max_speed: N,
    aim: &Aim<N, D>,
) -> (N::Truth, [N; D])
where
    for<'a> Half<N, D>: From<&'a H>,
{
    let &Half { normal, bound } = half_plane;
    let mut along = [bound.same(0.0); D];
    (along[0], along[1]) = (normal[1], -normal[0]);
    // The point of the line that is nearest to the origin is the normal times the bound.
    let mut stretch = Stretch::within(max_speed * max_speed - bound * bound);
    for others in before {
        for other in *others {
            if (!stretch.is_empty()).skips() {
                break;
            }
            let other = Half::from(other);
            stretch.cut(dot(&other.normal, &along), other.bound - bound * dot(&other.normal, &normal));
        }
    }
    (stretch.is_empty(), plus(times(normal, bound), times(along, stretch.place(aim, &along))))
}

/// The part of a line inside all half-spaces: from `low` to `high`, in metres per second from the point that is nearest
/// to the origin.
#[derive(Clone, Copy, Debug)]
struct Stretch<N: Number> {
    low: N,
    high: N,
    fails: N::Truth,
}

impl<N: Number> Stretch<N> {
    /// The part within the largest speed, which is this far from the nearest point, squared.
    #[inline(always)]
    fn within(squared: N) -> Self {
        let half = squared.sqrt();
        Self { low: -half, high: half, fails: !squared.ge(half.same(0.0)) }
    }

    /// Keeps only the part in a half-space. Its `missing` part at the nearest point shrinks with this `slope` along the
    /// line.
    #[inline(always)]
    fn cut(&mut self, slope: N, missing: N) {
        let zero = slope.same(0.0);
        let parallel = slope.abs().le(slope.same(PARALLEL));
        self.fails = self.fails | (parallel & missing.gt(zero));
        let (cut, rises) = (missing / slope, slope.gt(zero));
        self.low = (!parallel & rises & cut.gt(self.low)).choose(cut, self.low);
        self.high = (!parallel & !rises & cut.lt(self.high)).choose(cut, self.high);
    }

    #[inline(always)]
    fn is_empty(&self) -> N::Truth {
        self.fails | self.low.gt(self.high)
    }

    /// The place that serves the aim best.
    #[inline(always)]
    fn place<const D: usize>(&self, aim: &Aim<N, D>, along: &[N; D]) -> N {
        match aim {
            Aim::Near(preferred) => {
                let place = dot(preferred, along);
                let place = place.lt(self.low).choose(self.low, place);
                place.gt(self.high).choose(self.high, place)
            }
            Aim::Along(direction) => dot(direction, along).gt(self.low.same(0.0)).choose(self.high, self.low),
        }
    }
}

// ---- three dimensions ----

/// The solution on the boundary of a half-space, at most `max_speed` long and in the half-spaces `before`.
#[inline]
fn on_plane<const D: usize>(
    half_space: &HalfSpace<D>,
    before: &[HalfSpace<D>],
    max_speed: f32,
    aim: &Aim<f32, D>,
) -> Option<Vector<D>> {
    let (normal, bound) = (half_space.normal, half_space.bound);
    let squared = max_speed * max_speed - bound * bound;
    if squared < 0.0 {
        return None;
    }
    let (centre, radius) = (normal * bound, squared.sqrt());
    let in_plane = |wanted: Vector<D>| wanted - normal * wanted.dot(normal);
    let mut velocity = match *aim {
        Aim::Near(preferred) => centre + in_plane(Vector(preferred)).truncate(radius),
        Aim::Along(direction) => centre + in_plane(Vector(direction)).direction() * radius,
    };
    for (number, other) in before.iter().enumerate() {
        if other.missing(velocity) > 0.0 {
            velocity = on_edge(half_space, other, &before[..number], max_speed, aim)?;
        }
    }
    Some(velocity)
}

/// The solution on the line in which the boundaries of two half-spaces meet.
fn on_edge<const D: usize>(
    one: &HalfSpace<D>,
    other: &HalfSpace<D>,
    before: &[HalfSpace<D>],
    max_speed: f32,
    aim: &Aim<f32, D>,
) -> Option<Vector<D>> {
    let (a, b) = (one.normal, other.normal);
    let mut along = Vector::ZERO;
    (along[0], along[1]) = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2]);
    along[2] = a[0] * b[1] - a[1] * b[0];
    let sine_squared = along.length_squared();
    if sine_squared <= PARALLEL * PARALLEL {
        return None;
    }
    let along = along / sine_squared.sqrt();
    // The point of the line that is nearest to the origin is a combination of the normals.
    let cosine = a.dot(b);
    let nearest = a * ((one.bound - cosine * other.bound) / sine_squared)
        + b * ((other.bound - cosine * one.bound) / sine_squared);
    let mut stretch = Stretch::within(max_speed * max_speed - nearest.length_squared());
    for third in before {
        if stretch.is_empty() {
            return None;
        }
        stretch.cut(third.normal.dot(along), third.missing(nearest));
    }
    (!stretch.is_empty()).then(|| nearest + along * stretch.place(aim, &along.0))
}

// ---- where nothing is permitted ----

/// The velocity with the least violation of the worst violated half-space, from the solution of those before `first`.
pub(crate) fn least_violation<const D: usize>(
    half_spaces: &[HalfSpace<D>],
    walls: usize,
    first: usize,
    max_speed: f32,
    mut velocity: Vector<D>,
) -> Vector<D> {
    let (mut worst, mut buffer) = (0.0, [HalfSpace::ALL; MOST_HALF_SPACES]);
    for (number, half_space) in half_spaces.iter().enumerate().skip(first) {
        if half_space.missing(velocity) <= worst {
            continue;
        }
        // In these half-spaces, no earlier one is violated by more than this one.
        let mut len = 0;
        for (place, other) in half_spaces[..number].iter().enumerate() {
            let no_worse = if place < walls { Some(*other) } else { no_worse(half_space, other) };
            if let Some(no_worse) = no_worse {
                buffer[len] = no_worse;
                len += 1;
            }
        }
        // The programme has a solution by construction. A failure is rounding error, and the last solution stays.
        if let Ok(better) = solve(&buffer[..len], max_speed, Aim::Along(half_space.normal.0)) {
            velocity = better;
        }
        worst = half_space.missing(velocity);
    }
    velocity
}

/// The velocities that violate `other` by no more than `half_space`; `None` if the difference is the same everywhere.
fn no_worse<const D: usize>(half_space: &HalfSpace<D>, other: &HalfSpace<D>) -> Option<HalfSpace<D>> {
    let normal = other.normal - half_space.normal;
    let length = normal.length();
    (length > PARALLEL).then(|| HalfSpace { normal: normal / length, bound: (other.bound - half_space.bound) / length })
}

#[cfg(test)]
mod tests;
