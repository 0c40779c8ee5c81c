//! Receives open events from macOS: an application delegate with one method, created through the Objective-C runtime.
//!
//! winit sets no delegate and leaves that to the program. The delegate must be set before the application has finished
//! launching, because the files it was started with arrive then, but not before winit has created the application. So it is
//! set when a notification reports that the launch is about to finish.

#![expect(unsafe_code, reason = "the Objective-C runtime is a C library")]

use std::ffi::{CStr, OsStr, c_char};
use std::mem::transmute;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::OnceLock;

use super::OpenedFiles;

#[repr(C)]
struct Object([u8; 0]);

type Id = *mut Object;
type Selector = *const Object;
/// Any method; cast to its true type before the call.
type Method = unsafe extern "C" fn();

#[link(name = "objc", kind = "dylib")]
unsafe extern "C" {
    fn objc_getClass(name: *const c_char) -> Id;
    fn objc_allocateClassPair(parent: Id, name: *const c_char, extra_bytes: usize) -> Id;
    fn objc_registerClassPair(class: Id);
    fn class_addMethod(class: Id, selector: Selector, method: Method, types: *const c_char) -> i8;
    fn sel_registerName(name: *const c_char) -> Selector;
    fn objc_msgSend();
}

static OPENED: OnceLock<OpenedFiles> = OnceLock::new();

/// Adds everything that is opened with this application to `opened`. Call this once, on the main thread, before winit's
/// event loop is built.
pub(in crate::ui) fn listen(opened: OpenedFiles) {
    if OPENED.set(opened).is_err() {
        return;
    }
    // SAFETY: names end with a zero; classes, selectors and types are those of Apple's headers, and every message is sent with
    // the type its method has. The delegate is never released.
    unsafe {
        let class = objc_allocateClassPair(objc_getClass(c"NSObject".as_ptr()), c"IronCropperDelegate".as_ptr(), 0);
        if class.is_null() {
            return;
        }
        let open = transmute::<unsafe extern "C" fn(Id, Selector, Id, Id), Method>(receive_urls);
        class_addMethod(class, selector(c"application:openURLs:"), open, c"v@:@@".as_ptr());
        let launch = transmute::<unsafe extern "C" fn(Id, Selector, Id), Method>(launching);
        class_addMethod(class, selector(c"launching:"), launch, c"v@:@".as_ptr());
        objc_registerClassPair(class);
        let delegate = send(class, c"new");
        let name = send_text(
            objc_getClass(c"NSString".as_ptr()),
            c"stringWithUTF8String:",
            c"NSApplicationWillFinishLaunchingNotification",
        );
        let center = send(objc_getClass(c"NSNotificationCenter".as_ptr()), c"defaultCenter");
        type Observe = unsafe extern "C" fn(Id, Selector, Id, Selector, Id, Id);
        let observe = transmute::<Method, Observe>(objc_msgSend);
        let add = selector(c"addObserver:selector:name:object:");
        observe(center, add, delegate, selector(c"launching:"), name, null_mut());
    }
}

/// `launching:` of the delegate: sets it as the application's delegate.
unsafe extern "C" fn launching(delegate: Id, _: Selector, _notification: Id) {
    // SAFETY: called by the notification center on the main thread, after the application was made; see `listen`.
    unsafe {
        let application = send(objc_getClass(c"NSApplication".as_ptr()), c"sharedApplication");
        let set = transmute::<Method, unsafe extern "C" fn(Id, Selector, Id)>(objc_msgSend);
        set(application, selector(c"setDelegate:"), delegate);
    }
}

/// `application:openURLs:` of the delegate.
unsafe extern "C" fn receive_urls(_: Id, _: Selector, _application: Id, urls: Id) {
    let mut paths = Vec::new();
    // SAFETY: `urls` is an array of NSURL that lives as long as the call, and so do the paths it answers with; see `listen`.
    unsafe {
        let count = transmute::<Method, unsafe extern "C" fn(Id, Selector) -> usize>(objc_msgSend);
        let at = transmute::<Method, unsafe extern "C" fn(Id, Selector, usize) -> Id>(objc_msgSend);
        let is = transmute::<Method, unsafe extern "C" fn(Id, Selector) -> i8>(objc_msgSend);
        let text = transmute::<Method, unsafe extern "C" fn(Id, Selector) -> *const c_char>(objc_msgSend);
        for number in 0..count(urls, selector(c"count")) {
            let url = at(urls, selector(c"objectAtIndex:"), number);
            if is(url, selector(c"isFileURL")) != 0 {
                let path = text(url, selector(c"fileSystemRepresentation"));
                if !path.is_null() {
                    paths.push(PathBuf::from(OsStr::from_bytes(CStr::from_ptr(path).to_bytes())));
                }
            }
        }
    }
    if let Some(opened) = OPENED.get() {
        opened.add(paths);
    }
}

fn selector(name: &CStr) -> Selector {
    // SAFETY: the name ends with a zero, and the runtime copies it.
    unsafe { sel_registerName(name.as_ptr()) }
}

/// Sends a message without arguments that returns an object.
///
/// # Safety
/// `to` has such a method.
unsafe fn send(to: Id, name: &CStr) -> Id {
    // SAFETY: as promised by the caller.
    unsafe { transmute::<Method, unsafe extern "C" fn(Id, Selector) -> Id>(objc_msgSend)(to, selector(name)) }
}

/// Sends a message with a text argument that returns an object.
///
/// # Safety
/// `to` has such a method.
unsafe fn send_text(to: Id, name: &CStr, text: &CStr) -> Id {
    type Send = unsafe extern "C" fn(Id, Selector, *const c_char) -> Id;
    // SAFETY: as promised by the caller.
    unsafe { transmute::<Method, Send>(objc_msgSend)(to, selector(name), text.as_ptr()) }
}
