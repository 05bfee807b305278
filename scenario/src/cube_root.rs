//! Cube roots with the same bits on every machine.

/// The cube root of a number; zero if it is not positive.
pub(crate) fn cube_root(number: f64) -> f64 {
    let near = f64::from(throng::maths::pow(number as f32, 1.0 / 3.0));
    // Each step of Newton's method doubles the digits.
    let step = |near: f64, _| near - (near * near * near - number) / (3.0 * near * near);
    if near > 0.0 { (0..2).fold(near, step) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_have_their_roots() {
        for root in [1e-9, 0.3, 1.0, 2.0, 7.5, 1e6] {
            assert!((cube_root(root * root * root) / root - 1.0).abs() < 1e-15, "{root}");
        }
        assert_eq!((cube_root(8.0), cube_root(0.0), cube_root(-1.0)), (2.0, 0.0, 0.0));
    }
}
