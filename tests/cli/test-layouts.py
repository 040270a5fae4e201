# SPDX-License-Identifier: MIT
"""Every key that a layout file may have: what is drawn with it is what opfig check wants, with all that
a figure carries and without; sentences as short as the names of values."""
import json
import os
import pathlib
import re
import tempfile

from svg import bare
from tap import done, ok, opfig, same

ROOT = pathlib.Path(os.environ["OPFIG_SOURCE"])
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
KEYS = {
    "extends": ["shapes"], "legend": ["false"], "claims": ["false", "false\ncallouts: false"], "totals": ["false"],
    "footer": ["false"], "shapes": ["changed", "all", "none"], "callouts": ["false"], "callout_width": ["60"],
    "classes": ["{norm: {title: Norms, note: two of them}}"], "accents": ["all", "none", "[post_norm]"],
    "rail": ["left", "right"], "order": ["[v_heads, q_heads, k_heads]"], "lanes": ["silu"],
}
OF_THE_BLOCK = ("[post_norm]", "[v_heads, q_heads, k_heads]", "silu")


def agrees(spec, options, what):
    """Draw, then check the figure and what is left of it without anything but the drawing."""
    run = opfig("draw", spec, "-q", *options, "-o", "a.svg", folder=top)
    ok(run.returncode == 0, f"{what}: drawn", run.stderr.decode())
    (top / "bare.svg").write_text(bare((top / "a.svg").read_text()))
    for words in (["a.svg"], [spec, *options, "bare.svg"]):
        run = opfig("check", "--quick", "--json", *words, folder=top)
        found = json.loads(run.stdout or b'{"findings": "none read"}')["findings"]
        same((run.returncode, found), (0, []), f"{what}: {words[-1]} agrees")


documented = set(re.findall(r"^\| `([a-z_]+):`", (ROOT / "docs/layouts.md").read_text(), flags=re.M))
same(set(KEYS), documented, "each key of docs/layouts.md is tried")
for key, values in KEYS.items():
    for value in values:
        (top / "mine.yaml").write_text(("" if key == "extends" else "extends: block\n") + f"{key}: {value}\n")
        for spec in ("olmo2-block", "olmo3"):
            if spec == "olmo2-block" or value not in OF_THE_BLOCK:
                agrees(spec, ["--layout", "./mine.yaml"], f"{spec}, {key}: {value!r}")
everything = "".join(f"{key}: false\n" for key, values in KEYS.items() if values[0].startswith("false"))
(top / "mine.yaml").write_text(f"extends: block\n{everything}shapes: none\n")
agrees("olmo2-block", ["--layout", "./mine.yaml"], "all left out")

# --- a sentence of one letter, which a value has as its name
SPEC = """opfig: 1
name: short
title: %s
dims: {T: {is: 4}, C: {is: 6}}
inputs: {x: {shape: [T, C]}}
weights: {W: {shape: [C, C]}}
ops:
  - {id: h, op: matmul, in: [x, W]}
  - {id: silu, op: silu, in: h}
  - {id: y, op: add, in: [x, silu]}
outputs: [y]
claims:
  - {id: c, say: "%s", that: "reads(y, silu)"%s}
"""
for title, say, at in (("a", "x", ""), ("x", "y", ""), ("a", "h", ""), ("h", "x", ", at: silu"), ("h", "2", "")):
    (top / "short.yaml").write_text(SPEC % (title, say, at))
    agrees("short.yaml", [], f"title {title}, sentence {say}{at}")

done()
