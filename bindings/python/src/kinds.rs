//! Kinds of people of a species, its population and the goals that it knows, with the keys of scenario files.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use throng::parameters::{Allowed, Kind, Parameter, Value};
use throng::{Distribution, Error, Familiar, PersonKind, Population, Quantity, Sex};
use throng_scenario::keys;

use crate::errors::{OrRaise, not_found};
use crate::states::table;
use crate::values;

/// The population whose radii and masses are drawn too, as kinds.
const RESIDENTS: &str = "residents";

/// The people of a new species.
pub(crate) struct People {
    kinds: Vec<PersonKind>,
    familiar: Vec<Familiar>,
    /// The speeds of its population.
    max_speed: Option<Population>,
}

impl People {
    /// Reads the arguments `kinds`, `familiar` and `population` of a species with these other quantities, in a world with
    /// these navigations.
    pub(crate) fn read(
        kinds: &[Bound<'_, PyAny>],
        familiar: Option<&Bound<'_, PyAny>>,
        (population, quantities): (Option<&str>, Option<&Bound<'_, PyDict>>),
        navigations: &[String],
    ) -> PyResult<Self> {
        let species = keys_of(keys::FILE, "species");
        let each = kinds.iter().enumerate();
        let mut people = Self {
            kinds: each.map(|(number, given)| kind(number, given, navigations)).collect::<PyResult<_>>()?,
            familiar: match familiar {
                Some(given) => shares(given, "familiar", key_of(species, "a species", "familiar")?, navigations)?,
                None => Vec::new(),
            },
            max_speed: None,
        };
        let Some(population) = population else { return Ok(people) };
        check_word(population, "population", key_of(species, "a species", "population")?)?;
        let unused: &[Quantity] = match population {
            RESIDENTS => &[Quantity::Mass, Quantity::Radius, Quantity::MaxSpeed],
            _ => &[Quantity::MaxSpeed],
        };
        for name in unused.iter().map(|quantity| quantity.name()) {
            if quantities.map_or(Ok(false), |quantities| quantities.contains(name))? {
                return Err(PyTypeError::new_err(format!("{name}: `population` does not use it")));
            }
        }
        people.max_speed = Population::ALL.into_iter().find(|known| known.name() == population);
        if people.max_speed.is_none() {
            let sum: f32 = people.kinds.iter().map(|kind| kind.share).sum();
            let residents = PersonKind::residents(if sum < 1.0 { 1.0 - sum } else { 0.0 });
            people.kinds.extend(residents.into_iter().filter(|kind| kind.share > 0.0));
        }
        Ok(people)
    }

    /// Gives the people to a species.
    pub(crate) fn add_to<const D: usize>(&self, species: &mut throng::Species<D>) {
        (species.kinds, species.familiar) = (self.kinds.clone(), self.familiar.clone());
        if let Some(population) = self.max_speed {
            species.max_speed = population.into();
        }
    }
}

/// The keys of the tables that a key of a scenario file has.
fn keys_of(keys: &'static [Parameter], name: &str) -> &'static [Parameter] {
    match keys.iter().find(|key| key.name == name).map(|key| key.kind) {
        Some(Kind::Species(keys) | Kind::Tables(keys)) => keys,
        _ => &[],
    }
}

/// The key with a name, of the table with this path.
fn key_of(keys: &'static [Parameter], path: &str, name: &str) -> PyResult<&'static Parameter> {
    let unknown = || Error::bad(format!("key of {path}"), name, Allowed::one_of(keys.iter().map(|key| key.name)));
    keys.iter().find(|key| key.name == name).ok_or_else(|| PyTypeError::new_err(unknown().to_string()))
}

/// Reads one kind from a dictionary.
fn kind(number: usize, given: &Bound<'_, PyAny>, navigations: &[String]) -> PyResult<PersonKind> {
    let of_kind = format!("kinds.{number}");
    let (keys, given) = (keys_of(keys_of(keys::FILE, "species"), "kinds"), table(given, &of_kind)?);
    for name in ["name", "share"] {
        if !given.contains(name)? {
            let allowed = key_of(keys, &of_kind, name)?.allowed();
            return Err(PyTypeError::new_err(format!("{of_kind}.{name} is missing: must be {allowed}")));
        }
    }
    let mut kind = PersonKind::new("", 0.0);
    for (name, value) in given {
        let name = name.extract::<String>()?;
        let (key, path) = (key_of(keys, &of_kind, &name)?, format!("{of_kind}.{name}"));
        let drawn = || checked(values::distribution_at(&value, &path, key)?, &path, key);
        match &name[..] {
            "name" => kind.name = word(&value, &path, key)?,
            "share" => kind.share = share(&value, &path, key)?,
            "age" => kind.ages = Some(ages(drawn()?, &path, key)?),
            "sex" => {
                let sex = word(&value, &path, key)?;
                kind.sex = Sex::ALL.into_iter().find(|known| known.name() == sex);
            }
            "familiar" => kind.familiar = shares(&value, &path, key, navigations)?,
            "mass" => kind.mass = Some(drawn()?),
            "radius" => kind.radius = Some(drawn()?),
            "max_speed" => kind.max_speed = Some(drawn()?),
            "pre_movement" => kind.pre_movement = Some(drawn()?),
            "stairs_up" => kind.stairs_up = Some(share(&value, &path, key)?),
            "stairs_down" => kind.stairs_down = Some(share(&value, &path, key)?),
            _ => return Err(PyTypeError::new_err(format!("{path}: a scenario file has this key, add_species not"))),
        }
    }
    if kind.ages.is_some() || kind.sex.is_some() {
        // Ages and sexes have speeds.
        kind.max_speed = kind.max_speed.or(Some(Population::Rimea.into()));
    }
    Ok(kind)
}

/// The ages from one number, or from an interval.
fn ages(drawn: Distribution, path: &str, key: &Parameter) -> PyResult<[f32; 2]> {
    match (drawn, key.kind) {
        (Distribution::Same(age), _) => Ok([age; 2]),
        (Distribution::Uniform(from, to), _) => Ok([from, to]),
        (other, Kind::Distribution(range)) => Err(Error::bad(path, other, Allowed::number(range, key.unit))).or_raise(),
        (other, _) => Err(Error::bad(path, other, key.expected())).or_raise(),
    }
}

/// The shares that know navigations, from a dictionary by name.
fn shares(
    given: &Bound<'_, PyAny>,
    path: &str,
    key: &'static Parameter,
    navigations: &[String],
) -> PyResult<Vec<Familiar>> {
    let Kind::Named(_, &kind) = key.kind else { return Ok(Vec::new()) };
    let key = Parameter { kind, ..*key };
    let all = table(given, path)?.iter().map(|(name, value)| {
        let name = name.extract::<String>()?;
        if !navigations.contains(&name) {
            return Err(not_found(path, &name, navigations.iter().map(String::as_str)));
        }
        let share = share(&value, &format!("{path}.{name}"), &key)?;
        Ok(Familiar::new(name, share))
    });
    all.collect()
}

fn share(given: &Bound<'_, PyAny>, path: &str, key: &Parameter) -> PyResult<f32> {
    let share = given.extract::<f32>().map_err(|_| wrong_type(given, path, key))?;
    checked(Distribution::Same(share), path, key)?;
    Ok(share)
}

fn word(given: &Bound<'_, PyAny>, path: &str, key: &Parameter) -> PyResult<String> {
    let word = given.cast::<PyString>().map_err(|_| wrong_type(given, path, key))?.to_string();
    check_word(&word, path, key)?;
    Ok(word)
}

fn check_word(word: &str, path: &str, key: &Parameter) -> PyResult<()> {
    let fits = key.kind.takes(&Value::Word(word.to_owned()), 0);
    if fits { Ok(()) } else { Err(Error::bad(path, word, key.expected())).or_raise() }
}

/// The distribution, if the key can have it. An error has the path.
fn checked(drawn: Distribution, path: &str, key: &Parameter) -> PyResult<Distribution> {
    let named = |mut error: Error| {
        if let Error::BadValue(bad) = &mut error {
            path.clone_into(&mut bad.what);
        }
        error
    };
    drawn.check(key).map(|()| drawn).map_err(named).or_raise()
}

fn wrong_type(given: &Bound<'_, PyAny>, path: &str, key: &Parameter) -> PyErr {
    PyTypeError::new_err(format!("{path} = {given}: must be {}", key.allowed()))
}
