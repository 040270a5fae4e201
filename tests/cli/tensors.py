# SPDX-License-Identifier: MIT
"""Files of tensors, read and written with NumPy alone, and how far two tensors are apart."""
import json

import numpy as np

TYPES = {"F32": "<f4", "F64": "<f8", "F16": "<f2", "U8": "u1", "I64": "<i8", "I32": "<i4"}


def read(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    return {name: np.frombuffer(data[8 + size:][slice(*one["data_offsets"])],
                                TYPES[one["dtype"]]).reshape(one["shape"])
            for name, one in header.items() if name != "__metadata__"}


def bfloat(numbers):
    """The upper half of each float, as it is cut: uint16."""
    return (np.ascontiguousarray(numbers, "<f4").view("<u4") >> 16).astype("<u2")


def from_bfloat(bits):
    return (bits.astype("<u4") << 16).view("<f4")


def write(path, tensors, metadata=None):
    """Tensors as they are; uint16 is BF16."""
    kinds = {"float32": "F32", "float64": "F64", "float16": "F16", "uint8": "U8",
             "int64": "I64", "int32": "I32", "uint16": "BF16", "bool": "BOOL"}
    header, start, data = {}, 0, b""
    if metadata:
        header["__metadata__"] = metadata
    for name, one in tensors.items():
        bytes_ = np.ascontiguousarray(one).tobytes()
        header[name] = {"dtype": kinds[one.dtype.name], "shape": list(one.shape),
                        "data_offsets": [start, start + len(bytes_)]}
        start += len(bytes_)
        data += bytes_
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def apart(name, ours, theirs):
    """The largest difference, in rms of theirs; inf where something is not the same."""
    if ours.shape != theirs.shape or ours.dtype.kind != theirs.dtype.kind:
        return np.inf
    if theirs.dtype.kind in "iu":
        return 0.0 if np.array_equal(ours, theirs) else np.inf
    seen = theirs > -1e30
    if not np.array_equal(ours > -1e30, seen):
        return np.inf
    if name.endswith(".probs") and (ours[theirs == 0] != 0).any():
        return np.inf
    a, b = ours[seen].astype(float), theirs[seen].astype(float)
    return np.abs(a - b).max() / np.sqrt((b * b).mean())
