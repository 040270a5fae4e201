# SPDX-License-Identifier: MIT
"""Figures of specs as people write them agree with their spec, and what was changed in
them is found."""
import pathlib
import re
import tempfile

from tap import done, ok, opfig

work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)


def said(run):
    return (run.stdout + run.stderr).decode()


def draw(name, text):
    """Draw a spec; its figure, which agrees with it."""
    (top / f"{name}.yaml").write_text(text)
    drawn = opfig("draw", f"{name}.yaml", "-o", f"{name}.svg", folder=top)
    ok(drawn.returncode == 0, f"{name} is drawn", said(drawn))
    run = opfig("check", f"{name}.svg", folder=top)
    ok(run.returncode == 0, f"{name} agrees with its spec", said(run))
    return (top / f"{name}.svg").read_text()


def refused(name, figure, finding):
    (top / "changed.svg").write_text(figure)
    run = opfig("check", "changed.svg", folder=top)
    ok(run.returncode == 1 and finding in said(run), name, said(run))


HEAD = """opfig: 1
name: block
dims: {B: {is: 1}, T: {is: 16}, C: {is: 64}, F: {is: 4*C}}
inputs: {x: {shape: [B, T, C]}}
"""

GATE = HEAD + """weights: {W_1: {shape: [C, F]}, W_3: {shape: [C, F]}, W_2: {shape: [F, C]}}
ops:
  - {id: up, op: matmul, in: [x, W_3]}
  - {id: gate, op: matmul, in: [x, W_1]}
  - {id: sig, op: sigmoid, in: gate}
  - {id: gated, op: mul, in: [up, sig]}
  - {id: down, op: matmul, in: [gated, W_2]}
  - {id: y, op: add, in: [x, down]}
outputs: [y]
claims:
  - {id: it, at: %s, say: %s}
"""
CHECKED = '%s, that: "reads(gated, sig)"'
LED = "a sigmoid that bounds what it lets through to numbers between nothing and everything"
LONG = LED + " " + LED.replace("a sigmoid", "and by no more than that")

# a callout stands beside its op, or where a line leads, or in the list where there is no room
draw("beside", GATE % ("sig", CHECKED % "through a sigmoid"))
led = draw("led", GATE % ("sig", CHECKED % LED))
listed = draw("listed", GATE % ("sig", CHECKED % LONG))
draw("beside-unchecked", GATE % ("sig", "through a sigmoid"))
draw("led-unchecked", GATE % ("sig", LED))
draw("listed-unchecked", GATE % ("sig", LONG))
line = re.search(r'<g data-callout="it"[^>]*>\s*<path [^>]*/>\s*(<path d="M([\d.]+) ([\d.]+)L[^>]*/>)', led)
if ok(line, "a thin line leads from its op to words away from it"):
    refused("without it they stand nowhere", led.replace(line.group(1), ""), "empty space")
    refused("a line that begins elsewhere leads to nothing",
            led.replace(line.group(1), line.group(1).replace("M%s %s" % line.group(2, 3), "M%s %g" % (
                line.group(2), float(line.group(3)) - 20))), "empty space")
tick = re.search(r'<path d="M[^"]*"[^>]*/>\s*(?=<text[^>]*>step 3</text>\s*<text[^>]*>a sigmoid)', listed)
if ok(tick, "a claim in the list has its tick, and the step of its op"):
    refused("without it, it stands nowhere", listed.replace(tick.group(), ""), "empty space")
    head = listed.index(tick.group()) + len(tick.group())
    number = re.match(r'<text[^>]*>step (3)</text>', listed[head:])
    refused("with another step it is about another op",
            listed[:head + number.start(1)] + "2" + listed[head + number.end(1):],
            "listed for step 2")
    refused("without the step it is about none",
            listed[:head] + listed[head + number.end():], "listed for no step")
    bar = re.search(r'<g data-callout="it"[^>]*>\s*<path d="M([\d.]+) ([\d.]+)L[\d.]+ ([\d.]+)"',
                    listed)
    if ok(bar, "its op bears the accent"):
        up = re.search(r'data-op="up".*? x="([\d.]+)" y="([\d.]+)"', listed, re.S)
        x, y = (float(number) for number in up.groups())
        wrong = re.sub(r'd="M.*', f'd="M{x - 4:g} {y:g}L{x - 4:g} {y + 15:g}"', bar.group())
        refused("beside another mark it is about another op",
                listed.replace(bar.group(), wrong), "an accent at ‘up’")

# every weight is named at its mark, whatever the title says, and its box bears a diamond
block = draw("weights", HEAD + """weights:
  g: {shape: [C], init: ones}
  W_1: {shape: [C, F]}
  b: {shape: [F]}
  W_2: {shape: [F, C]}
  s: {shape: [B, T, C]}
ops:
  - {id: norm, op: rmsnorm, in: [x, g], eps: 1e-6, title: norm before}
  - {id: bare, op: layernorm, in: norm, eps: 1e-6}
  - {id: up, op: matmul, in: [bare, W_1], title: 'widen, $F$ per token'}
  - {id: biased, op: add_bias, in: [up, b], title: plus a bias}
  - {id: act, op: gelu, in: biased}
  - {id: down, op: matmul, in: [act, W_2]}
  - {id: moved, op: add, in: [down, s]}
  - {id: scaled, op: mul, in: [moved, s]}
  - {id: y, op: add, in: [x, scaled]}
outputs: [y]
""")
for words in ["norm before g", "widen, F per token W_1", "plus a bias b"]:
    ok(words in re.search("<desc[^>]*>(.*?)</desc>", block, re.S).group(1), f"it says ‘{words}’")


def mark(id):
    return re.search(rf'<g [^>]*data-op="{id}".*?</g>', block, re.S).group()


def top_of(id):
    return float(re.search(r'<rect x="[\d.]+" y="([\d.]+)"', mark(id)).group(1))


DIAMOND = re.compile(r'<path d="M[\d. ]+(?:L[\d. ]+){3}Z"[^>]*/>\n')
for id, wanted in [("norm", 1), ("bare", 0), ("up", 1), ("biased", 1), ("act", 0), ("down", 1)]:
    ok(len(DIAMOND.findall(mark(id))) == wanted, f"{id} bears {wanted} diamonds", mark(id))
diamond = DIAMOND.search(mark("biased")).group()
refused("a diamond that is missing", block.replace(diamond, "", 1), "‘biased’ has no diamond")
down = top_of("act") - top_of("biased")
moved = re.sub(r"([ML][\d.]+ )([\d.]+)", lambda m: f"{m[1]}{float(m[2]) + down:g}", diamond)
refused("a diamond at an op without weights",
        block.replace(mark("act"), mark("act")[:-4] + moved + "</g>", 1),
        "‘act’ has the diamond")

# a figure by a layout of one's own agrees with its spec, as long as the layout is where it was
(top / "my own.yaml").write_text("extends: block\nrail: left\norder: [gate, up]\naccents: none\n")
drawn = opfig("draw", "led.yaml", "--layout", "./my own.yaml", "-o", "own.svg", folder=top)
ok(drawn.returncode == 0, "a layout of one's own", said(drawn))
run = opfig("check", "own.svg", folder=top)
ok(run.returncode == 0, "what it drew agrees with its spec", said(run))
(top / "my own.yaml").rename(top / "moved.yaml")
run = opfig("check", "own.svg", folder=top)
ok(run.returncode != 0 and "cannot read ./my own.yaml" in said(run), "without it the check says so", said(run))

done()
