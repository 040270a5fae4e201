# SPDX-License-Identifier: MIT
"""What enters a run and what is changed in it: --tokens, --input, --edit. What follows from
a change is computed here with NumPy, from the tensors of a golden set."""
import os
import pathlib
import re
import shlex
import tempfile

import numpy as np

from tap import done, ok, opfig, same
from tensors import apart, read, write

FOLDER = pathlib.Path(os.environ["OPFIG_SOURCE"]) / "tests/golden/olmo1-tiny"
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
golden = read(FOLDER / "trace.f64.safetensors")
tokens = read(FOLDER / "trace.safetensors")["input_ids"]
weights = {name: one.astype(float) for name, one in read(FOLDER / "model.safetensors").items()}
MODEL = ("--config", str(FOLDER / "config.json"), "--weights", str(FOLDER / "model.safetensors"),
         "--double", "--quiet")
FILE = ("--tokens", str(FOLDER / "trace.safetensors"))


def trace(*more, given=FILE, names="golden"):
    run = opfig("run", "olmo1", *MODEL, *given, "--trace", "o.safetensors",
                *(("--names", names) if names else ()), *more, folder=top)
    ok(run.returncode == 0 and not run.stderr, f"run {' '.join(more)}", run.stderr.decode())
    return read(top / "o.safetensors")


def near(ours, theirs, what, tolerance=1e-12):
    distance = apart("", ours, theirs)
    ok(distance <= tolerance, f"{what}: {distance:.1e} rms apart")


def norm(x):
    return ((x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5))


def head(x):
    return norm(x) @ weights["model.embed_tokens.weight"].T


def mlp(x, layer):
    one = {name: weights[f"model.layers.{layer}.mlp.{name}_proj.weight"]
           for name in ("gate", "up", "down")}
    gate = x @ one["gate"].T
    return (gate / (1 + np.exp(-gate)) * (x @ one["up"].T)) @ one["down"].T


# --- tokens: ids, arrays, files
row = ",".join(map(str, tokens[0]))
n = tokens.shape[1]
ours = trace(given=("--tokens", row))
same(ours["input_ids"].tolist(), tokens[:1].tolist(), "ids are those of the command line")
near(ours["logits"], golden["logits"][:1], "one text of the two gives its logits")
near(ours["loss.per_position"][:, :-1], golden["loss.per_position"][:1, :-1],
     "the loss is that of the token after each")
ok(np.isnan(ours["loss.per_position"][0, -1]), "after the last there is none")
near(ours["loss.mean"], golden["loss.per_position"][:1, :-1].mean(keepdims=True)[0],
     "the mean is of those that have one")
np.save(top / "ids.npy", tokens.astype("<i4"))
near(trace(given=("--tokens", "ids.npy"))["logits"], golden["logits"], "ids of NumPy")
write(top / "ids.safetensors", {"input_ids": tokens[1]})
near(trace(given=("--tokens", "ids.safetensors"))["logits"], golden["logits"][1:],
     "a file of one text, without targets")
run = opfig("run", "olmo2-7b", "--tokens", "1,2,3", "--dims", "L=1,C=64,H=4,h_ff=64,V=100",
            "--print", "next[0,-1,0]", folder=top)
ok(run.returncode == 0, "a preset's context gives way to the text", run.stderr.decode())

after = np.concatenate([tokens[:, 1:], np.full((len(tokens), 1), -100)], 1)
after[0, 2] = -100
write(top / "some.safetensors", {"input_ids": tokens, "targets": after})
ours = trace(given=("--tokens", "some.safetensors"))
has = after >= 0
ok((np.isnan(ours["loss.per_position"]) == ~has).all(), "a target of -100 is none")
near(ours["loss.mean"], golden["loss.per_position"][has].mean(keepdims=True), "nor does it count in the mean")

# --- padding: RoPE turns by how far tokens are apart, so that padding before a text, where
# nothing reads it, changes nothing of the text
before = {"input_ids": np.concatenate([np.full((2, 3), 7), tokens], 1).astype("<i8"),
          "attention_mask": np.concatenate([np.zeros((2, 3)), np.ones(tokens.shape)],
                                           1).astype("<i8")}
write(top / "padded.safetensors", before)
run = opfig("run", "olmo1", *MODEL, "--tokens", "padded.safetensors", folder=top)
ok(run.returncode == 2 and "some tokens are padding" in run.stderr.decode() and
   "--set padding=given" in run.stderr.decode(), "padding is not passed over in silence",
   run.stderr.decode())
ours = trace("--set", "padding=given", given=("--tokens", "padded.safetensors"))
near(ours["logits"][:, 3:], golden["logits"], "padding before a text changes nothing of it")
same(ours["layers.1.attn.probs"][:, :, 3:, :3].max(), 0.0, "no token reads it")
near(ours["loss.mean"], golden["loss.per_position"][:, :-1].mean(keepdims=True)[0],
     "nor is it a target")
ok(np.isfinite(ours["logits"]).all(), "and it gives numbers too")
write(top / "behind.safetensors",
      {"input_ids": np.concatenate([tokens, np.full((2, 3), 7)], 1).astype("<i8"),
       "attention_mask": np.concatenate([np.ones(tokens.shape), np.zeros((2, 3))],
                                        1).astype("<i8")})
ours = trace("--set", "padding=given", given=("--tokens", "behind.safetensors"))
near(ours["logits"][:, :n], golden["logits"], "nor does padding behind it")
same(ours["layers.0.attn.probs"][:, :, n:, n:].max(), 0.0, "which even itself does not read")
near(trace("--set", "padding=given")["logits"], golden["logits"], "no padding is no change")
for spec, folder in (("olmo3", "olmo3-tiny-gqa-yarn"), ("llama3", "llama3-tiny-gqa"),
                     ("olmo2", "olmo2-tiny")):
    files = FOLDER.parent / folder
    there = read(files / "trace.safetensors")
    texts = there["input_ids"]
    write(top / "padded.safetensors",
          {"input_ids": np.concatenate([np.full((len(texts), 2), 7), texts], 1).astype("<i8"),
           "attention_mask": np.concatenate([np.zeros((len(texts), 2)), np.ones(texts.shape)],
                                            1).astype("<u1")})
    run = opfig("run", spec, "--config", str(files / "config.json"), "--weights", str(files),
                "--double", "--quiet", "--tokens", "padded.safetensors", "--set",
                "padding=given", "--trace", "o.safetensors", "--keep", "logits", folder=top)
    ok(run.returncode == 0, f"{spec} reads padded texts", run.stderr.decode())
    near(read(top / "o.safetensors")["logits"][:, 2:], there["logits"],
         f"{spec}: with the logits of the texts", 2e-5)
    check = opfig("check", "--quick", spec, "--set", "padding=given", folder=top)
    ok(check.returncode == 0, f"{spec} keeps its claims with padding", check.stdout.decode())
for words in (("olmo1-block",), ("olmo2-block",), ("olmo3-block",), ("olmo3-block", "--set", "kind=full"),
              ("llama3-block",), ("llama-interleaved-block",), ("olmo2-gated",)):
    check = opfig("check", "--quick", *words, "--set", "padding=given", folder=top)
    ok(check.returncode == 0, f"{' '.join(words)} too", check.stdout.decode() + check.stderr.decode())

# --- what is no mask, no target and no id
ones = np.ones(tokens.shape, "<i8")
two, alone, none, targets = ones.copy(), ones.copy(), ones.copy(), np.roll(tokens, -1, 1).astype("<i8")
two[1, 2], alone[1], none[0, 1] = 2, 0, -1
for more, said in (({"attention_mask": two}, "holds 2 at [1,2]; it must be 0, for padding, or 1"),
                   ({"attention_mask": none}, "holds -1 at [0,1]; it must be 0"),
                   ({"attention_mask": alone}, "of text 1 is 0 throughout"),
                   ({"input_ids": tokens > 3}, "‘input_ids’ is BOOL, where whole numbers are wanted"),
                   ({"targets": np.where(targets == targets[0, 0], -1, targets)},
                    "or -100 where there is none")):
    write(top / "bad.safetensors", {"input_ids": tokens, **more})
    run = opfig("run", "olmo1", *MODEL, "--tokens", "bad.safetensors", "--set", "padding=given",
                folder=top)
    ok(run.returncode == 2 and said in run.stderr.decode(), said, run.stderr.decode())
targets[:, -1] = -100
write(top / "bad.safetensors", {"input_ids": tokens, "targets": targets,
                                "attention_mask": ones > 0})
ours = trace("--set", "padding=given", given=("--tokens", "bad.safetensors"))
near(ours["loss.mean"], golden["loss.per_position"][:, :-1].mean(keepdims=True)[0],
     "a target of -100 is none, and a mask may be true and false")

# --- an edit of a value, and what follows of it
ours = trace("--edit", "layers.1.down *= 0")
same(np.abs(ours["layers.1.mlp.down_proj"]).max(), 0.0, "down of layer 1 is nothing")
near(ours["layers.1.output"], golden["layers.1.mid"], "so its MLP adds nothing")
near(ours["logits"], head(golden["layers.1.mid"]), "and the head sees it")
near(ours["layers.0.mlp.down_proj"], golden["layers.0.mlp.down_proj"],
     "down of layer 0 is as it was")
near(trace("--edit", "layers.1.W_2 *= 0")["logits"], head(golden["layers.1.mid"]),
     "the weight of that layer does the same")
ours = trace("--edit", "layers.1.z2 += 10")
near(ours["layers.1.output"], golden["layers.1.output"] + 10, "+= adds")
near(ours["logits"], golden["logits"], "LayerNorm takes a constant away", 1e-9)
ours = trace("--edit", "down *= 0")
near(ours["layers.1.output"], ours["layers.1.mid"], "a plain name is meant in layer 1")
near(ours["layers.0.output"], golden["layers.0.mid"], "and in layer 0")
ours = trace("--edit", "layers.1.probs[0, 1] = 0")
same(np.abs(ours["layers.1.attn.heads"][0, 1]).max(), 0.0, "a head is switched off")
near(np.delete(ours["layers.1.attn.heads"][0], 1, 0),
     np.delete(golden["layers.1.attn.heads"][0], 1, 0), "the others are not")
near(trace("--edit", "W_e *= 2", "--edit", "embed *= 1/2")["layers.0.mid"],
     golden["layers.0.mid"], "edits are made one after the other")

# --- from an array of NumPy
half = golden["layers.1.mid"] / 2
for name, array in (("half", half), ("single", half.astype("<f4")), ("row", half[0])):
    np.save(top / f"{name}.npy", array)
ours = trace("--edit", "layers.1.z1 = half.npy")
near(ours["layers.1.output"], half + mlp(norm(half), 1), "a value becomes an array")
ours = trace("--edit", "layers.1.z1 = single.npy")
near(ours["layers.1.mid"], half.astype("<f4").astype(float), "of single precision too")
ours = trace("--edit", "layers.1.z1[0] = row.npy")
near(ours["layers.1.mid"], np.stack([half[0], golden["layers.1.mid"][1]]),
     "a part becomes an array")

# --- one's own names, tables among them
ours = trace("--keep", "layers.1.q_rope.cos,mask.visible,z2", names=None)
same(sorted(ours), ["layers.0.mask.visible", "layers.0.z2", "layers.1.mask.visible",
                    "layers.1.q_rope.cos", "layers.1.z2"], "tables can be kept by name")
near(ours["layers.1.q_rope.cos"], golden["rope.cos"], "and are what they are")

# --- a block from an array
np.save(top / "z.npy", golden["layers.1.input"].astype("<f4"))
run = opfig("run", "olmo1-block", *MODEL, "--layer", "1", "--input", "z.npy", "--trace",
            "o.safetensors", "--names", "golden", folder=top)
ok(run.returncode == 0, "a block reads an array", run.stderr.decode())
near(read(top / "o.safetensors")["layers.1.output"], golden["layers.1.output"],
     "and gives what that layer gives", 1e-6)

# --- words
(top / "bad.npy").write_bytes(b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f4'")
np.save(top / "turned.npy", np.asfortranarray(half))
np.save(top / "complex.npy", half.astype(complex))
np.save(top / "real.npy", half)
huge = np.zeros(len(weights["model.layers.0.mlp.down_proj.weight"]))
huge[1] = 1e39
np.save(top / "huge.npy", huge)
write(top / "bits.safetensors", {"input_ids": tokens > 5})
for words, said in (
        (("--edit", "layers.2.down *= 0"), "there is no value ‘layers.2.down’ to edit"),
        (("--edit", "dwon *= 0"), "did you mean ‘down’?"),
        (("--edit", "down"), "‘down’ is no edit"),
        (("--edit", "layers.1.down[9] = 0"), "nothing is there: axis ‘B’ has 2 entries"),
        (("--edit", "input_ids = 3"), "‘input_ids’ holds whole numbers"),
        (("--edit", "down = row.npy"), "row.npy is [9, 32], but [2, 9, 32] is wanted"),
        (("--edit", "down = none.npy"), "none.npy"),
        (("--edit", "down = bad.npy"), "its header is longer than the file"),
        (("--edit", "down = turned.npy"), "columns first"),
        (("--edit", "down = complex.npy"), "its numbers are not read"),
        (("--tokens", "1,2,x"), "1,2,x"), (("--tokens", "1,,2"), "‘’ is no token id"),
        (("--tokens", "1,64"), "‘input_ids’ holds 64 at index 1"),
        (("--tokens", "-1"), "‘input_ids’ holds -1 at index 0"),
        (("--tokens", "real.npy"), "is F64, where whole numbers are wanted"),
        (("--tokens", str(FOLDER / "model.safetensors")), "there is no tensor ‘input_ids’"),
        (("--edit", "down = 1e39"), "beyond 3.4·10³⁸, the largest of float32"),
        (("--edit", "layers.0.down[0,0,0] += -1e39"), "beyond 3.4·10³⁸"),
        (("--edit", "layers.0.down[0,0] = huge.npy"), "beyond 3.4·10³⁸"),
        (("--edit", "dwon = real.npy"), "dwon = real.npy\n"),
        (("--tokens", "1.5"), "--tokens is ‘1.5’, which is no file; ids, as 5,17,42, or a .safetensors or .npy"),
        (("--tokens", "bits.safetensors"), "tensor ‘input_ids’ is BOOL, where whole numbers are wanted"),
        (("--tokens", ""), "--tokens is empty; ids, as 5,17,42, or a file"),
        (("--keep", "", "--trace", "x"), "--keep is empty"),
        (("--tokens", "1", "--input", "z.npy"), "both say what enters")):
    given = () if "--tokens" in words else FILE
    run = opfig("run", "olmo1", *(word for word in MODEL if word != "--double"), *given, *words, folder=top)
    text = run.stderr.decode()
    ok(run.returncode == 2 and said in text, f"{' '.join(words)}: {said}", text)
for number in ("1e39", "huge.npy"):
    run = opfig("run", "olmo1", *MODEL, *FILE, "--edit", f"layers.0.down[0,0] = {number}", folder=top)
    ok(run.returncode == 0, f"float64 holds {number}", run.stderr.decode())
run = opfig("run", "olmo1-block", "--tokens", "1,2", folder=top)
ok(run.returncode == 2 and "olmo1-block reads no tokens" in run.stderr.decode(),
   "a block reads no tokens", run.stderr.decode())

# --- the commands of docs/run.md
SOURCE = FOLDER.parent.parent.parent
for name in ("config.json", "model.safetensors"):
    (top / name).write_bytes((FOLDER.parent / "llama3-tiny-gqa" / name).read_bytes())
np.save(top / "mine.npy", np.ones((1, 8, 512), "<f4"))
blocks = re.findall(r"^```sh\n(.*?)^```", (SOURCE / "docs/run.md").read_text(), re.S | re.M)
lines = [line for block in blocks for line in block.splitlines()]
ok(len(lines) > 4, "docs/run.md shows commands", lines)
for line in lines:
    words = shlex.split(line)
    run = opfig(*words[1:], folder=top)
    ok(words[0] == "opfig" and run.returncode == 0 and b"error" not in run.stderr, line,
       run.stderr.decode())

# --- what is odd in a config is said once, though the spec is loaded for the sizes again
config = (FOLDER / "config.json").read_text().replace("{", '{"novel_field": 3,', 1)
(top / "odd.json").write_text(config)
run = opfig("run", "olmo1", "--config", "odd.json", "--weights", str(FOLDER / "model.safetensors"),
            *FILE, "--print", "z2[0,0,0]", folder=top)
same(run.stderr.decode().count("warning: ‘novel_field’"), 1, "a warning is printed once")
done()
