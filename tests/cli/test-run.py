# SPDX-License-Identifier: MIT
"""opfig run on numbers somebody else computed, and the words it uses."""
import json
import os
import pathlib
import pty
import re
import select
import subprocess
import tempfile
import time

import numpy as np

from tap import OPFIG, done, ok, opfig, same

SOURCE = pathlib.Path(os.environ["OPFIG_SOURCE"])
GOLDEN = SOURCE / "tests/golden/olmo2-primer-block"
SPEC = "olmo2-block"
FROM_FILES = ("--config", str(GOLDEN / "config.json"), "--weights",
              str(GOLDEN / "model.safetensors"), "--input",
              str(GOLDEN / "trace.safetensors"), "--layer", "0")
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
TYPES = {"F32": "<f4", "F64": "<f8", "U8": "u1", "I64": "<i8"}


def read(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    return {name: np.frombuffer(data[8 + size:][slice(*one["data_offsets"])],
                                TYPES[one["dtype"]]).reshape(one["shape"])
            for name, one in header.items() if name != "__metadata__"}


def write(path, tensors):
    header, start = {}, 0
    for name, one in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(one.shape),
                        "data_offsets": [start, start + one.nbytes]}
        start += one.nbytes
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text +
                     b"".join(np.ascontiguousarray(one, "<f4").tobytes()
                              for one in tensors.values()))


def record(*arguments):
    path = top / "record.json"
    run = opfig("run", SPEC, *arguments, "--quiet", "--record", str(path))
    ok(run.returncode == 0 and not run.stderr, f"run {' '.join(arguments[-2:])}",
       run.stderr.decode())
    return json.loads(path.read_text())


# --- BLAS is opened for fast products, and for nothing else
(top / "tiny.yaml").write_text("""opfig: 1
name: tiny
dims: {T: {is: 4}, C: {is: 8}}
inputs: {x: {shape: [T, C]}}
weights: {W: {shape: [C, C]}}
ops: [{id: y, op: matmul, in: [x, W]}]
outputs: [y]
""")
for arguments, wanted in [(["--version"], False), (["draw", "tiny.yaml", "-o", "tiny.svg"], False),
                          (["check", "--quick", "tiny.svg"], False),
                          (["check", "tiny.svg"], True), (["run", "tiny.yaml"], True)]:
    run = opfig(*arguments, folder=top, env={"LD_DEBUG": "files"})
    same((run.returncode, b"openblas" in run.stderr), (0, wanted),
         f"{' '.join(arguments[:2])} opens {'OpenBLAS' if wanted else 'no BLAS'}")

# --- the table: 24 ops in order, totals
run = opfig("run", SPEC)
lines = run.stdout.decode().splitlines()
same(run.returncode, 0, "run exits 0")
ids = ("qkv split q_norm k_norm q_heads k_heads v_heads q_rope k_rope scores mask probs mix "
       "merge proj attn_norm z1 gate silu up gated down ff_norm z2").split()
same([line.split()[:2] for line in lines[1:25]],
     [[str(i + 1), name] for i, name in enumerate(ids)], "the table has the ops in order")
ok("24 ops, 3,213,312 parameters, " in lines[-1], "the last line has the totals", lines[-1])
ok("q_rope (1,8,256,64) · k_rope (1,8,256,64)" in lines[10] and
   "scores (1,8,256,256)" in lines[10] and "activation_matmul" in lines[10],
   "the scores read q and k", lines[10])
ok("probs (1,8,256,256) · v_heads (1,8,256,64)" in lines[13], "the mix reads v", lines[13])

# --- a value printed is the value of the golden trace
golden = read(GOLDEN / "trace.safetensors")
run = opfig("run", SPEC, *FROM_FILES, "--print", "z2[0,3,:5]", "--print", "probs[0,1,2]")
same(run.returncode, 0, "values can be printed")
printed = [np.array(re.findall(r"[-0-9.e]+", line.replace("…", " ")), float)
           for line in run.stdout.decode().splitlines()]
ok(np.allclose(printed[0], golden["layers.0.output"][0, 3, :5], rtol=2e-5, atol=2e-5),
   "an output is the golden one", printed[0])
ok(np.allclose(printed[1][:3], golden["layers.0.attn.probs"][0, 1, 2, :3], rtol=2e-5),
   "probabilities are the golden ones", printed[1])

# --- the dims follow the input file; what the command line says stands
facts = record(*FROM_FILES)["facts"]
same({dim["id"]: dim["size"] for dim in facts["dims"]},
     {"B": 1, "T": 16, "C": 64, "H": 8, "G": 8, "h_d": 8, "h_ff": 160},
     "dims come from the config and the input")
run = opfig("run", SPEC, *FROM_FILES, "--dims", "T=15")
ok(run.returncode == 2 and "wants real numbers [1, 15, 64]" in run.stderr.decode(),
   "a dim of the command line that the input contradicts", run.stderr.decode())

# --- with v_proj all NaN: the scores do not read v, the mix does
weights = read(GOLDEN / "model.safetensors")
name = "model.layers.0.self_attn.v_proj.weight"
weights = {key: np.full_like(one, np.nan) if key == name else one
           for key, one in weights.items()}
write(top / "nan.safetensors", weights)
arguments = [str(top / "nan.safetensors") if one.endswith("model.safetensors") else one
             for one in FROM_FILES]
for extra in ((), ("--double",)):
    measured = record(*arguments, *extra)["measured"]["ops"]
    what = "float64" if extra else "float32"
    same([measured[one][one]["nonfinite"] for one in ("scores", "probs")], [0, 0],
         f"{what}: v all NaN leaves scores and probs finite")
    same(measured["mix"]["mix"]["nonfinite"], 8 * 16 * 8,
         f"{what}: v all NaN makes every entry of the mix NaN")

# --- words
for words, code, said in (
        ((), 2, "Usage: opfig COMMAND"),
        (("--help",), 0, "opfig check block.svg"),
        (("--version",), 0, "opfig "),
        (("rnu",), 2, "did you mean ‘run’?"),
        (("run",), 2, "one SPEC is wanted, 0 are given"),
        (("run", SPEC, "--print", "prbs"), 2, "did you mean ‘probs’?"),
        (("run", SPEC, "--print", "probs[9]"), 2, "index 9 is outside axis 0 of probs"),
        (("run", SPEC, "--print", "probs[0,0,0,0,0]"), 2, "probs has 4 axes, not 5"),
        (("run", SPEC, "--print", "probs["), 2, "error: "),
        (("run", SPEC, "--layer", "-1"), 2, "layers count from 0"),
        (("run", SPEC, "--dims", "T"), 2, "‘T’ is no NAME=VALUE"),
        (("run", SPEC, "--color", "pink"), 2, "auto, always or never is wanted"),
        (("run", SPEC, "--nonsense"), 2, "--nonsense"),
        (("run", SPEC, "--trace", "t.safetensors", "--keep", "prbs"), 2,
         "did you mean ‘probs’?"),
        (("run", SPEC, "--trace", "t.safetensors", "--names", "goldn"), 2,
         "did you mean ‘golden’?"),
        (("run", SPEC, "--keep", "probs"), 2, "--keep says what --trace writes"),
        (("run", "olmo2", "--layer", "1"), 2, "this spec has all its layers"),
        (("list", "opps"), 2, "did you mean ‘ops’?"),
        (("list", "specs"), 0, SPEC),
        (("list", "formats"), 0, ".svg"),
        (("draw", SPEC, "-o", "x.svg", "--width", "wide"), 2, "a length such as 140mm"),
        (("draw", SPEC), 2, "no file is named"),
        (("draw", SPEC, SPEC, "-o", "x.svg"), 2, "one SPEC is wanted, 2 are given"),
        (("draw", SPEC, "-o", "x.svg", "--theme", "lihgt"), 2, "did you mean ‘light’?"),
        (("check",), 2, "a FIGURE or a SPEC is wanted"),
        (("check", "nowhere.svg"), 2, "nowhere.svg")):
    run = opfig(*words, folder=top)
    text = (run.stdout + run.stderr).decode()
    ok(run.returncode == code and said in text, f"opfig {' '.join(words)}",
       f"exit {run.returncode}, wanted {code}: {text}")
# --- traces under their own names (test-golden.py has the others)
def trace(spec, folder, *more):
    files = pathlib.Path(SOURCE) / "tests/golden" / folder
    run = opfig("run", spec, "--config", str(files / "config.json"), "--weights",
                str(files / "model.safetensors"), "--input", str(files / "trace.safetensors"),
                "--quiet", "--trace", "ours.safetensors", *more, folder=top)
    ok(run.returncode == 0 and not run.stderr, f"{folder}: a trace is written",
       run.stderr.decode())
    return read(top / "ours.safetensors"), read(files / "trace.safetensors")


ours, theirs = trace("olmo2", "olmo2-tiny", "--keep", "layers.*.probs,z2,embed")
same(sorted(ours), ["embed", "layers.0.probs", "layers.0.z2", "layers.1.probs", "layers.1.z2"],
     "--keep takes patterns, and a plain name means every layer")
ok(np.abs(ours["layers.1.z2"] - theirs["layers.1.output"]).max() < 1e-4,
   "layers.1.z2 is what leaves layer 1")
ours, theirs = trace("olmo2", "olmo2-tiny", "--double", "--keep", "loss")
same(ours["loss"].dtype, np.dtype("<f8"), "--double writes doubles")
# --- a long run shows on a terminal how far it is, and nothing in a pipe
def seconds(child):
    """The processor's time that a child has had."""
    fields = pathlib.Path(f"/proc/{child.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def works_until(child, wanted):
    """Wait until a child has had so much time; False if it ends before."""
    while child.poll() is None and seconds(child) < wanted:
        time.sleep(0.02)
    return child.poll() is None


LONG = [OPFIG, "run", "olmo2", "--dims", "T=128,C=1024,H=8,L=3000,V=1000", "--quiet"]
SHOWN = LONG[:-1] + ["--print", "loss[0,0]"]
ours, theirs = pty.openpty()
child = subprocess.Popen(SHOWN, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=theirs)
os.close(theirs)
seen, end = b"", time.monotonic() + 60
while time.monotonic() < end and not re.search(rb"op \d+ of \d+: \w", seen):
    if select.select([ours], [], [], 0.5)[0]:
        seen += os.read(ours, 1000)
inside = seconds(child)  # it was at work by then
child.kill()
child.wait()
os.close(ours)
# an embedding, 3000 layers of 25 ops with what enters them, norm, head, softmax and loss
counted = re.search(rb"op (\d+) of (\d+): \w", seen)
ok(counted and int(counted[2]) == 1 + 3000 * 25 + 4 and 1 < int(counted[1]) < int(counted[2]),
   "a terminal sees which op of how many is at work", seen)
for words, terminal in ((SHOWN, False), (LONG, True)):
    ours, theirs = pty.openpty() if terminal else os.pipe()
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=theirs)
    # at work, more than the second for which a terminal sees nothing, and at work again
    running = works_until(child, inside)
    time.sleep(1.1)
    running = running and works_until(child, seconds(child) + 0.3)
    child.kill()
    child.wait()
    said = os.read(ours, 1000) if select.select([ours], [], [], 0)[0] else b""
    same((running, said), (True, b""), "and nothing with --quiet" if terminal else "a pipe sees nothing")
    os.close(ours)
    os.close(theirs)
for command in ("draw", "run", "check", "list"):
    run = opfig(command, "--help")
    text = run.stdout.decode()
    ok(run.returncode == 0 and f"opfig {command} [OPTION…]" in text and "Examples:" in text,
       f"opfig {command} --help has examples", text)
done()
