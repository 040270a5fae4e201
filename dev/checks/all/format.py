# SPDX-License-Identifier: MIT
"""The layout of the C code is what .clang-format says."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from report import ROOT, done, rule, tracked  # noqa: E402

files = tracked(".c", ".h")
run = subprocess.run(["clang-format", "--dry-run", *files], cwd=ROOT, capture_output=True, text=True)
places = re.findall(r"^(\S+:\d+):\d+: warning: code should be clang-formatted", run.stderr, re.M)
rule(f"clang-format: the layout of {len(files)} files",
     sorted(set(places)) or ([run.stderr[-500:]] if run.returncode or not files else []))
done()
