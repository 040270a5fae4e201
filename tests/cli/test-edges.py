# SPDX-License-Identifier: MIT
"""opfig check SPEC --edges FILE: figures that somebody else drew, written down as lists of
edges. What must be found was read off the drawings, not printed by the program."""
import json
import os
import pathlib
import re
import tempfile

from tap import done, ok, opfig, same

ROOT = pathlib.Path(os.environ["OPFIG_SOURCE"])
FIGURES = ROOT / "tests/figures"
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)


def check(spec, *words):
    run = opfig("check", "--quick", spec, *words, folder=top)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def findings(spec, path):
    code, out, err = check(spec, "--json", "--edges", str(path))
    found = json.loads(out)["findings"] if out else err
    same(code, 1 if found else 0, f"{path.name}: exit code follows the findings")
    return sorted(f"{one['kind']}: {one['says']}" for one in found)


# --- figures that are wrong, and in what
WRONG = {
    # the figure that started all this: v goes into the scores
    "seed-olmo2.csv": ("olmo2-block", ["edge: an edge from ‘v_heads’ to ‘scores’",
                                       "edge: no edge from ‘v_heads’ to ‘mix’"]),
    "second-residual-from-norm.csv": ("olmo2-block",
                                      ["edge: an edge from ‘attn_norm’ to ‘z2’",
                                       "edge: no edge from ‘z1’ to ‘z2’"]),
    "post-norm-of-llama.yaml": ("llama3-block", [
        "edge: an edge from ‘pre_attn_norm’ to ‘gate’",
        "edge: an edge from ‘pre_attn_norm’ to ‘up’",
        "edge: an edge from ‘pre_attn_norm’ to ‘z2’",
        "edge: an edge from ‘pre_ff_norm’ to the output",
        "edge: an edge from ‘z1’ to ‘pre_attn_norm’",
        "edge: an edge from ‘z2’ to ‘pre_ff_norm’",
        "edge: an edge from ‘z’ to ‘qkv’",
        "edge: no edge from ‘pre_attn_norm’ to ‘qkv’",
        "edge: no edge from ‘pre_ff_norm’ to ‘gate’",
        "edge: no edge from ‘pre_ff_norm’ to ‘up’",
        "edge: no edge from ‘z1’ to ‘pre_ff_norm’",
        "edge: no edge from ‘z1’ to ‘z2’",
        "edge: no edge from ‘z2’ to the output",
        "edge: no edge from ‘z’ to ‘pre_attn_norm’"]),
}
for name, (spec, wanted) in WRONG.items():
    same(findings(spec, FIGURES / name), wanted, f"{name}: exactly what is wrong in it")

# --- the right figure, and each edge of it left out or led elsewhere
text = (FIGURES / "second-residual-from-norm.csv").read_text().replace("\nattn_norm,z2\n", "\nz1,z2\n")
right = top / "right.csv"
right.write_text(text)
same(findings("olmo2-block", right), [], "the right edges have no finding")
code, out, _ = check("olmo2-block", "--edges", "right.csv")
ok("24 of 24 ops, 29 of 29 edges, 2 shapes, 6 classes" in out, "and are counted", out)
lines = text.splitlines(keepends=True)
edges = [i for i, line in enumerate(lines) if "," in line and line[0] not in "#f"]
for i in edges:
    source, target = lines[i].strip().split(",")[:2]
    one = top / "one.csv"
    one.write_text("".join(lines[:i] + lines[i + 1:]))
    if target != "output":
        said = findings("olmo2-block", one)
        same(findings("olmo2-block", one), [f"edge: no edge from ‘{source}’ to ‘{target}’"],
             f"without {source} → {target}")
    wrong = "mask" if source != "mask" and target != "mask" else "merge"
    one.write_text("".join(lines[:i] + [f"{source},{wrong}\n"] + lines[i + 1:]))
    said = findings("olmo2-block", one)
    ok(f"edge: an edge from ‘{source}’ to ‘{wrong}’" in said, f"{source} → {target} led to {wrong}", said)
for extra, words in (("z1,z2", ["edge: a second edge from ‘z1’ to ‘z2’"]),
                     ("W_2,down,b", []), ("W_2,up", ["edge: an edge from ‘W_2’ to ‘up’"])):
    one.write_text(text + extra + "\n")
    same(findings("olmo2-block", one), words, f"{extra} as well")

# --- a shape written otherwise is the same if the dims' definitions make it so, not the numbers alone
OTHERWISE = {
    "olmo2-block": [  # h_d is C/H, G is H, h_ff is ceil(8*C/3, 64); 512 = 8·64
        ("[B, T, H*h_d]", True), ("(B, T, H h_d)", True), ("(B,T,h_d·H)", True), ("(T B/T, T, G*h_d)", True),
        ("(B, T, (C + 2 H h_d)/3)", True), ("(B, T, C - h_ff + ceil(8C/3, 64))", True),
        ("(B, T, 8h_d)", False), ("(B, T, 512)", False), ("(B, 2C/4, C)", False), ("(B, 256, H*h_d)", False),
        ("(1, 256, 512)", True), ("(B, T, 2C)", None), ("(B, T)", None), ("(B, T, C, 1)", None), ("(B, T, x)", None),
        ("(B, T, C/0)", None), ("(B, T, ((C)", None), ("(B, T, C", None), ("(B, T, )", None)],
    "qwen3-block": [  # h_d is free; 8·128 = 1024
        ("(B, T, G*h_d)", False), ("(B, T, H*h_d)", None), ("(B, T, C)", True)],
}
for spec, forms in OTHERWISE.items():
    for shape, is_same in forms:
        one.write_text(f'from,to,shape\nz,{"qkv" if spec == "olmo2-block" else "pre_attn_norm"},"{shape}"\n')
        code, out, err = check(spec, "--json", "--edges", str(one))
        said = [one["did"] for one in json.loads(out)["findings"] if one["kind"] == "shape"] if out else err
        here = "" if is_same is None else ", which is as large at these dims alone"
        same(said, [] if is_same else [f"‘z’ has (B, T, C){here}"], f"{spec}: {shape}")

# --- what is left out, what is said of shapes, classes and ports
for old, new, wanted in (
        ("mask,probs\n", "", None),
        ('z,qkv,a,"(B, T, C)"', 'z,qkv,a,"(B, T, 3C)"', "shape: the shape (B, T, 3C) from ‘z’ to ‘qkv’"),
        ('z,qkv,a,"(B, T, C)"', 'z,qkv,a,"1, 256, 512"', None),
        ("(B, H, T, T)", "(B, H, T, C)", "shape: the shape (B, H, T, C) from ‘scores’ to ‘mask’"),
        ("proj,attn_norm,,,norm", "proj,attn_norm,,,other", "class: ‘attn_norm’ looks like other"),
        ("probs,mix,a", "probs,mix,b", "edge: an edge from ‘probs’ to ‘mix’ as b"),
        ("scores,mask,,(B, H, T, T)\nmask,probs\n", "scores,probs\n", "mark: no edge comes to step 11"),
        ("qkv,q_norm,,,norm", "qkv,split\nsplit,q_norm", None),
        ("qkv,q_norm,,,norm", "q,q_norm", None),
        ("z,qkv", "W_q,qkv\nW_k,qkv,b\nW_v,qkv\nz,qkv", None),
        ("qkv,q_norm,,,norm", "W_q,q_norm,,,norm", "edge: an edge from ‘W_q’ to ‘q_norm’"),
        ("qkv,q_norm,,,norm", "k,q_norm", "edge: an edge from ‘k’ to ‘q_norm’")):
    one.write_text(text.replace(old, new))
    said = findings("olmo2-block", one)
    change = f"{old.strip()} → {new.strip()}".replace("\n", " and ")
    if wanted:
        ok(wanted in said, change, said)
    elif new:
        same(said, [], f"{change} is right")
    ok(old in text, "the edit is one")

# --- what the run did instead, of one output and of two
for spec, drawn, wanted in (
        ("olmo2-block", ["z2", "z1"], "the output is z2"),
        ("olmo2", ["next", "loss", "logits"], "the outputs are next, loss")):
    one.write_text("from,to\n" + "".join(f"{op},output\n" for op in drawn))
    _, out, _ = check(spec, "--edges", "one.csv")
    ok(f"an edge from ‘{drawn[-1]}’ to the output\n  = the run: {wanted}\n" in out, f"{spec}: {wanted}", out)

# --- what leaves is an edge too, of a list that has such; a byte order mark is no part of a name
seed = (FIGURES / "seed-olmo2.csv").read_text()
one.write_text("\ufeff" + re.sub("(?m)^#.*\n", "", seed) + "z2,output\n")
same(findings("olmo2-block", one), WRONG["seed-olmo2.csv"][1], "the seed with what leaves it")
one.write_text("from,to\nlogits,next\nlogits,loss\nnext,output\n")
said = findings("olmo2", one)
ok("edge: no edge from ‘loss’ to the output" in said and "edge: no edge from ‘next’ to the output" not in said,
   "of two outputs one", said)

# --- lists that are wrong: place, caret, what was wanted
for name, content, words in (
        ("name.csv", "from,to\nqkv,q_nrom\n",
         ["name.csv:2:5: error: no op is called ‘q_nrom’", "    2 | qkv,q_nrom\n      |     ^^^^^^",
          "did you mean ‘q_norm’?"]),
        ("from.csv", "from,to\nqvk,q_norm\n", ["from.csv:2:1: error: no op, input or value is called ‘qvk’",
                                               "did you mean ‘qkv’?"]),
        ("column.csv", "from,too\n", ["column.csv:1:6: error: no column is called ‘too’", "did you mean ‘to’?"]),
        ("twice.csv", "from,to,from\n", ["twice.csv:1:9: error: the column ‘from’ twice"]),
        ("less.csv", "from,port\n", ["less.csv:1:1: error: the column ‘to’ is missing"]),
        ("cells.csv", "from,to\nz,qkv,a\n", ["cells.csv:2:7: error: more cells than columns (2)"]),
        ("empty.csv", "# nothing\n", ["empty.csv:1:1: error: a list without edges"]),
        ("half.csv", "from,to\nz\n", ["half.csv:2:1: error: an edge without ‘to’"]),
        ("quote.csv", 'from,to,shape\nz,qkv,"(B\n', ["quote.csv:2:7: error: a quote that does not end"]),
        ("port.csv", "from,to,port\nz,qkv,c\n", ["port.csv:2:7: error: ‘qkv’ has no operand ‘c’",
                                                 "its operands are a, b"]),
        ("class.csv", "from,to,class\nz,qkv,norms\n", ["class.csv:2:7: error: no class ‘norms’",
                                                       "did you mean ‘norm’?"]),
        ("key.yaml", "- {from: z, too: qkv}\n", ["key.yaml:1:13: error:", "did you mean ‘to’?"]),
        ("word.yaml", "- z\n", ["word.yaml:1:3: error: an edge is a map"]),
        ("map.yaml", "from: z\n", ["a list of edges is wanted"]),
        ("list.yaml", "- {from: [z], to: qkv}\n", ["list.yaml:1:10: error: ‘from’ is a word"])):
    (top / name).write_text(content)
    code, out, err = check("olmo2-block", "--edges", name)
    ok(code == 2 and not out and all(word in err for word in words), f"{name}: {words[0]}", err)
code, _, err = check("olmo2-block", "--edges", "none.csv")
ok(code == 2 and "none.csv" in err, "a list that is not there", err)
run = opfig("check", "--edges", "right.csv", folder=top)
ok(run.returncode == 2 and b"--edges wants the SPEC" in run.stderr, "a list alone", run.stderr)
done()
