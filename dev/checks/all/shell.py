# SPDX-License-Identifier: MIT
"""Shell scripts hold what shellcheck asks."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from report import ROOT, done, rule, tracked  # noqa: E402

scripts = [path for path in tracked()
           if path.endswith(".sh") or "." not in path.rsplit("/", 1)[-1]]
scripts = [path for path in scripts if (ROOT / path).read_bytes()[:20].startswith(b"#!") and b"sh\n" in (ROOT / path).read_bytes()[:20]]
assert scripts
run = subprocess.run(["shellcheck", "--format=gcc", *scripts], cwd=ROOT,
                     capture_output=True, text=True)
rule("shell: shellcheck has nothing to say", (run.stdout + run.stderr).splitlines())
done()
