//! Splines as straight segments.

use dxf::Point;
use dxf::entities::Spline;

use crate::plans::limits::MOST_POINTS;

/// The largest degree of a spline that is read.
const HIGHEST: usize = 16;

pub(super) fn flat(point: &Point) -> [f64; 2] {
    [point.x, point.y]
}

/// The points of a spline, at most about the tolerance off its curve; `None` if its numbers do not fit each other.
pub(super) fn points(spline: &Spline, tolerance: f64) -> Option<Vec<[f64; 2]>> {
    let (control, knots) = (&spline.control_points, &spline.knot_values);
    if control.is_empty() {
        return (spline.fit_points.len() > 1).then(|| spline.fit_points.iter().map(flat).collect());
    }
    let degree = usize::try_from(spline.degree_of_curve).ok().filter(|degree| (1..=HIGHEST).contains(degree))?;
    if control.len() <= degree || knots.len() != control.len() + degree + 1 || !knots.is_sorted() {
        return None;
    }
    let weight = |number: usize| spline.weight_values.get(number).copied().unwrap_or(1.0);
    let control: Vec<[f64; 3]> = control
        .iter()
        .enumerate()
        .map(|(number, point)| [point.x * weight(number), point.y * weight(number), weight(number)])
        .collect();
    // Wang's formula, as for a Bézier curve of this degree.
    let mut largest = 0.0;
    for three in spline.control_points.windows(3) {
        let [x, y] = [0, 1].map(|axis| flat(&three[0])[axis] - 2.0 * flat(&three[1])[axis] + flat(&three[2])[axis]);
        let bend = x.hypot(y);
        largest = if bend > largest { bend } else { largest };
    }
    let spans: Vec<usize> = (degree..control.len()).filter(|&span| knots[span] < knots[span + 1]).collect();
    let most = (MOST_POINTS / spans.len().max(1)) as f64;
    let count = ((degree * (degree - 1)) as f64 / 8.0 * largest / tolerance).sqrt().ceil().clamp(1.0, most.max(1.0));
    let mut points = vec![at(&control, knots, degree, *spans.first()?, knots[degree])];
    for span in spans {
        let (from, to) = (knots[span], knots[span + 1]);
        let step = |step: usize| from + (to - from) * step as f64 / count;
        points.extend((1..=count as usize).map(|number| at(&control, knots, degree, span, step(number))));
    }
    Some(points)
}

/// The point of the curve at a parameter within a span, by de Boor's algorithm.
fn at(control: &[[f64; 3]], knots: &[f64], degree: usize, span: usize, parameter: f64) -> [f64; 2] {
    let mut points = [[0.0; 3]; HIGHEST + 1];
    points[..=degree].copy_from_slice(&control[span - degree..=span]);
    for level in 1..=degree {
        for number in (level..=degree).rev() {
            let first = knots[span - degree + number];
            let width = knots[span + 1 + number - level] - first;
            let share = if width > 0.0 { (parameter - first) / width } else { 0.0 };
            points[number] =
                [0, 1, 2].map(|axis| points[number - 1][axis] * (1.0 - share) + points[number][axis] * share);
        }
    }
    let [x, y, weight] = points[degree];
    [x / weight, y / weight]
}
