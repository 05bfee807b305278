//! Wall avoidance: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::boxes::aabb::Aabb;
use crate::environment::wall_index::NearPieces;
use crate::kernels::hulls::{Balls, NearHulls, hulls_near_balls};
use crate::kernels::{CLUSTER, CLUSTERS};
use crate::maths::{Noise, Vector};
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;

/// The room of balls for rounding, relative to lengths and coordinates.
const ROUNDING: f32 = 64.0 * f32::EPSILON;

rule! {
    /// The agent predicts its motion over `horizon` at its present velocity, relative to each wall. Only the first wall
    /// that its body, enlarged by `clearance`, would touch counts. With `closeness = 1 - time / horizon`, the agent adds
    /// `closeness * max_speed` to its velocity, along the part of the wall's normal at right angles to the velocity, and
    /// slows down by `braking * closeness`. An agent that moves straight towards a wall turns to a side that is drawn
    /// for it.
    ///
    /// An agent nearer to a wall than `clearance` moves straight away from it at full speed. Walls hold agents also
    /// without this rule; with it, agents turn before they touch.
    "avoid_walls": "Steers along walls ahead."
    pub struct AvoidWalls {
        /// The time ahead for which the motion is predicted.
        pub horizon: f32 = 2.0, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The least gap between the agent's body and a wall.
        pub clearance: f32 = 0.2, "m", Kind::Number(Range::LENGTH);
        /// The share of its speed that the agent loses at the closest time.
        pub braking: f32 = 0.5, "", Kind::Number(Range::from(0.0, 1.0));
    }
}

impl AvoidWalls {
    /// The force of an agent among these pieces of walls.
    fn among<const D: usize>(&self, me: &AgentRef<'_, D>, pieces: &[u32]) -> Vector<D> {
        let world = me.world();
        let ahead = world.wall_ahead(pieces, me.position(), me.velocity(), me.radius() + self.clearance, self.horizon);
        me.towards(steering::avoid_walls(
            ahead.map(|(share, normal)| steering::WallAhead { share, normal }),
            me.velocity(),
            me.max_speed(),
            self.braking,
            // The draw is the same in every tick, so that an agent keeps to its side.
            || Noise::new(world.settings().seed, me.id().to_bits(), 0, Noise::AVOID),
        ))
    }

    /// Fills the balls around the ways of the agents of a cluster within the horizon. Returns their reach from its box.
    fn ways<const D: usize>(&self, rows: &Rows<'_, D>, first: usize, bounds: &Aabb<D>, balls: &mut Balls<D>) -> f32 {
        let (world, mut reach) = (rows.world, 0.0);
        let (period, len) = (world.settings().period(), (rows.first + rows.len - first).clamp(0, CLUSTER));
        let slack = (0..D).fold(0.0, |slack, axis| slack + ROUNDING * (bounds.centre[axis].abs() + bounds.half[axis]));
        for lane in 0..len {
            let me = rows.at(first + lane);
            let way = me.velocity() * self.horizon;
            let around = me.radius() + self.clearance + world.reach_to_walls(0.0, self.horizon) + slack;
            let radius = (0.5 * way.length() + around) * (1.0 + ROUNDING);
            balls.set(lane, me.position() + way * 0.5, radius, &period);
            let farthest = way.length() + around;
            reach = if farthest > reach { farthest } else { reach };
        }
        reach
    }
}

impl<const D: usize> Behaviour<D> for AvoidWalls {
    fn inputs(&self) -> Inputs {
        Inputs::default().searching()
    }

    fn only_avoids(&self) -> bool {
        true
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let world = me.world();
        let reach = me.radius() + self.clearance + world.reach_to_walls(me.velocity().length(), self.horizon);
        self.among(me, &world.wall_pieces_within(&Aabb { centre: me.position(), half: Vector::ZERO }, reach))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let walls = &rows.world.environment_index.walls;
        if walls.pieces.is_empty() {
            return;
        }
        rows.out_of_place().for_each(|me| forces.set(&me, self.steer(&me)));
        let Some(bounds) = rows.chunk_bounds() else { return };
        let period = rows.world.settings().period();
        // No wall is near the balls of clusters without agents.
        let mut around = Balls { radius: [f32::NAN; CLUSTER], ..Balls::default() };
        let (mut ways, mut farthest) = ([Balls::default(); CLUSTERS], 0.0);
        let starts = || (rows.first..rows.first + rows.len).step_by(CLUSTER).enumerate();
        for (number, first) in starts() {
            let Some(bounds) = rows.cluster_bounds(first) else { continue };
            let reach = self.ways(rows, first, &bounds, &mut ways[number]);
            around.set(number, bounds.centre, (bounds.half.length() + reach) * (1.0 + ROUNDING), &period);
            farthest = if reach > farthest { reach } else { farthest };
        }
        let near = rows.world.wall_pieces_within(&bounds, farthest);
        if near.is_empty() {
            return;
        }
        let (mut near_clusters, mut near_agents) = (NearHulls::default(), NearHulls::default());
        let (mut own, mut of_cluster) = (NearPieces::new(), NearPieces::new());
        hulls_near_balls(rows.level, &around, &period, &walls.hulls, &near, &mut near_clusters);
        for (number, first) in starts() {
            let of_cluster = near_clusters.of_ball(number, &mut of_cluster);
            hulls_near_balls(rows.level, &ways[number], &period, &walls.hulls, of_cluster, &mut near_agents);
            // Rows that were removed since the boxes were measured still count as placed.
            let placed = rows.placed(first) & near_agents.iter().fold(0, |all, (_, by)| all | by);
            let len = (rows.first + rows.len - first).clamp(0, CLUSTER);
            for lane in (0..len).filter(|lane| placed >> lane & 1 == 1 && rows.is_active(first + lane)) {
                let own = near_agents.of_ball(lane, &mut own);
                let me = rows.at(first + lane);
                forces.set(&me, self.among(&me, own));
            }
        }
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::{Edge, Settings};
    use crate::rules::behaviours::testing::{assert_near, desired, ruled, spawn};
    use crate::species::{Distribution, Species};
    use crate::{Wall, WallShape, World};

    /// The rule in the way of its definition: the motion is sampled, and every wall is tested.
    #[derive(Debug)]
    struct Sampled(AvoidWalls);

    impl<const D: usize> Behaviour<D> for Sampled {
        fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
            let AvoidWalls { horizon, clearance, braking } = self.0;
            let (world, reach, mut near) = (me.world(), me.radius() + clearance, Vec::new());
            // A wall overlapped now counts first, the deepest one.
            world.walls_within(me.position(), reach, &mut near);
            let deepest = near.iter().fold(None, |deepest: Option<&crate::NearWall<D>>, wall| match deepest {
                Some(deepest) if deepest.distance <= wall.distance => Some(deepest),
                _ => Some(wall),
            });
            let met = deepest.map(|wall| (-1.0, wall.normal)).or_else(|| {
                (0..=20_000).find_map(|step| {
                    let share = step as f32 / 20_000.0;
                    let at = me.position() + me.velocity() * (horizon * share);
                    world.walls_within(at, reach, &mut near);
                    near.first().map(|wall| (share, wall.normal))
                })
            });
            let ahead = met.map(|(share, normal)| steering::WallAhead { share, normal });
            me.towards(steering::avoid_walls(ahead, me.velocity(), me.max_speed(), braking, || {
                Noise::new(world.settings().seed, me.id().to_bits(), 0, Noise::AVOID)
            }))
        }
    }

    fn world(edge: Edge, rule: impl Behaviour<2> + 'static) -> World<2> {
        let settings =
            Settings { size: Vector::splat(60.0), edge: [edge; 2], tick_seconds: 0.1, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let walls = [
            WallShape::Path { points: [[5.0, 5.0], [30.0, 9.0], [20.0, 40.0]].map(Vector).to_vec(), closed: false },
            WallShape::Path { points: [[59.0, 20.0], [70.0, 40.0]].map(Vector).to_vec(), closed: false },
            WallShape::Box { centre: Vector([45.0, 45.0]), half: Vector([6.0, 3.0]) },
            WallShape::Ball { centre: Vector([40.0, 15.0]), radius: 4.0 },
        ];
        for shape in walls {
            world.environment_mut().walls.add(Wall::new(shape)).unwrap();
        }
        let mut crowd = Species::new("crowd").with(1.0, rule);
        (crowd.max_speed, crowd.radius) = (10.0.into(), Distribution::Uniform(0.0, 0.5));
        let crowd = world.add_species(crowd).unwrap();
        let mut noise = Noise::new(3, 0, 0, Noise::USER);
        for number in 0..400 {
            let at = [noise.between(0.0, 60.0), noise.between(0.0, 60.0)];
            let velocity = noise.in_ball::<2>() * if number % 9 == 0 { 0.0 } else { 10.0 };
            world.spawn(crowd, at, velocity).unwrap();
        }
        world
    }

    #[test]
    fn the_force_is_that_of_a_sampled_motion_among_all_walls() {
        for edge in [Edge::Wrap, Edge::Open] {
            let rule = || AvoidWalls { horizon: 1.5, clearance: 0.3, braking: 0.4 };
            let (mut one, mut other) = (world(edge, rule()), world(edge, Sampled(rule())));
            let before = world(edge, rule());
            one.step();
            other.step();
            let (mut alike, mut turned) = (0, 0);
            for ((a, b), before) in one.all_agents().iter().zip(other.all_agents()).zip(before.all_agents()) {
                for row in 0..a.len() {
                    alike += usize::from((a.velocity(row) - b.velocity(row)).length() < 0.02);
                    turned += usize::from(a.velocity(row) != before.velocity(row));
                }
            }
            // Samples miss the grazing contacts of a few.
            assert!(alike >= 392 && turned > 50, "{edge}: {alike} of 400, {turned} turned");
        }
    }

    #[test]
    fn an_agent_halfway_to_a_wall_has_half_the_closeness() {
        let mut world = ruled(Edge::Open, AvoidWalls { horizon: 2.0, clearance: 0.0, braking: 0.5 });
        let wall = Wall::segment([60.0, 40.0], [70.0, 60.0]);
        world.environment_mut().walls.add(wall).unwrap();
        // At 5 m/s the wall at a distance of 5 m is reached after half of the horizon.
        let agent = spawn(&mut world, [60.0, 50.0], [5.0, 0.0]);
        let radius = world.all_agents().iter().next().unwrap().radius(0);
        // The body meets a wall that leans by the angle whose cosine is 2 / sqrt(5) earlier.
        let share = (5.0 - radius * 5.0_f32.sqrt() / 2.0) / 10.0;
        let closeness = 1.0 - share;
        assert_near(desired(&mut world, agent), [5.0 * (1.0 - 0.5 * closeness), 10.0 * closeness]);
    }
}
