//! Files that appear only when complete, and that a later run can continue.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use throng_scenario::shown;

use crate::failure::Failure;
use crate::summed::{Extent, Summed};

/// The number of bytes that are written at a time.
const BUFFER: usize = 1 << 20;

/// A file that has a temporary name, `.NAME.part`, until it is complete. Dropping an incomplete file removes it, unless
/// a checkpoint refers to it. A lock keeps other programs from writing the same file; a file without one is left of a
/// program that was killed, and is replaced.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    file: BufWriter<Summed<File>>,
    path: PathBuf,
    temporary: PathBuf,
    kept: bool,
    /// Whether a checkpoint refers to the file.
    marked: bool,
}

impl AtomicFile {
    /// Creates the temporary file in the folder of `path`.
    pub(crate) fn start(path: PathBuf) -> Result<Self, Failure> {
        let file = locked(&path)?;
        file.set_len(0).map_err(|error| Failure::write(&path, &error))?;
        Ok(Self::new(path, Summed::new(file), false))
    }

    /// Continues a file of this extent, and cuts off the rest. The file may be complete already.
    pub(crate) fn resume(path: PathBuf, extent: Extent) -> Result<Self, Failure> {
        let fail = |error: io::Error| Failure::write(&path, &error);
        let temporary = temporary(&path);
        if !temporary.exists() && path.exists() {
            fs::rename(&path, &temporary).map_err(fail)?;
        }
        let mut file = locked(&path)?;
        file.set_len(extent.length).and_then(|()| file.seek(SeekFrom::End(0))).map_err(fail)?;
        Ok(Self::new(path, Summed::after(file, extent), true))
    }

    /// Continues a file that another library writes, complete or not.
    pub(crate) fn reopen(path: PathBuf) -> Result<Self, Failure> {
        let temporary = temporary(&path);
        if !temporary.exists() && path.exists() {
            fs::rename(&path, &temporary).map_err(|error| Failure::write(&path, &error))?;
        }
        let file = locked(&path)?;
        Ok(Self::new(path, Summed::new(file), true))
    }

    fn new(path: PathBuf, file: Summed<File>, marked: bool) -> Self {
        let temporary = temporary(&path);
        Self { file: BufWriter::with_capacity(BUFFER, file), path, temporary, kept: false, marked }
    }

    /// The temporary path, for another program to write to.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    pub(crate) fn write(&mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<(), Failure> {
        write(self).map_err(|error| Failure::write(&self.path, &error))
    }

    /// The number of bytes so far.
    pub(crate) fn position(&self) -> u64 {
        self.on_disk() + self.file.buffer().len() as u64
    }

    /// The number of bytes that the operating system has accepted.
    pub(crate) fn on_disk(&self) -> u64 {
        self.file.get_ref().extent().length
    }

    /// Continues after bytes of this extent, which others have written to the temporary file since it was synced.
    pub(crate) fn append(&mut self, extent: Extent) -> io::Result<()> {
        let file = self.file.get_mut();
        file.append(extent);
        file.inner.seek(SeekFrom::Start(file.extent().length)).map(|_| ())
    }

    /// Cuts the file at this length, after a failure. Bytes that the operating system has not accepted are dropped.
    pub(crate) fn cut(&mut self, length: u64) -> io::Result<()> {
        let mut file = self.file.get_ref().inner.try_clone()?;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        let cut = BufWriter::with_capacity(BUFFER, Summed::new(file));
        // Taken apart, the old buffer is not written.
        drop(std::mem::replace(&mut self.file, cut).into_parts());
        Ok(())
    }

    /// Makes the written bytes durable, for a checkpoint that refers to it.
    pub(crate) fn mark(&mut self) -> Result<Extent, Failure> {
        self.marked = true;
        self.write(Self::sync)?;
        Ok(self.file.get_ref().extent())
    }

    /// Makes the written bytes durable.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().inner.sync_data()
    }

    /// Flushes the file and gives it its final name.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        self.complete().map(|_| ())
    }

    /// Like [`keep`](Self::keep). Returns the extent of the file.
    pub(crate) fn complete(mut self) -> Result<Extent, Failure> {
        self.write(|file| file.file.flush())?;
        fs::rename(&self.temporary, &self.path).map_err(|error| Failure::write(&self.path, &error))?;
        self.kept = true;
        Ok(self.file.get_ref().extent())
    }

    /// Like [`keep`](Self::keep); when it returns, the file survives a loss of power.
    pub(crate) fn keep_durably(mut self) -> Result<(), Failure> {
        self.write(|file| file.file.flush().and_then(|()| file.file.get_ref().inner.sync_all()))?;
        let path = self.path.clone();
        self.keep()?;
        sync_folder(&path)
    }
}

/// The present path of an output, complete or not.
pub(crate) fn present(path: &Path) -> PathBuf {
    let temporary = temporary(path);
    if temporary.exists() { temporary } else { path.to_owned() }
}

/// Returns the fault of the beginning of an output, complete or not, whose extent a checkpoint has.
pub(crate) fn compare(path: &Path, extent: Extent) -> Result<(), String> {
    let path = present(path);
    let wrong = |text: String| format!("{} {text}", shown(&path));
    let unreadable = |error: io::Error| wrong(format!("cannot be read: {error}"));
    let mut file = Summed::new(File::open(&path).map_err(unreadable)?.take(extent.length));
    let mut buffer = vec![0; BUFFER];
    while file.read(&mut buffer).map_err(unreadable)? > 0 {}
    match file.extent() {
        found if found == extent => Ok(()),
        Extent { length, .. } if length < extent.length => {
            Err(wrong(format!("has {length} of the {} bytes that it had", extent.length)))
        }
        _ => Err(wrong(format!("has changed in its first {} bytes", extent.length))),
    }
}

/// Makes the entries of the folder of `path` durable.
pub(crate) fn sync_folder(path: &Path) -> Result<(), Failure> {
    // Elsewhere a folder cannot be opened as a file.
    if cfg!(unix) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| Failure::write(folder, &error))?;
    }
    Ok(())
}

/// Removes the remains of this file that a killed program left, if any.
pub(crate) fn clear(path: &Path) {
    let _ = fs::remove_file(temporary(path));
}

/// The temporary path of a file.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".part");
    path.with_file_name(name)
}

/// Opens or creates the temporary file of `path`, and locks it.
fn locked(path: &Path) -> Result<File, Failure> {
    let temporary = temporary(path);
    let fail = |error: io::Error| Failure::write(path, &error);
    loop {
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&temporary);
        let file = file.map_err(fail)?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(Failure::Write(format!("{}: another program is writing it", shown(&path))));
        }
        // Another program may have completed or removed its file since it was opened here.
        if is_at(&file, &temporary) {
            return Ok(file);
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |data: io::Result<fs::Metadata>| data.map(|data| (data.dev(), data.ino())).ok();
    place(file.metadata()) == place(fs::metadata(path))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.kept && !self.marked {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
