//! Tests of the half-spaces that neighbours and walls permit.

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
