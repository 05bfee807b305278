//! Snapshots in files and in memory.

use std::ffi::c_char;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, BufWriter, Write};

use engine::AnyWorld;

use crate::fault::{Fault, Status};
use crate::guard::call;
use crate::pointers::{self, text};
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

/// Copies the state of a world to memory, as throng_save writes it. `bytes` has room for `capacity` bytes; `length` gets
/// the bytes of the whole snapshot. With less room nothing is copied, so that zero asks for the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_save_to(
    world: WorldHandle,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> Status {
    call(|| {
        let mut snapshot = Vec::new();
        table::with(world, |entry| Ok(entry.world.save(&mut snapshot)?))?;
        // SAFETY: the room is valid for writing, as the header demands.
        let room = unsafe { pointers::room("bytes", bytes, capacity) }?;
        if let Some(room) = room.get_mut(..snapshot.len()) {
            room.copy_from_slice(&snapshot);
        }
        // SAFETY: the pointer is valid for writing, as the header demands.
        unsafe { pointers::write("length", length, snapshot.len()) }
    })
}

/// Creates a world from bytes that throng_save_to has copied, or of a file that throng_save has written: see
/// throng_load.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_load_from(bytes: *const u8, length: usize, world: *mut WorldHandle) -> Status {
    created(world, || {
        // SAFETY: the bytes are valid, as the header demands.
        Ok(AnyWorld::load(unsafe { pointers::items("bytes", bytes, length) }?)?)
    })
}
