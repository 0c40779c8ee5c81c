//! The devices of execution providers: their numbers and names, and the providers that cache compiled graphs.
//!
//! A name belongs to a number only in the order of the provider itself: that of the CUDA or HIP driver (`devices/driver.rs`),
//! for DirectML that of DXGI (`devices/dxgi.rs`). OpenVINO's numbers are ours.

mod driver;
#[cfg(windows)]
mod dxgi;

use outcome::{Device, device_list};
use recipe::{DeviceChoice, Provider};

/// Maximum characters of a device's name.
const MAX_NAME: usize = 128;

/// The devices of `provider` with its own numbers; empty if it chooses one itself, or if they are unknown.
///
/// This may load the provider's driver, which can crash or hang: call it in a probe process, or once the provider works.
pub(super) fn list(provider: Provider) -> Vec<Device> {
    match provider {
        Provider::Cuda | Provider::TensorRt | Provider::NvTensorRtRtx => driver::CUDA.devices(),
        Provider::MiGraphX => driver::HIP.devices(),
        #[cfg(windows)]
        Provider::DirectMl => dxgi::adapters(),
        Provider::OpenVino => {
            (0..=OPENVINO.end).map(|number| Device { number, name: openvino(number).to_owned() }).collect()
        }
        _ => Vec::new(),
    }
}

/// A device; `None` without a name. Drivers' texts are put on one line, without control characters.
fn device(number: u32, name: &str) -> Option<Device> {
    let words = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = words.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
    let name: String = shown.take(MAX_NAME).collect();
    (!name.is_empty()).then_some(Device { number, name })
}

/// The number of the chosen device; 0 if `provider` chooses one itself.
///
/// # Errors
/// No device has the name, or several do; in English, with the devices.
pub(super) fn chosen(provider: Provider, choice: &DeviceChoice) -> Result<u32, String> {
    if provider.chooses_device() { number(choice, || list(provider)) } else { Ok(0) }
}

/// [`chosen`] among the devices of `list`, which is called only if a name was given.
fn number(choice: &DeviceChoice, list: impl FnOnce() -> Vec<Device>) -> Result<u32, String> {
    let part = match choice {
        DeviceChoice::Number(number) => return Ok(*number),
        DeviceChoice::Named(part) => part,
    };
    let devices = list();
    let wanted = part.to_lowercase();
    let matching = |matches: &dyn Fn(&str) -> bool| -> Vec<u32> {
        devices.iter().filter(|device| matches(&device.name.to_lowercase())).map(|device| device.number).collect()
    };
    let exact = matching(&|name| name == wanted);
    let found = if exact.is_empty() { matching(&|name| name.contains(&wanted)) } else { exact };
    match found[..] {
        [number] => Ok(number),
        [] => Err(format!("no device has '{part}' in its name; devices found: {}", device_list(&devices))),
        _ => Err(format!(
            "several devices have '{part}' in their names; give a number, or more of the name; devices found: {}",
            device_list(&devices)
        )),
    }
}

/// Displayed name of device number `device` of `provider`, with its name if that is in `devices`.
pub(super) fn name(provider: Provider, device: u32, devices: &[Device]) -> String {
    let title = match provider {
        Provider::Cpu => return "CPU".to_owned(),
        Provider::CoreMl => return "CoreML".to_owned(),
        Provider::OpenVino => return format!("OpenVINO {}", openvino(device)),
        Provider::WebGpu => return "WebGPU".to_owned(),
        Provider::Qnn => return "QNN HTP".to_owned(),
        Provider::Xnnpack => return "CPU (XNNPACK)".to_owned(),
        Provider::OneDnn => return "CPU (oneDNN)".to_owned(),
        Provider::DirectMl => "DirectML",
        Provider::Cuda => "CUDA",
        Provider::TensorRt => "TensorRT",
        Provider::NvTensorRtRtx => "TensorRT RTX",
        Provider::MiGraphX => "MIGraphX",
    };
    match devices.iter().find(|known| known.number == device) {
        Some(known) => format!("{title} {device} ({})", known.name),
        None => format!("{title} {device}"),
    }
}

/// Cache folder of `provider` for device number `device`; `None` if it caches nothing.
pub(super) const fn cache_folder(provider: Provider, device: u32) -> Option<&'static str> {
    match provider {
        Provider::CoreMl => Some("coreml"),
        Provider::TensorRt => Some("tensorrt"),
        Provider::NvTensorRtRtx => Some("nvrtx"),
        Provider::OpenVino if device > 0 => Some("openvino"),
        _ => None,
    }
}

/// The numbers of OpenVINO's devices, except AUTO, which has the next one.
pub(super) const OPENVINO: std::ops::Range<u32> = 0..3;

/// OpenVINO's name for device number `device`.
pub(super) const fn openvino(device: u32) -> &'static str {
    match device {
        0 => "CPU",
        1 => "GPU",
        2 => "NPU",
        _ => "AUTO",
    }
}

/// OpenVINO's error for device number `device`, with the available devices.
pub(super) fn openvino_error(device: u32, message: &str, available: &[u32]) -> String {
    let available: Vec<String> = available.iter().map(|device| format!("{device} ({})", openvino(*device))).collect();
    let available = if available.is_empty() { "none".to_owned() } else { available.join(", ") };
    format!("device {device} ({}): {message}; available devices: {available}", openvino(device))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn devices() -> Vec<Device> {
        let names = ["NVIDIA GeForce RTX 4070", "NVIDIA GeForce RTX 4070 Ti", "AMD Radeon RX 6800"];
        names.iter().zip(0..).map(|(name, number)| Device { number, name: (*name).to_owned() }).collect()
    }

    fn found(text: &str) -> Result<u32, String> {
        number(&text.parse().expect("a choice"), devices)
    }

    #[test]
    fn a_unique_part_of_a_name_chooses_the_device() {
        assert_eq!(found("radeon"), Ok(2));
        assert_eq!(found("4070 ti"), Ok(1));
        assert_eq!(found("6800"), Ok(2), "too large for a number");
        assert_eq!(found("nvidia geforce rtx 4070"), Ok(0), "the whole name precedes a part");
        let two = [devices(), devices()].concat();
        let same = DeviceChoice::Named("AMD Radeon RX 6800".to_owned());
        assert!(number(&same, || two).is_err_and(|error| error.starts_with("several")), "two of the same name");
    }

    #[test]
    fn an_unknown_or_ambiguous_name_is_an_error_with_the_devices() {
        let list = "0: NVIDIA GeForce RTX 4070; 1: NVIDIA GeForce RTX 4070 Ti; 2: AMD Radeon RX 6800";
        let error = found("Arc").expect_err("none");
        assert_eq!(error, format!("no device has 'Arc' in its name; devices found: {list}"));
        let error = found("4070").expect_err("two");
        assert!(
            error.starts_with("several devices have '4070' in their names; give a number") && error.ends_with(list)
        );
        let none = number(&DeviceChoice::Named("Arc".to_owned()), Vec::new);
        assert_eq!(none, Err("no device has 'Arc' in its name; devices found: none".to_owned()));
    }

    #[test]
    fn a_number_needs_no_list_and_no_driver() {
        assert_eq!(number(&DeviceChoice::Number(5), || panic!("it is listed")), Ok(5));
    }

    #[test]
    fn the_name_of_a_known_device_is_displayed() {
        assert_eq!(name(Provider::Cuda, 2, &devices()), "CUDA 2 (AMD Radeon RX 6800)");
        assert_eq!(name(Provider::DirectMl, 3, &devices()), "DirectML 3");
        assert_eq!(name(Provider::OpenVino, 1, &list(Provider::OpenVino)), "OpenVINO GPU");
        assert_eq!(name(Provider::WebGpu, 1, &[]), "WebGPU");
    }

    #[test]
    fn only_providers_that_choose_a_device_list_them() {
        let choosing = Provider::ALL.into_iter().filter(|provider| !provider.chooses_device());
        assert!(choosing.map(list).all(|devices| devices.is_empty()));
        let openvino: Vec<String> = list(Provider::OpenVino).iter().map(ToString::to_string).collect();
        assert_eq!(openvino, ["0: CPU", "1: GPU", "2: NPU", "3: AUTO"]);
        let choice = DeviceChoice::Named("gpu".to_owned());
        assert_eq!((chosen(Provider::OpenVino, &choice), chosen(Provider::CoreMl, &choice)), (Ok(1), Ok(0)));
    }

    #[test]
    fn names_are_on_one_line_and_limited() {
        let named = |text: &str| device(0, text).map(|device| device.name);
        assert_eq!(named(" A\r\n  B\u{7}"), Some("A B\u{fffd}".to_owned()));
        assert_eq!(named(" \n"), None);
        assert_eq!(named(&"ä".repeat(500)).map(|name| name.chars().count()), Some(MAX_NAME));
    }

    #[test]
    fn a_missing_device_is_reported_with_the_available_ones() {
        let error = openvino_error(1, "Failed to load provider OpenVINO", &[0, 2]);
        let expected = "device 1 (GPU): Failed to load provider OpenVINO; available devices: 0 (CPU), 2 (NPU)";
        assert_eq!(error, expected);
        assert_eq!(openvino_error(9, "no", &[]), "device 9 (AUTO): no; available devices: none");
    }
}
