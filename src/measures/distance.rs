//! Distances between two distributions, each given by values in any order.

/// The Wasserstein distance of two distributions: the mean distance by which the values of one move to become the
/// other, in their unit. NaN if one has no values. Values must not be NaN.
///
/// ```
/// use throng::measures::wasserstein;
///
/// assert_eq!(wasserstein(&[3.0, 1.0], &[2.0, 4.0]), 1.0);
/// assert_eq!(wasserstein(&[0.0, 1.0, 2.0, 1.0], &[1.0]), 0.5);
/// ```
#[must_use]
pub fn wasserstein(one: &[f64], other: &[f64]) -> f64 {
    integral(one, other, |sum, difference, width| sum + difference * width)
}

/// The distance of Kolmogorov and Smirnov of two distributions: the largest difference of the shares of values below a
/// number, from 0 to 1. NaN if one has no values. Values must not be NaN.
///
/// ```
/// use throng::measures::kolmogorov_smirnov;
///
/// assert_eq!(kolmogorov_smirnov(&[3.0, 1.0], &[1.0, 3.0]), 0.0);
/// assert_eq!(kolmogorov_smirnov(&[1.0, 2.0], &[2.5, 1.5]), 0.5);
/// ```
#[must_use]
pub fn kolmogorov_smirnov(one: &[f64], other: &[f64]) -> f64 {
    let larger = |most, difference, width| if difference > most && width > 0.0 { difference } else { most };
    integral(one, other, larger)
}

/// Goes over both distributions from the least value on, with the difference of the shares of values so far and the
/// distance to the next value.
fn integral(one: &[f64], other: &[f64], add: impl Fn(f64, f64, f64) -> f64) -> f64 {
    if one.is_empty() || other.is_empty() {
        return f64::NAN;
    }
    let [one, other] = [one, other].map(|values| {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted
    });
    let (mut sum, mut below, mut last) = (0.0, [0_usize; 2], f64::NAN);
    loop {
        let next = match (one.get(below[0]), other.get(below[1])) {
            (Some(&a), Some(&b)) => usize::from(b < a),
            (Some(_), None) => 0,
            (None, Some(_)) => 1,
            (None, None) => return sum,
        };
        let value = if next == 0 { one[below[0]] } else { other[below[1]] };
        if !last.is_nan() {
            let shares = below[0] as f64 / one.len() as f64 - below[1] as f64 / other.len() as f64;
            sum = add(sum, shares.abs(), value - last);
        }
        below[next] += 1;
        last = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against closed forms: a shift by d, and the uniform distributions on [0, 1] and [0, 2].
    #[test]
    fn distances_are_those_of_closed_forms() {
        let grid = |high: f64, count: u32| (0..count).map(move |n| (f64::from(n) + 0.5) * high / f64::from(count));
        let (one, two): (Vec<f64>, Vec<f64>) = (grid(1.0, 1000).rev().collect(), grid(2.0, 700).collect());
        let shifted: Vec<f64> = one.iter().map(|value| value - 0.3).collect();
        assert!((wasserstein(&one, &shifted) - 0.3).abs() < 1e-9);
        assert!((kolmogorov_smirnov(&one, &shifted) - 0.3).abs() < 2e-3);
        assert!((wasserstein(&one, &two) - 0.5).abs() < 1e-3);
        assert!((kolmogorov_smirnov(&one, &two) - 0.5).abs() < 2e-3);
        assert_eq!((wasserstein(&one, &one), kolmogorov_smirnov(&two, &two)), (0.0, 0.0));
        assert!(wasserstein(&one, &[]).is_nan() && kolmogorov_smirnov(&[], &two).is_nan());
    }
}
