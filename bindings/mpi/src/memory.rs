//! The memory of a rank.

/// The size in bytes from which the system gives memory to an allocation of zeros page by page, when it is written. A
/// rank has columns for all agents, and writes only its own part.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 20;

/// Makes large allocations of zeros free until they are written. Otherwise the C library raises their size, up to 32 MiB,
/// whenever one of them is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub(crate) fn write_to_claim() {
    // SAFETY: The function takes numbers only, and this is a parameter that it knows.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

/// Other systems have settings of their own.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn write_to_claim() {}
