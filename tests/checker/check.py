#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prove a figure against a record: python3 check.py FIGURE.svg RECORD.json

A second reader of figures, which shares nothing with the program that draws them. It looks at
a page as a person does: which shape carries which number and words, where each line begins and
ends, what stands in which panel, what the legend counts. From that it rebuilds the computation
and compares it with the record, op by op and operand by operand. The data-* attributes are
believed nowhere; where one says something else than the picture, that is a finding. Whatever
is on the page and was not understood is a finding too.
"""
import hashlib
import json
import math
import re
import sys
from collections import Counter
from itertools import combinations, product

from figure import Figure, Mark, decimal, near, plain, tex
from surroundings import Surroundings

TOUCH = .45   # points from the end of a line to the mark that it touches
REACH = 6     # points from a text to the edge that it belongs to
APART = 8     # points between arrow ends of different operands


class Edge:
    def __init__(self, line, head):
        self.line, self.head, (self.x0, self.y0) = line, head, line.points[0]
        self.source = self.target = self.value = self.reader = None
        self.names, self.shapes = [], []
        self.tip = head_tip(head)
        self.points = line.points[:-1] + [self.tip]
        self.parts = list(zip(self.points, self.points[1:]))


def head_tip(head):
    """The corner of an arrow head that is opposite to its shortest side."""
    a, b, c = head.points
    return min((math.dist(b, c), a), (math.dist(a, c), b), (math.dist(a, b), c))[1]


def span(a, b):
    """The box of a straight piece."""
    (ax, ay), (bx, by) = a, b
    return (ax if ax < bx else bx), (ay if ay < by else by), (ax if ax > bx else bx), (ay if ay > by else by)


def gap(part, box):
    """How far a straight piece along an axis is from a box."""
    x0, y0, x1, y1 = span(*part)
    return math.hypot(max(box[0] - x1, x0 - box[2], 0), max(box[1] - y1, y0 - box[3], 0))


def orthogonal(parts):
    return all(near(a[0], b[0], .01) or near(a[1], b[1], .01) for a, b in parts)


def luminance(colour):
    digits = colour.lstrip("#")
    parts = [int(c * 2, 16) for c in digits] if len(digits) == 3 else [int(digits[n:n + 2], 16) for n in (0, 2, 4)]
    return sum(w * (c / 3294.6 if c <= 10 else ((c / 255 + .055) / 1.055) ** 2.4)
               for w, c in zip((.2126, .7152, .0722), parts))


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + .05) / (low + .05)


class Check(Surroundings):
    def __init__(self, svg, record, hints=True):
        self.record = json.loads(record) if isinstance(record, str) else record
        self.facts = self.record["facts"]
        self.ops = {o["id"]: o for o in self.facts["ops"]}
        self.steps = {o["step"]: o for o in self.facts["ops"]}
        self.values = {v["id"]: v for v in self.facts["values"]}
        self.dims = {d["id"]: tex(d["label"]) for d in self.facts["dims"]}
        self.writer = {w["value"]: o["id"] for o in self.facts["ops"] for w in o["writes"]}
        self.writer.update({v["id"]: v["id"] for v in self.facts["values"] if v["kind"] == "input"})
        self.figure = Figure(svg)
        self.findings = self.figure.findings
        for step in (self.page, self.marks, self.edges, self.annotations, self.meaning, self.layout,
                     self.legend, self.claims, self.words, self.leftovers) + (self.hints,) * hints:
            step()

    def say(self, condition, *words):
        if not condition:
            self.findings.append(" ".join(str(w) for w in words))
        return condition

    # ---- what the record says, in the writing of the page ----

    def polynomial(self, source):
        """C + 2*G*h_d as it is printed."""
        source = re.sub(r"\^(\d+)", r"^{\1}", source)
        return re.sub(r"[A-Za-z]\w*", lambda m: self.dims.get(m.group(), m.group()), source).replace("*", "").replace(" ", "")

    def shape_of(self, value):
        return "(%s)" % ",".join(map(self.polynomial, self.values[value]["shape"]))

    def name_of(self, value):
        return tex(self.values[value]["label"])

    def filled(self, entry, key):
        """A sentence with the numbers that the run gave."""
        numbers = iter(entry.get("numbers", ()))
        return plain(re.sub(r"(?<!\\)<(?=[A-Za-z])[^<>]*>", lambda m: next(numbers)["text"], entry[key]).replace("\\<", "<"))

    def operands(self, op):
        return [r["value"] for r in op["reads"] if r["from"] != "weight"]

    def weights(self, op):
        return [r for r in op["reads"] if r["from"] == "weight"]

    def parameters(self, ops):
        names = {m for o in ops for r in self.weights(o) for m in r.get("members", [r["value"]])}
        return sum(self.values[n]["parameters"] for n in names)

    # ---- the page ----

    def page(self):
        """Parts of the page: paper, header, body, and what is under the rule."""
        f, facts = self.figure, self.facts
        paper = [s for s in f.shapes if s.kind == "rect" and s.box == (0, 0, f.width, f.height)]
        self.say(len(paper) == 1 and paper[0].order == 0, "the page has no paper, or it covers something")
        self.paper = paper[0].fill if paper else "#fff"
        rules = [s for s in f.shapes if s.kind == "line" and len(s.points) == 2 and s.height == 0 and s.width > .8 * f.width]
        self.say(len(rules) == 1, len(rules), "rules part the picture from the legend")
        self.bottom = rules[0].box[1] if rules else f.height
        for s in paper + rules:
            s.used = True
        self.bars = [s for s in f.shapes if s.kind == "rect" and s.height < 4 and s.width > 8 and s.box[3] < self.bottom]
        self.top = min((s.box[1] for s in self.bars), default=0)
        self.header = [t for t in f.texts if t.base < self.top]
        self.body = [t for t in f.texts if self.top <= t.base < self.bottom]
        for item in f.shapes + f.texts:
            self.say((0, 0, f.width, f.height) <= item.box and item.holds(item) and
                     item.box[0] >= 0 and item.box[1] >= 0 and item.box[2] <= f.width + 2 and item.box[3] <= f.height,
                     item, "leaves the page")
        compact = json.dumps(facts, separators=(",", ":"), ensure_ascii=False)
        meta = f.meta.get("metadata")
        self.say(meta is not None and meta.get("data-record") == hashlib.sha256(compact.encode()).hexdigest(),
                 "the digest in the figure is not that of the record")
        carried = re.sub(r"\\\\", r"\\", meta.text) if meta is not None else ""  # backslashes stand doubled
        self.say(carried == facts["spec"]["text"], "the spec in the figure is not that of the record")
        self.say(hashlib.sha256(facts["spec"]["text"].encode()).hexdigest() == facts["spec"]["digest"],
                 "the digest of the spec is not that of its text")
        self.say(len(set(f.ids)) == len(f.ids), "an id stands twice")

    def lines(self, texts):
        """Texts as lines from top to bottom, each a list from left to right."""
        rows = []
        for t in sorted(texts, key=lambda t: t.base):
            if rows and near(rows[-1][0].base, t.base, 1.5):
                rows[-1].append(t)
            else:
                rows.append([t])
        return [sorted(row, key=lambda t: t.box[0]) for row in rows]

    def read(self, texts):
        for t in texts:
            t.used = True
        return "".join(t.said for row in self.lines(texts) for t in row)

    # ---- marks ----

    def marks(self):
        body = [s for s in self.figure.shapes if s.box[3] < self.bottom and not s.used]
        rects = [s for s in body if s.kind == "rect" and s not in self.bars]
        titles = {plain(g["title"]): g["id"] for g in self.facts["groups"] if g.get("title")}
        self.panels = {}
        passes = {g["id"]: "×%d" % g["repeat"]["passes"] + ",".join(g["repeat"].get("pattern", ()))
                  for g in self.facts["groups"] if "repeat" in g}
        for t in self.body:
            inside = [r for r in rects if t.said in titles and r.height > 30 and r.holds(t.box[:2]) and t.base - r.box[1] < 16]
            if inside:
                group, panel = titles[t.said], min(inside, key=lambda r: r.width * r.height)
                self.say(group not in self.panels, "two panels are called", t.said)
                self.panels[group] = panel
                row = [o for o in self.body if o is not t and near(o.base, t.base, .1) and panel.holds(o.box[:2])]
                want = self.strip(group, panel, t, rects) or passes.get(group, "")
                self.say(self.read(row) == want, "panel", group, "says", *[o.said for o in row], "and not", want or "nothing more")
                panel.used = t.used = True
        self.all = [Mark(s, "bar") for s in self.bars]
        boxes = [s for s in rects if s not in self.panels.values()]
        for s in sorted(boxes, key=lambda s: -s.width * s.height):
            outer = next((m for m in self.all if m.shape.holds(s) and m.form == "box"), None)
            if outer and s.fill == "none" and outer.double is None and all(
                    near(abs(a - b), abs(s.box[0] - outer.shape.box[0])) for a, b in zip(s.box, outer.shape.box)):
                outer.double = s
                self.say(s.stroke == outer.shape.stroke, "the inner border of", s, "has another colour")
                s.used = True
            elif s.height >= 10:
                self.all.append(Mark(s, "box"))
        circles = [s for s in body if s.kind == "circle"]
        self.all += [Mark(s, "circle") for s in circles if s.width > 10]
        dots = [s for s in circles if 3 < s.width <= 10]
        holds = lambda s: next((m for m in self.all if m.form != "bar" and m.shape.holds(s)), None)  # noqa: E731
        for s in body:
            mark = holds(s)
            if mark is None or s is mark.shape or s.used:
                continue
            if s.kind == "diamond" and mark.diamond is None and mark.form == "box":
                mark.diamond = s
                s.used = self.say(s.fill != s.stroke and s.pen > 0, "the diamond in", mark.shape, "is no outline")
            elif mark.form == "circle" and math.dist(s.mid, mark.shape.mid) < .1:
                if s.kind == "cross" and s.pen and near(s.width, s.height):
                    (a, b), (c, d) = s.segments
                    mark.signs.append("+" if a[1] == b[1] and c[0] == d[0] else "×")
                    s.used = True
                elif s.kind == "circle" and s.width <= 3 and s.fill != "none" and contrast(s.fill, mark.shape.fill) > 4.5:
                    mark.signs.append("⊙")
                    s.used = True
        self.dots = []
        numbers = [t for t in self.body if re.fullmatch(r"\d+", t.said) and t.size < 7]
        for s in dots:  # the dot of an op has a number, the dot where a value forks has none
            beside = [t for t in numbers if s.box[1] <= t.base + .3 and t.base <= s.box[3] and 0 <= s.box[0] - t.box[2] < 30 and
                      not any(m.form == "box" and m.shape.holds(t, 1) for m in self.all)]
            if beside and s.fill != "none":
                self.all.append(Mark(s, "fork"))
            else:
                self.dots.append(s)
        for m in self.all:
            m.shape.used = True

    def strip(self, group, panel, title, rects):
        """Cells in a title: first each kind of passes, then the passes in order. What stands behind the title."""
        cells = [r for r in rects if r.width < 9 and r.height < 9 and panel.holds(r) and r.box[3] < panel.box[1] + 32]
        repeat = next(g["repeat"] for g in self.facts["groups"] if g["id"] == group) if cells else None
        if not cells or not self.say(repeat and "pattern" in repeat, "panel", group, "has cells and no kinds"):
            return None
        pattern, number = repeat["pattern"], repeat["passes"]
        layers = [pattern[n % len(pattern)] for n in range(number)]
        kinds = list(dict.fromkeys(layers))
        key = sorted((c for c in cells if c.box[1] < title.base), key=lambda c: c.box[0])
        looks = [c.fill for c in key]
        self.say(len(set(looks)) == len(kinds) == len(key), "panel", group, "has", len(key), "looks for", len(kinds), "kinds")
        for a, b in zip(sorted(looks, key=luminance), sorted(looks, key=luminance)[1:]):
            self.say(contrast(a, b) > 1.8, "two kinds of", group, "look alike in gray")
        row = sorted((c for c in cells if c not in key), key=lambda c: c.box[0])
        said = [kinds[looks.index(c.fill)] if c.fill in looks[:len(kinds)] else "?" for c in row]
        times = [t for t in self.body if row and abs(t.base - row[-1].mid[1]) < 4 and 0 < t.box[0] - row[-1].box[2] < 20]
        words = self.read(times)
        rounds = int(words[1:]) if re.fullmatch(r"×\d+", words) else 1
        self.say(not words or rounds > 1, "behind the cells of", group, "stands", words)
        self.say(said * rounds == layers, "the cells of", group, "say", said, "times", rounds)
        for c in cells:
            c.used = True
        rects[:] = [r for r in rects if r not in cells]
        return f"×{number}" + "".join(k + str(layers.count(k)) for k in kinds)

    def phrase(self, text):
        """Where the words that a text stands among on its row begin and end."""
        left, right = text.box[0], text.box[2]
        for t in sorted(self.body, key=lambda t: abs(t.mid[0] - text.mid[0])):
            if near(t.base, text.base, .1) and t is not text:
                gap = (right, t.box[0]) if t.box[0] >= right else (t.box[2], left)
                if -2 < gap[1] - gap[0] < 16 and not any(gap[0] < b.mid[0] < gap[1] and abs(b.mid[1] - t.base) < 5 for b in self.bars):
                    left, right = min(left, t.box[0]), max(right, t.box[2])
        return left, right

    def owner(self, text):
        """The mark that holds a text, else the one on whose row it lies with nothing between."""
        held = [m for m in self.all if m.form == "box" and m.shape.holds(text.mid)]
        if held:
            return min(held, key=lambda m: m.shape.width), True
        row = []
        for m in self.all:
            a = m.shape.box
            high = {"bar": 4, "circle": 1.5}.get(m.form, .3)
            if a[1] - high <= text.base <= a[3] + high and not (text.box[0] < a[2] - 1 and text.box[2] > a[0] + 1):
                left, right = self.phrase(text) if m.form == "bar" else (text.box[0], text.box[2])
                row.append((max(a[0] - right, left - a[2]), m))
        for distance, m in sorted(row, key=lambda r: r[0])[:1]:
            a = m.shape.box
            left = a[0] >= text.mid[0]
            between = (text.mid[0], text.base - .3, a[0] - .5, text.base) if left else (a[2] + .5, text.base - .3, text.mid[0], text.base)
            if between[0] < between[2] and any(gap(p, between) == 0 for e in self.arrows for p in e.parts):
                break
            return m, False
        return None, False

    # ---- edges ----

    def edges(self):
        body = [s for s in self.figure.shapes if s.box[3] < self.bottom and not s.used]
        lines = [s for s in body if s.kind == "line" and s.fill == "none" and s.pen]
        self.arrows = []
        for head in [s for s in body if s.kind == "head"]:
            tip = head_tip(head)
            length = math.dist(tip, [sum(c) / 2 for c in zip(*[p for p in head.points if p != tip])])
            def meets(line, tip=tip, length=length):
                (ax, ay), (bx, by) = line.points[-2:]
                far = math.dist((bx, by), tip)
                return .3 < far <= length + .1 and near(math.dist((ax, ay), tip), math.dist((ax, ay), (bx, by)) + far, .02)
            own = [s for s in lines if len(s.points) > 1 and not s.used and s.stroke == head.fill and meets(s)]
            if self.say(own, "an arrow head without a line ends at (%g, %g)" % tip):
                line = min(own, key=lambda s: abs(s.order - head.order))
                line.used = head.used = True
                self.arrows.append(Edge(line, head))
        for e in self.arrows:
            where = "the edge from (%g, %g) to (%g, %g)" % (e.x0, e.y0, *e.tip)
            self.say(orthogonal(e.parts), where, "is not orthogonal")
            ends = [next((m for m in sorted(self.all, key=lambda m: m.shape.off(*p))[:1] if m.shape.off(*p) < TOUCH), None)
                    for p in ((e.x0, e.y0), e.tip)]
            e.source, e.target = ends
            for mark, does in zip(ends, ("starts", "ends")):
                self.say(mark, where, does, "on no mark")
            for m in self.all:
                a = m.shape.box
                core = a[0] + 1, a[1] + 1, a[2] - 1, a[3] - 1
                if m.form in ("box", "circle") and core[2] > core[0]:
                    self.say(all(gap(p, core) > 0 for p in e.parts), where, "runs through", m.shape)

    # ---- texts of the body ----

    def beyond(self, mark, bar, colours):
        """How far a bar is from a mark or from the end of the mark's own words on its row."""
        a, x = mark.shape.box, bar.box[0]
        left, right = a[0], a[2]
        for t in sorted(self.body, key=lambda t: abs(t.mid[0] - mark.shape.mid[0])):
            if a[1] - .3 <= t.base <= a[3] + .3 and t.fill not in colours and mark.form != "box":
                right = max(right, t.box[2]) if 0 <= t.box[0] - right < 6 else right
                left = min(left, t.box[0]) if 0 <= left - t.box[2] < 6 else left
        return x - right if x > right else left - x if x < left else 99

    def annotations(self):
        """Give each text of the body to a mark, a panel, an edge or the claim beside a mark."""
        self.callouts, self.accents = [], Counter()
        rest = [s for s in self.figure.shapes if s.kind == "line" and not s.used and s.pen and s.box[3] < self.bottom]
        leaders = {id(s): bar for s in rest for bar in rest if bar.width == 0 and bar.pen > s.pen and len(s.points) < 4 and
                   bar.stroke == s.stroke and bar.holds(s.points[0], .1)}
        bars = [s for s in rest if s.width == 0 and id(s) not in leaders]
        colours = {s.stroke for s in bars}
        beside = {id(t) for bar in bars for t in self.body if t.fill == bar.stroke and bar.box[1] - 2 < t.base - t.size * .5 and
                  t.base < bar.box[3] + 2 and (0 <= bar.box[0] - t.box[2] < 9 or 0 <= t.box[0] - bar.box[0] < 9)}
        blocks = {id(s): self.led(s, beside) for s in rest if id(s) in leaders}
        led = {id(t) for block in blocks.values() for t in block}
        for bar in bars:
            x, y0, y1 = bar.box[0], bar.box[1], bar.box[3]
            block = [t for t in self.body if id(t) not in led and y0 - 2 < t.base - t.size * .5 and t.base < y1 + 2 and t.fill == bar.stroke and
                     (0 <= x - t.box[2] < 22 or 0 <= t.box[0] - x < 9)]
            marks = sorted(((self.beyond(m, bar, colours), n) for n, m in enumerate(self.all)
                            if m.form != "bar" and m.shape.box[1] <= bar.mid[1] <= m.shape.box[3]))[:2]
            if self.say(marks and marks[0][0] < 10 and marks[-1][0] >= marks[0][0] + 3 * (len(marks) - 1),
                        bar, "stands beside no mark, or beside two"):
                mark = self.all[marks[0][1]]
                bar.used = True
                self.accents[id(mark)] += 1
                for s in rest:
                    if leaders.get(id(s)) is bar:
                        block = blocks[id(s)]
                if block:
                    self.callouts.append((self.read(block), mark, block))
        for t in self.body:
            if t.used:
                continue
            panel = next((p for p in self.panels.values() if p.holds(t.box[:2]) and 0 < p.box[3] - t.base < 9), None)
            mark, held = self.owner(t)
            if mark:
                (mark.words if held else mark.beside).append(t)
                t.used = self.say(not held or mark.shape.holds(t, 2), t, "leaves its mark")
            elif panel:
                panel.sums = getattr(panel, "sums", []) + [t]
                t.used = True
            else:
                reach = sorted(((min(gap(p, t.box) for p in e.parts), n) for n, e in enumerate(self.arrows)))
                if reach and reach[0][0] <= REACH:
                    t.used = True
                    t.edge = self.arrows[reach[0][1]]
                    t.edges = [self.arrows[n] for d, n in reach if d <= REACH]
                    (t.edge.shapes if t.said.startswith("(") else t.edge.names).append(t)
        for m in self.all:
            numbers = [t for t in m.words + (m.beside if m.form != "box" else []) if re.fullmatch(r"\d+", t.said) and t.size < 7]
            if m.form != "bar" and self.say(len(numbers) == 1, m.shape, "has", len(numbers), "step numbers"):
                m.step = int(numbers[0].said)
                for texts in (m.words, m.beside):
                    texts[:] = [t for t in texts if t is not numbers[0]]

    def led(self, leader, beside):
        """The words at the end of a thin line that leads to them, over edges at right angles alone."""
        x, y = leader.points[-1]
        parts = list(zip(leader.points, leader.points[1:]))
        self.say(orthogonal(parts), leader, "is not orthogonal")
        texts = [t for t in self.body if t.fill == leader.stroke and id(t) not in beside]
        reach = lambda t, by: math.hypot(max(t.box[0] - x, 0, x - t.box[2]), max(t.box[1] - y, 0, y - t.box[3])) < by  # noqa: E731
        block = [t for t in texts if reach(t, 9)]
        for t in sorted(texts, key=lambda t: t.base) + sorted(texts, key=lambda t: -t.base):
            if t not in block and any(abs(o.base - t.base) < 12 and o.box[0] < t.box[2] and t.box[0] < o.box[2] or
                                      near(o.base, t.base) and -3 < max(t.box[0] - o.box[2], o.box[0] - t.box[2]) < 3 for o in block):
                block.append(t)
        leader.used = self.say(block, leader, "leads to no words")
        for a, b in parts:
            flat, box = near(a[1], b[1], .01), span(a, b)
            for e in self.arrows:
                for part in e.parts:
                    level = near(part[0][1], part[1][1], .01)
                    middle = not any(gap((p, p), box) < 2 for p in part)
                    self.say(gap(part, box) > 2 or level != flat and middle, leader, "runs along", e.line)
            for m in self.all:
                self.say(gap((a, b), m.shape.box) > 2, leader, "touches", m.shape)
            for t in self.body:
                self.say(t in block or gap((a, b), t.box) > 0, leader, "runs through", t)
        return block

    # ---- what was read against what was run ----

    def meaning(self):
        count = Counter(m.step for m in self.all if m.form != "bar")
        for step in self.steps:
            self.say(count[step] == 1, "op", self.steps[step]["id"], "has", count[step], "marks")
        self.drawn, self.shown = {}, {}
        for m in self.all:
            if m.form == "bar":
                self.bar(m)
            elif self.say(m.step in self.steps, m.shape, "is no op: step", m.step):
                self.mark(m, self.steps[m.step])
        self.operand_edges()
        for e in self.arrows:
            for t in e.names + e.shapes:
                others = {o.value for o in t.edges if o.value} - {e.value}
                self.say(not others, t, "belongs to", e.value, "or to", *sorted(others))
            if e.value in self.values:
                value, name, shape = self.values[e.value], self.name_of(e.value), self.shape_of(e.value)
                self.say(not e.names or value["labelled"] or value["kind"] == "input", *e.names, "names", e.value, "that has no name")
                for t, want in [(t, name) for t in e.names] + [(t, shape) for t in e.shapes]:
                    self.say(t.said == want, t, "stands at", e.value, "and not", want)
                    self.shown.setdefault(e.value, []).append(t.said)
        for m in self.all:
            if m.form != "bar" and m.step in self.steps:
                self.beside(m, self.steps[m.step])
        for op in self.ops.values():
            for w in op["writes"]:
                value, texts = w["value"], self.shown.get(w["value"], [])
                first = self.operands(op)[:1]
                changed = not first or self.values[first[0]]["shape"] != self.values[value]["shape"]
                shapes = [t for t in texts if t.startswith("(")]
                most = 1 + self.values[value]["output"]  # beside its line, and where it leaves the block
                self.say(changed <= len(shapes) <= most,
                         "the shape of", value, "is printed", len(shapes), "times")
                self.say(not self.values[value]["labelled"] or len(texts) > len(shapes), value, "is nowhere named")
                if op["id"] in self.drawn:
                    self.drawn[op["id"]]["gives"][value] = shapes[:1]

    def bar(self, m):
        """The end of a rail: an input or an output with its words."""
        said = self.read(m.beside)
        kinds = {"input": [v for v in self.facts["values"] if v["kind"] == "input"],
                 "output": [v for v in self.facts["values"] if v["id"] in self.facts["outputs"]]}
        for kind, values in kinds.items():
            for v in values:
                shape, rail = self.shape_of(v["id"]), any(e.line.pen > 1 and m in (e.source, e.target) for e in self.arrows)
                for what in [plain(v.get("what", ""))] + [""] * (not rail):  # words stand at the ends of a rail
                    if said == what + kind + self.name_of(v["id"]) + shape:
                        m.step, m.value = kind, v["id"]
                        m.shape_text = [t for t in m.beside if t.said == shape]
                        self.shown.setdefault(m.value, []).extend([self.name_of(m.value)] + [shape] * bool(shape))
        self.say(m.step, m.shape, "is no input and no output:", said)
        self.say(m.shape.fill in {e.line.stroke for e in self.arrows}, m.shape, "is painted unlike its line")

    def mark(self, m, op):
        where = f"mark {op['step']} ({op['id']})"
        self.say(m.form == op["mark"], where, "is a", m.form, "and not a", op["mark"])
        label = plain(op["label"])
        title_drawn = [t for t in m.beside if t.said == label and m.form != "box"]
        words = self.read(m.words) or "".join(t.said for t in title_drawn)
        for t in title_drawn:
            m.beside.remove(t)
        if m.form == "circle":
            self.say(m.signs == [tex(op.get("sign", ""))], where, "has the sign", *m.signs)
            self.say(words == label or not words and op["label"] == op["title"], where, "says", words or "nothing", "and not", label)
        else:
            self.say(words == label, where, "says", words, "and not", label)
        for r in self.weights(op):
            name = self.name_of(r["value"])
            tail = re.search(r"_\{.*\}$", name)
            self.say(name in words or op["kind"] == "norm" and tail and tail.group() in words, where, "does not name", name)
            if op["kind"] == "matmul":
                turned = op["attributes"]["transpose"]["value"] == "b"  # a head that is the embedding
                want = name + "^{⊤}" * turned + ":" + "→".join(map(self.polynomial, r["shape"][::-1 if turned else 1]))
                self.say(words.endswith(want), where, "says", words, "and not", want)
        self.say(bool(m.diamond) == bool(self.weights(op)) or m.form != "box", where, "has a diamond without weights or weights without one")
        if op["class"] == "activation_matmul":
            a, b = (self.name_of(v) for v in self.operands(op))
            t, scale = op["attributes"]["transpose"]["value"], tex(op["attributes"]["scale"]["label"])
            want = self.name_of(op["writes"][0]["value"]) + "=" + a + "^{⊤}" * (t == "a") + b + "^{⊤}" * (t == "b") + \
                ("" if scale == "1" else scale[1:] if scale.startswith("1/") else "·" + scale)
            self.say(words.endswith(want), where, "says", words, "and not", want)
        self.drawn[op["id"]] = {"step": op["step"], "words": words, "form": m.form, "sign": m.signs, "reads": [], "gives": {},
                                "panel": [g for g, p in self.panels.items() if p.holds(m.shape)], "mark": m}
        for group, panel in self.panels.items():
            self.say(panel.holds(m.shape, .01) == (group in op["group"]) and
                     (group in op["group"] or m.shape.box[0] > panel.box[2] or m.shape.box[2] < panel.box[0] or
                      m.shape.box[1] > panel.box[3] or m.shape.box[3] < panel.box[1]),
                     where, "stands wrong at the border of panel", group)

    def operand_edges(self):
        """Each operand has one edge, each edge an operand, told apart by where it starts and ends."""
        starts = {}
        for e in self.arrows:
            if e.source:
                starts.setdefault(id(e.source), set()).add((round(e.x0, 1), round(e.y0, 1)))
        found = Counter()
        for e in self.arrows:
            source, target = e.source, e.target
            if source and source.step == "input":
                e.value = source.value
            elif source and source.step in self.steps:
                writes = [w["value"] for w in self.steps[source.step]["writes"]]
                places = sorted(starts[id(source)])
                if len(writes) == 1:
                    e.value = writes[0]
                elif self.say(len(places) == len(writes), "mark", source.step, "is left at", len(places), "places by", len(writes), "values"):
                    e.value = writes[places.index((round(e.x0, 1), round(e.y0, 1)))]
            e.reader = "output" if target and target.step == "output" else self.steps[target.step]["id"] if target and target.step in self.steps else None
            if self.say(e.value and e.reader, "an edge from (%g, %g) to (%g, %g) is no operand" % (e.x0, e.y0, *e.tip)):
                found[e.value, e.reader] += 1
                if e.reader == "output":
                    self.say(target.value == e.value, "output", target.value, "is drawn from", e.value)
        want = Counter((v, o["id"]) for o in self.ops.values() for v in self.operands(o))
        want.update((v, "output") for v in self.facts["outputs"])
        for value, reader in sorted(want.keys() | found.keys()):
            self.say(want[value, reader] == found[value, reader], reader, "reads", value, want[value, reader],
                     "times and has", found[value, reader], "edges from it")
        for op in self.ops.values():
            ends = sorted((e for e in self.arrows if e.reader == op["id"]), key=lambda e: e.tip[0])
            if op["id"] in self.drawn:
                self.drawn[op["id"]]["reads"] = [e.value for e in ends]
            if not op["commutes"]:
                self.say([e.value for e in ends] == self.operands(op), op["id"], "has its arrows in another order than its operands")
            for a, b in zip(ends, ends[1:]):
                self.say(math.dist(a.tip, b.tip) >= APART, "two arrows end within", math.dist(a.tip, b.tip), "pt at", op["id"])

    def beside(self, m, op):
        """What stands on a mark's row: shapes and names of what leaves it, and its parameters."""
        value = op["writes"][0]["value"]
        rest = []
        for t in m.beside:
            if t.said in (self.shape_of(value), self.name_of(value)) and (t.said[0] == "(" or self.values[value]["labelled"]):
                self.shown.setdefault(value, []).append(t.said)
            else:
                rest.append(t)
        said = "".join(t.said for row in self.lines(rest) for t in row)
        theta = op["attributes"].get("theta")
        number = decimal(said[2:]) if said.startswith("θ=") else None
        if theta and number is not None:
            self.drawn[op["id"]]["theta"] = number
            self.say(number == float(theta["value"]), "mark", op["step"], "says", said, "and was run with", theta["value"])
        else:
            self.say(not said, "on the row of mark", op["step"], "stands", said)

    # ---- how it is laid out ----

    def layout(self):
        forks = set()
        for a, b in combinations(sorted(self.arrows, key=lambda e: e.line.order), 2):
            if a.value != b.value:
                for p, q in product(a.parts, b.parts):
                    self.crossing(a, b, p, q)
            elif a.value:
                point = parting(a.points, b.points)
                forks.update([point] if point and point != a.points[0] else [])
        for point in forks:
            hit = [s for s in self.dots if math.dist(s.mid, point) < .3 and s.fill in {e.line.stroke for e in self.arrows}]
            self.say(len(hit) == 1, "%d dots where a value forks at (%g, %g)" % (len(hit), *point))
            for s in hit:
                s.used = True
        areas = [o for o in self.figure.shapes if o.fill != "none" and o.kind in ("rect", "circle", "polygon", "diamond")]
        boxes = [(o, *o.box) for o in areas]

        def over(x, y):
            return [o for o, a, b, c, d in boxes if a <= x <= c and b <= y <= d]

        for s in self.figure.shapes + self.figure.texts:
            around = over(*s.mid) if s.kind == "text" else []
            if s.kind == "text":
                under = [o.fill for o in around if o.order < s.order] or [self.paper]
                self.say(s.fill != "none" and contrast(s.fill, under[-1]) >= 4.5, s, "is hard to see")
                self.say(all(r[2] >= 6 for r in s.runs), s, "is smaller than 6 pt")
            elif s.kind in ("line", "cross"):
                self.say(s.fill == "none", s, "is filled")
                self.say(contrast(s.stroke, self.paper) >= 1.4, s, "is hard to see")
                continue
            elif s in self.panels.values() or s.order == 0:
                continue
            else:
                around = over(s.box[0] + s.width * .3, s.box[1] + s.height * .2)
            for o in around:  # what is painted later covers it
                self.say(o.order <= s.order, o, "covers", s)
        parts = [p for e in self.arrows for p in e.parts]
        spans = [span(*p) for p in parts]
        texts = sorted(self.figure.texts, key=lambda t: t.base)
        for n, a in enumerate(texts):
            core = a.box[0] + 1, a.box[1] + 1.5, a.box[2] - 2, a.box[3] - 1.5
            if core[0] < core[2] and self.top <= a.base < self.bottom:
                self.say(not any(x0 <= core[2] and core[0] <= x1 and y0 <= core[3] and core[1] <= y1 for x0, y0, x1, y1 in spans),
                         a, "lies on a line")
            for b in texts[n + 1:]:
                if b.base - a.base > 12:
                    break
                self.say(not (core[0] < b.box[2] - 2 and b.box[0] + 1 < core[2] and core[1] < b.box[3] - 1.5 and
                              b.box[1] + 1.5 < core[3]), a, "lies on", b)

    def crossing(self, a, b, part, other):
        (ax, ay, bx, by), (cx, cy, dx, dy) = span(*part), span(*other)
        x0, y0, x1, y1 = max(ax, cx), max(ay, cy), min(bx, dx), min(by, dy)
        if x0 > x1 + .01 or y0 > y1 + .01:
            return
        if max(x1 - x0, y1 - y0) > .5:
            self.findings.append(f"{a.value} and {b.value} share a line at ({x0:g}, {y0:g})")
        elif a.source is not b.source or (x0, y0) != a.points[0]:
            corner = min(math.dist((x0, y0), c) for c in part + other)
            self.say(corner > 4, f"{a.value} and {b.value} meet at ({x0:g}, {y0:g}), in a bend or at an end")


def parting(a, b):
    """Where two ways that begin alike part, None if they do not begin alike."""
    if a[0] != b[0]:
        return None
    for n in range(1, min(len(a), len(b))):
        if a[n] != b[n]:
            (x, y), p, q = a[n - 1], a[n], b[n]
            same = (p[0] - x) * (q[0] - x) + (p[1] - y) * (q[1] - y) > 0 and \
                near((p[0] - x) * (q[1] - y), (p[1] - y) * (q[0] - x), .01)
            return (p if math.dist((x, y), p) < math.dist((x, y), q) else q) if same else (x, y)
    return None


def check(svg, record, hints=True):
    """The findings, each once, and what was read (None where the file cannot be read at all); without
    `hints` nothing is said of the data-* attributes."""
    try:
        found = Check(svg, record, hints)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, SyntaxError) as error:
        return [f"the figure cannot be read: {type(error).__name__}: {error}"], None
    return list(dict.fromkeys(found.findings)), found


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: check.py FIGURE.svg RECORD.json")
    with open(sys.argv[1], encoding="utf-8") as svg, open(sys.argv[2], encoding="utf-8") as record:
        findings, found = check(svg.read(), record.read())
    for finding in findings:
        print(f"{sys.argv[1]}: {finding}")
    if not findings:
        print(f"{sys.argv[1]}: {len(found.ops)} ops, {len(found.arrows)} edges, {len(found.figure.texts)} texts hold")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
