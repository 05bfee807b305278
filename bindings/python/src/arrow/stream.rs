//! A stream of one batch: `ArrowArrayStream` of the Arrow C stream interface.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use super::Source;
use super::array::Array;
use super::schema::Schema;

/// `struct ArrowArrayStream`.
#[repr(C)]
pub(super) struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

// SAFETY: the private data is a `Private`, which may move to other threads.
unsafe impl Send for Stream {}

/// What a stream owns.
struct Private {
    /// The types of the columns, as columns without rows.
    types: Vec<Source>,
    /// The columns, until they are read.
    columns: Option<Vec<Source>>,
}

impl Stream {
    pub(super) fn new(columns: Vec<Source>) -> Self {
        let types = columns.iter().map(Source::without_rows).collect();
        let private = Box::new(Private { types, columns: Some(columns) });
        Self {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release),
            private_data: Box::into_raw(private).cast(),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the protocol's way to end a stream that was not ended or moved.
            unsafe { release(self) }
        }
    }
}

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: the protocol passes a valid stream that was not released, and memory for a schema.
    unsafe {
        let private = &*(*stream).private_data.cast::<Private>();
        ptr::write(out, Schema::batch(&private.types));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: the protocol passes a valid stream that was not released, and memory for an array.
    unsafe {
        let private = &mut *(*stream).private_data.cast::<Private>();
        ptr::write(out, private.columns.take().map_or_else(Array::end, Array::batch));
    }
    0
}

unsafe extern "C" fn get_last_error(_stream: *mut Stream) -> *const c_char {
    // No call of this stream fails.
    ptr::null()
}

unsafe extern "C" fn release(stream: *mut Stream) {
    // SAFETY: the protocol passes a valid stream that was not released, whose private data `new` created.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Private>()));
        (*stream).release = None;
    }
}
