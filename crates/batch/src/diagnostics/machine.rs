//! The machine: system, processor, memory, and what can be known of its display without opening a window.

use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use engines::probe::run_child;

/// How long a program of the system may take to say something about it.
const ASK_LIMIT: Duration = Duration::from_secs(3);

/// Variables that change how graphics are drawn; those that are set are told, with their values.
const GRAPHICS_VARIABLES: [&str; 6] = [
    "LIBGL_ALWAYS_SOFTWARE",
    "GALLIUM_DRIVER",
    "MESA_LOADER_DRIVER_OVERRIDE",
    "__GLX_VENDOR_LIBRARY_NAME",
    "WGPU_BACKEND",
    "CUDA_VISIBLE_DEVICES",
];

/// The machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MachineFacts {
    /// `linux`, `windows`, `macos`.
    pub os: &'static str,
    /// `x86_64`, `aarch64`.
    pub arch: &'static str,
    /// The system's name and version.
    pub version: Option<String>,
    /// The kernel's version.
    pub kernel: Option<String>,
    /// The processor's model.
    pub processor: Option<String>,
    /// How many threads it runs at a time for this process.
    pub threads: usize,
    /// Megabytes (10^6 bytes) of memory.
    pub memory_mb: Option<u64>,
    /// Megabytes (10^6 bytes) of it that are free for use.
    pub free_mb: Option<u64>,
}

/// The display, as far as it is known without a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisplayFacts {
    /// `x11`, `wayland`, `tty`, as the session says.
    pub session: Option<String>,
    /// The desktop.
    pub desktop: Option<String>,
    /// True where a display of X11 is named.
    pub x11: bool,
    /// True where one of Wayland is.
    pub wayland: bool,
    /// Graphics cards and their drivers, as the system lists them.
    pub devices: Vec<String>,
    /// Variables that change how graphics are drawn.
    pub variables: Vec<String>,
}

/// Looks at the machine.
pub(super) fn machine() -> MachineFacts {
    let memory = read("/proc/meminfo");
    let memory_mb = |name: &str| Some(kilobytes(memory.as_deref()?, name)? * 1024 / 1_000_000);
    let of_mac = |name: &str| said_by("/usr/sbin/sysctl", &["-n", name]);
    MachineFacts {
        os: std::env::consts::OS,
        arch: std::env::consts::ARCH,
        version: match std::env::consts::OS {
            "macos" => said_by("/usr/bin/sw_vers", &["-productVersion"]),
            "windows" => said_by("cmd", &["/C", "ver"]),
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

/// Looks at what environment and system say of the display.
pub(super) fn display() -> DisplayFacts {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let reported = GRAPHICS_VARIABLES.into_iter().filter_map(|name| Some(format!("{name}={}", variable(name)?)));
    DisplayFacts {
        session: variable("XDG_SESSION_TYPE"),
        desktop: variable("XDG_CURRENT_DESKTOP"),
        x11: is_set("DISPLAY"),
        wayland: is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET"),
        devices: devices(Path::new("/dev/dri"), Path::new("/sys/class/drm")),
        variables: reported.collect(),
    }
}

/// `card0: amdgpu 0x1002:0x73bf`, and what else there is to open.
fn devices(dri: &Path, drm: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dri)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("card") || name.starts_with("render"))
        .collect();
    names.sort();
    let described = |name: String| {
        let device = drm.join(&name).join("device");
        let part = |part: &str| fs::read_to_string(device.join(part)).ok().map(|text| text.trim().to_owned());
        let driver = fs::read_link(device.join("driver")).ok();
        let driver = driver.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let ids = part("vendor").zip(part("device")).map(|(vendor, device)| format!("{vendor}:{device}"));
        let about: Vec<String> = driver.into_iter().chain(ids).collect();
        if about.is_empty() { name } else { format!("{name}: {}", about.join(" ")) }
    };
    let mut devices: Vec<String> = names.into_iter().map(described).collect();
    let nvidia = read("/proc/driver/nvidia/version");
    devices.extend(nvidia.and_then(|text| Some(format!("NVIDIA: {}", text.lines().next()?.trim()))));
    devices
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

fn said_by(program: &str, arguments: &[&str]) -> Option<String> {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let said = run_child(Path::new(program), &arguments, ASK_LIMIT).ok()?;
    Some(said.trim().to_owned()).filter(|said| !said.is_empty())
}

fn pretty_name(text: &str) -> Option<String> {
    let value = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// The model of `/proc/cpuinfo`: ARM's has another name for it, or none.
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
    fn the_systems_files_are_understood() {
        assert_eq!(pretty_name("NAME=x\nPRETTY_NAME=\"Debian 13\"\n").as_deref(), Some("Debian 13"));
        let cpu = "processor\t: 0\nmodel\t\t: 1\nmodel name\t: Fast CPU: 3 GHz\n";
        assert_eq!(processor(cpu).as_deref(), Some("Fast CPU: 3 GHz"));
        assert_eq!(processor("processor : 0\nModel : Board 4\n").as_deref(), Some("Board 4"));
        assert_eq!(processor(""), None);
        assert_eq!(kilobytes("MemFree: 1 kB\nMemTotal:   2000 kB\n", "MemTotal:"), Some(2000));
    }

    #[test]
    fn cards_are_reported_with_their_drivers() {
        let folder = tempfile::tempdir().expect("made");
        let (dri, drm) = (folder.path().join("dri"), folder.path().join("drm"));
        for name in ["card0", "renderD128", "by-path"] {
            fs::create_dir_all(dri.join(name)).expect("made");
        }
        let device = drm.join("card0/device");
        fs::create_dir_all(&device).expect("made");
        fs::write(device.join("vendor"), "0x1002\n").expect("written");
        fs::write(device.join("device"), "0x73bf\n").expect("written");
        let reported = devices(&dri, &drm);
        assert_eq!(reported[..2], ["card0: 0x1002:0x73bf", "renderD128"]);
        assert!(machine().threads > 0);
    }
}
