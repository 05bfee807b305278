//! Species, their rules, and the parameters of both.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::behaviours::HostForces;
use throng::parameters::{Definition, Reflect};
use throng::species::tables::TIMES;
use throng::states::{Catch, State, Variable};
use throng::{Combine, Distribution, Error, Quantity, Registry, SpeciesId, with_world};

use crate::errors::OrRaise;
use crate::functions::{self, Function};
use crate::kinds::People;
use crate::rules::{self, Motion, Rule};
use crate::states;
use crate::values;
use crate::world::{World, species_named};

#[pymethods]
impl World {
    /// The names of the species, in the order in which they were added.
    #[getter]
    fn species(&self) -> PyResult<Vec<String>> {
        Ok(self.shared.read()?.all_species().map(|(_, name, _)| name.to_owned()).collect())
    }

    /// The number of agents of a species.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// int
    ///     Those alive.
    fn count(&self, species: &str) -> PyResult<usize> {
        let world = self.shared.read()?;
        Ok(world.ids(species_named(&world, species)?).or_raise()?.len())
    }

    /// The names of a species' states.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     Empty if the species has no states.
    fn state_names(&self, species: &str) -> PyResult<Vec<String>> {
        let world = self.shared.read()?;
        let states = world.states(species_named(&world, species)?).or_raise()?;
        Ok(states.into_iter().map(str::to_owned).collect())
    }

    /// Adds a species. `quantities` are named as in scenario files: `mass`, `radius`, `max_speed`, `max_force`,
    /// `min_speed`, `max_turn_rate`, `response`, `pre_movement` and `lifetime`.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name.
    /// rules : sequence of Rule, str or function
    ///     The rules, in the order in which their forces are combined.
    /// people : bool
    ///     Whether the agents are pedestrians: by default 80 kg, a radius of 0.25 m, 1.34 m/s and the motion `pedvo`.
    /// population : str
    ///     Draws the largest speeds from the walking speeds of `rimea`, `weidmann`, `imo_passengers` or `imo_crew`, or of
    ///     `residents`, with masses and radii by age and sex.
    /// kinds : sequence of dict
    ///     Kinds of people among the agents, with the keys of scenario files: `name`, `share`, and what differs of `age`,
    ///     `sex`, `mass`, `radius`, `max_speed`, `pre_movement`, `stairs_up`, `stairs_down` and `familiar`. The column
    ///     `kind` has the number of an agent's kind from 1 on, and 0 for the others. Only scenario files add ways for wide
    ///     bodies. Here such a kind needs a navigation with a larger `clearance` among the goals, and `familiar` of zero
    ///     for the narrow one.
    /// familiar : dict of str to float
    ///     The share of the agents that know each navigation; all know the others. It counts from the spawn of an agent
    ///     on, and navigations come before the species.
    /// motion : Motion or str
    ///     The model of motion; Reynolds' vehicle by default.
    /// combine : str or tuple
    ///     `weighted`, `truncated` or `("priority", newtons)`.
    /// states : sequence of str, or dict of str to dict
    ///     The names of states; or each by its name with `rates` and `transitions`, as in scenario files:
    ///     `{"graze": {"rates": {"thirst": 0.05}, "transitions": [{"to": "drink", "when": "thirst", "above": 0.5}]}}`.
    /// variables : dict of str to (start, low, high)
    ///     The variables of each agent. A start `(low, high)` is drawn for each.
    /// catch : dict
    ///     `whom` and `distance`, and where they are not the usual ones `remove` and `during`, as in scenario files.
    /// moved_by_host : bool
    ///     Whether the host moves the agents.
    /// **quantities
    ///     Numbers; and the keys of `throng.definitions()["species"]`, such as `sight`. Quantities of the body and times also `(low, high)` or `{"mean": m, "sd": s}`.
    ///
    /// Raises
    /// ------
    /// BadValueError
    ///     If a value is out of its range.
    /// NotFoundError
    ///     If a rule, a model or a navigation that is `familiar` is unknown.
    #[pyo3(signature = (
        name, *, rules=None, people=false, population=None, kinds=None, familiar=None, motion=None,
        combine=None, states=None, variables=None, catch=None, moved_by_host=false, **quantities
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each part of a species")]
    fn add_species(
        &self,
        py: Python<'_>,
        name: &str,
        rules: Option<Vec<Bound<'_, PyAny>>>,
        people: bool,
        population: Option<&str>,
        kinds: Option<Vec<Bound<'_, PyAny>>>,
        familiar: Option<&Bound<'_, PyAny>>,
        motion: Option<&Bound<'_, PyAny>>,
        combine: Option<&Bound<'_, PyAny>>,
        states: Option<&Bound<'_, PyAny>>,
        variables: Option<Bound<'_, PyDict>>,
        catch: Option<&Bound<'_, PyDict>>,
        moved_by_host: bool,
        quantities: Option<Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let rules = rules.iter().flatten().map(|given| rules::rule(py, given)).collect::<PyResult<Vec<_>>>()?;
        let navigations: Vec<String> = with_world!(&*self.shared.read()?, world => {
            world.environment().navigations.iter().map(|(_, navigation)| navigation.name.clone()).collect()
        });
        let of_population = (population, quantities.as_ref());
        let parts = Parts {
            rules: &rules,
            are_people: people,
            people: People::read(&kinds.unwrap_or_default(), familiar, of_population, &navigations)?,
            motion: motion.map(|motion| self::motion(py, motion)).transpose()?,
            combine: combine.map_or(Ok(Combine::default()), self::combine)?,
            states: states.map_or(Ok(Vec::new()), states::states)?,
            catch: catch.map(states::catch).transpose()?,
            variables: variables.map_or(Ok(Vec::new()), |variables| self::variables(&variables))?,
            moved_by_host,
            quantities,
        };
        let mut world = self.shared.write()?;
        let functions = functions_of(&rules);
        for (place, function) in functions.iter().enumerate() {
            if functions[..place].iter().any(|other| other.get().name == function.get().name) {
                return Err(Error::NameTaken(function.get().name.clone())).or_raise();
            }
        }
        let species = with_world!(&mut *world, world => {
            let species = parts.species(py, name)?;
            // A species that a world has accepted accepts the columns of its functions too, except for a name that one of
            // its variables has.
            if let Some(taken) = functions.iter().find(|function| {
                species.variables.iter().any(|variable| variable.name == function.get().name)
            }) {
                return Err(Error::NameTaken(taken.get().name.clone())).or_raise();
            }
            let id = world.add_species(species).or_raise()?;
            functions.iter().try_for_each(|rule| functions::add_column(world, id, &rule.get().name))?;
            PyResult::Ok(id)
        })?;
        self.functions().extend(functions.into_iter().filter_map(|rule| function(py, species, rule)));
        self.note_edit();
        Ok(())
    }

    /// Removes a species and all its agents. A source, sink or rule that names it finds no agents until a species with this
    /// name is added.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Raises
    /// ------
    /// NotFoundError
    ///     If no species has this name.
    fn remove_species(&self, species: &str) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let species = species_named(&world, species)?;
        world.remove_species(species).or_raise()?;
        let functions: Vec<_> = self.functions().extract_if(.., |function| function.species == species).collect();
        drop(world);
        // Without the locks: a function's own finaliser may use the world.
        drop(functions);
        self.note_edit();
        Ok(())
    }

    /// The rules of a species, in order: name, weight, states and parameters.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     `rule`, `weight`, `during` and `parameters`.
    fn rules<'py>(&self, py: Python<'py>, species: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        let species = species_named(&world, species)?;
        with_world!(&*world, world => {
            let rules = &world.species(species).or_raise()?.rules;
            let described = rules.iter().map(|rule| {
                let parameters = rule.behaviour.table().map_or_else(|| Ok(PyDict::new(py)), |table| values_of(py, table))?;
                let described = PyDict::new(py);
                described.set_item("rule", rule.behaviour.name())?;
                described.set_item("weight", rule.weight)?;
                described.set_item("during", &rule.during)?;
                described.set_item("parameters", parameters)?;
                Ok(described)
            });
            described.collect()
        })
    }

    /// Adds a rule to the end of a species' list.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// rule : Rule, str or function
    ///     The rule.
    fn add_rule(&self, py: Python<'_>, species: &str, rule: &Bound<'_, PyAny>) -> PyResult<()> {
        let rule = rules::rule(py, rule)?;
        let mut world = self.shared.write()?;
        let species = species_named(&world, species)?;
        let registry = Registry::new();
        with_world!(&mut *world, world => {
            let built = rule.get().build(py, &registry)?;
            let is_function = rule.get().function.is_some();
            if is_function {
                functions::add_column(world, species, &rule.get().name)?;
            }
            let added = world.add_rule(species, built);
            if added.is_err() && is_function {
                world.remove_column(species, &rule.get().name).or_raise()?;
            }
            added.or_raise()
        })?;
        self.functions().extend(function(py, species, &rule));
        self.note_edit();
        Ok(())
    }

    /// Removes the rule at a position of a species' list, and its memory.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// number : int
    ///     The position, from zero.
    fn remove_rule(&self, species: &str, number: usize) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let species = species_named(&world, species)?;
        let mut functions = Vec::new();
        with_world!(&mut *world, world => {
            let removed = world.remove_rule(species, number).or_raise()?;
            if let Some(HostForces { column }) = removed.get::<HostForces>() {
                let is_it = |function: &mut Function| function.species == species && function.column == *column;
                functions.extend(self.functions().extract_if(.., is_it));
                // The rule may come from a file, without a column.
                let _ = world.remove_column(species, column);
            }
            PyResult::Ok(())
        })?;
        drop(world);
        // Without the locks: a function's own finaliser may use the world.
        drop(functions);
        Ok(())
    }

    /// A quantity of a species, or a parameter or the weight of a rule, by its path: `max_speed`, `separation.radius`,
    /// `behaviours.0.weight`, `motion.noise`.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// path : str
    ///     The path.
    ///
    /// Returns
    /// -------
    /// number, str, bool or list
    ///     The value.
    fn parameter<'py>(&self, py: Python<'py>, species: &str, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let world = self.shared.read()?;
        let species = species_named(&world, species)?;
        with_world!(&*world, world => read(py, world.species(species).or_raise()?, path))
    }

    /// Sets a value by its path: see `parameter`.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// path : str
    ///     The path.
    /// value : number, str, bool or sequence
    ///     The value.
    ///
    /// Raises
    /// ------
    /// BadValueError
    ///     If the path is unknown or the value is refused. Nothing has changed then.
    fn set_parameter(&self, species: &str, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut world = self.shared.write()?;
        self.note_edit();
        let species = species_named(&world, species)?;
        if let Some(quantity) = Quantity::named(path) {
            let drawn = values::distribution(value, quantity.parameter())?;
            return with_world!(&mut *world, world => set_quantity(world, species, quantity, drawn));
        }
        world.set_parameter(species, path, values::value(value)?).or_raise()
    }
}

/// The parts of a new species.
struct Parts<'p, 'py> {
    rules: &'p [Py<Rule>],
    are_people: bool,
    people: People,
    motion: Option<Py<Motion>>,
    combine: Combine,
    states: Vec<State>,
    variables: Vec<Variable>,
    catch: Option<Catch>,
    moved_by_host: bool,
    quantities: Option<Bound<'py, PyDict>>,
}

impl Parts<'_, '_> {
    fn species<const D: usize>(&self, py: Python<'_>, name: &str) -> PyResult<throng::Species<D>> {
        let registry = Registry::new();
        let mut species = if self.are_people { throng::Species::people(name) } else { throng::Species::new(name) };
        (species.combine, species.moved_by_host) = (self.combine, self.moved_by_host);
        (species.states, species.variables) = (self.states.clone(), self.variables.clone());
        species.catch = self.catch.clone();
        self.people.add_to(&mut species);
        if let Some(motion) = &self.motion {
            species.motion = Some(motion.get().build(py, &registry)?);
        }
        species.rules = self.rules.iter().map(|rule| rule.get().build(py, &registry)).collect::<PyResult<_>>()?;
        for (name, value) in self.quantities.iter().flatten() {
            let name = name.extract::<String>()?;
            if let Some(quantity) = Quantity::named(&name) {
                species.set_quantity(quantity, values::distribution(&value, quantity.parameter())?).or_raise()?;
            } else if let Some(time) = TIMES.iter().find(|time| time.name == name) {
                let drawn = Some(values::distribution(&value, time)?);
                if name == TIMES[0].name { species.pre_movement = drawn } else { species.lifetime = drawn }
            } else if let Some(key) = throng::Species::<D>::KEYS.iter().find(|key| key.name == name) {
                species.set(key.name, &values::value(&value)?).or_raise()?;
            } else {
                let times = TIMES.iter().map(|time| time.name);
                let own = throng::Species::<D>::KEYS.iter().map(|key| key.name);
                let known: Vec<&str> = Quantity::ALL.map(Quantity::name).into_iter().chain(times).chain(own).collect();
                return Err(PyTypeError::new_err(format!("unknown quantity `{name}`; known are {}", known.join(", "))));
            }
        }
        Ok(species)
    }
}

fn set_quantity<const D: usize>(
    world: &mut throng::World<D>,
    species: SpeciesId,
    quantity: Quantity,
    value: throng::Distribution,
) -> PyResult<()> {
    let mut changed = world.species(species).or_raise()?.clone();
    changed.set_quantity(quantity, value).or_raise()?;
    world.edit_species(species, |species| *species = changed).or_raise()
}

fn read<'py, const D: usize>(py: Python<'py>, species: &throng::Species<D>, path: &str) -> PyResult<Bound<'py, PyAny>> {
    let unknown = || crate::errors::NotFoundError::new_err(format!("species `{}` has no `{path}`", species.name));
    let Some((rule, parameter)) = path.rsplit_once('.') else {
        return Ok(match species.quantity(Quantity::named(path).ok_or_else(unknown)?) {
            throng::Distribution::Same(value) => value.into_pyobject(py)?.into_any(),
            throng::Distribution::Uniform(low, high) => (low, high).into_pyobject(py)?.into_any(),
            other => format!("{other:?}").into_pyobject(py)?.into_any(),
        });
    };
    if rule == "motion" {
        let table = species.motion.as_ref().and_then(|motion| motion.table());
        let value = table.and_then(|table| table.get(parameter)).ok_or_else(unknown)?;
        return values::object(py, &value);
    }
    let place = match rule.strip_prefix("behaviours.") {
        Some(place) => place.parse::<usize>().ok(),
        None => species.rules.iter().position(|known| known.behaviour.name() == rule),
    };
    let rule = place.and_then(|place| species.rules.get(place)).ok_or_else(unknown)?;
    if parameter == "weight" {
        return Ok(rule.weight.into_pyobject(py)?.into_any());
    }
    let value = rule.behaviour.table().and_then(|table| table.get(parameter)).ok_or_else(unknown)?;
    values::object(py, &value)
}

fn values_of<'py>(py: Python<'py>, table: &(impl Reflect + ?Sized)) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for parameter in table.parameters() {
        if let Some(value) = table.get(parameter.name) {
            all.set_item(parameter.name, values::object(py, &value)?)?;
        }
    }
    Ok(all)
}

fn motion(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Py<Motion>> {
    match given.cast::<Motion>() {
        Ok(motion) => Ok(motion.clone().unbind()),
        Err(_) => Py::new(py, Motion::new(py, given.extract()?, None)),
    }
}

fn combine(given: &Bound<'_, PyAny>) -> PyResult<Combine> {
    if let Ok((word, threshold)) = given.extract::<(String, f32)>()
        && word == "priority"
    {
        return Ok(Combine::Priority(threshold));
    }
    match given.extract::<String>().as_deref() {
        Ok("weighted") => Ok(Combine::Weighted),
        Ok("truncated") => Ok(Combine::Truncated),
        _ => Err(PyValueError::new_err(format!(
            "combine = {given}: must be \"weighted\", \"truncated\" or (\"priority\", threshold)"
        ))),
    }
}

/// Variables by name, each `(start, low, high)`. A start `(low, high)` is drawn.
fn variables(given: &Bound<'_, PyDict>) -> PyResult<Vec<Variable>> {
    let all = given.iter().map(|(name, range)| {
        let (start, low, high): (Bound<'_, PyAny>, f32, f32) = range.extract()?;
        let start = match start.extract::<[f32; 2]>() {
            Ok([least, most]) => Distribution::Uniform(least, most),
            Err(_) => start.extract::<f32>()?.into(),
        };
        Ok(Variable { name: name.extract()?, start, low, high })
    });
    all.collect()
}

/// The rules that are functions.
fn functions_of(rules: &[Py<Rule>]) -> Vec<&Py<Rule>> {
    rules.iter().filter(|rule| rule.get().function.is_some()).collect()
}

fn function(py: Python<'_>, species: SpeciesId, rule: &Py<Rule>) -> Option<Function> {
    let function = rule.get().function.as_ref()?.clone_ref(py);
    Some(Function { species, column: rule.get().name.clone(), function })
}
