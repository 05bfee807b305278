//! The type of a column or of a batch: `ArrowSchema` of the Arrow C data interface.

use std::ffi::{CString, c_char, c_void};
use std::ptr;

use super::Source;

/// `struct ArrowSchema`.
#[repr(C)]
pub(super) struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

// SAFETY: a schema owns what it points to: its private data and its children.
unsafe impl Send for Schema {}

/// What a schema owns.
struct Private {
    format: CString,
    name: CString,
    children: Vec<*mut Schema>,
}

impl Schema {
    /// The type of a batch with these columns: a struct.
    pub(super) fn batch(columns: &[Source]) -> Self {
        Self::new("+s".to_owned(), "", columns.iter().map(Self::column).collect())
    }

    fn column(column: &Source) -> Self {
        if column.width == 1 {
            return Self::new(column.format.to_owned(), &column.name, Vec::new());
        }
        let item = Self::new(column.format.to_owned(), "item", Vec::new());
        Self::new(format!("+w:{}", column.width), &column.name, vec![item])
    }

    fn new(format: String, name: &str, children: Vec<Self>) -> Self {
        let text = |text: &str| CString::new(text.replace('\0', "")).unwrap_or_default();
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let mut private = Box::new(Private { format: text(&format), name: text(name), children });
        Self {
            format: private.format.as_ptr(),
            name: private.name.as_ptr(),
            metadata: ptr::null(),
            flags: 0,
            n_children: private.children.len() as i64,
            children: private.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release),
            private_data: Box::into_raw(private).cast(),
        }
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the protocol's way to end a schema that was not ended or moved.
            unsafe { release(self) }
        }
    }
}

/// Ends a schema and its children.
unsafe extern "C" fn release(schema: *mut Schema) {
    // SAFETY: the protocol passes a valid schema that was not released, whose private data `new` created.
    unsafe {
        let private = Box::from_raw((*schema).private_data.cast::<Private>());
        for &child in &private.children {
            // A child that the consumer moved has no release function any more, and its drop does nothing.
            drop(Box::from_raw(child));
        }
        (*schema).release = None;
    }
}
