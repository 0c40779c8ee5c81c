//! libheif, loaded at run time: its search paths and the functions used.
//!
//! The declarations follow libheif's public header, whose interface and constants have been stable since version 1.10.

#![expect(unsafe_code, reason = "libheif is a C library; everything unsafe about it is in this file")]

use std::env;
use std::ffi::{CStr, OsString, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

use geometry::Size;
use outcome::{DecodeError, LibraryProblem};

use super::{LIBRARY_VARIABLE, NAME, broken};

const LIBRARY: &str = "libheif";

/// The minimum version with this interface: 1.10.
const MIN_VERSION: u32 = 0x010a_0000;

// Constants of heif.h.
const COLORSPACE_RGB: c_int = 1;
const CHROMA_RGB: c_int = 10;
const CHROMA_RGBA: c_int = 11;
const CHROMA_RGB_16_LE: c_int = 14;
const CHROMA_RGBA_16_LE: c_int = 15;
const CHANNEL_INTERLEAVED: c_int = 10;
const UNSUPPORTED_FILE_TYPE: c_int = 3;
const INVALID_INPUT: c_int = 2;
const END_OF_DATA: c_int = 100;
const UNSUPPORTED_FEATURE: c_int = 4;
const UNSUPPORTED_CODEC: c_int = 3000;

#[repr(C)]
struct HeifError {
    code: c_int,
    subcode: c_int,
    message: *const c_char,
}

/// Opaque handles of libheif.
type Context = c_void;
type Handle = c_void;
type Picture = c_void;

/// The functions used. They stay valid since the library is never unloaded.
pub(super) struct Library {
    context_alloc: unsafe extern "C" fn() -> *mut Context,
    context_free: unsafe extern "C" fn(*mut Context),
    read: unsafe extern "C" fn(*mut Context, *const c_void, usize, *const c_void) -> HeifError,
    primary: unsafe extern "C" fn(*mut Context, *mut *mut Handle) -> HeifError,
    handle_release: unsafe extern "C" fn(*const Handle),
    width: unsafe extern "C" fn(*const Handle) -> c_int,
    height: unsafe extern "C" fn(*const Handle) -> c_int,
    has_alpha: unsafe extern "C" fn(*const Handle) -> c_int,
    is_premultiplied: Option<unsafe extern "C" fn(*const Handle) -> c_int>,
    luma_bits: unsafe extern "C" fn(*const Handle) -> c_int,
    decode: unsafe extern "C" fn(*const Handle, *mut *mut Picture, c_int, c_int, *const c_void) -> HeifError,
    picture_release: unsafe extern "C" fn(*const Picture),
    picture_width: unsafe extern "C" fn(*const Picture, c_int) -> c_int,
    picture_height: unsafe extern "C" fn(*const Picture, c_int) -> c_int,
    picture_bits: unsafe extern "C" fn(*const Picture, c_int) -> c_int,
    plane: unsafe extern "C" fn(*const Picture, c_int, *mut c_int) -> *const u8,
}

/// The installed library, loaded on the first call.
pub(super) fn get() -> Result<&'static Library, DecodeError> {
    static LOADED: OnceLock<Result<Library, LibraryProblem>> = OnceLock::new();
    let loaded = LOADED.get_or_init(|| {
        let program = env::current_exe().ok();
        load(&candidates(env::var_os(LIBRARY_VARIABLE), program.as_deref().and_then(Path::parent)))
    });
    loaded.as_ref().map_err(|problem| library_error(problem.clone()))
}

/// Candidate paths in order of preference. If a path was set, it is the only one.
pub(super) fn candidates(configured: Option<OsString>, program_folder: Option<&Path>) -> Vec<PathBuf> {
    if let Some(configured) = configured.filter(|configured| !configured.is_empty()) {
        return vec![configured.into()];
    }
    let names: &[&str] = if cfg!(target_os = "windows") {
        &["heif.dll", "libheif.dll", "libheif-1.dll"]
    } else if cfg!(target_os = "macos") {
        &["libheif.1.dylib", "libheif.dylib"]
    } else {
        &["libheif.so.1", "libheif.so"]
    };
    let mut folders: Vec<PathBuf> = program_folder.map(Path::to_owned).into_iter().collect();
    if cfg!(target_os = "macos") {
        folders.extend(program_folder.map(|program_folder| program_folder.join("../Frameworks")));
        folders.extend(["/opt/homebrew/lib", "/usr/local/lib"].map(PathBuf::from));
    }
    let mut files: Vec<PathBuf> =
        folders.iter().flat_map(|folder| names.iter().map(move |name| folder.join(name))).collect();
    // The system resolves bare names. Windows would also search the working folder, where anybody may have placed a
    // file of that name.
    if !cfg!(target_os = "windows") {
        files.extend(names.iter().map(PathBuf::from));
    }
    files
}

/// Loads the first usable file of `files`; the error describes the problem.
pub(super) fn load(files: &[PathBuf]) -> Result<Library, LibraryProblem> {
    let mut problem = LibraryProblem::NotInstalled;
    for file in files {
        // A missing path is skipped. Bare names are resolved by the system.
        if file.components().count() > 1 && !file.is_file() {
            if files.len() == 1 {
                problem = LibraryProblem::NotAt { path: file.clone() };
            }
            continue;
        }
        // SAFETY: loading runs the library's initialisers; the file is the system's libheif, or one that the user
        // specified or placed next to the program.
        match unsafe { libloading::Library::new(file) } {
            Ok(library) => match functions(&library) {
                Ok(functions) => {
                    std::mem::forget(library); // Its functions are used until the program exits.
                    return Ok(functions);
                }
                Err(reason) => problem = LibraryProblem::Unfit(reason),
            },
            Err(_) if file.components().count() == 1 && files.len() > 1 => {}
            Err(error) => {
                problem = LibraryProblem::Unloadable { path: file.clone(), reason: error.to_string() };
            }
        }
    }
    Err(problem)
}

pub(super) fn library_error(problem: LibraryProblem) -> DecodeError {
    DecodeError::NeedsLibrary { format: NAME, library: LIBRARY, problem }
}

fn functions(library: &libloading::Library) -> Result<Library, String> {
    /// # Safety
    /// `T` must be the type of the function of that name.
    unsafe fn get<T: Copy>(library: &libloading::Library, name: &CStr) -> Result<T, String> {
        // SAFETY: as for this function.
        match unsafe { library.get::<T>(name.to_bytes_with_nul()) } {
            Ok(symbol) => Ok(*symbol),
            Err(_) => Err(format!("is too old or a different library (it has no {})", name.to_string_lossy())),
        }
    }
    // SAFETY: the types match heif.h.
    unsafe {
        let version: unsafe extern "C" fn() -> u32 = get(library, c"heif_get_version_number")?;
        let version = version();
        if version < MIN_VERSION {
            return Err(format!("is too old (version {}.{}, 1.10 is needed)", version >> 24, version >> 16 & 0xff));
        }
        Ok(Library {
            context_alloc: get(library, c"heif_context_alloc")?,
            context_free: get(library, c"heif_context_free")?,
            read: get(library, c"heif_context_read_from_memory_without_copy")?,
            primary: get(library, c"heif_context_get_primary_image_handle")?,
            handle_release: get(library, c"heif_image_handle_release")?,
            width: get(library, c"heif_image_handle_get_width")?,
            height: get(library, c"heif_image_handle_get_height")?,
            has_alpha: get(library, c"heif_image_handle_has_alpha_channel")?,
            is_premultiplied: get(library, c"heif_image_handle_is_premultiplied_alpha").ok(),
            luma_bits: get(library, c"heif_image_handle_get_luma_bits_per_pixel")?,
            decode: get(library, c"heif_decode_image")?,
            picture_release: get(library, c"heif_image_release")?,
            picture_width: get(library, c"heif_image_get_width")?,
            picture_height: get(library, c"heif_image_get_height")?,
            picture_bits: get(library, c"heif_image_get_bits_per_pixel_range")?,
            plane: get(library, c"heif_image_get_plane_readonly")?,
        })
    }
}

/// A file opened by libheif, and its image.
pub(super) struct Opened<'a> {
    library: &'a Library,
    context: NonNull<Context>,
    handle: *mut Handle,
    /// The context reads from this slice during its lifetime.
    bytes: PhantomData<&'a [u8]>,
}

impl<'a> Opened<'a> {
    pub(super) fn new(library: &'a Library, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        // SAFETY: the call has no arguments.
        let context = NonNull::new(unsafe { (library.context_alloc)() }).ok_or_else(|| broken("out of memory"))?;
        let mut opened = Self { library, context, handle: ptr::null_mut(), bytes: PhantomData };
        // SAFETY: the context is valid and `bytes` outlives it. Null options are permitted.
        unsafe {
            let result = (library.read)(context.as_ptr(), bytes.as_ptr().cast(), bytes.len(), ptr::null());
            check(&result)?;
            check(&(library.primary)(context.as_ptr(), &raw mut opened.handle))?;
        }
        if opened.handle.is_null() { Err(broken("it contains no image")) } else { Ok(opened) }
    }

    /// Upright size in pixels.
    pub(super) fn size(&self) -> Size {
        // SAFETY: the handle is valid.
        let (width, height) = unsafe { ((self.library.width)(self.handle), (self.library.height)(self.handle)) };
        Size::new(u32::try_from(width).unwrap_or(0), u32::try_from(height).unwrap_or(0))
    }

    pub(super) fn has_alpha(&self) -> bool {
        // SAFETY: the handle is valid.
        unsafe { (self.library.has_alpha)(self.handle) != 0 }
    }

    /// Bits per sample.
    pub(super) fn depth(&self) -> c_int {
        // SAFETY: the handle is valid.
        unsafe { (self.library.luma_bits)(self.handle) }
    }

    /// Decodes to red, green, blue and optional alpha, with two bytes per sample if `deep`.
    pub(super) fn decode(&self, alpha: bool, deep: bool) -> Result<Image<'a>, DecodeError> {
        let chroma = match (alpha, deep) {
            (false, false) => CHROMA_RGB,
            (true, false) => CHROMA_RGBA,
            (false, true) => CHROMA_RGB_16_LE,
            (true, true) => CHROMA_RGBA_16_LE,
        };
        let mut picture = ptr::null_mut();
        // SAFETY: the handle and the output pointer are valid. Null options are permitted.
        let result =
            unsafe { (self.library.decode)(self.handle, &raw mut picture, COLORSPACE_RGB, chroma, ptr::null()) };
        check(&result)?;
        if picture.is_null() {
            return Err(broken("it contains no image"));
        }
        // SAFETY: the handle is valid.
        let is_premultiplied = self.library.is_premultiplied.is_some_and(|ask| unsafe { ask(self.handle) != 0 });
        let bytes_per_pixel = if alpha { 4 } else { 3 } * if deep { 2 } else { 1 };
        Image::new(self.library, picture, bytes_per_pixel, is_premultiplied)
    }
}

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        // SAFETY: both came from libheif and are released once.
        unsafe {
            if !self.handle.is_null() {
                (self.library.handle_release)(self.handle);
            }
            (self.library.context_free)(self.context.as_ptr());
        }
    }
}

/// A decoded image in libheif's memory.
pub(super) struct Image<'a> {
    library: &'a Library,
    picture: *mut Picture,
    size: Size,
    plane: *const u8,
    stride: usize,
    row_bytes: usize,
    is_premultiplied: bool,
}

impl<'a> Image<'a> {
    fn new(
        library: &'a Library,
        picture: *mut Picture,
        bytes_per_pixel: usize,
        is_premultiplied: bool,
    ) -> Result<Self, DecodeError> {
        let mut stride = 0;
        // SAFETY: the image is valid.
        let (width, height, plane) = unsafe {
            (
                (library.picture_width)(picture, CHANNEL_INTERLEAVED),
                (library.picture_height)(picture, CHANNEL_INTERLEAVED),
                (library.plane)(picture, CHANNEL_INTERLEAVED, &raw mut stride),
            )
        };
        let size = Size::new(u32::try_from(width).unwrap_or(0), u32::try_from(height).unwrap_or(0));
        let row_bytes = size.width as usize * bytes_per_pixel;
        let stride = usize::try_from(stride).unwrap_or(0);
        let image = Self { library, picture, size, plane, stride, row_bytes, is_premultiplied };
        if plane.is_null() || stride < row_bytes { Err(broken("it has no pixels")) } else { Ok(image) }
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// Significant bits per sample.
    pub(super) fn depth(&self) -> c_int {
        // SAFETY: the image is valid.
        unsafe { (self.library.picture_bits)(self.picture, CHANNEL_INTERLEAVED) }
    }

    /// True if the colours are premultiplied by alpha.
    pub(super) fn is_premultiplied(&self) -> bool {
        self.is_premultiplied
    }

    /// The bytes of row `y`.
    pub(super) fn row(&self, y: u32) -> Option<&[u8]> {
        if y >= self.size.height {
            return None;
        }
        // SAFETY: the plane has `height` rows at intervals of `stride` bytes, each of at least `row_bytes`, and lives
        // as long as the image.
        Some(unsafe { std::slice::from_raw_parts(self.plane.add(y as usize * self.stride), self.row_bytes) })
    }
}

impl Drop for Image<'_> {
    fn drop(&mut self) {
        // SAFETY: the image came from libheif and is released once.
        unsafe { (self.library.picture_release)(self.picture) };
    }
}

/// Converts a libheif error code to a result.
fn check(result: &HeifError) -> Result<(), DecodeError> {
    if result.code == 0 {
        return Ok(());
    }
    let reason = if result.message.is_null() {
        format!("error {} of {LIBRARY}", result.code)
    } else {
        // SAFETY: libheif's messages are zero-terminated and live at least until its next call.
        unsafe { CStr::from_ptr(result.message) }.to_string_lossy().into_owned()
    };
    Err(match result.code {
        UNSUPPORTED_FEATURE if result.subcode == UNSUPPORTED_CODEC => {
            library_error(LibraryProblem::NoDecoder { reason })
        }
        INVALID_INPUT if result.subcode == END_OF_DATA || reason.contains("outside of file bounds") => {
            broken("the file is truncated: its image data ends early")
        }
        UNSUPPORTED_FILE_TYPE | UNSUPPORTED_FEATURE => DecodeError::Unsupported { format: NAME, reason },
        _ => broken(reason),
    })
}
