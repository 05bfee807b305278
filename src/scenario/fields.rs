//! How is one table of a scenario read? Key by key, each value checked against the key's own entry in [`keys`].
//!
//! [`keys`]: crate::scenario::keys

use crate::behaviour::Whom;
use crate::parameters::Range;
use crate::scenario::document::{At, Document, Entry, Item, Node, Table};
use crate::scenario::form::{Form, Key, Preset};
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
            self.note(entry.at, path.clone(), None, format!("a name {}", Form::Name.allowed("")));
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

    pub(crate) fn flag(&mut self, fields: &Fields<'d>, name: &str) -> Option<bool> {
        self.read(fields, name, |node, _| if let Node::Flag(flag) = node { Some(*flag) } else { None })
    }

    /// A name that is made here.
    pub(crate) fn name(&mut self, fields: &Fields<'d>, name: &str) -> Option<&'d str> {
        self.read(fields, name, |node, _| match node {
            Node::Text(text) if is_name(text) => Some(&text[..]),
            _ => None,
        })
    }

    /// A name that must be one of those that are known.
    pub(crate) fn reference(&mut self, fields: &Fields<'d>, name: &str, known: &[&str]) -> Option<&'d str> {
        let text =
            self.read(fields, name, |node, _| if let Node::Text(text) = node { Some(&text[..]) } else { None })?;
        self.check_reference(fields, name, text, known).then_some(text)
    }

    /// The same for an array of names.
    pub(crate) fn references(&mut self, fields: &Fields<'d>, name: &str, known: &[&str]) -> Option<Vec<&'d str>> {
        let texts = self.read(fields, name, |node, _| texts(node))?;
        // All of them: every mistake is told at once.
        let wrong = texts.iter().filter(|text| !self.check_reference(fields, name, text, known)).count();
        (wrong == 0).then_some(texts)
    }

    /// Whom a key is about: species of the file.
    pub(crate) fn whom(&mut self, fields: &Fields<'d>, name: &str, species: &[&str]) -> Option<Whom> {
        match fields.entry(name).map(|entry| &entry.item.node) {
            Some(Node::Text(word)) if word == "own" => Some(Whom::Own),
            Some(Node::Text(word)) if word == "all" => Some(Whom::All),
            Some(Node::Text(_)) => self.reference(fields, name, species).map(Whom::named),
            _ => {
                let names = self.references(fields, name, species)?;
                Some(Whom::Named(names.into_iter().map(str::to_owned).collect()))
            }
        }
    }

    fn check_reference(&mut self, fields: &Fields<'d>, name: &str, text: &str, known: &[&str]) -> bool {
        let Some((entry, key)) = fields.find(name) else { return false };
        let good = known.contains(&text);
        if !good {
            let what = if let Form::Reference(what) | Form::References(what) = key.form { what } else { "species" };
            self.refuse(fields.path_of(name), &entry.item, no_such(what, text, known));
        }
        good
    }

    pub(crate) fn whole_per_axis(&mut self, fields: &Fields<'d>, name: &str, dimensions: usize) -> Option<Vec<usize>> {
        self.read(fields, name, |node, key| match (node, &key.form) {
            (Node::Array(items), Form::WholePerAxis(low, high)) if items.len() == dimensions => {
                let whole = |item: &Item| match item.node {
                    Node::Number(_, Some(whole)) => {
                        u64::try_from(whole).ok().filter(|whole| (low..=high).contains(&whole))
                    }
                    _ => None,
                };
                items.iter().map(|item| whole(item).map(|whole| whole as usize)).collect()
            }
            _ => None,
        })
    }

    pub(crate) fn vectors(&mut self, fields: &Fields<'d>, name: &str, dimensions: usize) -> Option<Vec<Vec<f32>>> {
        self.read(fields, name, |node, key| match (node, &key.form) {
            (Node::Array(items), Form::Vectors(range)) => {
                items.iter().map(|item| vector(&item.node, dimensions, *range)).collect()
            }
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

/// Whether something can be called this.
pub(crate) fn is_name(text: &str) -> bool {
    let character = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    (1..=64).contains(&text.len()) && text.chars().all(character)
}

/// What is said of a name that nothing of the file has.
pub(crate) fn no_such(what: &str, name: &str, known: &[&str]) -> String {
    let name: String = name.chars().take(64).collect();
    format!("there is no {what} `{name}`{}", nearest(&name, known))
}

/// An array of texts.
fn texts(node: &Node) -> Option<Vec<&str>> {
    let Node::Array(items) = node else { return None };
    items.iter().map(|item| if let Node::Text(text) = &item.node { Some(&text[..]) } else { None }).collect()
}

/// A number in a range, before and after it is rounded to `f32`.
pub(crate) fn number(node: &Node, range: Range) -> Option<f32> {
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
