# SPDX-License-Identifier: MIT
"""Every label, equation and sentence of the shipped specs, and labels that mean harm, as
LaTeX: TeX sets each without an error, and each shipped one as wide as we do."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from report import ROOT, done, rule  # noqa: E402

BUILD = pathlib.Path(os.environ.get("OPFIG_BUILD", ROOT / "build-test")).resolve()
SIZE = 10              # points
LIMIT = 0.05           # of a label's width, and …
SLACK = 1.0            # points: our letters are the text italic's, with the math italic's room
TEXT_KEYS = {"label", "title", "subtitle", "say", "what", "equation", "text", "name"}
os.environ["OPFIG_SOURCE"] = str(ROOT)

# what a person may type, and what somebody may try
HOSTILE = [
    r"\input{x}", r"\immediate\write18{id}", "50 % of #1 & ~2^3 _x_ {y} \\\\", r"\end{document}", "$x",
    "$\\input{x}$", "a -- b --- c ''d'' ``e`` ?` !` <<f>> ,,g", "\"h\" 'i' |j| \\ k", "$f f i f l$",
    "$h_{ff}$ fi ffi", "$x^{y^{z}}_{a_{b}}$", "$x''^2$", r"$\frac{\sqrt{a}}{\frac{b}{c}}$",
    r"$\mathrm{-f\%}$", "$a<b>c|d$", "$[0, 1)$", "$a!b?c;d:e$", "$-x + -y - (-z)$", "$5\\cdot 10^5$",
    "$C → 3C$", "10⁵ and h₂", "θ ≤ ½ → C′ × 2 ÷ ⊤ ⊙ √2 ± ∞ ∈ … – — “x” é", "x⁻¹₊₃²", "$x = \\{a, b\\}$", "[x] *y* (z)", "$\\to$", "$''$", "$_a$", "$^b$", "",
]

# Scripts are our one design scaled, where Latin Modern has others for small sizes.
HEAD = r"""\documentclass[10pt]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}
\DeclareFontFamily{OML}{lmm}{\skewchar\font127 }\DeclareFontShape{OML}{lmm}{m}{it}{<-> lmmi10}{}
\DeclareFontFamily{OMS}{lmsy}{\skewchar\font48 }\DeclareFontShape{OMS}{lmsy}{m}{n}{<-> lmsy10}{}
\DeclareFontFamily{OT1}{lmr}{\hyphenchar\font45 }\DeclareFontShape{OT1}{lmr}{m}{n}{<-> rm-lmr10}{}
\DeclareFontShape{OT1}{lmr}{m}{it}{<-> rm-lmri10}{}\scriptspace=0pt
\begin{document}\scrollmode
\def\set#1#2{\setbox0\hbox{#2}\immediate\write-1{width #1 \the\wd0}\noindent\box0\par}
"""


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, timeout=300, **more)


def strings(node, key=""):
    if isinstance(node, dict):
        for name, part in node.items():
            yield from strings(part, name) if name != "aka" else ()  # no labels: other libraries' names
    elif isinstance(node, list):
        for part in node:
            yield from strings(part, key)
    elif isinstance(node, str) and key in TEXT_KEYS and node.strip():
        yield f"${node}$" if key == "equation" else node


def labels():
    found = set()
    for path in sorted((ROOT / "spec/models").glob("*.yaml")):
        told = run(BUILD / "opfig", "run", path.stem, "--quiet", "--record", "/dev/stdout")
        if told.returncode != 0:
            raise SystemExit(told.stderr.decode())
        facts = json.loads(told.stdout)["facts"]
        found.update(strings(facts))
        found.update(f"${part['label']}$" for part in facts["dims"] + facts["values"] if part.get("label"))
    for path in (ROOT / "tests/fuzz/corpus/label").iterdir():
        text = path.read_bytes().decode("utf-8", "replace")
        if text.isascii() and text.isprintable():
            found.add(text)
    return sorted(label for label in found if "\n" not in label)


shipped = labels()
every = shipped + HOSTILE
spelled = run(BUILD / "tests/text/spell", input="".join(label + "\n" for label in every).encode())
ours = [line.split("\t", 1) for line in spelled.stdout.decode().splitlines()]
rule("every label is spelled in LaTeX", [] if len(ours) == len(every) and len(every) > 300
     else [f"{len(ours)} of {len(every)} labels: {spelled.stderr.decode()}"])

with tempfile.TemporaryDirectory() as folder:
    top = pathlib.Path(folder)
    lines = [f"\\set{{{i}}}{{{latex}}}" for i, (_, latex) in enumerate(ours)]
    (top / "labels.tex").write_text(HEAD + "\n".join(lines) + "\n\\end{document}\n", encoding="utf-8")
    tex = run("pdflatex", "-no-shell-escape", "-interaction=scrollmode", "labels.tex", cwd=top,
              env={**os.environ, "TEXMFVAR": folder, "max_print_line": "1000"})
    log = (top / "labels.log").read_text(encoding="utf-8", errors="replace")

wrong = []
for message, number in re.findall(r"^! (.*)\n(?:.*\n)*?l\.(\d+)", log, re.M):
    index = int(number) - HEAD.count("\n") - 1
    wrong.append(f"{every[index] if 0 <= index < len(every) else number}: {message}")
rule(f"TeX sets {len(every)} labels without an error", wrong or ([] if tex.returncode == 0 else [log[-500:]]))
rule("no character is missing in the document's fonts", re.findall(r"^Missing character: .*", log, re.M))

theirs = {int(i): float(width) for i, width in re.findall(r"^width (\d+) ([\d.]+)pt", log, re.M)}
rule("TeX measured each", [] if len(theirs) == len(every) else [f"{len(theirs)} of {len(every)}"])
apart, most, compared = [], 0, 0
for i, label in enumerate(shipped):
    width = float(ours[i][0])
    if width < 0 or i not in theirs:
        continue
    compared += 1
    by = abs(width - theirs[i])
    most = max(most, by / max(width, 1))
    if by > SLACK + LIMIT * width:
        apart.append(f"{label}: {width:.2f} pt, TeX {theirs[i]:.2f} pt")
rule(f"TeX sets {compared} labels as wide as we do", apart or ([] if compared > 300 else ["too few"]))
done()
