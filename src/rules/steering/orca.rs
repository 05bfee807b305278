//! Optimal reciprocal collision avoidance: van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance"
//! (2011).

use crate::maths::Vector;
use crate::rules::steering::{Body, HalfSpace};

/// An agent that avoids others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker<const D: usize> {
    /// Its velocity, in metres per second.
    pub velocity: Vector<D>,
    /// The radius of its body, in metres.
    pub radius: f32,
}

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
    let reach = me.radius + other.radius;
    let (squared, reach_squared) = (other.offset.length_squared(), reach * reach);
    let overlaps = squared <= reach_squared;
    // The rate at which the offset shrinks to the centre of the disc that truncates the cone.
    let rate = 1.0 / if overlaps { time_step } else { time_horizon };
    let from_centre = relative - other.offset * rate;
    let (from_squared, along) = (from_centre.length_squared(), from_centre.dot(other.offset));
    if overlaps || (along < 0.0 && along * along > reach_squared * from_squared) {
        let length = from_squared.sqrt();
        let normal = if length > 0.0 { from_centre / length } else { aside(other.offset) };
        return half_space(me, normal, reach * rate - length, share);
    }
    let side = squared - reach_squared;
    if D == 2 {
        let (x, y, leg) = (other.offset[0], other.offset[1], side.sqrt());
        let is_left = x * from_centre[1] - y * from_centre[0] > 0.0;
        let mut normal = Vector::ZERO;
        if is_left {
            (normal[0], normal[1]) = (-(x * reach + y * leg) / squared, (x * leg - y * reach) / squared);
        } else {
            (normal[0], normal[1]) = ((y * leg - x * reach) / squared, -(x * leg + y * reach) / squared);
        }
        return half_space(me, normal, -relative.dot(normal), share);
    }
    // The disc of the cone that touches the cone's surface nearest to the relative velocity.
    let across = relative - other.offset * (other.offset.dot(relative) / squared);
    let across_squared = across.length_squared();
    if across_squared > 1e-10 * relative.length_squared() {
        let normal = (across - other.offset * (reach * across_squared.sqrt() / (side * squared).sqrt())).direction();
        return half_space(me, normal, -relative.dot(normal), share);
    }
    // Straight ahead, every direction across leads out. The surface is tilted by the angle of the cone.
    let (ahead, drawn) = (other.offset.direction(), aside(other.offset));
    let across = (drawn - ahead * drawn.dot(ahead)).direction();
    let distance = squared.sqrt();
    let normal = across * (side.sqrt() / distance) - ahead * (reach / distance);
    half_space(me, normal, -relative.dot(normal), share)
}

/// The half-space beyond `change` metres per second, times the share, along the normal.
#[inline]
fn half_space<const D: usize>(me: &Walker<D>, normal: Vector<D>, change: f32, share: f32) -> HalfSpace<D> {
    HalfSpace { normal, bound: me.velocity.dot(normal) + share * change }
}

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
    let to_cut =
        if oblique || !(0.0..=1.0).contains(&place) { f32::INFINITY } else { far(left + cut * place) };
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
