//! Stub libraries, each with one defect, compiled by this machine's C compiler.

use std::fs;
use std::path::{Path, PathBuf};

/// The library's file name on this system.
pub const NAME: &str = if cfg!(windows) {
    "onnxruntime.dll"
} else if cfg!(target_os = "macos") {
    "libonnxruntime.dylib"
} else {
    "libonnxruntime.so"
};

/// The source code of each stub.
const STUBS: [(&str, &str); 5] = [
    ("other", "int nothing_of_interest(void) { return 0; }"),
    (
        "old",
        "static const char *version(void) { return \"1.10.0\"; }\n\
         static const void *api(unsigned n) { return 0; }\n\
         static struct { const void *(*api)(unsigned); const char *(*version)(void); } base = { api, version };\n\
         const void *OrtGetApiBase(void) { return &base; }",
    ),
    ("null", "const void *OrtGetApiBase(void) { return 0; }"),
    ("hangs", "#include <unistd.h>\n__attribute__((constructor)) static void hang(void) { sleep(60); }"),
    ("crashes", "#include <stdlib.h>\n__attribute__((constructor)) static void crash(void) { abort(); }"),
];

/// Printed if no C compiler is available.
pub const NO_COMPILER: &str = "stub libraries are not tried: this machine has no C compiler called cc";

/// Compiles a stub; `None` if this machine has no C compiler.
pub fn stub(dir: &Path, name: &str) -> Option<PathBuf> {
    compile(dir, name, STUBS.iter().find(|(stub, _)| *stub == name).expect("exists").1)
}

/// Compiles `code` into a library; `None` if this machine has no C compiler.
pub fn compile(dir: &Path, name: &str, code: &str) -> Option<PathBuf> {
    let (source, library) = (dir.join(format!("{name}.c")), dir.join(format!("{name}-{NAME}")));
    fs::write(&source, code).expect("written");
    let compiler =
        std::process::Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    match compiler {
        Ok(status) => assert!(status.success(), "cc fails on {name}.c"),
        Err(_) => return None,
    }
    Some(library)
}
