//! Items of the environment: tables with the keys of a definition, read by its table of keys.

use throng::parameters::{Allowed, Alternative, Definition, Kind, Misfit, Parameter, Value, misfits, rounded};
use throng::{Error, Vector};

use crate::fields::{Fields, Reader, point};
use crate::path_fault;
use crate::reason::{Cause, Reason};

/// A valid item of the environment, as the values of its keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ItemSpec(Vec<(&'static str, Value)>);

/// The keys that say where an item is.
const PLACES: [&str; 4] = ["centre", "point", "line", "polygon"];

/// The names of the items that keys refer to, by what they are, and the number of dimensions.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) names: &'a [(&'static str, &'a [&'a str])],
    pub(crate) dimensions: usize,
}

impl ItemSpec {
    /// An item with these keys, without those that are absent.
    pub(crate) fn new(keys: impl IntoIterator<Item = (&'static str, Option<Value>)>) -> Self {
        Self(keys.into_iter().filter_map(|(key, value)| Some((key, value?))).collect())
    }

    /// The item in a world of the dimensions in which it was read.
    pub(crate) fn build<T: Definition>(&self) -> Result<T, Error> {
        T::from_keys(&self.0)
    }

    /// The keys of one of its groups, such as the arrivals of a source.
    pub(crate) fn group<T: Definition>(&self) -> Option<T> {
        T::read(&self.0).ok()
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    /// The item with another value of a key.
    pub(crate) fn with(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.0.retain(|(known, _)| *known != key);
        self.0.push((key, value.into()));
        self
    }

    /// The item in another place.
    pub(crate) fn moved(mut self, by: Vector<2>) -> Self {
        for (_, value) in self.0.iter_mut().filter(|(key, _)| PLACES.contains(key)) {
            let points = match value {
                Value::Point(point) => std::slice::from_mut(point),
                Value::Points(points) => points,
                _ => continue,
            };
            for (at, by) in points.iter_mut().flat_map(|point| point.iter_mut().zip(by.0)) {
                *at += f64::from(by);
            }
        }
        self
    }

    /// The value of a key that is a word; empty if it is absent.
    pub(crate) fn word(&self, key: &str) -> &str {
        self.get(key).and_then(Value::word).unwrap_or_default()
    }

    /// The name; empty if it has none.
    pub(crate) fn name(&self) -> &str {
        self.word("name")
    }

    pub(crate) fn words(&self, key: &str) -> &[String] {
        if let Some(Value::Words(words)) = self.get(key) { words } else { &[] }
    }

    pub(crate) fn number(&self, key: &str) -> Option<f32> {
        self.get(key)?.number().map(rounded)
    }

    pub(crate) fn point(&self, key: &str) -> Option<Vec<f32>> {
        point(self.get(key)?.clone())
    }
}

impl<'d> Reader<'d> {
    /// Reads the items of an array of tables, each with a name of its own.
    pub(crate) fn items<Flat: Definition, Space: Definition>(
        &mut self,
        tables: &[Fields<'d>],
        what: &'static str,
        scope: Scope<'_>,
    ) -> Vec<ItemSpec> {
        let mut items: Vec<ItemSpec> = Vec::new();
        for fields in tables {
            if let Some(entry) = fields.entry("name")
                && entry.item.node.text().is_some_and(|name| items.iter().any(|other| other.name() == name))
            {
                self.refuse(fields.path_of("name"), &entry.item, Reason::NameTaken(what));
            }
            items.extend(self.item::<Flat, Space>(fields, None, scope));
        }
        items
    }

    /// Reads one item, whose name may be the key of its table. Reports its problems.
    pub(crate) fn item<Flat: Definition, Space: Definition>(
        &mut self,
        fields: &Fields<'d>,
        name: Option<&str>,
        scope: Scope<'_>,
    ) -> Option<ItemSpec> {
        let before = self.problems.count();
        let mut values: Vec<_> = name.iter().map(|name| ("name", Value::from(*name))).collect();
        for key in Flat::KEYS.iter().filter(|key| fields.entry(key.name).is_some()) {
            values.extend(self.key(fields, key, scope).map(|value| (key.name, value)));
        }
        self.check_alternatives(fields, Flat::ALTERNATIVES);
        if self.problems.count() > before {
            return None;
        }
        let error = match scope.dimensions {
            3 => Space::from_keys(&values).err(),
            _ => Flat::from_keys(&values).err(),
        };
        match error {
            None => return Some(ItemSpec(values)),
            // A missing key that is required by itself was reported with the table.
            Some(Error::MissingKey { key, by: Some(by) }) => self.missing_for(fields, key, by),
            Some(Error::BadValue(bad)) => {
                let fault = path_fault::fault(&bad.value, bad.what == "polygon", scope.dimensions);
                let reason = match fault.filter(|_| bad.allowed == Allowed::WallPath) {
                    Some(fault) => Reason::WallPath(fault),
                    None => Reason::MustBe(bad.allowed),
                };
                match fields.entry(&bad.what) {
                    Some(entry) => self.refuse(fields.path_of(&bad.what), &entry.item, reason),
                    None => self.note(fields.at, fields.path.clone(), None, reason),
                }
            }
            Some(_) => {}
        }
        None
    }

    /// Reports a key that another one needs.
    pub(crate) fn missing_for(&mut self, fields: &Fields<'d>, key: &str, by: &'static str) {
        let at = fields.entry(by).map_or(fields.at, |entry| entry.at);
        self.note(at, fields.path_of(key), None, Reason::MissingFor(Cause { key: by, value: None }));
    }

    /// Reports all alternatives but one, and the keys that the one needs or does not use.
    fn check_alternatives(&mut self, fields: &Fields<'d>, all: &[Alternative]) {
        for misfit in misfits(all, |key| fields.entry(key).is_some()) {
            let (at, path, reason) = match misfit {
                Misfit::Missing(key, by) => {
                    (fields.at, fields.path_of(key), Reason::MissingFor(Cause { key: by, value: None }))
                }
                Misfit::Unused(key, by) => {
                    let at = fields.entry(key).map_or(fields.at, |entry| entry.at);
                    (at, fields.path_of(key), Reason::Unused(Cause { key: by, value: None }))
                }
                _ => {
                    let keys: Vec<_> = all.iter().map(|(key, _)| *key).collect();
                    let found = keys.iter().filter(|key| fields.entry(key).is_some()).count();
                    (fields.at, fields.path.clone(), Reason::OneOf { keys, found })
                }
            };
            self.note(at, path, None, reason);
        }
    }

    /// Reads a value by the kind of its key. Reports an invalid one, and references to unknown names.
    fn key(&mut self, fields: &Fields<'d>, key: &'static Parameter, scope: Scope<'_>) -> Option<Value> {
        if let Kind::Distribution(_) = key.kind {
            return self.distribution(fields, key.name).map(Value::from);
        }
        let value = self.value(fields, key.name, scope.dimensions)?;
        let words: &[String] = match &value {
            Value::Word(word) => std::slice::from_ref(word),
            Value::Words(words) => words,
            _ => return Some(value),
        };
        // A count does not short-circuit, so every unknown name is reported.
        let unknown = words.iter().filter(|word| !self.refers(fields, key, word, scope)).count();
        (unknown == 0).then_some(value)
    }

    /// Returns whether a word of a key refers to a known name, if it refers to one. Reports another one. Names that the
    /// scope lacks are checked later.
    fn refers(&mut self, fields: &Fields<'d>, key: &Parameter, word: &str, scope: Scope<'_>) -> bool {
        let named = |what: &str| scope.names.iter().find(|(known, _)| *known == what).map(|(_, names)| *names);
        let place = word.split_once(':').filter(|(what, _)| ["mark", "region"].contains(what));
        let (what, name) = match (key.kind, place) {
            (Kind::Reference(what) | Kind::References(what), _) => (what, word),
            (Kind::SpeciesOrPlace | Kind::Goals, Some(("mark", name))) => ("mark", name),
            (Kind::SpeciesOrPlace | Kind::Goals, Some((_, name))) => ("region", name),
            (Kind::Goals, None) => return self.no_goal(fields, key.name, word, ["region", "mark"].map(named)),
            (Kind::SpeciesFilter | Kind::SpeciesOrPlace, _) if !matches!(word, "own" | "all") => ("species", word),
            _ => return true,
        };
        named(what).is_none_or(|known| self.known(fields, key.name, what, name, known))
    }

    /// Reports a word that is not a goal.
    fn no_goal(&mut self, fields: &Fields<'d>, key: &str, word: &str, known: [Option<&[&str]>; 2]) -> bool {
        let prefixed = |(kind, names): (&str, Option<&[&str]>)| -> Vec<String> {
            names.unwrap_or_default().iter().map(|name| format!("{kind}:{name}")).collect()
        };
        let known: Vec<String> = ["region", "mark"].into_iter().zip(known).flat_map(prefixed).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        if let Some(entry) = fields.entry(key) {
            self.refuse(fields.path_of(key), &entry.item, Reason::unknown("goal", word, &known));
        }
        false
    }
}

/// The least and the greatest of some coordinates; none without any.
pub(crate) fn span(coordinates: impl Iterator<Item = f32>) -> Option<(f32, f32)> {
    let ends = coordinates.map(|at| (at, at));
    ends.reduce(|(low, high), (at, _)| (if at < low { at } else { low }, if at > high { at } else { high }))
}

/// The least and the greatest coordinate of a wall, an obstacle or a region on an axis; none for a plane, which has no
/// ends.
pub(crate) fn extent(wall: &ItemSpec, axis: usize) -> Option<(f32, f32)> {
    if let Some(Value::Points(points)) = wall.get("line").or(wall.get("polygon")) {
        return span(points.iter().map(|point| rounded(point[axis])));
    }
    let centre = wall.point("centre")?[axis];
    let reach = wall.number("radius").or_else(|| Some(0.5 * wall.point("size")?[axis]))?;
    Some((centre - reach, centre + reach))
}
