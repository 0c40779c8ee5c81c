//! The providers of ONNX Runtime's library, by its own list.

use std::sync::PoisonError;

use ort::ep::{self, ExecutionProvider};
use recipe::Provider;

use super::ort::LIBRARY;

/// The providers that the loaded library includes, by its own list; `None` if no library is loaded or it cannot be asked.
pub(super) fn providers_in_library() -> Option<Vec<Provider>> {
    LIBRARY.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?;
    let includes = |provider: Provider| match provider {
        Provider::Cpu => ep::CPU::is_available(),
        Provider::DirectMl => ep::DirectML::is_available(),
        Provider::CoreMl => ep::CoreML::is_available(),
        Provider::Cuda => ep::CUDA::is_available(),
        Provider::TensorRt => ep::TensorRT::is_available(),
        Provider::NvTensorRtRtx => ep::NVRTX::is_available(),
        Provider::MiGraphX => ep::MIGraphX::is_available(),
        Provider::OpenVino => ep::OpenVINO::is_available(),
        Provider::WebGpu => ep::WebGPU::is_available(),
        Provider::Qnn => ep::QNN::is_available(),
        Provider::Xnnpack => ep::XNNPACK::is_available(),
        Provider::OneDnn => ep::OneDNN::is_available(),
    };
    let mut included = Vec::new();
    for provider in Provider::ALL {
        if includes(provider).ok()? {
            included.push(provider);
        }
    }
    Some(included)
}
