# SPDX-License-Identifier: MIT
"""The op that CONTRIBUTING.md adds can be added as it says: its file and its word, then
the tests over the table pass and the reference can be renewed."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from report import ROOT, done, rule, text, tracked  # noqa: E402


def run(folder, command, **env):
    found = subprocess.run(command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           env={**os.environ, **env})
    return [] if found.returncode == 0 else [command, found.stdout[-3000:]]


source = next(block for block in re.findall(r"^```c\n(.*?)^```", text("CONTRIBUTING.md"), re.S | re.M)
              if "#define SELF" in block)
name = re.search(r'#define SELF "ops/(\w+)\.c"', source).group(1)
with tempfile.TemporaryDirectory() as folder:
    for path in tracked():
        target = pathlib.Path(folder, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, target)
    pathlib.Path(folder, f"ops/{name}.c").write_text(source)
    build = pathlib.Path(folder, "ops/meson.build")
    build.write_text(build.read_text().replace("op_names = [", f"op_names = [\n  '{name}',", 1))
    rule("tutorial: the op compiles", run(folder, "meson setup build -Dwerror=true && ninja -C build"))
    rule("tutorial: a stale reference is noticed",
         [] if run(folder, "meson test -C build --suite ops docs") else ["it is not"])
    run(folder, "meson test -C build --suite ops docs", OPFIG_BLESS="1")
    rule("tutorial: the tests of the table pass", run(folder, "meson test -C build --suite ops"))
    rule("tutorial: the reference names the op",
         [] if f"## {name}\n" in pathlib.Path(folder, "docs/ops.md").read_text() else [name])
done()
