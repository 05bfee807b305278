//! Snapshots in files.

use std::ffi::c_char;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, BufWriter, Write};

use engine::AnyWorld;

use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers::text;
use crate::table::{self, WorldHandle};
use crate::worlds::created;

fn io(path: &str, error: &std::io::Error) -> Fault {
    Fault::new(Status::Io, format_args!("{path}: {error}"))
}

/// Writes the state of a world to a file. An existing file is replaced when the new one, beside it with the ending
/// `.part`, is complete: when the call fails it remains. A device or a pipe is written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_save(world: WorldHandle, path: *const c_char) -> Status {
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let path = unsafe { text("path", path) }?;
        table::with(world, |entry| {
            if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
                let opened = OpenOptions::new().write(true).open(path);
                return write(&entry.world, &opened.map_err(|error| io(path, &error))?, path);
            }
            let part = format!("{path}.part");
            let file = File::create(&part).map_err(|error| io(&part, &error))?;
            let written = write(&entry.world, &file, path).and_then(|()| {
                file.sync_all().and_then(|()| fs::rename(&part, path)).map_err(|error| io(path, &error))
            });
            if written.is_err() {
                // The failure of the snapshot is the one that is reported.
                let _ = fs::remove_file(&part);
            }
            written
        })
    })
}

fn write(world: &AnyWorld, file: &File, path: &str) -> Result<(), Fault> {
    let mut buffer = BufWriter::new(file);
    world.save(&mut buffer)?;
    buffer.flush().map_err(|error| io(path, &error))
}

/// Creates a world from a file that throng_save or `World::save` has written. It continues with the same bits. Rules of
/// the host keep their last forces until throng_add_host_rule names them again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_load(path: *const c_char, world: *mut WorldHandle) -> Status {
    created(world, || {
        // SAFETY: the text is valid, as the header demands.
        let path = unsafe { text("path", path) }?;
        let file = BufReader::new(File::open(path).map_err(|error| io(path, &error))?);
        Ok(AnyWorld::load(file)?)
    })
}
