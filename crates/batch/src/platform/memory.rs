//! What the allocator does with the memory of a decoded photo once it is freed.
//!
//! Left to itself, glibc hands every large block back to the system at once and asks for a fresh one, which the system
//! must fill with zeros page by page: for photos of 24 megapixels that was a sixth of all the time a run took.

#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "the allocator's settings are functions of the C library")
)]

/// Freed bytes that may stay for the next photo, before the allocator hands them back by itself.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT_BYTES: i32 = 256 << 20;

/// Blocks from this size on are still mapped and handed back one by one.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED_BYTES: i32 = 1 << 30;

/// Has the allocator keep up to 256 MiB of freed memory at the end of its heap. For the start of a program, before it has
/// other threads. Other systems' allocators, and other C libraries', stay as they are.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: both set a number of the allocator and nothing else.
    let _ = unsafe {
        (libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_BYTES), libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT_BYTES))
    };
}

/// Hands kept memory back to the system: at the end of much work.
pub(crate) fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it touches nothing but memory that nobody owns.
    let _ = unsafe { libc::malloc_trim(0) };
}
