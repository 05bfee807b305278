//! Hide: Buckland, "Programming Game AI by Example" (2004).

use crate::behaviour::{Behaviour, Me, Whom};
use crate::behaviours::pursue::seconds_ahead;
use crate::maths::Vector;
use crate::parameters::{Kind, Range, rule, tunable};
use crate::settings::LIMIT;
use crate::steering;
use crate::target::Target;

rule! {
    /// The agent arrives behind an obstacle, as the hunter sees it: at the nearest of these places, `distance` from the
    /// obstacle's surface. An obstacle that the hunter is in hides nobody. If there is no other the hunter is evaded; if
    /// there is no hunter there is no force. A goal that the host gave to an agent is nothing to hide from.
    "hide": "Hides behind an obstacle."
    pub struct Hide<D> {
        #[doc = "The hunter."]
        pub from: Target<D> = Target::Nearest(Whom::All), "m", Kind::Target;
        #[doc = "How far behind the obstacle it hides."]
        pub distance: f32 = 2.0, "m", Kind::Number(Range::LENGTH);
        #[doc = "Within this distance of the place it slows down."]
        pub slowing_radius: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
    }
}

impl<const D: usize> Hide<D> {
    /// The offset to the nearest place to hide; of the first obstacle where several are as near.
    fn place(&self, me: &Me<'_, D>, hunter: Vector<D>) -> Option<Vector<D>> {
        let scene = me.scene();
        let places = scene.scenery().obstacles().iter().filter_map(|obstacle| {
            let centre = me.offset_to(obstacle.centre);
            // The image of the hunter that is nearest to the obstacle.
            let hunter = centre - scene.settings().offset(hunter, centre);
            steering::hiding_place(centre, obstacle.radius, hunter, self.distance)
        });
        steering::shortest(places)
    }
}

impl<const D: usize> Behaviour<D> for Hide<D> {
    fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
        me.towards(me.aim_past_goal(&self.from).and_then(|hunter| match self.place(me, hunter.offset) {
            Some(place) => Some(steering::arrive(place, me.max_speed(), self.slowing_radius)),
            None => {
                let seconds = seconds_ahead(me, hunter.offset, 0.0, LIMIT);
                steering::evade(hunter.offset, hunter.velocity, me.max_speed(), seconds)
            }
        }))
    }

    tunable!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviours::testing::{add, add_inert, assert_near, desired, force, motion, open, periodic};
    use crate::{Obstacle, World};

    fn put<const D: usize>(world: &mut World<D>, centre: [f32; D], radius: f32) {
        let obstacle = Obstacle { centre: Vector(centre), radius, velocity: Vector::ZERO };
        world.scenery_mut().add_obstacle(obstacle).unwrap();
    }

    #[test]
    fn behind_the_nearest_obstacle() {
        let mut world = open::<3>();
        add_inert(&mut world, "hawk", [0.0; 3], [0.0; 3]);
        put(&mut world, [20.0, 0.0, 0.0], 3.0);
        put(&mut world, [0.0, 90.0, 0.0], 3.0);
        let prey = add(&mut world, Hide::default(), [18.0, 30.0, 5.0], [0.0; 3]);
        for _ in 0..64 * 20 {
            world.step();
        }
        assert_near(motion(&world, prey).0, [25.0, 0.0, 0.0]);
        assert!(motion(&world, prey).1.length() < 1e-3);
    }

    #[test]
    fn across_the_seam() {
        let mut world = periodic::<2>();
        add_inert(&mut world, "hawk", [90.0, 50.0], [0.0, 0.0]);
        put(&mut world, [0.0, 50.0], 3.0);
        // The hunter is 10 m to the left of the obstacle, over the seam: the place is at 5.
        let prey = add(&mut world, Hide::default(), [10.0, 50.0], [0.0, 0.0]);
        assert_near(desired(&mut world, prey), [-5.0, 0.0]);
    }

    #[test]
    fn nothing_to_hide_behind_is_evading() {
        let mut world = open::<2>();
        let (_, hawk) = add_inert(&mut world, "hawk", [20.0, 0.0], [-50.0, 0.0]);
        let prey = add(&mut world, Hide::default(), [0.0, 0.0], [0.0, 0.0]);
        assert_near(desired(&mut world, prey), [-10.0, 0.0]);
        // Nor does an obstacle help that the hunter is in.
        let at = motion(&world, hawk).0;
        put(&mut world, at.0, 3.0);
        assert_near(desired(&mut world, prey), [-10.0, 0.0]);
    }

    #[test]
    fn no_hunter_makes_no_force() {
        let mut world = open::<2>();
        put(&mut world, [20.0, 0.0], 3.0);
        let prey = add(&mut world, Hide::default(), [0.0, 0.0], [1.0, 0.0]);
        assert_eq!(force(&mut world, prey), Vector::ZERO);
    }
}
