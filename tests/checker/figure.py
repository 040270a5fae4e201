# SPDX-License-Identifier: MIT
"""A figure as what is seen on its page: shapes and texts in points, with their paint.

`Figure(path)` reads an SVG strictly (other elements and attributes than a figure needs are
findings) and keeps `shapes` and `texts` in the order in which they are painted. The data-*
attributes around an item are in its `hints`; nothing here relies on them. A text's `said` is
made of what is visible: runs above or below the baseline become ^{…} and _{…}, a radical sign
is a drawn path, and what its bar covers is √{…}. `said` and everything compared with it has
no spaces.
"""
import math
import re
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
PAINT = {"fill", "stroke", "stroke-width", "font-family", "font-size", "font-style", "font-weight"}
MAY = {"g": PAINT | {"id"}, "rect": PAINT | {"x", "y", "width", "height", "rx"},
       "path": PAINT | {"d", "stroke-linecap"}, "text": PAINT | {"x", "y"}, "tspan": PAINT | {"x", "y"}}
SUPER = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"))


def wide(string, size):
    """About how wide a string is: no font is read, so within a tenth."""
    return size * sum(.27 if c in "ijlt.,:'| f()[]I′/" else .86 if c in "mwMW→" else
                      .66 if c.isupper() or c in "=×" else .57 for c in string)


def near(a, b, by=.05):
    return abs(a - b) <= by


class Item:
    """A shape or a text: its box (x0, y0, x1, y1), paint, place in the order, hints."""

    def __init__(self, kind, box, style, hints, order):
        self.kind, self.box, self.hints, self.order = kind, box, hints, order
        self.fill, self.stroke = style.get("fill", "#000"), style.get("stroke", "none")
        self.pen = float(style.get("stroke-width", 1)) if self.stroke != "none" else 0
        self.size = float(style.get("font-size", 0))
        self.used = False

    mid = property(lambda self: ((self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2))
    width = property(lambda self: self.box[2] - self.box[0])
    height = property(lambda self: self.box[3] - self.box[1])

    def holds(self, other, by=0):
        a, b = self.box, other if isinstance(other, tuple) else other.box
        b = b if len(b) == 4 else b * 2
        return a[0] - by <= b[0] and a[1] - by <= b[1] and a[2] + by >= b[2] and a[3] + by >= b[3]

    def off(self, x, y):
        """How far a point is from the outline, half the pen left out."""
        if self.kind == "circle":
            return max(0, abs(math.dist(self.mid, (x, y)) - self.width / 2) - self.pen / 2)
        a, b, c, d = self.box
        inside = min(abs(x - a), abs(x - c), abs(y - b), abs(y - d))
        outside = math.hypot(max(a - x, 0, x - c), max(b - y, 0, y - d))
        return max(0, (outside or inside) - self.pen / 2)

    def __str__(self):
        return "%s at (%g, %g)" % ("‘%s’" % self.said if self.kind == "text" else self.kind, *self.box[:2])


class Mark:
    """A shape that something can be read from or written to: an op, an input, an output."""

    def __init__(self, shape, form):
        self.shape, self.form, self.order = shape, form, shape.order
        self.step, self.words, self.beside, self.signs = None, [], [], []
        self.double = self.diamond = None

    def look(self):
        s = self.shape
        return s.fill, s.stroke, s.pen, s.pill, self.double is not None


def outline(d):
    """Subpaths of path data in absolute M L C Z: (points, number of curves, closed?). Of a
    curve its controls are kept as points: in rounded bends they lie in the corner."""
    parts = []
    for letter, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        xy = [float(n) for n in re.findall(r"-?[\d.]+", numbers)]
        points = list(zip(xy[::2], xy[1::2]))
        if letter == "M" and len(points) == 1:
            parts.append([points, 0, False])
        elif letter in "LC" and parts and points and (letter == "L" or len(points) == 3):
            parts[-1][0].extend(points)
            parts[-1][1] += letter == "C"
        elif letter == "Z" and parts:
            parts[-1][2] = True
        else:
            raise ValueError(f"path data: {letter}{numbers}")
    return parts


def polyline(d):
    """The corners of an open line, rounded bends taken as the corners that they round."""
    corners, here = [], None
    for letter, numbers in re.findall(r"([MLC])([^A-Z]*)", d):
        xy = [float(n) for n in re.findall(r"-?[\d.]+", numbers)]
        if letter == "C":
            (ax, ay), (bx, by) = here, xy[4:]
            flat = near(xy[1], ay, .01)  # leaves along x, arrives along y, or the reverse
            corners.append((bx, ay) if flat else (ax, by))
        here = tuple(xy[-2:])
        corners.append(here)
    lean = []
    for p in corners:  # points on a straight way are no corners
        while len(lean) > 1 and near((lean[-1][0] - lean[-2][0]) * (p[1] - lean[-2][1]),
                                     (lean[-1][1] - lean[-2][1]) * (p[0] - lean[-2][0]), .01):
            lean.pop()
        if not lean or math.dist(lean[-1], p) > .01:
            lean.append(p)
    return lean


class Figure:
    def __init__(self, source):
        self.findings, self.shapes, self.texts, self.ids = [], [], [], []
        root = ET.fromstring(source)
        self.width, self.height = (float(n) for n in root.get("viewBox").split()[2:])
        self.meta = {e.tag[len(SVG):]: e for e in root if e.tag[len(SVG):] in ("title", "desc", "metadata")}
        for key in root.attrib:
            if key not in ("id", "width", "height", "viewBox", "role", "aria-labelledby", "text-anchor",
                           "text-rendering", "{http://www.w3.org/XML/1998/namespace}space"):
                self.findings.append(f"svg has {key}")
        if (root.get("width"), root.get("height")) != tuple("%gpt" % n for n in (self.width, self.height)):
            self.findings.append("the page is not as large as its view")
        for child in root:
            if child not in self.meta.values():
                self._read(child, {}, {})
        self._say()

    def _read(self, e, style, hints):
        tag = e.tag.replace(SVG, "")
        if tag not in MAY:
            return self.findings.append(f"an element {tag} is drawn")
        extra = [k for k in e.attrib if k not in MAY[tag] and not k.startswith("data-")]
        if extra:
            self.findings.append(f"{tag} has {', '.join(extra)}")
        if "id" in e.attrib:
            self.ids.append(e.get("id"))
        style = {**style, **{k: v for k, v in e.attrib.items() if k in PAINT}}
        hints = {**hints, **{k[5:]: v for k, v in e.attrib.items() if k.startswith("data-")}}
        if tag == "g":
            if (e.text or "").strip():
                self.findings.append("text outside of a text element")
            for child in e:
                self._read(child, style, hints)
        elif tag == "text":
            self.texts.append(self._text(e, style, hints))
        else:
            order = len(self.shapes) + len(self.texts)
            if tag == "rect":
                x, y, w, h = (float(e.get(k)) for k in ("x", "y", "width", "height"))
                item = Item("rect", (x, y, x + w, y + h), style, hints, order)
                item.pill = float(e.get("rx", 0)) >= min(w, h) / 2 - .01
            else:
                item = self._path(e.get("d"), style, hints, order)
            self.shapes.append(item)

    def _path(self, d, style, hints, order):
        parts = outline(d)
        points = [p for part in parts for p in part[0]]
        xs, ys = zip(*points)
        box = min(xs), min(ys), max(xs), max(ys)
        item = Item("glyph", box, style, hints, order)
        item.points = parts[0][0]
        curves, closed = sum(p[1] for p in parts), all(p[2] for p in parts)
        if closed and len(parts) == 1 and curves == 4 and len(points) == 13 and near(item.width, item.height):
            item.kind = "circle"
        elif closed and len(parts) == 1 and not curves:
            item.kind = {3: "head", 4: "diamond"}.get(len(points), "polygon")
        elif len(parts) == 2 and not closed and not curves and len(points) == 4:
            item.kind, item.segments = "cross", [p[0] for p in parts]
        elif len(parts) == 1 and not closed:
            item.points, item.kind = polyline(d), "line"
        return item

    def _text(self, e, style, hints):
        runs, x, y = [], float(e.get("x", "nan")), float(e.get("y", "nan"))

        def add(string, style):
            nonlocal x
            if string:
                runs.append((x, y, float(style.get("font-size")), style.get("fill"), string))
                if style.get("fill") != "none":
                    x += wide(string, float(style["font-size"]))
        base = y
        add(e.text, style)
        for span in e:
            if span.tag != SVG + "tspan" or len(span) or set(span.attrib) - MAY["tspan"]:
                self.findings.append(f"in a text: {span.tag} {list(span.attrib)}")
            before, x, y = x, float(span.get("x", x)), float(span.get("y", y))
            last = runs[-1] if runs else (0, 0, 0, "", "")
            ink = next((r for r in reversed(runs) if r[3] != "none"), last)  # how far off the guess of its width is
            if last[4].strip() and x != before and not abs(x - before - 8 * last[4].endswith("√")) < 3 + .08 * wide(ink[4], ink[2]):
                self.findings.append(f"‘{span.text}’ does not follow ‘{last[4]}’ at ({x:g}, {y:g})")
            add(span.text, {**style, **{k: v for k, v in span.attrib.items() if k in PAINT}})
            add(span.tail, style)
        seen = [r for r in runs if r[3] != "none"]
        size = max((r[2] for r in seen), default=0)
        box = (min((r[0] for r in seen), default=x), base - .7 * size,
               max((r[0] + wide(r[4].rstrip(), r[2]) for r in seen), default=x), base + .2 * size)
        for r in seen:
            if not near(r[1], base, .01) and not .15 < abs(r[1] - base) / size < .45:
                self.findings.append(f"‘{r[4]}’ stands neither on a line nor as an index at ({r[0]:g}, {r[1]:g})")
        item = Item("text", box, style, hints, len(self.shapes) + len(self.texts))
        item.fill = seen[0][3] if seen else "none"
        item.runs, item.base, item.size = runs, base, size
        return item

    def _say(self):
        for text in self.texts:
            said, level, bars = "", 0, []
            for number, (x, y, size, fill, string) in enumerate(text.runs):
                to = 0 if near(y, text.base, .4) else 1 if y > text.base else -1
                after = text.runs[number + 1] if number + 1 < len(text.runs) else None
                if fill == "none":  # copied with the text, but ink only as what follows it
                    if string == "√" and after:
                        bar = next((s for s in self.shapes if s.kind == "glyph" and s.fill == text.fill and
                                    s.holds((after[0], after[1] - after[2] / 2), .6)), None)
                        if bar:
                            bar.used = True
                            bars.append(bar.box[2])
                            said, level = said + ("}" if level else "") + "√{", 0
                            continue
                    elif string in ("_", "_(") and after and after[1] > text.base + .4:
                        continue
                    elif string == ")" and number and text.runs[number - 1][1] > text.base + .4:
                        continue
                    self.findings.append(f"invisible ‘{string}’ in {''.join(r[4] for r in text.runs)}")
                    continue
                if to != level or bars and x > bars[-1] - .3:
                    said += "}" if level else ""
                    while bars and x > bars[-1] - .3:
                        bars.pop()
                        said += "}"
                    said += ("", "_{", "^{")[to]
                    level = to
                said += re.sub("[%s]+" % "".join(SUPER), lambda m: "^{%s}" % "".join(SUPER[c] for c in m.group()), string)
            said += ("}" if level else "") + "}" * len(bars)
            text.said = re.sub(r"\s", "", said)


SIGNS = {"to": "→", "cdot": "·", "times": "×", "top": "⊤", "odot": "⊙", "theta": "θ", "approx": "≈", "le": "≤",
         "ge": "≥", "varepsilon": "ε", "pm": "±", "alpha": "α", "beta": "β", "gamma": "γ", "infty": "∞"}


def plain(words):
    """What words with $…$ math look like, in the writing of `said`."""
    return "".join(re.sub(r"\s", "", part) if n % 2 == 0 else tex(part) for n, part in enumerate(words.split("$")))


def tex(source):
    """What TeX math looks like, in the writing of `said`."""
    source = re.sub(r"\\[,;:! ]|\s(?![a-zA-Z])|(?<![a-zA-Z])\s", "", source)
    source = re.sub(r"\\(mathrm|text)\{([^{}]*)\}", r"\2", source)
    source = source.replace("\\sqrt", "√")
    source = re.sub(r"\\([a-zA-Z]+)\s*", lambda m: SIGNS.get(m.group(1), m.group(0)), source)
    source = re.sub(r"([_^])([^{])", r"\1{\2}", source).replace("''", "″").replace("'", "′")
    flat, keep = "", []  # braces that only group are not seen
    for n, c in enumerate(source):
        if c == "{":
            keep.append(n > 0 and source[n - 1] in "_^√")
        if c not in "{}" or (keep[-1] if c == "{" else keep.pop()):
            flat += c
    return re.sub(r"\s", "", flat)


def decimal(said):
    """The number that is written as 5·10^{5}, 10^{4} or 0.5; None if it is none."""
    found = re.fullmatch(r"(?:([\d.]+)·)?10\^\{(-?\d+)\}|([\d.]+)", said)
    return found and float(found[3] or f"{found[1] or 1}e{found[2]}")
