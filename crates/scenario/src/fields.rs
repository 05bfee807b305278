//! Reading of scenario tables: each value is checked against its key's entry in [`keys`].
//!
//! [`keys`]: crate::keys

use throng::parameters::{Allowed, Kind, Mistake, Parameter, Preset, Range, Value, is_name, rounded};
use throng::{Distribution, Warning};

use crate::document::{At, Document, Entry, Item, Node, Table};
use crate::keys::DISTRIBUTION;
use crate::problem::{Location, Problem, Problems};
use crate::reason::{Cause, Reason};

/// Renamed keys and their present names.
const RENAMED: [(&str, &str); 1] = [("candidate_cap", "pair_budget")];

/// A document being read, and the problems found so far.
pub(crate) struct Reader<'d> {
    pub(crate) document: &'d Document<'d>,
    pub(crate) problems: Problems,
    /// The warnings.
    pub(crate) doubts: Vec<Warning>,
}

/// A table and its allowed keys.
pub(crate) struct Fields<'d> {
    pub(crate) path: String,
    pub(crate) at: At,
    table: &'d Table,
    keys: &'static [Parameter],
}

impl<'d> Fields<'d> {
    pub(crate) fn entry(&self, name: &str) -> Option<&'d Entry> {
        self.table.iter().find(|entry| entry.key == name)
    }

    /// The entry of a key, and the key's description.
    pub(crate) fn find(&self, name: &str) -> Option<(&'d Entry, &'static Parameter)> {
        Some((self.entry(name)?, self.keys.iter().find(|key| key.name == name)?))
    }

    pub(crate) fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

/// The keys of each distribution that is written as a table: the one that names it, and the other one.
const DISTRIBUTIONS: [(&str, &str); 4] =
    [("mean", "sd"), ("median", "log_sd"), ("gamma", "scale"), ("weibull", "scale")];

impl<'d> Reader<'d> {
    /// Reports an invalid value.
    pub(crate) fn refuse(&mut self, path: String, item: &Item, reason: Reason) {
        let value = Some(self.document.shown(item.at));
        self.note(item.at, path, value, reason);
    }

    /// Reports a mistake in a statement, at its place inside the text.
    pub(crate) fn mistake(&mut self, path: String, item: &Item, mistake: Mistake) {
        let item = match &item.node {
            Node::Array(items) => items.get(mistake.statement).unwrap_or(item),
            _ => item,
        };
        let at = self.document.inside(item.at, item.node.text().unwrap_or_default(), mistake.at);
        let value = Some(self.document.shown(item.at));
        self.note(at, path, value, Reason::MustBe(Allowed::Statement(mistake)));
    }

    /// Warns that a part of a file is not read as its author may mean.
    pub(crate) fn doubt(&mut self, key: String, message: String) {
        self.doubts.push(Warning::new(throng::WarningKind::Reading, key, message));
    }

    pub(crate) fn note(&mut self, at: At, key: String, value: Option<String>, reason: Reason) {
        let place = self.document.place(at);
        self.problems.add(Problem { place, key, value, reason });
    }

    /// The file's outermost table.
    pub(crate) fn root(&mut self, keys: &'static [Parameter]) -> Fields<'d> {
        let fields = Fields { path: String::new(), at: At::Text(0, 0), table: &self.document.root, keys };
        self.check_keys(&fields);
        fields
    }

    /// Reads a table with these keys.
    pub(crate) fn table(&mut self, path: String, entry: &'d Entry, keys: &'static [Parameter]) -> Option<Fields<'d>> {
        self.table_of(path, entry.at, &entry.item, keys)
    }

    fn table_of(&mut self, path: String, at: At, item: &'d Item, keys: &'static [Parameter]) -> Option<Fields<'d>> {
        let Node::Table(table) = &item.node else {
            self.refuse(path, item, Reason::MustBe(Allowed::Kind { kind: Kind::Table(keys), unit: "" }));
            return None;
        };
        let fields = Fields { path, at, table, keys };
        self.check_keys(&fields);
        Some(fields)
    }

    /// Reads the tables of a key that is an array of tables.
    pub(crate) fn tables(&mut self, fields: &Fields<'d>, name: &str) -> Vec<Fields<'d>> {
        let Some((entry, key @ Parameter { kind: Kind::Tables(keys), .. })) = fields.find(name) else {
            return Vec::new();
        };
        let path = fields.path_of(name);
        let Node::Array(items) = &entry.item.node else {
            self.refuse(path, &entry.item, Reason::must_be(key));
            return Vec::new();
        };
        let items = items.iter().enumerate();
        items.filter_map(|(number, item)| self.table_of(format!("{path}.{number}"), item.at, item, keys)).collect()
    }

    /// Reads the entries of a key whose own keys are names. Also returns the kind of their values.
    pub(crate) fn named(&mut self, fields: &Fields<'d>, name: &str) -> (&'d [Entry], Option<Kind>) {
        let Some((entry, key)) = fields.find(name) else { return (&[], None) };
        let (Node::Table(table), Kind::Named(_, kind)) = (&entry.item.node, key.kind) else {
            self.refuse(fields.path_of(name), &entry.item, Reason::must_be(key));
            return (&[], None);
        };
        (table, Some(*kind))
    }

    /// Reads the tables of a key whose own keys are their names. Reports invalid names.
    pub(crate) fn named_tables(&mut self, fields: &Fields<'d>, name: &str) -> Vec<(&'d str, Fields<'d>)> {
        let (entries, Some(Kind::Table(keys))) = self.named(fields, name) else { return Vec::new() };
        let path = fields.path_of(name);
        let mut tables = Vec::new();
        for entry in entries {
            let path = self.check_name(&path, entry);
            if let Some(fields) = self.table(path, entry, keys) {
                tables.push((&entry.key[..], fields));
            }
        }
        tables
    }

    /// Checks the name of an entry and returns its path.
    pub(crate) fn check_name(&mut self, path: &str, entry: &Entry) -> String {
        let path = format!("{path}.{}", entry.key.chars().take(64).collect::<String>());
        if !is_name(&entry.key) {
            self.note(entry.at, path.clone(), None, Reason::Name { of_species: false });
        }
        path
    }

    /// Reads the table of a key whose value is a table.
    pub(crate) fn inner(&mut self, fields: &Fields<'d>, name: &str) -> Option<Fields<'d>> {
        let (entry, key) = fields.find(name)?;
        let (Kind::Table(keys) | Kind::FileOrTable(keys)) = key.kind else { return None };
        self.table(fields.path_of(name), entry, keys)
    }

    fn check_keys(&mut self, fields: &Fields<'d>) {
        let names: Vec<&str> = fields.keys.iter().map(|key| key.name).collect();
        for entry in fields.table {
            self.check_key(&fields.path, entry, &names);
        }
        for key in fields.keys.iter().filter(|key| key.default == Preset::Required) {
            if fields.entry(key.name).is_none() {
                let reason = Reason::Missing(key.expected());
                // A missing top-level key is reported at the start of the file.
                let place = if fields.path.is_empty() {
                    Location::Text { line: 1, column: 1 }
                } else {
                    self.document.place(fields.at)
                };
                self.problems.add(Problem { place, key: fields.path_of(key.name), value: None, reason });
            }
        }
    }

    /// Reports an unknown key.
    pub(crate) fn check_key(&mut self, path: &str, entry: &Entry, known: &[&str]) {
        if !known.contains(&&entry.key[..]) {
            let key: String = entry.key.chars().take(64).collect();
            let path = if path.is_empty() { key } else { format!("{path}.{key}") };
            let renamed = RENAMED.iter().find(|(old, _)| *old == entry.key);
            let reason = match renamed {
                Some((_, to)) => Reason::Renamed { to },
                None => Reason::unknown("key", &entry.key, known),
            };
            self.note(entry.at, path, None, reason);
        }
    }

    /// Reads the value of a key, in a world with this number of dimensions. Returns `None` if the key is absent or the
    /// value is invalid; an invalid value is reported.
    pub(crate) fn value(&mut self, fields: &Fields<'d>, name: &str, dimensions: usize) -> Option<Value> {
        let (entry, key) = fields.find(name)?;
        let value = value(&entry.item.node, key.kind, dimensions);
        if value.is_none() {
            self.refuse(fields.path_of(name), &entry.item, Reason::must_be(key));
        }
        value
    }

    /// Reads the value of a key that is a string.
    fn word(&mut self, fields: &Fields<'d>, name: &str) -> Option<&'d str> {
        self.value(fields, name, 0)?;
        fields.entry(name)?.item.node.text()
    }

    pub(crate) fn whole(&mut self, fields: &Fields<'d>, name: &str) -> Option<u64> {
        self.value(fields, name, 0)?.whole()
    }

    /// Reads an integer; `Some(None)` for `"off"`.
    pub(crate) fn whole_or_off(&mut self, fields: &Fields<'d>, name: &str) -> Option<Option<u64>> {
        self.value(fields, name, 0).map(|value| value.whole())
    }

    pub(crate) fn number(&mut self, fields: &Fields<'d>, name: &str) -> Option<f32> {
        self.value(fields, name, 0)?.number().map(rounded)
    }

    /// Reads a number, or a range of numbers if the key allows one.
    pub(crate) fn distribution(&mut self, fields: &Fields<'d>, name: &str) -> Option<Distribution> {
        if let Some(distribution) = self.distribution_table(fields, name) {
            return distribution;
        }
        match self.value(fields, name, 0)? {
            Value::Point(ends) => Some(Distribution::Uniform(rounded(*ends.first()?), rounded(*ends.get(1)?))),
            number => number.number().map(|number| Distribution::Same(rounded(number))),
        }
    }

    /// Reads a distribution that is written as a table; `None` if it is not.
    fn distribution_table(&mut self, fields: &Fields<'d>, name: &str) -> Option<Option<Distribution>> {
        let (entry, key @ Parameter { kind: Kind::Distribution(range), .. }) = fields.find(name)? else { return None };
        let Node::Table(_) = entry.item.node else { return None };
        let table = self.table(fields.path_of(name), entry, DISTRIBUTION)?;
        let [low, high] = ["low", "high"].map(|key| self.number(&table, key));
        let (low, high) = (low.unwrap_or(rounded(range.low)), high.unwrap_or(rounded(range.high)));
        let mut named = DISTRIBUTIONS.iter().filter(|(first, _)| table.entry(first).is_some());
        let (Some(&(first, second)), 0) = (named.next(), named.count()) else {
            let keys: Vec<&str> = DISTRIBUTIONS.iter().map(|(first, _)| *first).collect();
            let found = keys.iter().filter(|key| table.entry(key).is_some()).count();
            self.note(table.at, table.path.clone(), None, Reason::OneOf { keys, found });
            return Some(None);
        };
        let cause = || Cause { key: first, value: None };
        for (_, other) in DISTRIBUTIONS.iter().filter(|(_, other)| *other != second) {
            if let Some(unused) = table.entry(other) {
                self.note(unused.at, table.path_of(other), None, Reason::Unused(cause()));
            }
        }
        if table.entry(second).is_none() {
            self.note(table.at, table.path_of(second), None, Reason::MissingFor(cause()));
        }
        let [Some(one), Some(other)] = [first, second].map(|key| self.number(&table, key)) else { return Some(None) };
        let (distribution, middle, value) = match first {
            "mean" => (Distribution::Normal { mean: one, sd: other, low, high }, "mean", one),
            "median" => (Distribution::LogNormal { median: one, log_sd: other, low, high }, "median", one),
            "gamma" => (Distribution::Gamma { shape: one, scale: other, low, high }, "gamma * scale", one * other),
            _ => (Distribution::Weibull { shape: one, scale: other, low, high }, "scale", other),
        };
        for (of, value) in [(middle, value), ("low", low), ("high", high)] {
            if let Some(entry) = table.entry(of)
                && !range.contains(f64::from(value))
            {
                let reason = Reason::MustBe(Allowed::number(*range, key.unit));
                self.refuse(table.path_of(of), &entry.item, reason);
                return Some(None);
            }
        }
        if distribution.check(key).is_err() {
            let keys: &[&str] = match middle {
                "mean" => &["low", "mean", "high"],
                "median" => &["low", "median", "high"],
                "scale" => &["low", "scale", "high"],
                _ => &["low", "gamma * scale", "high"],
            };
            self.note(table.at, table.path.clone(), None, Reason::Ascending(keys));
            return Some(None);
        }
        Some(Some(distribution))
    }

    pub(crate) fn per_axis(&mut self, fields: &Fields<'d>, name: &str, dimensions: usize) -> Option<Vec<f32>> {
        point(self.value(fields, name, dimensions)?)
    }

    pub(crate) fn choice(&mut self, fields: &Fields<'d>, name: &str) -> Option<&'d str> {
        self.word(fields, name)
    }

    /// Reads one word per axis, or a word for all axes.
    pub(crate) fn choice_per_axis(
        &mut self,
        fields: &Fields<'d>,
        name: &str,
        dimensions: usize,
    ) -> Option<Vec<String>> {
        match self.value(fields, name, dimensions)? {
            Value::Word(word) => Some(vec![word; dimensions]),
            Value::Words(words) => Some(words),
            _ => None,
        }
    }

    pub(crate) fn flag(&mut self, fields: &Fields<'d>, name: &str) -> Option<bool> {
        Some(self.value(fields, name, 0)? == Value::Flag(true))
    }

    /// Reads the name that a key declares.
    pub(crate) fn name(&mut self, fields: &Fields<'d>, name: &str) -> Option<&'d str> {
        self.word(fields, name)
    }

    pub(crate) fn text(&mut self, fields: &Fields<'d>, name: &str) -> Option<&'d str> {
        self.word(fields, name)
    }

    /// Reads a reference to one of the known names.
    pub(crate) fn reference(&mut self, fields: &Fields<'d>, name: &str, known: &[&str]) -> Option<&'d str> {
        let text = self.word(fields, name)?;
        let what = match fields.find(name) {
            Some((_, Parameter { kind: Kind::Reference(what), .. })) => *what,
            _ => "species",
        };
        self.known(fields, name, what, text, known).then_some(text)
    }

    /// Returns whether a referenced name is known. Reports an unknown name.
    pub(crate) fn known(
        &mut self,
        fields: &Fields<'d>,
        name: &str,
        what: &'static str,
        text: &str,
        known: &[&str],
    ) -> bool {
        let is_known = known.contains(&text);
        if let Some(entry) = fields.entry(name).filter(|_| !is_known) {
            self.refuse(fields.path_of(name), &entry.item, Reason::unknown(what, text, known));
        }
        is_known
    }

    pub(crate) fn whole_per_axis(&mut self, fields: &Fields<'d>, name: &str, dimensions: usize) -> Option<Vec<usize>> {
        let Value::Point(cells) = self.value(fields, name, dimensions)? else { return None };
        Some(cells.into_iter().map(|cells| cells as usize).collect())
    }

    pub(crate) fn vectors(&mut self, fields: &Fields<'d>, name: &str, dimensions: usize) -> Option<Vec<Vec<f32>>> {
        let Value::Points(points) = self.value(fields, name, dimensions)? else { return None };
        Some(points.into_iter().map(|point| point.into_iter().map(rounded).collect()).collect())
    }
}

/// The node as a value of a kind, in a world with this number of dimensions; `None` if it is not one.
pub(crate) fn value(node: &Node, kind: Kind, dimensions: usize) -> Option<Value> {
    node.value(kind).filter(|value| kind.takes(value, dimensions))
}

/// The node as a vector: one number for each dimension.
pub(crate) fn vector(node: &Node, dimensions: usize, range: Range) -> Option<Vec<f32>> {
    point(value(node, Kind::Point(range), dimensions)?)
}

/// The components of a point in single precision.
pub(crate) fn point(value: Value) -> Option<Vec<f32>> {
    if let Value::Point(point) = value { Some(point.into_iter().map(rounded).collect()) } else { None }
}
