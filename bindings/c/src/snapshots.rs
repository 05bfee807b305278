//! Snapshots in files.

use std::ffi::c_char;
use std::fs::File;
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

/// Writes the state of a world to a file. An existing file is lost, also when the call fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_save(world: WorldHandle, path: *const c_char) -> Status {
    call(|| {
        // SAFETY: the text is valid, as the header demands.
        let path = unsafe { text("path", path) }?;
        table::with(world, |entry| {
            let mut file = BufWriter::new(File::create(path).map_err(|error| io(path, &error))?);
            entry.world.save(&mut file)?;
            file.flush().map_err(|error| io(path, &error))
        })
    })
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
