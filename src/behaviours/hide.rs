//! Hide: Buckland, "Programming Game AI by Example" (2004).

use crate::behaviour::{Behaviour, Forces, Me, Needs, Rows, Whom};
use crate::behaviours::pursue::seconds_ahead;
use crate::kernels::hiding::{Covers, Hiders, Places, nearest_places};
use crate::kernels::{self, CLUSTER};
use crate::maths::Vector;
use crate::parameters::{Kind, Range, rule, tunable};
use crate::scenery::Obstacle;
use crate::scenery::tree::Bounds;
use crate::settings::LIMIT;
use crate::steering;
use crate::target::{Aim, Target};

rule! {
    /// The agent arrives behind an obstacle, as the hunter sees it: at the nearest of these places, `distance` from the
    /// obstacle's surface. An obstacle that the hunter is in hides no agent. If there is no other the hunter is evaded; if
    /// there is no hunter there is no force. A goal that the host gave to an agent is nothing to hide from.
    "hide": "Hides behind an obstacle."
    pub struct Hide<D> {
        /// The hunter.
        pub from: Target<D> = Target::Nearest(Whom::All), "m", Kind::Target;
        /// How far behind the obstacle it hides.
        pub distance: f32 = 2.0, "m", Kind::Number(Range::LENGTH);
        /// Within this distance of the place it slows down.
        pub slowing_radius: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
    }
}

/// Clusters that share one search: rows run along strips, so that a whole chunk is long and narrow.
const GROUP: usize = 8;

/// The obstacles near some agents. No place within `sure` of one of its agents is missing.
struct Near<const D: usize> {
    covers: Covers<D>,
    sure: f32,
}

impl<const D: usize> Hide<D> {
    /// The place behind an obstacle, if it hides from a hunter at this offset.
    fn place_behind(&self, me: &Me<'_, D>, hunter: Vector<D>, obstacle: &Obstacle<D>) -> Option<Vector<D>> {
        let centre = me.offset_to(obstacle.centre);
        // The image of the hunter that is nearest to the obstacle.
        let hunter = centre - me.scene().settings().offset(hunter, centre);
        steering::hiding_place(centre, obstacle.radius, hunter, self.distance)
    }

    /// The offset to the nearest place to hide; of the first obstacle where several are as near.
    fn place(&self, me: &Me<'_, D>, hunter: Vector<D>) -> Option<Vector<D>> {
        let scene = me.scene();
        let mut nearest: Option<(f32, u32, Vector<D>)> = None;
        scene.scenery_index.visit_nearest_obstacles(me.position(), |number| {
            let place = self.place_behind(me, hunter, &scene.scenery().obstacles()[number as usize]);
            if let Some(place) = place {
                let squared = place.length_squared();
                if nearest.is_none_or(|(least, first, _)| squared < least || squared == least && number < first) {
                    nearest = Some((squared, number, place));
                }
            }
            // A place is no further from the surface than `distance`.
            let reach = nearest.map_or(f32::INFINITY, |(squared, ..)| squared.sqrt() + self.distance);
            reach * reach
        });
        nearest.map(|(.., place)| place)
    }

    fn force(&self, me: &Me<'_, D>, hunter: &Aim<D>, place: Option<Vector<D>>) -> Vector<D> {
        me.towards(match place {
            Some(place) => Some(steering::arrive(place, me.max_speed(), self.slowing_radius)),
            None => {
                let seconds = seconds_ahead(me, hunter.offset, 0.0, LIMIT);
                steering::evade(hunter.offset, hunter.velocity, me.max_speed(), seconds)
            }
        })
    }

    /// The obstacles that may be near enough for agents within these bounds.
    fn near(&self, rows: &Rows<'_, D>, bounds: &Bounds<D>) -> Near<D> {
        let (settings, obstacles) = (rows.scene.settings(), rows.scene.scenery().obstacles());
        // Behind the first that comes nearest to the middle there is a place no further than this.
        let mut sure = f32::INFINITY;
        rows.scene.scenery_index.visit_nearest_obstacles(bounds.centre, |number| {
            let Obstacle { centre, radius, .. } = obstacles[number as usize];
            let farthest = settings.offset(bounds.centre, centre).length() + radius + self.distance;
            sure = if farthest < sure { farthest } else { sure };
            0.0
        });
        let sure = (sure + bounds.half.length()) * (1.0 + 1e-5);
        let mut numbers = Vec::new();
        rows.scene.scenery_index.obstacles_within(bounds, sure + self.distance, &mut numbers);
        let period = settings.period();
        let covers =
            numbers.iter().map(|&number| (obstacles[number as usize].centre.0, obstacles[number as usize].radius));
        // More than half a period outside of the world, an offset takes more than one step: a kernel takes one.
        let far = |&number: &u32| is_far(&obstacles[number as usize], &period);
        Near { covers: Covers::new(covers), sure: if numbers.iter().any(far) { 0.0 } else { sure } }
    }
}

fn is_far<const D: usize>(obstacle: &Obstacle<D>, period: &[f32; D]) -> bool {
    (0..D).any(|axis| (obstacle.centre[axis] - 0.5 * period[axis]).abs() > period[axis])
}

impl<const D: usize> Behaviour<D> for Hide<D> {
    fn needs(&self) -> Needs<'_> {
        Needs::default().target("from", &self.from)
    }

    fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
        let hunter = me.aim_past_goal(0);
        hunter.map_or(Vector::ZERO, |hunter| self.force(me, &hunter, self.place(me, hunter.offset)))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let settings = rows.scene.settings();
        let placed = |first: &usize| rows.cluster_bounds(*first).is_some();
        let firsts: Vec<usize> = (rows.first..rows.first + rows.len).step_by(CLUSTER).filter(placed).collect();
        for group in firsts.chunks(GROUP) {
            let bounds = group.iter().filter_map(|&first| rows.cluster_bounds(first));
            let near = self.near(rows, &Bounds::around(bounds, settings));
            self.steer_group(rows, group, near, forces);
        }
        rows.out_of_place().for_each(|me| forces.set(&me, self.steer(&me)));
    }

    tunable!();
}

impl<const D: usize> Hide<D> {
    /// Steers the agents of a few clusters, whose first rows these are.
    fn steer_group(&self, rows: &Rows<'_, D>, firsts: &[usize], near: Near<D>, forces: &mut Forces<'_, D>) {
        let (agents, period) = (rows.agents, rows.scene.settings().period());
        let Near { mut covers, sure } = near;
        let mut places = Places::new();
        for &first in firsts {
            let lanes = (rows.first + rows.len - first).clamp(0, CLUSTER);
            let mut hunters = [None; CLUSTER];
            let mut offsets = [[f32::NAN; CLUSTER]; D];
            let active = |lane: &(usize, _)| rows.is_active(first + lane.0);
            for (lane, hunter) in hunters.iter_mut().enumerate().take(lanes).filter(active) {
                *hunter = rows.at(first + lane).aim_past_goal(0);
                if let Some(hunter) = hunter {
                    for axis in 0..D {
                        offsets[axis][lane] = hunter.offset[axis];
                    }
                }
            }
            let row = rows.chunk + first;
            let Some(bounds) = rows.cluster_bounds(first) else { continue };
            let hiders = Hiders {
                position: kernels::rows(&agents.position, row..row + CLUSTER),
                hunter: &offsets,
                behind: self.distance,
                centre: bounds.centre.0,
                around: bounds.half.length(),
                period,
            };
            nearest_places(rows.level, &hiders, &mut covers, sure, &mut places);
            for (lane, hunter) in hunters.iter().enumerate() {
                if let Some(hunter) = hunter {
                    let me = rows.at(first + lane);
                    let place = Vector::from_fn(|axis| places.offset[axis][lane]);
                    let is_sure = places.squared[lane].sqrt() < places.sure;
                    let place = if is_sure { Some(place) } else { self.place(&me, hunter.offset) };
                    forces.set(&me, self.force(&me, hunter, place));
                }
            }
        }
    }
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
