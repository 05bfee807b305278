//! Flow fields: grids of vectors over the world.

use crate::base::error::Error;
use crate::base::handles::FieldId;
use crate::base::settings::{LIMIT, Settings};
use crate::base::values::{Allowed, Kind, Range, Value};
use crate::environment::collection::{Data, Item};
use crate::environment::lattice::weigh;
use crate::maths::Vector;

/// The allowed number of cells per axis. Memory limits their product.
const CELLS: Allowed = Allowed::Kind { kind: Kind::WholePoint(1, usize::MAX as u64), unit: "" };

/// A grid of vectors that covers the world, one for the centre of each cell.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "form::Form<D>"))]
pub struct FlowField<const D: usize> {
    name: String,
    #[cfg_attr(feature = "serde", serde(with = "crate::maths::arrays"))]
    cells: [usize; D],
    vectors: Vec<Vector<D>>,
}

impl<const D: usize> FlowField<D> {
    /// A field with this name, `cells` cells per axis and one vector per cell. The first axis varies fastest: in two dimensions,
    /// the vectors are in row-major order.
    ///
    /// ```
    /// use throng::{FlowField, Vector};
    ///
    /// // The left half of the world flows up, the right half down.
    /// let field = FlowField::new("updraught", [2, 1], vec![Vector([0.0, 1.0]), Vector([0.0, -1.0])])?;
    /// assert_eq!(field.cells(), [2, 1]);
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if an axis has no cells, if the number of vectors is wrong, or if a component is not
    /// within [`LIMIT`] of zero.
    pub fn new(name: impl Into<String>, cells: [usize; D], vectors: Vec<Vector<D>>) -> Result<Self, Error> {
        let count = cells.iter().try_fold(1_usize, |count, &cells| count.checked_mul(cells));
        if count.is_none_or(|count| count == 0) {
            return Err(Error::bad("cells", Value::Point(cells.map(|cells| cells as f64).to_vec()), CELLS));
        }
        if let Some(count) = count.filter(|&count| count != vectors.len()) {
            let allowed = Allowed::Kind { kind: Kind::Whole(count as u64, count as u64), unit: "" };
            return Err(Error::bad("vectors", vectors.len(), allowed));
        }
        if let Some(vector) = vectors.iter().find(|vector| !vector.0.iter().all(|value| value.abs() <= LIMIT)) {
            return Err(Error::bad("vectors", *vector, Allowed::point(Range::COORDINATE, "")));
        }
        Ok(Self { name: name.into(), cells, vectors })
    }

    /// A field with this name and `cells` cells per axis in a world of this size. `vector` is evaluated at the centre of each cell.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn from_fn(
        name: impl Into<String>,
        cells: [usize; D],
        size: impl Into<Vector<D>>,
        mut vector: impl FnMut(Vector<D>) -> Vector<D>,
    ) -> Result<Self, Error> {
        let size = size.into();
        let count = cells.iter().try_fold(1_usize, |count, &cells| count.checked_mul(cells)).unwrap_or(0);
        let vectors = (0..count).map(|number| {
            let mut rest = number;
            vector(Vector::from_fn(|axis| {
                let cell = rest % cells[axis];
                rest /= cells[axis];
                (cell as f32 + 0.5) * size[axis] / cells[axis] as f32
            }))
        });
        Self::new(name, cells, vectors.collect())
    }

    /// The name by which rules refer to it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of cells per axis.
    #[must_use]
    pub fn cells(&self) -> [usize; D] {
        self.cells
    }

    /// The vectors, in the order of [`new`](Self::new).
    #[must_use]
    pub fn vectors(&self) -> &[Vector<D>] {
        &self.vectors
    }

    /// The vector at a point, interpolated linearly between the centres of the surrounding cells. On a periodic axis it
    /// is interpolated across the seam; on other axes, points beyond the outermost centres get the vector at the
    /// nearest point between them.
    #[must_use]
    pub fn at(&self, point: impl Into<Vector<D>>, settings: &Settings<D>) -> Vector<D> {
        let mut sum = Vector::ZERO;
        weigh(self.cells, settings, point.into(), |cell, weight| sum += self.vectors[cell] * weight);
        sum
    }
}

impl<const D: usize> Item for FlowField<D> {
    type Id = FieldId;

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl<const D: usize> Data for FlowField<D> {
    type Record = ();

    /// Accepts every field: [`FlowField::new`] has checked it.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// The form of a field before it is checked.
#[cfg(feature = "serde")]
mod form {
    use super::{Error, FlowField, Vector};

    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Form<const D: usize> {
        name: String,
        #[serde(with = "crate::maths::arrays")]
        cells: [usize; D],
        vectors: Vec<Vector<D>>,
    }

    impl<const D: usize> TryFrom<Form<D>> for FlowField<D> {
        type Error = Error;

        fn try_from(Form { name, cells, vectors }: Form<D>) -> Result<Self, Error> {
            Self::new(name, cells, vectors)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;

    fn world(edge: Edge) -> Settings<2> {
        Settings { size: Vector([80.0, 40.0]), edge: [edge; _], ..Settings::default() }
    }

    #[test]
    fn interpolation_is_exact_for_a_linear_field() {
        let linear = |point: Vector<2>| Vector([2.0 * point[0] - point[1], 3.0 + 0.5 * point[1]]);
        let field = FlowField::from_fn("flow", [8, 4], [80.0, 40.0], linear).unwrap();
        for edge in Edge::ALL {
            for point in [[5.0, 5.0], [12.5, 33.25], [74.0, 35.0], [40.0, 20.0]] {
                let error = field.at(point, &world(edge)) - linear(point.into());
                assert!(error.length() < 1e-4, "{edge} {point:?}: {error:?}");
            }
        }
    }

    #[test]
    fn a_periodic_field_is_interpolated_across_the_seam_and_others_are_clamped() {
        let field = FlowField::from_fn("flow", [8, 1], [80.0, 40.0], |point| point).unwrap();
        // Half way between the centres of the last cell, 75, and of the first, 5.
        assert_eq!(field.at([80.0, 20.0], &world(Edge::Wrap)), Vector([40.0, 20.0]));
        assert_eq!(field.at([-2.5, 20.0], &world(Edge::Wrap)), field.at([77.5, 20.0], &world(Edge::Wrap)));
        assert_eq!(field.at([165.0, -99.0], &world(Edge::Wrap)), Vector([5.0, 20.0]));
        assert_eq!(field.at([80.0, 20.0], &world(Edge::Bounce)), Vector([75.0, 20.0]));
        assert_eq!(field.at([-1e30, 1e30], &world(Edge::Open)), Vector([5.0, 20.0]));
        assert!(field.at([-1e30, 1e30], &world(Edge::Wrap)).is_finite());
    }

    #[test]
    fn three_dimensions_interpolate_between_eight_cells() {
        let settings = Settings::<3> { size: Vector([2.0, 2.0, 2.0]), edge: [Edge::Open; _], ..Settings::default() };
        let field =
            FlowField::from_fn("flow", [2, 2, 2], settings.size, |point| Vector([point[2], point[0], point[1]]))
                .unwrap();
        let middle = field.at([1.0, 0.75, 1.25], &settings);
        assert!((middle - Vector([1.25, 1.0, 0.75])).length() < 1e-6, "{middle:?}");
    }

    #[test]
    fn a_field_that_is_not_a_grid_is_refused() {
        let zero = Vector::<2>::ZERO;
        assert!(FlowField::new("flow", [0, 3], vec![]).is_err());
        assert!(FlowField::new("flow", [2, 3], vec![zero; 5]).is_err());
        assert!(FlowField::new("flow", [usize::MAX, 3], vec![zero; 5]).is_err());
        assert!(FlowField::new("flow", [1, 1], vec![Vector([0.0, f32::NAN])]).is_err());
        assert!(FlowField::new("flow", [1, 1], vec![Vector([2e6, 0.0])]).is_err());
        assert!(FlowField::<2>::from_fn("flow", [0, 1], [1.0, 1.0], |point| point).is_err());
    }
}
