# SPDX-License-Identifier: MIT
"""Weights as they are published: in one file or several, of 32 or 16 bits, whole or wrong.

The files are made here with NumPy. A number of 16 bits is exactly some float, so a
checkpoint of them gives, bit for bit, the run of those floats."""
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np

from tap import OPFIG, done, ok, opfig, same
from tensors import bfloat, from_bfloat, read, write

GOLDEN = pathlib.Path(os.environ["OPFIG_SOURCE"]) / "tests/golden"
FOLDER = GOLDEN / "olmo2-tiny"
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
model = read(FOLDER / "model.safetensors")


def run(weights, *more, spec="olmo2", folder=FOLDER):
    return opfig("run", spec, "--config", str(folder / "config.json"), "--weights", weights,
                 "--tokens", str(folder / "trace.safetensors"), "--quiet", *more, folder=top)


def logits(weights, what, *more):
    one = run(weights, "--trace", "o.safetensors", "--keep", "logits", *more)
    ok(one.returncode == 0 and not one.stderr, f"{what}: runs", one.stderr.decode())
    return read(top / "o.safetensors")["logits"]


def refused(weights, said, what, *more, **options):
    one = run(weights, *more, **options)
    text = one.stderr.decode()
    ok(one.returncode == 2 and all(word in text for word in said), what, text)
    return text


def shard(name, parts, index=None):
    """Some files and their index in a folder of their own."""
    (top / name).mkdir(exist_ok=True)
    where = {}
    for i, tensors in enumerate(parts):
        file = f"model-{i + 1:05}-of-{len(parts):05}.safetensors"
        write(top / name / file, tensors)
        where.update(dict.fromkeys(tensors, file))
    path = top / name / "model.safetensors.index.json"
    path.write_text(json.dumps({"metadata": {"total_size": 1},
                                "weight_map": index(where) if index else where}))
    return f"{name}/model.safetensors.index.json"


# --- 16 bits are the floats that they are
plain = logits(str(FOLDER / "model.safetensors"), "float32")
cut = {name: bfloat(one) for name, one in model.items()}
write(top / "cut.safetensors", cut, {"format": "pt"})
write(top / "cut-wide.safetensors", {name: from_bfloat(one) for name, one in cut.items()})
half = {name: one.astype("<f2") for name, one in model.items()}
half["model.norm.weight"][:4] = [6e-8, -6e-8, 6e-5, 65504]  # subnormal, normal, largest
write(top / "half.safetensors", half)
write(top / "half-wide.safetensors", {name: one.astype("<f4") for name, one in half.items()})
write(top / "double.safetensors", {name: one.astype("<f8") for name, one in model.items()})
mixed = {name: cut[name] if i % 2 else model[name] for i, name in enumerate(model)}
write(top / "mixed.safetensors", mixed)
ours = logits("cut.safetensors", "bfloat16")
ok(np.array_equal(ours, logits("cut-wide.safetensors", "the same as floats")),
   "bfloat16 is the upper half of a float")
ok(not np.array_equal(ours, plain) and np.abs(ours - plain).max() < 0.5,
   "and not the weights before they were cut")
ok(np.array_equal(logits("half.safetensors", "float16"),
                  logits("half-wide.safetensors", "the same as floats")),
   "float16 is exact, subnormal numbers too")
ok(np.array_equal(logits("double.safetensors", "float64"), plain), "float64 holds floats")
logits("mixed.safetensors", "types may be mixed")
ok(np.array_equal(logits("cut.safetensors", "in double", "--double").astype("<f4"),
                  logits("cut-wide.safetensors", "both", "--double").astype("<f4")),
   "in double as well")

# --- several files
names = sorted(model)
thirds = [{name: model[name] for name in names[i::3]} for i in range(3)]
index = shard("three", thirds)
ok(np.array_equal(logits(index, "three files"), plain), "shards are one checkpoint")
ok(np.array_equal(logits("three", "a folder"), plain), "their folder names it as well")
ok(np.array_equal(logits(str(FOLDER), "a folder of one file"), plain),
   "a folder of one file too")
shard("four", [{name: cut[name] for name in names[i::4]} for i in range(4)])
ok(np.array_equal(logits("four", "four of bfloat16"), ours), "of 16 bits as well")

# --- all that is wrong is told at once
short = {name: one for name, one in model.items() if "layers.1.mlp" not in name}
short["model.layers.0.self_attn.q_norm.weight"] = model["model.layers.0.self_attn.q_norm.weight"][:-1]
short["model.layers.0.mlp.up_proj.weight"] = model["model.layers.0.mlp.up_proj.weight"].T
short["model.layers.0.self_attn.rotary_emb.inv_freq"] = np.zeros(6, "<f4")
short["lm_head.bias"] = np.zeros(72, "<f4")
write(top / "short.safetensors", short)
wrong = ["no tensor ‘model.layers.1.mlp.gate_proj.weight’ for ‘W_1’",
         "no tensor ‘model.layers.1.mlp.up_proj.weight’ for ‘W_3’",
         "no tensor ‘model.layers.1.mlp.down_proj.weight’ for ‘W_2’",
         "‘model.layers.0.self_attn.q_norm.weight’ is F32 [47], but ‘g_q’ wants real numbers [48]",
         "‘model.layers.0.mlp.up_proj.weight’ is F32 [48, 130], but ‘W_3’ wants real numbers "
         "[130, 48] (stored out, in)",
         "a tensor ‘model.layers.0.self_attn.rotary_emb.inv_freq’ [6] that no weight takes",
         "a tensor ‘lm_head.bias’ [72] that no weight takes"]
text = refused("short.safetensors", wrong, "missing, left over and of other sizes, all at once")
same(text.count("error: "), len(wrong), "each once")
whole = dict(model)
whole["model.norm.weight"] = np.ones(48, "<i8")
write(top / "whole.safetensors", whole)
refused("whole.safetensors", ["is I64 [48], but ‘g_out’ wants real numbers"],
        "whole numbers are no weights")

# --- a checkpoint of another family than its config
tokens = str(FOLDER / "trace.safetensors")
for mine, theirs in (("olmo1", "olmo2-tiny"), ("olmo2", "olmo1-tiny"), ("olmo2", "llama-tiny"),
                     ("llama3", "olmo2-tiny"), ("llama3", "olmo1-tiny"), ("olmo1", "llama-tiny"),
                     ("olmo3", "llama3-tiny-gqa")):
    own = {"olmo1": "olmo1-tiny", "olmo2": "olmo2-tiny", "olmo3": "olmo3-tiny-gqa",
           "llama3": "llama-tiny"}[mine]
    refused(str(GOLDEN / theirs / "model.safetensors"), ["error: "],
            f"{theirs} is not for {mine}", spec=mine, folder=GOLDEN / own)
    one = opfig("run", mine, "--config", str(GOLDEN / theirs / "config.json"), folder=top)
    ok(one.returncode == 2 and b"model_type" in one.stderr, "nor is its config",
       one.stderr.decode())

# --- an index from a stranger
for what, index, said in (
        ("a path", lambda m: {**m, names[0]: "../four/model-00001-of-00004.safetensors"},
         ["is in no file of safetensors beside the index"]),
        ("an absolute path", lambda m: {**m, names[0]: "/etc/passwd"},
         ["is in no file of safetensors beside the index"]),
        ("no name", lambda m: {**m, names[0]: 7}, ["is in no file of safetensors beside the index: 7"]),
        ("a file that is not there", lambda m: {**m, names[0]: "none.safetensors"},
         ["none.safetensors: No such file"]),
        ("a tensor that is not there", lambda m: {**m, "a\x1b[31m": m[names[0]],
                                                  "b": m[names[0]]},
         ["has no tensor ‘a\\u001b[31m’", "has no tensor ‘b’"]),
        ("a tensor that it leaves out", lambda m: {k: v for k, v in m.items() if k != names[1]},
         [f"‘{names[1]}’ of model-00002-of-00003.safetensors is not in it"]),
        ("nothing", lambda m: {}, ["0 files, where 1 to"])):
    refused(shard("bad", thirds, index), said, f"an index with {what}")
twice = [dict(one) for one in thirds]
twice[0][names[1]] = model[names[1]]
refused(shard("bad", twice, lambda m: {**m, names[1]: "model-00002-of-00003.safetensors"}),
        [f"‘{names[1]}’ is in model-00001-of-00003.safetensors too"], "a tensor in two files")
bad = top / "bad" / "model.safetensors.index.json"
for what, text, said in (("no JSON", "{", "line 1: "), ("a list", "[]", "no index of tensors"),
                         ("brackets", "[" * 300000, "nested deeper than 64"),
                         ("a key twice", '{"weight_map": {"a": "b", "a": "c"}}', "duplicate"),
                         ("another map", '{"weight_map": []}', "no index of tensors")):
    bad.write_text(text)
    refused("bad", [said], f"an index that is {what}")
(top / "bad" / "model-00003-of-00003.safetensors").write_bytes(b"\xff" * 8)
shard("bad", thirds)
(top / "bad" / "model-00003-of-00003.safetensors").write_bytes(b"\xff" * 64)
(top / "bad" / "model-00001-of-00003.safetensors").write_bytes(b"")
refused("bad", ["model-00001-of-00003.safetensors: too short",
                "model-00003-of-00003.safetensors: no safetensors file"],
        "all files that are not sound are named")

# --- a header that would take more to read than it is
big = top / "big.safetensors"
with open(big, "wb") as file:
    file.write((17 << 20).to_bytes(8, "little") + b"{")
    file.truncate(8 + (17 << 20))
refused("big.safetensors", ["its header takes 17825792 bytes; opfig reads at most 16777216"], "a header of 17 MB")
(top / "empty").mkdir()
refused("empty", ["neither model.safetensors nor model.safetensors.index.json"], "a folder without either")

# --- twelve layers of weights take the memory of one, beside the file that is mapped
C, F, L, V = 512, 2048, 12, 1000
rng = np.random.default_rng(5)
floats = {"model.embed_tokens.weight": (V, C), "lm_head.weight": (V, C)}
for i in range(L):
    floats.update({f"model.layers.{i}.self_attn.{x}_proj.weight": (C, C) for x in "qkvo"})
    floats.update({f"model.layers.{i}.mlp.{x}_proj.weight": (F, C) for x in ("gate", "up")})
    floats[f"model.layers.{i}.mlp.down_proj.weight"] = (C, F)
write(top / "large.safetensors", {name: bfloat(rng.standard_normal(size, "<f4") / 23)
                                  for name, size in floats.items()})
stored = (top / "large.safetensors").stat().st_size
(top / "large.json").write_text(json.dumps({
    "model_type": "olmo", "hidden_size": C, "intermediate_size": F, "num_hidden_layers": L,
    "num_attention_heads": 8, "vocab_size": V, "hidden_act": "silu", "rope_theta": 10000.0}))


# a process of its own: what a child has taken at most begins with what its parent had
PEAK = """import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(status, usage.ru_maxrss)"""
words = [OPFIG, "run", "olmo1", "--config", "large.json", "--weights", "large.safetensors",
         "--tokens", ",".join(map(str, range(16))), "--quiet"]
peak = subprocess.run(["/usr/bin/python3", "-c", PEAK, *words], cwd=top, capture_output=True,
                      timeout=100, check=False, env={
                          **os.environ, "OPENBLAS_NUM_THREADS": "1",
                          # where the build watches its memory, it shall not keep what was freed
                          "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"})
status, kilobytes = map(int, peak.stdout.split())
same(status, 0, f"a model of twelve layers runs {peak.stderr.decode()[-300:]}")
layer, ends = 4 * (4 * C * C + 3 * C * F), 4 * 2 * V * C
program = 48 << 20  # with BLAS and the values of 16 tokens, and what a sanitizer notes of all
most = stored + layer + ends + program * (2 if "ASAN_OPTIONS" in os.environ else 1)
ok(kilobytes << 10 < most, "in the memory of one layer, embedding and head",
   f"{kilobytes >> 10} MB, where {most >> 20} MB are allowed")
ok(most < 0.8 * 3 * stored, "which is far less than all of them as floats would take",
   (most, 3 * stored))
done()
