//! The devices of runtimes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A device that a runtime can compute on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// Its number, as the runtime counts, from 0.
    pub number: u32,
    /// Its name, on one line.
    pub name: String,
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.number, self.name)
    }
}

/// A line of English for each list of devices, with the names of the runtimes that have it:
/// `devices of ort:cuda, ort:tensorrt: 0: NVIDIA T400`. Runtimes without a list are left out.
pub fn device_lines<'a>(runtimes: impl IntoIterator<Item = (&'a str, &'a [Device])>) -> Vec<String> {
    let mut lists: Vec<(&[Device], Vec<&str>)> = Vec::new();
    for (runtime, devices) in runtimes.into_iter().filter(|(_, devices)| !devices.is_empty()) {
        match lists.iter_mut().find(|(known, _)| *known == devices) {
            Some((_, runtimes)) => runtimes.push(runtime),
            None => lists.push((devices, vec![runtime])),
        }
    }
    let line = |(devices, runtimes): (&[Device], Vec<&str>)| {
        format!("devices of {}: {}", runtimes.join(", "), device_list(devices))
    };
    lists.into_iter().map(line).collect()
}

/// The devices on one line, in English: `0: NVIDIA GeForce RTX 4070; 1: NVIDIA T400`, or `none`.
pub fn device_list(devices: &[Device]) -> String {
    let devices: Vec<String> = devices.iter().map(ToString::to_string).collect();
    if devices.is_empty() { "none".to_owned() } else { devices.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runtimes_with_the_same_devices_share_a_line() {
        let device = |number, name: &str| Device { number, name: name.to_owned() };
        let (cuda, directml) = ([device(0, "RTX"), device(1, "T400")], [device(0, "Iris"), device(1, "RTX")]);
        let runtimes =
            [("ort:cpu", &[][..]), ("ort:directml", &directml), ("ort:cuda", &cuda), ("ort:tensorrt", &cuda)];
        let expected =
            ["devices of ort:directml: 0: Iris; 1: RTX", "devices of ort:cuda, ort:tensorrt: 0: RTX; 1: T400"];
        assert_eq!(device_lines(runtimes), expected);
        assert_eq!(device_list(&[]), "none");
    }
}
