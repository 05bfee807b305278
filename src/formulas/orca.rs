//! Optimal reciprocal collision avoidance: van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance"
//! (2011).
//!
//! In this order: the velocities that a neighbour permits, those that its cell permits, those that a wall permits, and
//! the velocity that an agent takes. `programme.rs` finds the nearest velocity that all permit. `kernels/orca.rs` has
//! the agents of a cluster in the lanes of the same formulas, in two dimensions.

use crate::formulas::bodies::{Body, Walker};
use crate::formulas::cells::{LEAST_CLOSING, cell};
use crate::formulas::headway::{Claim, Headway};
use crate::formulas::programme::{Half, HalfSpace, MOST_HALF_SPACES, least_violation, nearest_permitted};
use crate::maths::Vector;
use crate::maths::components::{choose, direction, dot, minus, over, times};
use crate::maths::number::{Number, Truth};

/// The largest number of walls that an agent heeds, nearest first.
pub(crate) const MOST_WALLS: usize = 24;

// ---- neighbours ----

/// The velocities with which an agent does its `share` to avoid a collision with a neighbour for `time_horizon` seconds.
///
/// Velocities that lead to a collision, with the neighbour at its present velocity, form the velocity obstacle: a
/// truncated cone. The smallest change of the relative velocity that leaves it, times the share, bounds the agent's own
/// velocity. With shares that add up to one, as the default of one half each, the pair is collision-free. Bodies that
/// overlap part within `time_step` seconds.
///
/// `aside` returns a direction for the rare case in which none is nearest to leave the cone: coincident bodies and, in
/// three dimensions, a neighbour straight ahead. The offset to the neighbour is its argument. The two agents of a pair
/// should get opposite directions.
///
/// ```
/// use throng::Vector;
/// use throng::steering::{Body, Walker, avoid_agent};
///
/// // Two agents overlap by a tenth of a metre: each retreats at half the speed that parts them in half a second.
/// let me = Walker { velocity: Vector([0.0, 0.0]), radius: 0.5 };
/// let other = Body::new([0.9, 0.0], [0.0, 0.0], 0.5);
/// let permitted = avoid_agent(&me, &other, 0.5, 3.0, 0.5, |_| Vector([0.0, 1.0]));
/// assert_eq!(permitted.normal, Vector([-1.0, 0.0]));
/// assert!((permitted.bound - 0.1).abs() < 1e-6);
/// ```
#[must_use]
#[inline]
pub fn avoid_agent<const D: usize>(
    me: &Walker<D>,
    other: &Body<D>,
    share: f32,
    time_horizon: f32,
    time_step: f32,
    aside: impl FnOnce(Vector<D>) -> Vector<D>,
) -> HalfSpace<D> {
    let relative = me.velocity - other.velocity;
    let cone = Cone::new(other.offset.0, relative.0, me.radius + other.radius, [time_horizon, time_step]);
    let (mut normal, is_open) = cone.way_out();
    if is_open {
        normal = cone.way_aside(aside(other.offset));
    }
    cone.half_space(normal, &me.velocity.0, share).into()
}

/// The velocity obstacle of a neighbour: the relative velocities that lead to a collision.
pub(crate) struct Cone<N: Number, const D: usize> {
    offset: [N; D],
    squared: N,
    /// The velocity relative to the neighbour, and to the centre of the disc that truncates the cone.
    relative: [N; D],
    from_centre: [N; D],
    /// The distance of bodies in contact, and the rate at which all distances become velocities of the disc.
    reach: N,
    rate: N,
    /// Whether the nearest way out is across the disc, not across a leg of the cone.
    by_disc: N::Truth,
    /// How far the velocity is from the centre of the disc, or the length of the legs, times the distance.
    length: N,
}

impl<N: Number, const D: usize> Cone<N, D> {
    #[inline(always)]
    pub(crate) fn new(offset: [N; D], relative: [N; D], reach: N, [time_horizon, time_step]: [f32; 2]) -> Self {
        let (squared, reach_squared) = (dot(&offset, &offset), reach * reach);
        let overlaps = squared.le(reach_squared);
        let rate = overlaps.choose(reach.same(1.0 / time_step), reach.same(1.0 / time_horizon));
        let from_centre = minus(relative, times(offset, rate));
        let (from_squared, along) = (dot(&from_centre, &from_centre), dot(&from_centre, &offset));
        let before_disc = along.lt(reach.same(0.0)) & (along * along).gt(reach_squared * from_squared);
        let by_disc = overlaps | before_disc;
        let length = by_disc.choose(from_squared, squared - reach_squared).sqrt();
        Self { offset, squared, relative, from_centre, reach, rate, by_disc, length }
    }

    /// The direction of the smallest change that leaves the cone, and whether there is none.
    #[inline(always)]
    pub(crate) fn way_out(&self) -> ([N; D], N::Truth) {
        let &Self { offset, squared, from_centre, reach, by_disc, length, .. } = self;
        let zero = reach.same(0.0);
        let is_centre = by_disc & !length.gt(zero);
        if D == 2 {
            let (x, y) = (offset[0], offset[1]);
            let is_left = (x * from_centre[1] - y * from_centre[0]).gt(zero);
            let mut across = [zero; D];
            across[0] = is_left.choose(-(x * reach + y * length), y * length - x * reach);
            across[1] = is_left.choose(x * length - y * reach, -(x * length + y * reach));
            return (over(choose(by_disc, from_centre, across), by_disc.choose(length, squared)), is_centre);
        }
        // The disc of the cone that touches the cone's surface nearest to the relative velocity.
        let relative = self.relative;
        let across = minus(relative, times(offset, dot(&offset, &relative) / squared));
        let across_squared = dot(&across, &across);
        let is_ahead = !across_squared.gt(reach.same(1e-10) * dot(&relative, &relative));
        let side = squared - reach * reach;
        let tilt = reach * across_squared.sqrt() / (side * squared).sqrt();
        let leg = direction(minus(across, times(offset, tilt)));
        (choose(by_disc, over(from_centre, length), leg), is_centre | (!by_disc & is_ahead))
    }

    /// The half-space beyond the share of the change along `normal` that leaves the cone, for an agent with this
    /// velocity.
    #[inline(always)]
    pub(crate) fn half_space(&self, normal: [N; D], mine: &[N; D], share: N) -> Half<N, D> {
        let change = self.by_disc.choose(self.reach * self.rate - self.length, -dot(&self.relative, &normal));
        Half { normal, bound: dot(mine, &normal) + share * change }
    }
}

impl<const D: usize> Cone<f32, D> {
    /// The way out where all are equally near, by a drawn direction: that one from the centre of the disc. Straight
    /// ahead, every direction across leads out, and the surface is tilted by the angle of the cone.
    fn way_aside(&self, drawn: Vector<D>) -> [f32; D] {
        if self.by_disc {
            return drawn.0;
        }
        let ahead = Vector(self.offset).direction();
        let across = (drawn - ahead * drawn.dot(ahead)).direction();
        let distance = self.squared.sqrt();
        (across * (self.length / distance) - ahead * (self.reach / distance)).0
    }
}

// ---- cells of neighbours ----

/// The velocities with which an agent uses up at most its part of the gap to a neighbour in `time_step` seconds: those
/// that keep it in its buffered Voronoi cell (Zhou, Wang, Bandyopadhyay and Schwager, "Fast, On-line Collision Avoidance
/// for Dynamic Vehicles Using Buffered Voronoi Cells", 2017).
///
/// The paper gives half of the gap to each. Here the parts are in proportion to the speeds with which the two approach
/// each other, plus a tenth of a metre per second: one that follows another may use almost all of the gap.
///
/// Bodies that both keep to their cells never overlap, and an agent at rest always does. Bodies that overlap already
/// come no nearer; at the neighbour's own point everything is permitted.
///
/// ```
/// use throng::Vector;
/// use throng::steering::{Body, Walker, keep_to_cell};
///
/// // A gap of ten centimetres, half of it for each in half a second.
/// let me = Walker { velocity: Vector([0.0, 0.0]), radius: 0.5 };
/// let permitted = keep_to_cell(&me, &Body::new([1.1, 0.0], [0.0, 0.0], 0.5), 0.5);
/// assert_eq!(permitted.normal, Vector([-1.0, 0.0]));
/// assert!((permitted.bound + 0.1).abs() < 1e-6);
/// ```
#[must_use]
#[inline]
pub fn keep_to_cell<const D: usize>(me: &Walker<D>, other: &Body<D>, time_step: f32) -> HalfSpace<D> {
    let touching = me.radius + other.radius;
    cell(other.offset.0, [me.velocity.0, other.velocity.0], touching, [time_step, LEAST_CLOSING]).0.into()
}

// ---- walls ----

/// The velocities with which an agent does not run into a wall for `time_horizon` seconds: those beyond the boundary of
/// the wall's velocity obstacle, at the point of it that is nearest to the present velocity.
///
/// The wall is a segment, given by the offsets to its ends, and does not move. The agent does all to avoid it. A body
/// that touches the wall moves no farther into it. Returns `None` for a wall that the half-spaces `before` exclude, and
/// for the agent's own point.
#[must_use]
pub fn avoid_wall(
    me: &Walker<2>,
    [start, end]: [Vector<2>; 2],
    time_horizon: f32,
    before: &[HalfSpace<2>],
) -> Option<HalfSpace<2>> {
    let (rate, radius) = (1.0 / time_horizon, me.radius);
    let excludes = |half_space: &HalfSpace<2>| {
        let enough = |end: Vector<2>| half_space.missing(end * rate) >= radius * rate;
        enough(start) && enough(end)
    };
    if before.iter().any(excludes) {
        return None;
    }
    // The agent sees the start on its left.
    let [start, end] = if start.cross(end) <= 0.0 { [start, end] } else { [end, start] };
    let span = end - start;
    let place = -start.dot(span) / span.length_squared();
    let line_squared = if place.is_finite() { (start + span * place).length_squared() } else { start.length_squared() };
    let (start_squared, end_squared, radius_squared) = (start.length_squared(), end.length_squared(), radius * radius);
    let away_from = |point: Vector<2>| {
        let normal = -point.direction();
        (normal != Vector::ZERO).then_some(HalfSpace { normal, bound: 0.0 })
    };
    let before_start = place < 0.0 || !place.is_finite();
    if before_start && start_squared <= radius_squared {
        return away_from(start);
    }
    if place > 1.0 && end_squared <= radius_squared {
        return away_from(end);
    }
    let across = -span.direction().perp();
    if !before_start && place <= 1.0 && line_squared <= radius_squared {
        return Some(HalfSpace { normal: across, bound: 0.0 });
    }
    // Seen along its length, a wall is the nearer of its ends.
    let oblique = line_squared <= radius_squared;
    let [left, right] = match oblique {
        true if before_start => [start; 2],
        true => [end; 2],
        false => [start, end],
    };
    let tangent = |point: Vector<2>, side: f32| {
        let squared = point.length_squared();
        let leg = (squared - radius_squared).sqrt();
        (point * leg + point.perp() * (side * radius)) / squared
    };
    let (left_leg, right_leg) = (tangent(left, 1.0), tangent(right, -1.0));
    let (left, right) = (left * rate, right * rate);
    let cut = right - left;
    let place = if oblique { 0.5 } else { (me.velocity - left).dot(cut) / cut.length_squared() };
    let (on_left, on_right) = ((me.velocity - left).dot(left_leg), (me.velocity - right).dot(right_leg));
    let round = |centre: Vector<2>| {
        let normal = (me.velocity - centre).direction();
        (normal != Vector::ZERO).then(|| HalfSpace { normal, bound: centre.dot(normal) + radius * rate })
    };
    if (place < 0.0 && on_left < 0.0) || (oblique && on_left < 0.0 && on_right < 0.0) {
        return round(left);
    }
    if place > 1.0 && on_right < 0.0 {
        return round(right);
    }
    let far = |nearest: Vector<2>| (me.velocity - nearest).length_squared();
    let to_cut = if oblique || !(0.0..=1.0).contains(&place) { f32::INFINITY } else { far(left + cut * place) };
    let to_left = if on_left < 0.0 { f32::INFINITY } else { far(left + left_leg * on_left) };
    let to_right = if on_right < 0.0 { f32::INFINITY } else { far(right + right_leg * on_right) };
    let (normal, at) = if to_cut <= to_left && to_cut <= to_right {
        (across, left)
    } else if to_left <= to_right {
        (left_leg.perp(), left)
    } else {
        (-right_leg.perp(), right)
    };
    Some(HalfSpace { normal, bound: at.dot(normal) + radius * rate })
}

/// Writes the half-spaces that walls permit, nearest first: each with the offset to its nearest point, the offsets to
/// its ends if it is a segment, and its velocity. A wall of another shape counts as a plane across its nearest point.
pub(crate) fn heed_walls<'a, const D: usize>(
    me: &Walker<D>,
    walls: impl Iterator<Item = (Vector<D>, Option<[Vector<D>; 2]>, Vector<D>)>,
    time_horizon: f32,
    half_spaces: &'a mut [HalfSpace<D>; MOST_WALLS],
) -> &'a [HalfSpace<D>] {
    let flat_of = |vector: Vector<D>| Vector([vector[0], vector[1]]);
    let (mut flat, mut len) = ([HalfSpace::<2>::ALL; MOST_WALLS], 0);
    for (nearest, segment, velocity) in walls {
        let half_space = match segment {
            Some(ends) => {
                let me = Walker { velocity: flat_of(me.velocity - velocity), radius: me.radius };
                avoid_wall(&me, ends.map(flat_of), time_horizon, &flat[..len]).map(|HalfSpace { normal, bound }| {
                    let normal = Vector::from_fn(|axis| if axis < 2 { normal[axis] } else { 0.0 });
                    HalfSpace { normal, bound: bound + velocity.dot(normal) }
                })
            }
            None => {
                let (distance, normal) = (nearest.length(), -nearest.direction());
                let gap = if distance > me.radius { distance - me.radius } else { 0.0 };
                let bound = velocity.dot(normal) - gap / time_horizon;
                (normal != Vector::ZERO).then_some(HalfSpace { normal, bound })
            }
        };
        if let Some(half_space) = half_space {
            flat[len] = HalfSpace { normal: flat_of(half_space.normal), bound: half_space.bound };
            half_spaces[len] = half_space;
            len += 1;
        }
    }
    &half_spaces[..len]
}

// ---- the velocity of an agent ----

/// The times, the gap and the speed of a programme, in seconds, metres and metres per second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizons {
    pub(crate) time_horizon: f32,
    /// The factor by which the horizon shrinks where it leaves no velocity.
    pub(crate) factor: f32,
    /// The time in which an agent may use up its part of a gap.
    pub(crate) time_gap: f32,
    /// The gap that bodies keep where there is room.
    pub(crate) margin: f32,
    /// The speed that is added to those with which two approach each other.
    pub(crate) least_closing: f32,
}

impl Horizons {
    /// The next horizon where this one leaves no velocity; `None` after `time_gap`, the shortest.
    pub(crate) fn shorter(self) -> Option<Self> {
        let shorter = self.time_horizon * self.factor;
        let shorter = if shorter > self.time_gap { shorter } else { self.time_gap };
        (self.time_horizon > self.time_gap).then_some(Self { time_horizon: shorter, ..self })
    }
}

/// An agent among walls and neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surrounded<'a, const D: usize> {
    pub(crate) me: Walker<D>,
    pub(crate) max_speed: f32,
    /// The half-spaces that walls permit.
    pub(crate) walls: &'a [HalfSpace<D>],
    /// The neighbours that it avoids, each with the agent's share of the change.
    pub(crate) neighbours: &'a [(Body<D>, f32)],
    /// The headway that it keeps beyond the cells of its neighbours, and the room that it claims.
    pub(crate) headway: Option<(Headway, Claim<f32, D>)>,
}

impl<const D: usize> Surrounded<'_, D> {
    /// The velocities that the cell of a neighbour permits, or its cell and the headway; `None` if it is out of reach.
    fn cell(&self, other: &Body<D>, horizons: &Horizons) -> Option<HalfSpace<D>> {
        let (speed, touching) = (self.max_speed, self.me.radius + other.radius);
        let Some((headway, claim)) = &self.headway else {
            let is_near = other.offset.length() - touching < 2.0 * speed * horizons.time_gap;
            return is_near.then(|| self.own_cell(other, horizons));
        };
        let velocities = [self.me.velocity.0, other.velocity.0];
        let (half, counts) = headway.permits(other.offset.0, velocities, touching, claim, speed);
        counts.then(|| half.into())
    }

    /// The velocities that the cell of a neighbour permits, without a headway.
    fn own_cell(&self, other: &Body<D>, horizons: &Horizons) -> HalfSpace<D> {
        let (velocities, touching) = ([self.me.velocity.0, other.velocity.0], self.me.radius + other.radius);
        cell(other.offset.0, velocities, touching, [horizons.time_gap, horizons.least_closing]).0.into()
    }

    /// The velocity nearest to the preferred one that avoids all neighbours and walls and leaves no cell.
    ///
    /// Where there is none, the horizon shrinks until there is one, down to `time_gap`; then the agent takes the
    /// velocity with the least violation, or with a headway the nearest in all cells. With `is_crowded`, longer horizons
    /// are known to leave none. `aside` draws the direction away from the neighbour with this number.
    pub(crate) fn velocity(
        &self,
        preferred: Vector<D>,
        mut horizons: Horizons,
        is_crowded: bool,
        aside: impl Fn(usize) -> Vector<D>,
    ) -> Vector<D> {
        let (me, speed, step) = (&self.me, self.max_speed, horizons.time_gap);
        let mut half_spaces = [HalfSpace::ALL; MOST_HALF_SPACES];
        let walls = self.walls.len();
        half_spaces[..walls].copy_from_slice(self.walls);
        let wide = Walker { radius: me.radius + horizons.margin, ..*me };
        let add_neighbours = |half_spaces: &mut [HalfSpace<D>], horizon| {
            for (number, (half_space, (other, share))) in half_spaces.iter_mut().zip(self.neighbours).enumerate() {
                *half_space = avoid_agent(&wide, other, *share, horizon, step, |_| aside(number));
            }
        };
        if !is_crowded {
            add_neighbours(&mut half_spaces[walls..], horizons.time_horizon);
            let first = nearest_permitted(&half_spaces[..walls + self.neighbours.len()], speed, preferred);
            let keeps = |velocity| {
                let cell = |other| match self.headway {
                    None => Some(self.own_cell(other, &horizons)),
                    Some(_) => self.cell(other, &horizons),
                };
                self.neighbours.iter().all(|(other, _)| cell(other).is_none_or(|cell| cell.missing(velocity) <= 0.0))
            };
            if let Ok(velocity) = first
                && keeps(velocity)
            {
                return velocity;
            }
        }
        let mut hard = walls;
        for cell in self.neighbours.iter().filter_map(|(other, _)| self.cell(other, &horizons)) {
            half_spaces[hard] = cell;
            hard += 1;
        }
        let len = hard + self.neighbours.len();
        if is_crowded && horizons.time_horizon > step {
            horizons.time_horizon = step;
        }
        loop {
            add_neighbours(&mut half_spaces[hard..], horizons.time_horizon);
            let (first, velocity) = match nearest_permitted(&half_spaces[..len], speed, preferred) {
                Ok(velocity) => return velocity,
                Err(unsolved) => unsolved,
            };
            if first >= hard
                && let Some(shorter) = horizons.shorter()
            {
                horizons = shorter;
                continue;
            }
            // Through rounding, cells of neighbours that touch may leave not even rest.
            let permits_rest = half_spaces[..hard].iter().all(|half_space| half_space.bound <= 0.0);
            if first < hard && permits_rest {
                return Vector::ZERO;
            }
            if first >= hard && self.headway.is_some() {
                return nearest_permitted(&half_spaces[..hard], speed, preferred).unwrap_or(Vector::ZERO);
            }
            return least_violation(&half_spaces[..len], hard, first, speed, velocity);
        }
    }
}

#[cfg(test)]
mod tests;
