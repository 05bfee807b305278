//! Groups of people that walk together: Moussaïd, Perozo, Garnier, Helbing and Theraulaz, "The Walking Behaviour of
//! Pedestrian Social Groups and Its Impact on Crowd Dynamics" (2010).

use crate::maths::{Vector, atan2};

/// The constants of [`stay_in_group`], with the paper's symbols.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupForces {
    /// β1: how much a member slows down per radian that it turns its head to see the others, in 1/s.
    pub gaze: f32,
    /// β2: the acceleration towards the middle of the group, in m/s².
    pub attraction: f32,
    /// β3: the acceleration away from a member that is too near, in m/s².
    pub repulsion: f32,
    /// φ: the angle to each side within which a member sees the others without turning its head, in radians.
    pub sight: f32,
    /// d0: the distance between two centres within which members repel each other, in metres.
    pub apart: f32,
}

/// How much farther than the threshold the middle of the group is, and how much nearer a member, where the acceleration has
/// all its strength, in metres: it grows up to there, so that persons do not sway.
const ATTRACTED: f32 = 0.5;
const REPULSED: f32 = 0.2;

/// The acceleration that keeps a person in its group, from the offsets to the other members:
/// - against the velocity, `gaze` times the speed times the angle by which the head turns until the middle of the others
///   is in `sight`;
/// - `attraction` towards the middle of the group, farther than half a metre per other member from it;
/// - `repulsion` away from each member nearer than `apart`.
///
/// The last two grow from zero over 0.5 m and 0.2 m. In the paper they are constant.
///
/// ```
/// use throng::Vector;
/// use throng::steering::{GroupForces, stay_in_group};
///
/// let forces = GroupForces { gaze: 4.0, attraction: 3.0, repulsion: 1.0, sight: std::f32::consts::FRAC_PI_2, apart: 0.7 };
/// // Side by side, a metre apart, two people are content.
/// let velocity = Vector([1.3, 0.0]);
/// assert_eq!(stay_in_group(&forces, velocity, [Vector([0.0, 1.0])]), Vector([0.0, 0.0]));
/// // A friend three metres behind: the head turns by a quarter turn, and the middle of the group is too far away.
/// let back = stay_in_group(&forces, velocity, [Vector([-3.0, 0.0])]);
/// assert!((back - Vector([-4.0 * 1.3 * 1.570_796 - 3.0, 0.0])).length() < 1e-4);
/// ```
#[must_use]
pub fn stay_in_group<const D: usize>(
    forces: &GroupForces,
    velocity: impl Into<Vector<D>>,
    others: impl IntoIterator<Item = Vector<D>>,
) -> Vector<D> {
    let velocity = velocity.into();
    let (mut sum, mut count, mut force) = (Vector::ZERO, 0.0, Vector::ZERO);
    for offset in others {
        sum += offset;
        count += 1.0;
        if offset.length_squared() < forces.apart * forces.apart {
            let part = (forces.apart - offset.length()) / REPULSED;
            force -= offset.direction() * (forces.repulsion * if part < 1.0 { part } else { 1.0 });
        }
    }
    if count == 0.0 {
        return Vector::ZERO;
    }
    let middle = sum / (count + 1.0);
    let part = (middle.length() - 0.5 * count) / ATTRACTED;
    if part > 0.0 {
        force += middle.direction() * (forces.attraction * if part < 1.0 { part } else { 1.0 });
    }
    force - velocity * (forces.gaze * head_turn(velocity, sum, forces.sight))
}

/// The angle beyond `sight` between two vectors, in radians.
fn head_turn<const D: usize>(velocity: Vector<D>, to_others: Vector<D>, sight: f32) -> f32 {
    let along = velocity.dot(to_others);
    let across_squared = velocity.length_squared() * to_others.length_squared() - along * along;
    let across = if across_squared > 0.0 { across_squared.sqrt() } else { 0.0 };
    let angle = atan2(across, along);
    if angle > sight { angle - sight } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORCES: GroupForces =
        GroupForces { gaze: 4.0, attraction: 3.0, repulsion: 1.0, sight: std::f32::consts::FRAC_PI_2, apart: 0.7 };

    fn assert_near(force: Vector<2>, expected: [f32; 2]) {
        assert!((force - Vector(expected)).length() < 1e-4, "{force:?} {expected:?}");
    }

    #[test]
    fn a_person_alone_feels_nothing() {
        assert_eq!(stay_in_group(&FORCES, Vector([1.0, 0.0]), []), Vector::ZERO);
    }

    #[test]
    fn a_head_that_turns_slows_the_person_down() {
        // One and a half metres behind by an eighth of a turn: the middle of the group is near enough.
        let behind = Vector([-1.0, 1.0]) * 0.6;
        assert_near(
            stay_in_group(&FORCES, Vector([1.2, 0.0]), [behind]),
            [-4.0 * 1.2 * std::f32::consts::FRAC_PI_4, 0.0],
        );
        assert_near(stay_in_group(&FORCES, Vector([1.2, 0.0]), [-behind]), [0.0, 0.0]);
        assert_near(stay_in_group(&FORCES, Vector([0.0, 0.0]), [behind]), [0.0, 0.0]);
    }

    #[test]
    fn the_middle_attracts_from_half_a_metre_per_other_member() {
        // Two members: the middle is at half of the distance, and the threshold is half a metre.
        assert_near(stay_in_group(&FORCES, Vector::ZERO, [Vector([0.99, 0.0])]), [0.0, 0.0]);
        // A quarter of a metre farther there is half of the attraction, and from half a metre on all.
        assert_near(stay_in_group(&FORCES, Vector::ZERO, [Vector([1.5, 0.0])]), [1.5, 0.0]);
        assert_near(stay_in_group(&FORCES, Vector::ZERO, [Vector([2.01, 0.0])]), [3.0, 0.0]);
        // Three members: two thirds of 2.4 m are half a metre more than one, two thirds of 1.4 m are less than one.
        assert_near(stay_in_group(&FORCES, Vector::ZERO, [Vector([0.0, 2.4]); 2]), [0.0, 3.0]);
        assert_near(stay_in_group(&FORCES, Vector::ZERO, [Vector([0.0, 1.4]); 2]), [0.0, 0.0]);
    }

    #[test]
    fn members_that_are_too_near_part() {
        let near = [Vector([0.6, 0.0]), Vector([0.0, -0.5]), Vector([0.8, 0.0])];
        assert_near(stay_in_group(&FORCES, Vector::ZERO, near), [-0.5, 1.0]);
    }
}
