//! The items of the environment: each kind is added by its keys, listed and removed in the same way.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use throng::parameters::{Definition, Kind, Parameter, Value};
use throng::{
    Collection, Error, Handle, Item, Lift, LiftId, Link, LinkId, Navigation, NavigationId, Obstacle, ObstacleId,
    Region, RegionId, Sink, SinkId, Source, SourceId, Species, Substance, SubstanceId, Wall, WallId, Zone, ZoneId,
    with_world,
};

use crate::errors::{NotFoundError, OrRaise};
use crate::points::Point;
use crate::values;
use crate::world::World;

/// Declares the methods of a kind of item: the one that adds it, with its required keys; the one that lists all; and the
/// one that removes one. The last lines are further entries of the list.
macro_rules! items {
    ($(
        $(#[doc = $about:literal])+
        $what:literal: $Item:ident, $Id:ident in $all:ident
        $add:ident($($key:ident $(= $absent:tt)?),*), $remove:ident
        $(, $entry:ident = $value:ident)*;
    )+) => {
        $(#[pymethods]
        impl World {
            $(#[doc = $about])+
            #[doc = ""]
            #[doc = "Parameters"]
            #[doc = "----------"]
            $(#[doc = concat!(stringify!($key), " :\n    A key of the definition.")])*
            #[doc = "replaces : int\n    The handle of an item that this one takes the place of."]
            #[doc = concat!("**keys :\n    The other keys, as in scenario files: `throng.definitions()[\"", $what, "\"]`.")]
            #[doc = ""]
            #[doc = "Returns\n-------\nint\n    A handle."]
            #[pyo3(signature = ($($key $(= $absent)?,)* *, replaces=None, **keys))]
            fn $add(
                &self,
                $($key: Option<&Bound<'_, PyAny>>,)*
                replaces: Option<u64>,
                keys: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<u64> {
                let given = [$((stringify!($key), $key)),*];
                let mut world = self.shared.write()?;
                with_world!(&mut *world, world => {
                    let item = read(concat!(stringify!($add), "()"), &given, keys)?;
                    put(&mut world.environment_mut().$all, replaces, item)
                })
            }

            #[doc = concat!("The items that `", stringify!($add), "` added, in this order.")]
            #[doc = ""]
            #[doc = "Returns\n-------\nlist of dict\n    `handle` and the keys of each."]
            fn $all<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
                let world = self.shared.read()?;
                with_world!(&*world, world => {
                    let all = world.environment().$all.iter().map(|(id, item)| {
                        let described = described(py, id, item)?;
                        $(described.set_item(stringify!($entry), world.environment().$value(id))?;)*
                        Ok(described)
                    });
                    all.collect()
                })
            }

            #[doc = concat!("Removes an item that `", stringify!($add), "` added.")]
            #[doc = ""]
            #[doc = "Parameters\n----------\nhandle : int\n    Its handle."]
            fn $remove(&self, handle: u64) -> PyResult<()> {
                let mut world = self.shared.write()?;
                let id = $Id::from_bits(handle);
                with_world!(&mut *world, world => world.environment_mut().$all.remove(id).or_raise().map(drop))
            }
        })+

        /// The keys of the definitions, with units, allowed values, help and defaults.
        ///
        /// Returns
        /// -------
        /// dict of str to dict
        ///     The keys of each kind of item by the name of the kind.
        #[pyfunction]
        pub(crate) fn definitions(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
            let all = PyDict::new(py);
            $(all.set_item($what, keys_of(py, items!(@keys $Item))?)?;)+
            all.set_item("species", keys_of(py, Species::<2>::KEYS)?)?;
            Ok(all)
        }
    };
    (@keys Lift) => { Lift::KEYS };
    (@keys Sink) => { Sink::KEYS };
    (@keys Substance) => { Substance::KEYS };
    (@keys $Item:ident) => { $Item::<2>::KEYS };
}

items! {
    /// Adds a wall: a `line` through points, a `polygon`, or a solid at a `centre`.
    "wall": Wall, WallId in walls add_wall(line = None), remove_wall;
    /// Adds an obstacle: a disc or a ball that agents avoid.
    "obstacle": Obstacle, ObstacleId in obstacles add_obstacle(centre, radius), remove_obstacle;
    /// Adds a region: a ball with a `radius` or a box with a `size`.
    "region": Region, RegionId in regions add_region(name, centre), remove_region;
    /// Adds a navigation, the shortest ways around walls to goals: points, `"mark:NAME"` or `"region:NAME"`.
    "navigation": Navigation, NavigationId in navigations add_navigation(name, goals), remove_navigation;
    /// Adds a source of agents in a region. They come at a `rate` per second, at random (`poisson`), at times with numbers
    /// (`schedule`), at once (`number`), or with each agent that enters another region (`on_entry`).
    "source": Source, SourceId in sources add_source(name, species, region), remove_source,
        spawned = source_spawned, backlog = source_backlog;
    /// Adds a sink, which removes the agents in a region, of all species and states or of some.
    "sink": Sink, SinkId in sinks add_sink(name, region), remove_sink;
    /// Adds a zone, which multiplies the largest speed of the agents in a region by a factor, and by `against` where
    /// they want to move against a `direction`. Its ground moves with the velocity `carry`, as an escalator does. Smoke
    /// with an `extinction` over time slows them down further, and a `rate` over time is added to a `variable`.
    "zone": Zone, ZoneId in zones add_zone(region, factor), remove_zone;
    /// Adds a lift between landings: regions of its car and regions before its doors, at `heights` that ascend.
    "lift": Lift, LiftId in lifts add_lift(name, landings, doors, heights), remove_lift;
    /// Adds a link from one region to another: a jump, a drop, a ladder or a door that takes this number of seconds.
    "link": Link, LinkId in links add_link(name, start, end, seconds), remove_link;
    /// Adds a substance, which agents with a variable `deposit_NAME` deposit and the rule `expression` senses.
    "substance": Substance, SubstanceId in substances add_substance(name, cell), remove_substance;
}

/// Reads a definition from the arguments of a call. An argument that is `None` is absent.
pub(crate) fn read<T: Definition>(
    call: &str,
    given: &[(&str, Option<&Bound<'_, PyAny>>)],
    keys: Option<&Bound<'_, PyDict>>,
) -> PyResult<T> {
    let mut all: Vec<(&str, Value)> = Vec::new();
    let given = given.iter().filter_map(|(name, value)| Some(((*name).to_owned(), (*value)?.clone())));
    let keys = keys.iter().flat_map(|keys| keys.iter()).map(|(name, value)| Ok((name.extract::<String>()?, value)));
    for argument in given.map(PyResult::Ok).chain(keys) {
        let (name, value) = argument?;
        let Some(key) = T::KEYS.iter().find(|key| key.name == name) else {
            let known: Vec<&str> = T::KEYS.iter().map(|key| key.name).collect();
            let message = format!("{call}: unknown key `{name}`; known are {}", known.join(", "));
            return Err(PyTypeError::new_err(message));
        };
        if !value.is_none() {
            all.push((key.name, of_key(&value, key)?));
        }
    }
    match T::from_keys(&all) {
        Err(error) if is_of_call(&error) => Err(PyTypeError::new_err(format!("{call}: {error}"))),
        read => read.or_raise(),
    }
}

/// Whether an error is about the choice of the keys in a call, not about a value.
fn is_of_call(error: &Error) -> bool {
    match error {
        Error::MissingKey { .. } => true,
        Error::BadValue(bad) => matches!(&bad.what[..], "key" | "keys"),
        _ => false,
    }
}

/// The value of a key.
fn of_key(given: &Bound<'_, PyAny>, key: &Parameter) -> PyResult<Value> {
    match key.kind {
        Kind::Distribution(_) => Ok(values::distribution(given, key)?.into()),
        Kind::Goals => {
            let goals = given.extract::<Vec<Bound<'_, PyAny>>>()?;
            if !goals.is_empty() && !goals.iter().any(|goal| goal.is_instance_of::<PyString>()) {
                return values::value(given);
            }
            let words = goals.iter().map(|goal| match goal.extract::<String>() {
                Ok(word) => Ok(word),
                Err(_) => {
                    let point: Vec<String> = goal.extract::<Point>()?.0.iter().map(f32::to_string).collect();
                    Ok(format!("point:{}", point.join(",")))
                }
            });
            words.collect::<PyResult<_>>().map(Value::Words)
        }
        _ => values::value(given),
    }
}

/// The handle and the keys of an item. Alternatives that it does not have are left out.
fn described<'py, T: Definition + Item>(py: Python<'py>, id: T::Id, item: &T) -> PyResult<Bound<'py, PyDict>> {
    let described = PyDict::new(py);
    described.set_item("handle", id.to_bits())?;
    for key in T::KEYS {
        let of_shape = |(one, others): &(&str, &[&str])| *one == key.name || others.contains(&key.name);
        match item.get(key.name) {
            Some(value) => described.set_item(key.name, values::object(py, &value)?)?,
            None if T::ALTERNATIVES.iter().any(of_shape) => {}
            None => described.set_item(key.name, py.None())?,
        }
    }
    Ok(described)
}

fn keys_of<'py>(py: Python<'py>, keys: &[Parameter]) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for key in keys {
        all.set_item(key.name, values::parameter(py, key)?)?;
    }
    Ok(all)
}

/// Adds an item to its collection, or replaces one. Returns its handle.
pub(super) fn put<T: Item>(all: &mut Collection<T>, replaces: Option<u64>, item: T) -> PyResult<u64> {
    match replaces {
        None => Ok(all.add(item).or_raise()?.to_bits()),
        Some(handle) => all.set(T::Id::from_bits(handle), item).or_raise().map(|()| handle),
    }
}

pub(super) fn missing(what: &str, handle: u64) -> PyErr {
    NotFoundError::new_err(format!("{what} {handle} does not exist"))
}
