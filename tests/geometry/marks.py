# SPDX-License-Identifier: MIT
"""The promises of marks, texts, panels and the page: functions that take a Figure and the Facts
of its record, and yield the places where the promise is broken."""
import collections
import itertools

from facts import LEAST, ROUNDING, TOUCH, where
from figure import gap, inside, meet, meeting


# ---- marks and what the record knows of them ----

def is_complete(figure, facts):
    """Marks and edges are those of the record, one each."""
    drawn = collections.Counter((mark.kind, mark.id) for mark in figure.marks)
    wanted = collections.Counter([("op", name) for name in facts.ops] +
                                 [("input", name) for name in facts.inputs] +
                                 [("output", name) for name in facts.outputs])
    for name in (drawn - wanted) + (wanted - drawn):
        yield f"mark {' '.join(name)}: drawn {drawn[name]}, in the record {wanted[name]}"
    edges = collections.Counter((e.source, e.target, e.port, e.value) for e in figure.edges)
    for name in (edges - facts.edges) + (facts.edges - edges):
        yield (f"edge {name[0]} {name[1]}.{name[2]} of {name[3]}: drawn {edges[name]}, "
               f"in the record {facts.edges[name]}")
    for mark in figure.marks:
        if mark.kind != "op" or mark.id not in facts.ops:
            continue
        op = facts.ops[mark.id]
        if mark.cls != op["class"]:
            yield f"{mark.name}: drawn as {mark.cls}, in the record {op['class']}"
        drawn = "fork" if mark.is_fork else "circle" if mark.body.is_circle else "box"
        if drawn != op["mark"] and not (drawn == "box" and op["mark"] == "frame"):
            yield f"{mark.name}: drawn as {drawn}, in the record {op['mark']}"


def marks_apart(figure, facts):
    """No mark overlaps another."""
    for a, b in itertools.combinations(figure.marks, 2):
        if meet(a.ink, b.ink, TOUCH):
            yield f"{a.name} {where(a.ink)} over {b.name} {where(b.ink)}"


def inner_frames(mark):
    return [shape for shape in mark.rest if shape.kind == "rect" and not shape.fill]


def obstacles(figure):
    """(what, Shape, boxes of ink) of all that is no edge, dot, inner frame or text."""
    for mark in figure.marks:
        # a fork, a bar and a sign are ink all over, a box is paper with a border
        solid = mark.is_fork or mark.kind != "op"
        yield mark.name, mark.body, [mark.ink] if solid else mark.body.strokes
        frames = inner_frames(mark)
        for shape in mark.rest:
            if not any(shape is frame for frame in frames):
                yield f"sign of {mark.name}", shape, [shape.ink] if shape.fill else shape.strokes
    for name, shape in figure.panels.items():
        yield f"panel {name}", shape, shape.strokes
    for name, bar, _ in figure.callouts:
        yield f"callout {name}", bar, [bar.ink]
    for owner, shape in figure.shapes:
        boxed = shape.kind == "rect" or not shape.fill
        what = "shape of " + (" ".join(owner) if owner else "the page")
        yield what, shape, shape.strokes if boxed else [shape.ink]


def radical(shape, text):
    """Is the shape the sign and bar of a root in this text?"""
    return (shape.kind == "path" and shape.fill and not shape.stroke and shape.closed and
            inside((0, text.box[1], 0, text.box[3]), (0, shape.box[1] - 1, 0, shape.box[3] + 4)) and
            gap(shape.box, text.box) == 0 and "C" in [kind for kind, _ in shape.pieces] and
            len(shape.pieces) > 12)


def texts_apart(figure, facts):
    """No text overlaps another."""
    boxes = [text.box for text in figure.texts]
    for i, j in meeting(boxes, boxes):
        a, b = figure.texts[i], figure.texts[j]
        if i < j and meeting(a.glyphs, b.glyphs, TOUCH):
            yield f"text {a.words!r} {where(a.box)} over text {b.words!r} {where(b.box)}"


def texts_clear(figure, facts):
    """No text overlaps a border, a sign or a dot."""
    things = list(obstacles(figure))
    things += [(f"dot of {value}", dot, [dot.ink]) for value, dot in figure.forks]
    yield from over(figure, things)


def texts_in_frames(figure, facts):
    """No text overlaps the inner frame of a mark."""
    yield from over(figure, [(f"inner frame of {mark.name}", frame, frame.strokes)
                             for mark in figure.marks for frame in inner_frames(mark)])


def over(figure, things):
    boxes = [text.box for text in figure.texts]
    for i, j in meeting(boxes, [shape.ink for _, shape, _ in things], TOUCH):
        text, (what, shape, inks) = figure.texts[i], things[j]
        if not radical(shape, text) and meeting(text.glyphs, inks, TOUCH):
            yield f"text {text.words!r} {where(text.box)} over {what} {where(shape.ink)}"


def texts_of_marks(figure, facts):
    """What stands in a mark is that mark's text."""
    boxes = [text.box for text in figure.texts]
    for i, j in meeting(boxes, [mark.ink for mark in figure.marks], TOUCH):
        text, mark = figure.texts[i], figure.marks[j]
        if not any(text is own for own in mark.texts) and meeting(text.glyphs, [mark.ink], TOUCH):
            yield f"text {text.words!r} {where(text.box)} of {text.owner} in {mark.name} {where(mark.ink)}"


def panels_hold(figure, facts):
    """A panel holds the marks of its group and no other; panels nest as groups do."""
    for name in set(figure.panels) ^ {g for op in facts.ops.values() for g in op["group"]}:
        yield f"panel {name}: {'has no group' if name in figure.panels else 'is not drawn'}"
    for name, panel in figure.panels.items():
        for mark in figure.marks:
            member = mark.kind == "op" and name in facts.ops.get(mark.id, {"group": []})["group"]
            if member and not inside(mark.ink, panel.ink):
                yield f"{mark.name} {where(mark.ink)} is not in its panel {name} {where(panel.ink)}"
            if not member and meet(mark.ink, panel.ink, TOUCH):
                yield f"{mark.name} {where(mark.ink)} is in panel {name} {where(panel.ink)} of another group"

    def ancestors(name):
        while facts.groups.get(name):
            name = facts.groups[name]
            yield name

    for a, b in itertools.combinations(figure.panels, 2):
        one, two = figure.panels[a].ink, figure.panels[b].ink
        if a in ancestors(b):
            fine = inside(two, one)
        elif b in ancestors(a):
            fine = inside(one, two)
        else:
            fine = not meet(one, two, TOUCH)
        if not fine:
            yield f"panels {a} {where(one)} and {b} {where(two)} do not lie as their groups"
    for name, text in figure.panel_texts:
        if name in figure.panels and not inside(text.box, figure.panels[name].ink):
            yield f"text {text.words!r} {where(text.box)} leaves its panel {name}"
        for other, panel in figure.panels.items():
            if name in ancestors(other) and meet(text.box, panel.ink, TOUCH):
                yield f"text {text.words!r} of panel {name} is in panel {other}"


# ---- page ----

def on_page(figure, facts):
    """All ink lies on the page."""
    for what, box in figure.ink:
        if not inside(box, figure.page, ROUNDING):
            yield f"{what} {where(box)} leaves the page {where(figure.page)}"
    if (figure.page[2] - figure.page[0], figure.page[3] - figure.page[1]) != figure.size:
        yield f"a point of the picture is no point: page {figure.size}, view {where(figure.page)}"


def type_size(figure, facts):
    """No type is under 6 pt."""
    for text in figure.texts:
        if min(text.sizes) < LEAST - 1e-9:
            yield f"text {text.words!r} is set in {min(text.sizes)} pt"
