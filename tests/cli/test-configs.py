# SPDX-License-Identifier: MIT
"""The config.json of released models, in the words of their publishers: each is taken as
the preset of its name has it, in the older form and in the newer, and what would change
the computation is refused."""
import json
import pathlib
import re
import shlex
import tempfile

from tap import done, ok, opfig, same

work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
YARN = {"attention_factor": 1.2079441541679836, "beta_fast": 32.0, "beta_slow": 1.0,
        "factor": 8.0, "original_max_position_embeddings": 8192, "rope_type": "yarn"}
LLAMA = {"factor": 32.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0,
         "original_max_position_embeddings": 8192, "rope_type": "llama3"}


def config(kind, C, F, H, G, L, V, T, theta, **more):
    return {"architectures": [f"{kind}ForCausalLM"], "attention_bias": False,
            "attention_dropout": 0.0, "eos_token_id": 50279, "hidden_act": "silu",
            "hidden_size": C, "initializer_range": 0.02, "intermediate_size": F,
            "max_position_embeddings": T, "model_type": kind.lower(),
            "num_attention_heads": H, "num_hidden_layers": L, "num_key_value_heads": G,
            "pad_token_id": 1, "rope_scaling": None, "rope_theta": theta,
            "tie_word_embeddings": False, "torch_dtype": "float32",
            "transformers_version": "4.57.1", "use_cache": True, "vocab_size": V, **more}


CONFIGS = {
    "olmo1-1b": config("Olmo", 2048, 8192, 16, 16, 16, 50304, 2048, 10000.0, clip_qkv=None,
                       tie_word_embeddings=True),
    "olmo1-7b-0724": config("Olmo", 4096, 11008, 32, 32, 32, 50304, 4096, 10000.0, clip_qkv=8.0),
    "olmo2-13b": config("Olmo2", 5120, 13824, 40, 40, 40, 100352, 4096, 500000,
                        rms_norm_eps=1e-06),
    "olmo2-32b": config("Olmo2", 5120, 27648, 40, 8, 64, 100352, 4096, 500000,
                        rms_norm_eps=1e-06),
    "olmo3-7b": config("Olmo3", 4096, 11008, 32, 32, 32, 100278, 65536, 500000,
                       rms_norm_eps=1e-06, rope_scaling=YARN, sliding_window=4096,
                       layer_types=(["sliding_attention"] * 3 + ["full_attention"]) * 8),
    "llama3.2-1b": config("Llama", 2048, 8192, 32, 8, 16, 128256, 131072, 500000.0,
                          rms_norm_eps=1e-05, rope_scaling=LLAMA, tie_word_embeddings=True,
                          head_dim=64, mlp_bias=False, pretraining_tp=1, bos_token_id=128000),
}


def newer(given):
    """As transformers 5 writes it; for OLMo 3 with the parameters of each kind of layer."""
    new = {key: one for key, one in given.items() if key not in ("rope_theta", "rope_scaling",
                                                                "torch_dtype")}
    rope = {"rope_theta": given["rope_theta"], **(given["rope_scaling"] or {"rope_type": "default"})}
    plain = {"rope_theta": given["rope_theta"], "rope_type": "default"}
    new["dtype"] = "float32"
    new["rope_parameters"] = ({"full_attention": rope, "sliding_attention": plain}
                              if given["model_type"] == "olmo3" else rope)
    return new


def drawn(*words):
    """The options that the figure carries, and the claims of it: what was drawn."""
    run = opfig("draw", *words, "-o", "x.svg", "--quiet", folder=top)
    if not ok(run.returncode == 0 and not run.stderr, f"draw {' '.join(words)}",
              run.stderr.decode()):
        return None
    text = (top / "x.svg").read_text()
    line = shlex.split(re.search(r"(--dims [^<\"]*)", text).group(1).replace("&gt;", ">"))
    options = dict(zip(line[::2], line[1::2]))
    sets = re.split(r",(?![^{\[]*[}\]])", options.get("--set", ""))
    return (set(options["--dims"].split(",")), dict(one.split("=", 1) for one in sets if one))


def number(text):
    try:
        return float(text)
    except ValueError:
        return re.sub(r"\d+(\.\d+)?(e-?\d+)?", lambda m: str(float(m[0])), text)


for name, given in CONFIGS.items():
    spec = name.split("-")[0].replace("llama3.2", "llama3")
    context = f"T={given['max_position_embeddings']}"
    wanted = drawn(name)
    for form, one in (("older", given), ("newer", newer(given))):
        (top / "config.json").write_text(json.dumps(one, indent=2))
        found = drawn(spec, "--config", "config.json", "--dims", context)
        if not (found and wanted):
            continue
        same(found[0], wanted[0], f"{name}, {form} form: the sizes are those of the preset")
        # a config says all of its constants, a preset those that are not the spec's own
        differ = {key: (number(found[1].get(key, "-")), number(text))
                  for key, text in wanted[1].items()
                  if number(found[1].get(key, "-")) != number(text)}
        same(differ, {}, f"{name}, {form} form: and so are the constants")

# --- a config in the place of a spec is the network of its type
for name, network in (("olmo1-7b-0724", "olmo1"), ("olmo2-13b", "olmo2"), ("olmo3-7b", "olmo3"),
                      ("llama3.2-1b", "llama3")):
    (top / "config.json").write_text(json.dumps(CONFIGS[name]))
    own, theirs = drawn("config.json"), drawn(network, "--config", "config.json")
    same(own, theirs, f"the config of {name} draws {network}")
for text, said in (('{"model_type": "gpt2"}', "no shipped network is of model_type ‘gpt2’"),
                   ('{"model_type": "gpt2"}', "note: there are llama, olmo, olmo2, olmo3, qwen3"),
                   ('{"model_type": 5}', "bad.json:1:2: error: ‘model_type’ is 5; a word is wanted"),
                   ("{}", "there is no ‘model_type’ in it"), ("{", "this is not JSON"),
                   ("[" * 100000, "nested too deep")):
    (top / "bad.json").write_text(text)
    run = opfig("draw", "bad.json", "-o", "x.svg", folder=top)
    ok(run.returncode == 2 and said in run.stderr.decode(), said, run.stderr.decode())
run = opfig("draw", "none.json", "-o", "x.svg", folder=top)
ok(run.returncode == 2 and b"none.json" in run.stderr, "no such config", run.stderr.decode())

(top / "config.json").write_text(json.dumps(CONFIGS["olmo2-13b"]))
run = opfig("draw", "config.json", "--config", "config.json", "-o", "x.svg", folder=top)
same((run.returncode, run.stderr.decode()),
     (2, "opfig: error: config.json is a config in the place of a SPEC; --config gives another\n"), "one config is enough")

# --- heads may be wider than C/H, which need not be whole
small = {**config("Llama", 48, 120, 6, 3, 2, 64, 64, 10000.0), "tie_word_embeddings": True}
for width, heads in ((48, 16), (50, 16)):
    head = {"hidden_size": width, "head_dim": heads}
    layer = 2 * width + width * (6 + 2 * 3) * heads + 6 * heads * width + 3 * width * 120
    (top / "config.json").write_text(json.dumps({**small, **head}))
    run = opfig("check", "llama3", "--config", "config.json", "--quick", folder=top)
    same(run.returncode, 0, f"llama3 holds at {head}: {run.stderr.decode()[-400:]}")
    run = opfig("doc", "llama3", "--config", "config.json", folder=top)
    ok(f"{2 * layer + width + 64 * width:,} parameters" in run.stdout.decode(),
       f"its parameters at {head}, by hand", run.stdout.decode()[:400] + run.stderr.decode()[-400:])
    (top / "config.json").write_text(json.dumps({**config("Olmo2", 48, 120, 6, 3, 2, 64, 64, 1e4), **head}))
    run = opfig("run", "olmo2", "--config", "config.json", "-q", folder=top)
    same(run.returncode, 0, f"olmo2 runs at {head}: {run.stderr.decode()[-400:]}")

# --- each field gets its line
(top / "config.json").write_text(json.dumps(CONFIGS["olmo3-7b"]))
run = opfig("draw", "olmo3", "--config", "config.json", "-o", "x.svg", folder=top)
lines = run.stderr.decode().splitlines()
same(len(lines), len(CONFIGS["olmo3-7b"]) + 1, "a line for each field, and one for what is absent")
for line in ("num_hidden_layers is 32: taken as L", "rope_theta is 500000: taken as theta",
             "tie_word_embeddings is false: taken as head", "hidden_act is \"silu\", as it must be",
             "initializer_range is 0.02: ignored, it changes nothing here"):
    ok(f"config.json: {line}" in lines, line, "\n".join(lines))

# --- what a network cannot honour
for base, change, said in (
        ("olmo2-13b", {"hidden_act": "gelu"}, "‘hidden_act’ is gelu, which olmo2 cannot honour"),
        ("olmo2-13b", {"attention_bias": True}, "‘attention_bias’ is true, which olmo2 cannot"),
        ("olmo2-13b", {"clip_qkv": 8}, "‘clip_qkv’ is 8, which olmo2 cannot honour"),
        ("olmo2-13b", {"rope_scaling": YARN}, "‘rope_scaling.rope_type’ is yarn, which olmo2"),
        ("olmo2-32b", {"num_key_value_heads": 7}, "H/G, is not whole"),
        ("olmo2-13b", {"num_attention_heads": 48}, "h_d = C/H is not whole"),
        ("olmo2-13b", {"model_type": "olmo3"}, "‘model_type’ is olmo3, which olmo2 cannot"),
        ("llama3.2-1b", {"mlp_bias": True}, "‘mlp_bias’ is true, which llama3 cannot honour"),
        ("llama3.2-1b", {"rope_scaling": {"rope_type": "dynamic", "factor": 2}},
         "‘rope_scaling.rope_type’ is dynamic, which llama3 cannot honour"),
        ("llama3.2-1b", {"rope_scaling": []}, "‘rope_scaling’ is []; an object is wanted"),
        ("llama3.2-1b", {"num_hidden_layers": 1000000}, "‘layers’ has L passes: 1000000"),
        ("olmo3-7b", {"layer_types": ["full_attention", "linear_attention"] * 16},
         "‘layer_types’ is linear_attention, which olmo3 cannot honour"),
        ("olmo3-7b", {"layer_types": ["full_attention"] * 31},
         "‘layer_types’ has 31 layers, but ‘num_hidden_layers’ is 32"),
        ("olmo3-7b", {"layer_types": ["full_attention"] * 33}, "‘layer_types’ has 33 layers"),
        ("olmo3-7b", {"layer_types": "full_attention"},
         "‘layer_types’ is \"full_attention\"; a list with an entry for each layer is wanted"),
        ("olmo3-7b", {"sliding_window": None},
         "‘sliding_window’ is null, which olmo3 can honour only where kind is full; in layer 0"),
        ("olmo3-7b", {"sliding_window": None,
                      "layer_types": ["full_attention"] * 31 + ["sliding_attention"]},
         "only where kind is full; in layer 31 it is window"),
        ("olmo3-7b", {"rope_scaling": {**YARN, "attention_factor": 0}},
         "‘attention_factor:’ is 0; it must be above 0")):
    (top / "config.json").write_text(json.dumps({**CONFIGS[base], **change}, indent=2))
    spec = base.split("-")[0].replace("llama3.2", "llama3")
    run = opfig("draw", spec, "--config", "config.json", "-o", "x.svg", folder=top)
    text = run.stderr.decode()
    ok(run.returncode == 2 and said in text, f"{base}: {said}", text)

# --- layers without a window need none
(top / "config.json").write_text(json.dumps({**CONFIGS["olmo3-7b"], "sliding_window": None,
                                             "layer_types": ["full_attention"] * 32}))
run = opfig("draw", "olmo3", "--config", "config.json", "-o", "x.svg", "-q", folder=top)
same(run.returncode, 0, f"all layers see all: {run.stderr.decode()}")

# --- the layer of a block is one that the model has
(top / "config.json").write_text(json.dumps(CONFIGS["llama3.2-1b"]))
for words, count in ((("--config", "config.json"), 16), (("--preset", "llama3.1-8b"), 32)):
    for layer, code in ((count - 1, 0), (count, 2), (-1, 2)):
        run = opfig("draw", "llama3-block", *words, f"--layer={layer}", "-o", "x.svg", "-q",
                    folder=top)
        ok(run.returncode == code and (not code or f"--layer {layer} is" in run.stderr.decode()
                                       or f"--layer is {layer}" in run.stderr.decode()),
           f"{words[1]}: layer {layer}", run.stderr.decode())

# --- what there is instead is said once
run = opfig("draw", "llama3", "--preset", "nope", "-o", "x.svg", folder=top)
same(run.stderr.decode().count("llama3.1-8b"), 1, "each preset is named once")
done()
