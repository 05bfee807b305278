//! Arguments that are pointers.

use std::ffi::{CStr, c_char};
use std::slice;

use engine::Vector;

use crate::fault::{Fault, Status};

fn null(what: &str) -> Fault {
    Fault::new(Status::Null, format_args!("{what} is null"))
}

/// The text in an argument.
///
/// # Safety
///
/// A pointer that is not null must be valid for `'a` and end with a zero byte.
pub(crate) unsafe fn text<'a>(what: &str, from: *const c_char) -> Result<&'a str, Fault> {
    if from.is_null() {
        return Err(null(what));
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(from) };
    text.to_str().map_err(|error| Fault::bad(format_args!("{what} is not UTF-8: {error}")))
}

/// The items in an argument. `count` may be zero with a null pointer.
///
/// # Safety
///
/// A pointer that is not null must be valid for `count` items and `'a`.
pub(crate) unsafe fn items<'a, T>(what: &str, from: *const T, count: usize) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    check(what, from, count)?;
    // SAFETY: the caller's promise; the pointer is aligned and the size of the slice fits.
    Ok(unsafe { slice::from_raw_parts(from, count) })
}

/// A point in an argument.
///
/// # Safety
///
/// A pointer that is not null must be valid for the numbers of a point.
pub(crate) unsafe fn point<const D: usize>(what: &str, from: *const f32) -> Result<Vector<D>, Fault> {
    // SAFETY: the caller's promise.
    let from = unsafe { items(what, from, D) }?;
    Ok(Vector::from_fn(|axis| from[axis]))
}

/// Room for items in an argument. `count` may be zero with a null pointer.
///
/// # Safety
///
/// A pointer that is not null must be valid for writing `count` items during `'a`, and nothing else may use them.
pub(crate) unsafe fn room<'a, T>(what: &str, to: *mut T, count: usize) -> Result<&'a mut [T], Fault> {
    if count == 0 {
        return Ok(&mut []);
    }
    check(what, to, count)?;
    // SAFETY: the caller's promise; the pointer is aligned and the size of the slice fits.
    Ok(unsafe { slice::from_raw_parts_mut(to, count) })
}

/// Checks a pointer to items without using it.
pub(crate) fn check<T>(what: &str, pointer: *const T, count: usize) -> Result<(), Fault> {
    if pointer.is_null() {
        return Err(null(what));
    }
    if !pointer.is_aligned() {
        return Err(Fault::bad(format_args!("{what} is not aligned to {} bytes", align_of::<T>())));
    }
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Fault::bad(format_args!("{what}: {count} items do not fit into memory")));
    }
    Ok(())
}

/// Writes a result.
///
/// # Safety
///
/// A pointer that is not null must be valid for writing.
pub(crate) unsafe fn write<T>(what: &str, to: *mut T, value: T) -> Result<(), Fault> {
    check(what, to, 1)?;
    // SAFETY: the caller's promise; the pointer is neither null nor misaligned.
    unsafe { to.write(value) };
    Ok(())
}

/// Copies records of `width` numbers to an argument, at most `capacity` of them, and gives it the number of all.
///
/// # Safety
///
/// Pointers that are not null must be valid for writing.
pub(crate) unsafe fn copy(
    what: &str,
    all: &[f32],
    width: usize,
    to: *mut f32,
    capacity: usize,
    count: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    let room = unsafe { room(what, to, capacity.saturating_mul(width)) }?;
    let fitting = room.len().min(all.len());
    room[..fitting].copy_from_slice(&all[..fitting]);
    // SAFETY: the caller's promise.
    unsafe { write("count", count, all.len() / width) }
}
