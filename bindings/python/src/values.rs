//! Values of parameters from and to Python.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use throng::Distribution;
use throng::parameters::{Kind, Parameter, Preset, Value};

/// Reads a value: a flag, a number, a text, a point, several points or several texts.
pub(crate) fn value(given: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(flag) = given.extract::<bool>() {
        return Ok(Value::Flag(flag));
    }
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(Value::Word(text.to_string()));
    }
    if let Ok(whole) = given.extract::<u64>() {
        return Ok(Value::Whole(whole));
    }
    if let Ok(number) = given.extract::<f64>() {
        return Ok(Value::Number(number));
    }
    if let Ok(point) = given.extract::<Vec<f64>>() {
        return Ok(Value::Point(point));
    }
    if let Ok(words) = given.extract::<Vec<String>>() {
        return Ok(Value::Words(words));
    }
    if let Ok(points) = given.extract::<Vec<Vec<f64>>>() {
        return Ok(Value::Points(points));
    }
    Err(PyTypeError::new_err(format!("{} is not a value of a parameter", given.repr()?)))
}

/// A value as an object of Python.
pub(crate) fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Number(number) => number.into_pyobject(py)?.into_any(),
        Value::Whole(whole) => whole.into_pyobject(py)?.into_any(),
        Value::Flag(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Word(word) => word.into_pyobject(py)?.into_any(),
        Value::Words(words) => words.into_pyobject(py)?.into_any(),
        Value::Point(point) => point.into_pyobject(py)?.into_any(),
        Value::Points(points) => points.into_pyobject(py)?.into_any(),
        Value::Distribution(drawn) => drawn.to_string().into_pyobject(py)?.into_any(),
        other => other.to_string().into_pyobject(py)?.into_any(),
    })
}

/// A parameter as a dictionary, with its default if that is a number or words.
pub(crate) fn parameter<'py>(py: Python<'py>, parameter: &Parameter) -> PyResult<Bound<'py, PyDict>> {
    let described = PyDict::new(py);
    described.set_item("unit", parameter.unit)?;
    described.set_item("allowed", parameter.allowed())?;
    described.set_item("help", parameter.help)?;
    described.set_item("advanced", parameter.advanced)?;
    described.set_item("required", parameter.default == Preset::Required)?;
    match parameter.default {
        Preset::Number(number) => described.set_item("default", number)?,
        Preset::Word(words) => described.set_item("default", words)?,
        _ => described.set_item("default", py.None())?,
    }
    Ok(described)
}

/// Reads a distribution for a quantity: a number, a pair `(low, high)`, or a dictionary with the keys of scenario files.
pub(crate) fn distribution(given: &Bound<'_, PyAny>, quantity: &Parameter) -> PyResult<Distribution> {
    distribution_at(given, quantity.name, quantity)
}

/// Reads a distribution for a quantity that errors call by this path.
pub(crate) fn distribution_at(given: &Bound<'_, PyAny>, path: &str, quantity: &Parameter) -> PyResult<Distribution> {
    if let Ok(number) = given.extract::<f32>() {
        return Ok(Distribution::Same(number));
    }
    if let Ok(ends) = given.extract::<Vec<f32>>()
        && let [low, high] = ends[..]
    {
        return Ok(Distribution::Uniform(low, high));
    }
    let unknown = || {
        PyTypeError::new_err(format!(
            "{path} = {given}: must be a number, (low, high) or a dictionary with mean and sd, median and log_sd, gamma \
             and scale, or weibull and scale"
        ))
    };
    let table = given.cast::<PyDict>().map_err(|_| unknown())?;
    let known = ["mean", "sd", "median", "log_sd", "gamma", "weibull", "scale", "low", "high"];
    if table.keys().iter().any(|key| known.iter().all(|name| !key.eq(name).unwrap_or(false))) {
        return Err(unknown());
    }
    let number = |key: &str| table.get_item(key)?.map(|number| number.extract::<f32>()).transpose();
    let (Kind::Distribution(range) | Kind::Number(range)) = quantity.kind else { return Err(unknown()) };
    let low = number("low")?.unwrap_or(range.low as f32);
    let high = number("high")?.unwrap_or(range.high as f32);
    let given = |first: &str, second: &str| {
        let count =
            table.keys().iter().filter(|key| !["low", "high"].iter().any(|end| key.eq(end).unwrap_or(false))).count();
        PyResult::Ok(number(first)?.zip(number(second)?).filter(|_| count == 2))
    };
    let [normal, log_normal, gamma, weibull] =
        [given("mean", "sd")?, given("median", "log_sd")?, given("gamma", "scale")?, given("weibull", "scale")?];
    match (normal, log_normal, gamma, weibull) {
        (Some((mean, sd)), ..) => Ok(Distribution::Normal { mean, sd, low, high }),
        (_, Some((median, log_sd)), ..) => Ok(Distribution::LogNormal { median, log_sd, low, high }),
        (.., Some((shape, scale)), _) => Ok(Distribution::Gamma { shape, scale, low, high }),
        (.., Some((shape, scale))) => Ok(Distribution::Weibull { shape, scale, low, high }),
        _ => Err(unknown()),
    }
}
