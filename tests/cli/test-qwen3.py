# SPDX-License-Identifier: MIT
"""Qwen3 is YAML alone: block and network agree with NumPy written by hand (tests/ref/qwen3.py),
the released model has its parameters, its config.json is taken, what changes it is refused."""
import json
import os
import pathlib
import sys
import tempfile

import numpy as np

import tensors
from tap import done, ok, opfig, same

SOURCE = pathlib.Path(os.environ["OPFIG_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/ref"))
import qwen3

work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
released = {  # config.json of the 0.6B model
    "architectures": ["Qwen3ForCausalLM"], "attention_bias": False, "attention_dropout": 0.0,
    "bos_token_id": 151643, "eos_token_id": 151645, "head_dim": 128, "hidden_act": "silu",
    "hidden_size": 1024, "initializer_range": 0.02, "intermediate_size": 3072,
    "max_position_embeddings": 40960, "max_window_layers": 28, "model_type": "qwen3",
    "num_attention_heads": 16, "num_hidden_layers": 28, "num_key_value_heads": 8,
    "rms_norm_eps": 1e-06, "rope_scaling": None, "rope_theta": 1000000, "sliding_window": None,
    "tie_word_embeddings": True, "torch_dtype": "bfloat16", "transformers_version": "4.51.0",
    "use_cache": True, "use_sliding_window": False, "vocab_size": 151936}


def save(config, name="config.json"):
    (top / name).write_text(json.dumps(config))
    return name


def run(*arguments):
    return opfig(*arguments, folder=top)


def difference(ours, theirs):
    rms = np.sqrt(np.mean(theirs.astype(float) ** 2))
    return np.max(np.abs(ours - theirs)) / rms if ours.shape == theirs.shape else np.inf


def compare(found, wanted, tolerance, title):
    missing = [name for name in wanted if name not in found]
    worst = max((difference(found[name], wanted[name]), name) for name in wanted if name in found)
    ok(not missing and worst[0] <= tolerance, f"{title}: {len(wanted)} values", f"{missing} {worst}")


# --- numbers: heads wider than the stream, eps that shows, both with and without grouping
for title, changes in {"grouped": {}, "one key head a query head": {"num_key_value_heads": 4},
                       "untied": {"tie_word_embeddings": False, "rms_norm_eps": 1e-2},
                       "one key head": {"num_key_value_heads": 1, "rope_theta": 50.0}}.items():
    config = {**released, "hidden_size": 12, "num_attention_heads": 4, "num_key_value_heads": 2,
              "head_dim": 6, "intermediate_size": 20, "num_hidden_layers": 3, "vocab_size": 17, **changes}
    random = np.random.default_rng(7)
    weights = {name: random.normal(1 if "norm" in name else 0, 0.5, shape)
               for name, shape in qwen3.shapes(config).items()}
    ids, targets = random.integers(0, 17, (2, 2, 7))
    weights["model.embed_tokens.weight"][ids[0, 0]] *= 1e-3  # shows where eps stands
    tensors.write(top / "m.safetensors", weights)
    tensors.write(top / "t.safetensors", {"input_ids": ids, "targets": targets})
    wanted = qwen3.network(ids, targets, weights, config)
    save(config)
    for double, tolerance in ((["--double"], 1e-12), ([], 5e-5)):
        done_ = run("run", "qwen3", "--config", "config.json", "--weights", "m.safetensors", "--input",
                    "t.safetensors", "--trace", "o.safetensors", "--quiet", *double)
        ok(done_.returncode == 0, f"the network runs, {title}", done_.stderr.decode())
        compare(tensors.read(top / "o.safetensors"), wanted, tolerance,
                f"the network, {title}, {'float64' if double else 'float32'}")
    layer = 1
    x = wanted[f"layers.{layer}.z"]
    tensors.write(top / "x.safetensors", {"hidden_states": x})
    done_ = run("run", "qwen3-block", "--config", "config.json", "--weights", "m.safetensors", "--layer",
                str(layer), "--input", "x.safetensors", "--trace", "o.safetensors", "--double", "--quiet")
    ok(done_.returncode == 0, f"the block runs, {title}", done_.stderr.decode())
    start = f"layers.{layer}."
    compare(tensors.read(top / "o.safetensors"),
            {name[len(start):]: array for name, array in wanted.items() if name.startswith(start)},
            1e-12, f"the block, {title}")

# --- this test can fail: a norm over all heads is another model
spec = (SOURCE / "tests/faults/specs/qwen3-norm-full-width.yaml").read_text()
(top / "full.yaml").write_text(spec)
ok(run("check", "--quick", "full.yaml").returncode == 1, "a norm over the full width is found")

# --- the released model
name = save(released)
found = run("check", "--quick", "qwen3", "--config", name, "--strict")
same(found.returncode, 0, f"its config is taken: {found.stderr.decode()}")
lines = found.stderr.decode()
for field, value in {"head_dim is 128": "taken as h_d", "rope_theta is 1000000": "taken as theta",
                     "max_window_layers is 28": "ignored, it changes nothing here",
                     "tie_word_embeddings is true": "taken as head",
                     "use_sliding_window is false": "as it must be"}.items():
    ok(f"{name}: {field}" in lines and value in lines.split(field)[1].split("\n")[0], f"{field}: {value}", lines)
count = sum(int(np.prod(shape)) for shape in qwen3.shapes(released).values())
same(count, 596_049_920, "its parameters, counted by hand")
page = run("doc", "qwen3", "--config", name).stdout.decode()
ok("32 ops, 596,049,920 parameters" in page, "its parameters, counted by the run", page[:400])
same(run("doc", "qwen3").stdout.decode().split("## Sizes")[0].replace("as shipped: ", ""),
     page.split("## Sizes")[0].replace("as shipped: ", ""), "the shipped sizes are the released ones")

# --- what the spec cannot honour
for changes, word in (({"attention_bias": True}, "attention_bias"), ({"hidden_act": "gelu"}, "hidden_act"),
                      ({"use_sliding_window": True}, "use_sliding_window"), ({"model_type": "qwen2"}, "model_type"),
                      ({"layer_types": ["full_attention", "sliding_attention"] * 14}, "layer_types"),
                      ({"layer_types": "full_attention"}, "a list of full_attention or null"),
                      ({"layer_types": ["full_attention"] * 27}, "layer_types"),
                      ({"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}, "rope")):
    found = run("check", "--quick", "qwen3", "--config", save({**released, **changes}))
    ok(found.returncode == 2 and word in found.stderr.decode(), f"refused: {changes}", found.stderr.decode())
for changes in ({"layer_types": ["full_attention"] * 28}, {"head_dim": None},
                {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}},
                {"sliding_window": 4096}):
    found = run("check", "--quick", "qwen3", "--config", save({**released, **changes}), "--strict")
    ok(found.returncode == 0, f"taken: {changes}", found.stderr.decode())
done()
