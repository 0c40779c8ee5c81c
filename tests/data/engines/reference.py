"""Generates the reference outputs in this folder: those of ONNX Runtime's Python package for a synthetic input.

    pip install onnxruntime==1.32.0 onnx numpy
    python3 tests/data/engines/reference.py

The input is whole numbers that any language makes alike; `engines.rs` makes the same. Of each output the references hold
its shape, its sum, and 200 values spread over it.
"""

import json
import pathlib

import numpy
import onnx
import onnxruntime

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parents[2] / "models"
MODEL = MODELS / "face_detection_yunet_2023mar.onnx"
SAMPLES = 200


def made_up(side):
    """Slanted ramps with noise of 6 bits, from 0 to 254, as [1, 3, side, side]."""
    index = numpy.arange(3 * side * side, dtype=numpy.uint64)
    noise = (index * 2654435761 % 2**32) >> 26
    channel, rest = numpy.divmod(index, side * side)
    row, column = numpy.divmod(rest, side)
    ramp = (column + 2 * row + 50 * channel) % 192
    return (noise + ramp).astype(numpy.float32).reshape(1, 3, side, side)


def freed():
    """The model without inner shape annotations, with dynamic height and width."""
    model = onnx.load(MODEL)
    del model.graph.value_info[:]
    for axis, name in ((2, "height"), (3, "width")):
        model.graph.input[0].type.tensor_type.shape.dim[axis].dim_param = name
    for number, output in enumerate(model.graph.output):
        output.type.tensor_type.shape.dim[1].dim_param = f"rows_{number}"
    return model.SerializeToString()


def describe(session, tensor):
    """The reference of each output for one input."""
    names = [output.name for output in session.get_outputs()]
    reference = {}
    for name, output in zip(names, session.run(names, {session.get_inputs()[0].name: tensor})):
        flat = output.ravel()
        samples = [float(f"{flat[number * flat.size // SAMPLES]:.7g}") for number in range(SAMPLES)]
        reference[name] = {
            "shape": list(output.shape),
            "sum": float(flat.astype(numpy.float64).sum()),
            "samples": samples,
        }
    return reference


def write(name, session, tensor):
    (HERE / f"{name}.json").write_text(json.dumps(describe(session, tensor), separators=(",", ":")) + "\n")


CPU = ["CPUExecutionProvider"]
for side in (320, 640):
    model = MODEL.read_bytes() if side == 640 else freed()
    write(f"yunet_{side}", onnxruntime.InferenceSession(model, providers=CPU), made_up(side))
for name, side in (("face_landmark", 192), ("iris_landmark", 64), ("person", 256)):
    session = onnxruntime.InferenceSession(MODELS / f"{name}.onnx", providers=CPU)
    write(name, session, made_up(side) / numpy.float32(255))
