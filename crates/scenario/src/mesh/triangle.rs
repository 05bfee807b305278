//! Triangles over the plan: which lies over which, and how near they are.

/// A vertex: its place in the plan and its height, in metres.
pub(super) type Point = [f64; 3];

/// By how much triangles may overlap in the plan that lie side by side, in metres: more than rounding moves vertices.
pub(super) const CLOSE: f64 = 4e-3;

/// The corners of a triangle, counterclockwise in the plan.
pub(super) type Triangle = [Point; 3];

/// Twice the area between three points in the plan, positive if they turn to the left.
pub(super) fn turn(a: &Point, b: &Point, c: &Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn length(a: &Point, b: &Point) -> f64 {
    let [x, y] = [b[0] - a[0], b[1] - a[1]];
    (x * x + y * y).sqrt()
}

/// The sides of a triangle.
pub(super) fn sides(triangle: &Triangle) -> [[&Point; 2]; 3] {
    let [a, b, c] = triangle;
    [[a, b], [b, c], [c, a]]
}

/// The least and the greatest coordinate of the corners on an axis; the third one is the height.
pub(super) fn range(triangle: &Triangle, axis: usize) -> [f64; 2] {
    let ends = |[low, high]: [f64; 2], point: &Point| {
        let at = point[axis];
        [if at < low { at } else { low }, if at > high { at } else { high }]
    };
    triangle.iter().fold([f64::INFINITY, -f64::INFINITY], ends)
}

/// Whether two triangles overlap in the plan by more than rounding: no side of one has all of the other beyond it.
pub(super) fn is_over(one: &Triangle, other: &Triangle) -> bool {
    let are_beside = |axis: usize| {
        let ([low, high], [from, to]) = (range(one, axis), range(other, axis));
        high <= from || to <= low
    };
    let are_parted = |[a, b]: [&Point; 2], beyond: &Triangle| {
        let most = CLOSE * length(a, b);
        beyond.iter().all(|point| turn(a, b, point) <= most)
    };
    let is_parted = |one: &Triangle, other: &Triangle| sides(one).into_iter().any(|side| are_parted(side, other));
    !(are_beside(0) || are_beside(1) || is_parted(one, other) || is_parted(other, one))
}

/// Whether a place of the plan is in a triangle, or beside it by no more than rounding.
pub(super) fn contains(triangle: &Triangle, at: [f64; 2]) -> bool {
    let point = [at[0], at[1], 0.0];
    sides(triangle).into_iter().all(|[a, b]| turn(a, b, &point) >= -CLOSE * length(a, b))
}

/// The distance in the plan from a place to a triangle, and the height of the triangle there.
pub(super) fn nearest(triangle: &Triangle, at: [f64; 2]) -> (f64, f64) {
    let point = [at[0], at[1], 0.0];
    let [a, b, c] = triangle;
    let shares = [turn(b, c, &point), turn(c, a, &point), turn(a, b, &point)];
    if shares.iter().all(|&share| share >= 0.0) {
        let height = shares.iter().zip(triangle).map(|(share, corner)| share * corner[2]).sum::<f64>();
        return (0.0, height / turn(a, b, c));
    }
    let beside = |[a, b]: [&Point; 2]| {
        let (along, squared) = ([b[0] - a[0], b[1] - a[1]], length(a, b) * length(a, b));
        let share = ((at[0] - a[0]) * along[0] + (at[1] - a[1]) * along[1]) / squared;
        let share = if squared > 0.0 { share.clamp(0.0, 1.0) } else { 0.0 };
        let foot: Point = std::array::from_fn(|axis| a[axis] + share * (b[axis] - a[axis]));
        (length(&foot, &point), foot[2])
    };
    let [first, others @ ..] = sides(triangle).map(beside);
    others.into_iter().fold(first, |least, found| if found.0 < least.0 { found } else { least })
}
