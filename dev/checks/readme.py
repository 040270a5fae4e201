# SPDX-License-Identifier: MIT
"""Every command of the README works: each line of its `sh` blocks is run, in order, in a
fresh copy of the tree."""
import os
import re
import shutil
import subprocess
import tempfile

from report import ROOT, done, rule, text, tracked

# Would start this very run again; running under one of them is their test, and
# dev/try-clean runs all of them from nothing.
THIS_RUN = re.compile(r"^(sh dev/test\b(?! --)|\.ci/run|(sudo )?(sh )?dev/try-clean|git clone |cd \w+$)")


def commands(markdown):
    """Commands of the blocks marked sh; `$ ` and comments are dropped, lines that end in
    a backslash joined."""
    for block in re.findall(r"^```sh\n(.*?)^```", markdown, re.S | re.M):
        for line in block.replace("\\\n", " ").split("\n"):
            line = re.sub(r"^\$ ", "", line.strip())
            line = re.sub(r"\s+#\s.*$", "", line)
            if line and not line.startswith("#"):
                yield line


def run_all(lines):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "opfig")
        for path in tracked():
            target = os.path.join(copy, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(ROOT / path, target)
        for line in lines:
            if THIS_RUN.match(line):
                rule(f"readme: {line} (this run)", [])
                continue
            run = subprocess.run(["sh", "-eu", "-c", line], cwd=copy, capture_output=True,
                                 text=True, stdin=subprocess.DEVNULL, timeout=600)
            rule(f"readme: {line}", [] if run.returncode == 0 else
                 [f"ended with {run.returncode}", (run.stdout + run.stderr)[-2000:]])


lines = list(commands(text("README.md"))) if (ROOT / "README.md").exists() else []
rule("readme: has commands to run", [] if lines else ["README.md has no sh block"])
run_all(lines)
done()
