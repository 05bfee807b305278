//! The spatial index of an environment: trees over its obstacles, walls and regions.

use fearless_simd::Level;

use crate::base::settings::{Settings, nearest_image};
use crate::boxes::aabb::Aabb;
use crate::boxes::tree::BoxTree;
use crate::environment::ground::Ground;
use crate::environment::navigation::Queues;
use crate::environment::paths::Paths;
use crate::environment::places::PlaceIndex;
use crate::environment::region::Shape;
use crate::environment::wall_index::WallIndex;
use crate::environment::{Environment, Obstacle};
use crate::kernels::discs::{Discs, NearDiscs};
use crate::maths::Vector;

/// The number of ticks of motion for which the box of a moving obstacle has a margin.
const MARGIN_TICKS: f32 = 16.0;

/// The spatial index of an environment, updated at the start of each tick. Queries return a superset in the order of
/// the environment, so that results do not depend on the index.
#[derive(Debug, Default)]
pub(crate) struct EnvironmentIndex<const D: usize> {
    at_rest: Group<D>,
    moving: Group<D>,
    regions: BoxTree<D>,
    /// The shapes from which the tree of regions was built.
    shapes: Vec<Shape<D>>,
    /// The indices of rules' paths.
    pub(crate) paths: Paths<D>,
    /// The agents on their way to goals, and the same without places.
    pub(crate) queues: [Queues; 2],
    /// The places of agents in queues and waiting areas.
    pub(crate) places: PlaceIndex,
    pub(crate) walls: WallIndex<D>,
    /// On which side of walls agents may start; updated before agents start.
    pub(crate) ground: Ground<D>,
    period: Option<[f32; D]>,
}

/// A group of obstacles. Each may move within its margin before the boxes must be rebuilt.
#[derive(Clone, Debug, Default)]
struct Group<const D: usize> {
    tree: BoxTree<D>,
    /// The members in the order of the tree; the current obstacles have the same order.
    members: Vec<Member<D>>,
    discs: Discs<D>,
}

/// The obstacles near a box: for each of the two groups, the numbers of its clumps.
#[derive(Debug, Default)]
pub(crate) struct NearClumps([Vec<u32>; 2]);

#[derive(Clone, Copy, Debug)]
struct Member<const D: usize> {
    number: u32,
    centre: Vector<D>,
    radius: f32,
    margin: Vector<D>,
}

impl<const D: usize> Member<D> {
    fn half(&self) -> Vector<D> {
        Vector::splat(self.radius) + self.margin
    }
}

impl<const D: usize> Group<D> {
    fn new(
        level: Level,
        obstacles: &[Obstacle<D>],
        settings: &Settings<D>,
        numbers: impl Iterator<Item = u32>,
    ) -> Self {
        let (seconds, period) = (MARGIN_TICKS * settings.tick_seconds, settings.period());
        let member = |number| {
            let Obstacle { centre, radius, velocity, .. } = obstacles[number as usize];
            Member { number, centre, radius, margin: Vector::from_fn(|axis| velocity[axis].abs() * seconds) }
        };
        let boxes = numbers.map(|number| {
            let member = member(number);
            (number, Aabb { centre: member.centre, half: member.half() })
        });
        let tree = BoxTree::new(level, boxes, period);
        let members = tree.numbers().iter().map(|&number| member(number)).collect();
        let mut group = Self { tree, members, discs: Discs::default() };
        group.place(obstacles, &period);
        group
    }

    /// Copies the current obstacles.
    fn place(&mut self, obstacles: &[Obstacle<D>], period: &[f32; D]) {
        self.discs.clear();
        for member in &self.members {
            let Obstacle { centre, radius, velocity, .. } = obstacles[member.number as usize];
            self.discs.push(member.number, centre.0, velocity.0, radius, period);
        }
        self.discs.pad();
    }

    /// Returns whether every obstacle of the group is still in its box.
    fn holds(&self, obstacles: &[Obstacle<D>], period: &[f32; D]) -> bool {
        self.members.iter().all(|member| {
            obstacles.get(member.number as usize).is_some_and(|obstacle| {
                let inside = |axis: usize| {
                    let offset = nearest_image(obstacle.centre[axis] - member.centre[axis], period[axis]);
                    offset.abs() <= member.margin[axis]
                };
                obstacle.radius == member.radius && (0..D).all(inside)
            })
        })
    }

    fn all_at_rest(&self, obstacles: &[Obstacle<D>]) -> bool {
        let at_rest = |member: &Member<D>| is_at_rest(&obstacles[member.number as usize]);
        self.members.iter().all(at_rest)
    }
}

fn is_at_rest<const D: usize>(obstacle: &Obstacle<D>) -> bool {
    obstacle.velocity == Vector::ZERO
}

impl<const D: usize> EnvironmentIndex<D> {
    /// The index of an environment in which agents will start, some of them at these points of regions.
    pub(crate) fn of_starts(
        level: Level,
        environment: &Environment<D>,
        settings: &Settings<D>,
        starts: &[Vec<[f64; 2]>],
    ) -> Self {
        let mut index = Self::default();
        index.update(level, environment, settings);
        index.ground.update(environment, settings, starts);
        index
    }

    /// Updates the index. Unchanged parts are detected by comparison and kept; moving obstacles have a tree of their
    /// own, which is rebuilt every few ticks.
    pub(crate) fn update(&mut self, level: Level, environment: &Environment<D>, settings: &Settings<D>) {
        let (obstacles, period) = (environment.obstacles.items(), settings.period());
        let same_world = self.period.replace(period) == Some(period);
        self.walls.update(level, environment, settings);
        if !same_world {
            self.paths.clear();
        }
        let indexed = self.at_rest.members.len() + self.moving.members.len();
        let same_number = same_world && indexed == obstacles.len();
        if !same_number || !self.at_rest.holds(obstacles, &period) || !self.at_rest.all_at_rest(obstacles) {
            let numbers = 0..obstacles.len() as u32;
            let (at_rest, moving): (Vec<_>, Vec<_>) =
                numbers.partition(|&number| is_at_rest(&obstacles[number as usize]));
            self.at_rest = Group::new(level, obstacles, settings, at_rest.into_iter());
            self.moving = Group::new(level, obstacles, settings, moving.into_iter());
        } else if !self.moving.holds(obstacles, &period) {
            // Obstacles that have come to rest stay in this group.
            let members = self.moving.members.iter().map(|member| member.number);
            self.moving = Group::new(level, obstacles, settings, members);
        } else {
            self.moving.place(obstacles, &period);
        }
        let shapes = environment.regions.items().iter().map(|region| region.shape);
        if !same_world || !shapes.clone().eq(self.shapes.iter().copied()) {
            self.shapes = shapes.collect();
            let boxes = self.shapes.iter().enumerate().map(|(number, shape)| {
                let (centre, half) = shape.bounds();
                (number as u32, Aabb { centre, half })
            });
            self.regions = BoxTree::new(level, boxes, period);
        }
    }

    /// Whether queries find these walls and obstacles: the host has not changed them since the last update.
    pub(crate) fn is_of(&self, environment: &Environment<D>, settings: &Settings<D>) -> bool {
        self.period == Some(settings.period())
            && self.walls.is_of(environment)
            && self.at_rest.members.len() + self.moving.members.len() == environment.obstacles.items().len()
    }

    /// Calls `visit` with the numbers of the obstacles at rest near a box, and of all obstacles that may have moved.
    pub(crate) fn visit_obstacles_near(&self, bounds: &Aabb<D>, mut visit: impl FnMut(u32)) {
        self.at_rest.tree.visit(bounds, &mut visit);
        self.moving.members.iter().for_each(|member| visit(member.number));
    }

    /// Fills `found` with the numbers of the obstacles within `reach` of a box, ascending, and possibly a few more.
    pub(crate) fn obstacles_within(&self, bounds: &Aabb<D>, reach: f32, found: &mut Vec<u32>) {
        let bounds = Aabb { half: bounds.half + Vector::splat(reach), ..*bounds };
        found.clear();
        self.at_rest.tree.find(&bounds, found);
        if !self.moving.members.is_empty() {
            self.moving.tree.find(&bounds, found);
            found.sort_unstable();
        }
    }

    /// Fills `found` with the obstacles within `reach` of a box, and possibly more, in no particular order.
    pub(crate) fn clumps_within(&self, bounds: &Aabb<D>, reach: f32, found: &mut NearClumps) {
        let bounds = Aabb { half: bounds.half + Vector::splat(reach), ..*bounds };
        for (group, found) in [&self.at_rest, &self.moving].into_iter().zip(&mut found.0) {
            found.clear();
            group.tree.visit_clumps(&bounds, |clump, _| found.push(clump));
        }
    }

    /// An upper bound of the distance from a point within which some obstacle lies completely; infinite without
    /// obstacles.
    pub(crate) fn one_within(&self, environment: &Environment<D>, settings: &Settings<D>, point: Vector<D>) -> f32 {
        let mut least = f32::INFINITY;
        self.visit_nearest_obstacles(point, |number| {
            let Obstacle { centre, radius, .. } = environment.obstacles.items()[number as usize];
            let farthest = settings.offset(point, centre).length() + radius;
            least = if farthest < least { farthest } else { least };
            least * least
        });
        least
    }

    /// These obstacles as the kernels' input.
    pub(crate) fn discs<'a>(&'a self, near: &'a NearClumps) -> [NearDiscs<'a, D>; 2] {
        let [at_rest, moving] = &near.0;
        [
            NearDiscs { discs: &self.at_rest.discs, clumps: at_rest },
            NearDiscs { discs: &self.moving.discs, clumps: moving },
        ]
    }

    /// Calls `visit` with the numbers of the obstacles near a point, roughly in order of distance. `visit` returns the squared search radius from then on; every obstacle whose surface is nearer is
    /// visited.
    pub(crate) fn visit_nearest_obstacles(&self, point: Vector<D>, mut visit: impl FnMut(u32) -> f32) {
        let mut within = f32::INFINITY;
        self.at_rest.tree.visit_nearest(point, &mut within, &mut visit);
        self.moving.tree.visit_nearest(point, &mut within, &mut visit);
    }

    /// Fills `found` with the numbers of the regions that may contain a point of a box, ascending.
    pub(crate) fn regions_within(&self, bounds: &Aabb<D>, found: &mut Vec<u32>) {
        found.clear();
        self.regions.find(bounds, found);
    }
}
