# SPDX-License-Identifier: MIT
"""Every theme that ships draws a figure that `check` reads back."""
import pathlib
import re
import tempfile

from tap import done, ok, opfig, same

work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
names = opfig("draw", "olmo2-block", "--theme", "none", "-o", top / "none.svg").stderr.decode()
names = re.search(r"there are: (.*)", names).group(1).split(", ")
ok({"light", "dark", "print", "paper", "auto"} <= set(names), "the themes are there", names)

texts, looks = {}, {}
for name in names:
    figure = top / f"{name}.svg"
    run = opfig("draw", "olmo2-block", "--theme", name, "--strict", "-o", figure)
    same((run.returncode, run.stderr.decode()), (0, ""), f"{name}: draws")
    run = opfig("check", figure)
    ok(run.returncode == 0, f"{name}: is read back", run.stdout.decode())
    svg = figure.read_text()
    texts[name] = re.findall(r"<desc>.*?</desc>", svg, re.S)
    looks[name] = set(re.findall(r'(?:fill|stroke)="([^"]+)"', svg))
    same("<style>" in svg, name == "auto", f"{name}: rules for dark pages only where asked for")
    lies = svg.replace('data-op="probs"', 'data-op="mask"', 1)
    (top / "lies.svg").write_text(lies)
    ok(lies != svg and opfig("check", top / "lies.svg").returncode == 1,
       f"{name}: a lie is found in it")

same(len({str(text) for text in texts.values()}), 1, "all say the same in words")
ok(all(re.fullmatch(r"#([0-9a-f])\1\1|#([0-9a-f]{2})\2\2|none", look) for look in looks["print"]),
   "print is of grays", looks["print"])

# Words of another family are of another width, in every shipped spec.
for spec in opfig("list", "specs", "--quiet").stdout.decode().split("\n"):
    spec = spec.split()[0] if spec.split() else None
    if not spec or not spec.endswith(("-block", "-gated")):
        continue
    run = opfig("draw", spec, "--theme", "paper", "--width", "620pt", "-o", top / "paper.svg")
    read = opfig("check", top / "paper.svg")
    ok(run.returncode == read.returncode == 0, f"paper: {spec} is read back",
       (run.stderr + read.stdout).decode())

# The dark half of auto is dark: each of its colours is one that the theme dark has.
auto = (top / "auto.svg").read_text()
rules = re.findall(r'\[(fill|stroke)="([^"]+)"\]\{\1:([^}]+)\}', auto)
used = {(kind, value) for kind, value in re.findall(r'\b(fill|stroke)="([^"]+)"', auto)}
ok({value for _, _, value in rules} >= looks["dark"] - {"none"}, "auto has the colours of dark",
   looks["dark"] - {value for _, _, value in rules})
ok({(kind, value) for kind, value, _ in rules} >= {u for u in used if u[1] != "none"},
   "every colour of auto has a rule for dark pages")
done()
