//! Tables as text: lines of fields between commas, semicolons or tabs.

use std::io::{BufRead, BufReader, Read};
use std::ops::Range;

/// The longest valid line, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// The marks at the start of texts of Windows programs: of UTF-8, and of two orders of UTF-16.
const MARK: &[u8] = b"\xef\xbb\xbf";
const WIDE: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// A mistake in a table, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextTableError {
    /// The line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: usize,
    /// The reason.
    pub reason: String,
}

/// A table as text, line by line, as throng, Excel, R and pandas write it.
///
/// The first line has the names of the columns. Fields stand between commas, or between semicolons or tabs if the first
/// line has these; then numbers may have decimal commas, and get decimal points. Fields may have quotes, and blanks
/// around them. Blank lines, lines that start with `#` and a byte order mark are left out.
///
/// ```
/// use throng_formats::table::TextTable;
///
/// let mut table = TextTable::start(&b"\"id\";\"x\"\r\n7;1,5\r\n"[..]).map_err(|error| error.reason)?;
/// assert_eq!(table.names(), ["id", "x"]);
/// assert!(table.next().map_err(|error| error.reason)?);
/// assert_eq!((table.field(0), table.field(1), table.line()), (Some("7"), Some("1.5"), 2));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct TextTable<R> {
    lines: BufReader<R>,
    line: Vec<u8>,
    number: u64,
    separator: u8,
    names: Vec<String>,
    comments: Vec<String>,
    /// The fields of the last line: their columns, and where they are in `text`.
    fields: Vec<(usize, Range<usize>)>,
    text: String,
    /// Whether the last line is a row that no one has read: the names are in a comment.
    ahead: bool,
    is_whole: bool,
}

impl<R: Read> TextTable<R> {
    /// Reads the names of the columns.
    ///
    /// # Errors
    ///
    /// The table is empty, is not UTF-8, or cannot be read.
    pub fn start(from: R) -> Result<Self, TextTableError> {
        let mut table = Self {
            lines: BufReader::with_capacity(1 << 18, from),
            line: Vec::new(),
            number: 0,
            separator: 0,
            names: Vec::new(),
            comments: Vec::new(),
            fields: Vec::new(),
            text: String::new(),
            ahead: false,
            is_whole: true,
        };
        while table.read_line()? {
            if table.number == 1 && WIDE.iter().any(|mark| table.line.starts_with(mark)) {
                return Err(table.problem(1, "is UTF-16: save it as UTF-8"));
            }
            if table.number == 1 && table.line.starts_with(MARK) {
                table.line.drain(..MARK.len());
            }
            match &table.line[..] {
                // The hint of Excel.
                [b's', b'e', b'p', b'=', separator] => table.separator = *separator,
                line if line.first() == Some(&b'#') => {
                    table.comments.push(String::from_utf8_lossy(&line[1..]).trim().to_owned());
                }
                line if line.trim_ascii().is_empty() => {}
                _ => return table.name(),
            }
        }
        Err(table.problem(1, "the table is empty: its first line has the names of its columns"))
    }

    /// Takes the names from the last line.
    fn name(mut self) -> Result<Self, TextTableError> {
        if self.separator == 0 {
            let has = |sign: &u8| self.line.contains(sign);
            self.separator = [b';', b'\t'].into_iter().find(has).unwrap_or(b',');
        }
        self.split()?;
        // NumPy writes the names as a comment.
        let numbers = self.len() > 0 && (0..self.len()).all(|place| self.number(place).is_some());
        if let Some(comment) = self.comments.last().filter(|_| numbers) {
            let names: Vec<String> =
                comment.split(char::from(self.separator)).map(|name| name.trim().to_owned()).collect();
            if names.len() == self.len() {
                (self.names, self.ahead) = (names, true);
                return Ok(self);
            }
        }
        self.names = (0..self.len()).filter_map(|place| self.field(place).map(str::to_owned)).collect();
        Ok(self)
    }

    /// Reads the next line with fields; false after the last.
    ///
    /// # Errors
    ///
    /// The line is too long, is not UTF-8, has an open quote, or cannot be read.
    #[expect(clippy::should_implement_trait, reason = "a line borrows the table")]
    pub fn next(&mut self) -> Result<bool, TextTableError> {
        if std::mem::take(&mut self.ahead) {
            return Ok(true);
        }
        while self.read_line()? {
            if !self.line.trim_ascii().is_empty() && self.line.first() != Some(&b'#') {
                return self.split().map(|()| true);
            }
        }
        Ok(false)
    }

    /// Reads a line without its end.
    fn read_line(&mut self) -> Result<bool, TextTableError> {
        self.line.clear();
        let read = self.lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line);
        self.number += 1;
        let read = read.map_err(|error| self.problem(1, format!("cannot be read: {error}")))?;
        if read as u64 == LONGEST_LINE && self.line.last() != Some(&b'\n') {
            return Err(self.problem(1, "the line is too long for a table"));
        }
        self.is_whole = self.line.last() == Some(&b'\n');
        while matches!(self.line.last(), Some(b'\n' | b'\r')) {
            self.line.pop();
        }
        Ok(read > 0)
    }

    /// Splits the last line into its fields.
    fn split(&mut self) -> Result<(), TextTableError> {
        let line = match str::from_utf8(&self.line) {
            Ok(line) => line,
            Err(error) => return Err(self.problem(error.valid_up_to() + 1, "is not UTF-8")),
        };
        self.fields.clear();
        self.text.clear();
        let mut at = 0;
        loop {
            let rest = &line[at..];
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            let (start, column) = (self.text.len(), at + blanks + 1);
            let length = match rest[blanks..].strip_prefix('"') {
                Some(quoted) => {
                    let Some(length) = unquote(quoted, char::from(self.separator), &mut self.text) else {
                        return Err(self.problem(column, "a quote has no end, or text after it"));
                    };
                    blanks + 1 + length
                }
                None => {
                    let length = rest.bytes().position(|byte| byte == self.separator).unwrap_or(rest.len());
                    self.text.push_str(rest[..length].trim());
                    length
                }
            };
            if self.separator != b',' && has_decimal_comma(&self.text[start..]) {
                let point = self.text[start..].replace(',', ".");
                self.text.replace_range(start.., &point);
            }
            self.fields.push((column, start..self.text.len()));
            at += length + 1;
            if at > line.len() {
                return Ok(());
            }
        }
    }
}

impl<R> TextTable<R> {
    /// The names of the columns.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The comments before the first line, without their `#`.
    #[must_use]
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// The number of fields of the last line.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a line has a field")]
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// A field of the last line.
    #[must_use]
    pub fn field(&self, place: usize) -> Option<&str> {
        self.fields.get(place).map(|(_, range)| &self.text[range.clone()])
    }

    /// A field of the last line as a number.
    #[must_use]
    pub fn number(&self, place: usize) -> Option<f64> {
        self.field(place)?.parse().ok()
    }

    /// The number of the last line, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.number
    }

    /// Whether the last line has an end; in a file that was cut short it may have none.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The column of a field of the last line, or after its end.
    #[must_use]
    pub fn column(&self, place: usize) -> usize {
        self.fields.get(place).map_or(self.line.len() + 1, |(column, _)| *column)
    }

    /// A mistake in the last line.
    #[must_use]
    pub fn problem(&self, column: usize, reason: impl Into<String>) -> TextTableError {
        TextTableError { line: self.number, column, reason: reason.into() }
    }
}

/// Adds a text up to its closing quote; two quotes are one inside. Returns the length up to the next separator; `None` if
/// other text follows the quote.
fn unquote(quoted: &str, separator: char, text: &mut String) -> Option<usize> {
    let mut at = 0;
    loop {
        let end = at + quoted[at..].find('"')?;
        text.push_str(&quoted[at..end]);
        let rest = &quoted[end + 1..];
        if !rest.starts_with('"') {
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            let ends = rest[blanks..].is_empty() || rest[blanks..].starts_with(separator);
            return ends.then_some(end + 1 + blanks);
        }
        text.push('"');
        at = end + 2;
    }
}

/// Whether a field is a number with a decimal comma.
fn has_decimal_comma(field: &str) -> bool {
    let mut commas = 0;
    let known = field.bytes().all(|byte| match byte {
        b',' => {
            commas += 1;
            true
        }
        _ => byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'e' | b'E'),
    });
    known && commas == 1
}
