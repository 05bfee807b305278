//! How fast forces change with positions: with it, a step of a stiff model ends where its forces are those at the end of
//! the step, to first order. It overshoots no balance, however long the tick (linearly implicit Euler).

use crate::kernels::walkers::Matrices;
use crate::maths::Vector;

/// A symmetric matrix: the entries whose first index is not the larger one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hardness<const D: usize>([[f32; D]; D]);

impl<const D: usize> Hardness<D> {
    pub(super) const NONE: Self = Self([[0.0; D]; D]);

    /// The hardness of one agent of a cluster.
    pub(super) fn of(matrices: &Matrices<D>, lane: usize) -> Self {
        Self(std::array::from_fn(|row| std::array::from_fn(|column| matrices[row][column][lane])))
    }

    /// Adds `weight` times the matrix of the products of the components of `away`.
    pub(super) fn add(&mut self, away: Vector<D>, weight: f32) {
        for row in 0..D {
            for column in row..D {
                self.0[row][column] += away[row] * away[column] * weight;
            }
        }
    }

    /// The vector that `diagonal` plus `factor` times this matrix turns into `right`. The sum must be positive
    /// definite.
    pub(super) fn solve(&self, diagonal: f32, factor: f32, mut right: Vector<D>) -> Vector<D> {
        let mut left: [[f32; D]; D] = std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                let entry = factor * if row <= column { self.0[row][column] } else { self.0[column][row] };
                if row == column { diagonal + entry } else { entry }
            })
        });
        for row in 0..D {
            for below in row + 1..D {
                let share = left[below][row] / left[row][row];
                for column in row..D {
                    left[below][column] -= share * left[row][column];
                }
                right[below] -= share * right[row];
            }
        }
        for row in (0..D).rev() {
            for column in row + 1..D {
                right[row] -= left[row][column] * right[column];
            }
            right[row] /= left[row][row];
        }
        right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_of_a_hard_direction_is_short() {
        let mut hardness = Hardness::<3>::NONE;
        hardness.add(Vector([0.6, 0.8, 0.0]), 50.0);
        hardness.add(Vector([0.0, 0.0, 1.0]), 3.0);
        // One unit along the first direction, one across it, and one along the second.
        let right = Vector([0.6 - 0.8, 0.8 + 0.6, 1.0]);
        let solved = hardness.solve(2.0, 0.5, right);
        let along = solved.dot(Vector([0.6, 0.8, 0.0]));
        let across = solved.dot(Vector([-0.8, 0.6, 0.0]));
        assert!((along - 1.0 / 27.0).abs() < 1e-6 && (across - 0.5).abs() < 1e-6, "{solved:?}");
        assert!((solved[2] - 1.0 / 3.5).abs() < 1e-6);
    }
}
