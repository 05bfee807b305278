//! The pieces of walls: exact tests of chords, distances and sweeps.
//!
//! Whether a chord meets a piece decides on which side of a wall an agent is, so these tests are exact: the sign of a
//! determinant is exact in the real numbers (Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
//! Geometric Predicates", 1997). A ball has a margin instead, wider than all rounding. Distances and sweeps choose
//! where an agent goes and need not be exact, because every choice is tested.

use robust::{Coord, Coord3D, orient2d, orient3d};

use crate::environment::WallShape;
use crate::maths::wide::{Wide, add, dot, length, scaled, sub, widened};

/// A convex part of a wall, in the coordinates of the wall's shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Piece<const D: usize> {
    /// A segment of a path, in two dimensions.
    Segment(Wide<D>, Wide<D>),
    /// A box, from its lowest to its highest corner.
    Box(Wide<D>, Wide<D>),
    /// A ball or a disc: its centre and its radius.
    Ball(Wide<D>, f64),
    /// A plane or a line: a point, two directions in it, and its unit normal.
    Plane { point: Wide<D>, along: [Wide<D>; 2], normal: Wide<D> },
}

/// The nearest point of a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest<const D: usize> {
    /// The distance from its surface, in metres.
    pub(crate) distance: f64,
    /// The unit vector from there to the point; for a point of the surface, one of the two normals.
    pub(crate) normal: Wide<D>,
}

/// The share of a ball's squared lengths by which a chord must be clear of its surface.
const BALL_MARGIN: f64 = 1e-12;

/// The largest number of steps of a sweep.
const STEPS: usize = 24;

/// Calls `piece` with each piece of a shape.
pub(crate) fn pieces<const D: usize>(shape: &WallShape<D>, mut piece: impl FnMut(Piece<D>)) {
    match shape {
        WallShape::Path { points, closed } => {
            for pair in points.windows(2) {
                piece(Piece::Segment(widened(pair[0].0), widened(pair[1].0)));
            }
            if let (true, [first, .., last]) = (*closed, &points[..]) {
                piece(Piece::Segment(widened(last.0), widened(first.0)));
            }
        }
        WallShape::Box { centre, half } => {
            let (centre, half) = (widened(centre.0), widened(half.0));
            piece(Piece::Box(sub(centre, half), add(centre, half)));
        }
        WallShape::Ball { centre, radius } => piece(Piece::Ball(widened(centre.0), f64::from(*radius))),
        WallShape::Plane { point, normal } => piece(plane(widened(point.0), widened(normal.0))),
    }
}

fn plane<const D: usize>(point: Wide<D>, normal: Wide<D>) -> Piece<D> {
    let most =
        normal.iter().fold(0.0f64, |most, component| if component.abs() > most { component.abs() } else { most });
    let normal = scaled(normal, 1.0 / most);
    let normal = scaled(normal, 1.0 / length(normal));
    // The axis on which the normal is longest, and the others: a direction for each of them.
    let long = (0..D).fold(0, |long, axis| if normal[axis].abs() > normal[long].abs() { axis } else { long });
    let mut along = [[0.0; D]; 2];
    for (direction, axis) in along.iter_mut().zip((0..D).filter(|&axis| axis != long)) {
        direction[axis] = normal[long];
        direction[long] = -normal[axis];
    }
    Piece::Plane { point, along, normal }
}

/// The sign of the side of the line from `a` to `b` on which `c` is: 1, -1, or 0 on the line.
fn side(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> i8 {
    let coord = |[x, y]: [f64; 2]| Coord { x, y };
    sign(orient2d(coord(a), coord(b), coord(c)))
}

fn sign(number: f64) -> i8 {
    i8::from(number > 0.0) - i8::from(number < 0.0)
}

fn on<const D: usize>(a: Wide<D>, [i, j]: [usize; 2]) -> [f64; 2] {
    [a[i], a[j]]
}

/// The pairs of axes.
fn pairs<const D: usize>() -> &'static [[usize; 2]] {
    if D == 2 { &[[0, 1]] } else { &[[0, 1], [0, 2], [1, 2]] }
}

/// The corners of a box on two axes.
fn corners<const D: usize>(low: Wide<D>, high: Wide<D>, [i, j]: [usize; 2]) -> [[f64; 2]; 4] {
    [[low[i], low[j]], [low[i], high[j]], [high[i], low[j]], [high[i], high[j]]]
}

fn clamped(number: f64, low: f64, high: f64) -> f64 {
    if number < low {
        low
    } else if number > high {
        high
    } else {
        number
    }
}

impl<const D: usize> Piece<D> {
    /// The lowest and the highest corner of the bounding box; infinite for a plane.
    pub(crate) fn bounds(&self) -> [Wide<D>; 2] {
        match *self {
            Self::Segment(a, b) => {
                let lower = |axis: usize| if a[axis] < b[axis] { a[axis] } else { b[axis] };
                let upper = |axis: usize| if a[axis] < b[axis] { b[axis] } else { a[axis] };
                [std::array::from_fn(lower), std::array::from_fn(upper)]
            }
            Self::Box(low, high) => [low, high],
            Self::Ball(centre, radius) => [sub(centre, [radius; D]), add(centre, [radius; D])],
            Self::Plane { .. } => [[f64::NEG_INFINITY; D], [f64::INFINITY; D]],
        }
    }

    /// Whether a point is inside a solid, surface excluded.
    pub(crate) fn contains(&self, point: Wide<D>) -> bool {
        match *self {
            Self::Box(low, high) => (0..D).all(|axis| low[axis] < point[axis] && point[axis] < high[axis]),
            Self::Ball(centre, radius) => {
                let from = sub(point, centre);
                dot(from, from) < radius * radius
            }
            _ => false,
        }
    }

    /// Whether the chord between two points, ends included, meets the surface.
    pub(crate) fn meets(&self, from: Wide<D>, to: Wide<D>) -> bool {
        match *self {
            Self::Segment(a, b) => {
                let [p, q, a, b] = [from, to, a, b].map(|point| on(point, [0, 1]));
                let (of_p, of_q) = (side(a, b, p), side(a, b, q));
                if of_p * of_q > 0 {
                    return false;
                }
                let (of_a, of_b) = (side(p, q, a), side(p, q, b));
                if of_p == 0 && of_q == 0 {
                    // On one line: they meet if their ranges do.
                    let sorted = |a: f64, b: f64| if a < b { (a, b) } else { (b, a) };
                    return (0..2).all(|axis| {
                        let ((low, high), (start, end)) = (sorted(a[axis], b[axis]), sorted(p[axis], q[axis]));
                        low <= end && start <= high
                    });
                }
                of_a * of_b <= 0
            }
            Self::Box(low, high) => {
                let (starts, ends) = (self.contains(from), self.contains(to));
                if starts || ends {
                    return !(starts && ends);
                }
                let beside = |axis: usize| {
                    (from[axis] < low[axis] && to[axis] < low[axis])
                        || (from[axis] > high[axis] && to[axis] > high[axis])
                };
                if (0..D).any(beside) {
                    return false;
                }
                // No face separates them: an axis at right angles to the chord and to an edge may.
                !pairs::<D>().iter().any(|&axes| {
                    let ([p, q], corners) = ([from, to].map(|point| on(point, axes)), corners(low, high, axes));
                    let first = side(p, q, corners[0]);
                    first != 0 && corners[1..].iter().all(|&corner| side(p, q, corner) == first)
                })
            }
            Self::Ball(centre, radius) => {
                let (p, q) = (sub(from, centre), sub(to, centre));
                let (p_squared, q_squared, squared) = (dot(p, p), dot(q, q), radius * radius);
                let margin = BALL_MARGIN * (p_squared + q_squared + squared);
                if p_squared < squared - margin && q_squared < squared - margin {
                    return false;
                }
                let d = sub(q, p);
                let d_squared = dot(d, d);
                let nearest = if d_squared > 0.0 { clamped(-dot(p, d) / d_squared, 0.0, 1.0) } else { 0.0 };
                let at = add(p, scaled(d, nearest));
                dot(at, at) <= squared + margin
            }
            Self::Plane { .. } => self.side(from) * self.side(to) <= 0,
        }
    }

    /// Whether a centre that moves along this chord would cross the surface. `is_on` is whether it starts on it: beside a
    /// path or a plane it may then leave to both sides, and of a solid it is outside.
    pub(crate) fn bars(&self, is_on: bool, from: Wide<D>, to: Wide<D>) -> bool {
        if !is_on {
            return self.meets(from, to);
        }
        self.meets(to, to) || self.enters(from, to)
    }

    /// Whether a chord that starts on the surface of a solid leads through its inside.
    fn enters(&self, from: Wide<D>, to: Wide<D>) -> bool {
        match *self {
            Self::Box(low, high) => {
                let beside = |axis: usize| {
                    (from[axis] <= low[axis] && to[axis] <= low[axis])
                        || (from[axis] >= high[axis] && to[axis] >= high[axis])
                };
                // As for `meets`, but corners and faces may lie on the separating line or plane.
                !(0..D).any(beside)
                    && !pairs::<D>().iter().any(|&axes| {
                        let [p, q] = [from, to].map(|point| on(point, axes));
                        let sides = corners(low, high, axes).map(|corner| side(p, q, corner));
                        p != q && (sides.iter().all(|&side| side >= 0) || sides.iter().all(|&side| side <= 0))
                    })
            }
            Self::Ball(centre, _) => {
                let (p, way) = (sub(from, centre), sub(to, from));
                let (squared, along, length_squared) = (dot(p, p), -dot(p, way), dot(way, way));
                if along <= 0.0 {
                    return self.contains(to);
                }
                let share = clamped(along / length_squared, 0.0, 1.0);
                let at = add(p, scaled(way, share));
                dot(at, at) < squared - BALL_MARGIN * (squared + length_squared)
            }
            _ => false,
        }
    }

    /// Whether the piece has an inside.
    pub(crate) fn is_solid(&self) -> bool {
        matches!(self, Self::Box(..) | Self::Ball(..))
    }

    /// Whether a point is on the surface.
    pub(crate) fn is_on(&self, point: Wide<D>) -> bool {
        match *self {
            Self::Segment(a, b) => {
                let between = |axis: usize| {
                    (a[axis] <= point[axis] && point[axis] <= b[axis])
                        || (b[axis] <= point[axis] && point[axis] <= a[axis])
                };
                (0..D).all(between) && side(on(a, [0, 1]), on(b, [0, 1]), on(point, [0, 1])) == 0
            }
            _ => self.meets(point, point),
        }
    }

    /// The side of a plane on which a point is.
    fn side(&self, at: Wide<D>) -> i8 {
        let Self::Plane { point, along, .. } = *self else { return 0 };
        let at = sub(at, point);
        if D == 2 {
            return side([0.0; 2], on(along[0], [0, 1]), on(at, [0, 1]));
        }
        let coord = |a: Wide<D>| Coord3D { x: a[0], y: a[1], z: a[D - 1] };
        sign(orient3d(coord([0.0; D]), coord(along[0]), coord(along[1]), coord(at)))
    }

    /// The nearest point of the surface.
    #[inline]
    pub(crate) fn nearest(&self, point: Wide<D>) -> Nearest<D> {
        if let Self::Segment(a, b) = *self {
            let (along, from) = (sub(b, a), sub(point, a));
            let share = clamped(dot(from, along) / dot(along, along), 0.0, 1.0);
            let off = sub(from, scaled(along, share));
            let distance = length(off);
            if distance > 0.0 {
                return Nearest { distance, normal: scaled(off, 1.0 / distance) };
            }
        }
        self.nearest_of_shape(point)
    }

    /// The same for solids and planes, and for a point of a segment.
    #[inline(never)]
    fn nearest_of_shape(&self, point: Wide<D>) -> Nearest<D> {
        match *self {
            Self::Segment(a, b) => {
                let along = sub(b, a);
                let mut normal = [0.0; D];
                (normal[0], normal[1]) = (-along[1], along[0]);
                Nearest { distance: 0.0, normal: scaled(normal, 1.0 / length(normal)) }
            }
            Self::Box(low, high) => {
                let mut off = [0.0; D];
                // The nearest face: its axis, its direction and the depth of the point behind it.
                let (mut axis_of, mut outward, mut depth) = (0, 1.0, f64::INFINITY);
                for axis in 0..D {
                    let (below, above) = (point[axis] - low[axis], high[axis] - point[axis]);
                    off[axis] = if below < 0.0 {
                        below
                    } else if above < 0.0 {
                        -above
                    } else {
                        0.0
                    };
                    if below < depth {
                        (axis_of, outward, depth) = (axis, -1.0, below);
                    }
                    if above < depth {
                        (axis_of, outward, depth) = (axis, 1.0, above);
                    }
                }
                let distance = length(off);
                if distance > 0.0 {
                    return Nearest { distance, normal: scaled(off, 1.0 / distance) };
                }
                let mut normal = [0.0; D];
                normal[axis_of] = if depth > 0.0 { -outward } else { outward };
                Nearest { distance: depth, normal }
            }
            Self::Ball(centre, radius) => {
                let from = sub(point, centre);
                let away = length(from);
                let mut outward = [0.0; D];
                outward[0] = 1.0;
                if away > 0.0 {
                    outward = scaled(from, 1.0 / away);
                }
                let gap = away - radius;
                if gap < 0.0 {
                    return Nearest { distance: -gap, normal: scaled(outward, -1.0) };
                }
                Nearest { distance: gap, normal: outward }
            }
            Self::Plane { point: origin, normal, .. } => {
                let gap = dot(sub(point, origin), normal);
                if gap < 0.0 {
                    return Nearest { distance: -gap, normal: scaled(normal, -1.0) };
                }
                Nearest { distance: gap, normal }
            }
        }
    }

    /// The share of a motion after which a point is first at a distance of `reach` from the surface, moving towards it,
    /// and the normal there; `None` if it stays farther away. `nearest` is the nearest point at the start. The distance
    /// along a chord outside a convex piece is a convex function, whose tangents lie below it, so that Newton's method
    /// never oversteps.
    pub(crate) fn sweep(
        &self,
        from: Wide<D>,
        motion: Wide<D>,
        reach: f64,
        mut nearest: Nearest<D>,
    ) -> Option<(f64, Wide<D>)> {
        if self.contains(from) {
            return self.sweep_inside(from, motion, reach);
        }
        let speed = length(motion);
        let mut share = 0.0;
        for step in 0..STEPS {
            let Nearest { distance, normal } = nearest;
            let closing = -dot(motion, normal);
            if closing <= 1e-9 * speed {
                return None;
            }
            let gap = distance - reach;
            if gap <= 1e-9 * (reach + 1e-3 * speed) || step + 1 == STEPS {
                return Some((share, normal));
            }
            share += gap / closing;
            if share > 1.0 {
                return None;
            }
            nearest = self.nearest(add(from, scaled(motion, share)));
        }
        None
    }

    /// The same for a point inside a solid.
    fn sweep_inside(&self, from: Wide<D>, motion: Wide<D>, reach: f64) -> Option<(f64, Wide<D>)> {
        match *self {
            Self::Box(low, high) => {
                let mut first: Option<(f64, Wide<D>)> = None;
                for axis in 0..D {
                    let ahead = if motion[axis] > 0.0 { high[axis] - from[axis] } else { from[axis] - low[axis] };
                    let share = (ahead - reach) / motion[axis].abs();
                    let share = if share > 0.0 { share } else { 0.0 };
                    if motion[axis] != 0.0 && share <= 1.0 && first.is_none_or(|(before, _)| share < before) {
                        let mut normal = [0.0; D];
                        normal[axis] = if motion[axis] > 0.0 { -1.0 } else { 1.0 };
                        first = Some((share, normal));
                    }
                }
                first
            }
            Self::Ball(centre, radius) => {
                let p = sub(from, centre);
                let (squared, along, inner) = (dot(motion, motion), dot(p, motion), radius - reach);
                let inner = if inner > 0.0 { inner } else { 0.0 };
                // |p + share * motion| = inner, at the later of the two.
                let root = along * along - squared * (dot(p, p) - inner * inner);
                let share = if root > 0.0 { (-along + root.sqrt()) / squared } else { 0.0 };
                let share = if share > 0.0 { share } else { 0.0 };
                let Nearest { normal, .. } = self.nearest(add(from, scaled(motion, share)));
                (squared > 0.0 && share <= 1.0 && dot(motion, normal) < 0.0).then_some((share, normal))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Noise;

    #[test]
    fn a_closed_chord_meets_a_closed_segment_where_they_touch() {
        let wall = Piece::Segment([0.0, 0.0], [1.0, 1.0]);
        assert!(wall.meets([0.0, 1.0], [1.0, 0.0]));
        // An end on the wall, a chord through its end, and one along it.
        assert!(wall.meets([0.0, 1.0], [0.5, 0.5]) && wall.meets([1.0, 1.0], [1.0, 1.0]));
        assert!(wall.meets([-1.0, 1.0], [1.0, -1.0]) && wall.meets([-1.0, -1.0], [0.0, 0.0]));
        assert!(!wall.meets([2.0, 2.0], [3.0, 3.0]) && !wall.meets([0.5, 0.5 + 1e-16], [0.0, 1.0]));
        // The smallest step past a line that no f64 product can tell apart from it.
        let wall = Piece::Segment([12.0, 12.0], [24.0, 24.0]);
        let beside = |ulps: u64| [f64::from_bits(18.0_f64.to_bits() + ulps), 18.0];
        assert!(!wall.meets(beside(1), [19.0, 18.0]) && wall.meets(beside(0), [19.0, 18.0]));
    }

    #[test]
    fn the_sides_of_a_plane_and_of_solids_are_those_of_their_normals() {
        let mut noise = Noise::new(4, 0, 0, Noise::USER);
        for _ in 0..2000 {
            let mut any = |most: f32| std::array::from_fn::<f64, 3, _>(|_| f64::from(noise.between(-most, most)));
            let (point, normal, p, q) = (any(5.0), any(1.0), any(9.0), any(9.0));
            let plane = plane(point, normal);
            let gap = |at: Wide<3>| dot(sub(at, point), normal);
            assert_eq!(plane.meets(p, q), gap(p) * gap(q) < 0.0, "{plane:?}, {p:?} to {q:?}");
            let solid = Piece::Box(sub(point, [2.0, 3.0, 1.0]), add(point, [2.0, 3.0, 1.0]));
            let ball = Piece::Ball(point, 2.5);
            for piece in [solid, ball] {
                // Points along the chord: an inside point, or both kinds of them, make it meet the surface.
                let inside: Vec<bool> = (0..=4000)
                    .map(|step| piece.contains(add(p, scaled(sub(q, p), f64::from(step) / 4000.0))))
                    .collect();
                let crosses = inside.iter().any(|&other| other) && !inside.iter().all(|&other| other);
                assert!(piece.meets(p, q) || !crosses, "{piece:?}, {p:?} to {q:?}");
                if piece.meets(p, q) && !crosses {
                    let least = (0..=4000)
                        .map(|step| piece.nearest(add(p, scaled(sub(q, p), f64::from(step) / 4000.0))).distance);
                    assert!(least.fold(f64::INFINITY, f64::min) < 0.02, "{piece:?}, {p:?} to {q:?}");
                }
            }
        }
    }

    #[test]
    fn a_sweep_ends_where_the_distance_is_first_that_of_the_reach() {
        let mut noise = Noise::new(5, 0, 0, Noise::USER);
        let mut contacts = 0;
        for number in 0..3000 {
            let mut any = |most: f32| std::array::from_fn::<f64, 2, _>(|_| f64::from(noise.between(-most, most)));
            let (a, b, from, motion) = (any(4.0), any(4.0), any(9.0), any(12.0));
            let piece = match number % 3 {
                0 => Piece::Segment(a, b),
                1 => Piece::Box(sub(a, [1.0, 2.0]), add(a, [1.0, 2.0])),
                _ => Piece::Ball(a, 2.0),
            };
            let reach = 0.4;
            let start = piece.nearest(from).distance;
            if start < reach {
                continue;
            }
            let at = |share: f64| piece.nearest(add(from, scaled(motion, share))).distance;
            let first = (0..=20_000).map(|step| f64::from(step) / 20_000.0).find(|&share| at(share) < reach - 1e-6);
            match (piece.sweep(from, motion, reach, piece.nearest(from)), first) {
                (Some((share, _)), Some(first)) => {
                    assert!((share - first).abs() < 2e-3, "{piece:?}: {share} and {first}");
                    contacts += 1;
                }
                (Some((share, _)), None) => assert!((at(share) - reach).abs() < 1e-3),
                (None, first) => assert_eq!(first, None, "{piece:?} from {from:?} by {motion:?}"),
            }
        }
        assert!(contacts > 300, "{contacts}");
    }
}
