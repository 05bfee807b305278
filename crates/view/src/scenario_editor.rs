//! Edits the text of a scenario: a changed key alters only its value. Comments, order and the format of numbers stay.

use toml_edit::{Array, Decor, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// A change to a list of tables, with the keys of an entry and their values.
#[derive(Clone, Debug)]
pub(crate) enum ListChange {
    /// A new last entry.
    Add(Vec<(&'static str, Value)>),
    /// New values of keys of the entry with this number.
    Set(usize, Vec<(&'static str, Value)>),
    /// The removal of the entry with this number. The numbers of later entries decrease by one.
    Remove(usize),
    /// The removal of all entries.
    Clear,
}

impl ListChange {
    /// The number of the entry that gets new values.
    pub(crate) fn number(&self) -> Option<usize> {
        if let Self::Set(number, _) = self { Some(*number) } else { None }
    }
}

/// The text of a scenario, open for changes.
#[derive(Debug)]
pub(crate) struct ScenarioEditor {
    root: DocumentMut,
    mark: bool,
    crlf: bool,
}

impl ScenarioEditor {
    /// Parses a text. The text of a valid scenario always parses.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mark = text.starts_with('\u{feff}');
        let crlf = text.find('\n').is_some_and(|end| text[..end].ends_with('\r'));
        let root = text.trim_start_matches('\u{feff}').parse();
        let root = root.map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
        Ok(Self { root, mark, crlf })
    }

    /// Sets the value at a path, as `--set` does: the key of an array's element is its number; the key of a rule may
    /// also be its name. Creates missing tables.
    pub(crate) fn set(&mut self, path: &[&str], value: Value) -> Result<(), String> {
        set(self.root.as_table_mut(), path, value)
    }

    /// Applies one `key=value` of `--set`.
    pub(crate) fn set_text(&mut self, text: &str) -> Result<(), String> {
        let (path, value) = text.split_once('=').ok_or("must be key=value")?;
        let path: Vec<&str> = path.split('.').map(str::trim).collect();
        let value = value.trim();
        self.set(&path, value.parse().unwrap_or_else(|_| value.into()))
    }

    /// Adds to a whole number, down to zero.
    pub(crate) fn add(&mut self, path: &[&str], number: i64) -> Result<(), String> {
        let found = path.iter().try_fold(self.root.as_item(), |item, key| item.get(key));
        let old =
            found.and_then(Item::as_integer).ok_or_else(|| format!("{} is not a whole number", path.join(".")))?;
        self.set(path, old.saturating_add(number).max(0).into())
    }

    /// The number of entries of the list with this name.
    pub(crate) fn length(&self, key: &str) -> usize {
        self.root.get(key).and_then(length).unwrap_or(0)
    }

    /// Changes a list of tables in the style of its other entries.
    pub(crate) fn change_list(&mut self, key: &str, change: &ListChange) -> Result<(), String> {
        if let ListChange::Clear = change {
            self.root.remove(key);
            return Ok(());
        }
        let item = self.root.entry(key).or_insert_with(|| Item::ArrayOfTables(Default::default()));
        let length = length(item);
        let unknown = |number: &usize| format!("the file has no {key} number {number}");
        match change {
            ListChange::Set(number, _) | ListChange::Remove(number)
                if length.is_none_or(|length| *number >= length) =>
            {
                return Err(unknown(number));
            }
            ListChange::Set(number, keys) => {
                for (name, value) in keys {
                    self.set(&[key, &number.to_string(), name], value.clone())?;
                }
            }
            ListChange::Add(keys) => {
                let keys = keys.iter().cloned();
                if let Some(array) = item.as_array_mut() {
                    array.push(InlineTable::from_iter(keys));
                } else if let Some(tables) = item.as_array_of_tables_mut() {
                    tables.push(Table::from_iter(keys));
                }
            }
            ListChange::Remove(number) => {
                if let Some(array) = item.as_array_mut() {
                    array.remove(*number);
                } else if let Some(tables) = item.as_array_of_tables_mut() {
                    tables.remove(*number);
                }
                if length == Some(1) {
                    self.root.remove(key);
                }
            }
            ListChange::Clear => {}
        }
        Ok(())
    }

    /// The text.
    pub(crate) fn text(&self) -> String {
        let mut text = self.root.to_string();
        if self.crlf {
            text = text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        if self.mark { format!("\u{feff}{text}") } else { text }
    }
}

/// The text of a scenario with the values of overrides (`key=value`). Comments, order and other values stay.
///
/// ```
/// let text = "[world]\nsize = [9, 9] # small\n";
/// let set = ["world.tick=0.5".to_owned(), "world.size=[20, 20]".to_owned()];
/// let changed = throng_view::with_overrides(text, &set)?;
/// assert_eq!(changed, "[world]\nsize = [20, 20] # small\ntick = 0.5\n");
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
///
/// The reason in words: the text is not TOML, or a path leads to no key.
pub fn with_overrides(text: &str, set: &[String]) -> Result<String, String> {
    let mut editor = ScenarioEditor::parse(text)?;
    set.iter().try_for_each(|set| editor.set_text(set))?;
    Ok(editor.text())
}

/// The number of entries of a list.
fn length(item: &Item) -> Option<usize> {
    item.as_array().map(Array::len).or(item.as_array_of_tables().map(|tables| tables.len()))
}

fn set(table: &mut dyn TableLike, path: &[&str], value: Value) -> Result<(), String> {
    let (key, rest) = path.split_first().ok_or("no key")?;
    if rest.is_empty() {
        match table.get_mut(key) {
            Some(item) => replace(item, value),
            None => {
                table.insert(key, Item::Value(value));
            }
        }
        return Ok(());
    }
    if !table.contains_key(key) {
        if let Some(number) = rule_named(table, key) {
            return set(table, &[&["behaviours", &number], rest].concat(), value);
        }
        // A table that holds only another table needs no header.
        let mut inner = Table::new();
        inner.set_implicit(true);
        table.insert(key, Item::Table(inner));
    }
    let no_keys = || format!("{} has no keys", path.join("."));
    let item = table.get_mut(key).ok_or_else(no_keys)?;
    if let Some(inner) = item.as_table_like_mut() {
        return set(inner, rest, value);
    }
    let (number, after) = rest.split_first().ok_or_else(no_keys)?;
    let number: usize = number.parse().map_err(|_| no_keys())?;
    if let Some(tables) = item.as_array_of_tables_mut() {
        return set(tables.get_mut(number).ok_or_else(no_keys)?, after, value);
    }
    let element = item.as_array_mut().and_then(|array| array.get_mut(number)).ok_or_else(no_keys)?;
    if after.is_empty() {
        renew(element, value);
        return Ok(());
    }
    set(element.as_inline_table_mut().ok_or_else(no_keys)?, after, value)
}

/// Returns the number, as a key, of the rule with this name among the behaviours of a species or a state.
fn rule_named(species: &dyn TableLike, name: &str) -> Option<String> {
    let behaviours = species.get("behaviours")?;
    let named = |rule: Option<&str>| rule == Some(name);
    let number = match (behaviours.as_array(), behaviours.as_array_of_tables()) {
        (Some(array), _) => array
            .iter()
            .position(|rule| named(rule.as_inline_table().and_then(|rule| rule.get("rule")).and_then(Value::as_str))),
        (_, Some(tables)) => tables.iter().position(|rule| named(rule.get("rule").and_then(Item::as_str))),
        _ => None,
    };
    number.map(|number| number.to_string())
}

fn replace(item: &mut Item, value: Value) {
    match item {
        Item::Value(old) => renew(old, value),
        _ => *item = Item::Value(value),
    }
}

/// Replaces a value and keeps the comments around it. An equal value, or an equal element of an array, keeps its
/// format.
fn renew(old: &mut Value, new: Value) {
    match (&mut *old, new) {
        (Value::Array(old), Value::Array(new)) => {
            while old.len() > new.len() {
                old.remove(old.len() - 1);
            }
            let known = old.len();
            for (number, value) in new.into_iter().enumerate() {
                match old.get_mut(number) {
                    Some(element) if number < known => renew(element, value),
                    _ => append(old, value),
                }
            }
        }
        (old, new) => {
            if !same(old, &new) {
                let decor = old.decor().clone();
                *old = new;
                *old.decor_mut() = decor;
            }
        }
    }
}

/// Appends an element, on a line of its own if the last element has one.
fn append(array: &mut Array, mut value: Value) {
    let last = array.len().checked_sub(1).and_then(|last| array.get(last));
    let before = last.and_then(|last| last.decor().prefix()).and_then(|prefix| prefix.as_str()).unwrap_or_default();
    let Some(line) = before.rfind('\n') else { return array.push(value) };
    // A comment after the last element stays there.
    let end = array.trailing().as_str().unwrap_or_default().to_owned();
    let (comment, end) = end.split_at(end.rfind('\n').unwrap_or(0));
    *value.decor_mut() = Decor::new(format!("{comment}{}", &before[line..]), "");
    array.set_trailing(end);
    array.push_formatted(value);
}

fn same(a: &Value, b: &Value) -> bool {
    let number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if let (Some(a), Some(b)) = (a.as_integer(), b.as_integer()) {
        return a == b;
    }
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a.to_bits() == b.to_bits(),
        (None, None) => a.as_bool().is_some() && a.as_bool() == b.as_bool() || text(a).is_some() && text(a) == text(b),
        _ => false,
    }
}
