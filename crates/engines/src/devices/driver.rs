//! The devices of CUDA and HIP, from their driver libraries: these assign the numbers that the providers use.
//!
//! By default CUDA lists the fastest device first, and variables such as `CUDA_VISIBLE_DEVICES` hide and reorder devices:
//! the order of any other list can differ.

#![expect(unsafe_code, reason = "the drivers are C libraries")]

use std::ffi::{CStr, c_char, c_int, c_uint};
use std::mem::forget;

use libloading::Library;

use outcome::Device;

use super::device;

/// A driver: the file names of its library, and its four functions, which have the same parameters in CUDA and HIP.
pub(super) struct Driver {
    files: &'static [&'static str],
    initialise: &'static CStr,
    count: &'static CStr,
    get: &'static CStr,
    name: &'static CStr,
}

pub(super) const CUDA: Driver = Driver {
    files: if cfg!(windows) { &["nvcuda.dll"] } else { &["libcuda.so.1"] },
    initialise: c"cuInit",
    count: c"cuDeviceGetCount",
    get: c"cuDeviceGet",
    name: c"cuDeviceGetName",
};

pub(super) const HIP: Driver = Driver {
    files: &["libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"],
    initialise: c"hipInit",
    count: c"hipGetDeviceCount",
    get: c"hipDeviceGet",
    name: c"hipDeviceGetName",
};

/// Maximum number of devices read, and of bytes of a name.
const MAX_DEVICES: c_int = 64;
const NAME_BYTES: usize = 256;

type Initialise = unsafe extern "system" fn(c_uint) -> c_int;
type Count = unsafe extern "system" fn(*mut c_int) -> c_int;
type Get = unsafe extern "system" fn(*mut c_int, c_int) -> c_int;
type Name = unsafe extern "system" fn(*mut c_char, c_int, c_int) -> c_int;

impl Driver {
    /// The devices by number; empty if the driver is not installed or reports an error.
    pub(super) fn devices(&self) -> Vec<Device> {
        let Some(library) = load(self.files) else { return Vec::new() };
        let devices = self.devices_of(&library).unwrap_or_default();
        // A driver has threads once it is initialised, so it is never unloaded.
        forget(library);
        devices
    }

    fn devices_of(&self, library: &Library) -> Option<Vec<Device>> {
        // SAFETY: the functions have had these types in every version of CUDA and HIP.
        let (initialise, count, get, name) = unsafe {
            (
                library.get::<Initialise>(self.initialise).ok()?,
                library.get::<Count>(self.count).ok()?,
                library.get::<Get>(self.get).ok()?,
                library.get::<Name>(self.name).ok()?,
            )
        };
        let mut found: c_int = 0;
        // SAFETY: both may be called first, and `found` is valid for writing.
        if unsafe { initialise(0) != 0 || count(&raw mut found) != 0 } {
            return None;
        }
        let named = |ordinal: c_int| {
            let mut handle: c_int = 0;
            let mut text = [0_u8; NAME_BYTES];
            // SAFETY: the driver is initialised and has a device `ordinal`; it writes a handle, and at most the given
            // number of bytes.
            let failed = unsafe {
                get(&raw mut handle, ordinal) != 0
                    || name(text.as_mut_ptr().cast(), NAME_BYTES as c_int - 1, handle) != 0
            };
            let end = text.iter().position(|byte| *byte == 0)?;
            if failed { None } else { device(u32::try_from(ordinal).ok()?, &String::from_utf8_lossy(&text[..end])) }
        };
        Some((0..found.min(MAX_DEVICES)).filter_map(named).collect())
    }
}

/// The first library of `files` that the system finds, preferably one that is loaded already: a second version beside it
/// could disturb it.
#[cfg(unix)]
fn load(files: &[&str]) -> Option<Library> {
    use libloading::os::unix;
    const LOADED_ONLY: c_int = if cfg!(target_os = "linux") { 4 } else { 16 };
    let flags = [unix::RTLD_LAZY | LOADED_ONLY, unix::RTLD_LAZY];
    // SAFETY: the names are those of the drivers, and the system's loader searches its own folders.
    let open = |flags| move |file: &&str| unsafe { unix::Library::open(Some(*file), flags) }.ok();
    flags.into_iter().find_map(|flags| files.iter().find_map(open(flags))).map(Library::from)
}

/// The first library of `files` in the system's folder.
#[cfg(windows)]
fn load(files: &[&str]) -> Option<Library> {
    use libloading::os::windows;
    // SAFETY: the names are those of the drivers, and no other folder is searched.
    let open =
        |file: &str| unsafe { windows::Library::load_with_flags(file, windows::LOAD_LIBRARY_SEARCH_SYSTEM32) }.ok();
    files.iter().copied().find_map(open).map(Library::from)
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use test_support::library_stubs::compile;

    use super::*;

    /// A driver with two devices, whose handles are not their numbers.
    const TWO: &str = "#include <string.h>\n\
        static int ready;\n\
        int cuInit(unsigned flags) { ready = flags == 0; return ready ? 0 : 1; }\n\
        int cuDeviceGetCount(int *count) { *count = 2; return ready ? 0 : 3; }\n\
        int cuDeviceGet(int *device, int ordinal) { *device = 70 + ordinal; return ordinal < 2 ? 0 : 101; }\n\
        int cuDeviceGetName(char *name, int length, int device) {\n\
            const char *names[] = { \"NVIDIA GeForce RTX 4070\", \" NVIDIA\\tT400\\x1b[31m 4GB \" };\n\
            if (device < 70) return 101;\n\
            strncpy(name, names[device - 70], length);\n\
            return 0;\n\
        }\n";

    /// A driver with this code; `None` without a C compiler.
    fn driver(folder: &Path, name: &str, code: &str) -> Option<Driver> {
        let path = compile(folder, name, code)?;
        let path: &'static str = Box::leak(path.to_string_lossy().into_owned().into_boxed_str());
        Some(Driver { files: Box::leak(Box::new(["/no/such/driver.so", path])), ..CUDA })
    }

    #[test]
    fn devices_have_the_drivers_numbers_and_names() {
        let folder = tempfile::tempdir().expect("folder");
        let Some(driver) = driver(folder.path(), "two", TWO) else { return };
        let named = |number, name: &str| Device { number, name: name.to_owned() };
        let expected = [named(0, "NVIDIA GeForce RTX 4070"), named(1, "NVIDIA T400\u{fffd}[31m 4GB")];
        assert_eq!(driver.devices(), expected);
        assert_eq!(driver.devices(), expected, "loaded already");
    }

    #[test]
    fn a_driver_without_devices_or_with_an_error_has_none() {
        let folder = tempfile::tempdir().expect("folder");
        let replaced = |from: &str, to: &str| {
            assert!(TWO.contains(from), "{from}");
            TWO.replace(from, to)
        };
        for (name, code) in [
            ("fails", replaced("return ready ? 0 : 1;", "return 100;")),
            ("nothing", replaced("*count = 2;", "*count = 0;")),
            ("negative", replaced("*count = 2;", "*count = -5;")),
            ("incomplete", replaced("int cuDeviceGetName", "int other")),
        ] {
            let Some(driver) = driver(folder.path(), name, &code) else { return };
            assert_eq!(driver.devices(), [], "{name}");
        }
        assert_eq!(Driver { files: &["/no/such/driver.so"], ..CUDA }.devices(), []);
    }

    #[test]
    fn a_device_that_fails_or_has_no_name_is_left_out() {
        let folder = tempfile::tempdir().expect("folder");
        for (name, from, to) in
            [("fails", "ordinal < 2", "ordinal > 0"), ("nameless", "\"NVIDIA GeForce RTX 4070\"", "\"\"")]
        {
            let Some(driver) = driver(folder.path(), name, &TWO.replace(from, to)) else { return };
            assert_eq!(driver.devices().iter().map(|device| device.number).collect::<Vec<_>>(), [1], "{name}");
        }
        // More devices than any machine has, and names without an end.
        let endless = TWO.replace("*count = 2;", "*count = 1 << 30;").replace("ordinal < 2", "1");
        let endless = endless.replace("strncpy(name, names[device - 70], length);", "memset(name, 'x', length);");
        let devices = driver(folder.path(), "endless", &endless).expect("compiled").devices();
        assert_eq!((devices.len(), devices[63].name.len()), (64, super::super::MAX_NAME));
    }
}
