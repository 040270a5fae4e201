# SPDX-License-Identifier: MIT
"""Names in other libraries against lists typed from those libraries' own code and papers: every
name of theirs is here or is said to be missing and why, no name of ours is unknown to them, and every
value, weight and dim without a name says why. Then the numbers: what `run --names` writes is computed
anew with NumPy in the library's own axes, from its own weights.

{0} is the number of a layer. After a name come its axes, in the words of the library."""
import json
import os
import pathlib
import re
import tempfile

import numpy as np

import tensors
from tap import done, ok, opfig, same

SOURCE = pathlib.Path(os.environ["OPFIG_SOURCE"])
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
FAMILIES = ("olmo1", "olmo2", "olmo3", "llama3", "qwen3")
SIZE = {"B": 2, "T": 5, "C": 24, "H": 4, "G": 4, "h": 6, "F": 20, "V": 50, "L": 2}
GROUPED = {"llama3": 2, "qwen3": 2}  # key heads
POST = ("olmo2", "olmo3")            # a norm after each sublayer, none before
QK = ("olmo2", "olmo3", "qwen3")


def entries(text):
    """A list: NAME, axes, and for which families if not for all."""
    for line in text.strip().splitlines():
        name, axes, *families = re.split(r" {2,}", line.strip())
        yield name, axes, families[0].split() if families else FAMILIES


# --- what the libraries have: values

# transformers, modeling_{olmo,olmo2,olmo3,llama,qwen3}.py: modules by their path, with the side
# that a forward hook sees; hidden_states and attentions are fields of the output.
HF = """
model.embed_tokens.output  B T C
hidden_states[{0}]  B T C
model.layers.{0}.input  B T C
model.layers.{0}.input_layernorm.output  B T C  olmo1 llama3 qwen3
model.layers.{0}.self_attn.input  B T C
model.layers.{0}.self_attn.q_proj.output  B T H*h
model.layers.{0}.self_attn.k_proj.output  B T G*h
model.layers.{0}.self_attn.v_proj.output  B T G*h
model.layers.{0}.self_attn.q_norm.output  B T H*h  olmo2 olmo3
model.layers.{0}.self_attn.k_norm.output  B T G*h  olmo2 olmo3
model.layers.{0}.self_attn.q_norm.output  B T H h  qwen3
model.layers.{0}.self_attn.k_norm.output  B T G h  qwen3
attentions[{0}]  B H T T
model.layers.{0}.self_attn.o_proj.input  B T H*h
model.layers.{0}.self_attn.o_proj.output  B T C
model.layers.{0}.self_attn.output  B T C
model.layers.{0}.post_attention_layernorm.input  B T C  olmo1 llama3 qwen3
model.layers.{0}.post_attention_layernorm.output  B T C
model.layers.{0}.mlp.input  B T C
model.layers.{0}.mlp.gate_proj.output  B T F
model.layers.{0}.mlp.act_fn.output  B T F
model.layers.{0}.mlp.up_proj.output  B T F
model.layers.{0}.mlp.down_proj.input  B T F
model.layers.{0}.mlp.down_proj.output  B T C
model.layers.{0}.mlp.output  B T C
model.layers.{0}.post_feedforward_layernorm.output  B T C  olmo2 olmo3
model.layers.{0}.output  B T C
model.norm.output  B T C
hidden_states[-1]  B T C
lm_head.output  B T V
logits  B T V
input_ids  B T
"""
# OLMo-core, nn/transformer/block.py and nn/hf/convert.py
OLMO_CORE = """
embeddings.output  B T C
blocks.{0}.input  B T C
blocks.{0}.attention.input  B T C
blocks.{0}.attention.w_q.output  B T H*h
blocks.{0}.attention.w_k.output  B T G*h
blocks.{0}.attention.w_v.output  B T G*h
blocks.{0}.attention.q_norm.output  B T H*h  olmo2 olmo3
blocks.{0}.attention.k_norm.output  B T G*h  olmo2 olmo3
blocks.{0}.attention.w_out.input  B T H*h
blocks.{0}.attention.w_out.output  B T C
blocks.{0}.attention.output  B T C
blocks.{0}.attention_norm.output  B T C
blocks.{0}.feed_forward.input  B T C
blocks.{0}.feed_forward.w1.output  B T F
blocks.{0}.feed_forward.w3.output  B T F
blocks.{0}.feed_forward.w2.input  B T F
blocks.{0}.feed_forward.w2.output  B T C
blocks.{0}.feed_forward.output  B T C
blocks.{0}.feed_forward_norm.input  B T C  olmo1
blocks.{0}.feed_forward_norm.output  B T C
blocks.{0}.output  B T C
lm_head.norm.output  B T C
lm_head.w_out.output  B T V
input_ids  B T
"""
# TransformerLens, components/{transformer_block,abstract_attention,layer_norm,mlps/gated_mlp}.py
LENS = """
hook_embed  B T C
blocks.{0}.hook_resid_pre  B T C
blocks.{0}.ln1.hook_scale  -
blocks.{0}.ln1.hook_normalized  B T C  olmo1
blocks.{0}.attn.hook_q  B T H h
blocks.{0}.attn.hook_k  B T G h
blocks.{0}.attn.hook_v  B T G h
blocks.{0}.attn.hook_rot_q  B T H h
blocks.{0}.attn.hook_rot_k  B T G h
blocks.{0}.attn.hook_attn_scores  B H T T
blocks.{0}.attn.hook_pattern  B H T T
blocks.{0}.attn.hook_z  B T H h
blocks.{0}.attn.hook_result  -
blocks.{0}.hook_attn_in  -
blocks.{0}.hook_q_input  -
blocks.{0}.hook_k_input  -
blocks.{0}.hook_v_input  -
blocks.{0}.hook_mlp_in  -
blocks.{0}.hook_attn_out  B T C  olmo1 llama3 qwen3
blocks.{0}.hook_resid_mid  B T C
blocks.{0}.ln2.hook_scale  -
blocks.{0}.ln2.hook_normalized  B T C  olmo1
blocks.{0}.mlp.hook_pre  B T F
blocks.{0}.mlp.hook_pre_linear  B T F
blocks.{0}.mlp.hook_post  B T F
blocks.{0}.hook_mlp_out  B T C  olmo1 llama3 qwen3
blocks.{0}.hook_resid_post  B T C
ln_final.hook_scale  -
ln_final.hook_normalized  B T C  olmo1
"""
# nnterp, the page of a family: the standard values, by host
NNTERP = """
token_embeddings  B T C
layers[{0}].input  B T C
layers[{0}].layer_input  B T C
layers[{0}].attention_norm_output  B T C  olmo1 llama3 qwen3
layers[{0}].self_attn.attention_queries  B H T h
layers[{0}].self_attn.attention_keys  B G T h
layers[{0}].self_attn.attention_values  B G T h
layers[{0}].self_attn.attention_scores  B H T T
layers[{0}].self_attn.attention_probabilities  B H T T
layers[{0}].self_attn.attention_head_outputs  B T H h
layers[{0}].self_attn.attention_premix  B T H h
layers[{0}].self_attn.attention_output  B T C
layers[{0}].layer_mid  B T C  olmo1 llama3 qwen3
layers[{0}].mlp_norm_output  B T C  olmo1 llama3 qwen3
layers[{0}].mlp_input  B T C
layers[{0}].mlp.mlp_activation  B T F
layers[{0}].mlp.mlp_neurons  B T F
layers[{0}].mlp.mlp_output  B T C
layers[{0}].layer_output  B T C
final_norm_output  B T C
lm_head_output  B T V
logits  B T V
next_token_probs  -
attention_mask  -
input_ids  B T
"""
MISSING = {  # what is a “-” above: a name of theirs that no value here bears
    "hook_scale": "the root of a norm is inside the op",
    "hook_result": "heads are multiplied by the output weight together",
    "hook_attn_in": "a copy for each head, only where it is asked for",
    "hook_q_input": "a copy for each head, only where it is asked for",
    "hook_k_input": "a copy for each head, only where it is asked for",
    "hook_v_input": "a copy for each head, only where it is asked for",
    "hook_mlp_in": "the stream once more, only where it is asked for",
    "next_token_probs": "of the last position alone",
    "attention_mask": "padding, which a run without it has none of",
}

# --- weights

HF_WEIGHTS = """
model.embed_tokens.weight  V C
model.layers.{0}.input_layernorm.weight  C  llama3 qwen3
model.layers.{0}.self_attn.q_proj.weight  H*h C
model.layers.{0}.self_attn.k_proj.weight  G*h C
model.layers.{0}.self_attn.v_proj.weight  G*h C
model.layers.{0}.self_attn.q_norm.weight  H*h  olmo2 olmo3
model.layers.{0}.self_attn.k_norm.weight  G*h  olmo2 olmo3
model.layers.{0}.self_attn.q_norm.weight  h  qwen3
model.layers.{0}.self_attn.k_norm.weight  h  qwen3
model.layers.{0}.self_attn.o_proj.weight  C H*h
model.layers.{0}.post_attention_layernorm.weight  C  olmo2 olmo3 llama3 qwen3
model.layers.{0}.mlp.gate_proj.weight  F C
model.layers.{0}.mlp.up_proj.weight  F C
model.layers.{0}.mlp.down_proj.weight  C F
model.layers.{0}.post_feedforward_layernorm.weight  C  olmo2 olmo3
model.norm.weight  C  olmo2 olmo3 llama3 qwen3
lm_head.weight  V C
"""
OLMO_CORE_WEIGHTS = """
embeddings.weight  V C
blocks.{0}.attention.w_q.weight  H*h C
blocks.{0}.attention.w_k.weight  G*h C
blocks.{0}.attention.w_v.weight  G*h C
blocks.{0}.attention.q_norm.weight  H*h  olmo2 olmo3
blocks.{0}.attention.k_norm.weight  G*h  olmo2 olmo3
blocks.{0}.attention.w_out.weight  C H*h
blocks.{0}.attention_norm.weight  C  olmo2 olmo3
blocks.{0}.feed_forward.w1.weight  F C
blocks.{0}.feed_forward.w2.weight  C F
blocks.{0}.feed_forward.w3.weight  F C
blocks.{0}.feed_forward_norm.weight  C  olmo2 olmo3
lm_head.norm.weight  C  olmo2 olmo3
lm_head.w_out.weight  V C
"""
LENS_WEIGHTS = """
embed.W_E  V C
blocks.{0}.ln1.w  C  olmo2 olmo3 llama3 qwen3
blocks.{0}.attn.W_Q  H C h
blocks.{0}.attn.W_K  G C h  olmo1 olmo2 olmo3
blocks.{0}.attn.W_V  G C h  olmo1 olmo2 olmo3
blocks.{0}.attn._W_K  G C h  llama3 qwen3
blocks.{0}.attn._W_V  G C h  llama3 qwen3
blocks.{0}.attn.W_O  H h C
blocks.{0}.attn.q_norm.w  H*h  olmo2 olmo3
blocks.{0}.attn.k_norm.w  G*h  olmo2 olmo3
blocks.{0}.attn.q_norm.w  h  qwen3
blocks.{0}.attn.k_norm.w  h  qwen3
blocks.{0}.ln2.w  C  olmo2 olmo3 llama3 qwen3
blocks.{0}.mlp.W_gate  C F
blocks.{0}.mlp.W_in  C F
blocks.{0}.mlp.W_out  F C
ln_final.w  C  olmo2 olmo3 llama3 qwen3
unembed.W_U  C V
"""
# llama.cpp, gguf-py/gguf/constants.py
GGUF_WEIGHTS = """
token_embd.weight  V C
blk.{0}.attn_norm.weight  C  llama3 qwen3
blk.{0}.attn_q.weight  H*h C
blk.{0}.attn_k.weight  G*h C
blk.{0}.attn_v.weight  G*h C
blk.{0}.attn_q_norm.weight  H*h  olmo2 olmo3
blk.{0}.attn_k_norm.weight  G*h  olmo2 olmo3
blk.{0}.attn_q_norm.weight  h  qwen3
blk.{0}.attn_k_norm.weight  h  qwen3
blk.{0}.attn_output.weight  C H*h
blk.{0}.post_attention_norm.weight  C  olmo2 olmo3
blk.{0}.ffn_norm.weight  C  llama3 qwen3
blk.{0}.ffn_gate.weight  F C
blk.{0}.ffn_up.weight  F C
blk.{0}.ffn_down.weight  C F
blk.{0}.post_ffw_norm.weight  C  olmo2 olmo3
output_norm.weight  C  olmo2 olmo3 llama3 qwen3
output.weight  V C
"""
LIBRARIES = {"hf": (HF, HF_WEIGHTS), "olmo_core": (OLMO_CORE, OLMO_CORE_WEIGHTS),
             "transformerlens": (LENS, LENS_WEIGHTS), "nnterp": (NNTERP, ""), "gguf": ("", GGUF_WEIGHTS)}

# --- dims: config fields, or the words that shapes are written in
DIMS = {
    "hf": {"C": "hidden_size", "H": "num_attention_heads", "G": "num_key_value_heads", "h_d": "head_dim",
           "h_ff": "intermediate_size", "W": "sliding_window", "L": "num_hidden_layers", "V": "vocab_size"},
    "olmo_core": {"B": "batch_size", "T": "seq_len", "C": "d_model", "H": "n_heads", "G": "n_kv_heads",
                  "h_d": "head_dim", "h_ff": "hidden_size", "W": "window_size", "L": "n_layers", "V": "vocab_size"},
    "transformerlens": {"B": "batch", "T": "pos", "C": "d_model", "H": "n_heads", "G": "n_key_value_heads",
                        "h_d": "d_head", "h_ff": "d_mlp", "W": "window_size", "L": "n_layers", "V": "d_vocab"},
    "nnterp": {"B": "batch", "T": "seq", "C": "hidden_size", "H": "num_heads", "G": "num_kv_heads",
               "h_d": "head_dim qk_head_dim", "h_ff": "intermediate_size", "L": "num_layers", "V": "vocab_size"},
    "gguf": {"C": "embedding_length", "H": "attention.head_count", "G": "attention.head_count_kv",
             "h_d": "rope.dimension_count attention.key_length", "h_ff": "feed_forward_length",
             "W": "attention.sliding_window", "L": "block_count", "V": "vocab_size"},
    "golden": {"B": "B", "T": "T", "C": "C", "H": "H", "G": "G", "h_d": "d", "h_ff": "F", "W": "window",
               "L": "layers", "V": "V"},
}
ARCH = {"olmo1": "olmo", "olmo2": "olmo2", "olmo3": "olmo2", "llama3": "llama", "qwen3": "qwen3"}
NO_DIM = {  # library, dim: why it has no name there
    ("hf", "B"): "of a call, not of a model", ("hf", "T"): "of a call, not of a model",
    ("hf", "h_d"): "hidden_size // num_attention_heads, where the config has no head_dim",
    ("gguf", "B"): "of a call, not of a file", ("gguf", "T"): "of a call, not of a file",
    ("gguf", "h_d"): "embedding_length / head_count, where it is written nowhere",
    ("gguf", "V"): "the length of the tokenizer's list, but for llama",
    ("nnterp", "W"): "no attribute of the model",
}
NO_VALUE = {  # values that a library has no name for: library or all, ids, why
    "all": {"qkv": "three projections there", "split": "three projections there", "scores": "masked at once",
            "k_repeat": "inside the attention", "v_repeat": "inside the attention",
            "q_clip": "in place, inside the attention", "k_clip": "in place, inside the attention",
            "v_clip": "in place, inside the attention", "targets": "not shifted there, or not at all",
            "next": "not computed, or of the last position", "loss": "a mean", "W_qkv": "three weights there"},
    "hf": {"q_heads": "a view", "k_heads": "a view", "v_heads": "a view", "q_rope": "a function's result",
           "k_rope": "a function's result", "mask": "inside a function", "mix": "inside a function"},
    "olmo_core": {"q_heads": "a view", "k_heads": "a view", "v_heads": "a view", "silu": "a function's result",
                  "q_rope": "one of two results of a module", "k_rope": "one of two results of a module",
                  "mask": "inside a kernel", "probs": "inside a kernel", "mix": "inside a kernel"},
    "transformerlens": {"q_heads": "the same numbers as hook_q", "k_heads": "the same numbers as hook_k",
                        "v_heads": "the same numbers as hook_v", "pre_attn_norm": "hooked before the gain",
                        "pre_ff_norm": "hooked before the gain", "final_norm": "hooked before the gain",
                        "q_norm": "no hook after the gain", "k_norm": "no hook after the gain",
                        "merge": "the same numbers as hook_z", "proj": "versions differ in where the norm is",
                        "down": "versions differ in where the norm is", "attn_norm": "versions differ",
                        "ff_norm": "versions differ", "silu": "inside the gate", "logits": "what the model returns",
                        "input_ids": "what the model is called with"},
    "nnterp": {"q": "the module's own name", "k": "the module's own name", "v": "the module's own name",
               "q_norm": "the module's own name", "k_norm": "the module's own name", "q_heads": "before the rotary",
               "k_heads": "before the rotary", "proj": "what the attention adds is the norm's output",
               "down": "what the MLP adds is the norm's output", "gate": "the module's own name",
               "up": "the module's own name", "weights": "parameters keep the names of the modules"},
    "gguf": {"values": "a file holds weights"},
}


def dims_of(family):
    sizes = dict(SIZE, G=GROUPED.get(family, SIZE["H"]))
    return sizes


def shape(axes, sizes):
    return [int(np.prod([sizes[part] for part in axis.split("*")])) for axis in axes.split()]


def run(family, *options):
    sizes = dims_of(family)
    words = ",".join(f"{name}={sizes[name]}" for name in ("B", "T", "C", "H", "L", "V") +
                     (("G",) if family in GROUPED else ())) + f",h_ff={sizes['F']}"
    words += f",h_d={sizes['h']}" if family == "qwen3" else ""
    words += ",W=3" if family == "olmo3" else ""
    return opfig("run", family, "--set", "head=untied", "--dims", words, "--quiet", "--double", "--seed", "3", *options)


def trace(family, library, *options):
    path = top / "t.safetensors"
    path.unlink(missing_ok=True)
    found = run(family, "--trace", str(path), "--names", library, *options)
    ok(found.returncode == 0, f"{family}: {library} {' '.join(options)}".rstrip(), found.stderr.decode())
    return tensors.read(path) if path.is_file() else {}


def weights_of(family):
    return ["--keep", "W_*,layers.*.W_*" + (",g_*,layers.*.g_*" if family != "olmo1" else "")]


def of_family(text, family, sizes):
    """Name to shape; None: not here."""
    listed = {}
    for name, axes, families in entries(text):
        for layer in range(sizes["L"]) if "{0}" in name else [None]:
            if family in families:
                listed[name.format(layer)] = None if axes == "-" else shape(axes, sizes)
    return listed


# --- names
for family in FAMILIES:
    sizes = dims_of(family)
    path = top / "r.json"
    run(family, "--record", str(path))
    facts = json.loads(path.read_text())["facts"]
    for library, (values, weights) in LIBRARIES.items():
        if library == "olmo_core" and not family.startswith("olmo"):
            continue
        for text, keep in ((values, []), (weights, weights_of(family))):
            if not text:
                continue
            listed = of_family(text, family, sizes)
            found = {name: list(array.shape) for name, array in
                     trace(family, library, *(keep if values else [])).items()}
            wanted = {name: size for name, size in listed.items() if size is not None}
            same({name: size for name, size in found.items() if wanted.get(name) != size}, {},
                 f"{family}: no name but those of {library}")
            same(sorted(set(wanted) - set(found)), [], f"{family}: every name of {library}")
            for name, size in listed.items():
                if size is None and name.split(".")[-1] not in MISSING:
                    ok(False, f"{family}: {name} says why it is missing")
    # every value, weight and dim has a name or a reason
    for library in (*LIBRARIES, "golden"):
        if library == "olmo_core" and not family.startswith("olmo"):
            continue
        reasons = NO_VALUE["all"] | NO_VALUE.get(library, {})
        silent = []
        for value in facts["values"] if library != "golden" else []:
            kind = "weights" if value["kind"] == "weight" else "values"
            has = any(aka["library"] == library for aka in value.get("aka", []))
            if not has and value["id"] not in reasons and kind not in reasons:
                silent.append(value["id"])
        same(silent, [], f"{family}: what {library} has no name for says why")
        start = f"{ARCH[family]}." if library == "gguf" else ""
        wrong = []
        for dim in facts["dims"]:
            names = [aka["name"] for aka in dim.get("aka", []) if aka["library"] == library]
            known = [start + word for word in DIMS[library].get(dim["id"], "").split()]
            if not set(names) <= set(known) or (not names and (library, dim["id"]) not in NO_DIM):
                wrong.append((dim["id"], names))
        same(wrong, [], f"{family}: dims in {library}")


# --- numbers, in the library's own axes
def close(a, b, name):
    ok(a.shape == b.shape and np.allclose(a, b, rtol=1e-10, atol=1e-12), name, f"{a.shape} {b.shape}")


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def visible(family, layer):
    T = SIZE["T"]
    query, key = np.arange(T)[:, None], np.arange(T)[None, :]
    window = 3 if family == "olmo3" else T
    return (key <= query) & (key > query - window)


for family in FAMILIES:
    sizes = dims_of(family)
    H, G, h = sizes["H"], sizes["G"], sizes["h"]
    spread = np.repeat(np.arange(G), H // G)  # the key head of each query head
    silu = lambda x: x / (1 + np.exp(-x))
    # transformerlens: [batch, pos, head, d_head], weights [head, d_model, d_head]
    v, w = trace(family, "transformerlens"), trace(family, "transformerlens", *weights_of(family))
    other = trace(family, "hf")
    for layer in range(2):
        at = f"blocks.{layer}."
        read = other[f"model.layers.{layer}.self_attn.input"]
        bar = "_" if family in GROUPED else ""
        close(np.einsum("bpc,hcd->bphd", read, w[at + "attn.W_Q"]), v[at + "attn.hook_q"], f"{family}: hook_q")
        for letter in "KV":
            close(np.einsum("bpc,gcd->bpgd", read, w[at + f"attn.{bar}W_{letter}"]),
                  v[at + f"attn.hook_{letter.lower()}"], f"{family}: hook_{letter.lower()}")
        scores = np.einsum("bqhd,bkhd->bhqk", v[at + "attn.hook_rot_q"], v[at + "attn.hook_rot_k"][:, :, spread])
        scores = np.where(visible(family, layer), scores / np.sqrt(h), -np.inf)
        seen = v[at + "attn.hook_attn_scores"]
        close(np.where(seen < -1e30, -np.inf, seen)[np.isfinite(scores)], scores[np.isfinite(scores)],
              f"{family}: hook_attn_scores")
        close(softmax(scores), v[at + "attn.hook_pattern"], f"{family}: hook_pattern")
        close(np.einsum("bhqk,bkhd->bqhd", v[at + "attn.hook_pattern"], v[at + "attn.hook_v"][:, :, spread]),
              v[at + "attn.hook_z"], f"{family}: hook_z")
        added = np.einsum("bqhd,hdc->bqc", v[at + "attn.hook_z"], w[at + "attn.W_O"])
        if family not in POST:
            close(added, v[at + "hook_attn_out"], f"{family}: hook_attn_out")
            close(v[at + "hook_resid_pre"] + added, v[at + "hook_resid_mid"], f"{family}: hook_resid_mid")
            close(v[at + "hook_resid_mid"] + v[at + "hook_mlp_out"], v[at + "hook_resid_post"],
                  f"{family}: hook_resid_post")
        close(added, other[f"model.layers.{layer}.self_attn.output"], f"{family}: W_O")
        into = other[f"model.layers.{layer}.mlp.input"]
        close(into @ w[at + "mlp.W_gate"], v[at + "mlp.hook_pre"], f"{family}: hook_pre")
        close(into @ w[at + "mlp.W_in"], v[at + "mlp.hook_pre_linear"], f"{family}: hook_pre_linear")
        close(silu(v[at + "mlp.hook_pre"]) * v[at + "mlp.hook_pre_linear"], v[at + "mlp.hook_post"],
              f"{family}: hook_post")
        close(v[at + "mlp.hook_post"] @ w[at + "mlp.W_out"], other[f"model.layers.{layer}.mlp.output"],
              f"{family}: W_out")
    close(v["blocks.0.hook_resid_post"], v["blocks.1.hook_resid_pre"], f"{family}: one stream")
    # modules of two libraries: y = x W^T, weights (out, in)
    for library, parts in (("hf", (("model.layers.{0}.self_attn", "q_proj", "input"),
                                   ("model.layers.{0}.self_attn", "v_proj", "input"),
                                   ("model.layers.{0}.self_attn", "o_proj", None),
                                   ("model.layers.{0}.mlp", "gate_proj", "input"),
                                   ("model.layers.{0}.mlp", "up_proj", "input"),
                                   ("model.layers.{0}.mlp", "down_proj", None))),
                           ("olmo_core", (("blocks.{0}.attention", "w_q", "input"),
                                          ("blocks.{0}.attention", "w_k", "input"),
                                          ("blocks.{0}.attention", "w_out", None),
                                          ("blocks.{0}.feed_forward", "w1", "input"),
                                          ("blocks.{0}.feed_forward", "w3", "input"),
                                          ("blocks.{0}.feed_forward", "w2", None)))):
        if library == "olmo_core" and not family.startswith("olmo"):
            continue
        v, w = trace(family, library), trace(family, library, *weights_of(family))
        for layer in range(2):
            for host, name, side in parts:
                module = f"{host.format(layer)}.{name}"
                x = v[f"{host.format(layer)}.input"] if side else v[f"{module}.input"]
                close(x @ w[f"{module}.weight"].T, v[f"{module}.output"], f"{family}: {library} {module}")
    # nnterp: values at the attention interface [batch heads seq d], head outputs [batch seq heads d]
    v = trace(family, "nnterp")
    for layer in range(2):
        at = f"layers[{layer}].self_attn.attention_"
        pattern = v[at + "probabilities"]
        scores = np.einsum("bhqd,bhkd->bhqk", v[at + "queries"], v[at + "keys"][:, spread]) / np.sqrt(h)
        close(softmax(np.where(visible(family, layer), scores, -np.inf)), pattern, f"{family}: queries and keys")
        close(np.einsum("bhqk,bhkd->bqhd", pattern, v[at + "values"][:, spread]), v[at + "head_outputs"],
              f"{family}: head outputs")
        close(v[at + "head_outputs"], v[at + "premix"], f"{family}: premix")
        close(v[f"layers[{layer}].input"] + v[at + "output"] + v[f"layers[{layer}].mlp.mlp_output"],
              v[f"layers[{layer}].layer_output"], f"{family}: what is added is the outputs")
    # gguf: where ggml turns neighbours (olmo, llama) rows of q and k are in that order, else as in hf
    theirs, ours = trace(family, "gguf"), trace(family, "hf", *weights_of(family))
    for name, mine, heads in (("attn_q", "q_proj", H), ("attn_k", "k_proj", G)):
        plain = ours[f"model.layers.1.self_attn.{mine}.weight"]
        if family in ("olmo1", "llama3"):  # row 2j + s of a head is row s*h/2 + j
            order = [head * h + s * (h // 2) + j for head in range(heads) for j in range(h // 2) for s in (0, 1)]
            plain = plain[order]
        close(plain, theirs[f"blk.1.{name}.weight"], f"{family}: rows of {name}")
    close(ours["model.layers.1.mlp.down_proj.weight"], theirs["blk.1.ffn_down.weight"], f"{family}: ffn_down")

# --- a block has the names of its layer; a library that nobody knows
path = top / "b.safetensors"
found = opfig("run", "olmo2-block", "--dims", "T=4,C=24,H=4,h_ff=20", "--layer", "3", "--quiet", "--trace", str(path),
              "--names", "transformerlens", "--keep", "probs,W_q")
same((found.returncode, {name: array.shape for name, array in tensors.read(path).items()}),
     (0, {"blocks.3.attn.W_Q": (4, 24, 6), "blocks.3.attn.hook_pattern": (1, 4, 4, 4)}), "a block is layer 3")
found = opfig("run", "olmo2-block", "--trace", str(path), "--names", "gguff")
ok(found.returncode == 2 and b"did you mean" in found.stderr, "an unknown library", found.stderr.decode())

# --- a file of names beside the spec: what a variant does not have, or has in another shape, has no name
(top / "mine.yaml").write_text("""lib:
  C: width
  q: {name: query, axes: "B T (H h_d) -> B T H h_d"}
  probs: pattern
  gone: nothing
""")
spec = "opfig: 1\nname: mine\nextends: olmo2-block\naka: mine.yaml\nedit: [{set: probs, label: P}]\n"
(top / "v.yaml").write_text(spec)
found = opfig("run", "v.yaml", "--dims", "T=4,C=24,H=4,h_ff=20", "--quiet", "--trace", "m.safetensors", "--names", "lib",
              folder=top)
ok(found.returncode == 0, "a file beside the spec", found.stderr.decode())
same({name: array.shape for name, array in tensors.read(top / "m.safetensors").items()},
     {"query": (1, 4, 4, 6), "pattern": (1, 4, 4, 4)}, "names of that file")
(top / "mine.yaml").write_text((top / "mine.yaml").read_text().replace("(H h_d)", "(H T)"))
found = opfig("run", "v.yaml", "--dims", "T=4,C=24,H=4,h_ff=20", "--quiet", "--trace", "m.safetensors", "--names", "lib",
              folder=top)
same((found.returncode, list(tensors.read(top / "m.safetensors"))), (0, ["pattern"]), "a shape that does not fit")
(top / "v.yaml").write_text(spec.replace("mine.yaml", "nobody.yaml"))
found = opfig("check", "v.yaml", folder=top)
ok(found.returncode == 2 and "v.yaml:4:6: error: there is no file of names ‘nobody.yaml’" in found.stderr.decode(),
   "a file that is not there", found.stderr.decode())

# --- what is asked for and has no name there is not left out in silence
SMALL = ("run", "llama3", "--dims", "T=4,C=24,H=4,G=2,h_ff=20,L=2,V=9", "--quiet", "--trace", "m.safetensors",
         "--names", "golden")
for keep, wrong in (("layers.0.k_repeat,logits", "layers.0.k_repeat"), ("logits,k_repeat", "k_repeat"),
                    ("logits,*.v_repeat", "*.v_repeat")):
    found = opfig(*SMALL, "--keep", keep, folder=top)
    ok(found.returncode == 2 and f"‘{wrong}’ of --keep has no name in ‘golden’" in found.stderr.decode(), keep,
       found.stderr.decode())
found = opfig(*SMALL, "--keep", "layers.*,q_rope.cos,layers.1.q_rope.cos,logits", folder=top)
ok(found.returncode == 0, "a pattern may mean more than has a name", found.stderr.decode())
libraries = {line[:-1] for path in (SOURCE / "spec/names").glob("*.yaml") for line in path.read_text().splitlines()
             if re.fullmatch(r"\w+:", line)}
ok(len(libraries) > 4 and ", ".join(sorted(libraries)) in " ".join(opfig("run", "--help").stdout.decode().split()),
   "the help names the libraries of shipped specs", sorted(libraries))
done()
