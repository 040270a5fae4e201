# SPDX-License-Identifier: MIT
"""No output destroys an input or another output: it is refused before the run, whatever
path leads there, and every file is as it was."""
import os
import pathlib
import shutil
import tempfile

from tap import done, ok, opfig

GOLDEN = pathlib.Path(os.environ["OPFIG_SOURCE"]) / "tests/golden/llama3-tiny-gqa"
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
for name in ("config.json", "model.safetensors"):
    shutil.copy(GOLDEN / name, top / name)
(top / "mine.yaml").write_text("opfig: 1\nname: tiny\ndims: {T: {is: 4}}\ninputs: {x: {shape: [T]}}\n"
                               "ops: [{id: y, op: silu, in: x}]\noutputs: [y]\n")
shutil.copy(top / "mine.yaml", top / "mine.svg")
shutil.copy(GOLDEN / "trace.safetensors", top / "t.safetensors")
(top / "r.svg").write_bytes(b"{}")
(top / "z.npy").write_bytes(b"no matter what")
(top / "ckpt").mkdir()
shutil.copy(top / "model.safetensors", top / "ckpt" / "model.safetensors")
os.symlink("model.safetensors", top / "link")
os.symlink("ckpt", top / "other")
os.link(top / "mine.yaml", top / "hard.yaml")
NETWORK = ("run", "llama3", "--config", "config.json", "--tokens", "5,17", "-q")


def state():
    return {path: path.read_bytes() for path in top.rglob("*") if path.is_file()}


def refused(wanted, *arguments):
    before = state()
    run = opfig(*arguments, folder=top)
    ok(run.returncode == 2 and run.stderr.decode() == f"error: {wanted}\n" and not run.stdout,
       " ".join(arguments), f"{run.returncode}: {run.stderr.decode()}")
    ok(state() == before, "… and all files are as they were")


refused("‘model.safetensors’ is read (--weights), and --trace would write over it",
        *NETWORK, "--weights", "model.safetensors", "--trace", "model.safetensors")
refused("‘./link’ is read (--weights), and --trace would write over it",
        *NETWORK, "--weights", "model.safetensors", "--trace", "./link")
refused("‘other/model.safetensors’ is read (--weights), and --trace would write over it",
        *NETWORK, "--weights", "ckpt", "--trace", "other/model.safetensors")
refused("‘t.safetensors’ is read (--tokens), and --trace would write over it", "run", "llama3",
        "--config", "config.json", "--tokens", "t.safetensors", "--trace", "t.safetensors")
refused("‘config.json’ is read (--config), and --record would write over it",
        "run", "config.json", "--record", "config.json")
refused("‘config.json’ is read (--config), and --record would write over it",
        *NETWORK, "--record", "config.json")
refused("‘mine.yaml’ is read (SPEC), and --record would write over it",
        "run", "mine.yaml", "--record", "mine.yaml")
refused("‘hard.yaml’ is read (SPEC), and --record would write over it",
        "run", "mine.yaml", "--record", "hard.yaml")
refused("‘z.npy’ is read (--edit), and --trace would write over it",
        "run", "mine.yaml", "--edit", "x = z.npy", "--trace", "z.npy")
refused("‘ckpt/../same’ would be written twice (--trace, --record)",
        "run", "mine.yaml", "--trace", "same", "--record", "ckpt/../same")
refused("‘mine.svg’ is read (SPEC), and -o would write over it",
        "draw", "./mine.svg", "-o", "mine.svg")
refused("‘r.svg’ is read (--record), and -o would write over it",
        "draw", "--record", "r.svg", "-o", "r.svg")
refused("‘ckpt/../a.svg’ would be written twice (-o, -o)",
        "draw", "mine.yaml", "-o", "a.svg", "-o", "ckpt/../a.svg")

# --- what cannot be written is said before the run, and so alone: nothing is printed
refused("cannot write ‘nodir/k’: no such file or folder",
        "run", "mine.yaml", "--trace", "nodir/k")
refused("cannot write ‘mine.yaml/r.json’: a part of its path is no folder",
        "run", "mine.yaml", "--record", "mine.yaml/r.json")
refused("cannot write ‘ckpt’: it is a folder", "run", "mine.yaml", "--record", "ckpt")

# --- nor is the run waited for, to say that nothing is there to print
run = opfig("run", "olmo2", "--dims", "T=4,V=100,L=2", "--color=never", "--print", "next[0,99]", "--print",
            "layers.1.z2[0,0,0,0]", "--trace", "none.safetensors", folder=top)
ok(run.returncode == 2 and not (top / "none.safetensors").exists() and run.stderr.decode() ==
   "error: index 99 is outside axis 1 of next, which has 4 entries\n"
   "error: layers.1.z2 has 3 axes, not 4\n", "indices are looked at before the run", run.stderr.decode())

# --- what is no clash
run = opfig("run", "mine.yaml", "--trace", "k", "--record", "r.json", "-q", folder=top)
ok(run.returncode == 0 and (top / "k").exists() and (top / "r.json").exists(), "two files",
   run.stderr.decode())
run = opfig("run", "mine.yaml", "--trace", "/dev/null", "--record", "/dev/null", "-q", folder=top)
ok(run.returncode == 0, "devices are no one's", run.stderr.decode())
run = opfig("run", "olmo2-block", "--dims", "T=4", "-q", "--record", "olmo2-block", folder=top)
ok(run.returncode == 0 and (top / "olmo2-block").exists(),
   "a file with the name of a shipped spec is another one", run.stderr.decode())
done()
