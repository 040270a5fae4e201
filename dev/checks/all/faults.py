# SPDX-License-Identifier: MIT
"""Everything that dev/faults breaks on purpose is caught by the check that should."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from report import ROOT, done, rule  # noqa: E402

build = os.environ.get("OPFIG_BUILD", str(ROOT / "build-test"))
# one in 31 of the faults of a figure: one in seven, as by hand, takes half as long as all tests
run = subprocess.run(["sh", "dev/faults", "--build", build, "--one-in", "31"], cwd=ROOT,
                     capture_output=True, text=True)
print(run.stdout)
rule("faults: each is caught, and edits without meaning are not",
     run.stderr.splitlines() or ["dev/faults failed"] if run.returncode else [])
done()
