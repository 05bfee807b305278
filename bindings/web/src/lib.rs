//! The WebAssembly module of `js/throng.js`: the C interface of throng, memory for its arguments, and the looks of
//! pictures.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{CString, c_char};

// Its functions are exported from this module too.
use interface as _;

const ALIGNMENT: usize = 8;

/// Memory for `bytes` bytes, aligned to eight, or null.
#[unsafe(no_mangle)]
pub extern "C" fn throng_allocate(bytes: usize) -> *mut u8 {
    match Layout::from_size_align(bytes.max(1), ALIGNMENT) {
        // SAFETY: the size is not zero.
        Ok(layout) => unsafe { alloc(layout) },
        Err(_) => std::ptr::null_mut(),
    }
}

/// Frees what `throng_allocate` gave for the same number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_release(memory: *mut u8, bytes: usize) {
    if let (false, Ok(layout)) = (memory.is_null(), Layout::from_size_align(bytes.max(1), ALIGNMENT)) {
        // SAFETY: the caller passes what `throng_allocate` gave for this layout.
        unsafe { dealloc(memory, layout) };
    }
}

thread_local! {
    static LOOKS: CString = CString::new(throng_draw::looks_json()).unwrap_or_default();
}

/// The colours and the numbers that pictures of throng have, as JSON with a zero byte at its end.
#[unsafe(no_mangle)]
pub extern "C" fn throng_looks() -> *const c_char {
    LOOKS.with(|looks| looks.as_ptr())
}
