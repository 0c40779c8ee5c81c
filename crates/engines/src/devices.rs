//! The devices of execution providers: what they are called, and which of them keep what they compile.

use recipe::Provider;

/// What computes where device number `device` of `provider` was asked for, as people are told.
pub(super) fn name(provider: Provider, device: u32) -> String {
    match provider {
        Provider::Cpu => "CPU".to_owned(),
        Provider::DirectMl => format!("DirectML {device}"),
        Provider::CoreMl => "CoreML".to_owned(),
        Provider::Cuda => format!("CUDA {device}"),
        Provider::TensorRt => format!("TensorRT {device}"),
        Provider::NvTensorRtRtx => format!("TensorRT RTX {device}"),
        Provider::MiGraphX => format!("MIGraphX {device}"),
        Provider::OpenVino => format!("OpenVINO {}", openvino(device)),
        Provider::WebGpu => format!("WebGPU {device}"),
        Provider::Qnn => "QNN HTP".to_owned(),
        Provider::Xnnpack => "CPU (XNNPACK)".to_owned(),
        Provider::OneDnn => "CPU (oneDNN)".to_owned(),
    }
}

/// The folder of the cache for what `provider` compiles for device number `device`; `None` where it keeps nothing.
pub(super) const fn cache_folder(provider: Provider, device: u32) -> Option<&'static str> {
    match provider {
        Provider::CoreMl => Some("coreml"),
        Provider::TensorRt => Some("tensorrt"),
        Provider::NvTensorRtRtx => Some("nvrtx"),
        Provider::OpenVino if device > 0 => Some("openvino"),
        _ => None,
    }
}

/// The numbers of OpenVINO's devices but for the one that chooses among them.
pub(super) const OPENVINO: std::ops::Range<u32> = 0..3;

/// OpenVINO's own name for device number `device`.
pub(super) const fn openvino(device: u32) -> &'static str {
    match device {
        0 => "CPU",
        1 => "GPU",
        2 => "NPU",
        _ => "AUTO",
    }
}

/// What OpenVINO said when device number `device` could not be used, with the devices that are there.
pub(super) fn openvino_refused(device: u32, words: &str, there: &[u32]) -> String {
    let there: Vec<String> = there.iter().map(|device| format!("{device} ({})", openvino(*device))).collect();
    let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
    format!("device {device} ({}): {words}; devices that are there: {there}", openvino(device))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_is_missing_is_reported_with_those_there_are() {
        let reported = openvino_refused(1, "Failed to load provider OpenVINO", &[0, 2]);
        let expected = "device 1 (GPU): Failed to load provider OpenVINO; devices that are there: 0 (CPU), 2 (NPU)";
        assert_eq!(reported, expected);
        assert_eq!(openvino_refused(9, "no", &[]), "device 9 (AUTO): no; devices that are there: none");
    }
}
