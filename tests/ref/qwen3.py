# SPDX-License-Identifier: MIT
"""Qwen3 written down by hand with NumPy, from its published modeling code: no graph, no op
table, nothing shared with the program. Each head's queries and keys are normed on their own,
with one gain for all heads, after the split and before the rotation.

Weights have the names and the orientation (out, in) of a checkpoint."""
import numpy as np


def rms(x, gain, eps):
    return gain * x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps)


def turn(x, theta):
    """x (..., T, d): entries j and j + d/2 turned by t * theta^(-2j/d)."""
    T, d = x.shape[-2:]
    y = np.empty_like(x)
    for t in range(T):
        for j in range(d // 2):
            angle = t * theta ** (-2 * j / d)
            a, b = x[..., t, j], x[..., t, j + d // 2]
            y[..., t, j] = a * np.cos(angle) - b * np.sin(angle)
            y[..., t, j + d // 2] = b * np.cos(angle) + a * np.sin(angle)
    return y


def block(x, w, config):
    """x (B, T, C) to all values of one layer, by the ids of the spec; w without "model.layers.I."."""
    B, T, C = x.shape
    H, G, d = (config[key] for key in ("num_attention_heads", "num_key_value_heads", "head_dim"))
    eps, theta = config["rms_norm_eps"], config["rope_theta"]
    v = {"z": x}
    v["pre_attn_norm"] = rms(x, w["input_layernorm.weight"], eps)
    for letter in "qkv":
        v[letter] = v["pre_attn_norm"] @ w[f"self_attn.{letter}_proj.weight"].T
    for letter, heads in (("q", H), ("k", G), ("v", G)):
        v[f"{letter}_heads"] = np.stack([v[letter][:, :, h * d:(h + 1) * d] for h in range(heads)], 1)
    for letter in "qk":
        v[f"{letter}_norm"] = rms(v[f"{letter}_heads"], w[f"self_attn.{letter}_norm.weight"], eps)
        v[f"{letter}_rope"] = turn(v[f"{letter}_norm"], theta)
    v["probs"], v["mix"] = np.zeros((B, H, T, T)), np.zeros((B, H, T, d))
    for b in range(B):
        for h in range(H):
            g = h // (H // G)
            for t in range(T):
                scores = np.array([v["q_rope"][b, h, t] @ v["k_rope"][b, g, u] for u in range(t + 1)])
                e = np.exp(scores / np.sqrt(d) - np.max(scores / np.sqrt(d)))
                v["probs"][b, h, t, :t + 1] = e / e.sum()
                v["mix"][b, h, t] = sum(v["probs"][b, h, t, u] * v["v_heads"][b, g, u] for u in range(t + 1))
    v["merge"] = np.concatenate([v["mix"][:, h] for h in range(H)], -1)
    v["proj"] = v["merge"] @ w["self_attn.o_proj.weight"].T
    v["z1"] = x + v["proj"]
    v["pre_ff_norm"] = rms(v["z1"], w["post_attention_layernorm.weight"], eps)
    v["gate"] = v["pre_ff_norm"] @ w["mlp.gate_proj.weight"].T
    v["silu"] = v["gate"] / (1 + np.exp(-v["gate"]))
    v["up"] = v["pre_ff_norm"] @ w["mlp.up_proj.weight"].T
    v["gated"] = v["silu"] * v["up"]
    v["down"] = v["gated"] @ w["mlp.down_proj.weight"].T
    v["z2"] = v["z1"] + v["down"]
    return v


def network(ids, targets, w, config):
    """ids, targets (B, T) to all values, those of layer I as "layers.I.ID"."""
    v = {"embed": w["model.embed_tokens.weight"][ids]}
    x = v["embed"]
    for layer in range(config["num_hidden_layers"]):
        start = f"model.layers.{layer}."
        own = {name[len(start):]: array for name, array in w.items() if name.startswith(start)}
        for name, array in block(x, own, config).items():
            v[f"layers.{layer}.{name}"] = array
        x = v[f"layers.{layer}.z2"]
    v["final_norm"] = rms(x, w["model.norm.weight"], config["rms_norm_eps"])
    head = w["model.embed_tokens.weight"] if config["tie_word_embeddings"] else w["lm_head.weight"]
    v["logits"] = v["final_norm"] @ head.T
    e = np.exp(v["logits"] - v["logits"].max(-1, keepdims=True))
    v["next"] = e / e.sum(-1, keepdims=True)
    v["loss"] = -np.log(np.take_along_axis(v["next"], targets[:, :, None], -1))[:, :, 0]
    return v


def shapes(config):
    """The tensors of a checkpoint."""
    C, F, V = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    H, G, d = (config[key] for key in ("num_attention_heads", "num_key_value_heads", "head_dim"))
    all = {"model.embed_tokens.weight": (V, C), "model.norm.weight": (C,)}
    if not config["tie_word_embeddings"]:
        all["lm_head.weight"] = (V, C)
    for layer in range(config["num_hidden_layers"]):
        for name, shape in (("input_layernorm", (C,)), ("post_attention_layernorm", (C,)),
                            ("self_attn.q_proj", (H * d, C)), ("self_attn.k_proj", (G * d, C)),
                            ("self_attn.v_proj", (G * d, C)), ("self_attn.o_proj", (C, H * d)),
                            ("self_attn.q_norm", (d,)), ("self_attn.k_norm", (d,)),
                            ("mlp.gate_proj", (F, C)), ("mlp.up_proj", (F, C)), ("mlp.down_proj", (C, F))):
            all[f"model.layers.{layer}.{name}.weight"] = shape
    return all
