//! The devices of execution providers: their names, and the providers that cache compiled graphs.

use recipe::Provider;

/// Displayed name of device number `device` of `provider`.
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

/// The numbers of OpenVINO's devices, except AUTO.
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

    #[test]
    fn a_missing_device_is_reported_with_the_available_ones() {
        let error = openvino_error(1, "Failed to load provider OpenVINO", &[0, 2]);
        let expected = "device 1 (GPU): Failed to load provider OpenVINO; available devices: 0 (CPU), 2 (NPU)";
        assert_eq!(error, expected);
        assert_eq!(openvino_error(9, "no", &[]), "device 9 (AUTO): no; available devices: none");
    }
}
