//! A Windows job object: processes that are terminated together.

#![expect(unsafe_code, reason = "job objects are functions of system libraries")]

use std::ffi::c_void;
use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::process::Child;
use std::ptr::{from_ref, null};

const EXTENDED_LIMITS: i32 = 9;
const KILL_ON_JOB_CLOSE: u32 = 0x2000;

/// `JOBOBJECT_EXTENDED_LIMIT_INFORMATION`, with only the flags set.
#[repr(C)]
#[derive(Default)]
struct Limits {
    times: [i64; 2],
    flags: u32,
    working_set: [usize; 2],
    active_processes: u32,
    affinity: usize,
    classes: [u32; 2],
    io: [u64; 6],
    memory: [usize; 4],
}

#[link(name = "kernel32")]
unsafe extern "system" {
    fn CreateJobObjectW(attributes: *const c_void, name: *const u16) -> *mut c_void;
    fn SetInformationJobObject(job: *mut c_void, class: i32, information: *const c_void, length: u32) -> i32;
    fn AssignProcessToJobObject(job: *mut c_void, process: *mut c_void) -> i32;
}

/// A process and its children. They are terminated when this is dropped and when this process ends.
pub(super) struct Job {
    _handle: OwnedHandle,
}

impl Job {
    /// Assigns `child` to a new job object.
    ///
    /// # Errors
    /// The system rejects it.
    pub(super) fn around(child: &Child) -> io::Result<Self> {
        // SAFETY: both may be null: a job without a name, for this process alone.
        let job = unsafe { CreateJobObjectW(null(), null()) };
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle was just created and has no other owner.
        let handle = unsafe { OwnedHandle::from_raw_handle(job) };
        let limits = Limits { flags: KILL_ON_JOB_CLOSE, ..Limits::default() };
        // SAFETY: the class determines the type that is read, and the length is that of the argument.
        let is_set = unsafe {
            let limits = from_ref(&limits);
            SetInformationJobObject(job, EXTENDED_LIMITS, limits.cast(), size_of::<Limits>() as u32)
        };
        // SAFETY: both handles are open; the child's is owned by `child` until after the call.
        if is_set == 0 || unsafe { AssignProcessToJobObject(job, child.as_raw_handle()) } == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { _handle: handle })
    }
}
