//! Facts about the machine: operating system, processor, memory, and the display as far as known without a window.

use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use engines::probe::run_child;

use super::graphics;

/// Timeout for a system command.
const COMMAND_LIMIT: Duration = Duration::from_secs(3);

/// Environment variables that affect graphics; reported with their values if set.
const GRAPHICS_VARIABLES: [&str; 6] = [
    "LIBGL_ALWAYS_SOFTWARE",
    "GALLIUM_DRIVER",
    "MESA_LOADER_DRIVER_OVERRIDE",
    "__GLX_VENDOR_LIBRARY_NAME",
    "WGPU_BACKEND",
    "CUDA_VISIBLE_DEVICES",
];

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MachineFacts {
    /// `linux`, `windows`, `macos`.
    pub os: &'static str,
    /// `x86_64`, `aarch64`.
    pub arch: &'static str,
    /// The system's name and version.
    pub version: Option<String>,
    pub kernel: Option<String>,
    /// The processor's model.
    pub processor: Option<String>,
    /// Number of threads available to this process.
    pub threads: usize,
    /// Megabytes (10^6 bytes) of memory.
    pub memory_mb: Option<u64>,
    /// Megabytes (10^6 bytes) of available memory.
    pub free_mb: Option<u64>,
}

/// Facts about the display, as far as known without a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisplayFacts {
    /// The session type: `x11`, `wayland`, `tty`.
    pub session: Option<String>,
    /// The desktop environment.
    pub desktop: Option<String>,
    /// True if an X11 display is set.
    pub x11: bool,
    /// True if a Wayland display is set.
    pub wayland: bool,
    /// Graphics devices with their drivers and models; empty on Windows, where the runtimes list them.
    pub devices: Vec<String>,
    /// Environment variables that affect graphics.
    pub variables: Vec<String>,
}

/// Gathers the facts about the machine.
pub(super) fn machine() -> MachineFacts {
    let memory = read("/proc/meminfo");
    let memory_mb = |name: &str| Some(kilobytes(memory.as_deref()?, name)? * 1024 / 1_000_000);
    let of_mac = |name: &str| output_of("/usr/sbin/sysctl", &["-n", name]);
    MachineFacts {
        os: std::env::consts::OS,
        arch: std::env::consts::ARCH,
        version: match std::env::consts::OS {
            "macos" => output_of("/usr/bin/sw_vers", &["-productVersion"]),
            "windows" => output_of("cmd", &["/C", "ver"]),
            _ => read("/etc/os-release").and_then(|text| pretty_name(&text)),
        },
        kernel: read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_owned()),
        processor: match std::env::consts::OS {
            "macos" => of_mac("machdep.cpu.brand_string"),
            "windows" => std::env::var("PROCESSOR_IDENTIFIER").ok(),
            _ => read("/proc/cpuinfo").and_then(|text| processor(&text)),
        },
        threads: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        memory_mb: if cfg!(target_os = "macos") {
            of_mac("hw.memsize").and_then(|bytes| Some(bytes.parse::<u64>().ok()? / 1_000_000))
        } else {
            memory_mb("MemTotal:")
        },
        free_mb: memory_mb("MemAvailable:"),
    }
}

/// Gathers the facts about the display from the environment and the system.
pub(super) fn display() -> DisplayFacts {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let variables = GRAPHICS_VARIABLES.into_iter().filter_map(|name| Some(format!("{name}={}", variable(name)?)));
    DisplayFacts {
        session: variable("XDG_SESSION_TYPE"),
        desktop: variable("XDG_CURRENT_DESKTOP"),
        x11: is_set("DISPLAY"),
        wayland: is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET"),
        devices: graphics::devices(),
        variables: variables.collect(),
    }
}

pub(super) fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

pub(super) fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let output = run_child(Path::new(program), &arguments, COMMAND_LIMIT).ok()?;
    Some(output.trim().to_owned()).filter(|output| !output.is_empty())
}

fn pretty_name(text: &str) -> Option<String> {
    let value = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// The processor model in `/proc/cpuinfo`; on ARM the key differs or is missing.
fn processor(text: &str) -> Option<String> {
    let named = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    named("model name").or_else(|| named("Hardware")).or_else(|| named("Model"))
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_files_are_parsed() {
        assert_eq!(pretty_name("NAME=x\nPRETTY_NAME=\"Debian 13\"\n").as_deref(), Some("Debian 13"));
        let cpu = "processor\t: 0\nmodel\t\t: 1\nmodel name\t: Fast CPU: 3 GHz\n";
        assert_eq!(processor(cpu).as_deref(), Some("Fast CPU: 3 GHz"));
        assert_eq!(processor("processor : 0\nModel : Board 4\n").as_deref(), Some("Board 4"));
        assert_eq!(processor(""), None);
        assert_eq!(kilobytes("MemFree: 1 kB\nMemTotal:   2000 kB\n", "MemTotal:"), Some(2000));
        assert!(machine().threads > 0);
    }
}
