# SPDX-License-Identifier: MIT
"""A program that has lost its own files says so, and where it looked; it never claims
that what it ships does not exist."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from tap import done, ok, same

work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name).resolve()
lost = top / "a" / "bin" / "opfig"
lost.parent.mkdir(parents=True)
shutil.copy(sys.argv[1], lost)
env = {k: v for k, v in os.environ.items() if k != "OPFIG_SOURCE"}
spec = top / "tiny.yaml"
spec.write_text("opfig: 1\nname: tiny\ndims: {T: {is: 4}}\ninputs: {x: {shape: [T]}}\n"
                "ops: [{id: y, op: silu, in: x}]\noutputs: [y]\n")


def run(*arguments, source=None):
    more = {"OPFIG_SOURCE": str(source)} if source else {}
    return subprocess.run([str(lost), *arguments], cwd=top, capture_output=True, timeout=60,
                          stdin=subprocess.DEVNULL, env={**env, **more})


def places(folder, *first):
    roots = [*first, top / "a", top.parent, top / "a/share/opfig"]
    return ", ".join(f"‘{root / folder}’" for root in roots)


found = run("draw", "olmo2-block", "-o", "a.svg")
same((found.returncode, found.stderr.decode()),
     (2, "error: there is no file ‘olmo2-block’, and the program's own specs were not found\n"
         f"      = note: they were looked for in {places('spec/models')}\n"
         "      = hint: OPFIG_SOURCE=FOLDER names the folder that holds spec/models\n"),
     "a shipped spec is not found: the program says where it looked")
found = run("draw", "olmo2-block", "-o", "a.svg", source=top / "wrong")
ok(places("spec/models", top / "wrong") in found.stderr.decode(),
   "OPFIG_SOURCE is looked in first", found.stderr.decode())
found = run("draw", str(spec), "-o", "a.svg")
same((found.returncode, found.stderr.decode().split("\n")[:2]),
     (2, ["error: the program's own layouts were not found",
          f"      = note: they were looked for in {places('layouts')}"]),
     "a spec of one's own is read, its layout is not found")
for kind, folder in (("specs", "spec/models"), ("layouts", "layouts"),
                     ("themes", "layouts/themes")):
    found = run("list", kind)
    same((found.returncode, found.stdout, found.stderr.decode()),
         (2, b"", f"opfig: error: the files of {folder} were not found\n"
                  f"  = note: they were looked for in {places(folder)}\n"),
         f"list {kind}: nothing is not all there is")
found = run("draw", "olmo2-blok", "-o", "a.svg", source=os.environ["OPFIG_SOURCE"])
ok("did you mean ‘olmo2-block’?" in found.stderr.decode(),
   "with its files it suggests the spec that was meant", found.stderr.decode())
done()
