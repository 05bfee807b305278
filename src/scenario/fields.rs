//! Reads one table of a scenario key by key, each value checked against the key's own entry in [`keys`].
//!
//! [`keys`]: crate::scenario::keys

use crate::behaviour::Whom;
use crate::parameters::field::rounded;
pub(crate) use crate::parameters::is_name;
use crate::parameters::{Kind, Range, Value};
use crate::scenario::document::{At, Document, Entry, Item, Node, Table};
use crate::scenario::form::{Form, Key, Preset};
use crate::scenario::problem::{Place, Problem, Problems};
use crate::scenario::suggest::nearest;
use crate::species::Spread;

/// Keys that have another name now, and that name.
const RENAMED: [(&str, &str); 1] = [("candidate_cap", "pair_budget")];

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
        self.table_of(path, entry.at, &entry.item, keys)
    }

    fn table_of(&mut self, path: String, at: At, item: &'d Item, keys: &'d [Key]) -> Option<Fields<'d>> {
        let Node::Table(table) = &item.node else {
            self.refuse(path, item, "must be a table");
            return None;
        };
        let fields = Fields { path, at, table, keys };
        self.check_keys(&fields);
        Some(fields)
    }

    /// The tables of a key that is an array of them.
    pub(crate) fn tables(&mut self, fields: &Fields<'d>, name: &str) -> Vec<Fields<'d>> {
        let Some((entry, Key { form: Form::Tables(keys), .. })) = fields.find(name) else { return Vec::new() };
        let path = fields.path_of(name);
        let Node::Array(items) = &entry.item.node else {
            self.refuse(path, &entry.item, Form::Tables(Vec::new()).allowed(""));
            return Vec::new();
        };
        let items = items.iter().enumerate();
        items.filter_map(|(number, item)| self.table_of(format!("{path}.{number}"), item.at, item, keys)).collect()
    }

    /// The entries of a key whose own keys are names, and as what each is to be read.
    pub(crate) fn named(&mut self, fields: &Fields<'d>, name: &str) -> (&'d [Entry], Option<&'d Form>) {
        let Some((entry, key)) = fields.find(name) else { return (&[], None) };
        let (Node::Table(table), Form::Named(_, form)) = (&entry.item.node, &key.form) else {
            self.refuse(fields.path_of(name), &entry.item, key.form.allowed(key.unit));
            return (&[], None);
        };
        (table, Some(form))
    }

    /// The same where each is a table, with the names, which must be good ones.
    pub(crate) fn named_tables(&mut self, fields: &Fields<'d>, name: &str) -> Vec<(&'d str, Fields<'d>)> {
        let (entries, Some(Form::Table(keys))) = self.named(fields, name) else { return Vec::new() };
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

    /// The path of an entry that is known by a name, which must be a good one.
    pub(crate) fn check_name(&mut self, path: &str, entry: &Entry) -> String {
        let path = format!("{path}.{}", entry.key.chars().take(64).collect::<String>());
        if !is_name(&entry.key) {
            self.note(entry.at, path.clone(), None, format!("a name must be {}", Kind::Name.allowed("")));
        }
        path
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
            let renamed = RENAMED.iter().find(|(old, _)| *old == entry.key);
            let reason = match renamed {
                Some((_, new)) => format!("is not a key any more: see `{new}`"),
                None => format!("there is no such key{}", nearest(&entry.key, known)),
            };
            self.note(entry.at, path, None, reason);
        }
    }

    /// Reads the value of one key, in a world of this many dimensions. `None` if the key is absent or cannot have the
    /// value, which is noted.
    pub(crate) fn value(&mut self, fields: &Fields<'d>, name: &str, dimensions: usize) -> Option<Value> {
        let (entry, key) = fields.find(name)?;
        let Form::Value(kind) = key.form else { return None };
        let value = value(&entry.item.node, kind, dimensions);
        if value.is_none() {
            self.refuse(fields.path_of(name), &entry.item, key.form.allowed(key.unit));
        }
        value
    }

    /// The same for a key whose value is a text.
    fn word(&mut self, fields: &Fields<'d>, name: &str) -> Option<&'d str> {
        self.value(fields, name, 0)?;
        fields.entry(name)?.item.node.text()
    }

    pub(crate) fn whole(&mut self, fields: &Fields<'d>, name: &str) -> Option<u64> {
        self.value(fields, name, 0)?.whole()
    }

    /// A whole number, or `Some(None)` for `"off"`.
    pub(crate) fn whole_or_off(&mut self, fields: &Fields<'d>, name: &str) -> Option<Option<u64>> {
        self.value(fields, name, 0).map(|value| value.whole())
    }

    pub(crate) fn number(&mut self, fields: &Fields<'d>, name: &str) -> Option<f32> {
        self.value(fields, name, 0)?.number().map(rounded)
    }

    /// A number, or a range of numbers where the key allows one.
    pub(crate) fn spread(&mut self, fields: &Fields<'d>, name: &str) -> Option<Spread> {
        match self.value(fields, name, 0)? {
            Value::Point(ends) => Some(Spread::Uniform(rounded(*ends.first()?), rounded(*ends.get(1)?))),
            number => number.number().map(|number| Spread::Same(rounded(number))),
        }
    }

    pub(crate) fn per_axis(&mut self, fields: &Fields<'d>, name: &str, dimensions: usize) -> Option<Vec<f32>> {
        point(self.value(fields, name, dimensions)?)
    }

    pub(crate) fn choice(&mut self, fields: &Fields<'d>, name: &str) -> Option<&'d str> {
        self.word(fields, name)
    }

    pub(crate) fn flag(&mut self, fields: &Fields<'d>, name: &str) -> Option<bool> {
        Some(self.value(fields, name, 0)? == Value::Flag(true))
    }

    /// A name that is made here.
    pub(crate) fn name(&mut self, fields: &Fields<'d>, name: &str) -> Option<&'d str> {
        self.word(fields, name)
    }

    pub(crate) fn text(&mut self, fields: &Fields<'d>, name: &str) -> Option<&'d str> {
        self.word(fields, name)
    }

    /// A name that must be one of those that are known.
    pub(crate) fn reference(&mut self, fields: &Fields<'d>, name: &str, known: &[&str]) -> Option<&'d str> {
        let text = self.word(fields, name)?;
        self.check_reference(fields, name, text, known).then_some(text)
    }

    /// The same for an array of names.
    pub(crate) fn references(&mut self, fields: &Fields<'d>, name: &str, known: &[&str]) -> Option<Vec<String>> {
        let Value::Words(words) = self.value(fields, name, 0)? else { return None };
        // All of them: every mistake is reported at once.
        let wrong = words.iter().filter(|word| !self.check_reference(fields, name, word, known)).count();
        (wrong == 0).then_some(words)
    }

    /// Whom a key is about: species of the file.
    pub(crate) fn whom(&mut self, fields: &Fields<'d>, name: &str, species: &[&str]) -> Option<Whom> {
        match fields.entry(name).and_then(|entry| entry.item.node.text()) {
            Some("own") => Some(Whom::Own),
            Some("all") => Some(Whom::All),
            Some(_) => self.reference(fields, name, species).map(Whom::named),
            None => self.references(fields, name, species).map(Whom::Named),
        }
    }

    fn check_reference(&mut self, fields: &Fields<'d>, name: &str, text: &str, known: &[&str]) -> bool {
        let what = match fields.find(name) {
            Some((_, Key { form: Form::Value(Kind::Reference(what) | Kind::References(what)), .. })) => *what,
            _ => "species",
        };
        self.known(fields, name, what, text, known)
    }

    /// Whether a name that a key refers to is one of those that are known, which is noted if not.
    pub(crate) fn known(&mut self, fields: &Fields<'d>, name: &str, what: &str, text: &str, known: &[&str]) -> bool {
        let good = known.contains(&text);
        if let Some(entry) = fields.entry(name).filter(|_| !good) {
            self.refuse(fields.path_of(name), &entry.item, no_such(what, text, known));
        }
        good
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

/// What is said of a name that nothing of the file has.
pub(crate) fn no_such(what: &str, name: &str, known: &[&str]) -> String {
    let name: String = name.chars().take(64).collect();
    format!("there is no {what} `{name}`{}", nearest(&name, known))
}

/// The value of a kind that a node writes, in a world of this many dimensions; `None` if it writes none.
pub(crate) fn value(node: &Node, kind: Kind, dimensions: usize) -> Option<Value> {
    node.value(kind).filter(|value| kind.takes(value, dimensions))
}

/// One number for each dimension.
pub(crate) fn vector(node: &Node, dimensions: usize, range: Range) -> Option<Vec<f32>> {
    point(value(node, Kind::Point(range), dimensions)?)
}

/// The components of a point, as the engine has them.
pub(crate) fn point(value: Value) -> Option<Vec<f32>> {
    if let Value::Point(point) = value { Some(point.into_iter().map(rounded).collect()) } else { None }
}
