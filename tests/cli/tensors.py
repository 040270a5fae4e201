# SPDX-License-Identifier: MIT
"""safetensors files read and written with NumPy, apart from the program."""
import json

import numpy as np

TYPES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "U8": "u1"}


def write(path, tensors):
    header, data = {}, b""
    for name, array in tensors.items():
        array = np.ascontiguousarray(array)
        word = next(word for word, code in TYPES.items() if np.dtype(code) == array.dtype)
        header[name] = {"dtype": word, "shape": array.shape, "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def read(path):
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(data[start:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors
