//! The measures that a sweep can write: names, units and functions of a world.

use throng::AnyWorld;

use crate::failure::Failure;

/// A number that describes a world at one tick.
#[derive(Clone, Copy)]
pub(crate) struct Measure {
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) of: fn(&AnyWorld) -> f64,
}

/// All measures.
pub(crate) const MEASURES: [Measure; 2] = [
    Measure { name: "polarisation", unit: "", of: AnyWorld::polarisation },
    Measure { name: "mean_speed", unit: "m/s", of: AnyWorld::mean_speed },
];

/// The measures with these names; all of them without names.
pub(super) fn named(names: &[String]) -> Result<Vec<Measure>, Failure> {
    if names.is_empty() {
        return Ok(MEASURES.to_vec());
    }
    let mut measures: Vec<Measure> = Vec::new();
    for name in names {
        let known = MEASURES.iter().find(|measure| measure.name == name.trim());
        match known {
            Some(measure) if measures.iter().any(|other| other.name == measure.name) => {
                return Err(Failure::Input(format!("--measure {name}: is there twice")));
            }
            Some(measure) => measures.push(*measure),
            None => {
                let known = MEASURES.map(|measure| measure.name).join(", ");
                return Err(Failure::Input(format!("--measure {name}: unknown measure; known are {known}")));
            }
        }
    }
    Ok(measures)
}

/// The mean of numbers and their standard deviation, from one number to the next (Welford 1962).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    pub(crate) fn add(&mut self, number: f64) {
        self.count += 1.0;
        let before = number - self.mean;
        self.mean += before / self.count;
        self.squares += before * (number - self.mean);
    }

    pub(crate) fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard deviation of these numbers: the root of the mean squared deviation from their mean.
    pub(crate) fn deviation(&self) -> f64 {
        if self.count > 0.0 { (self.squares / self.count).sqrt() } else { 0.0 }
    }

    /// The standard deviation of the distribution from which these numbers are a sample; zero for a single number.
    pub(crate) fn sample_deviation(&self) -> f64 {
        if self.count > 1.0 { (self.squares / (self.count - 1.0)).sqrt() } else { 0.0 }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_their_definitions() {
        let mut moments = Moments::default();
        for number in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            moments.add(number);
        }
        assert_eq!((moments.mean(), moments.deviation(), moments.count()), (5.0, 2.0, 8));
        assert!((moments.sample_deviation() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-15);
        let mut single = Moments::default();
        single.add(3.0);
        assert_eq!((single.deviation(), single.sample_deviation()), (0.0, 0.0));
    }
}
