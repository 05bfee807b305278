//! Stay on path: the path following of Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::base::settings::{LIMIT, Settings};
use crate::boxes::aabb::Aabb;
use crate::kernels::nearest_segment::{Measures, PathFollowers, offset_to_path};
use crate::kernels::steer_to_target::TargetSteering;
use crate::kernels::{self, CLUSTER, CLUSTERS};
use crate::maths::{Vector, ones};
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering::{self, nearest_on_segment, segments, shortest};
use crate::rules::target::of_chunk::ChunkTargets;

rule! {
    /// The path is the axis of a tube with this `radius`. If the agent would be outside the tube in `horizon` seconds
    /// at its present velocity, the desired velocity is full speed towards the point of the path that is nearest to the
    /// predicted position. Otherwise, and without a path, the force is zero. The agent may move in either direction
    /// along the path. In a periodic world the path takes the shorter way from point to point.
    "stay_on_path": "Stays within a distance of a path."
    pub struct StayOnPath<D> {
        /// The points of the path.
        pub points: Vec<Vector<D>> = Vec::new(), "m", Kind::Points(Range::COORDINATE);
        /// Radius of the tube round the path.
        pub radius: f32 = 5.0, "m", Kind::Number(Range::LENGTH), Length;
        /// Whether a segment leads from the last point to the first.
        pub closed: bool = false, "", Kind::Flag;
        /// The time ahead for which the position is predicted.
        pub horizon: f32 = 1.0, "s", Kind::Number(Range::from(0.0, LIMIT as f64));
    }
}

/// The offset from `position + ahead` to the nearest point of a segment or of one of its images. The segment is given
/// by its start and by half of the offset to its end.
fn to_segment<const D: usize>(
    settings: &Settings<D>,
    position: Vector<D>,
    ahead: Vector<D>,
    (start, half): (Vector<D>, Vector<D>),
) -> Vector<D> {
    let period = settings.period();
    let middle = settings.offset(position, start) + half - ahead;
    // Start with the image whose middle is nearest. On axes where the segment is longer than half of the world, a part
    // of the next image may be nearer.
    let wrapped = |axis: usize, x: f32| {
        let far = period[axis].is_finite() && x.abs() >= 0.5 * period[axis];
        if far { x - (x / period[axis]).round() * period[axis] } else { x }
    };
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
        let offset = nearest_on_segment(middle - half, middle + half);
        if offset.length_squared() < nearest.length_squared() {
            nearest = offset;
        }
    }
    nearest
}

/// The predicted positions of the agents of a cluster.
#[derive(Clone, Copy)]
struct Ahead<const D: usize> {
    /// The bounding box of these positions, centred on a point of the world.
    bounds: Aabb<D>,
    /// Whether they are too far ahead for a kernel.
    too_far: bool,
}

impl<const D: usize> StayOnPath<D> {
    /// The positions of a cluster's agents in place after `horizon` seconds.
    fn ahead(&self, rows: &Rows<'_, D>, first: usize, active: u16, period: &[f32; D]) -> Option<Ahead<D>> {
        let Aabb { mut centre, mut half } = rows.cluster_bounds(first)?;
        let mut too_far = false;
        for axis in 0..D {
            let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
            let speeds = &rows.agents.velocity[axis][rows.chunk + first..][..CLUSTER];
            for (_, speed) in speeds.iter().enumerate().filter(|(lane, _)| active >> lane & 1 == 1) {
                let ahead = speed * self.horizon;
                low = if ahead < low { ahead } else { low };
                high = if ahead > high { ahead } else { high };
            }
            too_far |= -low > 0.25 * period[axis] || high > 0.25 * period[axis];
            let at = centre[axis] + 0.5 * (low + high);
            centre[axis] = if at < 0.0 && period[axis] < f32::INFINITY {
                at + period[axis]
            } else if at > period[axis] {
                at - period[axis]
            } else {
                at
            };
            half[axis] += 0.5 * (high - low) + 1e-6 * (at.abs() + high.abs() + low.abs());
        }
        too_far |= half.length() >= 1e8;
        Some(Ahead { bounds: Aabb { centre, half }, too_far })
    }
}

impl<const D: usize> Behaviour<D> for StayOnPath<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default().nearby().searching()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let settings = me.world().settings();
        me.towards(steering::stay_on_path(me.velocity(), me.max_speed(), self.radius, self.horizon, |ahead| {
            let to_segment =
                |(start, end)| to_segment(settings, me.position(), ahead, (start, settings.offset(start, end) * 0.5));
            shortest(segments(&self.points, self.closed).map(to_segment))
        }))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let (settings, agents) = (rows.world.settings(), rows.agents);
        let (paths, found) = (&rows.world.environment_index.paths, &rows.names.path);
        let path = paths.get(found, &self.points, self.closed, settings, || segments(&self.points, self.closed));
        if path.is_empty() {
            return;
        }
        let period = settings.period();
        let offset = |point, number| to_segment(settings, point, Vector::ZERO, path.segment(number as usize));
        let (mut measures, mut targets) = (Measures::new(), ChunkTargets::new([0; CLUSTERS]));
        for (cluster, mut left) in rows.active_bits().into_iter().enumerate() {
            let first = cluster * CLUSTER;
            let active = left & rows.placed(first);
            let ahead = if active == 0 { None } else { self.ahead(rows, first, active, &period) };
            let near = ahead
                .filter(|ahead| !ahead.too_far)
                .map(|Ahead { bounds, .. }| (bounds, path.nearest_to(&bounds, settings, offset)));
            if let Some((bounds, segments)) = near.filter(|(_, segments)| !segments.far_outside) {
                let row = rows.chunk + first;
                let followers = PathFollowers {
                    position: kernels::rows(&agents.position, row..row + CLUSTER),
                    velocity: kernels::rows(&agents.velocity, row..row + CLUSTER),
                    active,
                    centre: bounds.centre.0,
                    around: bounds.half.length() * (1.0 + 1e-5),
                    horizon: self.horizon,
                    radius: self.radius,
                    period,
                };
                targets.active[cluster] =
                    offset_to_path(rows.level, &followers, segments, &mut measures, first, &mut targets.offset);
                left &= !active;
            }
            for me in ones(left).map(|lane| rows.at(first + lane)) {
                forces.set(&me, self.steer(&me));
            }
        }
        rows.steer_to_target(&targets, TargetSteering::Seek, forces);
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Noise;
    use crate::rules::behaviours::testing::{add, alone, assert_near, desired, force, motion, periodic};

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
    fn outside_the_tube_the_nearest_point_of_the_path_is_the_target() {
        // In a second the agent is at (14, 7); the target is (14, 0).
        let (mut world, agent) = alone(corner(), [10.0, 3.0], [4.0, 4.0]);
        assert_near(desired(&mut world, agent), [8.0, -6.0]);
        // Past the end, the target is the end.
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
    fn an_agent_outside_returns_and_stays() {
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
    fn the_nearest_image_is_used() {
        // Compared with all images of random segments.
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
    fn degenerate_paths() {
        let (mut world, agent) = alone(StayOnPath::default(), [9.0, 0.0], [1.0, 0.0]);
        assert_eq!(force(&mut world, agent), Vector::ZERO);
        for points in [vec![Vector([0.0, 0.0])], vec![Vector([0.0, 0.0]); 3]] {
            let (mut world, agent) = alone(StayOnPath { points, ..StayOnPath::default() }, [9.0, 0.0], [0.0, 0.0]);
            assert_eq!(desired(&mut world, agent), Vector([-10.0, 0.0]));
        }
    }
}
