//! Sections that are written as they are encoded. Their tags and lengths, which come first, are known from an earlier
//! pass.

use std::fmt;
use std::io::{self, Write};
use std::vec;

use crate::state::snapshot::digest::Digesting;

/// The tag and the length of a section.
pub(crate) type Head = ([u8; 4], u64);

/// Writes sections with these heads.
pub(crate) struct Stream<'a> {
    to: &'a mut dyn Write,
    heads: vec::IntoIter<Head>,
    /// The length of the present section; `None` before its first byte.
    length: Option<u64>,
    written: u64,
    digesting: Digesting,
    /// The first failure. Later values are not written.
    result: io::Result<()>,
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({} of {:?} bytes)", self.written, self.length)
    }
}

impl<'a> Stream<'a> {
    pub(crate) fn new(to: &'a mut dyn Write, heads: Vec<Head>) -> Self {
        let heads = heads.into_iter();
        Self { to, heads, length: None, written: 0, digesting: Digesting::default(), result: Ok(()) }
    }

    /// Returns whether the present section has no bytes yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.written == 0
    }

    /// Adds bytes to the present section.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.start();
        self.written += bytes.len() as u64;
        self.digesting.take(bytes);
        self.write(bytes);
    }

    /// Ends the present section. Returns its hash.
    ///
    /// # Errors
    ///
    /// The first failure of a write, or of a section that is not as long as in the earlier pass: a rule of the host then
    /// returned other parameters.
    pub(crate) fn end(&mut self, tag: [u8; 4]) -> io::Result<u64> {
        self.start();
        let hash = std::mem::take(&mut self.digesting).end(tag);
        self.write(&hash.to_le_bytes());
        let (length, written) = (self.length.take(), std::mem::take(&mut self.written));
        std::mem::replace(&mut self.result, Ok(()))?;
        if length == Some(written) { Ok(hash) } else { Err(io::Error::other("the world changed while it was saved")) }
    }

    /// Writes the head of the present section, unless it is written.
    fn start(&mut self) {
        if self.length.is_none() {
            let (tag, length) = self.heads.next().unwrap_or_default();
            self.length = Some(length);
            self.write(&tag);
            self.write(&length.to_le_bytes());
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.result.is_ok() {
            self.result = self.to.write_all(bytes);
        }
    }
}
