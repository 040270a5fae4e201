# SPDX-License-Identifier: MIT
"""A good figure broken on purpose, one way after another: each edit is made in the file as a
hand would make it, and names the rule that has to notice. The figure is that of `olmo2-gated`;
places are looked up in it, so that it may be laid out anew."""
import copy
import re
import xml.etree.ElementTree as ET

from figure import SVG, parse

SPEC = "olmo2-gated"
ET.register_namespace("", "http://www.w3.org/2000/svg")


def moved(words, dx, dy):
    """A path's data, moved."""
    pairs = iter((dx, dy) * (words.count(" ") + words.count("L") + words.count("C") + 2))
    return re.sub(r"-?[0-9.]+", lambda n: f"{float(n.group()) + next(pairs):.2f}", words)


def move(element, dx, dy):
    for part in element.iter():
        for key, by in (("x", dx), ("y", dy)):
            if part.get(key):
                part.set(key, f"{float(part.get(key)) + by:.2f}")
        if part.get("d"):
            part.set("d", moved(part.get("d"), dx, dy))


class Edit:
    """A copy of the file to break, with ways to find things in it."""

    def __init__(self, source, record):
        self.root = ET.fromstring(source)
        self.figure = parse(source)
        self.record = copy.deepcopy(record)
        self.marks = {(mark.kind, mark.id): mark for mark in self.figure.marks}
        self.edges = {f"{e.source} {e.target}.{e.port}": e for e in self.figure.edges}

    def find(self, kind, name, nth=0):
        return self.root.findall(f".//*[@data-{kind}='{name}']")[nth]

    def line(self, name):
        return self.find("edge", name)[0]

    def head(self, name):
        return self.find("edge", name)[1]

    def label(self, name):
        return self.root.findall(f".//{SVG}text[@data-name='{name}']")[0]

    def drawn(self, words):
        """The texts of the figure as parsed, by their words."""
        return next(text for text in self.figure.texts if text.words == words)

    def put(self, element, text, x, y):
        """Move an element so that the middle of a text of it comes to lie on a point."""
        box = text.box
        move(element, x - (box[0] + box[2]) / 2, y - (box[1] + box[3]) / 2)

    def named(self, kind, value):
        return next(text for text in self.figure.labels if text.owner == (kind, value))

    def text(self):
        return ET.tostring(self.root, encoding="unicode")


def mark_on_neighbour(e):
    """a mark moved by 10 pt onto its neighbour: marks lie apart"""
    pairs = ((a, b) for a in e.figure.marks for b in e.figure.marks if a.kind == b.kind == "op"
             and 0 < b.ink[1] - a.ink[3] < 10 and a.ink[0] < b.ink[2] and b.ink[0] < a.ink[2])
    move(e.find("op", next(pairs)[0].id), 0, 10)


def mark_moved(e):
    """a mark moved by 3 pt, its edges not: edges start on the writer and end on the reader"""
    move(e.find("op", "attn_norm"), 0, 3)


def end_off(e):
    """the end of an edge moved 5 pt off: edges start on the writer and end on the reader"""
    e.head("merge opened.b").set("d", moved(e.head("merge opened.b").get("d"), 0, -5))
    line = e.line("merge opened.b")
    x, y = e.edges["merge opened.b"].line.pieces[-1][1][-1]
    line.set("d", re.sub(r"L\S+ \S+$", f"L{x} {y - 5:.2f}", line.get("d")))


def end_short(e):
    """the end of an edge moved 1 pt off: edges start on the writer and end on the reader"""
    e.head("merge opened.b").set("d", moved(e.head("merge opened.b").get("d"), 0, -1))


def start_off(e):
    """the start of an edge moved 5 pt off: edges start on the writer and end on the reader"""
    line = e.line("merge opened.b")
    x, y = e.edges["merge opened.b"].start
    line.set("d", re.sub(r"^M[^L]*", f"M{x} {y + 5:.2f}", line.get("d")))


def ends_exchanged(e):
    """two edges that change places: edges start on the writer and end on the reader"""
    one, two = e.find("edge", "mask probs.x"), e.find("edge", "probs mix.a")
    for i in (0, 1):
        a, b = one[i].get("d"), two[i].get("d")
        one[i].set("d", b)
        two[i].set("d", a)


def text_on_edge(e):
    """a text moved onto an edge: edges run through no mark and no text"""
    x, y = e.edges["sigmoid opened.a"].straight[0][0]
    e.put(e.label("scores"), e.named("name", "scores"), x, y + 40)


def edge_through_mark(e):
    """an edge led through a mark: edges run through no mark and no text"""
    x0, y0, x1, y1 = e.marks["op", "probs"].ink
    e.line("sigmoid opened.a").set("d", f"M{x0 + 9} {y0 - 9}L{x0 + 9} {y1 + 9}")


def text_on_text(e):
    """a text moved onto another: texts lie apart"""
    box = e.drawn("softmax over keys").box
    e.put(e.label("scores"), e.named("name", "scores"), box[0] + 6, (box[1] + box[3]) / 2)


def text_on_border(e):
    """a text moved onto the border of a panel: texts are clear of borders, signs and dots"""
    x0, y0, x1, y1 = e.figure.panels["attn"].box
    e.put(e.label("scores"), e.named("name", "scores"), x0, (y0 + y1) / 2)


def text_on_frame(e):
    """the words in a double frame moved onto the inner one: texts are clear of inner frames"""
    words = e.find("op", "mix").findall(f"{SVG}text")[-1]
    move(words, 0, 5)


def text_in_mark(e):
    """a label moved into a mark: what stands in a mark is its own"""
    x0, y0, x1, y1 = e.marks["op", "probs"].ink
    e.put(e.label("scores"), e.named("name", "scores"), x1 - 6, (y0 + y1) / 2)


def text_far(e):
    """a label moved 12 pt off its edge: each text has one owner, the one that the file says"""
    move(e.label("scores"), -12, 0)


def text_of_another(e):
    """a label that says another value: each text has one owner, the one that the file says"""
    e.label("scores").set("data-name", "probs")


def shape_of_another(e):
    """a shape that says another value: each text has one owner, the one that the file says"""
    e.find("shape", "down").set("data-shape", "gate")


def callout_elsewhere(e):
    """a callout on the row of another mark: each text has one owner, the one that the file says"""
    a, b = e.marks["op", "attn_norm"].ink, e.marks["op", "proj"].ink
    move(e.find("callout", "post_norm"), 0, b[1] - a[1])


def bar_elsewhere(e):
    """a claim's bar at a mark that it is not about: each text has one owner, the one that the file says"""
    a, b = e.marks["op", "k_norm"].ink, e.marks["op", "k_heads"].ink
    move(e.find("callout", "qk_norm", 1), 0, b[1] - a[1])


def lead(e, claim, width, dx, dy):
    """A leader from the middle of a claim's bar."""
    group = e.find("callout", claim)
    (x, y), (_, to) = next(bar for name, bar, _ in e.figure.callouts if name == claim).segments[0]
    line = ET.SubElement(group, f"{SVG}path", {
        "d": f"M{x:.2f} {(y + to) / 2:.2f}L{x + dx:.2f} {(y + to) / 2 + dy:.2f}", "fill": "none",
        "stroke": group[0].get("stroke"), "stroke-width": str(width)})
    group.remove(line)
    group.insert(1, line)
    return group[2:]


def leader_bold(e):
    """a leader as bold as an edge: leaders are thin, keep clear and pass edges squarely"""
    lead(e, "post_norm", 0.85, -3, 0)


def leader_slanted(e):
    """a leader that goes down to its words: leaders are thin, keep clear and pass edges squarely"""
    lead(e, "post_norm", 0.5, -3, 2)


def leader_short(e):
    """a leader that does not come to its words: leaders are thin, keep clear and pass edges squarely"""
    for text in lead(e, "post_norm", 0.5, -3, 0):
        move(text, -20, 0)


def leader_along(e):
    """a leader on an edge: leaders are thin, keep clear and pass edges squarely"""
    (x, y), _ = e.edges["attn_norm z1.b"].straight[0]
    line = lead(e, "post_norm", 0.5, -3, 0)
    e.find("callout", "post_norm")[1].set("d", f"M{x + 4:.2f} {y:.2f}L{x + 40:.2f} {y:.2f}")
    assert line


def led_words_elsewhere(e):
    """words at a leader on the row of another mark: each text has one owner, the one that the file says"""
    a, b = e.marks["op", "attn_norm"].ink, e.marks["op", "proj"].ink
    for text in lead(e, "post_norm", 0.5, -3, 0):
        move(text, 0, b[1] - a[1])


def claim_elsewhere(e):
    """a claim of another op: each text has one owner, the one that the file says"""
    next(c for c in e.record["facts"]["claims"] if c["id"] == "post_norm")["at"] = "proj"


def dot_moved(e):
    """a dot moved along its line: dots stand where one value forks, and only there"""
    move(e.find("fork", "z1"), 20, 0)


def dot_gone(e):
    """a fork without its dot: dots stand where one value forks, and only there"""
    parent = next(p for p in e.root.iter() if e.find("fork", "z1") in list(p))
    parent.remove(e.find("fork", "z1"))


def dot_of_another(e):
    """a dot where values cross: edges cross at right angles, away from bends"""
    e.find("fork", "z1").set("data-fork", "z")


def edge_gone(e):
    """an edge left out: the marks and edges of the record, one each"""
    parent = next(p for p in e.root.iter() if e.find("edge", "mask probs.x") in list(p))
    parent.remove(e.find("edge", "mask probs.x"))


def edge_renamed(e):
    """an edge to another operand: the marks and edges of the record, one each"""
    e.find("edge", "probs mix.a").set("data-edge", "probs mix.b")


def class_changed(e):
    """a mark of another class: the marks and edges of the record, one each"""
    e.find("op", "mix").set("data-class", "weight_matmul")


def panel_small(e):
    """a panel that ends above its last mark: panels hold their marks and nest"""
    frame = e.find("panel", "attn").find(f"{SVG}rect")
    frame.set("height", str(float(frame.get("height")) - 40))


def panel_large(e):
    """a panel that reaches a mark of another group: panels hold their marks and nest"""
    frame = e.find("panel", "attn").find(f"{SVG}rect")
    frame.set("height", str(float(frame.get("height")) + 120))


def type_small(e):
    """a label of 5.9 pt: no type is under 6 pt"""
    e.label("scores").set("font-size", "5.9")


def page_cut(e):
    """a page that ends in the footer: all lies on the page"""
    x, y, w, h = e.root.get("viewBox").split()
    e.root.set("viewBox", f"{x} {y} {w} {float(h) - 10}")
    e.root.set("height", f"{float(h) - 10}pt")


def page_scaled(e):
    """a page drawn at half its size: all lies on the page"""
    e.root.set("height", f"{float(e.root.get('height')[:-2]) / 2}pt")


def order_reversed(e):
    """operands from right to left: operands end 8 pt apart and in order"""
    next(op for op in e.record["facts"]["ops"] if op["id"] == "scores")["reads"].reverse()


def operands_close(e):
    """two operands that end 7 pt apart: operands end 8 pt apart and in order"""
    one, two = e.edges["silu gated.a"].tip, e.edges["up gated.b"].tip
    move(e.find("edge", "up gated.b"), one[0] + 7 - two[0], 0)


def segment_shared(e):
    """an edge laid on that of another value: edges of different values share nothing"""
    (x, y), (_, bottom) = e.edges["sigmoid opened.a"].straight[0]
    e.line("up gated.b").set("d", f"M{x + 0.5} {y + 20}L{x + 0.5} {bottom - 20}")


def bend_crossed(e):
    """an edge through the bend of another: edges cross at right angles, away from bends"""
    (x, y), (x1, _) = (e.edges["sigmoid opened.a"].bends[0][i] for i in (0, -1))
    x = (x + x1) / 2
    e.line("up gated.b").set("d", f"M{x:.2f} {y - 20}L{x:.2f} {y + 20}")


def end_on_line(e):
    """an edge that ends on that of another value: edges cross at right angles, away from bends"""
    (x, y), (_, bottom) = e.edges["sigmoid opened.a"].straight[0]
    middle = (y + bottom) / 2
    e.line("up gated.b").set("d", f"M{x} {middle}L{x + 30} {middle}L{x + 30} {middle + 20}")


def slanted(e):
    """a slanted edge: edges are unbroken level and upright lines with heads"""
    (x, y), (_, bottom) = e.edges["merge opened.b"].straight[0]
    e.line("merge opened.b").set("d", f"M{x} {y}L{x + 1} {bottom}")


def head_aside(e):
    """a head beside its line: heads sit on straight ends"""
    e.head("merge opened.b").set("d", moved(e.head("merge opened.b").get("d"), 2, 0))


def head_turned(e):
    """a head that points back: heads sit on straight ends"""
    x, y = e.edges["merge opened.b"].tip
    e.head("merge opened.b").set("d", f"M{x} {y - 4.4}L{x - 1.95} {y}L{x + 1.95} {y}Z")


def trunk_doubled(e):
    """a line that rounds a common corner differently: lines of one value run as one"""
    line = e.line("z1 up.a")
    line.set("d", re.sub(r"L(\S+) (\S+)C\S+ \S+ \S+ \S+ (\S+) (\S+)L", r"L\3 \2L",
                         line.get("d"), count=1))


def one_value_crossing(e):
    """lines of one value that cross without a dot: lines cross no line of their value and follow no border"""
    (x, y), (x1, _) = [s for s in e.edges["z qkv.a"].straight][1]
    e.line("z open.a").set("d", f"M{(x + x1) / 2} {y - 20}L{(x + x1) / 2} {y + 20}")


def along_border(e):
    """an edge along the border of a panel: lines cross no line of their value and follow no border"""
    x, y = e.figure.panels["mlp"].box[:2]
    e.line("up gated.b").set("d", f"M{x + 30} {y}L{x + 60} {y}")


def rail_bent(e):
    """a step in the residual stream: the residual stream is straight"""
    (x, y), (_, bottom) = e.edges["z1 z2.a"].straight[0]
    middle = (y + bottom) / 2
    e.line("z1 z2.a").set("d", f"M{x} {y}L{x} {middle}L{x - 4} {middle}L{x - 4} {bottom - 3}")


def rail_beside(e):
    """a stream that goes on beside itself: the residual stream is straight"""
    move(e.find("edge", "z1 z2.a"), 2, 0)


def bold_branch(e):
    """a branch as bold as the stream: bold is the residual stream alone"""
    e.line("merge opened.b").set("stroke-width", e.line("z1 z2.a").get("stroke-width"))


def all_edits():
    """(what is done, the rule that must notice, the function)."""
    for function in list(globals().values()):
        if callable(function) and getattr(function, "__module__", "") == __name__ and \
                function.__doc__ and ": " in function.__doc__ and "\n" not in function.__doc__:
            what, expected = function.__doc__.split(": ")
            yield what, expected, function
