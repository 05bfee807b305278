//! Reading traces line by line.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Lines, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use throng_scenario::shown;

use crate::failure::Failure;
use crate::files::existing_folder;
use crate::trace::{HASHES, HEADER, VALUES};

/// The subject of a line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) tick: u64,
    pub(crate) stage: String,
    pub(crate) species: String,
    pub(crate) column: String,
}

/// A line of a trace.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) place: Place,
    pub(crate) values: Values,
    pub(crate) hash: String,
}

/// The values of a column in the file of values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    /// The type of the numbers, and how many a row has.
    pub(crate) number: String,
    pub(crate) width: u64,
    pub(crate) rows: u64,
    offset: u64,
}

impl Values {
    /// The number of bytes of a number.
    pub(crate) fn size(&self) -> u64 {
        match &self.number[..] {
            "f32" | "u32" => 4,
            "u64" => 8,
            _ => 0,
        }
    }

    fn length(&self) -> Option<u64> {
        self.rows.checked_mul(self.width)?.checked_mul(self.size())
    }
}

/// A trace, read up to a line.
#[derive(Debug)]
pub(crate) struct Reader {
    folder: PathBuf,
    lines: Lines<BufReader<File>>,
    number: u64,
    offset: u64,
    next: Option<Line>,
    /// The values of each column, by species and name, as of the lines so far.
    known: HashMap<(String, String), Values>,
}

impl Reader {
    /// Opens a trace at its first line.
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        let path = existing_folder(folder)?.join(HASHES);
        if !path.exists() {
            let folder = shown(folder);
            let reason =
                format!("holds no trace ({HASHES} is missing); `throng run SCENARIO --trace {folder}` writes one");
            return Err(Failure::Input(format!("{folder}: {reason}")));
        }
        let file =
            File::open(&path).map_err(|error| Failure::Input(format!("{}: cannot be read: {error}", shown(&path))))?;
        let lines = BufReader::new(file).lines();
        let folder = folder.to_owned();
        let mut reader = Self { folder, lines, number: 0, offset: 0, next: None, known: HashMap::new() };
        if reader.text()?.as_deref() != Some(HEADER) {
            return Err(reader.refuse("is not the trace of this version"));
        }
        reader.advance()?;
        Ok(reader)
    }

    /// The line that was not taken yet.
    pub(crate) fn peek(&self) -> Option<&Line> {
        self.next.as_ref()
    }

    /// Takes a line.
    pub(crate) fn take(&mut self) -> Result<Option<Line>, Failure> {
        let Some(line) = self.next.take() else { return Ok(None) };
        let key = (line.place.species.clone(), line.place.column.clone());
        self.known.insert(key, line.values.clone());
        self.advance()?;
        Ok(Some(line))
    }

    /// The bytes of a column as of the lines so far, and their description.
    pub(crate) fn column(&self, species: &str, column: &str) -> Result<(Values, Vec<u8>), Failure> {
        let Some(values) = self.known.get(&(species.to_owned(), column.to_owned())) else {
            return Ok(Default::default());
        };
        let path = self.folder.join(VALUES);
        let read = || -> std::io::Result<Vec<u8>> {
            let mut file = File::open(&path)?;
            let (held, length) = (file.metadata()?.len(), values.length().unwrap_or(u64::MAX));
            if values.offset.checked_add(length).is_none_or(|end| end > held) {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            file.seek(SeekFrom::Start(values.offset))?;
            let mut bytes = vec![0; length as usize];
            file.read_exact(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().map_err(|error| Failure::Input(format!("{}: cannot be read: {error}", shown(&path))))?;
        Ok((values.clone(), bytes))
    }

    fn advance(&mut self) -> Result<(), Failure> {
        self.next = match self.text()? {
            Some(text) => Some(self.parse(&text).ok_or_else(|| self.refuse("is not a line of a trace"))?),
            None => None,
        };
        if let Some(line) = &mut self.next {
            line.values.offset = self.offset;
            self.offset = self.offset.saturating_add(line.values.length().unwrap_or(0));
        }
        Ok(())
    }

    fn parse(&self, text: &str) -> Option<Line> {
        let mut fields = text.split(',');
        let mut field = || fields.next().map(str::to_owned);
        let tick = field()?.parse().ok()?;
        let place = Place { tick, stage: field()?, species: field()?, column: field()? };
        let (kind, rows, hash) = (field()?, field()?.parse().ok()?, field()?);
        let (number, width) = match kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')) {
            Some(array) => {
                let (number, width) = array.split_once("; ")?;
                (number.to_owned(), width.parse().ok()?)
            }
            None => (kind, 1),
        };
        let values = Values { number, width, rows, offset: 0 };
        (values.length().is_some() && fields.next().is_none()).then_some(Line { place, values, hash })
    }

    fn text(&mut self) -> Result<Option<String>, Failure> {
        self.number += 1;
        let text = self.lines.next().transpose();
        text.map_err(|error| self.refuse(&format!("cannot be read: {error}")))
    }

    fn refuse(&self, reason: &str) -> Failure {
        Failure::Input(format!("{}:{}: {reason}", shown(&self.folder.join(HASHES)), self.number))
    }
}
