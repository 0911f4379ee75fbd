#!/usr/bin/env python3
"""Makes kinds.onnx and summary.json with Python's own `onnx`, for Tests/ONNXTests.

    pip install onnx numpy && python3 make_onnx.py

kinds.onnx has every element type in both forms of storage, attributes of every kind, and graphs in attributes.
summary.json tells what is in it and in the voices of ../voices: nodes as CRC-32 (zlib's) of their text, one for
each operator; initializers with their shape, sum, first values and the CRC-32 of their bytes.
"""
import json
import pathlib
import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
VOICES = ["tiny-high", "tiny-low-16k", "tiny-medium", "tiny-multispeaker"]


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytearray([value]))


def field(number, wire, payload):
    key = varint(number << 3 | wire)
    return key + (varint(len(payload)) if wire == 2 else b"") + payload


def unpacked_tensors():
    """Tensors whose repeated numbers are written one by one, as onnx never does, and in two packed pieces."""
    def named(name, data_type, dims, data):
        head = b"".join(field(1, 0, varint(d)) for d in dims)
        return field(5, 2, head + field(2, 0, varint(data_type)) + data + field(8, 2, name.encode()))

    f32 = [np.float32(v).tobytes() for v in (1.5, -2.25, 3e-5, 4e30)]
    return b"".join([
        named("float32_unpacked", 1, [4], b"".join(field(4, 5, v) for v in f32)),
        named("float32_pieces", 1, [2, 2], field(4, 2, f32[0] + f32[1]) + field(4, 5, f32[2]) + field(4, 2, f32[3])),
        named("int64_unpacked", 7, [3], b"".join(field(7, 0, varint(v)) for v in (-1, 2**62, 7))),
        named("int64_pieces", 7, [3], field(7, 2, varint(-5)) + field(7, 2, varint(300) + varint(0))),
        named("float64_unpacked", 11, [2], field(10, 1, np.float64(0.1).tobytes()) + field(10, 1, np.float64(-7).tobytes())),
    ])


UNPACKED = {
    "float32_unpacked": [float(np.float32(v)) for v in (1.5, -2.25, 3e-5, 4e30)],
    "float32_pieces": [float(np.float32(v)) for v in (1.5, -2.25, 3e-5, 4e30)],
    "int64_unpacked": [-1, 2**62, 7],
    "int64_pieces": [-5, 300, 0],
    "float64_unpacked": [float(np.float32(0.1)), -7.0],
}

FLOATS = [0.0, -1.0, 0.333251953125, 65504.0, 6.103515625e-05, 5.960464477539063e-08]
KINDS = {  # name: (onnx type, numpy type, values)
    "float32": (TensorProto.FLOAT, np.float32, FLOATS + [3.4e38, 1e-45]),
    "float64": (TensorProto.DOUBLE, np.float64, FLOATS + [0.1, 1e-320]),
    "float16": (TensorProto.FLOAT16, np.float16, FLOATS),
    "int8": (TensorProto.INT8, np.int8, [-128, 127, 0, -1]),
    "uint8": (TensorProto.UINT8, np.uint8, [255, 128, 0, 1]),
    "int16": (TensorProto.INT16, np.int16, [-32768, 32767, 0, -1]),
    "uint16": (TensorProto.UINT16, np.uint16, [65535, 32768, 0]),
    "int32": (TensorProto.INT32, np.int32, [-2**31, 2**31 - 1, -1]),
    "uint32": (TensorProto.UINT32, np.uint32, [2**32 - 1, 2**31, 0]),
    "int64": (TensorProto.INT64, np.int64, [-2**63, 2**63 - 1, -1]),
    "uint64": (TensorProto.UINT64, np.uint64, [2**63 - 1, 0, 1]),
    "bool": (TensorProto.BOOL, np.bool_, [True, False, True]),
}


def kinds():
    """The model, and the values that its tensors have as float32 or integer."""
    tensors, values = [], dict(UNPACKED)
    for name, (code, dtype, data) in KINDS.items():
        array = np.array(data, dtype)
        raw = helper.make_tensor(name + "_raw", code, [1, len(data)], array.tobytes(), raw=True)
        typed = helper.make_tensor(name + "_typed", code, [len(data), 1], array, raw=False)
        assert raw.HasField("raw_data") and not typed.HasField("raw_data")
        numbers = array.astype(np.float32) if array.dtype.kind == "f" else array.astype(np.int64)
        for tensor in (raw, typed):
            assert np.array_equal(numpy_helper.to_array(tensor).ravel(), array)
            values[tensor.name] = numbers.tolist()
            tensors.append(tensor)
    bits = [0x3F80, 0xC049, 0x0001, 0x7F7F]
    values["bfloat16_raw"] = (np.array(bits, np.uint32) << 16).view(np.float32).tolist()
    tensors.append(helper.make_tensor("bfloat16_raw", TensorProto.BFLOAT16, [4], np.array(bits, np.uint16).tobytes(), raw=True))
    tensors.append(helper.make_tensor("scalar", TensorProto.FLOAT, [], [2.5]))
    values["scalar"] = [2.5]
    tensors.append(helper.make_tensor("none", TensorProto.FLOAT, [3, 0, 2], []))
    values["none"] = []
    tensors.append(helper.make_tensor("texts", TensorProto.STRING, [2], [b"a", b"b"]))
    tensors.append(helper.make_tensor("complex", TensorProto.COMPLEX64, [1], [1 + 2j]))
    tensors.append(helper.make_tensor("nibbles", TensorProto.INT4, [3], np.array([1, -2, 3]), raw=False))

    def branch(name, value):
        out = helper.make_tensor_value_info("chosen", TensorProto.FLOAT, [1])
        constant = helper.make_node("Constant", [], ["own"], value=helper.make_tensor("", TensorProto.FLOAT, [1], [value]))
        return helper.make_graph([constant, helper.make_node("Add", ["own", "sum"], ["chosen"])], name, [], [out])

    def node(*args, **attributes):
        return helper.make_node(*args, **attributes)

    nodes = [
        node("Constant", [], ["c"], name="constant", value=helper.make_tensor("", TensorProto.INT64, [2], [4, -4])),
        node("Add", ["x", "scalar"], ["sum"], name="größer/→"),
        node("If", ["flag"], ["chosen"], name="choice", then_branch=branch("then", 1), else_branch=branch("else", 2)),
        node("Everything", ["chosen", "", "c"], ["y"], name="all", domain="test.syrinx", an_int=-3, a_float=0.25,
             a_text="Grüße", ints=[1, -2, 2**62], floats=[0.5, -1e-3], texts=["a", "", "ß"]),
    ]
    typed = helper.make_attribute("a_type", helper.make_tensor_type_proto(TensorProto.FLOAT, [1]))
    nodes[-1].attribute.append(typed)
    nodes[-1].attribute.append(helper.make_attribute("tensors", [helper.make_tensor("t", TensorProto.FLOAT, [1], [9.0])]))
    nodes[-1].attribute.append(helper.make_attribute("graphs", [branch("g", 3)]))
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3, None]),
              helper.make_tensor_value_info("flag", TensorProto.BOOL, [])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "kinds", inputs, outputs, tensors)
    model = helper.make_model(graph, producer_name="syrinx-tests", producer_version="1",
                              opset_imports=[helper.make_opsetid("", 15), helper.make_opsetid("test.syrinx", 2)])
    model.ir_version = 8
    helper.set_model_props(model, {"language": "de"})
    # Graph messages merge in protobuf, but a reader may refuse two: put the odd tensors into the one there is.
    body = graph.SerializeToString() + unpacked_tensors()
    model.ClearField("graph")
    data = field(7, 2, body) + model.SerializeToString()
    return data, values


def text(value):
    """One attribute, as Tests/ONNXTests writes it too."""
    kind = onnx.AttributeProto.AttributeType.Name(value.type)
    bits = lambda v: f"{np.float32(v).view(np.uint32):08x}"
    if kind == "INT":
        return f"{value.i}"
    if kind == "FLOAT":
        return bits(value.f)
    if kind == "STRING":
        return value.s.decode()
    if kind == "INTS":
        return ",".join(map(str, value.ints))
    if kind == "FLOATS":
        return ",".join(map(bits, value.floats))
    if kind == "STRINGS":
        return ",".join(s.decode() for s in value.strings)
    if kind == "TENSOR":
        array = numpy_helper.to_array(value.t)
        return f"{array.dtype}{list(array.shape)}:{zlib.crc32(array.tobytes()):08x}"
    return kind.lower()


def summary(path):
    model = onnx.load(path)
    assert [d.HasField("raw_data") for d in model.graph.initializer].count(False) == 0 or path.stem == "kinds"
    operators, crc = {}, {}
    for node in model.graph.node:
        attributes = ";".join(f"{a.name}={text(a)}" for a in node.attribute)
        line = f"{node.name}|{node.op_type}|{'&'.join(node.input)}|{'&'.join(node.output)}|{attributes}\n"
        operators[node.op_type] = operators.get(node.op_type, 0) + 1
        crc[node.op_type] = zlib.crc32(line.encode(), crc.get(node.op_type, 0))
    initializers = {}
    for tensor in model.graph.initializer:
        if path.stem == "kinds" and tensor.data_type != TensorProto.FLOAT:
            continue
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32:
            initializers[tensor.name] = {
                "dims": list(array.shape), "sum": float(array.astype(np.float64).sum()),
                "first": [float(v) for v in array.ravel()[:3]], "crc": zlib.crc32(array.tobytes())}
    return {
        "nodes": len(model.graph.node), "operators": operators, "crc": crc, "initializers": initializers,
        "producer": f"{model.producer_name} {model.producer_version}", "irVersion": model.ir_version,
        "opsets": {o.domain: o.version for o in model.opset_import},
        "inputs": [i.name for i in model.graph.input], "outputs": [o.name for o in model.graph.output]}


def main():
    data, values = kinds()
    (HERE / "kinds.onnx").write_bytes(data)
    paths = [HERE.parent / "voices" / f"{voice}.onnx" for voice in VOICES] + [HERE / "kinds.onnx"]
    result = {"files": {path.stem: summary(path) for path in paths},
              # As text: JSON readers lose the last digits of large integers.
              "values": {name: [repr(v) for v in list_] for name, list_ in values.items()}}
    (HERE / "summary.json").write_text(json.dumps(result, sort_keys=True, ensure_ascii=False) + "\n")


main()
