//! Files and streams with the checksum of all bytes that pass.

use std::fmt;
use std::io::{self, Read, Write};

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

/// Reads or writes, and sums up the bytes that pass.
#[derive(Debug)]
pub(crate) struct Summed<T> {
    pub(crate) inner: T,
    length: u64,
    hasher: Hasher,
}

/// The beginning of a file: its length and checksum (CRC-32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extent {
    pub(crate) length: u64,
    pub(crate) checksum: u32,
}

/// The length in bytes and the checksum in hexadecimal digits, as in summaries.
impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:08x}", self.length, self.checksum)
    }
}

impl<T> Summed<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self { inner, length: 0, hasher: Hasher::new() }
    }

    /// Continues after bytes of this extent.
    pub(crate) fn after(inner: T, Extent { length, checksum }: Extent) -> Self {
        Self { inner, length, hasher: Hasher::new_with_initial_len(checksum, length) }
    }

    /// The extent of the bytes so far.
    pub(crate) fn extent(&self) -> Extent {
        Extent { length: self.length, checksum: self.hasher.clone().finalize() }
    }

    /// Takes note of bytes that passed elsewhere, after all others.
    pub(crate) fn append(&mut self, Extent { length, checksum }: Extent) {
        self.hasher.combine(&Hasher::new_with_initial_len(checksum, length));
        self.length += length;
    }

    /// The checksum of the bytes since the last call. Starts the next one.
    pub(crate) fn end(&mut self) -> u32 {
        self.length = 0;
        std::mem::take(&mut self.hasher).finalize()
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        self.length += bytes.len() as u64;
    }
}

impl<T: Read> Read for Summed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.pass(&bytes[..count]);
        Ok(count)
    }
}

impl<T: Write> Write for Summed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.pass(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
