//! The quantities of bodies: one number for all agents of a species, or a column.

use std::ops::Range;

use crate::base::clone::clone_fields;
use crate::kernels;

/// A quantity of the body in rows beyond the last agent, by which kernels can divide.
pub(super) const BODY_BEYOND: f32 = 1.0;

/// A quantity of the agents of a species: one number while all agents share it, a column once one differs.
#[derive(Debug, PartialEq)]
pub(crate) enum BodyQuantity {
    Same(f32),
    Each(Vec<f32>),
}

impl Clone for BodyQuantity {
    fn clone(&self) -> Self {
        match self {
            Self::Same(value) => Self::Same(*value),
            Self::Each(column) => Self::Each(column.clone()),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Each(to), Self::Each(from)) => to.clone_from(from),
            (to, from) => *to = from.clone(),
        }
    }
}

impl BodyQuantity {
    pub(crate) fn get(&self, row: usize) -> f32 {
        match self {
            Self::Same(value) => *value,
            Self::Each(column) => column[row],
        }
    }

    /// The largest value of the agents in these rows.
    pub(crate) fn largest(&self, rows: Range<usize>) -> f32 {
        match self {
            Self::Same(value) => *value,
            Self::Each(column) => column[rows].iter().fold(0.0, |most, &value| if value > most { value } else { most }),
        }
    }

    /// Sets the value of one of `agents` agents. A new column has `padded` rows.
    #[inline]
    pub(crate) fn set(&mut self, row: usize, value: f32, agents: usize, padded: usize) {
        match self {
            Self::Same(same) if *same == value => {}
            Self::Same(_) => {
                let mut column = self.take(agents, padded);
                column[row] = value;
                *self = Self::Each(column);
            }
            Self::Each(column) => column[row] = value,
        }
    }

    /// Takes the values of `agents` agents out as a column, which has `padded` rows if it is new.
    pub(crate) fn take(&mut self, agents: usize, padded: usize) -> Vec<f32> {
        match std::mem::replace(self, Self::Same(0.0)) {
            Self::Same(value) => {
                let mut column = vec![value; agents];
                column.resize(padded, BODY_BEYOND);
                column
            }
            Self::Each(column) => column,
        }
    }

    /// The values of `rows`.
    #[inline]
    pub(crate) fn of(&self, rows: Range<usize>) -> kernels::combine::QuantitySlice<'_> {
        match self {
            Self::Same(value) => kernels::combine::QuantitySlice::Same(*value),
            Self::Each(column) => kernels::combine::QuantitySlice::Each(&column[rows]),
        }
    }
}

/// The quantities of a body, which may differ between agents.
#[derive(Debug, PartialEq)]
pub(crate) struct BodyQuantities {
    /// Kilograms.
    pub(crate) mass: BodyQuantity,
    /// Metres.
    pub(crate) radius: BodyQuantity,
    /// Metres per second.
    pub(crate) max_speed: BodyQuantity,
    /// Newtons.
    pub(crate) max_force: BodyQuantity,
}

clone_fields!(BodyQuantities { mass, radius, max_speed, max_force });

impl BodyQuantities {
    pub(crate) fn each(&mut self) -> [&mut BodyQuantity; 4] {
        [&mut self.mass, &mut self.radius, &mut self.max_speed, &mut self.max_force]
    }

    /// The columns of the quantities that vary.
    pub(crate) fn columns_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        self.each().into_iter().filter_map(|quantity| match quantity {
            BodyQuantity::Same(_) => None,
            BodyQuantity::Each(column) => Some(column),
        })
    }
}
