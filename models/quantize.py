#!/usr/bin/env python3
"""Make an INT8 (QDQ) copy of a YuNet model, to compare: iron-cropper compare PHOTO --model yunet_int8.onnx --precision int8

usage: quantize.py MODEL.onnx OUT.onnx PHOTO_OR_FOLDER... [--float-ends]
needs: pip install onnx onnxruntime pillow numpy

Weights become signed, activations unsigned 8-bit, one scale a channel, ranges from the photos given (a dozen are enough).
With --float-ends the first convolution and the heads stay in 32 bits. The result is reproducible: same photos, same bytes.
It is not shipped: docs/user/runtimes.md says why.
"""
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import version_converter
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from PIL import Image, ImageOps

INPUT = 640
SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}


def photos(names):
    for name in names:
        path = Path(name)
        yield from sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES) if path.is_dir() else [path]


def tensor(path):
    """The model's input for a photo: upright, fitted at the top left of black, planes blue, green, red, 0 to 255."""
    picture = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    picture.thumbnail((INPUT, INPUT), Image.Resampling.BOX)
    canvas = np.zeros((INPUT, INPUT, 3), np.float32)
    canvas[: picture.height, : picture.width] = np.asarray(picture)
    return np.ascontiguousarray(canvas[:, :, ::-1].transpose(2, 0, 1))[None]


class Photos(CalibrationDataReader):
    def __init__(self, name, paths):
        self.inputs = iter([{name: tensor(path)} for path in paths])

    def get_next(self):
        return next(self.inputs, None)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--float-ends"]
    if len(arguments) < 3:
        sys.exit(__doc__)
    source, target, *names = arguments
    paths = list(photos(names))
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / "prepared.onnx"
        # DequantizeLinear supports one scale per channel since operator set 13.
        onnx.save(version_converter.convert_version(onnx.load(source), 13), prepared)
        quant_pre_process(str(prepared), str(prepared), skip_symbolic_shape=True)
        model = onnx.load(prepared)
        kept = []
        if "--float-ends" in sys.argv:
            convolutions = [node for node in model.graph.node if node.op_type == "Conv"]
            feeds = {name: node for node in model.graph.node for name in node.output}

            def last_convolution(name):
                node = feeds.get(name)
                while node is not None and node.op_type != "Conv":
                    node = feeds.get(node.input[0])
                return node.name if node is not None else None

            ends = (last_convolution(output.name) for output in model.graph.output)
            kept = [convolutions[0].name, *(name for name in ends if name)]
        quantize_static(
            str(prepared), target, Photos(model.graph.input[0].name, paths), quant_format=QuantFormat.QDQ,
            per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, nodes_to_exclude=kept,
        )
    print(f"{target}: {Path(target).stat().st_size} bytes, from {len(paths)} photos")


if __name__ == "__main__":
    main()
