//! ONNX Runtime's execution providers: what its library may compute on.

/// An execution provider of ONNX Runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Provider {
    /// The processor; in every library.
    Cpu,
    /// DirectX 12 graphics cards, on Windows.
    DirectMl,
    /// Apple's GPU and Neural Engine.
    CoreMl,
    /// NVIDIA graphics cards.
    Cuda,
    /// NVIDIA graphics cards through TensorRT.
    TensorRt,
    /// NVIDIA RTX graphics cards through TensorRT for RTX.
    NvTensorRtRtx,
    /// AMD graphics cards through MIGraphX.
    MiGraphX,
    /// Intel processors, graphics and NPUs.
    OpenVino,
    /// Any graphics card with Vulkan, Metal or Direct3D 12.
    WebGpu,
    /// Qualcomm NPUs.
    Qnn,
    /// The processor through XNNPACK.
    Xnnpack,
    /// The processor through oneDNN.
    OneDnn,
}

impl Provider {
    /// Every provider, in the order they are offered.
    pub const ALL: [Self; 12] = [
        Self::Cpu,
        Self::DirectMl,
        Self::CoreMl,
        Self::Cuda,
        Self::TensorRt,
        Self::NvTensorRtRtx,
        Self::MiGraphX,
        Self::OpenVino,
        Self::WebGpu,
        Self::Qnn,
        Self::Xnnpack,
        Self::OneDnn,
    ];

    /// The full id used on the command line, in settings and in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Cpu => "ort:cpu",
            Self::DirectMl => "ort:directml",
            Self::CoreMl => "ort:coreml",
            Self::Cuda => "ort:cuda",
            Self::TensorRt => "ort:tensorrt",
            Self::NvTensorRtRtx => "ort:nvrtx",
            Self::MiGraphX => "ort:migraphx",
            Self::OpenVino => "ort:openvino",
            Self::WebGpu => "ort:webgpu",
            Self::Qnn => "ort:qnn",
            Self::Xnnpack => "ort:xnnpack",
            Self::OneDnn => "ort:onednn",
        }
    }

    /// The name the window shows.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Cpu => "ONNX Runtime, CPU",
            Self::DirectMl => "ONNX Runtime, DirectML",
            Self::CoreMl => "ONNX Runtime, CoreML",
            Self::Cuda => "ONNX Runtime, CUDA",
            Self::TensorRt => "ONNX Runtime, TensorRT",
            Self::NvTensorRtRtx => "ONNX Runtime, TensorRT RTX",
            Self::MiGraphX => "ONNX Runtime, MIGraphX",
            Self::OpenVino => "ONNX Runtime, OpenVINO",
            Self::WebGpu => "ONNX Runtime, WebGPU",
            Self::Qnn => "ONNX Runtime, QNN",
            Self::Xnnpack => "ONNX Runtime, XNNPACK",
            Self::OneDnn => "ONNX Runtime, oneDNN",
        }
    }

    /// True where a library for this system can have the provider at all.
    pub const fn can_exist_here(self) -> bool {
        let (windows, macos, linux) = (cfg!(windows), cfg!(target_os = "macos"), cfg!(target_os = "linux"));
        match self {
            Self::Cpu | Self::WebGpu | Self::Xnnpack => true,
            Self::DirectMl => windows,
            Self::CoreMl => macos,
            Self::Cuda | Self::TensorRt | Self::NvTensorRtRtx | Self::OpenVino | Self::OneDnn => windows || linux,
            Self::MiGraphX => linux,
            Self::Qnn => (windows || linux) && cfg!(target_arch = "aarch64"),
        }
    }

    /// True where its numbers may be of less than 32 bits, so that agreement is judged by the faces found.
    pub const fn may_reduce_precision(self) -> bool {
        !matches!(self, Self::Cpu | Self::Xnnpack | Self::OneDnn)
    }
}
