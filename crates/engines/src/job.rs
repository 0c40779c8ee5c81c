//! A job of Windows: processes that end together.

#![expect(unsafe_code, reason = "jobs are functions of the system's libraries")]

use std::ffi::c_void;
use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::process::Child;
use std::ptr::{from_ref, null};

const EXTENDED_LIMITS: i32 = 9;
const KILL_ON_JOB_CLOSE: u32 = 0x2000;

/// `JOBOBJECT_EXTENDED_LIMIT_INFORMATION`, in which only the flags are set.
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

/// A process and those that it starts. They end when this is dropped, and when this process ends.
pub(super) struct Job {
    _handle: OwnedHandle,
}

impl Job {
    /// Puts `child` into a job of its own.
    ///
    /// # Errors
    /// The system refuses it.
    pub(super) fn around(child: &Child) -> io::Result<Self> {
        // SAFETY: both may be null: a job without a name, for this process alone.
        let job = unsafe { CreateJobObjectW(null(), null()) };
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle was made just now, and nobody else owns it.
        let handle = unsafe { OwnedHandle::from_raw_handle(job) };
        let limits = Limits { flags: KILL_ON_JOB_CLOSE, ..Limits::default() };
        // SAFETY: the class says what is read, and the length is that of what is passed.
        let is_set = unsafe {
            let limits = from_ref(&limits);
            SetInformationJobObject(job, EXTENDED_LIMITS, limits.cast(), size_of::<Limits>() as u32)
        };
        // SAFETY: both handles are open; the child's is its owner's until after the call.
        if is_set == 0 || unsafe { AssignProcessToJobObject(job, child.as_raw_handle()) } == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { _handle: handle })
    }
}
