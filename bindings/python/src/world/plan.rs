//! Floor plans and exits.

use std::path::PathBuf;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use throng::{AnyWorld, Goal, Navigation, Region, Shape, Sink, Vector};
use throng_formats::{FloorPlan, Format, ReadOptions};

use crate::errors::OrRaise;
use crate::world::World;
use crate::world::area::{Rings, rings};

#[pymethods]
impl World {
    /// Adds the walls and the named parts of a floor plan, as `floor_plan` does in a scenario file, in two dimensions.
    /// Its named rectangles are regions; `place` finds all its named areas.
    ///
    /// Areas that are not rectangles belong to this object: a copy, a snapshot or a pickle of the world lacks them.
    ///
    /// Parameters
    /// ----------
    /// plan : str, path or geometry
    ///     A file (.wkt, .geojson, .svg, .dxf or .toml), well-known text, or a geometry of Shapely.
    /// scale : float
    ///     Metres per unit of the file; by default the file's unit.
    /// origin : sequence of float
    ///     The position of the file's point (0, 0) in metres.
    /// element : int
    ///     The number of the one polygon or line of well-known text or GeoJSON to read, from 0.
    /// select : sequence of str
    ///     The features of GeoJSON to read, each ``KEY=VALUE`` of a property, such as ``level=0``.
    /// walls : sequence of str
    ///     The shapes or layers that are walls, as in a scenario file.
    ///
    /// Returns
    /// -------
    /// dict of str to list of list of points
    ///     The corners of the outline and of the holes of each named area.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the plan cannot be read, or reaches out of the world. Then nothing is added.
    #[pyo3(signature = (plan, *, scale=None, origin=None, element=None, select=None, walls=None))]
    #[expect(clippy::too_many_arguments, reason = "one for each option")]
    fn add_floor_plan<'py>(
        &self,
        py: Python<'py>,
        plan: &Bound<'py, PyAny>,
        scale: Option<f64>,
        origin: Option<[f64; 2]>,
        element: Option<usize>,
        select: Option<Vec<String>>,
        walls: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let select = select.unwrap_or_default();
        let options = ReadOptions { scale, origin, element, select, walls, ..ReadOptions::default() };
        let (plan, file) = read(plan, &options)?;
        let (areas, warnings) = {
            let mut world = self.shared.write()?;
            let world = flat(&mut world)?;
            let settings = world.settings().clone();
            let mut changed = world.environment().clone();
            let origin = options.origin.unwrap_or_default();
            let added = throng_scenario::add_floor_plan(&plan, (&file, origin), &settings, &mut changed);
            let added = added.map_err(PyValueError::new_err)?;
            *world.environment_mut() = changed;
            added
        };
        self.warn(py, warnings)?;
        let described = PyDict::new(py);
        for (name, rings) in areas {
            described.set_item(&name, &rings)?;
            self.areas().insert(name, rings);
        }
        Ok(described)
    }

    /// Adds an exit: a region in which agents are removed, with ways that lead to it. The region, its sink and its
    /// navigation have this name, so that `Rule("walk_to", goals=[name])` leads there.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name.
    /// area : sequence of points or polygon
    ///     The corners of a rectangle along the axes, or a polygon of Shapely; by default the region that has the name,
    ///     such as a rectangle of a floor plan.
    ///
    /// Raises
    /// ------
    /// NotFoundError
    ///     Without an area, if the world has no such region.
    /// ValueError
    ///     If the area is not a rectangle.
    #[pyo3(signature = (name, area=None))]
    fn add_exit(&self, name: &str, area: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let world = flat(&mut world)?;
        let shape = area.map(|area| rectangle(&rings(area)?)).transpose()?;
        let mut changed = world.environment().clone();
        match shape {
            Some(shape) => drop(changed.regions.add(Region::new(name, shape)).or_raise()?),
            None if changed.regions.find(name).is_some() => {}
            None => {
                let known = changed.regions.items().iter().map(|region| &region.name[..]);
                return Err(crate::errors::not_found("region", name, known));
            }
        }
        changed.sinks.add(Sink::new(name, name)).or_raise()?;
        changed.navigations.add(Navigation::new(name, vec![Goal::Region(name.to_owned())])).or_raise()?;
        *world.environment_mut() = changed;
        Ok(())
    }
}

/// A world of two dimensions.
fn flat(world: &mut AnyWorld) -> PyResult<&mut throng::World<2>> {
    match world {
        AnyWorld::Flat(world) => Ok(world),
        _ => Err(PyValueError::new_err("floor plans and exits are for worlds of two dimensions")),
    }
}

/// Reads a file, well-known text or a geometry; and its name in messages.
fn read(given: &Bound<'_, PyAny>, options: &ReadOptions) -> PyResult<(FloorPlan, String)> {
    let text = match given.getattr("wkt") {
        Ok(text) => Some(text.extract::<String>()?),
        Err(_) if given.is_instance_of::<PyString>() => {
            Some(given.extract()?).filter(|text: &String| text.contains('('))
        }
        Err(_) => None,
    };
    let plan = match &text {
        Some(text) => FloorPlan::parse(text, Format::Wkt, options),
        None => {
            let wrong = |_| PyTypeError::new_err("plan: must be a file, well-known text or a geometry");
            let path = given.extract::<PathBuf>().map_err(wrong)?;
            let plan = FloorPlan::load(&path, options);
            return Ok((
                plan.map_err(|error| PyValueError::new_err(error.to_string()))?,
                path.to_string_lossy().into_owned(),
            ));
        }
    };
    Ok((plan.map_err(|error| PyValueError::new_err(error.to_string()))?, "the plan".to_owned()))
}

/// The rectangle with these corners.
fn rectangle(rings: &Rings) -> PyResult<Shape<2>> {
    let wrong = || PyValueError::new_err(format!("area = {rings:?}: an exit is a rectangle along the axes"));
    let [ring] = &rings[..] else { return Err(wrong()) };
    let [a, b, c, d] = ring[..] else { return Err(wrong()) };
    let turned = a[0] == b[0] && b[1] == c[1] && c[0] == d[0] && d[1] == a[1];
    let straight = a[1] == b[1] && b[0] == c[0] && c[1] == d[1] && d[0] == a[0];
    let half = Vector([0, 1].map(|axis: usize| 0.5 * (c[axis] - a[axis]).abs()));
    if !(turned || straight) || half.0.contains(&0.0) {
        return Err(wrong());
    }
    Ok(Shape::Box { centre: Vector([0, 1].map(|axis: usize| 0.5 * (a[axis] + c[axis]))), half })
}
