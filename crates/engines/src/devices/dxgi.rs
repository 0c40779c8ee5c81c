//! The graphics cards in the order of DXGI, in which DirectML numbers them.
//!
//! ONNX Runtime passes its device number to `IDXGIFactory1::EnumAdapters1`. Other lists, such as DXCore's or DXGI's by
//! performance, have another order on laptops with two cards.

#![expect(unsafe_code, reason = "DXGI is a system library with a COM interface")]

use std::ffi::c_void;
use std::mem::forget;

use libloading::os::windows::{LOAD_LIBRARY_SEARCH_SYSTEM32, Library};
use windows::Win32::Graphics::Dxgi::{DXGI_ADAPTER_DESC1, DXGI_ADAPTER_FLAG_SOFTWARE, IDXGIAdapter1, IDXGIFactory1};
use windows::core::{GUID, HRESULT, Interface};

use outcome::Device;

use super::device;

/// Maximum number of adapters read.
const MAX_DEVICES: u32 = 64;

/// Vendor and device id of Microsoft's software renderer.
const BASIC_RENDER_DRIVER: (u32, u32) = (0x1414, 0x8c);

type CreateFactory = unsafe extern "system" fn(*const GUID, *mut *mut c_void) -> HRESULT;

/// The graphics cards by number, without the software renderers, which DirectML rejects; empty if DXGI is missing.
pub(super) fn adapters() -> Vec<Device> {
    let Some(factory) = factory() else { return Vec::new() };
    // SAFETY: the factory is a valid interface pointer.
    let adapters = (0..MAX_DEVICES).map_while(|number| Some((number, unsafe { factory.EnumAdapters1(number) }.ok()?)));
    let named = |(number, adapter): (u32, IDXGIAdapter1)| {
        // SAFETY: the adapter is a valid interface pointer.
        let about = unsafe { adapter.GetDesc1() }.ok()?;
        if is_software(&about) {
            return None;
        }
        let end = about.Description.iter().position(|unit| *unit == 0).unwrap_or(about.Description.len());
        device(number, &String::from_utf16_lossy(&about.Description[..end]))
    };
    adapters.filter_map(named).collect()
}

fn is_software(about: &DXGI_ADAPTER_DESC1) -> bool {
    let flag = u32::try_from(DXGI_ADAPTER_FLAG_SOFTWARE.0).unwrap_or_default();
    about.Flags & flag != 0 || (about.VendorId, about.DeviceId) == BASIC_RENDER_DRIVER
}

/// Loaded at run time: Windows without a desktop may lack DXGI.
fn factory() -> Option<IDXGIFactory1> {
    // SAFETY: the system's own library, from the system's folder.
    let library = unsafe { Library::load_with_flags("dxgi.dll", LOAD_LIBRARY_SEARCH_SYSTEM32) }.ok()?;
    let mut factory = std::ptr::null_mut();
    // SAFETY: the function has this type; if it succeeds, it returns an interface of the given id, owned by the caller.
    let factory = unsafe {
        let create = library.get::<CreateFactory>(c"CreateDXGIFactory1").ok()?;
        create(&IDXGIFactory1::IID, &raw mut factory).ok().ok()?;
        IDXGIFactory1::from_raw(factory)
    };
    // The interfaces are valid only as long as the library is loaded.
    forget(library);
    Some(factory)
}
