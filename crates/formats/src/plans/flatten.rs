//! Curves as straight segments, by a number of segments that keeps to a tolerance.

/// The largest number of segments of one curve.
const MOST_SEGMENTS: f64 = 4096.0;

/// A Bézier curve by its control points: three for a quadratic curve, four for a cubic one.
///
/// The number of segments follows Wang's formula: the distance between curve and chord is at most an eighth of the
/// squared step of the parameter times the largest second derivative.
pub(crate) fn segments<const N: usize>(control: &[[f64; 2]; N], tolerance: f64) -> usize {
    let degree = (N - 1) as f64;
    let mut largest = 0.0;
    for three in control.windows(3) {
        let [x, y] = [0, 1].map(|axis| three[0][axis] - 2.0 * three[1][axis] + three[2][axis]);
        let squared = x * x + y * y;
        largest = if squared > largest { squared } else { largest };
    }
    let count = (degree * (degree - 1.0) / 8.0 * largest.sqrt() / tolerance).sqrt().ceil();
    if count >= MOST_SEGMENTS {
        MOST_SEGMENTS as usize
    } else if count >= 1.0 {
        count as usize
    } else {
        1
    }
}

/// The point of the curve at a parameter from 0 to 1, by de Casteljau's algorithm.
pub(crate) fn point<const N: usize>(control: &[[f64; 2]; N], parameter: f64) -> [f64; 2] {
    let mut points = *control;
    for length in (1..N).rev() {
        for index in 0..length {
            points[index] = [0, 1].map(|axis| {
                let (from, to) = (points[index][axis], points[index + 1][axis]);
                from + parameter * (to - from)
            });
        }
    }
    points[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter of the unit circle, as drawing programs approximate it.
    const QUARTER: [[f64; 2]; 4] = [[1.0, 0.0], [1.0, 0.552_284_75], [0.552_284_75, 1.0], [0.0, 1.0]];

    #[test]
    fn chords_keep_to_the_tolerance_with_few_segments() {
        for tolerance in [0.1, 0.01, 1e-3, 1e-4] {
            let count = segments(&QUARTER, tolerance);
            // The sagitta of a chord of a circle: 1 - cos of half of the angle.
            let sagitta = 1.0 - (std::f64::consts::FRAC_PI_4 / count as f64).cos();
            assert!(sagitta <= tolerance, "{count} segments: {sagitta} above {tolerance}");
            assert!(sagitta > 0.2 * tolerance || count == 1, "{count} segments are too many for {tolerance}");
            for step in 0..=count {
                let [x, y] = point(&QUARTER, step as f64 / count as f64);
                assert!(((x * x + y * y).sqrt() - 1.0).abs() < 3e-4);
            }
        }
        assert_eq!(segments(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], 1e-9), 1);
        assert_eq!(segments(&[[0.0, 0.0], [1e300, 1.0], [2.0, 2.0]], 1e-300), 4096);
        assert_eq!(segments(&[[0.0, 0.0], [f64::NAN, 1.0], [2.0, 2.0]], 1.0), 1);
    }
}
