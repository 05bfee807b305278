//! Substances: fields of cells that agents write and read.

use crate::base::definition::{Definition, definition};
use crate::base::error::Error;
use crate::base::handles::SubstanceId;
use crate::base::settings::{LIMIT, Settings};
use crate::base::values::{Allowed, Kind, Range};
use crate::environment::collection::{Data, Item};
use crate::environment::lattice::weigh;
use crate::maths::Vector;

definition! {
    /// A substance in the cells of a grid over the world, such as a pheromone. Agents deposit it, it spreads and decays,
    /// and [`Expression`](crate::behaviours::Expression) senses it.
    ///
    /// An agent with a [variable](crate::Variable) `deposit_NAME` adds this amount per second to the cell in which it is
    /// at the end of a tick; a negative number takes from the cell, down to zero. The deposits of a tick are sensed from
    /// the next one on. A tick first spreads the substance, then it decays, then the deposits of the tick are added.
    ///
    /// A cell holds an amount per square metre, in three dimensions per cubic metre. The substance spreads over the edges
    /// of a world that wraps, and stays inside others; walls do not hold it back.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Substance {
        /// Name of the substance, as expressions write it.
        pub name: String, "", Kind::Name;
        /// Length of a cell, before it is changed so that whole cells fill the world, 16 million at most.
        pub cell: f32, "m", Kind::Number(Range::above(0.0, LIMIT as f64));
        /// Rate of decay: the part e^(-decay) is left after a second.
        pub decay: f32 = 0.0, "1/s", Kind::Number(Range::from(0.0, 1e6));
        /// Coefficient of diffusion; its product with a tick is at most 16 times the area of a cell.
        pub diffusion: f32 = 0.0, "m²/s", Kind::Number(Range::from(0.0, 1e6));
        /// Amount per square or cubic metre in all cells at the start.
        pub start: f32 = 0.0, "1/m²", Kind::Number(Range::from(0.0, 1e6));
    }
}

/// The amounts in the cells of a substance; none before the first tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Amounts(pub(crate) Vec<f32>);

impl Amounts {
    /// The range of amounts.
    pub(crate) const RANGE: Range = Range::from(0.0, 1e30);

    /// Checks that all are in their range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.0.iter().find(|amount| !Self::RANGE.contains(f64::from(**amount))) {
            Some(&amount) => Err(Error::bad("amounts", amount, Allowed::number(Self::RANGE, "1/m²"))),
            None => Ok(()),
        }
    }
}

/// The least length of a cell that counts, in metres.
const LEAST_CELL: f32 = 1e-30;

impl Substance {
    /// How the name of a variable begins that deposits a substance; the name of the substance follows.
    pub const DEPOSIT: &str = "deposit_";

    /// The largest number of cells. Shorter cells than this allows are lengthened.
    pub const MOST_CELLS: usize = 1 << 24;

    /// The largest sum of the [rates](Self::rates) of all axes that a world computes: a substance that diffuses more spreads
    /// as much.
    pub const MOST_SPREAD: f32 = 32.0;

    /// A substance that stays where it is, in cells of this length in metres.
    #[must_use]
    pub fn new(name: impl Into<String>, cell: f32) -> Self {
        Self { name: name.into(), cell, ..Self::blank() }
    }

    /// The number of cells per axis in a world.
    ///
    /// ```
    /// use throng::{Settings, Substance};
    ///
    /// let settings = Settings { size: [10.0, 4.0].into(), ..Settings::default() };
    /// assert_eq!(Substance::new("trail", 0.5).cells(&settings), [20, 8]);
    /// ```
    #[must_use]
    pub fn cells<const D: usize>(&self, settings: &Settings<D>) -> [usize; D] {
        // Smaller numbers would not grow.
        let mut length = if self.cell > LEAST_CELL { self.cell } else { LEAST_CELL };
        loop {
            let along = |axis: usize| (settings.size[axis] / length + 0.5).clamp(1.0, Self::MOST_CELLS as f32) as usize;
            let cells: [usize; D] = std::array::from_fn(along);
            if cells.iter().map(|&cells| cells as u128).product::<u128>() <= Self::MOST_CELLS as u128 {
                return cells;
            }
            length *= 1.25;
        }
    }

    /// The part of a difference between two cells that diffuses in a tick, on each axis.
    #[must_use]
    pub fn rates<const D: usize>(&self, settings: &Settings<D>) -> [f32; D] {
        let cells = self.cells(settings);
        std::array::from_fn(|axis| {
            let length = settings.size[axis] / cells[axis] as f32;
            self.diffusion * settings.tick_seconds / (length * length)
        })
    }

    /// Whether a variable of this name deposits the substance.
    pub(crate) fn is_deposited_by(&self, variable: &str) -> bool {
        variable.strip_prefix(Self::DEPOSIT) == Some(&self.name)
    }
}

/// A substance as agents sense it.
pub(crate) struct Sensed<'a, const D: usize> {
    cells: [usize; D],
    settings: &'a Settings<D>,
    /// Empty if all cells have their start.
    amounts: &'a [f32],
    start: f32,
}

impl<'a, const D: usize> Sensed<'a, D> {
    pub(crate) fn new(substance: &Substance, Amounts(amounts): &'a Amounts, settings: &'a Settings<D>) -> Self {
        let cells = substance.cells(settings);
        let fits = amounts.len() == cells.iter().product();
        Self { cells, settings, amounts: if fits { amounts } else { &[] }, start: substance.start }
    }

    /// The amount per square metre at a point, interpolated between the centres of cells.
    pub(crate) fn at(&self, point: Vector<D>) -> f32 {
        let mut sum = 0.0;
        weigh(self.cells, self.settings, point, |cell, weight| {
            sum += self.amounts.get(cell).unwrap_or(&self.start) * weight;
        });
        sum
    }

    /// The rise of the amount along an axis at a point, per metre: over two cells.
    pub(crate) fn slope(&self, point: Vector<D>, along: usize) -> f32 {
        let length = self.settings.size[along] / self.cells[along] as f32;
        let step = Vector::from_fn(|axis| if axis == along { length } else { 0.0 });
        (self.at(point + step) - self.at(point - step)) / (length + length)
    }
}

impl Item for Substance {
    type Id = SubstanceId;

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl Data for Substance {
    type Record = Amounts;

    fn check(&self) -> Result<(), Error> {
        self.check_keys()
    }
}
