//! Hide: Buckland, "Programming Game AI by Example" (2004).

use crate::base::settings::LIMIT;
use crate::boxes::aabb::Aabb;
use crate::environment::Obstacle;
use crate::environment::index::NearClumps;
use crate::kernels::discs::NearDiscs;
use crate::kernels::hide::{HidingAgents, HidingPlaces, nearest_places};
use crate::kernels::steer_to_target::TargetSteering;
use crate::kernels::{self, CLUSTER, CLUSTERS};
use crate::maths::Vector;
use crate::rules::behaviours::pursue::seconds_ahead;
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows, Sight, SpeciesFilter};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;
use crate::rules::target::of_chunk::ChunkTargets;
use crate::rules::target::{Target, TargetState};

rule! {
    /// The agent arrives at the nearest hiding place. A hiding place lies behind an obstacle as seen from the hunter,
    /// at `distance` from the obstacle's surface. An obstacle that contains the hunter offers none. If no obstacle
    /// offers a hiding place, the agent evades the hunter. Without a hunter the force is zero. The rule ignores a goal
    /// that the host set for the agent.
    "hide": "Hides behind an obstacle."
    pub struct Hide<D> {
        /// The hunter.
        pub from: Target<D> = Target::Nearest(SpeciesFilter::All), "m", Kind::Target;
        /// Distance of the hiding place from the obstacle's surface.
        pub distance: f32 = 2.0, "m", Kind::Number(Range::LENGTH);
        /// Distance from the hiding place within which the agent slows down.
        pub slowing_radius: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
        /// Whether `walls` and closed doors hide the nearest agent as a target; with `through` if the species says so, with
        /// `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND, added;
    }
}

/// The number of clusters that share one search. A whole chunk is too long and narrow, because rows run along strips.
const GROUP: usize = 4;

impl<const D: usize> Hide<D> {
    /// The hiding place behind an obstacle from a hunter at this offset, if there is one.
    fn place_behind(&self, me: &AgentRef<'_, D>, hunter: Vector<D>, obstacle: &Obstacle<D>) -> Option<Vector<D>> {
        let centre = me.offset_to(obstacle.centre);
        // The nearest image of the hunter to the obstacle.
        let hunter = centre - me.world().settings().offset(hunter, centre);
        steering::hiding_place(centre, obstacle.radius, hunter, self.distance)
    }

    /// The offset to the nearest hiding place; ties go to the first obstacle.
    fn place(&self, me: &AgentRef<'_, D>, hunter: Vector<D>) -> Option<Vector<D>> {
        let world = me.world();
        let mut nearest: Option<(f32, u32, Vector<D>)> = None;
        world.environment_index.visit_nearest_obstacles(me.position(), |number| {
            let place = self.place_behind(me, hunter, &world.environment().obstacles.items()[number as usize]);
            if let Some(place) = place {
                let squared = place.length_squared();
                if nearest.is_none_or(|(least, first, _)| squared < least || squared == least && number < first) {
                    nearest = Some((squared, number, place));
                }
            }
            // A hiding place is at most `distance` from the surface.
            let reach = nearest.map_or(f32::INFINITY, |(squared, ..)| squared.sqrt() + self.distance);
            reach * reach
        });
        nearest.map(|(.., place)| place)
    }

    fn force(&self, me: &AgentRef<'_, D>, hunter: &TargetState<D>, place: Option<Vector<D>>) -> Vector<D> {
        me.towards(match place {
            Some(place) => Some(steering::arrive(place, me.max_speed(), self.slowing_radius)),
            None => {
                let seconds = seconds_ahead(me, hunter.offset, 0.0, LIMIT);
                steering::evade(hunter.offset, hunter.velocity, me.max_speed(), seconds)
            }
        })
    }

    /// Fills `near` with the relevant obstacles for agents within these bounds. They offer every hiding place within
    /// the returned distance of an agent.
    fn near(&self, rows: &Rows<'_, D>, bounds: &Aabb<D>, near: &mut NearClumps) -> f32 {
        let (index, settings) = (rows.world.environment_index, rows.world.settings());
        let one = index.one_within(rows.world.environment(), settings, bounds.centre);
        let complete = (one + self.distance + bounds.half.length()) * (1.0 + 1e-5);
        index.clumps_within(bounds, complete + self.distance, near);
        // A kernel cannot find the nearest image of a disc that is far outside the world.
        if index.discs(near).iter().any(NearDiscs::are_far_outside) { 0.0 } else { complete }
    }
}

impl<const D: usize> Behaviour<D> for Hide<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default().target("from", &self.from).target_sight(self.sight).searching()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let hunter = me.target_past_goal(0);
        hunter.map_or(Vector::ZERO, |hunter| self.force(me, &hunter, self.place(me, hunter.offset)))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let settings = rows.world.settings();
        let mut hunters = rows.targets_past_goal(0);
        let mut hidden = ChunkTargets::new([0; CLUSTERS]);
        let (mut near, mut places) = (NearClumps::default(), HidingPlaces::new());
        let placed = |first: &usize| rows.cluster_bounds(*first).is_some();
        let firsts: Vec<usize> = (rows.first..rows.first + rows.len).step_by(CLUSTER).filter(placed).collect();
        for group in firsts.chunks(GROUP) {
            let bounds = group.iter().filter_map(|&first| rows.cluster_bounds(first));
            let complete = self.near(rows, &Aabb::around(bounds, settings), &mut near);
            let discs = rows.world.environment_index.discs(&near);
            self.hide_group(rows, group, (&discs, complete), &hunters, &mut places, &mut hidden);
        }
        for me in rows.out_of_place() {
            if let Some(hunter) = hunters.get(me.in_chunk) {
                hidden.set(me.in_chunk, self.place(&me, hunter.offset).map(to_place));
            }
        }
        for (hunters, hidden) in hunters.active.iter_mut().zip(hidden.active) {
            *hunters &= !hidden;
        }
        rows.steer_to_target(&hidden, TargetSteering::Arrive(self.slowing_radius), forces);
        let evade = TargetSteering::Predict { horizon: 0.0, longest: LIMIT, literal: false, away: true };
        rows.steer_to_target(&hunters, evade, forces);
    }

    reflect!();
}

/// Converts the offset of a hiding place to a target.
fn to_place<const D: usize>(offset: Vector<D>) -> TargetState<D> {
    TargetState { offset, velocity: Vector::ZERO, radius: 0.0 }
}

impl<const D: usize> Hide<D> {
    /// Finds hiding places for the agents of the clusters that start at `firsts`.
    fn hide_group(
        &self,
        rows: &Rows<'_, D>,
        firsts: &[usize],
        (near, complete): (&[NearDiscs<'_, D>; 2], f32),
        hunters: &ChunkTargets<D>,
        places: &mut HidingPlaces<D>,
        hidden: &mut ChunkTargets<D>,
    ) {
        let (agents, period) = (rows.agents, rows.world.settings().period());
        for &first in firsts {
            let active = hunters.active[first / CLUSTER];
            let Some(bounds) = rows.cluster_bounds(first).filter(|_| active != 0) else { continue };
            let row = rows.chunk + first;
            let hiding = HidingAgents {
                position: kernels::rows(&agents.position, row..row + CLUSTER),
                hunter: hunters.offset.each_ref().map(|axis| &axis[first..first + CLUSTER]),
                behind: self.distance,
                centre: bounds.centre.0,
                around: bounds.half.length(),
                period,
            };
            nearest_places(rows.level, &hiding, near, complete, places);
            for lane in (0..CLUSTER).filter(|lane| active >> lane & 1 == 1) {
                let place = Vector::from_fn(|axis| places.offset[axis][lane]);
                let is_nearest = places.squared[lane].sqrt() < places.complete;
                let hunter = Vector::from_fn(|axis| hunters.offset[axis][first + lane]);
                let place = if is_nearest { Some(place) } else { self.place(&rows.at(first + lane), hunter) };
                hidden.set(first + lane, place.map(to_place));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{add, add_inert, assert_near, desired, force, motion, open, periodic};
    use crate::{Obstacle, World};

    fn put<const D: usize>(world: &mut World<D>, centre: [f32; D], radius: f32) {
        let obstacle = Obstacle::new(centre, radius);
        world.environment_mut().obstacles.add(obstacle).unwrap();
    }

    #[test]
    fn the_nearest_obstacle_hides_the_agent() {
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
        // Across the seam, the hunter is 10 m to the left of the obstacle: the hiding place is at 5.
        let prey = add(&mut world, Hide::default(), [10.0, 50.0], [0.0, 0.0]);
        assert_near(desired(&mut world, prey), [-5.0, 0.0]);
    }

    #[test]
    fn without_a_hiding_place_the_hunter_is_evaded() {
        let mut world = open::<2>();
        let (_, hawk) = add_inert(&mut world, "hawk", [20.0, 0.0], [-50.0, 0.0]);
        let prey = add(&mut world, Hide::default(), [0.0, 0.0], [0.0, 0.0]);
        assert_near(desired(&mut world, prey), [-10.0, 0.0]);
        // An obstacle that contains the hunter does not help.
        let at = motion(&world, hawk).0;
        put(&mut world, at.0, 3.0);
        assert_near(desired(&mut world, prey), [-10.0, 0.0]);
    }

    #[test]
    fn without_a_hunter_there_is_no_force() {
        let mut world = open::<2>();
        put(&mut world, [20.0, 0.0], 3.0);
        let prey = add(&mut world, Hide::default(), [0.0, 0.0], [1.0, 0.0]);
        assert_eq!(force(&mut world, prey), Vector::ZERO);
    }
}
