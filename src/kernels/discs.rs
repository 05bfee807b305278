//! Discs or balls in columns, which kernels test sixteen at a time.

use crate::kernels::CLUSTER;

/// Discs or balls as columns, padded to whole registers with NaN.
#[derive(Clone, Debug)]
pub(crate) struct Discs<const D: usize> {
    /// The numbers that break ties at equal distances.
    pub(super) number: Vec<f32>,
    pub(super) centre: [Vec<f32>; D],
    pub(super) velocity: [Vec<f32>; D],
    pub(super) radius: Vec<f32>,
    pub(super) largest: f32,
    /// Whether any of them moves.
    pub(super) moves: bool,
    /// Whether any centre is outside the world.
    pub(super) outside: bool,
    /// For each register, whether a centre is more than half a period outside the world. The kernels' single step does
    /// not find its nearest image.
    far_outside: Vec<bool>,
}

impl<const D: usize> Default for Discs<D> {
    fn default() -> Self {
        let columns = || std::array::from_fn(|_| Vec::new());
        let (number, radius, far_outside) = (Vec::new(), Vec::new(), Vec::new());
        let (largest, moves, outside) = (0.0, false, false);
        Self { number, centre: columns(), velocity: columns(), radius, largest, moves, outside, far_outside }
    }
}

impl<const D: usize> Discs<D> {
    /// Removes all discs.
    pub(crate) fn clear(&mut self) {
        self.columns().for_each(Vec::clear);
        self.far_outside.clear();
        (self.largest, self.moves, self.outside) = (0.0, false, false);
    }

    /// Adds a disc, in a world that repeats every `period`.
    pub(crate) fn push(&mut self, number: u32, centre: [f32; D], velocity: [f32; D], radius: f32, period: &[f32; D]) {
        if self.number.len().is_multiple_of(CLUSTER) {
            self.far_outside.push(false);
        }
        for axis in 0..D {
            self.centre[axis].push(centre[axis]);
            self.velocity[axis].push(velocity[axis]);
            self.moves |= velocity[axis] != 0.0;
            self.outside |= !(0.0..=period[axis]).contains(&centre[axis]);
            if (centre[axis] - 0.5 * period[axis]).abs() > period[axis] {
                self.far_outside.iter_mut().next_back().into_iter().for_each(|far| *far = true);
            }
        }
        self.number.push(number as f32);
        self.radius.push(radius);
        self.largest = if radius > self.largest { radius } else { self.largest };
    }

    /// Pads the columns to whole registers.
    pub(crate) fn pad(&mut self) {
        let padded = self.number.len().next_multiple_of(CLUSTER);
        self.columns().for_each(|column| column.resize(padded, f32::NAN));
    }

    fn columns(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        let (centre, velocity) = (self.centre.iter_mut(), self.velocity.iter_mut());
        [&mut self.number, &mut self.radius].into_iter().chain(centre).chain(velocity)
    }
}

/// A selection of discs: the numbers of their registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearDiscs<'a, const D: usize> {
    pub(crate) discs: &'a Discs<D>,
    pub(crate) clumps: &'a [u32],
}

impl<const D: usize> NearDiscs<'_, D> {
    /// Returns whether one of them is too far outside the world for a kernel.
    pub(crate) fn are_far_outside(&self) -> bool {
        self.clumps.iter().any(|&clump| self.discs.far_outside[clump as usize])
    }
}
