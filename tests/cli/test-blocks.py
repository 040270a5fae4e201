# SPDX-License-Identifier: MIT
"""The blocks of the family as a person asks for them: a figure carries what a config, a
layer or an option made of the spec, a variant travels whole, and --layer runs one layer."""
import json
import os
import pathlib
import shutil
import tempfile

from tap import done, ok, opfig, same

SOURCE = pathlib.Path(os.environ["OPFIG_SOURCE"])
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)


def said(run):
    return (run.stdout + run.stderr).decode()


def golden(name):
    return str(SOURCE / "tests/golden" / name / "config.json")


def drawn(title, *words):
    run = opfig("draw", *words, "--width", "640pt", "-o", "f.svg", folder=top)
    ok(run.returncode == 0, f"{title} is drawn", said(run))
    run = opfig("check", "f.svg", folder=top)
    ok(run.returncode == 0, f"{title} is proved from the figure alone", said(run))
    return run.stdout.decode()


# --- every command says what became of each field, once
config = golden("llama3-tiny-gqa")
fields = set(json.loads(pathlib.Path(config).read_text()))
for words in (["draw", "llama3-block", "-o", "fields.svg"], ["run", "llama3-block"],
              ["check", "llama3-block", "fields.svg", "fields.svg"]):
    run = opfig(*words, "--config", config, "--dims", "T=11", folder=top)
    lines = run.stderr.decode().splitlines()
    ok(run.returncode == 0 and len(lines) == len(fields) and
       {line.split(": ")[1].split(" ")[0] for line in lines} == fields,
       f"{words[0]} has a line for each field", said(run))
    run = opfig(*words, "--config", config, "--dims", "T=11", "--quiet", folder=top)
    ok(run.returncode == 0 and not run.stderr, f"{words[0]} --quiet has none", said(run))

text = drawn("a full layer", "olmo3-block", "--config", golden("olmo3-tiny-gqa-yarn"), "--layer", "3",
             "--dims", "T=11")
ok("attention_factor" in text and "26 of 26 ops" in text, "it scales RoPE and repeats heads", text)
text = drawn("a window layer", "olmo3-block", "--config", golden("olmo3-tiny-gqa-yarn"), "--layer", "2",
             "--dims", "T=11")
ok("attention_factor" not in text and "A token reads itself and at most the 3 before it" in text,
   "it does not scale, and has its window", text)
text = drawn("a clip", "olmo1-block", "--config", golden("olmo1-clip-tiny"))
ok("25 of 25 ops" in text and "1.25√2" in text, "the clip is there", text)
text = drawn("no clip", "olmo1-block", "--set", "clip=none")
ok("22 of 22 ops" in text, "the clip is not there", text)
text = drawn("a map from the command line", "llama3-block", "--set",
             "theta=1e4,scaling={type: llama3, factor: 32, original: 8192},eps=1e-6")
ok("agrees with llama3-block as shipped" in text, "it is still the shipped spec", text)
text = drawn("a shipped variant", "olmo2-gated")
ok("agrees with olmo2-gated as shipped" in text, "it is the shipped one", text)

# a variant of one's own, of a file of one's own; the figure needs neither
shutil.copy(SOURCE / "spec/models/olmo2-block.yaml", top / "base.yaml")
(top / "mine.yaml").write_text("opfig: 1\nname: mine\nextends: base.yaml\n"
                               "edit: [{replace: silu, op: gelu, in: gate}, {drop: swiglu}]\n")
opfig("draw", "mine.yaml", "-o", "mine.svg", folder=top)
(top / "mine.yaml").unlink()
(top / "base.yaml").unlink()
run = opfig("check", "mine.svg", folder=top)
ok(run.returncode == 0 and "no shipped one" in said(run),
   "a variant of a file travels whole", said(run))

# numbers of one layer
model = str(SOURCE / "tests/golden/olmo3-tiny-gqa/model.safetensors")
for layer, mask in ("0", "window_mask"), ("3", "causal_mask"):
    run = opfig("run", "olmo3-block", "--config", golden("olmo3-tiny-gqa"), "--weights", model,
                "--layer", layer, "--record", "r.json", folder=top)
    ok(run.returncode == 0, f"layer {layer} runs", said(run))
    ops = {op["id"]: op["op"] for op in json.loads((top / "r.json").read_text())["facts"]["ops"]}
    same(ops.get("mask"), mask, f"layer {layer} has its mask")
run = opfig("run", "olmo3-block", "--config", golden("olmo3-tiny-gqa"), "--layer", "4", folder=top)
same(run.returncode, 2, "there is no fifth layer")
done()
