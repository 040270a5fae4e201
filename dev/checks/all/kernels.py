# SPDX-License-Identifier: MIT
"""Kernels that are wrong by one token are caught by the tests of ops."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from report import ROOT, done, rule  # noqa: E402

build = os.environ.get("OPFIG_BUILD", str(ROOT / "build"))
run = subprocess.run([sys.executable, "-B", "tests/faults/kernels/break.py", build, "--tap"], cwd=ROOT,
                     capture_output=True, text=True)
missed = [line for line in run.stdout.splitlines() if line.startswith("not ok")]
if run.returncode and not missed:
    missed = [run.stdout[-1000:] + run.stderr[-1000:]]
rule("kernels: each of those that are wrong by one token is caught", missed)
done()
