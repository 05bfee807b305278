//! How is one table of a scenario read? Key by key, each value checked against the key's own entry in [`keys`].
//!
//! [`keys`]: crate::scenario::keys

use crate::parameters::Range;
use crate::scenario::document::{At, Document, Entry, Item, Node, Table};
use crate::scenario::keys::{Form, Key, Preset};
use crate::scenario::problem::{Place, Problem, Problems};
use crate::scenario::suggest::nearest;
use crate::species::Spread;

/// A document being read, and what was found to be wrong with it.
pub(crate) struct Reader<'d> {
    pub(crate) document: &'d Document<'d>,
    pub(crate) problems: Problems,
}

/// A table, and the keys that it may have.
pub(crate) struct Fields<'d> {
    pub(crate) path: String,
    pub(crate) at: At,
    table: &'d Table,
    keys: &'d [Key],
}

impl<'d> Fields<'d> {
    pub(crate) fn entry(&self, name: &str) -> Option<&'d Entry> {
        self.table.iter().find(|entry| entry.key == name)
    }

    /// The entry of a key, and what is known about the key.
    fn find(&self, name: &str) -> Option<(&'d Entry, &'d Key)> {
        Some((self.entry(name)?, self.keys.iter().find(|key| key.name == name)?))
    }

    pub(crate) fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

impl<'d> Reader<'d> {
    /// Notes that a value is not what it must be.
    pub(crate) fn refuse(&mut self, path: String, item: &Item, reason: impl Into<String>) {
        let value = Some(self.document.shown(item.at));
        self.note(item.at, path, value, reason.into());
    }

    pub(crate) fn note(&mut self, at: At, key: String, value: Option<String>, reason: String) {
        let place = self.document.place(at);
        self.problems.add(Problem { place, key, value, reason });
    }

    /// The file's outermost table.
    pub(crate) fn root(&mut self, keys: &'d [Key]) -> Fields<'d> {
        let fields = Fields { path: String::new(), at: At::Text(0, 0), table: &self.document.root, keys };
        self.check_keys(&fields);
        fields
    }

    /// A table with these keys; `at` is where it is named.
    pub(crate) fn table(&mut self, path: String, entry: &'d Entry, keys: &'d [Key]) -> Option<Fields<'d>> {
        let Node::Table(table) = &entry.item.node else {
            self.refuse(path, &entry.item, "must be a table");
            return None;
        };
        let fields = Fields { path, at: entry.at, table, keys };
        self.check_keys(&fields);
        Some(fields)
    }

    /// The table of a key that is one.
    pub(crate) fn inner(&mut self, fields: &Fields<'d>, name: &str) -> Option<Fields<'d>> {
        let (entry, key) = fields.find(name)?;
        let Form::Table(keys) = &key.form else { return None };
        self.table(fields.path_of(name), entry, keys)
    }

    fn check_keys(&mut self, fields: &Fields<'d>) {
        let names: Vec<&str> = fields.keys.iter().map(|key| key.name).collect();
        for entry in fields.table {
            self.check_key(&fields.path, entry, &names);
        }
        for key in fields.keys.iter().filter(|key| key.default == Preset::Required) {
            if fields.entry(key.name).is_none() {
                let reason = format!("is missing: {}", key.form.allowed(key.unit));
                // A key that the whole file lacks is missing at its start.
                let place = if fields.path.is_empty() {
                    Place::Text { line: 1, column: 1 }
                } else {
                    self.document.place(fields.at)
                };
                self.problems.add(Problem { place, key: fields.path_of(key.name), value: None, reason });
            }
        }
    }

    /// Notes a key that there is not.
    pub(crate) fn check_key(&mut self, path: &str, entry: &Entry, known: &[&str]) {
        if !known.contains(&&entry.key[..]) {
            let key: String = entry.key.chars().take(64).collect();
            let path = if path.is_empty() { key } else { format!("{path}.{key}") };
            self.note(entry.at, path, None, format!("there is no such key{}", nearest(&entry.key, known)));
        }
    }

    /// Reads one key. `None` if it is not there, or not what it must be, which is noted.
    fn read<T>(
        &mut self,
        fields: &Fields<'d>,
        name: &str,
        read: impl FnOnce(&'d Node, &Key) -> Option<T>,
    ) -> Option<T> {
        let (entry, key) = fields.find(name)?;
        let value = read(&entry.item.node, key);
        if value.is_none() {
            self.refuse(fields.path_of(name), &entry.item, key.form.allowed(key.unit));
        }
        value
    }

    pub(crate) fn whole(&mut self, fields: &Fields<'d>, name: &str) -> Option<u64> {
        self.read(fields, name, |node, key| match (node, &key.form) {
            (Node::Number(_, Some(whole)), Form::Whole(low, high)) => {
                u64::try_from(*whole).ok().filter(|whole| (low..=high).contains(&whole))
            }
            _ => None,
        })
    }

    /// A whole number, or `Some(None)` for `"off"`.
    pub(crate) fn whole_or_off(&mut self, fields: &Fields<'d>, name: &str) -> Option<Option<u64>> {
        self.read(fields, name, |node, key| match (node, &key.form) {
            (Node::Text(word), _) if word == "off" => Some(None),
            (Node::Number(_, Some(whole)), Form::WholeOrOff(low)) => {
                u64::try_from(*whole).ok().filter(|whole| whole >= low).map(Some)
            }
            _ => None,
        })
    }

    pub(crate) fn number(&mut self, fields: &Fields<'d>, name: &str) -> Option<f32> {
        self.read(fields, name, |node, key| match &key.form {
            Form::Number(range) => number(node, *range),
            _ => None,
        })
    }

    /// A number, or a range of numbers where the key allows one.
    pub(crate) fn spread(&mut self, fields: &Fields<'d>, name: &str) -> Option<Spread> {
        self.read(fields, name, |node, key| match (&key.form, node) {
            (Form::Spread(range), Node::Array(items)) => match &items[..] {
                [low, high] => {
                    let (low, high) = (number(&low.node, *range)?, number(&high.node, *range)?);
                    (low <= high).then_some(Spread::Uniform(low, high))
                }
                _ => None,
            },
            (Form::Spread(range) | Form::Number(range), _) => number(node, *range).map(Spread::Same),
            _ => None,
        })
    }

    pub(crate) fn per_axis(&mut self, fields: &Fields<'d>, name: &str, dimensions: usize) -> Option<Vec<f32>> {
        self.read(fields, name, |node, key| match &key.form {
            Form::PerAxis(range) => vector(node, dimensions, *range),
            _ => None,
        })
    }

    pub(crate) fn choice(&mut self, fields: &Fields<'d>, name: &str) -> Option<&'d str> {
        self.read(fields, name, |node, key| match (node, &key.form) {
            (Node::Text(text), Form::Choice(words)) => words.contains(&&text[..]).then_some(&text[..]),
            _ => None,
        })
    }

    pub(crate) fn text(&mut self, fields: &Fields<'d>, name: &str) -> Option<&'d str> {
        self.read(fields, name, |node, _| match node {
            Node::Text(text) if text.chars().count() <= 100 && !text.chars().any(char::is_control) => Some(&text[..]),
            _ => None,
        })
    }
}

/// A number in a range, before and after it is rounded to `f32`.
fn number(node: &Node, range: Range) -> Option<f32> {
    match node {
        Node::Number(number, _) if range.contains(*number) && range.contains(f64::from(*number as f32)) => {
            Some(*number as f32)
        }
        _ => None,
    }
}

/// One number for each dimension.
pub(crate) fn vector(node: &Node, dimensions: usize, range: Range) -> Option<Vec<f32>> {
    match node {
        Node::Array(items) if items.len() == dimensions => items.iter().map(|item| number(&item.node, range)).collect(),
        _ => None,
    }
}
