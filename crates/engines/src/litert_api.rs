//! The functions of LiteRT's C interface that the engine needs, behind safe types.
//!
//! The interface changes between versions: functions get other parameters under the same name, and the library does not tell
//! its version. All declarations here are those of [`VERSION`], so only a file with [`LIBRARY_SHA256`] is loaded.

#![expect(unsafe_code, reason = "LiteRT is a C library")]

use std::alloc::{self, Layout};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::ptr::{NonNull, null_mut};

use libloading::Library;
use sha2::{Digest, Sha256};

use outcome::LibraryError;

/// The version of LiteRT that is declared here.
pub(super) const VERSION: &str = "2.3.0";

/// SHA-256 of this version's library in the PyPI wheel `ai-edge-litert` for this system; `None` if there is no wheel.
const LIBRARY_SHA256: Option<&str> = if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
    Some("eec47eb35e2924b3166015887e652a58edc9af823ae38e02bf83bef2548300bb")
} else if cfg!(all(target_os = "linux", target_arch = "aarch64")) {
    Some("b57687dc234d2b8b0598aef5a9c961ed24263df8f8b3f56adbee1cff618e544b")
} else if cfg!(all(target_os = "macos", target_arch = "aarch64")) {
    Some("f3d8b2c3dea5125111de6b005820088629efd13db04b5f157ffd4f2c5dbb318b")
} else if cfg!(all(target_os = "windows", target_arch = "x86_64")) {
    Some("445f51fed26967fc1112e0de9ddfef7d8497b24322bbfe18b556426a60000891")
} else {
    None
};

/// Maximum size of a library's file in bytes; that of LiteRT has 8 million.
const MAX_LIBRARY_BYTES: u64 = 1 << 26;

/// Alignment of tensors in bytes, and bytes after a tensor that kernels may read.
const ALIGNMENT: usize = 64;

const ON_CPU: c_int = 1;
const FLOAT32: c_int = 1;
const WHOLE_NUMBER: c_int = 2;
/// Environment option: the accelerators to register. Without it, libraries for graphics cards are searched by bare names.
const ACCELERATORS: c_int = 24;
/// Environment option: the least severity that is logged to standard error.
const MIN_SEVERITY: c_int = 25;
const ERROR: i64 = 3;

/// `LiteRtEnvOption`.
#[repr(C)]
struct EnvironmentOption {
    tag: c_int,
    value: Any,
}

/// `LiteRtAny`, with a whole number.
#[repr(C)]
struct Any {
    kind: c_int,
    number: i64,
}

/// `LiteRtLayout`: the lower 7 bits of `rank` are the number of dimensions, the next one is set if there are strides.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct TensorLayout {
    rank: u32,
    dimensions: [i32; 8],
    strides: [u32; 8],
}

/// `LiteRtRankedTensorType`.
#[repr(C)]
struct TensorType {
    element: c_int,
    layout: TensorLayout,
}

// The sizes that LiteRT's headers assert.
const _: () = assert!(size_of::<EnvironmentOption>() == 24 && size_of::<TensorType>() == 72);

type Status = c_int;
type Object = *mut c_void;
type Destroy = unsafe extern "C" fn(Object);

macro_rules! functions {
    ($($name:ident: $symbol:literal, fn($($parameter:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of a loaded library.
        pub(super) struct Functions {
            $($name: unsafe extern "C" fn($($parameter),*) $(-> $result)?,)*
        }

        impl Functions {
            /// # Safety
            /// The library is LiteRT's, in [`VERSION`].
            unsafe fn of(library: &Library) -> Result<Self, libloading::Error> {
                // SAFETY: in this version the functions have these types.
                unsafe { Ok(Self { $($name: *library.get($symbol)?,)* }) }
            }
        }
    };
}

functions! {
    create_environment: c"LiteRtCreateEnvironment", fn(c_int, *const EnvironmentOption, *mut Object) -> Status;
    destroy_environment: c"LiteRtDestroyEnvironment", fn(Object);
    create_model: c"LiteRtCreateModelFromBuffer", fn(Object, *const c_void, usize, *mut Object) -> Status;
    destroy_model: c"LiteRtDestroyModel", fn(Object);
    create_options: c"LiteRtCreateOptions", fn(*mut Object) -> Status;
    destroy_options: c"LiteRtDestroyOptions", fn(Object);
    set_accelerators: c"LiteRtSetOptionsHardwareAccelerators", fn(Object, c_int) -> Status;
    create_settings: c"LiteRtCreateOpaqueOptions", fn(*const c_char, *mut c_void, Destroy, *mut Object) -> Status;
    add_settings: c"LiteRtAddOpaqueOptions", fn(Object, Object) -> Status;
    create_compiled: c"LiteRtCreateCompiledModel", fn(Object, Object, Object, *mut Object) -> Status;
    destroy_compiled: c"LiteRtDestroyCompiledModel", fn(Object);
    resize_input: c"LiteRtCompiledModelResizeInputTensorNonStrict",
        fn(Object, usize, usize, *const c_int, usize) -> Status;
    output_layouts: c"LiteRtGetCompiledModelOutputTensorLayouts",
        fn(Object, usize, usize, *mut TensorLayout, bool) -> Status;
    create_tensor: c"LiteRtCreateTensorBufferFromHostMemory",
        fn(*const TensorType, *mut c_void, usize, Option<Destroy>, *mut Object) -> Status;
    destroy_tensor: c"LiteRtDestroyTensorBuffer", fn(Object);
    run: c"LiteRtRunCompiledModel", fn(Object, usize, usize, *const Object, usize, *const Object) -> Status;
}

/// Loads the library at `path`. It is never unloaded.
///
/// # Errors
/// The file is not this version's library, or the system cannot load it.
pub(super) fn load(path: &Path) -> Result<&'static Functions, LibraryError> {
    let unloadable = |error: &dyn fmt::Display| LibraryError::Unloadable {
        path: path.to_owned(),
        reason: inference::one_line(error),
    };
    if !is_known(path).map_err(|error| unloadable(&error))? {
        return Err(LibraryError::OtherVersion { path: path.to_owned(), needed: VERSION.to_owned() });
    }
    // SAFETY: the file is LiteRT's library, whose initialisers may run at any time.
    let library = unsafe { Library::new(path) }.map_err(|error| unloadable(&error))?;
    // SAFETY: it has this version.
    let functions = unsafe { Functions::of(&library) }.map_err(|error| unloadable(&error))?;
    std::mem::forget(library);
    Ok(Box::leak(Box::new(functions)))
}

/// True if the file has [`LIBRARY_SHA256`].
fn is_known(path: &Path) -> io::Result<bool> {
    if LIBRARY_SHA256.is_none() || fs::metadata(path)?.len() > MAX_LIBRARY_BYTES {
        return Ok(false);
    }
    let digest: String = Sha256::digest(fs::read(path)?).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(LIBRARY_SHA256 == Some(digest.as_str()))
}

/// A function of the library that has failed, or memory that is not available.
#[derive(Debug)]
pub(super) enum Failure {
    /// The function's name and its status.
    Call(&'static CStr, Status),
    Memory,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(name, status) => write!(f, "{} failed with status {status}", name.to_string_lossy()),
            Self::Memory => f.write_str("not enough memory for its tensors"),
        }
    }
}

fn check(name: &'static CStr, status: Status) -> Result<(), Failure> {
    if status == 0 { Ok(()) } else { Err(Failure::Call(name, status)) }
}

/// An object of the library, with the function that destroys it.
struct Owned {
    object: Object,
    destroy: Destroy,
}

impl Owned {
    /// Calls `create` with the place for the object.
    fn new(name: &'static CStr, destroy: Destroy, create: impl FnOnce(*mut Object) -> Status) -> Result<Self, Failure> {
        let mut object = null_mut();
        check(name, create(&raw mut object))?;
        Ok(Self { object, destroy })
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the object was created together with this value, and nothing uses it afterwards.
        unsafe { (self.destroy)(self.object) };
    }
}

/// Memory for floats, [aligned](ALIGNMENT) and longer by that.
struct Memory {
    start: NonNull<f32>,
    layout: Layout,
}

impl Memory {
    /// Zeros, `bytes` of them and at least one.
    fn new(bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.checked_add(ALIGNMENT)?, ALIGNMENT).ok()?;
        // SAFETY: the size is not 0.
        let start = NonNull::new(unsafe { alloc::alloc_zeroed(layout) }.cast())?;
        Some(Self { start, layout })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout.
        unsafe { alloc::dealloc(self.start.as_ptr().cast(), self.layout) };
    }
}

/// Values of a tensor, in memory that the library reads or writes during a run.
struct Tensor {
    // Dropped before the memory, which it uses.
    buffer: Owned,
    memory: Memory,
    shape: Vec<usize>,
}

impl Tensor {
    fn new(functions: &Functions, layout: TensorLayout) -> Result<Self, Failure> {
        let rank = (layout.rank & 0x7f) as usize;
        let dimensions = layout.dimensions.get(..rank).ok_or(Failure::Memory)?;
        let shape: Result<Vec<usize>, _> = dimensions.iter().map(|side| usize::try_from(*side)).collect();
        let shape = shape.map_err(|_| Failure::Memory)?;
        let bytes = shape.iter().try_fold(size_of::<f32>(), |product, side| product.checked_mul(*side));
        let bytes = bytes.ok_or(Failure::Memory)?;
        let memory = Memory::new(bytes).ok_or(Failure::Memory)?;
        let tensor_type = TensorType { element: FLOAT32, layout: TensorLayout { rank: layout.rank & 0x7f, ..layout } };
        let buffer = Owned::new(c"LiteRtCreateTensorBufferFromHostMemory", functions.destroy_tensor, |made| {
            let start = memory.start.as_ptr().cast();
            // SAFETY: the memory has that many bytes and outlives the buffer; without a function that frees it, the
            // library does not.
            unsafe { (functions.create_tensor)(&raw const tensor_type, start, bytes, None, made) }
        })?;
        Ok(Self { buffer, memory, shape })
    }

    fn length(&self) -> usize {
        self.shape.iter().product()
    }

    fn values(&self) -> &[f32] {
        // SAFETY: the memory has that many initialised floats, and the library writes them only during a run, for which
        // the network is borrowed mutably.
        unsafe { std::slice::from_raw_parts(self.memory.start.as_ptr(), self.length()) }
    }

    fn values_mut(&mut self) -> &mut [f32] {
        // SAFETY: likewise.
        unsafe { std::slice::from_raw_parts_mut(self.memory.start.as_ptr(), self.length()) }
    }
}

/// A model that is ready to run, with its input and outputs.
pub(super) struct Network {
    functions: &'static Functions,
    // Dropped in this order: each uses those below it.
    compiled: Owned,
    input: Tensor,
    outputs: Vec<Tensor>,
    _options: Owned,
    _model: Owned,
    _environment: Owned,
}

// SAFETY: the library's objects belong to no thread, and every use of them needs this value or a reference to it.
unsafe impl Send for Network {}

impl Network {
    /// Prepares `model`, a TFLite file with one input [1, 3, height, width] and `outputs` outputs of floats, to run on
    /// `threads` threads.
    ///
    /// # Errors
    /// The library rejects the model or the size of its input.
    pub(super) fn new(
        functions: &'static Functions,
        model: &'static [u8],
        height: u32,
        width: u32,
        outputs: usize,
        threads: usize,
    ) -> Result<Self, Failure> {
        let option = |tag, number| EnvironmentOption { tag, value: Any { kind: WHOLE_NUMBER, number } };
        let settings = [option(ACCELERATORS, i64::from(ON_CPU)), option(MIN_SEVERITY, ERROR)];
        let environment = Owned::new(c"LiteRtCreateEnvironment", functions.destroy_environment, |made| {
            // SAFETY: the array has that many options, which the library copies.
            unsafe { (functions.create_environment)(settings.len() as c_int, settings.as_ptr(), made) }
        })?;
        let model = Owned::new(c"LiteRtCreateModelFromBuffer", functions.destroy_model, |made| {
            // SAFETY: the bytes are never freed, as the library demands.
            unsafe { (functions.create_model)(environment.object, model.as_ptr().cast(), model.len(), made) }
        })?;
        let options = options(functions, threads)?;
        let compiled = Owned::new(c"LiteRtCreateCompiledModel", functions.destroy_compiled, |made| {
            // SAFETY: the three objects exist, and outlive the compiled model.
            unsafe { (functions.create_compiled)(environment.object, model.object, options.object, made) }
        })?;
        let side = |side: u32| i32::try_from(side).map_err(|_| Failure::Memory);
        let shape: [c_int; 4] = [1, 3, side(height)?, side(width)?];
        // SAFETY: the compiled model exists, and the array has that many numbers.
        let status = unsafe { (functions.resize_input)(compiled.object, 0, 0, shape.as_ptr(), shape.len()) };
        check(c"LiteRtCompiledModelResizeInputTensorNonStrict", status)?;
        let mut layouts = vec![TensorLayout::default(); outputs];
        // SAFETY: the library writes that many layouts, or fails if the model has another number of outputs.
        let status = unsafe { (functions.output_layouts)(compiled.object, 0, outputs, layouts.as_mut_ptr(), true) };
        check(c"LiteRtGetCompiledModelOutputTensorLayouts", status)?;
        let mut input = TensorLayout { rank: 4, ..TensorLayout::default() };
        input.dimensions[..4].copy_from_slice(&shape);
        Ok(Self {
            functions,
            input: Tensor::new(functions, input)?,
            outputs: layouts.into_iter().map(|layout| Tensor::new(functions, layout)).collect::<Result<_, _>>()?,
            compiled,
            _options: options,
            _model: model,
            _environment: environment,
        })
    }

    /// The input's values in row-major order.
    pub(super) fn input(&mut self) -> &mut [f32] {
        self.input.values_mut()
    }

    /// Shape and values of each output, those of the last run.
    pub(super) fn outputs(&self) -> impl Iterator<Item = (&[usize], &[f32])> {
        self.outputs.iter().map(|output| (output.shape.as_slice(), output.values()))
    }

    /// Runs the model on the input.
    ///
    /// # Errors
    /// The library fails.
    pub(super) fn run(&mut self) -> Result<(), Failure> {
        let input = [self.input.buffer.object];
        let outputs: Vec<Object> = self.outputs.iter().map(|output| output.buffer.object).collect();
        // SAFETY: all objects exist, the buffers have the shapes that the library has asked for, and nothing else uses
        // their memory during this call.
        let status = unsafe {
            (self.functions.run)(self.compiled.object, 0, input.len(), input.as_ptr(), outputs.len(), outputs.as_ptr())
        };
        check(c"LiteRtRunCompiledModel", status)
    }
}

/// Options for the processor and this number of threads.
fn options(functions: &Functions, threads: usize) -> Result<Owned, Failure> {
    /// Frees the text of [`options`].
    unsafe extern "C" fn free(text: *mut c_void) {
        // SAFETY: it was made by `CString::into_raw`, and the library calls this once.
        drop(unsafe { CString::from_raw(text.cast()) });
    }
    let options =
        // SAFETY: the library writes the new object to the place.
        Owned::new(c"LiteRtCreateOptions", functions.destroy_options, |made| unsafe { (functions.create_options)(made) })?;
    // SAFETY: the object exists.
    let status = unsafe { (functions.set_accelerators)(options.object, ON_CPU) };
    check(c"LiteRtSetOptionsHardwareAccelerators", status)?;
    // TOML, as the library's own functions for these options write it.
    let text = CString::new(format!("num_threads = {threads}\n")).unwrap_or_default().into_raw();
    let mut settings = null_mut();
    // SAFETY: both texts end with a null byte, and the second is freed by `free` only.
    let status = unsafe { (functions.create_settings)(c"xnnpack".as_ptr(), text.cast(), free, &raw mut settings) };
    check(c"LiteRtCreateOpaqueOptions", status)?;
    // SAFETY: both objects exist; the first owns the second afterwards.
    check(c"LiteRtAddOpaqueOptions", unsafe { (functions.add_settings)(options.object, settings) })?;
    Ok(options)
}
