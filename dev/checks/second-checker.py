# SPDX-License-Identifier: MIT
"""Figures proved a second time, by tests/checker, which shares no code with `opfig check`.

Every light and print figure of out/ holds against the record of its spec, what was recorded and
drawn is what tests/checker/truth says, and figures edited in ways that a person would misread are
found. Each edit is looked for with all data-* attributes taken away, so that it is seen and not
read, except those of the attributes themselves.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from copy import deepcopy

from report import ROOT, done, rule

sys.path.insert(0, str(ROOT / "tests/checker"))
sys.dont_write_bytecode = True
from check import check  # noqa: E402
from truth import compare  # noqa: E402

BUILD = pathlib.Path(os.environ.get("OPFIG_BUILD", ROOT / "build-test")).resolve()
TRUE = ("olmo1-block", "olmo2-block", "olmo3-block", "llama3-block", "qwen3-block")
SVG = "{http://www.w3.org/2000/svg}"
ET.register_namespace("", SVG[1:-1])


def opfig(*words):
    # programs of a folder outside of the tree are told where the source is
    run = subprocess.run([BUILD / "opfig", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                         env={**os.environ, "OPFIG_SOURCE": str(ROOT)})
    if run.returncode:
        sys.exit(f"opfig {' '.join(map(str, words))} ended with {run.returncode}: {run.stderr}")


def record(spec, folder, *options):
    path = pathlib.Path(folder, "record.json")
    opfig("run", "--quiet", spec, "--record", path, *options)
    return json.loads(path.read_text(encoding="utf-8"))


# other figures than those of out/: spec, what is run, how it is drawn
DRAWN = [
    ("tests/checker/layers.yaml", [], []),
    ("tests/checker/index-last.yaml", [], ["--width", "700pt"]),
    ("olmo1-block", ["--set", "clip=8"], []),
    ("olmo2-block", ["--dims", "G=2"], []),
    ("olmo3-block", ["--set", "kind=full", "--set", "scaling={type: yarn, factor: 8, original: 8192}"], []),
    ("llama3-block", [], ["--width", "350pt"]),
    ("olmo2-gated", ["--dims", "T=8"], ["--width", "700pt"]),
    ("olmo3", [], ["--width", "700pt"]),
    *((spec, [], ["--width", f"{width}pt"]) for width in (800, 900) for spec in TRUE),
]


class Page:
    """A figure under edit. Elements are found by their tags, then changed as a picture."""

    def __init__(self, source):
        self.root = ET.fromstring(source)

    def all(self, kind, **tags):
        return [e for e in self.root.iter(SVG + kind if kind != "*" else None)
                if all(e.get("data-" + k) == v for k, v in tags.items())]

    def one(self, kind="g", **tags):
        return self.all(kind, **tags)[0]

    def op(self, name):
        return self.one(op=name)

    def edge(self, name):
        return next(g for g in self.all("g") if g.get("data-edge", "").split(".")[0] == name)

    def parent(self, e):
        return next(p for p in self.root.iter() if e in list(p))

    def drop(self, e):
        self.parent(e).remove(e)

    def double(self, e, dx=0, dy=0):
        other = deepcopy(e)
        other.attrib.pop("id", None)
        move(other, dx, dy)
        self.parent(e).append(other)
        return other

    def add(self, kind, text=None, **attributes):
        e = ET.SubElement(self.root, SVG + kind, {k.replace("_", "-"): str(v) for k, v in attributes.items()})
        e.text = text
        return e

    def swap(self, a, b):
        """Exchange the places of two texts."""
        ax, ay, bx, by = (float(e.get(k)) for e in (a, b) for k in ("x", "y"))
        move(a, bx - ax, by - ay)
        move(b, ax - bx, ay - by)

    def redraw(self, edge, *points):
        """Lead an edge through points: its head is set to the last one, in its direction."""
        line, head = list(edge)
        (ax, ay), (bx, by) = points[-2:]
        far = abs(ax - bx) + abs(ay - by)
        ux, uy = (bx - ax) / far, (by - ay) / far
        line.set("d", "M%g %g" % points[0] + "".join("L%.10g %.10g" % p for p in points[1:-1] + ((bx - 3.6 * ux, by - 3.6 * uy),)))
        corners = (bx, by), (bx - 4.4 * ux - 1.95 * uy, by - 4.4 * uy - 1.95 * ux), (bx - 4.4 * ux + 1.95 * uy, by - 4.4 * uy + 1.95 * ux)
        head.set("d", "M%.10g %.10gL%.10g %.10gL%.10g %.10gZ" % sum(corners, ()))

    def seen(self):
        """The source without a tag that could tell what is meant; the page is spent."""
        for e in self.root.iter():
            if e.tag != SVG + "metadata":
                for key in [k for k in e.attrib if k.startswith("data-")]:
                    del e.attrib[key]
        return ET.tostring(self.root, encoding="unicode")

    def tagged(self):
        return ET.tostring(self.root, encoding="unicode")


def move(e, dx, dy):
    for i in e.iter():
        for key, by in (("x", dx), ("y", dy)):
            if i.get(key):
                i.set(key, "%.10g" % (float(i.get(key)) + by))
        if i.get("d"):
            numbers = iter(range(10 ** 6))
            i.set("d", re.sub(r"-?[\d.]+", lambda m: "%.10g" % (float(m.group()) + (dy if next(numbers) % 2 else dx)), i.get("d")))


def box(e):
    """x0, y0, x1, y1 of the first rectangle in a group."""
    r = e if e.tag == SVG + "rect" else e.find(SVG + "rect")
    x, y, w, h = (float(r.get(k)) for k in ("x", "y", "width", "height"))
    return x, y, x + w, y + h


def rect(e, n=0):
    return e.findall(SVG + "rect")[n]


def texts(e):
    return e.findall(SVG + "text")


def say(e, old, new):
    """Change words in an element: the first text or run that holds them."""
    for i in e.iter():
        for part in ("text", "tail"):
            if old in (getattr(i, part) or ""):
                return setattr(i, part, getattr(i, part).replace(old, new, 1))
    raise LookupError(old)


def paint(e, like):
    for key in ("fill", "stroke", "stroke-width"):
        e.set(key, like.get(key, "1"))


def side(page, op):
    """The middle of a mark's top, right, bottom and left side."""
    a, b, c, d = box(page.op(op))
    return {"top": ((a + c) / 2, b), "right": (c, (b + d) / 2), "bottom": ((a + c) / 2, d), "left": (a, (b + d) / 2)}


def lead(edge, start, end, spec="olmo2-block"):
    """An edit that leads an edge from one mark's side to another's by the shortest way of two pieces."""
    def edit(p):
        a, b = side(p, start[0])[start[1]], side(p, end[0])[end[1]]
        corner = (a[0], b[1]) if end[1] in ("left", "right") else (b[0], a[1])
        p.redraw(p.edge(edge), a, *([] if corner in (a, b) else [corner]), b)
    return spec, edit


def cells(page):
    """Of the strip of a network's layers."""
    return page.one(panel="layers").findall(SVG + "rect")[1:]


def fill(page, e):
    """Its own, or that of what it is in."""
    return e.get("fill") or fill(page, page.parent(e))


def leader(page):
    """Bar, line and words of the sentence that stands away from its mark."""
    return next(list(g) for g in page.all("g", callout="grouped") if len(g) > 2)


def at(spec, edit):
    return spec, edit


def on2(edit):
    return "olmo2-block", edit


def index(p):
    """The first run of an index; a “_” that is not seen is copied before it."""
    return next(t[i + 1] for t in p.all("text") for i, run in enumerate(t) if run.text == "_")


def z_order(p):
    mark = p.op("mask")
    r = rect(mark)
    mark.remove(r)
    mark.append(r)


def number(p, op, text):
    texts(p.op(op))[0].text = text


def shape(p, value):
    return p.one("text", shape=value)


def name(p, value):
    return p.one("text", name=value)


def shorten(p):
    r = rect(p.one(panel="mlp"))
    r.set("height", "%g" % (float(r.get("height")) - 40))


def widen(p):
    r = rect(p.one(panel="attn"))
    r.set("width", "%g" % (float(r.get("width")) + 35))


def narrow(p):
    r = rect(p.one(panel="attn"))
    r.set("x", "150")
    r.set("width", "200")


def legend_swap(p):
    a, b = rect(p.one(legend="norm")), rect(p.one(legend="other"))
    paint(a, dict(deepcopy(b).attrib)), paint(b, dict(deepcopy(rect(p.one(legend="norm"))).attrib))


def turn_head(p):
    """An arrow that points to where its value comes from."""
    line, head = list(p.edge("scores mask"))
    (x, y0), y1 = side(p, "scores")["bottom"], side(p, "mask")["top"][1]
    p.redraw(p.edge("scores mask"), (x, y1), (x, y0))


def cut(p):
    line = list(p.edge("merge proj"))[0]
    line.set("d", re.sub(r"^M(\S+) ([\d.]+)", lambda m: "M%s %g" % (m.group(1), float(m.group(2)) + 4), line.get("d")))


def away(p):
    x, y = side(p, "merge")["right"]
    p.redraw(p.edge("mix merge"), side(p, "mix")["bottom"], (side(p, "mix")["bottom"][0], y + 40))


def cross_sign(p):
    sign = p.op("z1").findall(SVG + "path")[1]
    x, y = (float(n) for n in re.match(r"M([\d.]+) ([\d.]+)", p.op("z1").find(SVG + "path").get("d")).groups())
    x -= 6.6
    sign.set("d", "M%g %gL%g %gM%g %gL%g %g" % (x - 3, y - 3, x + 3, y + 3, x - 3, y + 3, x + 3, y - 3))


def add_for_gate(p):
    sign, other = p.op("gated").findall(SVG + "path")[1], p.op("z1").findall(SVG + "path")
    dot = [float(n) for n in re.findall(r"[\d.]+", sign.get("d"))]
    x, y = dot[0] - 1.25, dot[1]
    sign.set("d", "M%g %gL%g %gM%g %gL%g %g" % (x - 3.2, y, x + 3.2, y, x, y - 3.2, x, y + 3.2))
    paint(sign, other[1])


def untick(p):
    group = p.one(claim="scale")
    group.remove(group.find(SVG + "path"))


EDITS = {
    "an index far behind its word": on2(lambda p: index(p).set("x", "%g" % (float(index(p).get("x")) + 14))),
    # lines
    "v is led into the scores": lead("v_heads mix", ("v_heads", "bottom"), ("scores", "right")),
    "the norm after the MLP is passed by": lead("ff_norm z2", ("down", "right"), ("ff_norm", "right")),
    "the second sum reads the norm": on2(lambda p: second_sum(p)),
    "the norm after attention is passed by": lead("attn_norm z1", ("proj", "right"), ("attn_norm", "right")),
    "the mask reads the wrong mark": lead("scores mask", ("k_rope", "right"), ("mask", "right")),
    "merged heads skip the projection": lead("merge proj", ("merge", "right"), ("attn_norm", "right")),
    "an edge is gone": on2(lambda p: p.drop(p.edge("silu gated"))),
    "the residual line is gone": on2(lambda p: p.drop(p.edge("z1 z2"))),
    "an edge is there twice": on2(lambda p: p.double(p.edge("probs mix"))),
    "an edge beside an edge": on2(lambda p: p.double(p.edge("probs mix"), 12)),
    "an arrow head is gone": on2(lambda p: p.edge("mask probs").remove(list(p.edge("mask probs"))[1])),
    "a line is gone under its head": on2(lambda p: p.edge("mask probs").remove(list(p.edge("mask probs"))[0])),
    "an arrow points the other way": on2(turn_head),
    "a line begins in the air": on2(cut),
    "a line ends elsewhere": on2(away),
    "an edge is moved aside": on2(lambda p: move(p.edge("qkv split"), 25, 0)),
    "a line of its own": on2(lambda p: p.add("path", d="M50 200L50 260", fill="none", stroke="#20262e", stroke_width=.85)),
    "the dot of a fork is gone": on2(lambda p: p.drop(p.one(fork="z1"))),
    "a dot where nothing forks": on2(lambda p: p.double(p.one(fork="z1"), 0, 40)),
    # words of marks
    "another weight": on2(lambda p: say(texts(p.op("gate"))[1], "1", "2")),
    "another subscript of a norm": on2(lambda p: say(texts(p.op("q_norm"))[1], "q", "k")),
    "wider than it is": on2(lambda p: say(texts(p.op("qkv"))[1], "3", "2")),
    "sizes the wrong way round": on2(lambda p: say(texts(p.op("down"))[1], "→", "←")),
    "another axis": on2(lambda p: say(texts(p.op("probs"))[1], "keys", "queries")),
    "another mask": on2(lambda p: say(texts(p.op("mask"))[1], "causal", "window")),
    "the mask without its word": on2(lambda p: p.op("mask").remove(texts(p.op("mask"))[1])),
    "a subscript on the line": on2(lambda p: [r.set("y", texts(p.op("gate"))[1].get("y")) for r in texts(p.op("gate"))[1]]),
    "no root over the width": on2(lambda p: p.op("scores").remove(p.op("scores").findall(SVG + "path")[-1])),
    "k is not transposed": on2(lambda p: say(texts(p.op("scores"))[1], "⊤", "")),
    "q times q": on2(lambda p: say(texts(p.op("scores"))[1], "k", "q")),
    "no name of what a product gives": on2(lambda p: say(texts(p.op("mix"))[1], "y", "u")),
    "another factor of scaling": at("llama3-block", lambda p: say(p.op("q_rope"), "8", "32")),
    "the base of the rotation": at("olmo1-block", lambda p: say(p.op("q_rope"), "⁴", "⁵")),
    "RoPE without its number": on2(lambda p: p.op("q_rope").remove(texts(p.op("q_rope"))[-1])),
    "another step": on2(lambda p: number(p, "merge", "13")),
    "two steps change places": on2(lambda p: (number(p, "gate", "20"), number(p, "up", "18"))),
    "no step": on2(lambda p: p.op("silu").remove(texts(p.op("silu"))[0])),
    "SiLU is called a GELU": on2(lambda p: say(p.op("silu"), "SiLU", "GELU")),
    "the words of two marks change places": on2(lambda p: p.swap(texts(p.op("merge"))[1], texts(p.op("mask"))[1])),
    # marks and classes
    "a norm painted as a matmul": on2(lambda p: paint(rect(p.op("q_norm")), rect(p.op("proj")))),
    "a matmul painted as a norm": on2(lambda p: rect(p.op("proj")).set("fill", rect(p.op("q_norm")).get("fill"))),
    "a border like another class": on2(lambda p: rect(p.op("proj")).set("stroke", rect(p.op("q_norm")).get("stroke"))),
    "a border as thin as others": on2(lambda p: rect(p.op("proj")).set("stroke-width", "0.75")),
    "one border instead of two": on2(lambda p: p.op("mix").remove(rect(p.op("mix"), 1))),
    "a norm with other corners": on2(lambda p: rect(p.op("ff_norm")).set("rx", "3")),
    "no diamond for a weight": on2(lambda p: p.op("up").remove(p.op("up").find(SVG + "path"))),
    "a diamond without a weight": at("olmo1-block", lambda p: move(p.double(p.op("proj").find(SVG + "path")), 0,
                                     side(p, "merge")["right"][1] - side(p, "proj")["right"][1])),
    "a sum drawn as a product": on2(cross_sign),
    "a product drawn as a sum": on2(add_for_gate),
    "a mark is gone": on2(lambda p: p.drop(p.op("mask"))),
    "a mark with its edges is gone": on2(lambda p: [p.drop(e) for e in (p.op("k_norm"), p.edge("split k_norm"), p.edge("k_norm k_heads"))]),
    "a mark is there twice": on2(lambda p: p.double(p.op("q_heads"), 0, 90)),
    "a mark has moved": on2(lambda p: move(p.op("silu"), 60, 0)),
    "a mark without words": on2(lambda p: p.add("rect", x=30, y=300, width=60, height=15, rx=3, fill="#fff", stroke="#77808c")),
    "the input has no end": on2(lambda p: p.one(input="z").remove(rect(p.one(input="z")))),
    "the output is called input": on2(lambda p: say(p.one(output="z2"), "output", "input")),
    "another output": on2(lambda p: say(p.one(output="z2"), "″", "′")),
    # shapes and names
    "another symbol in a shape": on2(lambda p: say(shape(p, "merge"), "C", "H")),
    "scores as wide as heads": on2(lambda p: say(shape(p, "scores"), "T", "C")),
    "a shape is gone": on2(lambda p: p.drop(shape(p, "q_heads"))),
    "a shape beside another line": on2(lambda p: move(shape(p, "scores"), 0, 86)),
    "two shapes change places": on2(lambda p: p.swap(shape(p, "qkv"), shape(p, "mix"))),
    "a shape belongs to nothing": on2(lambda p: move(shape(p, "merge"), 75, 0)),
    "names of q and k change places": on2(lambda p: p.swap(name(p, "q"), name(p, "k"))),
    "another name": on2(lambda p: say(name(p, "probs"), "A", "S")),
    "a name is gone": on2(lambda p: p.drop(name(p, "mix"))),
    "a sum without its prime": on2(lambda p: say(name(p, "z1"), "′", "")),
    "a name on a nameless line": on2(lambda p: p.double(name(p, "mix"), 0, 59)),
    # panels
    "a panel that ends too early": on2(shorten),
    "a panel that takes in the sum": on2(widen),
    "a panel that leaves marks out": on2(narrow),
    "a panel is gone": on2(lambda p: p.one(panel="mlp").remove(rect(p.one(panel="mlp")))),
    "a layer of another kind": at("olmo3", lambda p: cells(p)[6].set("fill", fill(p, cells(p)[5]))),
    "a layer too few": at("olmo3", lambda p: p.one(panel="layers").remove(cells(p)[-1])),
    "two kinds of one look": at("olmo3", lambda p: cells(p)[0].set("fill", fill(p, cells(p)[1]))),
    "another number of layers of a kind": at("olmo3", lambda p: say(p.one(panel="layers"), "12", "21")),
    "kinds with each other's names": at("olmo3", lambda p: [say(p.one(panel="layers"), "window", "fool"), say(p.one(panel="layers"), "full",
                                     "window"), say(p.one(panel="layers"), "fool", "full")]),
    "another title of a panel": on2(lambda p: say(p.one(panel="mlp"), "SwiGLU", "GELU")),
    "other parameters of a panel": on2(lambda p: say(p.one(panel="mlp"), "2,163,200", "2,136,200")),
    "other FLOPs of a panel": on2(lambda p: say(p.one(panel="attn"), "676.1", "667.1")),
    # legend and key
    "another count of marks": on2(lambda p: say(p.one("text", number="steps(class = weight_matmul)"), "5", "7")),
    "another count of matmuls": on2(lambda p: say(p.one("text", number="count(class = weight_matmul)"), "7", "6")),
    "another share": on2(lambda p: say(p.one("text", number="share(weight_matmul)"), "92.5", "95.2")),
    "another count of a kind": on2(lambda p: say(p.one("text", number="count(class = other, kind = rotation)"), "2", "3")),
    "classes of the legend change places": on2(lambda p: p.swap(texts(p.one(legend="norm"))[0], texts(p.one(legend="other"))[0])),
    "a class looks like another": on2(lambda p: paint(rect(p.one(legend="norm")), rect(p.one(legend="other")))),
    "a class is gone from the legend": on2(lambda p: p.drop(p.one(legend="norm"))),
    "norms called by another name": on2(lambda p: say(p.one(legend="norm"), "RMSNorm", "LayerNorm")),
    "norms said to have no weights": on2(lambda p: say(p.one(legend="norm"), "with a learned gain", "without weights")),
    "more steps in the key": on2(lambda p: say(p.one("text", number="steps()"), "24", "25")),
    "other parameters in all": on2(lambda p: say(p.one("text", number="params()"), "3,213,312", "3,211,264")),
    "a join counts as something else": on2(lambda p: say(next(t for t in texts(p.one(part="key")) if "fuses" in "".join(t.itertext())), "v", "o")),
    # sentences and numbers
    "another sentence": on2(lambda p: say(p.one(claim="no_bias"), "No biases", "Biases")),
    "a sentence is gone": on2(lambda p: p.drop(p.one(claim="rows_sum"))),
    "a sentence is there twice": on2(lambda p: p.double(p.one(claim="rows_sum"), -208, 100)),
    "a sentence without its tick": on2(untick),
    "a tick on what nothing proves": on2(lambda p: paint_tick(p)),
    "a note said to be checked": on2(lambda p: say(p.one(part="notes"), "(unchecked)", "")),
    "another number in a sentence": on2(lambda p: say(p.one(claim="h_ff_rule"), "1408", "1048")),
    "another number beside a mark": at("olmo3-block", lambda p: say(p.one(callout="window"), "96", "69")),
    "words beside another mark": on2(lambda p: move(p.one(callout="post_norm_ff"), 0, -31 * 2)),
    "other words beside a mark": on2(lambda p: say(p.one(callout="post_norm_ff"), "after", "before")),
    "a mark without its accent": on2(lambda p: p.drop(p.all("g", callout="qk_norm")[1])),
    "an accent on another mark": on2(lambda p: move(p.all("g", callout="qk_norm")[1], 0,
                                     side(p, "k_heads")["left"][1] - side(p, "k_norm")["left"][1])),
    "words that nothing leads to": at("qwen3-block", lambda p: p.drop(leader(p)[1])),
    "a line that leads from another place": at("qwen3-block", lambda p: move(leader(p)[1], 0, -16)),
    "a line that does not come to its words": at("qwen3-block", lambda p: move(leader(p)[1], 20, 0)),
    "a line that leads from another mark": at("qwen3-block", lambda p: [move(e, 0, side(p, "v_heads")["left"][1] -
                                              side(p, "v_repeat")["left"][1]) for e in leader(p)[:2]]),
    "other words at a line that leads": at("qwen3-block", lambda p: say(p.parent(leader(p)[1]), "2", "4")),
    "another size": on2(lambda p: say(p.one("text", number="T"), "256", "512")),
    "another meaning of a size": on2(lambda p: say(p.one(part="dims"), "heads", "layers")),
    "a size is gone": on2(lambda p: [p.one(part="dims").remove(t) for t in texts(p.one(part="dims"))[:3]]),
    "another title": on2(lambda p: say(p.one(part="title"), "block", "network")),
    "another subtitle": on2(lambda p: say(p.one(part="subtitle"), "after", "before")),
    "another digest": on2(lambda p: say(p.one(part="footer"), "digest ", "digest 0")),
    "another description": on2(lambda p: say(p.root.find(SVG + "desc"), "12 softmax over keys reads the result of 11", "12 softmax over keys reads S")),
    "another spec inside": on2(lambda p: say(p.root.find(SVG + "metadata"), "W_proj", "W_o")),
    # what hides or is hidden
    "white over a mark": on2(lambda p: p.add("rect", fill="#fff", **dict(zip(("x", "y"), box(p.op("mask")))), width=128, height=15)),
    "words painted like their mark": on2(lambda p: texts(p.op("mask"))[1].set("fill", "#fff")),
    "a mark painted over its words": on2(z_order),
    "invisible words": on2(lambda p: texts(p.op("mask"))[1].set("fill", "none")),
    "half transparent": on2(lambda p: p.op("mask").set("opacity", "0.1")),
    "turned around": on2(lambda p: p.op("mask").set("transform", "translate(0 60)")),
    "a picture inside": on2(lambda p: p.add("image", x=0, y=0, width=10, height=10)),
    "more words": on2(lambda p: p.add("text", "not quite", x=40, y=330, fill="#1d232b", font_size=8)),
    "words outside of the page": on2(lambda p: move(texts(p.one(part="footer"))[0], 0, 40)),
    "tiny words": on2(lambda p: texts(p.op("mask"))[1].set("font-size", "4")),
}

TAGS = {
    "another op": lambda p: p.op("mask").set("data-op", "probs"),
    "no op": lambda p: p.op("mask").attrib.pop("data-op"),
    "another class": lambda p: p.op("mask").set("data-class", "norm"),
    "another edge": lambda p: p.edge("v_heads mix").set("data-edge", "v_heads scores.b"),
    "another operand": lambda p: p.edge("q_rope scores").set("data-edge", "q_rope scores.b"),
    "another value": lambda p: p.edge("v_heads mix").set("data-value", "v"),
    "another shape": lambda p: shape(p, "merge").set("data-shape", "mix"),
    "another name": lambda p: name(p, "probs").set("data-name", "scores"),
    "another panel": lambda p: p.one(panel="mlp").set("data-panel", "attn"),
    "another claim": lambda p: p.one(claim="scale").set("data-claim", "no_bias"),
    "another class of the legend": lambda p: p.one(legend="norm").set("data-legend", "other"),
    "another number": lambda p: p.one("text", number="T").set("data-number", "C"),
    "another record": lambda p: p.root.find(SVG + "metadata").set("data-record", "0" * 64),
}


def second_sum(p):
    """The rail of the second sum starts at the norm, not at the first sum."""
    edge, (x, y) = p.edge("z1 z2"), side(p, "attn_norm")["bottom"]
    tip = re.match(r"M([\d.]+) ([\d.]+)", list(edge)[1].get("d"))
    tx, ty = (float(n) for n in tip.groups())
    p.redraw(edge, (x, y), (x, y + 9), (tx, y + 9), (tx, ty))


def recolour(p):
    fill = rect(p.op("proj")).get("fill")
    for e in p.root.iter():
        if e.get("fill") == fill:
            e.set("fill", "#ccd8f8")


HARMLESS = {
    "a class in another colour everywhere": recolour,
    "a panel a point higher": lambda p: rect(p.one(panel="mlp")).set("y", "%g" % (box(p.one(panel="mlp"))[1] - 1)),
    "a name half a point aside": lambda p: move(name(p, "probs"), .5, 0),
    "other names of fonts": lambda p: [e.set("font-family", "serif") for e in p.root.iter() if e.get("font-family")],
}


def paint_tick(p):
    note, tick = p.one(part="notes").find(SVG + "path"), p.one(claim="scale").find(SVG + "path")
    x, y = (float(n) for n in re.match(r"M([\d.]+) ([\d.]+)", note.get("d")).groups())
    note.set("d", "M%g %gL%g %gL%g %g" % (x - 4.5, y + 2, x - 2.6, y + 3.9, x + .9, y - .3))
    paint(note, tick)


def main():
    with tempfile.TemporaryDirectory() as folder:
        records = {p.stem: record(p.stem, folder) for p in sorted((ROOT / "spec/models").glob("*.yaml"))}
        for spec, run, how in DRAWN:
            figure = pathlib.Path(folder, "figure.svg")
            name = ROOT / spec if "/" in spec else spec
            opfig("draw", "--quiet", name, "-o", figure, *run, *how)
            findings, _ = check(figure.read_text(encoding="utf-8"), record(name, folder, *run))
            rule(f"second checker: {' '.join([spec, *run, *how])} holds when it is drawn", findings)
    pages = {}
    for spec in records:
        for theme in ("", "-print"):
            path = ROOT / f"out/{spec}{theme}.svg"
            findings, found = check(path.read_text(encoding="utf-8"), records[spec])
            rule(f"second checker: out/{path.name} holds", findings)
            if spec in TRUE and found:
                rule(f"second checker: out/{path.name} is the truth", compare(ROOT / f"tests/checker/truth/{spec}.csv", found))
        pages[spec] = (ROOT / f"out/{spec}.svg").read_text(encoding="utf-8")

    def missed(edits, see, wanted):
        for what, edit in edits.items():
            spec, edit = edit if isinstance(edit, tuple) else ("olmo2-block", edit)
            page = Page(pages[spec])
            try:
                edit(page)
            except (LookupError, StopIteration, AttributeError, TypeError) as error:
                yield f"{what}: the edit does not fit the figure: {error!r}"
                continue
            source = see(page)
            findings, found = check(source, records[spec], hints=see is Page.tagged)
            if source == untouched[spec, see]:
                yield f"{what}: nothing was changed"
            if "-v" in sys.argv:
                print(f"# {what}: {findings}")
            if bool(findings) != wanted:
                yield f"{what}: {'; '.join(findings) or 'not found'}"

    untouched = {(spec, see): see(Page(pages[spec])) for spec in (*TRUE, "olmo3") for see in (Page.seen, Page.tagged)}
    for spec in TRUE:
        bare, _ = check(untouched[spec, Page.seen], records[spec], hints=False)
        rule(f"second checker: {spec} can be read without tags", bare)
    rule(f"second checker: each of {len(EDITS)} edits of a picture is seen", missed(EDITS, Page.seen, True))
    rule(f"second checker: each of {len(TAGS)} edits of tags is found", missed(TAGS, Page.tagged, True))
    rule(f"second checker: {len(HARMLESS)} edits without meaning are not", missed(HARMLESS, Page.tagged, False))


main()
done()
