# SPDX-License-Identifier: MIT
"""A second compiler has nothing to say."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from report import ROOT, done, rule  # noqa: E402

build = ROOT / "build-clang"
if not (build / "build.ninja").exists():
    subprocess.run(["meson", "setup", str(build), "-Dwerror=true"], cwd=ROOT, check=True,
                   env={**os.environ, "CC": "clang"}, stdout=subprocess.DEVNULL)
run = subprocess.run(["ninja", "-k0", "-C", str(build)], capture_output=True, text=True)
said = re.findall(r"^\S+: (?:error|warning): .*$", run.stdout, re.M)
rule("clang: builds without a warning", said or ([run.stdout[-2000:]] if run.returncode else []))
done()
