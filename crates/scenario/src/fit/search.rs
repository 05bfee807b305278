//! The search for the point with the least distance.

use std::cell::{Cell, RefCell};

use argmin::core::{CostFunction, Error, Executor};
use argmin::solver::neldermead::NelderMead;
use argmin_math::{ArgminAdd, ArgminMul, ArgminSub};

use super::fitted::{FitFault, Fitted};

/// The points that fill the ranges before the simplex starts, for each key.
const FILLING: u64 = 8;

/// The edge of the first simplex, as a share of the ranges.
const EDGE: f64 = 0.15;

/// The distances of one descent, for each key: more of them move within the noise of the distance.
const DESCENT: u64 = 12;

/// The standard deviation of distances at which the simplex has come to rest.
const RESTING: f64 = 1e-5;

/// A point of the unit box, in the arithmetic of the solver.
#[derive(Clone, Debug)]
struct Shares(Vec<f64>);

impl ArgminAdd<Self, Self> for Shares {
    fn add(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(own, other)| own + other).collect())
    }
}

impl ArgminSub<Self, Self> for Shares {
    fn sub(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(own, other)| own - other).collect())
    }
}

impl ArgminMul<f64, Self> for Shares {
    fn mul(&self, factor: &f64) -> Self {
        Self(self.0.iter().map(|share| share * factor).collect())
    }
}

/// The points so far, and what ended the search.
#[derive(Default)]
struct Found {
    points: Vec<Fitted>,
    fault: Option<FitFault>,
}

/// The distances of points of the unit box.
struct Problem<F> {
    most: u64,
    measure: F,
    found: RefCell<Found>,
}

impl<F: Fn(&[f64], &[Fitted]) -> Result<(Fitted, bool), FitFault>> Problem<F> {
    fn distance(&self, shares: &[f64]) -> Option<f64> {
        let mut found = self.found.borrow_mut();
        match (self.measure)(shares, &found.points) {
            Ok((point, is_new)) => {
                let distance = point.distance;
                if is_new {
                    found.points.push(point);
                }
                Some(distance)
            }
            Err(fault) => {
                found.fault = Some(fault);
                None
            }
        }
    }

    /// Whether no further point is wanted.
    fn has_ended(&self) -> bool {
        let found = self.found.borrow();
        found.points.len() as u64 >= self.most || found.fault.is_some()
    }
}

/// One descent of the simplex, as the solver wants it.
struct Descent<'p, F> {
    problem: &'p Problem<F>,
    /// The distances that it may still ask for.
    left: Cell<u64>,
    /// The corners of the first simplex that have no distance yet. The solver takes no error for them.
    corners: Cell<usize>,
}

impl<F: Fn(&[f64], &[Fitted]) -> Result<(Fitted, bool), FitFault>> CostFunction for Descent<'_, F> {
    type Param = Shares;
    type Output = f64;

    fn cost(&self, shares: &Shares) -> Result<f64, Error> {
        let (problem, left, corners) = (self.problem, self.left.get(), self.corners.get());
        self.left.set(left.saturating_sub(1));
        self.corners.set(corners.saturating_sub(1));
        match if left == 0 || problem.has_ended() { None } else { problem.distance(&shares.0) } {
            Some(distance) => Ok(distance),
            None if corners > 0 => Ok(f64::INFINITY),
            None => Err(Error::msg("the descent has ended")),
        }
    }
}

/// Seeks the least distance in the unit box of `keys` dimensions, with at most this number of points: points that fill the
/// box, and descents from the best of them that are not near to each other. `measure` returns a point and whether it is
/// new. Returns all points.
pub(super) fn search(
    keys: usize,
    most: u64,
    measure: impl Fn(&[f64], &[Fitted]) -> Result<(Fitted, bool), FitFault>,
) -> Result<Vec<Fitted>, FitFault> {
    let problem = Problem { most, measure, found: RefCell::default() };
    let filling = FILLING * keys as u64;
    let filling = if filling < most / 2 { filling } else { most / 2 + 1 };
    let mut starts: Vec<(f64, Vec<f64>)> = Vec::new();
    for number in 0..if keys == 0 { 1 } else { filling } {
        let shares = filled(keys, number);
        let Some(distance) = problem.distance(&shares) else { break };
        starts.push((distance, shares));
    }
    starts.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut taken: Vec<&[f64]> = Vec::new();
    for (_, start) in starts.iter().filter(|_| keys > 0) {
        let is_near = |other: &&[f64]| other.iter().zip(start).all(|(one, other)| (one - other).abs() < EDGE);
        if !problem.has_ended() && !taken.iter().any(is_near) {
            taken.push(start);
            descend(&problem, start);
        }
    }
    let Found { points, fault } = problem.found.into_inner();
    fault.map_or(Ok(points), Err)
}

/// Moves a simplex downhill from a point.
fn descend<F: Fn(&[f64], &[Fitted]) -> Result<(Fitted, bool), FitFault>>(problem: &Problem<F>, start: &[f64]) {
    let corner = |key: usize| {
        let mut corner = start.to_vec();
        corner[key] += if corner[key] > 0.5 { -EDGE } else { EDGE };
        Shares(corner)
    };
    let simplex = std::iter::once(Shares(start.to_vec())).chain((0..start.len()).map(corner)).collect();
    let (left, corners) = (Cell::new(DESCENT * start.len() as u64), Cell::new(start.len() + 1));
    let descent = Descent { problem, left, corners };
    let solver = NelderMead::new(simplex).with_sd_tolerance(RESTING);
    // The solver ends by an error when the descent is over; the problem has its points.
    _ = solver.and_then(|solver| Executor::new(descent, solver).run());
}

/// A point of a sequence that fills the unit box evenly: multiples of powers of 1 / g, without their whole parts, where g
/// is the root of g^(n + 1) = g + 1 (Roberts 2018, *The unreasonable effectiveness of quasirandom sequences*).
pub(super) fn filled(keys: usize, number: u64) -> Vec<f64> {
    let power = |base: f64, exponent: usize| (0..exponent).fold(1.0, |product, _| product * base);
    let mut root = 1.5;
    for _ in 0..100 {
        // Newton's step towards the root.
        let slope = (keys + 1) as f64 * power(root, keys) - 1.0;
        root -= (power(root, keys + 1) - root - 1.0) / slope;
    }
    (1..=keys).map(|key| (0.5 + (number + 1) as f64 / power(root, key)).fract()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bowl, and a valley with kinks as distances of distributions have them.
    #[test]
    fn the_least_distance_is_found_within_the_points() {
        let bowl = |at: [f64; 2]| {
            move |shares: &[f64], _: &[Fitted]| {
                let distance = (shares[0] - at[0]).abs() + 0.3 * (shares[1] - at[1]).abs();
                Ok((Fitted { values: shares.to_vec(), distance }, true))
            }
        };
        for at in [[0.3, 0.8], [0.71, 0.12], [0.5, 0.5]] {
            let points = search(2, 90, bowl(at)).unwrap();
            let best = points.iter().min_by(|a, b| a.distance.total_cmp(&b.distance)).unwrap();
            assert!(points.len() <= 90 && best.distance < 0.01, "{best:?} of {}", points.len());
        }
        assert_eq!(search(0, 9, |_, _| Ok((Fitted { values: Vec::new(), distance: 1.0 }, true))).unwrap().len(), 1);
        assert!(matches!(search(2, 9, |_, _| Err(FitFault::Stopped)), Err(FitFault::Stopped)));
    }
}
