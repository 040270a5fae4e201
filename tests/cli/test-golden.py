# SPDX-License-Identifier: MIT
"""Every tensor of every golden set, by the command as a person types it.

`opfig run … --names golden` has to give the tensors of a trace that other code computed:
those names and no others, each the same numbers. What is in the file and not compared is
a failure."""
import os
import pathlib
import tempfile

from tap import done, ok, opfig, same
from tensors import apart, read

GOLDEN = pathlib.Path(os.environ["OPFIG_SOURCE"]) / "tests/golden"
SETS = {"olmo1-tiny": "olmo1", "olmo1-clip-tiny": "olmo1", "olmo2-tiny": "olmo2",
        "olmo2-primer-block": "olmo2-block", "olmo3-tiny-gqa": "olmo3",
        "olmo3-tiny-gqa-yarn": "olmo3", "llama3-tiny-gqa": "llama3", "llama-tiny": "llama3"}
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)


def compare(folder, spec, extra, file, tolerance, all_names):
    files = GOLDEN / folder
    given = (("--input", str(files / "trace.safetensors"), "--layer", "0")
             if spec.endswith("-block") else ("--tokens", str(files / "trace.safetensors")))
    run = opfig("run", spec, "--config", str(files / "config.json"), "--weights",
                str(files / "model.safetensors"), *given, "--trace", "o.safetensors",
                "--names", "golden", "--quiet", *extra, folder=top)
    what = f"{folder} {' '.join(extra)}".strip()
    if not ok(run.returncode == 0 and not run.stderr, f"{what}: it runs without a word",
              run.stderr.decode()):
        return
    ours, theirs = read(top / "o.safetensors"), read(files / file)
    names = all_names or set(theirs)
    same(set(ours) ^ names, set(), f"{what}: the names are those of the set")
    compared = [name for name in theirs if name in ours]
    same(len(compared), len(theirs), f"{what}: {len(theirs)} tensors, all of {file}")
    worst, name = max((apart(name, ours[name], theirs[name]), name) for name in compared)
    ok(worst <= tolerance, f"{what}: and the same numbers, {name} is {worst:.1e} rms apart, "
       "the others less")


total = 0
for folder, spec in SETS.items():
    full = read(GOLDEN / folder / "trace.safetensors")
    total += len(full)
    compare(folder, spec, (), "trace.safetensors", 2e-5, None)
    # the long trace in double leaves some out, and never has more
    compare(folder, spec, ("--double",), "trace.f64.safetensors", 1e-12, set(full))
    compare(folder, spec, ("--double",), "trace.safetensors", 2e-5, None)
same(len(SETS), sum(1 for one in GOLDEN.iterdir() if one.is_dir()), "eight sets, and no other")
ok(total > 450, "as many tensors as there are", total)
done()
