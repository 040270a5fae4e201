# SPDX-License-Identifier: MIT
"""What stands around the picture, against the record: legend and key, sentences with and without a
tick, header, sums of the panels, footer, the description that is read aloud, and the data-* attributes.

`Surroundings` is the half of check.Check that needs no geometry but rows and columns of texts.
"""
import re
from collections import Counter
from decimal import ROUND_HALF_UP, Context, Decimal

from figure import Mark, decimal, near, plain, tex

CLASSES = {"weight×activationmatmul": "weight_matmul", "activation×activationmatmul": "activation_matmul",
           "otherops": "other"}
CLASS_NOTES = {"mapstocrossbarsonanaloghardware", "computedonthefly,thenon-crossbarpart"}


def by_unit(number):
    """A number of at least five digits with four of them and a unit: 676.1M."""
    if number < 10000:
        return str(number)
    digits, exponent = f"{decimal_of(number):.3e}".split("e")
    power = int(exponent)
    point = 1 + power % 3
    digits = digits.replace(".", "")
    return f"{digits[:point]}.{digits[point:]}{' kMGTPE'[power // 3]}"


def decimal_of(number):
    """Half of a digit is rounded up."""
    return Decimal(number).normalize(Context(prec=4, rounding=ROUND_HALF_UP))


class Surroundings:
    # ---- under the rule ----

    def legend(self):
        f, facts = self.figure, self.facts
        under = [s for s in f.shapes if s.box[1] > self.bottom]
        ticks = [s for s in under if s.kind == "line" and len(s.points) == 3]
        self.middle = min((s.box[0] for s in ticks), default=f.width) - 1
        high = min((s.box[1] for s in ticks), default=f.height)
        rects = [s for s in under if s.kind == "rect" and s.fill != "none" and s.width < 40]
        column = any(s.box[2] > self.middle for s in rects)  # the sentences stand under the legend, not beside it
        texts = [t for t in f.texts if t.base > self.bottom]
        self.sentences = [t for t in texts if (t.base > high if column else t.box[0] >= self.middle)]
        left = [t for t in texts if t not in self.sentences]
        if column:
            self.sentences.remove(max(texts, key=lambda t: t.base))
        rows = self.lines(left)
        looks, total = {}, sum(o["flops_number"] for o in facts["ops"] if o["kind"] == "matmul")
        norms = [o for o in facts["ops"] if o["class"] == "norm"]
        names = {**CLASSES, "and".join(dict.fromkeys(plain(o["title"]) for o in norms)): "norm"}
        head = next((row for row in rows if row[0].said == "learnedweights"), [])
        joined = any(v.get("members") for v in facts["values"])
        heads = ["drawn"] + ["unfused"] * joined + ["FLOPs"]
        self.say([t.said for t in head] in (["learnedweights"] + heads, heads), "the legend has no head")
        for t in head:
            t.used = True
        for s in under:
            if s.kind == "diamond" and head and abs(s.mid[1] - head[0].base) < 6:
                s.used = True
                self.say(s.fill != s.stroke and s.pen and head[0].said == "learnedweights", s, "explains nothing")
        self.say(not head or head[0].said != "learnedweights" or sum(s.kind == "diamond" and s.used for s in under) == 1, "no diamond stands for learned weights")
        for s in rects:
            row = next((row for row in rows if s.box[1] <= row[0].base <= s.box[3]), [])
            name = names.get(row[0].said) if row else None
            if not self.say(name and name not in looks, s, "shows no class:", *[t.said for t in row]):
                continue
            mark = looks[name] = Mark(s, "box")
            self.say(0 < row[0].box[0] - s.box[2] < 12, s, "does not stand before", row[0])
            s.used, ops = True, [o for o in facts["ops"] if o["class"] == name]
            for i in under:
                if i is not s and s.holds(i):
                    i.used = True
                    mark.double = i if i.kind == "rect" else mark.double
                    mark.diamond = i if i.kind == "diamond" else mark.diamond
            logical = sum(len(r.get("members", "1")) for o in ops for r in o["reads"] if r["from"] == "weight") \
                if name == "weight_matmul" else len(ops)
            share = round(100 * sum(o["flops_number"] for o in ops) / total, 1) if total else 0
            want = [row[0].said, str(len(ops))] + [str(logical)] * joined + (["%.1f" % share, "%"] if "matmul" in name else ["–"])
            self.say([t.said for t in row] == want, "the legend says", *[t.said for t in row], "and not", *want)
            for t, h in zip(row[1:], head[1:] if head and head[0].said == "learnedweights" else head):
                self.say(h.said == "FLOPs" or h.box[0] <= t.mid[0] <= h.box[2] + 2, t, "is not under", h)
            self.read(row)
            self.say(bool(mark.diamond) == all(self.weights(o) for o in ops), "the legend shows", name, "with or without weights")
            note = next((r for r in rows if s.box[3] < r[0].base < s.box[3] + 9 and r is not row), [])
            said = self.read(note)
            kinds = Counter(o["kind"] for o in ops)
            if name == "other":
                found = [re.fullmatch(r"([a-z]+)(\d+)", part) for part in said.split(",")]
                self.say(all(found) and {m[1]: int(m[2]) for m in found} == kinds, "the legend says", said, "of", dict(kinds))
            elif name == "norm":
                want = "withalearnedgain" if mark.diamond else "withoutweights"
                self.say(said == want, "the legend says", said, "of norms")
            else:
                self.say(said in CLASS_NOTES, "the legend says", said)
        for name in {o["class"] for o in facts["ops"]}:
            self.say(name in looks, "the legend has no", name)
        self.say(len({m.look() + (bool(m.diamond),) for m in looks.values()}) == len(looks), "two classes look alike")
        rail = {e.line.stroke for e in self.arrows}
        for op, d in self.drawn.items():
            mark, name = d["mark"], self.ops[op]["class"]
            if name in looks and mark.diamond and looks[name].diamond:
                a, b = mark.diamond, looks[name].diamond
                self.say((a.fill, a.stroke, a.pen) == (b.fill, b.stroke, b.pen) and near(a.width, b.width),
                         "the diamond of", op, "is not that of the legend")
            if name in looks and mark.form == "box":
                mine = [c for c, m in looks.items() if m.look() == mark.look()]
                self.say(mine == [name], "mark", d["step"], f"({op})", "looks like", mine or "no class", "and is", name)
            elif name in looks:
                s, l = mark.shape, looks[name].shape
                self.say(mark.form == "fork" and s.fill in rail or
                         mark.form == "circle" and s.fill == l.fill and s.stroke in rail | {l.stroke} and s.pen > 0,
                         "mark", d["step"], f"({op})", "does not look as", name)
        self.looks = looks
        flops = sum(o["flops_number"] for o in facts["ops"])
        key = {f"1to{len(self.ops)}orderofexecution": True, "shapeofthevalueonthearrow": True,
               "FLOPsshareofallmatmulstogether": total > 0,
               f"total{self.parameters(self.ops.values()):,}parameters,{flops:,}FLOPs": True}
        for v in facts["values"]:
            if v.get("members"):
                key[self.name_of(v["id"]) + "fuses" + ",".join(self.name_of(m) for m in v["members"])] = True
        footer = max((t.base for t in f.texts), default=0)
        said = ["".join(t.said for t in row) for row in rows if not row[0].used and row[0].base < footer and not self.read(row) == ""]
        for line in said:
            self.say(line in key, "the key says", line)
        for line, must in key.items():
            self.say(said.count(line) == 1 or not must and line not in said, "the key does not say", line)

    def claims(self):
        f, facts = self.figure, self.facts
        under = [s for s in f.shapes if s.box[1] > self.bottom and not s.used and s.box[0] >= self.middle]
        ticks = [s for s in under if s.kind == "line" and len(s.points) == 3 and s.fill == "none"]
        open_ = [s for s in under if s.kind == "circle" and s.fill == "none"]
        rows = self.lines(self.sentences)
        starts = sorted([(s.box[3], s) for s in ticks + open_], key=lambda p: p[0])
        found = []
        for (y, s), following in zip(starts, starts[1:] + [(f.height, None)]):
            block = [t for row in rows for t in row if y - 3 < t.base < following[0] - 2.9 and not t.used]
            self.say(block and near(block[0].base, y, 3.5) and 0 < block[0].box[0] - s.box[2] < 12, s, "ticks nothing")
            s.used = True
            if s.kind == "line":
                (ax, ay), (bx, by), (cx, cy) = s.points
                self.say(ax < bx < cx and by > ay > cy, s, "is no tick")
            found.append((self.read(block), s.kind == "line", block))
        said = Counter((text, ticked) for text, ticked, block in found)
        want = Counter({("checkedagainsttherun", True): 1}) if ticks else Counter()
        drawn_beside = Counter((text, self.steps[m.step]["id"]) for text, m, block in self.callouts if m.step in self.steps)
        accents = set()
        for c in facts["claims"]:
            text = self.filled(c, "say")
            if not c["holds"]:
                continue
            about = [i for i in [c.get("at"), *c.get("also", ())] if i in self.ops]
            accents.update(about)
            beside = next((i for i in about if drawn_beside[text, i] == 1), None)
            if beside and c["by"] != "unchecked":  # at one of the marks that it is about
                drawn_beside[text, beside] -= 1
            else:  # under the picture it says which steps it is about
                text = "step" + "s" * (len(about) > 1) + ",".join(str(n) for n in sorted(self.ops[i]["step"] for i in about)) + text if about else text
                want[(text, True) if c["by"] != "unchecked" else (text + "(unchecked)", False)] += 1
        for m in self.all:
            op = self.steps.get(m.step, {}).get("id")
            self.say(m.form == "bar" or self.accents[id(m)] == (op in accents), "mark", m.step, "has", self.accents[id(m)], "accents")
        for t in facts["texts"]:
            if t["role"] == "note":
                want[self.filled(t, "text") + "(unchecked)", False] += 1
        for key in sorted(said.keys() | want.keys()):
            self.say(said[key] == want[key], "stated" if key[1] else "stated unchecked", said[key], "and not", want[key], "times:", key[0])
        for (text, op), n in drawn_beside.items():
            self.say(n == 0, "beside", op, "stands", text)
        self.stated = found

    # ---- header, panels, footer, description ----

    def words(self):
        facts, f = self.facts, self.figure
        said = self.read(self.header)
        for role in ("title", "subtitle"):
            for t in facts["texts"]:
                if t["role"] == role:
                    text = self.filled(t, "text")
                    said = said[len(text):] if self.say(said.startswith(text), "the header says", said, "and not", text) else said
        shown = set()
        for d in facts["dims"]:
            text = f"{tex(d['label'])}{d['size']}{plain(d.get('what', ''))}"
            if said.startswith(text):
                said = said[len(text):]
                shown.add(tex(d["label"]))
        constants = set()
        for c in facts["constants"]:
            found = re.match(re.escape(tex(c["label"])) + r"((?:[\d.]+·)?10\^\{-?\d+\}|[\d.]+)", said)
            if found and self.say(str(decimal(found[1])) == str(float(c["text"])), "the header says", found[0], "of", c["id"], c["text"]):
                said = said[found.end():]
                constants.add(c["id"])
        self.say(not said, "the row of dims says", said)
        turned = [o for o in facts["ops"] if o["op"] == "rope"]
        if turned and len({o["attributes"]["theta"]["value"] for o in turned}) == 1:
            self.say(turned[0]["attributes"]["theta"]["text"] in constants or
                     any(self.drawn.get(o["id"], {}).get("theta") for o in turned), "the base of the rotation is nowhere printed")
        printed = [t.said for e in self.arrows for t in e.shapes] + [t.said for m in self.all for t in m.beside if t.said[0] == "("]
        for label in sorted({n for n in self.dims.values() for s in printed if re.search(r"(?<![A-Za-z{])%s(?![_A-Za-z])" % re.escape(n), s)}):
            self.say(label in shown, "the size of", label, "is nowhere printed")
        told = any(hasattr(panel, "sums") for panel in self.panels.values())
        for group, panel in self.panels.items():
            ops = [o for o in facts["ops"] if group in o["group"]]
            want = f"{self.parameters(ops):,}parameters·{by_unit(sum(o['flops_number'] for o in ops))}FLOPs"
            sums = self.read(getattr(panel, "sums", []))
            self.say(sums == want or not sums and not told, "panel", group, "says", sums, "and not", want)
        for g in facts["groups"]:
            self.say(not g.get("title") or g["id"] in self.panels, "group", g["id"], "has no panel")
        last = max(f.texts, key=lambda t: t.base)
        runs = ",".join(e.split()[0] for e in facts["evidence"])
        want = f"opfig{facts['version']}·{facts['spec']['name']},digest{facts['spec']['digest'][:8]}·{runs}runs"
        self.say(last.said == want, "the footer says", last.said, "and not", want)
        last.used = True
        squash = lambda s: re.sub(r"[{}()\s]", "", s)  # noqa: E731
        title, desc = ("".join(f.meta[k].itertext()) if k in f.meta else "" for k in ("title", "desc"))
        self.say(squash(title) in [squash(self.filled(t, "text")) for t in facts["texts"] if t["role"] == "title"], "the title is", title)
        for op in facts["ops"]:
            found = re.findall(rf"(?<=[.:] ){op['step']} [^.]*? reads ([^.]*?), gives ([^.]*)\.", desc)
            names = ["theresultof%d" % self.ops[self.writer[v]]["step"] if self.values[v]["kind"] == "activation" and not self.values[v]["labelled"]
                     else self.name_of(v) for v in self.operands(op)]
            gives = ",".join(self.name_of(w["value"]) * self.values[w["value"]]["labelled"] + self.shape_of(w["value"]) for w in op["writes"])
            self.say([tuple(map(squash, x)) for x in found] == [(squash("and".join(names)), squash(gives))],
                     "the description says of", op["id"], *found)

    # ---- data-* ----

    def hints(self):
        """What the file says of itself is what was seen."""
        seen = []
        for op, d in self.drawn.items():
            items = [d["mark"].shape, d["mark"].diamond, d["mark"].double] + d["mark"].words
            seen += [(i, {"op": op, "class": self.ops[op]["class"]}) for i in items if i]
        for e in self.arrows:
            to = f"{e.reader}.{e.value}" if e.reader == "output" else None
            ports = [r["port"] for r in self.ops.get(e.reader, {"reads": ()})["reads"] if r.get("value") == e.value]
            tag = e.line.hints.get("edge", "")
            source = self.writer.get(e.value)
            self.say(tag in [f"{source} {to}"] if to else tag in [f"{source} {e.reader}.{p}" for p in ports],
                     "an edge from", source, "to", e.reader, "is tagged", tag)
            seen += [(i, {"edge": tag, "value": e.value}) for i in (e.line, e.head)]
            seen += [(t, {"name": e.value}) for t in e.names] + [(t, {"shape": e.value}) for t in e.shapes]
        edges = Counter(e.line.hints.get("edge") for e in self.arrows)
        self.say(all(n == 1 for n in edges.values()), "two edges have one tag")
        for group, panel in self.panels.items():
            seen += [(i, {"panel": group}) for i in [panel] + getattr(panel, "sums", [])]
        for m in self.all:
            if m.form == "bar" and m.step:
                seen += [(m.shape, {m.step: m.value})] + [(t, {"shape": m.value}) for t in m.shape_text]
        for name, m in self.looks.items():
            seen.append((m.shape, {"legend": name}))
        texts = {c["id"]: self.filled(c, "say") for c in self.facts["claims"]}
        tail = lambda text: re.sub(r"^steps?(\d+,)*\d+(?=\D)", "", text)  # noqa: E731
        for text, ticked, block in self.stated:
            for t in block:
                if "claim" in t.hints:
                    said = texts.get(t.hints["claim"], "")
                    self.say(text in (said, said + "(unchecked)") or tail(text) in (said, said + "(unchecked)"), t, "is tagged", t.hints["claim"])
        for text, m, block in self.callouts:
            for t in block:
                self.say(texts.get(t.hints.get("callout")) == text, t, "is tagged", t.hints.get("callout"))
        for item, want in seen:
            for key, value in want.items():
                self.say(item.hints.get(key) == value, item, "is tagged", key, item.hints.get(key), "and is", value)
        sizes = {d["id"]: str(d["size"]) for d in self.facts["dims"]}
        for t in self.figure.texts:
            number = t.hints.get("number")
            self.say(number not in sizes or t.said == sizes[number], t, "is tagged", number)
        for kind, known in (("op", self.ops), ("panel", {g["id"]: 1 for g in self.facts["groups"]}), ("claim", texts)):
            tags = {i.hints[kind] for i in self.figure.shapes + self.figure.texts if kind in i.hints}
            self.say(tags <= set(known), "tags of", kind, "that the record does not have:", *sorted(tags - set(known)))

    def leftovers(self):
        for item in self.figure.shapes + self.figure.texts:
            self.say(item.used, item, "was not understood")
