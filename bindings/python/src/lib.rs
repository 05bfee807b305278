//! The Python module `throng._native`: worlds, rules, pictures and measures of the crate `throng` for Python.
//!
//! Every class is immutable for Python's borrow checks (`frozen`). A [`shared::Shared`] guards the world behind it: one
//! thread at a time edits or steps, and nothing moves columns while a view of them lives.

mod arrow;
mod curves;
mod errors;
mod fit;
mod functions;
mod kinds;
mod columns;
mod persons;
mod picture;
mod points;
mod pool;
mod displacements;
mod ensemble;
mod recorder;
mod rows;
mod rules;
mod series;
mod shared;
mod states;
mod table;
mod toml;
mod trajectory;
mod values;
mod view;
mod window;
mod world;

use pyo3::prelude::*;

/// Adds the classes, functions and exceptions of the module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("PHYSICS", throng::PHYSICS)?;
    errors::add(module)?;
    module.add_class::<world::World>()?;
    module.add_class::<view::View>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<rules::Rule>()?;
    module.add_class::<rules::Motion>()?;
    module.add_class::<picture::Picture>()?;
    module.add_class::<recorder::Recorder>()?;
    module.add_class::<displacements::Displacements>()?;
    module.add_class::<persons::Persons>()?;
    module.add_class::<persons::Convergence>()?;
    module.add_class::<trajectory::TrajectoryWriter>()?;
    module.add_class::<series::Sweep>()?;
    module.add_class::<fit::Fit>()?;
    module.add_class::<window::Window>()?;
    for function in [
        wrap_pyfunction!(world::recordings::replay, module)?,
        wrap_pyfunction!(pool::set_threads, module)?,
        wrap_pyfunction!(pool::threads, module)?,
        wrap_pyfunction!(pool::check_threads, module)?,
        wrap_pyfunction!(rules::rules, module)?,
        wrap_pyfunction!(rules::models, module)?,
        wrap_pyfunction!(world::items::definitions, module)?,
        wrap_pyfunction!(toml::listed, module)?,
        wrap_pyfunction!(series::measures, module)?,
        wrap_pyfunction!(ensemble::advance, module)?,
        wrap_pyfunction!(ensemble::read::column, module)?,
        wrap_pyfunction!(ensemble::copies::copies, module)?,
        wrap_pyfunction!(ensemble::nearest::nearest, module)?,
        wrap_pyfunction!(ensemble::rays::rays, module)?,
        wrap_pyfunction!(ensemble::copies::prepare, module)?,
        wrap_pyfunction!(ensemble::copies::restore, module)?,
        wrap_pyfunction!(ensemble::units, module)?,
        wrap_pyfunction!(ensemble::write::write, module)?,
        wrap_pyfunction!(window::document, module)?,
        wrap_pyfunction!(series::outcomes, module)?,
        wrap_pyfunction!(series::level_of_service, module)?,
        wrap_pyfunction!(series::disagreement, module)?,
        wrap_pyfunction!(series::error_of_mean, module)?,
        wrap_pyfunction!(curves::measure, module)?,
        wrap_pyfunction!(curves::correlation, module)?,
        wrap_pyfunction!(curves::clusters, module)?,
        wrap_pyfunction!(curves::number_fluctuations, module)?,
        wrap_pyfunction!(curves::structure_factor, module)?,
        wrap_pyfunction!(curves::slabs, module)?,
        wrap_pyfunction!(curves::centre, module)?,
        wrap_pyfunction!(curves::nearest_distances, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
