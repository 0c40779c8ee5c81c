//! The graphics devices of the machine, from files or a system command; no driver is loaded.

use std::fs;
use std::path::Path;

use super::machine::{output_of, read};

/// Files with the names of PCI devices, as Linux distributions install them.
const PCI_NAMES: [&str; 3] = ["/usr/share/hwdata/pci.ids", "/usr/share/misc/pci.ids", "/usr/share/pci.ids"];

/// Lists graphics devices, such as `card0: amdgpu 0x1002:0x73bf AMD Navi 21`; on macOS, `Apple M2`. Empty on Windows.
pub(super) fn devices() -> Vec<String> {
    if cfg!(target_os = "macos") {
        let answer = output_of("/usr/sbin/system_profiler", &["-json", "-detailLevel", "mini", "SPDisplaysDataType"]);
        return answer.map_or_else(Vec::new, |answer| models(&answer));
    }
    let names = PCI_NAMES.iter().find_map(|path| fs::read(path).ok());
    let names = names.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let mut devices = linux_devices(Path::new("/dev/dri"), Path::new("/sys/class/drm"), &names);
    let nvidia = read("/proc/driver/nvidia/version");
    devices.extend(nvidia.and_then(|text| Some(format!("NVIDIA: {}", text.lines().next()?.trim()))));
    devices
}

/// The models in the answer of macOS's `system_profiler`.
fn models(answer: &str) -> Vec<String> {
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap_or_default();
    let cards = answer["SPDisplaysDataType"].as_array().into_iter().flatten();
    cards.filter_map(|card| Some(card["sppci_model"].as_str()?.to_owned())).collect()
}

/// The devices in `dri` with driver, ids and name; `names` is the text of a file of [`PCI_NAMES`].
fn linux_devices(dri: &Path, drm: &Path, names: &str) -> Vec<String> {
    let mut files: Vec<String> = fs::read_dir(dri)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("card") || name.starts_with("render"))
        .collect();
    files.sort();
    let described = |file: String| {
        let device = drm.join(&file).join("device");
        let part = |part: &str| fs::read_to_string(device.join(part)).ok().map(|text| text.trim().to_owned());
        let driver = fs::read_link(device.join("driver")).ok();
        let driver = driver.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let ids = part("vendor").zip(part("device"));
        let name = ids.as_ref().and_then(|(vendor, device)| pci_name(names, vendor, device));
        let ids = ids.map(|(vendor, device)| format!("{vendor}:{device}"));
        let details: Vec<String> = driver.into_iter().chain(ids).chain(name).collect();
        if details.is_empty() { file } else { format!("{file}: {}", details.join(" ")) }
    };
    files.into_iter().map(described).collect()
}

/// The name of a PCI device with these hexadecimal ids, such as `0x1002`. In the file a vendor's line starts with its id,
/// and its devices follow, each after a tab.
fn pci_name(names: &str, vendor: &str, device: &str) -> Option<String> {
    fn named<'a>(line: &'a str, id: &str) -> Option<&'a str> {
        line.strip_prefix(id.strip_prefix("0x")?)?.strip_prefix("  ")
    }
    let mut lines = names.lines().skip_while(|line| named(line, vendor).is_none()).skip(1);
    let device = |line: &str| named(line.strip_prefix('\t')?, device).map(|name| name.trim().to_owned());
    lines.by_ref().take_while(|line| line.starts_with(['\t', '#']) || line.is_empty()).find_map(device)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "# List of PCI ids\n\
        1000  Broadcom\n\
        \t73bf  Another vendor's\n\
        1002  Advanced Micro Devices, Inc. [AMD/ATI]\n\
        \t73bf  Navi 21 [Radeon RX 6800]\n\
        \t\t1002 0e3a  A card with 744c\n\
        # a comment\n\
        \t744c  Navi 31\n\
        1003  ULSI Systems\n\
        \t0201  US201\n\
        C 03  Display controller\n";

    #[test]
    fn a_pci_device_is_named_by_its_vendors_list() {
        let name = |vendor, device| pci_name(NAMES, vendor, device);
        assert_eq!(name("0x1002", "0x73bf").as_deref(), Some("Navi 21 [Radeon RX 6800]"));
        assert_eq!(name("0x1002", "0x744c").as_deref(), Some("Navi 31"));
        assert_eq!((name("0x1002", "0x0201"), name("0x1004", "0x73bf"), name("1002", "73bf")), (None, None, None));
        assert_eq!(pci_name("", "0x1002", "0x73bf"), None);
    }

    #[test]
    fn graphics_devices_are_listed_with_their_ids_and_names() {
        let folder = tempfile::tempdir().expect("created");
        let (dri, drm) = (folder.path().join("dri"), folder.path().join("drm"));
        for name in ["card0", "card1", "renderD128", "by-path"] {
            fs::create_dir_all(dri.join(name)).expect("created");
        }
        for (card, id) in [("card0", "0x73bf\n"), ("card1", "0xffff\n")] {
            let device = drm.join(card).join("device");
            fs::create_dir_all(&device).expect("created");
            fs::write(device.join("vendor"), "0x1002\n").expect("written");
            fs::write(device.join("device"), id).expect("written");
        }
        let expected = ["card0: 0x1002:0x73bf Navi 21 [Radeon RX 6800]", "card1: 0x1002:0xffff", "renderD128"];
        assert_eq!(linux_devices(&dri, &drm, NAMES), expected);
    }

    #[test]
    fn models_are_read_from_the_answer_of_macos() {
        let answer = r#"{ "SPDisplaysDataType": [
            { "_name": "Intel UHD Graphics 630", "sppci_model": "Intel UHD Graphics 630", "sppci_bus": "spdisplays_builtin" },
            { "_name": "kHW_AMD", "sppci_model": "AMD Radeon Pro 5500M" }, { "_name": "without" } ] }"#;
        assert_eq!(models(answer), ["Intel UHD Graphics 630", "AMD Radeon Pro 5500M"]);
        for nothing in ["", "[]", "{\"SPDisplaysDataType\": 3}", "{\"SPDisplaysDataType\": [3, {}]}"] {
            assert!(models(nothing).is_empty(), "{nothing}");
        }
    }
}
