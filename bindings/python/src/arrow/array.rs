//! The memory of a column or of a batch: `ArrowArray` of the Arrow C data interface.

use std::ffi::c_void;
use std::ptr;

use super::Source;

/// `struct ArrowArray`.
#[repr(C)]
pub(super) struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

// SAFETY: an array owns what it points to: its private data, children, and numbers that any thread may read.
unsafe impl Send for Array {}

/// What an array owns: the first buffer, of validity, is null, because every value is valid.
struct Private {
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
    _numbers: Option<Source>,
}

impl Array {
    /// A batch with these columns.
    pub(super) fn batch(columns: Vec<Source>) -> Self {
        let rows = columns.first().map_or(0, Source::rows);
        let children = columns.into_iter().map(Self::column).collect();
        Self::new(rows, vec![ptr::null()], children, None)
    }

    fn column(column: Source) -> Self {
        let (rows, width) = (column.rows(), column.width);
        let numbers = Self::new(column.len, vec![ptr::null(), column.address()], Vec::new(), Some(column));
        if width == 1 { numbers } else { Self::new(rows, vec![ptr::null()], vec![numbers], None) }
    }

    fn new(length: usize, buffers: Vec<*const c_void>, children: Vec<Self>, numbers: Option<Source>) -> Self {
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let mut private = Box::new(Private { buffers, children, _numbers: numbers });
        Self {
            length: length as i64,
            null_count: 0,
            offset: 0,
            n_buffers: private.buffers.len() as i64,
            n_children: private.children.len() as i64,
            buffers: private.buffers.as_mut_ptr(),
            children: private.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release),
            private_data: Box::into_raw(private).cast(),
        }
    }

    /// An array that stands for the end of a stream.
    pub(super) fn end() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the protocol's way to end an array that was not ended or moved.
            unsafe { release(self) }
        }
    }
}

/// Ends an array and its children.
unsafe extern "C" fn release(array: *mut Array) {
    // SAFETY: the protocol passes a valid array that was not released, whose private data `new` created.
    unsafe {
        let private = Box::from_raw((*array).private_data.cast::<Private>());
        for &child in &private.children {
            // A child that the consumer moved has no release function any more, and its drop does nothing.
            drop(Box::from_raw(child));
        }
        (*array).release = None;
    }
}
