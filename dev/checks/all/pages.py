# SPDX-License-Identifier: MIT
"""The page of every shipped spec as LaTeX: TeX sets it without an error and nothing stands over
the edge of the paper. A figure may have signs of TeX in its name."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from report import ROOT, done, rule  # noqa: E402

BUILD = pathlib.Path(os.environ.get("OPFIG_BUILD", ROOT / "build-test")).resolve()
OVER = 2.0  # points over the edge that nobody sees
os.environ["OPFIG_SOURCE"] = str(ROOT)


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, timeout=300, **more)


for path in sorted((ROOT / "spec/models").glob("*.yaml")):
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        page = run(BUILD / "opfig", "doc", path.stem, "--format", "latex", "--figure", ROOT / f"out/{path.stem}.pdf")
        (top / "page.tex").write_bytes(page.stdout)
        for _ in range(2):  # columns find their widths in the second run
            tex = run("pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "page.tex", cwd=top,
                      env={**os.environ, "TEXMFVAR": folder, "max_print_line": "1000"})
        log = (top / "page.log").read_text(encoding="utf-8", errors="replace")
        wrong = re.findall(r"^! .*|^Missing character: .*|^LaTeX Warning: (?!Label|Table widths).*", log, re.M)
        wrong += [line for line in re.findall(r"^Overfull \\hbox.*", log, re.M)
                  if float(re.search(r"\(([\d.]+)pt", line)[1]) > OVER]
        rule(f"pages: TeX sets {path.stem}", wrong or ([] if tex.returncode == 0 and page.stdout else [log[-500:]]))
for name in ("a b.pdf", "a_b%.pdf", "a#.pdf", "a  &^~b.pdf"):
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        shutil.copy(ROOT / "out/olmo1-block.pdf", top / name)
        (top / "page.tex").write_bytes(run(BUILD / "opfig", "doc", "olmo1-block", "--format", "latex", "--figure",
                                           name).stdout)
        tex = run("pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "page.tex", cwd=top,
                  env={**os.environ, "TEXMFVAR": folder, "max_print_line": "1000"})
        log = (top / "page.log").read_text(encoding="utf-8", errors="replace")
        rule(f"pages: TeX shows ‘{name}’",
             [] if tex.returncode == 0 and f"<./{name}" in log else [log[-500:]])
done()
