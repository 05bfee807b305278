//! Optimal reciprocal collision avoidance: van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance"
//! (2011).

use crate::kernels::orca::LEAST_CLOSING;
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
    let distance = other.offset.length();
    if distance == 0.0 {
        return HalfSpace::ALL;
    }
    let gap = distance - (me.radius + other.radius);
    let closing = |speed: f32| LEAST_CLOSING + if speed > 0.0 { speed } else { 0.0 };
    let mine = closing(me.velocity.dot(other.offset) / distance);
    let theirs = closing(-(other.velocity.dot(other.offset) / distance));
    let part = if gap > 0.0 { gap * (mine / (mine + theirs)) } else { 0.0 };
    HalfSpace { normal: -other.offset / distance, bound: -part / time_step }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Noise;

    /// The least gap between bodies in the next `seconds`.
    fn least_gap<const D: usize>(offset: Vector<D>, relative: Vector<D>, reach: f32, seconds: f32) -> f32 {
        let time = offset.dot(relative) / relative.length_squared();
        let time = if time > 0.0 { if time < seconds { time } else { seconds } } else { 0.0 };
        (offset - relative * time).length() - reach
    }

    fn ahead<const D: usize>(_: Vector<D>) -> Vector<D> {
        Vector::from_fn(|axis| if axis == 1 { 1.0 } else { 0.0 })
    }

    fn changes_add_up<const D: usize>() {
        let mut noise = Noise::new(7, 0, 0, 0);
        let (mut avoiding, mut overlapping) = (0, 0);
        for _ in 0..2000 {
            let (mine, theirs) = (noise.in_ball::<D>() * 2.0, noise.in_ball::<D>() * 2.0);
            let (radius, their_radius) = (noise.between(0.2, 0.6), noise.between(0.2, 0.6));
            let (offset, share) = (noise.in_ball::<D>() * 3.0, noise.unit());
            let me = Walker { velocity: mine, radius };
            let them = Walker { velocity: theirs, radius: their_radius };
            let for_me = avoid_agent(&me, &Body::new(offset, theirs, their_radius), share, 3.0, 0.25, ahead);
            let for_them =
                avoid_agent(&them, &Body::new(-offset, mine, radius), 1.0 - share, 3.0, 0.25, |_| -ahead(offset));
            assert!((for_me.normal + for_them.normal).length() < 1e-4, "{for_me:?} {for_them:?}");
            let (my_change, their_change) = (for_me.missing(mine), for_them.missing(theirs));
            assert!((my_change * (1.0 - share) - their_change * share).abs() < 1e-4);
            // After both changes the relative velocity is on the edge of the velocity obstacle.
            let changed = mine - theirs + for_me.normal * (my_change + their_change);
            let reach = radius + their_radius;
            if offset.length() <= reach {
                overlapping += 1;
                assert!(((offset - changed * 0.25).length() - reach).abs() < 1e-3);
                continue;
            }
            let gap = least_gap(offset, changed, reach, 3.0);
            assert!(gap > -1e-2, "{gap}");
            let collides = least_gap(offset, mine - theirs, reach, 3.0) < 0.0;
            assert!(collides == (my_change + their_change > 0.0) || (my_change + their_change).abs() < 1e-3);
            avoiding += i32::from(collides);
            assert!(!collides || gap < 1e-2, "{gap}");
        }
        assert!(avoiding > 50 && overlapping > 20, "{avoiding} {overlapping}");
    }

    #[test]
    fn the_changes_of_a_pair_add_up_to_the_edge_of_the_obstacle() {
        changes_add_up::<2>();
        changes_add_up::<3>();
    }

    #[test]
    fn agents_on_a_head_on_course_turn_to_the_same_side() {
        let (east, west) = (Vector([1.0, 0.0]), Vector([-1.0, 0.0]));
        let me = Walker { velocity: east, radius: 0.5 };
        let permitted = avoid_agent(&me, &Body::new([4.0, 0.0], west, 0.5), 0.5, 8.0, 0.1, ahead);
        let mirrored = Walker { velocity: west, radius: 0.5 };
        let theirs = avoid_agent(&mirrored, &Body::new([-4.0, 0.0], east, 0.5), 0.5, 8.0, 0.1, ahead);
        assert_eq!(permitted.normal, -theirs.normal);
        assert_eq!(permitted.bound, theirs.bound);
        // The tangent of two circles: the sine of the angle is one quarter. The relative velocity of 2 m/s turns by it.
        assert!((permitted.missing(east) - 0.5 * 2.0 * 0.25).abs() < 1e-6);
        // In space, the direction is the one that the caller draws.
        let me = Walker { velocity: Vector([1.0, 0.0, 0.0]), radius: 0.5 };
        let other = Body::new([4.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 0.5);
        let permitted = avoid_agent(&me, &other, 0.5, 8.0, 0.1, ahead);
        assert!((permitted.normal - Vector([-0.25, 0.968_245_8, 0.0])).length() < 1e-6, "{permitted:?}");
    }

    #[test]
    fn agents_at_rest_leave_each_other_in_peace() {
        let me = Walker { velocity: Vector::<3>::ZERO, radius: 0.5 };
        let permitted = avoid_agent(&me, &Body::new([4.0, 0.0, 0.0], [0.0; 3], 0.5), 0.5, 2.0, 0.1, ahead);
        // A gap of three metres in two seconds, half of it for each agent.
        assert_eq!(permitted, HalfSpace { normal: Vector([-1.0, 0.0, 0.0]), bound: -0.75 });
        let same = avoid_agent(&me, &Body::new([0.0; 3], [0.0; 3], 0.5), 0.5, 2.0, 0.1, ahead);
        assert_eq!(same, HalfSpace { normal: Vector([0.0, 1.0, 0.0]), bound: 5.0 });
    }

    /// The least distance from a segment on a straight way.
    fn least_distance([start, end]: [Vector<2>; 2], velocity: Vector<2>, seconds: f32) -> f32 {
        let mut least = f32::INFINITY;
        for step in 0..=400 {
            let at = velocity * (seconds * step as f32 / 400.0);
            let distance = crate::steering::nearest_on_segment(start - at, end - at).length();
            least = if distance < least { distance } else { least };
        }
        least
    }

    #[test]
    fn a_permitted_velocity_leads_into_no_wall() {
        let mut noise = Noise::new(8, 0, 0, 0);
        let (mut free, mut stopped) = (0, 0);
        for _ in 0..2000 {
            let ends = [noise.in_ball::<2>() * 4.0, noise.in_ball::<2>() * 4.0];
            let me = Walker { velocity: noise.in_ball::<2>() * 2.0, radius: 0.4 };
            if least_distance(ends, Vector::ZERO, 0.0) < 0.41 || (ends[1] - ends[0]).length() < 0.05 {
                continue;
            }
            let permitted = avoid_wall(&me, ends, 1.5, &[]).unwrap();
            let missing = permitted.missing(me.velocity);
            let collides = least_distance(ends, me.velocity, 1.5) < 0.4;
            assert!(collides == (missing > 0.0) || missing.abs() < 2e-2, "{missing} {ends:?} {me:?}");
            let velocity = if missing > 0.0 { me.velocity + permitted.normal * missing } else { me.velocity };
            assert!(least_distance(ends, velocity, 1.5) > 0.4 - 1e-2, "{missing} {ends:?} {me:?}");
            free += i32::from(!collides);
            stopped += i32::from(collides);
        }
        assert!(free > 200 && stopped > 200, "{free} {stopped}");
    }

    #[test]
    fn a_body_that_touches_a_wall_moves_no_farther_into_it() {
        let me = Walker { velocity: Vector([1.0, 0.0]), radius: 0.5 };
        let wall = [[0.3, -1.0], [0.3, 1.0]].map(Vector);
        assert_eq!(avoid_wall(&me, wall, 1.0, &[]), Some(HalfSpace { normal: Vector([-1.0, 0.0]), bound: 0.0 }));
        // Past its end, away from the end.
        let wall = [[0.3, 0.0], [2.0, 0.0]].map(Vector);
        assert_eq!(avoid_wall(&me, wall, 1.0, &[]), Some(HalfSpace { normal: Vector([-1.0, 0.0]), bound: 0.0 }));
        // A wall behind another one adds nothing.
        let (near, far) = ([[1.0, -3.0], [1.0, 3.0]].map(Vector), [[2.0, -1.0], [2.0, 1.0]].map(Vector));
        let first = avoid_wall(&me, near, 1.0, &[]).unwrap();
        assert_eq!(first, HalfSpace { normal: Vector([-1.0, 0.0]), bound: -0.5 });
        assert_eq!(avoid_wall(&me, far, 1.0, &[first]), None);
    }
}
