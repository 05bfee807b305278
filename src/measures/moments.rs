//! Moments of a measure over time.

use crate::state::snapshot::saved;

/// Mean, standard deviation and cumulants of a series of values, fed one by one. Values that are NaN are left out.
///
/// ```
/// use throng::measures::Moments;
///
/// let moments: Moments = [1.0, 3.0, 1.0, 3.0].into_iter().collect();
/// assert_eq!((moments.mean(), moments.deviation()), (2.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    count: u64,
    last: f64,
    /// The sums of the first, second and fourth powers.
    sums: [f64; 3],
    /// The mean and the sum of squared distances from it, after each value (Welford 1962).
    mean: f64,
    squares: f64,
}

saved!(struct Moments { count, last, sums, mean, squares });

impl Moments {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.last = value;
        if value.is_nan() {
            return;
        }
        self.count += 1;
        let square = value * value;
        for (sum, power) in self.sums.iter_mut().zip([value, square, square * square]) {
            *sum += power;
        }
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// The number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The last value, which may be NaN; 0 before the first.
    #[must_use]
    pub fn last(&self) -> f64 {
        self.last
    }

    /// The mean; NaN without values.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.mean }
    }

    /// The standard deviation of the values, which are taken as a whole, not as a sample; NaN without values.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        (self.squares / self.count as f64).sqrt()
    }

    /// The Binder cumulant 1 - ⟨x⁴⟩ / (3 ⟨x²⟩²); NaN without values. For an order parameter, 2/3 in an ordered system;
    /// in a disordered one 1/3 for a vector of two components, and 4/9 of three.
    ///
    /// Binder, *Finite size scaling analysis of Ising model block distribution functions*, Z. Phys. B 43, 119 (1981).
    #[must_use]
    pub fn binder_cumulant(&self) -> f64 {
        let [_, second, fourth] = self.sums.map(|sum| sum / self.count as f64);
        1.0 - fourth / (3.0 * second * second)
    }

    /// The susceptibility N (⟨x²⟩ - ⟨x⟩²) of an order parameter of `agents` agents; NaN without values.
    ///
    /// As in Chaté et al., *Collective motion of self-propelled particles interacting without cohesion*, Phys. Rev. E
    /// 77, 046113 (2008), without their factor of the dimension.
    #[must_use]
    pub fn susceptibility(&self, agents: usize) -> f64 {
        agents as f64 * self.squares / self.count as f64
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut moments = Self::default();
        values.into_iter().for_each(|value| moments.add(value));
        moments
    }
}
