//! ONNX Runtime's execution providers.

/// An execution provider of ONNX Runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Provider {
    /// The CPU; in every library.
    Cpu,
    /// DirectX 12 GPUs, on Windows.
    DirectMl,
    /// Apple's GPU and Neural Engine.
    CoreMl,
    /// NVIDIA GPUs.
    Cuda,
    /// NVIDIA GPUs through TensorRT.
    TensorRt,
    /// NVIDIA RTX GPUs through TensorRT for RTX.
    NvTensorRtRtx,
    /// AMD GPUs through MIGraphX.
    MiGraphX,
    /// Intel CPUs, GPUs and NPUs.
    OpenVino,
    /// Any GPU with Vulkan, Metal or Direct3D 12.
    WebGpu,
    /// Qualcomm NPUs.
    Qnn,
    /// The CPU through XNNPACK.
    Xnnpack,
    /// The CPU through oneDNN.
    OneDnn,
}

impl Provider {
    /// Every provider, in display order.
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

    /// The name displayed by the window.
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

    /// True if the provider exists for this operating system and architecture.
    pub const fn is_available_on_this_system(self) -> bool {
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

    /// True if it numbers its devices and computes on the chosen one. CoreML, WebGPU and QNN choose one themselves: the
    /// `deviceId` of WebGPU is the number of a context that the caller created, not of a graphics card.
    pub const fn chooses_device(self) -> bool {
        match self {
            Self::DirectMl | Self::Cuda | Self::TensorRt | Self::NvTensorRtRtx | Self::MiGraphX | Self::OpenVino => {
                true
            }
            Self::Cpu | Self::CoreMl | Self::WebGpu | Self::Qnn | Self::Xnnpack | Self::OneDnn => false,
        }
    }

    /// True if it may compute with less than 32 bits, so that agreement is judged by the detected faces.
    pub const fn may_reduce_precision(self) -> bool {
        !matches!(self, Self::Cpu | Self::Xnnpack | Self::OneDnn)
    }
}
