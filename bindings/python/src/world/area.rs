//! Parts of a world in which agents are placed: boxes, regions, and polygons.

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use throng::{Noise, PathFault, Settings, Shape, Vector};

use crate::errors::not_found;
use crate::points::{Point, vectors};
use crate::world::World;

/// The corners of an outline, and of holes.
pub(crate) type Rings = Vec<Vec<[f32; 2]>>;

/// A part of a world.
pub(super) enum Area<const D: usize> {
    /// A box between two corners.
    Box(Vector<D>, Vector<D>),
    Shape(Shape<D>),
    /// The parts of the plane that an odd number of rings encloses.
    Rings(Rings),
}

/// The number of points along each axis of a grid in an area.
const SAMPLES: usize = 9;

impl<const D: usize> Area<D> {
    /// The area of an argument: the name of a region or of an area of a floor plan, the corners of a polygon, or a
    /// polygon of Shapely.
    pub(super) fn of(world: &throng::World<D>, owner: &World, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(name) = given.extract::<String>() else { return rings(given).and_then(Self::polygon) };
        let regions = &world.environment().regions;
        if let Some(region) = regions.named(&name) {
            return Ok(Self::Shape(region.shape));
        }
        let areas = owner.areas();
        match areas.get(&name) {
            Some(rings) => Self::polygon(rings.clone()),
            None => {
                let known = regions.items().iter().map(|region| &region.name[..]);
                Err(not_found("area", &name, known.chain(areas.keys().map(String::as_str))))
            }
        }
    }

    fn polygon(rings: Rings) -> PyResult<Self> {
        if D != 2 {
            return Err(PyValueError::new_err("area: polygons are for worlds of two dimensions"));
        }
        for ring in &rings {
            let corners: Vec<Vector<2>> = ring.iter().copied().map(Vector).collect();
            if let Some(fault) = PathFault::of(&corners, true) {
                return Err(PyValueError::new_err(format!("area = {ring:?}: {fault}")));
            }
        }
        Ok(Self::Rings(rings))
    }

    fn bounds(&self) -> [Vector<D>; 2] {
        match self {
            Self::Box(low, high) => [*low, *high],
            Self::Shape(shape) => {
                let (centre, half) = shape.bounds();
                [centre - half, centre + half]
            }
            Self::Rings(rings) => {
                let of = |axis: usize, better: fn(f32, f32) -> bool| {
                    let all = rings.iter().flatten().map(|corner| corner[axis % 2]);
                    all.reduce(|best, next| if better(next, best) { next } else { best }).unwrap_or_default()
                };
                [Vector::from_fn(|axis| of(axis, |a, b| a < b)), Vector::from_fn(|axis| of(axis, |a, b| a > b))]
            }
        }
    }

    fn contains(&self, settings: &Settings<D>, point: Vector<D>) -> bool {
        match self {
            Self::Box(..) => true,
            Self::Shape(shape) => shape.contains(settings, point),
            Self::Rings(rings) => rings.iter().filter(|ring| encloses(ring, [point[0], point[1]])).count() % 2 == 1,
        }
    }

    /// A random point; `None` for one that is not in the area.
    pub(super) fn draw(&self, settings: &Settings<D>, noise: &mut Noise) -> Option<Vector<D>> {
        let [low, high] = self.bounds();
        let point = Vector::from_fn(|axis| noise.between(low[axis], high[axis]));
        self.contains(settings, point).then_some(point)
    }

    /// Points of the area.
    pub(super) fn samples(&self, settings: &Settings<D>) -> Vec<[f64; 2]> {
        let [low, high] = self.bounds();
        let at =
            |axis: usize, number: usize| low[axis] + (high[axis] - low[axis]) * (number as f32 + 0.5) / SAMPLES as f32;
        let points = (0..SAMPLES * SAMPLES)
            .map(|number| Vector::from_fn(|axis| at(axis, [number % SAMPLES, number / SAMPLES, SAMPLES / 2][axis])));
        points.filter(|point| self.contains(settings, *point)).map(|point| [point[0].into(), point[1].into()]).collect()
    }
}

/// Whether a point is inside a ring.
fn encloses(ring: &[[f32; 2]], at: [f32; 2]) -> bool {
    let [x, y] = at.map(f64::from);
    let mut inside = false;
    for (from, to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        let ([fx, fy], [tx, ty]) = (from.map(f64::from), to.map(f64::from));
        if (fy > y) != (ty > y) && x < fx + (y - fy) / (ty - fy) * (tx - fx) {
            inside = !inside;
        }
    }
    inside
}

/// The rings of a polygon of Shapely, or of a sequence of corners.
pub(super) fn rings(given: &Bound<'_, PyAny>) -> PyResult<Rings> {
    let ring = |given: &Bound<'_, PyAny>| -> PyResult<Vec<[f32; 2]>> {
        let points = given.try_iter()?.map(|point| point?.extract::<Point>()).collect::<PyResult<Vec<_>>>()?;
        let mut corners: Vec<[f32; 2]> = vectors::<2>(&points)?.into_iter().map(|corner| corner.0).collect();
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        Ok(corners)
    };
    let Ok(exterior) = given.getattr("exterior") else { return Ok(vec![ring(given)?]) };
    let mut rings = vec![ring(&exterior.getattr("coords")?)?];
    for interior in given.getattr("interiors")?.try_iter()? {
        rings.push(ring(&interior?.getattr("coords")?)?);
    }
    Ok(rings)
}

/// Bodies that keep a distance, found by cells of space.
pub(super) struct Bodies<'s, const D: usize> {
    settings: &'s Settings<D>,
    /// The least distance between centres, in metres.
    apart: f32,
    /// The extent of a cell, and the number of cells on a periodic axis; zero on others.
    cell: Vector<D>,
    count: [i64; D],
    cells: HashMap<[i64; D], Vec<(Vector<D>, f32)>>,
}

impl<'s, const D: usize> Bodies<'s, D> {
    /// None yet, with radii up to `widest`.
    pub(super) fn new(settings: &'s Settings<D>, apart: f32, widest: f32) -> Self {
        let reach =
            [2.0 * widest, apart, 1e-2].into_iter().fold(0.0, |most, next| if next > most { next } else { most });
        let (period, mut cell, mut count) = (settings.period(), Vector::splat(reach), [0; D]);
        for axis in (0..D).filter(|&axis| period[axis] < f32::INFINITY) {
            let whole = (period[axis] / reach).floor().clamp(1.0, 1e9);
            (cell[axis], count[axis]) = (period[axis] / whole, whole as i64);
        }
        Self { settings, apart, cell, count, cells: HashMap::new() }
    }

    fn cell_of(&self, at: Vector<D>, step: [i64; D]) -> [i64; D] {
        std::array::from_fn(|axis| {
            let cell = (at[axis] / self.cell[axis]).floor() as i64 + step[axis];
            if self.count[axis] == 0 { cell } else { cell.rem_euclid(self.count[axis]) }
        })
    }

    pub(super) fn add(&mut self, at: Vector<D>, radius: f32) {
        self.cells.entry(self.cell_of(at, [0; D])).or_default().push((at, radius));
    }

    /// Whether a body keeps its distance from all others.
    pub(super) fn is_clear(&self, at: Vector<D>, radius: f32) -> bool {
        let near = |&(other, of_other): &(Vector<D>, f32)| {
            let touching = radius + of_other;
            let least = if self.apart > touching { self.apart } else { touching };
            self.settings.offset(at, other).length_squared() < least * least
        };
        (0..3i64.pow(D as u32)).all(|mut number| {
            let step = std::array::from_fn(|_| {
                let step = number % 3 - 1;
                number /= 3;
                step
            });
            !self.cells.get(&self.cell_of(at, step)).is_some_and(|bodies| bodies.iter().any(near))
        })
    }
}
