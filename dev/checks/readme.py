# SPDX-License-Identifier: MIT
"""Every command of the README works: each is run, in order, in a fresh copy of the tree."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from report import ROOT, done, rule, text, tracked

# Would start this very run again; running under one of them is their test, and
# dev/try-clean runs all of them from nothing.
THIS_RUN = re.compile(r"^(sh dev/test\b(?! --)|\.ci/run|(sudo )?(sh )?dev/try-clean|git clone |cd \w+$)")


def steps(markdown):
    """("run", command) and ("save", (name, text)) in the order of the text: the lines of
    blocks marked sh, inline `build/opfig …`, and YAML blocks followed by "Save it as
    `NAME`". `$ ` and comments are dropped, lines that end in a backslash joined."""
    yaml = ""
    for found in re.finditer(r"^```(\w*)\n(.*?)^```|`(build/opfig [^`]*)`|Save it as `([^`]+)`",
                             markdown, re.S | re.M):
        language, block, inline, name = found.groups()
        if inline:
            yield "run", " ".join(inline.split())
        elif name:
            yield "save", (name, yaml)
        elif language == "yaml":
            yaml = block
        elif language == "sh":
            for line in block.replace("\\\n", " ").split("\n"):
                line = re.sub(r"^\$ ", "", line.strip())
                line = re.sub(r"\s+#\s.*$", "", line)
                if line and not line.startswith("#"):
                    yield "run", line


def run_all(steps):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "opfig")
        for path in tracked():
            target = os.path.join(copy, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(ROOT / path, target)
        for kind, line in steps:
            if kind == "save":
                pathlib.Path(copy, line[0]).write_text(line[1])
                continue
            if THIS_RUN.match(line):
                rule(f"readme: {line} (this run)", [])
                continue
            run = subprocess.run(["sh", "-eu", "-c", line], cwd=copy, capture_output=True,
                                 text=True, stdin=subprocess.DEVNULL, timeout=600)
            rule(f"readme: {line}", [] if run.returncode == 0 else
                 [f"ended with {run.returncode}", (run.stdout + run.stderr)[-2000:]])


found = list(steps(text("README.md"))) if (ROOT / "README.md").exists() else []
rule("readme: has commands to run", [] if found else ["README.md has no sh block"])
run_all(found)
done()
