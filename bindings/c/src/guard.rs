//! The boundary: panics stop here, and errors become a status and the text of this thread's last error.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::fault::{Fault, Status};

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs the body of a function of the interface.
pub(crate) fn call(body: impl FnOnce() -> Result<(), Fault>) -> Status {
    let result = catch_unwind(AssertUnwindSafe(body));
    let fault = match result {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(fault)) => fault,
        Err(payload) => Fault::new(Status::Panic, format_args!("throng panicked: {}", message(&*payload))),
    };
    let text = CString::new(fault.text.replace('\0', "\u{fffd}")).unwrap_or_default();
    // At the end of a thread, its text may be gone already.
    let _ = LAST.try_with(|last| *last.borrow_mut() = text);
    fault.status
}

fn message(payload: &(dyn Any + Send)) -> &str {
    match payload.downcast_ref::<String>() {
        Some(text) => text,
        None => payload.downcast_ref::<&str>().copied().unwrap_or("without a message"),
    }
}

/// The text of the last error in this thread, or an empty text. It is valid until the next error in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn throng_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
