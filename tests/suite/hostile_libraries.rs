//! Libraries that cause harm when loaded: each is rejected with the reason, the program survives, and no process stays
//! behind.
//!
//! They are compiled with this machine's C compiler. Some forward calls to the real library named by
//! IRON_CROPPER_TEST_ONNXRUNTIME, and so give every correct answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use test_support::library_stubs::{NO_COMPILER, compile};

use crate::support::{Run, folder, names, portrait, program};

/// Start of each library. `is_tried` distinguishes the probe process from the program itself by its arguments.
const COMMON: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char line[8192];
static int is_tried(void) {
    int file = open("/proc/self/cmdline", O_RDONLY);
    ssize_t length = read(file, line, sizeof line - 1);
    close(file);
    for (ssize_t at = 0; at < length; at++) if (line[at] == 0) line[at] = ' ';
    return strstr(line, "measure-runtime") != 0;
}
static const char *report = "{\"kind\":\"ort:cpu\",\"state\":\"ready\",\"fault\":null,\"version\":\"1.32.0\",\"library\":null,"
    "\"device\":\"CPU\",\"load_ms\":1.0,\"first_ms\":1.0,\"warm_ms\":1.0,\"peak_memory_mb\":1.0,\"agrees\":null,"
    "\"max_difference\":null}";
#define AT_START __attribute__((constructor)) static void start(void)
#define AT_END __attribute__((destructor)) static void end(void)
#ifdef REAL
const void *OrtGetApiBase(void) {
    const void *(*base)(void) = (const void *(*)(void))dlsym(dlopen(REAL, RTLD_NOW), "OrtGetApiBase");
    return base();
}
#endif
"#;

/// The harmful code, and the error of `crop`. In the code, PLACE is a file of the test.
const STANDALONE: [(&str, &str, &[&str]); 6] = [
    (
        "forges an answer",
        "AT_START { if (is_tried()) printf(\"%s\\n\", report); exit(0); }",
        &["crashed (exit code 2)", "a loaded library ended the program"],
    ),
    (
        "forges an answer and exits",
        "AT_START { if (is_tried()) { printf(\"%s\\n\", report); fflush(stdout); } _exit(0); }",
        &["ended without an answer"],
    ),
    (
        "forges an answer with its mark",
        "AT_START {\n\
            if (!is_tried()) exit(0);\n\
            char *mark = strstr(line, \"--mark \") + 7;\n\
            printf(\"%.*s%s\\n\", (int)strcspn(mark, \" \"), mark, report);\n\
            fflush(stdout);\n\
            _exit(0);\n\
        }",
        &["error: a loaded library ended the program before its work was done"],
    ),
    (
        "prints without end",
        "AT_START { static char much[1 << 16]; for (;;) if (write(1, much, sizeof much) < 0) abort(); }",
        &["the test process printed more than 4 MB"],
    ),
    (
        "complains without end",
        "AT_START { static char much[1 << 16]; for (;;) if (write(2, much, sizeof much) < 0) abort(); }",
        &["the test process printed more than 4 MB"],
    ),
    (
        "leaves a process behind and crashes",
        "AT_START {\n\
            int child = fork();\n\
            if (child == 0) { for (;;) pause(); }\n\
            FILE *place = fopen(PLACE, \"w\"); fprintf(place, \"%d\", child); fclose(place);\n\
            abort();\n\
        }",
        &["the test process crashed (signal 6)"],
    ),
];

/// Libraries that forward calls to the real library.
const FORWARDING: [(&str, &str, &[&str]); 5] = [
    (
        "changes the environment",
        "AT_START { setenv(\"HOME\", \"/elsewhere\", 1); unsetenv(\"PATH\"); setenv(\"NEW\", \"harmless\", 1); }",
        &["the library changed the environment (HOME, PATH)"],
    ),
    (
        "changes the working folder",
        "AT_START { if (chdir(\"/\")) abort(); }",
        &["the library changed the working folder"],
    ),
    ("closes standard error", "AT_START { close(2); }", &["the library changed the standard streams"]),
    ("closes standard output", "AT_START { close(1); close(2); }", &["ended without an answer"]),
    ("crashes at the end", "AT_END { abort(); }", &["the test process crashed (signal 6)"]),
];

/// Compiles `code`; `None` if there is no compiler.
fn library(dir: &Path, name: &str, code: &str, real: Option<&Path>) -> Option<PathBuf> {
    let place = dir.join("place").display().to_string();
    let real = real.map(|real| format!("#define REAL \"{}\"\n", real.display())).unwrap_or_default();
    compile(dir, &name.replace(' ', "-"), &format!("{real}#define PLACE \"{place}\"\n{COMMON}\n{code}"))
}

fn crop(dir: &Path, library: &Path, out: &Path, runtime: &str) -> Run {
    let mut command = program(&dir.join("home"));
    command.arg("crop").arg(portrait()).arg("-o").arg(out).args(["--json", "--runtime", runtime, "--onnxruntime"]);
    Run::of(&command.arg(library).output().expect("the program starts"))
}

/// `library` is rejected with `words`, and causes no harm: with another runtime the photo is cropped.
#[track_caller]
fn assert_refused(dir: &Path, library: &Path, messages: &[&str]) {
    let out = dir.join("out");
    let result = crop(dir, library, &out, "ort").expect(2);
    assert!(result.stdout.is_empty() && !out.exists(), "{}", result.stdout);
    for word in messages {
        assert!(result.stderr.contains(word), "{word}: {}", result.stderr);
    }
}

#[test]
fn a_harmful_library_is_rejected_with_a_reason() {
    let dir = folder();
    for (name, code, messages) in STANDALONE {
        let Some(library) = library(dir.path(), name, code, None) else { return println!("{NO_COMPILER}") };
        assert_refused(dir.path(), &library, messages);
    }
    let left = fs::read_to_string(dir.path().join("place")).expect("reported");
    assert!(is_gone(&left), "the process {left}, which a library started, is alive");
    let Some(library) = library(dir.path(), STANDALONE[0].0, STANDALONE[0].1, None) else { return };
    let out = dir.path().join("out");
    crop(dir.path(), &library, &out, "auto").expect(0);
    assert_eq!(names(&out), ["astronaut.jpg"], "auto uses another runtime");
}

#[test]
fn a_harmful_library_with_correct_results_is_rejected() {
    let Some(real) = crate::support::real_library() else { return };
    let dir = folder();
    let Some(plain) = library(dir.path(), "plain", "", Some(&real)) else { return println!("{NO_COMPILER}") };
    crop(dir.path(), &plain, &dir.path().join("plain"), "ort").expect(0);
    for (name, code, messages) in FORWARDING {
        let Some(library) = library(dir.path(), name, code, Some(&real)) else { return };
        assert_refused(dir.path(), &library, messages);
    }
    // A working library that leaves a process behind when probed: it is used, and the process is ended.
    let forks = "AT_START {\n\
            int child = is_tried() ? fork() : -1;\n\
            if (child == 0) { for (;;) pause(); }\n\
            if (child > 0) { FILE *place = fopen(PLACE, \"w\"); fprintf(place, \"%d\", child); fclose(place); }\n\
        }";
    let Some(library) = library(dir.path(), "forks", forks, Some(&real)) else { return };
    crop(dir.path(), &library, &dir.path().join("forks"), "ort").expect(0);
    let left = fs::read_to_string(dir.path().join("place")).expect("reported");
    assert!(is_gone(&left), "the process {left}, which a library started, is alive");
}

/// A library that hangs while it is probed does not outlive an interrupted program.
#[test]
fn an_interrupted_program_leaves_no_process_behind() {
    let dir = folder();
    let code = "AT_START { FILE *place = fopen(PLACE, \"w\"); fprintf(place, \"%d.\", getpid()); fclose(place); for (;;) pause(); }";
    let Some(library) = library(dir.path(), "hangs", code, None) else { return println!("{NO_COMPILER}") };
    let mut command = program(&dir.path().join("home"));
    command.arg("crop").arg(portrait()).arg("-o").arg(dir.path().join("out")).args([
        "--runtime",
        "ort",
        "--onnxruntime",
    ]);
    let mut started =
        command.arg(library).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let result = || fs::read_to_string(dir.path().join("place")).unwrap_or_default();
    while !result().ends_with('.') && started.try_wait().expect("ours").is_none() {
        std::thread::sleep(Duration::from_millis(10));
    }
    started.kill().and_then(|()| started.wait()).expect("ours");
    let left = result();
    assert!(
        left.ends_with('.') && is_gone(left.trim_end_matches('.')),
        "the process {left} that probes the library is alive"
    );
}

/// True if there is no process with this id, or only a zombie.
fn is_gone(process: &str) -> bool {
    let start = Instant::now();
    let is_there = || {
        let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        status.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
    };
    while is_there() && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
    }
    !is_there()
}
