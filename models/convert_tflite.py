#!/usr/bin/env python3
"""Make the four models for LiteRT, in models/tflite: TFLite files with the inputs and outputs of the ONNX files.

usage: convert_tflite.py YUNET.tflite MEDIAPIPE.whl FOLDER
needs: the packages of convert_mediapipe.py
input: YUNET.tflite   onnx2tf -i models/face_detection_yunet_2023mar.onnx -o OUT -osd -ois input:1,3,640,640 -n
                      (onnx2tf 1.29.24; the file ending in _float32.tflite)
       MEDIAPIPE.whl  pip download --no-deps mediapipe==0.10.14

Weights are not changed. The detector's are those of the ONNX file; its two Resize operators become Concatenation and
DepthToSpace, and its Reshape operators no longer contain a size, so that it runs at every multiple of 32. The other three
models are MediaPipe's originals; their outputs get the shapes of the ONNX files, and MediaPipe's own operator
Convolution2DTransposeBias becomes TransposeConv. In all four, a Transpose operator comes first, because the input has planes.

LiteRT runs the result and ONNX Runtime the ONNX file on noise and on parts of a sample portrait; the script fails if an output
differs by more than the model's tolerance. The same packages make the same bytes.
"""
import hashlib
import sys
import zipfile
from pathlib import Path

import flatbuffers
import numpy as np
import onnx
import onnxruntime
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter

from convert_mediapipe import MODELS, inputs, original

HERE = Path(__file__).resolve().parent
YUNET = "face_detection_yunet_2023mar"
YUNET_SHA256 = "cbacec6472d866192aa77d6ec2c16921e017f047fc20658300e0772e8eae2827"
# Sizes of the detector's input, height and width, at which it is compared.
SIZES = [(320, 320), (640, 640), (448, 640), (160, 96)]
# Max difference of the detector's outputs; the others have their own.
TOLERANCE = 1e-4
FLOAT, INT32 = schema.TensorType.FLOAT32, schema.TensorType.INT32


class Graph:
    """A TFLite file with one graph, and what it takes to change it."""

    def __init__(self, data):
        self.model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(data, 0))
        (self.graph,) = self.model.subgraphs

    def is_a(self, operator, code):
        found = self.model.operatorCodes[operator.opcodeIndex]
        return max(found.builtinCode, found.deprecatedBuiltinCode) == code

    def custom_name(self, operator):
        return self.model.operatorCodes[operator.opcodeIndex].customCode

    def code(self, code, version):
        """The index of a built-in operator's code."""
        made = schema.OperatorCodeT()
        made.builtinCode, made.deprecatedBuiltinCode, made.version = code, min(code, 127), version
        self.model.operatorCodes.append(made)
        return len(self.model.operatorCodes) - 1

    def tensor(self, name, shape, values=None):
        """The index of a new tensor: floats, or the whole numbers `values`."""
        made = schema.TensorT()
        made.name, made.shape, made.type, made.hasRank, made.buffer = name, list(shape), FLOAT, True, 0
        if values is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.array(values, np.int32).tobytes(), np.uint8)
            self.model.buffers.append(buffer)
            made.type, made.buffer = INT32, len(self.model.buffers) - 1
        self.graph.tensors.append(made)
        return len(self.graph.tensors) - 1

    def operator(self, name, version, inputs, outputs, **options):
        """A new operator with the options of its class."""
        made = schema.OperatorT()
        made.opcodeIndex = self.code(getattr(schema.BuiltinOperator, name[0]), version)
        made.inputs, made.outputs = inputs, outputs
        made.builtinOptionsType = getattr(schema.BuiltinOptions, name[1])
        made.builtinOptions = getattr(schema, f"{name[1]}T")()
        for key, value in options.items():
            setattr(made.builtinOptions, key, value)
        return made

    def take_planes(self):
        """Makes the input [1, 3, height, width], as that of the ONNX files; a new operator changes planes to pixels."""
        (pixels,) = self.graph.inputs
        order, (height, width) = self.tensor("to pixels", [4], [0, 2, 3, 1]), self.graph.tensors[pixels].shape[1:3]
        self.graph.inputs = [self.tensor("input", [1, 3, height, width])]
        self.graph.operators.insert(0, self.operator(("TRANSPOSE", "TransposeOptions"), 1, [self.graph.inputs[0], order], [pixels]))

    def name_outputs(self, named):
        """Gives the graph a signature with the input `input` and the outputs `named`, pairs of name and index, in their order."""
        def entry(name, index):
            made = schema.TensorMapT()
            made.name, made.tensorIndex = name, index
            return made

        signature = schema.SignatureDefT()
        signature.signatureKey, signature.subgraphIndex = "serving_default", 0
        signature.inputs = [entry("input", self.graph.inputs[0])]
        signature.outputs = [entry(name, index) for name, index in named]
        self.model.signatureDefs = [signature]
        self.graph.outputs = [index for _, index in named]

    def written(self, description):
        """The file, without metadata and without buffers that nothing uses."""
        used = sorted({0} | {tensor.buffer for tensor in self.graph.tensors})
        places = {old: new for new, old in enumerate(used)}
        for tensor in self.graph.tensors:
            tensor.buffer = places[tensor.buffer]
        self.model.buffers = [self.model.buffers[old] for old in used]
        self.model.metadata, self.model.metadataBuffer, self.model.description = [], None, description
        builder = flatbuffers.Builder(1 << 20)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def detector(data):
    """The detector for every size of its input."""
    graph = Graph(data)
    operators = []
    for operator in graph.graph.operators:
        if graph.is_a(operator, schema.BuiltinOperator.RESIZE_NEAREST_NEIGHBOR):
            # Its size is a constant. Four copies of each pixel's channels, as a block of 2 x 2 pixels, are the same.
            (source, _), (result,) = operator.inputs, operator.outputs
            *size, channels = graph.graph.tensors[source].shape
            four = graph.tensor(f"four {result}", [*size, 4 * channels])
            operators.append(graph.operator(("CONCATENATION", "ConcatenationOptions"), 1, [source] * 4, [four], axis=3))
            operators.append(graph.operator(("DEPTH_TO_SPACE", "DepthToSpaceOptions"), 1, [four], [result], blockSize=2))
            continue
        if graph.is_a(operator, schema.BuiltinOperator.RESHAPE):
            (source, _), (result,) = operator.inputs, operator.outputs
            shape = [1, -1, graph.graph.tensors[result].shape[2]]
            target = graph.tensor(f"shape {result}", [3], shape)
            operator = graph.operator(("RESHAPE", "ReshapeOptions"), 1, [source, target], [result], newShape=shape)
        operators.append(operator)
    graph.graph.operators = operators
    graph.take_planes()
    (signature,) = graph.model.signatureDefs
    found = {output.name.decode(): output.tensorIndex for output in signature.outputs}
    names = [output.name for output in onnx.load(HERE / f"{YUNET}.onnx").graph.output]
    graph.name_outputs([(name, found[name]) for name in names])
    return graph.written("YuNet 2023mar, converted from ONNX by onnx2tf and convert_tflite.py; MIT")


def of_faces(data, model):
    """One of MediaPipe's models."""
    graph = Graph(data)
    for operator in graph.graph.operators:
        if graph.custom_name(operator) != b"Convolution2DTransposeBias":
            continue
        image, weights, bias = operator.inputs
        shape = graph.graph.tensors[operator.outputs[0]].shape
        strides = [after // before for after, before in zip(shape[1:3], graph.graph.tensors[image].shape[1:3])]
        if list(graph.graph.tensors[weights].shape[1:3]) != strides:
            sys.exit(f"{model.name}: kernel and strides differ; padding would be ambiguous")
        size = graph.tensor("size", [4], shape)
        made = graph.operator(
            ("TRANSPOSE_CONV", "TransposeConvOptions"), 3, [size, weights, image, bias], operator.outputs,
            padding=schema.Padding.SAME, strideH=strides[0], strideW=strides[1],
        )
        graph.graph.operators[graph.graph.operators.index(operator)] = made
    named = []
    for old, new, shape in model.outputs:
        (index,) = (output for output in graph.graph.outputs if graph.graph.tensors[output].name.decode() == old)
        if tuple(graph.graph.tensors[index].shape) != shape:
            target, result = graph.tensor(f"shape of {new}", [len(shape)], shape), graph.tensor(new, shape)
            graph.graph.operators.append(
                graph.operator(("RESHAPE", "ReshapeOptions"), 1, [index, target], [result], newShape=list(shape))
            )
            index = result
        named.append((new, index))
    graph.take_planes()
    graph.name_outputs(named)
    return graph.written(
        f"mediapipe/modules/{model.member} of mediapipe 0.10.14, by the MediaPipe authors; Apache-2.0. "
        "Changed by convert_tflite.py: outputs named and shaped; only standard operators."
    )


def detector_inputs():
    """Noise and the portrait at several sizes, with values from 0 to 255."""
    for height, width in SIZES:
        for planes in inputs(max(height, width)):
            yield np.ascontiguousarray(planes[:, ::-1, :height, :width]) * np.float32(255)


def differences(data, path, every_input):
    """Max difference between the file and the ONNX file at `path`, for each output."""
    session = onnxruntime.InferenceSession(freed(path), providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    worst = dict.fromkeys(names, 0.0)
    lite = Interpreter(model_content=data)
    for planes in every_input:
        lite.resize_tensor_input(lite.get_input_details()[0]["index"], planes.shape)
        found = lite.get_signature_runner()(input=planes)
        for name, expected in zip(names, session.run(names, {"input": planes})):
            if found[name].shape != expected.shape:
                sys.exit(f"{path.stem}: {name} has the shape {found[name].shape}, expected {expected.shape}")
            worst[name] = max(worst[name], float(np.abs(found[name] - expected).max()))
    return worst


def freed(path):
    """The ONNX file with an input of any size, if it is the detector."""
    model = onnx.load(path)
    if path.stem == YUNET:
        del model.graph.value_info[:]
        for axis, name in ((2, "height"), (3, "width")):
            model.graph.input[0].type.tensor_type.shape.dim[axis].dim_param = name
        for number, output in enumerate(model.graph.output):
            output.type.tensor_type.shape.dim[1].dim_param = f"rows_{number}"
    return model.SerializeToString()


def main():
    if len(sys.argv) != 4 or any(argument.startswith("-") for argument in sys.argv[1:]):
        sys.exit(__doc__)
    yunet = Path(sys.argv[1]).read_bytes()
    if (digest := hashlib.sha256(yunet).hexdigest()) != YUNET_SHA256:
        print(f"{sys.argv[1]} has SHA-256 {digest}, not {YUNET_SHA256}: the result will be other bytes", file=sys.stderr)
    made = {YUNET: (detector(yunet), TOLERANCE, detector_inputs)}
    with zipfile.ZipFile(sys.argv[2]) as wheel:
        for model in MODELS:
            data = of_faces(original(wheel, model), model)
            made[model.name] = (data, model.tolerance, lambda side=model.side: inputs(side))
    target = Path(sys.argv[3])
    target.mkdir(parents=True, exist_ok=True)
    for name, (data, tolerance, every_input) in made.items():
        worst = max(differences(data, HERE / f"{name}.onnx", every_input()).values())
        if not worst <= tolerance:
            sys.exit(f"{name}: differs from the ONNX file by {worst:.1e}, more than {tolerance}")
        (target / f"{name}.tflite").write_bytes(data)
        print(f"{name}.tflite: {len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}, max difference {worst:.1e}")


if __name__ == "__main__":
    main()
