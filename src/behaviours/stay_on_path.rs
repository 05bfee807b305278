//! Stay on path: the path following of Reynolds, "Steering Behaviors For Autonomous Characters" (1999), either way
//! along the path.

use crate::behaviour::{Behaviour, Forces, Me, Rows};
use crate::kernels::segments::{Lookers, Segments, Ways, nearest_segments};
use crate::kernels::{self, CHUNK, CLUSTER};
use crate::maths::Vector;
use crate::parameters::{Kind, Range, rule, tunable};
use crate::scenery::paths::PathIndex;
use crate::scenery::tree::Bounds;
use crate::settings::{LIMIT, Settings};
use crate::steering::{self, nearest_on_segment, segments, shortest};

rule! {
    /// The path is a tube: everything within `radius` of it. Where the agent would be outside after `horizon` seconds
    /// at its present velocity, the desired velocity is full speed towards the point of the path that is nearest to
    /// there. Otherwise, and without a path, there is no force. In a periodic world the path goes the shorter way from
    /// point to point.
    "stay_on_path": "Stays within some distance of a path."
    pub struct StayOnPath<D> {
        /// The points of the path.
        pub points: Vec<Vector<D>> = Vec::new(), "m", Kind::Points(Range::COORDINATE);
        /// How far from the path it may be.
        pub radius: f32 = 5.0, "m", Kind::Number(Range::LENGTH);
        /// Whether the path goes on from the last point to the first.
        pub closed: bool = false, "", Kind::Flag;
        /// How far ahead the agent looks.
        pub horizon: f32 = 1.0, "s", Kind::Number(Range::from(0.0, LIMIT as f64));
    }
}

/// From the point that is `ahead` of a position to the nearest point of a segment, of all its images.
fn to_segment<const D: usize>(
    settings: &Settings<D>,
    position: Vector<D>,
    ahead: Vector<D>,
    (start, end): (Vector<D>, Vector<D>),
) -> Vector<D> {
    let period = settings.period();
    let half = settings.offset(start, end) * 0.5;
    let middle = settings.offset(position, start) + half - ahead;
    // The image whose middle is nearest. A part of the next image may still be nearer, on those axes where the segment
    // reaches further than half of the world.
    let wrapped =
        |axis: usize, x: f32| if period[axis].is_finite() { x - (x / period[axis]).round() * period[axis] } else { x };
    let middle = Vector::from_fn(|axis| wrapped(axis, middle[axis]));
    let mut nearest = nearest_on_segment(middle - half, middle + half);
    for image in 1..1usize << D {
        let moved = |axis: usize| image >> axis & 1 == 1;
        if (0..D).any(|axis| moved(axis) && middle[axis].abs() + half[axis].abs() <= 0.5 * period[axis]) {
            continue;
        }
        let middle = Vector::from_fn(|axis| {
            if moved(axis) { middle[axis] - period[axis].copysign(middle[axis]) } else { middle[axis] }
        });
        let way = nearest_on_segment(middle - half, middle + half);
        if way.length_squared() < nearest.length_squared() {
            nearest = way;
        }
    }
    nearest
}

/// Clusters that share one search: rows run along strips, so that a whole chunk is long and narrow.
const GROUP: usize = 4;

/// The middle of the points that a cluster's agents look at, and how far around it they are.
#[derive(Clone, Copy)]
struct Around<const D: usize> {
    middle: Vector<D>,
    distance: f32,
}

impl<const D: usize> StayOnPath<D> {
    fn path(&self, rows: &Rows<'_, D>) -> std::sync::Arc<PathIndex<D>> {
        let settings = rows.scene.settings();
        let segments = || segments(&self.points, self.closed);
        rows.scene.scenery_index.paths.get(&self.points, self.closed, settings, segments)
    }

    /// Where the agents of a cluster will be after `horizon` seconds. The distance is infinite where that is too far
    /// ahead for a kernel.
    fn around(&self, rows: &Rows<'_, D>, first: usize, lanes: usize, period: &[f32; D]) -> Option<Around<D>> {
        let Bounds { centre, half } = rows.cluster_bounds(first)?;
        let (mut low, mut high) = ([f32::INFINITY; D], [f32::NEG_INFINITY; D]);
        for axis in 0..D {
            for speed in &rows.agents.velocity[axis][rows.chunk + first..][..lanes] {
                let ahead = speed * self.horizon;
                low[axis] = if ahead < low[axis] { ahead } else { low[axis] };
                high[axis] = if ahead > high[axis] { ahead } else { high[axis] };
            }
        }
        let far = (0..D).any(|axis| -low[axis] > 0.25 * period[axis] || high[axis] > 0.25 * period[axis]);
        let mut middle = centre;
        let mut reach = half;
        for axis in 0..D {
            let at = centre[axis] + 0.5 * (low[axis] + high[axis]);
            middle[axis] = if at < 0.0 && period[axis] < f32::INFINITY {
                at + period[axis]
            } else if at > period[axis] {
                at - period[axis]
            } else {
                at
            };
            reach[axis] += 0.5 * (high[axis] - low[axis]) + 1e-6 * (at.abs() + high[axis].abs() + low[axis].abs());
        }
        let distance = reach.length() * (1.0 + 1e-5);
        Some(Around { middle, distance: if !far && distance < 1e8 { distance } else { f32::INFINITY } })
    }

    /// The segments that are the nearest for any of these agents, and more of them.
    fn candidates(&self, settings: &Settings<D>, path: &PathIndex<D>, clusters: &[Around<D>]) -> Vec<u32> {
        let boxes =
            clusters.iter().map(|cluster| Bounds { centre: cluster.middle, half: Vector::splat(cluster.distance) });
        let Bounds { centre, half } = Bounds::around(boxes, settings);
        let way = |number| to_segment(settings, centre, Vector::ZERO, path.segments[number as usize]);
        path.nearest_to(centre, half.length() * (1.0 + 1e-4), way)
    }
}

impl<const D: usize> Behaviour<D> for StayOnPath<D> {
    fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
        let settings = me.scene().settings();
        me.towards(steering::stay_on_path(me.velocity(), me.max_speed(), self.radius, self.horizon, |ahead| {
            let to_segment = |segment| to_segment(settings, me.position(), ahead, segment);
            shortest(segments(&self.points, self.closed).map(to_segment))
        }))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let (settings, agents) = (rows.scene.settings(), rows.agents);
        let path = self.path(rows);
        if path.segments.is_empty() || rows.len == 0 {
            return;
        }
        let period = settings.period();
        let chunk = rows.chunk..(rows.chunk + CHUNK).clamp(0, agents.padded());
        let lookers = Lookers {
            position: kernels::rows(&agents.position, chunk.clone()),
            velocity: kernels::rows(&agents.velocity, chunk),
            horizon: self.horizon,
            period,
        };
        let placed = |first: &usize| rows.cluster_bounds(*first).is_some();
        let firsts: Vec<usize> = (rows.first..rows.first + rows.len).step_by(CLUSTER).filter(placed).collect();
        for group in firsts.chunks(GROUP) {
            self.steer_group(rows, group, &path, &lookers, forces);
        }
        rows.out_of_place().for_each(|me| forces.set(&me, self.steer(&me)));
    }

    tunable!();
}

impl<const D: usize> StayOnPath<D> {
    /// Steers the agents of a few clusters, whose first rows these are.
    fn steer_group(
        &self,
        rows: &Rows<'_, D>,
        firsts: &[usize],
        path: &PathIndex<D>,
        lookers: &Lookers<'_, D>,
        forces: &mut Forces<'_, D>,
    ) {
        let settings = rows.scene.settings();
        let lanes = |first: usize| (rows.first + rows.len - first).clamp(0, CLUSTER);
        let around = |&first: &usize| self.around(rows, first, lanes(first), &lookers.period);
        let clusters: Vec<_> = firsts.iter().filter_map(around).collect();
        let near = self.candidates(settings, path, &clusters);
        let halves = near.iter().map(|&number| {
            let (start, end) = path.segments[number as usize];
            (start.0, (settings.offset(start, end) * 0.5).0)
        });
        let mut near_segments = Segments::new(halves, &lookers.period);
        let mut ways = Ways::new();
        for (&first, cluster) in firsts.iter().zip(&clusters) {
            let around = (&cluster.middle.0, cluster.distance);
            nearest_segments(rows.level, lookers, first / CLUSTER, around, &mut near_segments, &mut ways);
            for lane in 0..lanes(first) {
                let me = rows.at(first + lane);
                let back = |ahead| {
                    let mut number = ways.number[lane];
                    let mut back = Vector::from_fn(|axis| ways.way[axis][lane]);
                    for &other in &ways.rest {
                        let segment = path.segments[near[other as usize] as usize];
                        let way = to_segment(settings, me.position(), ahead, segment);
                        let (squared, least, other) = (way.length_squared(), back.length_squared(), other as f32);
                        if number.is_nan() || squared < least || squared == least && other < number {
                            (back, number) = (way, other);
                        }
                    }
                    Some(back)
                };
                let (velocity, max_speed) = (me.velocity(), me.max_speed());
                let desired = steering::stay_on_path(velocity, max_speed, self.radius, self.horizon, back);
                forces.set(&me, me.towards(desired));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviours::testing::{add, alone, assert_near, desired, force, motion, periodic};
    use crate::maths::Noise;

    fn corner<const D: usize>() -> StayOnPath<D> {
        let point = |x: f32, y: f32| Vector::from_fn(|axis| [x, y, 0.0][axis]);
        StayOnPath { points: vec![point(0.0, 0.0), point(40.0, 0.0), point(40.0, 40.0)], ..StayOnPath::default() }
    }

    #[test]
    fn inside_the_tube_there_is_no_force() {
        for (position, velocity) in [([10.0, 4.0], [8.0, 0.0]), ([10.0, 9.0], [0.0, -6.0]), ([40.0, 40.0], [0.0, 4.0])]
        {
            let (mut world, agent) = alone(corner(), position, velocity);
            assert_eq!(force(&mut world, agent), Vector::ZERO, "{position:?}");
        }
    }

    #[test]
    fn out_of_the_tube_it_goes_to_the_nearest_point_of_the_path() {
        // In a second it is at (14, 7): back to (14, 0), from where it is now.
        let (mut world, agent) = alone(corner(), [10.0, 3.0], [4.0, 4.0]);
        assert_near(desired(&mut world, agent), [8.0, -6.0]);
        // Past the end: back to the end.
        let (mut world, agent) = alone::<3>(corner(), [43.0, 44.0, 0.0], [0.0; 3]);
        let open = StayOnPath { radius: 4.0, ..corner() };
        assert_eq!(force(&mut world, agent), Vector::ZERO);
        let (mut world, agent) = alone::<3>(open, [43.0, 44.0, 0.0], [0.0; 3]);
        assert_near(desired(&mut world, agent), [-6.0, -8.0, 0.0]);
    }

    #[test]
    fn a_closed_path_has_one_more_segment() {
        let (mut world, agent) = alone(corner(), [18.0, 22.0], [0.0, 0.0]);
        assert_ne!(force(&mut world, agent), Vector::ZERO);
        let (mut world, agent) = alone(StayOnPath { closed: true, ..corner() }, [18.0, 22.0], [0.0, 0.0]);
        assert_eq!(force(&mut world, agent), Vector::ZERO);
    }

    #[test]
    fn somebody_outside_comes_back_and_stays() {
        let (mut world, agent) = alone(corner(), [5.0, 30.0], [0.0, 0.0]);
        for tick in 0..64 * 20 {
            world.step();
            let position = motion(&world, agent).0;
            assert!(tick < 64 * 5 || nearest_of_all(&corner().points, position) < 5.0, "{position:?}");
        }
    }

    fn nearest_of_all<const D: usize>(points: &[Vector<D>], position: Vector<D>) -> f32 {
        let ways = segments(points, false).map(|(start, end)| nearest_on_segment(start - position, end - position));
        ways.map(Vector::length).fold(f32::INFINITY, |a, b| if a < b { a } else { b })
    }

    #[test]
    fn of_all_images_the_nearest() {
        // Against all images of segments drawn at random, one by one.
        let mut noise = Noise::new(11, 0, 0, 0);
        for _ in 0..300 {
            let start = Vector::<2>::from_fn(|_| noise.between(0.0, 100.0));
            let edge = Vector::<2>::from_fn(|_| noise.between(-49.0, 49.0));
            let position = Vector::<2>::from_fn(|_| noise.between(0.0, 100.0));
            let velocity = noise.in_ball::<2>() * 10.0;
            let inside = |point: Vector<2>| Vector::from_fn(|axis| point[axis].rem_euclid(100.0));
            let rule =
                StayOnPath { points: vec![start, inside(start + edge)], radius: 0.0, horizon: 9.0, closed: false };
            let mut world = periodic::<2>();
            let agent = add(&mut world, rule, position.0, velocity.0);
            let ahead = position + velocity * 9.0;
            let mut best = Vector([1e9, 0.0]);
            for image in 0..49 {
                let shift = Vector([100.0 * (image % 7 - 3) as f32, 100.0 * (image / 7 - 3) as f32]) + start - ahead;
                let way = nearest_on_segment(shift, shift + edge);
                best = if way.length() < best.length() { way } else { best };
            }
            let expected = (velocity * 9.0 + best).direction() * 10.0;
            assert!((desired(&mut world, agent) - expected).length() < 2e-2, "{start:?} {edge:?} {position:?}");
        }
    }

    #[test]
    fn paths_without_length() {
        let (mut world, agent) = alone(StayOnPath::default(), [9.0, 0.0], [1.0, 0.0]);
        assert_eq!(force(&mut world, agent), Vector::ZERO);
        for points in [vec![Vector([0.0, 0.0])], vec![Vector([0.0, 0.0]); 3]] {
            let (mut world, agent) = alone(StayOnPath { points, ..StayOnPath::default() }, [9.0, 0.0], [0.0, 0.0]);
            assert_eq!(desired(&mut world, agent), Vector([-10.0, 0.0]));
        }
    }
}
