//! TOML documents with the source location of every key and value.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use throng::parameters::{Kind, Range, Value};

use crate::problem::{Location, Problem, Problems};
use crate::reason::Reason;

/// A TOML document with source locations.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) file: &'a str,
    text: &'a str,
    /// The byte at which each line starts.
    lines: Vec<usize>,
    pub(crate) sets: &'a [String],
    pub(crate) root: Table,
    /// The files that it names, as they are read.
    pub(crate) files: RefCell<Vec<PathBuf>>,
}

/// A source location: a byte range of the text, or the number of an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Text(usize, usize),
    Set(usize),
}

#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) at: At,
    pub(crate) node: Node,
}

#[derive(Debug)]
pub(crate) enum Node {
    Text(String),
    /// The number as `f64`, and exactly if it is an integer.
    Number(f64, Option<i64>),
    Flag(bool),
    Array(Vec<Item>),
    Table(Table),
    /// A value of another type, such as a date, which no key accepts.
    Other,
}

/// The entries of a table, in the order of the text.
pub(crate) type Table = Vec<Entry>;

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) at: At,
    pub(crate) item: Item,
}

impl<'a> Document<'a> {
    /// The path of a file that the document names, which is about to be read.
    pub(crate) fn beside(&self, file: &str) -> PathBuf {
        let path = Path::new(self.file).parent().unwrap_or(Path::new("")).join(file);
        self.files.borrow_mut().push(path.clone());
        path
    }

    /// Parses TOML. Returns all syntax errors.
    pub(crate) fn parse(text: &'a str, file: &'a str, sets: &'a [String]) -> Result<Self, Problems> {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        let mut document = Self { file, text, lines, sets, root: Table::new(), files: RefCell::default() };
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut problems = Problems::new(file);
        for error in errors {
            let place = error.span().map_or(Location::File, |span| document.place(At::Text(span.start, span.end)));
            let reason = Reason::Syntax(error.message().trim().replace('\n', ", "));
            problems.add(Problem { place, key: String::new(), value: None, reason });
        }
        if !problems.is_empty() {
            problems.sort();
            return Err(problems);
        }
        document.root = table_of(table.into_inner());
        Ok(document)
    }

    /// Whether a value of the document is this text, or ends in it after a colon.
    #[cfg(feature = "floor_plans")]
    pub(crate) fn mentions(&self, name: &str) -> bool {
        fn in_node(node: &Node, name: &str) -> bool {
            match node {
                Node::Text(text) => text == name || text.split_once(':').is_some_and(|(_, text)| text == name),
                Node::Array(items) => items.iter().any(|item| in_node(&item.node, name)),
                Node::Table(table) => table.iter().any(|entry| in_node(&entry.item.node, name)),
                _ => false,
            }
        }
        self.root.iter().any(|entry| in_node(&entry.item.node, name))
    }

    /// Whether the document has an item of this table with this text at a key, or a table with this name in it.
    pub(crate) fn has_item(&self, table: &str, key: &str, text: &str) -> bool {
        let has = |item: &Item| match &item.node {
            Node::Table(own) => own.iter().any(|entry| entry.key == key && entry.item.node.text() == Some(text)),
            _ => false,
        };
        self.root.iter().filter(|entry| entry.key == table).any(|entry| match &entry.item.node {
            Node::Array(items) => items.iter().any(has),
            Node::Table(own) => key == "name" && own.iter().any(|entry| entry.key == text),
            _ => false,
        })
    }

    /// Converts a location to its line and column, or to the text of the override.
    pub(crate) fn place(&self, at: At) -> Location {
        match at {
            At::Set(number) => Location::Set(self.sets[number].clone()),
            At::Text(start, _) => {
                let line = self.lines.partition_point(|&first| first <= start);
                let first = self.lines[line.saturating_sub(1)];
                let before = self.text.get(first..start).unwrap_or_default();
                // A byte order mark does not count as a column.
                Location::Text { line, column: before.trim_start_matches('\u{feff}').chars().count() + 1 }
            }
        }
    }

    /// The location of a byte of a text, which a value of the document holds: inside of the value, unless the document
    /// writes the text in another way.
    pub(crate) fn inside(&self, value: At, text: &str, byte: usize) -> At {
        let At::Text(start, end) = value else { return value };
        let written = self.text.get(start..end).unwrap_or_default();
        let quotes = if written.starts_with("\"\"\"") || written.starts_with("'''") { 3 } else { 1 };
        let inner = written.get(quotes..).unwrap_or_default();
        // A text on several lines begins after its first line break.
        let first = quotes + if quotes == 3 && inner.starts_with('\n') { 1 } else { 0 };
        let same =
            text.get(..byte).is_some_and(|before| written.get(first..).is_some_and(|own| own.starts_with(before)));
        if same { At::Text(start + first + byte, end) } else { value }
    }

    /// The text of a value, on one line, truncated if it is long.
    pub(crate) fn shown(&self, at: At) -> String {
        const LONGEST: usize = 48;
        let text = match at {
            At::Text(start, end) => self.text.get(start..end).unwrap_or_default(),
            At::Set(number) => self.sets[number].split_once('=').map_or("", |(_, value)| value.trim()),
        };
        let mut shown: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if shown.chars().count() > LONGEST {
            shown = shown.chars().take(LONGEST - 3).collect::<String>() + "...";
        }
        shown
    }
}

fn table_of(table: DeTable<'_>) -> Table {
    let mut entries: Table = table
        .into_iter()
        .map(|(key, value)| {
            let span = key.span();
            Entry { key: key.into_inner().into_owned(), at: At::Text(span.start, span.end), item: item_of(value) }
        })
        .collect();
    // The map is sorted by name, but species are numbered and rules added in the order of the file.
    entries.sort_by_key(|entry| match entry.at {
        At::Text(start, _) => start,
        At::Set(_) => usize::MAX,
    });
    entries
}

fn item_of(value: Spanned<DeValue<'_>>) -> Item {
    let span = value.span();
    let node = match value.into_inner() {
        DeValue::String(text) => Node::Text(text.into_owned()),
        // TOML's integers have 64 bits and a sign. Larger ones become NaN, which every range excludes.
        DeValue::Integer(integer) => match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(whole) => Node::Number(whole as f64, Some(whole)),
            Err(_) => Node::Number(f64::NAN, None),
        },
        DeValue::Float(float) => Node::Number(float.as_str().parse().unwrap_or(f64::NAN), None),
        DeValue::Boolean(flag) => Node::Flag(flag),
        DeValue::Array(array) => Node::Array(array.into_iter().map(item_of).collect()),
        DeValue::Table(table) => Node::Table(table_of(table)),
        DeValue::Datetime(_) => Node::Other,
    };
    Item { at: At::Text(span.start, span.end), node }
}

/// Parses the value of an override; a bare word is a string.
pub(crate) fn value_of(text: &str, at: At) -> Option<Node> {
    let word = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let mut item = match DeValue::parse(text) {
        Ok(value) => item_of(value),
        Err(_) if !text.is_empty() && text.chars().all(word) => Item { at, node: Node::Text(text.to_owned()) },
        Err(_) => return None,
    };
    item.relocate(at);
    Some(item.node)
}

impl Node {
    /// The node as a value of a kind, which may be out of range; `None` if it is of another type.
    pub(crate) fn value(&self, kind: Kind) -> Option<Value> {
        Some(match (self, kind) {
            (Self::Number(_, Some(whole)), Kind::Whole(..) | Kind::WholeOrOff(_)) => {
                Value::Whole(u64::try_from(*whole).ok()?)
            }
            (Self::Number(..), Kind::Whole(..) | Kind::WholeOrOff(_)) => return None,
            (Self::Number(number, _), _) => Value::Number(*number),
            (Self::Flag(flag), _) => Value::Flag(*flag),
            (Self::Text(text), _) => Value::Word(text.clone()),
            (
                Self::Array(items),
                Kind::ChoicePerAxis(_)
                | Kind::SpeciesFilter
                | Kind::References(_)
                | Kind::Statements
                | Kind::Choices(_),
            ) => Value::Words(items.iter().map(|item| item.node.text().map(str::to_owned)).collect::<Option<_>>()?),
            (Self::Array(items), Kind::SpeciesOrPlace) => match self.value(Kind::SpeciesFilter) {
                Some(words) => words,
                None => Value::Point(numbers(items, false)?),
            },
            (Self::Array(_), Kind::Goals) => match self.value(Kind::References("goal")) {
                Some(words) => words,
                None => self.value(Kind::Points(Range::COORDINATE))?,
            },
            (Self::Array(items), Kind::Points(_) | Kind::Intervals(_) | Kind::Schedule(_) | Kind::Series(_)) => {
                let point =
                    |item: &Item| if let Self::Array(items) = &item.node { numbers(items, false) } else { None };
                Value::Points(items.iter().map(point).collect::<Option<_>>()?)
            }
            (Self::Array(items), kind) => Value::Point(numbers(items, matches!(kind, Kind::WholePoint(..)))?),
            (Self::Table(_) | Self::Other, _) => return None,
        })
    }

    /// The node as a string, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

/// The items as numbers; `None` if one is not a number, or not an integer if `whole`.
fn numbers(items: &[Item], whole: bool) -> Option<Vec<f64>> {
    let number = |item: &Item| match item.node {
        Node::Number(number, exact) if exact.is_some() || !whole => Some(number),
        _ => None,
    };
    items.iter().map(number).collect()
}

impl Item {
    /// Sets the location of the item and of everything inside it.
    fn relocate(&mut self, at: At) {
        self.at = at;
        match &mut self.node {
            Node::Array(items) => items.iter_mut().for_each(|item| item.relocate(at)),
            Node::Table(entries) => entries.iter_mut().for_each(|entry| {
                entry.at = at;
                entry.item.relocate(at);
            }),
            _ => {}
        }
    }
}
