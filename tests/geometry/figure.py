# SPDX-License-Identifier: MIT
"""An SVG figure as plain geometry: marks, panels, edges, dots and texts, each with where its
ink lies and what its data-* say it is. Lengths are points, y runs down, a box is (left, top,
right, bottom). What the reader does not know raises Unreadable."""
import dataclasses
import functools
import re
import xml.etree.ElementTree as ET

import numpy as np

import fonts

SVG = "{http://www.w3.org/2000/svg}"
XML = "{http://www.w3.org/XML/1998/namespace}"
KNOWN = {"g", "rect", "path", "text"}
CURVE = 16          # pieces of a flattened cubic
CIRCLE = 4          # cubics of a circle


class Unreadable(Exception):
    pass


# ---- boxes ----

def union(boxes):
    left, top, right, bottom = zip(*boxes)
    return min(left), min(top), max(right), max(bottom)


def box_of(points):
    xs, ys = zip(*points)
    return min(xs), min(ys), max(xs), max(ys)


def grow(box, by):
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def meet(a, b, slack=0.0):
    """Do the boxes overlap by more than slack?"""
    return (min(a[2], b[2]) - max(a[0], b[0]) > slack and
            min(a[3], b[3]) - max(a[1], b[1]) > slack)


def inside(a, b, slack=0.0):
    return (a[0] >= b[0] - slack and a[1] >= b[1] - slack and
            a[2] <= b[2] + slack and a[3] <= b[3] + slack)


def meeting(boxes, others, slack=0.0):
    """Pairs of indices (of boxes, of others) that overlap by more than slack."""
    if not boxes or not others:
        return []
    a, b = np.array(boxes)[:, None, :], np.array(others)[None, :, :]
    return np.argwhere((np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0]) > slack) &
                       (np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1]) > slack)
                       ).tolist()


def gap(a, b):
    """Distance between two boxes, 0 where they touch."""
    dx = max(a[0] - b[2], b[0] - a[2], 0)
    dy = max(a[1] - b[3], b[1] - a[3], 0)
    return (dx * dx + dy * dy) ** 0.5


# ---- what a figure holds ----

@dataclasses.dataclass
class Shape:
    """A rectangle or a path: its outline as flattened lines, and its ink."""
    kind: str                   # rect or path
    pieces: list                # of (kind, points): "L" straight, "C" a flattened cubic
    closed: bool
    fill: bool
    stroke: float               # width, 0 without
    round: float = 0.0          # radius of a rectangle's corners

    @functools.cached_property
    def box(self):
        """Of the outline, without the width of the stroke."""
        return union((x, y, x, y) for _, points in self.pieces for x, y in points)

    @functools.cached_property
    def ink(self):
        return grow(self.box, self.stroke / 2)

    @functools.cached_property
    def segments(self):
        return [(a, b) for _, points in self.pieces for a, b in zip(points, points[1:])]

    @functools.cached_property
    def strokes(self):
        """Boxes of the ink of the outline."""
        return [grow(box_of(segment), self.stroke / 2) for segment in self.segments]

    @functools.cached_property
    def is_circle(self):
        x0, y0, x1, y1 = self.box
        return (self.closed and len(self.pieces) == CIRCLE and abs((x1 - x0) - (y1 - y0)) < 0.1 and
                all(kind == "C" for kind, _ in self.pieces))


@dataclasses.dataclass
class Text:
    words: str
    glyphs: list                # boxes of ink
    sizes: list
    owner: tuple                # ("op", id), ("name", value), … of the nearest element with data-*
    number: bool = False

    @functools.cached_property
    def box(self):
        return union(self.glyphs)


@dataclasses.dataclass
class Mark:
    kind: str                   # op, input, output
    id: str
    cls: str
    body: Shape                 # what edges end on
    rest: list                  # signs, inner borders, diamonds
    texts: list

    @property
    def name(self):
        return f"{self.kind} {self.id}"

    @property
    def ink(self):
        return self.body.ink

    @property
    def is_fork(self):
        """A split is a dot or a bar, ink all over."""
        return self.kind == "op" and self.body.fill and not self.body.stroke


@dataclasses.dataclass
class Edge:
    source: str
    target: str
    port: str
    value: str
    line: Shape
    head: Shape

    @property
    def name(self):
        return f"edge {self.source} {self.target}.{self.port}"

    @property
    def start(self):
        return self.line.pieces[0][1][0]

    @property
    def tip(self):
        return self.head.pieces[0][1][0]

    @property
    def base(self):
        """The two corners of the head behind its tip."""
        return self.head.pieces[0][1][1], self.head.pieces[1][1][1]

    @functools.cached_property
    def straight(self):
        """The straight pieces, the last one up to the tip of the head."""
        pieces = [tuple(points) for kind, points in self.line.pieces if kind == "L"]
        if pieces and self.line.pieces[-1][0] == "L":
            begin, (x, y) = pieces[-1][0], self.tip
            if abs(x - begin[0]) < 0.05 or abs(y - begin[1]) < 0.05:
                pieces[-1] = (begin, self.tip)
        return pieces

    @functools.cached_property
    def bends(self):
        return [points for kind, points in self.line.pieces if kind == "C"]

    @functools.cached_property
    def solid(self):
        """Boxes of all ink: bends in short pieces, the head in slices."""
        (x, y), (a, b) = self.tip, self.base
        slices = [union((u, v, u, v) for share in (i / 4, (i + 1) / 4) for u, v in (
            (x + share * (a[0] - x), y + share * (a[1] - y)),
            (x + share * (b[0] - x), y + share * (b[1] - y)))) for i in range(4)]
        return self.line.strokes + slices

    @functools.cached_property
    def whole(self):
        return union(self.solid)


@dataclasses.dataclass
class Figure:
    page: tuple                 # box
    size: tuple                 # width and height as the file says, in points
    spec: str                   # name
    source: str                 # the spec itself
    options: str
    digest: str
    marks: list
    panels: dict                # id: Shape
    panel_texts: list           # (id, Text)
    edges: list
    forks: list                 # (value, Shape)
    callouts: list              # (claim, bar, [Text]); a bar without words accents one more mark
    leaders: list               # (claim, bar, line, [Text]); words that a line leads to from their bar
    labels: list                # texts with data-name or data-shape outside of marks
    others: list                # (part, Text) of title, legend, claims …
    shapes: list                # (part, Shape) of the same and of nothing
    texts: list                 # all
    ink: list                   # (what, box) of all


# ---- reading ----

def number(word):
    try:
        return float(word)
    except ValueError:
        raise Unreadable(f"no number: {word!r}") from None


def read_path(words):
    tokens = re.findall(r"[A-Za-z]|-?[0-9.]+", words)
    if "".join(tokens) != re.sub(r"[\s,]", "", words):
        raise Unreadable(f"path {words!r}")
    pieces, at, begin, closed, i = [], None, None, False, 0
    command = None

    def points(count):
        nonlocal i
        found = [(number(tokens[i + 2 * k]), number(tokens[i + 2 * k + 1])) for k in range(count)]
        i += 2 * count
        return found

    while i < len(tokens):
        if tokens[i].isalpha():
            command = tokens[i]
            i += 1
        if command == "M":
            at = begin = points(1)[0]
        elif command == "L":
            to = points(1)[0]
            pieces.append(("L", [at, to]))
            at = to
        elif command == "C":
            b, c, d = points(3)
            pieces.append(("C", [cubic(at, b, c, d, k / CURVE) for k in range(CURVE + 1)]))
            at = d
        elif command == "Z":
            if at != begin:
                pieces.append(("L", [at, begin]))
            at, closed = begin, True
        else:
            raise Unreadable(f"path command {command!r} in {words!r}")
    if not pieces:
        raise Unreadable(f"empty path {words!r}")
    return pieces, closed


def cubic(a, b, c, d, t):
    u = 1 - t
    return tuple(u ** 3 * p + 3 * u * u * t * q + 3 * u * t * t * r + t ** 3 * s
                 for p, q, r, s in zip(a, b, c, d))


def read_shape(kind, style):
    fill = style.get("fill", "#000") != "none"
    stroke = number(style.get("stroke-width", "1")) if style.get("stroke", "none") != "none" else 0.0
    if kind == "path":
        pieces, closed = read_path(style["d"])
        return Shape("path", pieces, closed, fill, stroke)
    x, y, w, h = (number(style[key]) for key in ("x", "y", "width", "height"))
    corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)]
    return Shape("rect", [("L", list(pair)) for pair in zip(corners, corners[1:])], True, fill,
                 stroke, number(style.get("rx", "0")))


OWN = {"x", "y", "width", "height", "rx", "d", "id"}     # not inherited


def styled(parent, element):
    style = {key: value for key, value in parent.items() if key not in OWN}
    style.update(element.attrib)
    for key in style:
        if key in ("transform", "style", "opacity", "clip-path", "mask", "filter", "dx", "dy"):
            raise Unreadable(f"attribute {key}")
    return style


def read_text(element, style, owner):
    """The glyphs of a <text>: each run stands where its x says, else behind the one before."""
    glyphs, sizes, words = [], [], []
    pen = [number(style["x"]), number(style["y"])]

    def run(string, style):
        if not string:
            return
        size = number(style["font-size"])
        sizes.append(size)
        if style.get("fill") == "none":
            return
        file = fonts.file_of(style["font-family"], style.get("font-weight", "400"),
                             style.get("font-style") == "italic")
        if file is None:
            raise Unreadable(f"font of {string!r}: {style['font-family']}")
        try:
            boxes, pen[0] = fonts.ink(file, size, pen[0], pen[1], string)
        except KeyError:
            raise Unreadable(f"{string!r} has a letter that is not in {file}") from None
        glyphs.extend(boxes)
        words.append(string)

    run(element.text, style)
    for child in element:
        if child.tag != SVG + "tspan" or len(child):
            raise Unreadable(f"{child.tag} in a text")
        inner = styled(style, child)
        pen = [number(child.get("x", pen[0])), number(child.get("y", pen[1]))]
        run(child.text, inner)
        run(child.tail, style)
    if not glyphs:
        raise Unreadable("a text without ink")
    return Text("".join(words), glyphs, sizes, owner, "data-number" in element.attrib)


KINDS = ("op", "input", "output", "edge", "fork", "panel", "callout", "name", "shape", "part",
         "legend", "claim", "number")


def owner_of(element, above):
    for kind in KINDS:
        if "data-" + kind in element.attrib and not (kind == "number" and above):
            return kind, element.get("data-" + kind)
    return above


def parse(source):
    root = ET.fromstring(source)
    if root.tag != SVG + "svg":
        raise Unreadable("no SVG")
    box = [number(word) for word in root.get("viewBox").split()]
    size = []
    for key in ("width", "height"):
        found = re.fullmatch(r"([0-9.]+)pt", root.get(key, ""))
        if not found:
            raise Unreadable(f"{key} {root.get(key)!r} is not in pt")
        size.append(float(found.group(1)))
    about = root.find(SVG + "metadata")
    figure = Figure((box[0], box[1], box[0] + box[2], box[1] + box[3]), tuple(size),
                    about.get("data-spec"), about.text, about.get("data-options"),
                    about.get("data-record"), [], {}, [], [], [], [], [], [], [], [], [], [])
    paper = []

    def walk(element, style, owner, parts):
        """parts: where to put shapes and texts of the nearest element with a meaning."""
        tag = element.tag.replace(SVG, "")
        if tag in ("title", "desc", "metadata", "style"):
            return
        if tag not in KNOWN:
            raise Unreadable(f"element {tag}")
        style = styled(style, element)
        mine = owner_of(element, owner)
        if tag == "g":
            if mine != owner:
                parts = []
            for child in element:
                walk(child, style, mine, parts)
            if mine != owner:
                keep(figure, mine, element, parts)
            return
        item = read_text(element, style, mine) if tag == "text" else read_shape(tag, style)
        if tag == "rect" and not paper and item.box == figure.page and owner is None:
            paper.append(item)
            return
        figure.ink.append((describe(mine, item), item.box if tag == "text" else item.ink))
        if tag == "text":
            figure.texts.append(item)
        if parts is not None:
            parts.append(item)
        elif tag == "text" and mine and mine[0] in ("name", "shape"):
            figure.labels.append(item)
        elif tag == "text":
            figure.others.append((mine, item))
        else:
            figure.shapes.append((mine, item))

    for child in root:
        walk(child, dict(root.attrib), None, None)
    return figure


def describe(owner, item):
    where = " ".join(owner) if owner else "nothing"
    return f"text {item.words!r} of {where}" if isinstance(item, Text) else f"{item.kind} of {where}"


def keep(figure, owner, element, parts):
    """Take an element with a meaning apart into what the rules speak of."""
    kind, name = owner
    shapes = [part for part in parts if isinstance(part, Shape)]
    texts = [part for part in parts if isinstance(part, Text)]
    if kind in ("op", "input", "output"):
        if not shapes:
            raise Unreadable(f"{kind} {name} has no mark")
        figure.marks.append(Mark(kind, name, element.get("data-class", ""), shapes[0],
                                 shapes[1:], texts))
    elif kind == "edge":
        found = re.fullmatch(r"(\S+) (\S+)\.(\S+)", name)
        if not found or len(shapes) != 2 or texts:
            raise Unreadable(f"edge {name!r} is not one line and one head")
        figure.edges.append(Edge(*found.groups(), element.get("data-value"), *shapes))
    elif kind == "fork":
        if len(shapes) != 1 or texts:
            raise Unreadable(f"fork {name!r} is not one dot")
        figure.forks.append((name, shapes[0]))
    elif kind == "panel":
        if not shapes or any(shape.kind != "rect" or not inside(shape.ink, shapes[0].ink) for shape in shapes[1:]):
            raise Unreadable(f"panel {name!r} is not one frame with cells in it")
        figure.panels[name] = shapes[0]
        figure.shapes += [(owner, shape) for shape in shapes[1:]]
        figure.panel_texts += [(name, text) for text in texts]
    elif kind == "callout":
        if not 1 <= len(shapes) <= 2 or len(shapes) == 2 and not texts:
            raise Unreadable(f"callout {name!r} is not one bar, nor one that leads to words")
        if len(shapes) == 2:
            figure.leaders.append((name, *shapes, texts))
            texts = []
        figure.callouts.append((name, shapes[0], texts))
    else:
        figure.others += [(owner, text) for text in texts]
        figure.shapes += [(owner, shape) for shape in shapes]
