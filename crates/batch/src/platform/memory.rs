//! Allocator settings for large, short-lived blocks such as decoded photos.
//!
//! By default, glibc returns every large block to the system at once and maps a new one, which the kernel zeroes page by
//! page: for photos of 24 megapixels that took a sixth of the total time of a run.

#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "the allocator's settings are functions of the C library")
)]

/// Freed bytes the allocator keeps for reuse before it returns memory to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT_BYTES: i32 = 256 << 20;

/// Blocks of at least this size are still mapped and unmapped individually.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED_BYTES: i32 = 1 << 30;

/// Makes the allocator keep up to 256 MiB of freed memory at the end of its heap. To be called at program start, before
/// other threads exist. No effect with other systems or C libraries.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: both calls only set a parameter of the allocator.
    let _ = unsafe {
        (libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_BYTES), libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT_BYTES))
    };
}

/// Returns freed memory to the system, at the end of a batch.
pub(crate) fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call only affects free memory of the allocator.
    let _ = unsafe { libc::malloc_trim(0) };
}
