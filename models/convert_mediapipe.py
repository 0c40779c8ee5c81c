#!/usr/bin/env python3
"""Convert three models of MediaPipe from TFLite to ONNX: face_landmark.onnx, iris_landmark.onnx and person.onnx.

usage: convert_mediapipe.py MEDIAPIPE.whl FOLDER
needs: Python 3.11; pip install tensorflow-cpu==2.19.1 tf2onnx==1.17.0 onnx==1.19.1 numpy==1.26.4 onnxruntime==1.32.0
       ai-edge-litert==2.3.0 pillow
input: pip download --no-deps mediapipe==0.10.14

Each model has one input, `input` [1, 3, side, side]: red, green and blue planes with values from 0 to 1. The operators are
standard ones. LiteRT runs the original and ONNX Runtime the result on noise and on parts of a sample portrait; the script
fails if an output differs by more than the model's tolerance. The same packages make the same bytes.
"""
import dataclasses
import hashlib
import logging
import os
import sys
import tempfile
import warnings
import zipfile
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import onnx
import onnxruntime
from ai_edge_litert.interpreter import Interpreter
from onnx import helper, numpy_helper
from PIL import Image
from tf2onnx.convert import from_tflite

PORTRAIT = Path(__file__).resolve().parent.parent / "assets/samples/astronaut.png"
# Left, top, right and bottom in the portrait: all of it, the head, the eye at the left.
PARTS = [(0, 0, 512, 512), (122, 20, 322, 220), (176, 82, 226, 132)]


@dataclasses.dataclass(frozen=True)
class Model:
    """A model of the wheel and its ONNX interface."""

    name: str
    # Path in the wheel, below mediapipe/modules, and SHA-256.
    member: str
    sha256: str
    # Width and height of the input in pixels.
    side: int
    # HardSwish is an operator since version 14.
    opset: int
    # Each output: its name in the TFLite file, in the ONNX file, and its shape there.
    outputs: tuple
    # Max difference from the original, in the outputs' unit.
    tolerance: float


MODELS = [
    Model(
        "face_landmark",
        "face_landmark/face_landmark.tflite",
        "1055cb9d4a9ca8b8c688902a3a5194311138ba256bcc94e336d8373a5f30c814",
        192,
        13,
        (("conv2d_21", "landmarks", (1, 1404)), ("conv2d_31", "presence", (1, 1))),
        1e-3,
    ),
    Model(
        "iris_landmark",
        "iris_landmark/iris_landmark.tflite",
        "d1744d2a09c25f501d39eba4faff47e53ecca8852c5ce19bce8eeac39357521f",
        64,
        13,
        (("output_eyes_contours_and_brows", "eye", (1, 213)), ("output_iris", "iris", (1, 15))),
        1e-3,
    ),
    Model(
        "person",
        "selfie_segmentation/selfie_segmentation.tflite",
        "9ee168ec7c8f2a16c56fe8e1cfbc514974cbbb7e434051b455635f1bd1462f5c",
        256,
        14,
        (("activation_10", "person", (1, 1, 256, 256)),),
        1e-4,
    ),
]


def original(wheel, model):
    """The TFLite file, checked against the SHA-256 of MediaPipe 0.10.14."""
    data = wheel.read(f"mediapipe/modules/{model.member}")
    found = hashlib.sha256(data).hexdigest()
    if found != model.sha256:
        sys.exit(f"{model.member} has SHA-256 {found}, expected {model.sha256}; use the wheel mediapipe 0.10.14")
    return data


def transposed_convolution(graph, node, name, _):
    """Replaces MediaPipe's operator Convolution2DTransposeBias, which tf2onnx does not know, by ConvTranspose.

    It takes an image [1, height, width, channels] and weights [outputs, kernel height, kernel width, channels].
    """
    image, weights, bias = node.input
    result, shape, kind = node.output[0], graph.get_shape(node.output[0]), graph.get_dtype(node.output[0])
    kernel = graph.get_shape(weights)[1:3]
    strides = [after // before for after, before in zip(shape[1:3], graph.get_shape(image)[1:3])]
    if kernel != strides:
        sys.exit(f"{name}: kernel {kernel} and strides {strides} differ; padding would be ambiguous")
    graph.remove_node(node.name)
    planes = graph.make_node("Transpose", [image], attr={"perm": [0, 3, 1, 2]}).output[0]
    weights = graph.make_node("Transpose", [weights], attr={"perm": [3, 0, 1, 2]}).output[0]
    planes = graph.make_node("ConvTranspose", [planes, weights, bias], attr={"kernel_shape": kernel, "strides": strides}).output[0]
    graph.make_node("Transpose", [planes], attr={"perm": [0, 2, 3, 1]}, name=name, outputs=[result], shapes=[shape], dtypes=[kind])


def translated(data, model, folder):
    """The graph that tf2onnx makes, with planes as input and, for images, as output."""
    path = folder / f"{model.name}.tflite"
    path.write_bytes(data)
    images = [old for old, _, shape in model.outputs if len(shape) == 4]
    made, _ = from_tflite(
        str(path), opset=model.opset, inputs_as_nchw=["input_1"], outputs_as_nchw=images or None,
        custom_op_handlers={"TFL_Convolution2DTransposeBias": (transposed_convolution, [])},
    )
    return made.graph


def reshape_outputs(graph, model):
    """Gives each output its shape: where it differs, a Reshape made the output, whose target is replaced."""
    shapes = {output.name: tuple(size.dim_value for size in output.type.tensor_type.shape.dim) for output in graph.output}
    for old, _, shape in model.outputs:
        if shapes[old] == shape:
            continue
        (last,) = (node for node in graph.node if old in node.output)
        if last.op_type != "Reshape":
            sys.exit(f"{model.name}: {old} {shapes[old]} is made by {last.op_type}, expected Reshape")
        target = numpy_helper.from_array(np.array(shape, np.int64), f"{old} shape")
        graph.initializer.append(target)
        last.input[1] = target.name


def drop_layouts(graph, model):
    """Removes what only changes a tensor's layout: every tensor becomes one of planes.

    tf2onnx leaves transpositions around HardSwish, and a varying number of reshapes of [1, channels, 1, 1]. The operators
    between them work on single values; shape inference and the comparison with the original fail if one does not.
    """
    constants = {constant.name: numpy_helper.to_array(constant) for constant in graph.initializer}
    planes, kept = {}, []
    for node in graph.node:
        node.input[:] = [planes.get(name, name) for name in node.input]
        if node.op_type == "Transpose" and list(node.attribute[0].ints) not in ([0, 2, 3, 1], [0, 3, 1, 2]):
            sys.exit(f"{model.name}: {node.name} is no change between planes and pixels")
        if node.op_type == "Transpose" or node.op_type == "Reshape" and constants[node.input[1]].size == 4:
            planes[node.output[0]] = node.input[0]
        else:
            kept.append(node)
    # An output that such a change made is what went into it.
    outputs = {planes[output.name]: output.name for output in graph.output if output.name in planes}
    for node in kept:
        node.input[:] = [outputs.get(name, name) for name in node.input]
        node.output[:] = [outputs.get(name, name) for name in node.output]
    del graph.node[:]
    graph.node.extend(kept)


def replace_prelu(graph):
    """Replaces PRelu with one slope for each channel by slope * x + (1 - slope) * Relu(x), as depthwise convolutions.

    ONNX Runtime and tract have fast kernels for these, ONNX Runtime fuses them, and its PRelu takes two thirds of the time
    of the face mesh.
    """
    constants = {constant.name: numpy_helper.to_array(constant) for constant in graph.initializer}
    nodes = []
    for node in graph.node:
        if node.op_type != "PRelu":
            nodes.append(node)
            continue
        (image, slope), (result,) = node.input, node.output
        slopes = constants[slope].reshape(-1, 1, 1, 1)
        positive = f"{result} positive"
        nodes.append(helper.make_node("Relu", [image], [positive]))
        parts = []
        for part, source, weights in (("all", image, slopes), ("rest", positive, 1 - slopes)):
            graph.initializer.append(numpy_helper.from_array(weights.astype(np.float32), f"{result} {part} weights"))
            parts.append(f"{result} {part}")
            nodes.append(helper.make_node(
                "Conv", [source, f"{result} {part} weights"], [parts[-1]], group=len(slopes), kernel_shape=[1, 1],
            ))
        nodes.append(helper.make_node("Add", parts, [result]))
    del graph.node[:]
    graph.node.extend(nodes)


def assembled(graph, model):
    """The model as written: tensors named and ordered by use.

    tf2onnx names and orders constants differently in each run, and notes paths in comments.
    """
    names = {"input_1": "input", **{old: new for old, new, _ in model.outputs}}
    constants = {constant.name: constant for constant in graph.initializer}
    nodes, used = [], []
    for number, node in enumerate(graph.node):
        for slot, name in enumerate(node.input):
            if name in constants and name not in names:
                names[name] = f"{node.op_type.lower()}_{number}_{slot}"
                used.append(numpy_helper.from_array(numpy_helper.to_array(constants[name]), names[name]))
        for name in node.output:
            names.setdefault(name, f"{node.op_type.lower()}_{number}")
        attributes = {item.name: helper.get_attribute_value(item) for item in sorted(node.attribute, key=lambda item: item.name)}
        renamed = ([names.get(name, name) for name in tensors] for tensors in (node.input, node.output))
        nodes.append(helper.make_node(node.op_type, *renamed, name=f"{node.op_type.lower()}_{number}", domain=node.domain, **attributes))
    floats = lambda name, shape: helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
    made = helper.make_model(
        helper.make_graph(
            nodes, model.name, [floats("input", [1, 3, model.side, model.side])],
            [floats(new, shape) for _, new, shape in model.outputs], used,
        ),
        opset_imports=[helper.make_opsetid("", model.opset)],
        ir_version=7,
        producer_name="convert_mediapipe.py",
        doc_string=f"mediapipe/modules/{model.member} of mediapipe 0.10.14, by the MediaPipe authors; Apache-2.0. "
        "Changed: converted from TFLite to ONNX; PRelu by convolutions.",
    )
    made = onnx.shape_inference.infer_shapes(made, check_type=True, strict_mode=True)
    # Rejects operators that are not standard.
    onnx.checker.check_model(made, full_check=True)
    return made


def inputs(side):
    """Noise, and parts of the portrait, as [1, 3, side, side] with values from 0 to 1."""
    yield np.random.RandomState(1).rand(1, 3, side, side).astype(np.float32)
    portrait = Image.open(PORTRAIT).convert("RGB")
    for part in PARTS:
        pixels = portrait.resize((side, side), Image.Resampling.BILINEAR, box=part)
        yield np.asarray(pixels, np.float32).transpose(2, 0, 1)[None] / np.float32(255)


def differences(data, path, model):
    """Max difference between the original and the file at `path`, for each output."""
    lite = Interpreter(model_content=data)
    lite.allocate_tensors()
    (entry,) = lite.get_input_details()
    results = {detail["name"]: detail["index"] for detail in lite.get_output_details()}
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    worst = dict.fromkeys((new for _, new, _ in model.outputs), 0.0)
    for planes in inputs(model.side):
        lite.set_tensor(entry["index"], np.ascontiguousarray(planes.transpose(0, 2, 3, 1)))
        lite.invoke()
        for (old, new, _), found in zip(model.outputs, session.run(list(worst), {"input": planes})):
            # One channel: the layouts differ in their shape only.
            expected = lite.get_tensor(results[old]).reshape(found.shape)
            worst[new] = max(worst[new], float(np.abs(found - expected).max()))
    return worst


def main():
    if len(sys.argv) != 3 or any(argument.startswith("-") for argument in sys.argv[1:]):
        sys.exit(__doc__)
    # It warns about the operator that is replaced; the checker reports what is left.
    logging.getLogger("tf2onnx").setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module="tensorflow")
    target = Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(sys.argv[1]) as wheel, tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for model in MODELS:
            data = original(wheel, model)
            graph = translated(data, model, folder)
            reshape_outputs(graph, model)
            drop_layouts(graph, model)
            replace_prelu(graph)
            written = assembled(graph, model).SerializeToString(deterministic=True)
            if str(folder).encode() in written:
                sys.exit(f"{model.name}: the file would contain the path {folder}")
            path = folder / f"{model.name}.onnx"
            path.write_bytes(written)
            worst = differences(data, path, model)
            listed = ", ".join(f"{name} {value:.1e}" for name, value in worst.items())
            if not max(worst.values()) <= model.tolerance:
                sys.exit(f"{model.name}: differs from the original by more than {model.tolerance}: {listed}")
            (target / path.name).write_bytes(written)
            print(f"{path.name}: {len(written)} bytes, SHA-256 {hashlib.sha256(written).hexdigest()}, max difference {listed}")


if __name__ == "__main__":
    main()
