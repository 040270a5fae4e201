# SPDX-License-Identifier: MIT
"""Where the ink of a text lies, read from the outlines in the font files.

A reader of OpenType fonts with CFF outlines, written from the published formats: `cmap`
gives glyphs, `hmtx` advances, pairs of `GPOS` kerning, and the Type 2 charstrings are run
for the box around each glyph's real outline. No ligatures and no substitutions, as figures
use none. Nothing of this is shared with the program.
"""
import functools
import pathlib
import struct

INTER = "/usr/share/fonts/opentype/inter/Inter-{}.otf"
LM = "/usr/share/texmf/fonts/opentype/public/"
WEIGHTS = {"300": "Light", "400": "Regular", "600": "SemiBold"}


def file_of(family, weight, italic):
    """The file of the first family of a font-family list; None if it is none of ours."""
    first = family.split(",")[0].strip(" '\"")
    if first == "Inter" and weight in WEIGHTS and not italic:
        return INTER.format(WEIGHTS[weight])
    if first == "LM Roman 10" and weight == "400":
        return LM + ("lm/lmroman10-italic.otf" if italic else "lm/lmroman10-regular.otf")
    if first == "Latin Modern Math" and weight == "400" and not italic:
        return LM + "lm-math/latinmodern-math.otf"
    return None


class Font:
    def __init__(self, path):
        data = self.data = pathlib.Path(path).read_bytes()
        count = self.u16(4)
        self.tables = {data[at:at + 4].decode(): self.u32(at + 8)
                       for at in range(12, 12 + 16 * count, 16)}
        self.em = self.u16(self.tables["head"] + 18)
        self.metrics = self.u16(self.tables["hhea"] + 34)
        self.cmap = self.read_cmap()
        self.charstrings, self.globals, self.locals = self.read_cff(self.tables["CFF "])
        self.pairs = self.read_kerning() if "GPOS" in self.tables else []
        self.boxes = {}

    def u16(self, at):
        return struct.unpack_from(">H", self.data, at)[0]

    def i16(self, at):
        return struct.unpack_from(">h", self.data, at)[0]

    def u32(self, at):
        return struct.unpack_from(">I", self.data, at)[0]

    # ---- cmap and hmtx ----

    def read_cmap(self):
        base = self.tables["cmap"]
        found = {}
        for record in range(base + 4, base + 4 + 8 * self.u16(base + 2), 8):
            at = base + self.u32(record + 4)
            if self.u16(at) == 12:
                for group in range(at + 16, at + 16 + 12 * self.u32(at + 12), 12):
                    first, last, glyph = struct.unpack_from(">III", self.data, group)
                    found.update((code, glyph + code - first) for code in range(first, last + 1))
            elif self.u16(at) == 4 and not found:
                found.update(self.read_cmap4(at))
        return found

    def read_cmap4(self, at):
        count = self.u16(at + 6) // 2
        ends, starts = at + 14, at + 16 + 2 * count
        deltas, offsets = starts + 2 * count, starts + 4 * count
        for i in range(count):
            offset = self.u16(offsets + 2 * i)
            for code in range(self.u16(starts + 2 * i), self.u16(ends + 2 * i) + 1):
                glyph = code
                if offset:
                    glyph = self.u16(offsets + 2 * i + offset + 2 * (code - self.u16(starts + 2 * i)))
                if code != 0xFFFF and (glyph or not offset):
                    yield code, (glyph + self.u16(deltas + 2 * i)) & 0xFFFF

    def advance(self, glyph):
        return self.u16(self.tables["hmtx"] + 4 * min(glyph, self.metrics - 1))

    # ---- kerning ----

    def read_kerning(self):
        """Subtables of pairs of the lookups that the feature `kern` names."""
        gpos = self.tables["GPOS"]
        features, lookups = gpos + self.u16(gpos + 6), gpos + self.u16(gpos + 8)
        chosen = set()
        for record in range(features + 2, features + 2 + 6 * self.u16(features), 6):
            if self.data[record:record + 4] == b"kern":
                at = features + self.u16(record + 4)
                chosen.update(self.u16(at + 4 + 2 * i) for i in range(self.u16(at + 2)))
        result = []
        for index in sorted(chosen):
            lookup = lookups + self.u16(lookups + 2 + 2 * index)
            group = []
            for i in range(self.u16(lookup + 4)):
                kind, at = self.u16(lookup), lookup + self.u16(lookup + 6 + 2 * i)
                if kind == 9:
                    kind, at = self.u16(at + 2), at + self.u32(at + 4)
                if kind == 2:
                    group.append((at, self.coverage(at + self.u16(at + 2))))
            result.append(group)
        return result

    def coverage(self, at):
        count = self.u16(at + 2)
        if self.u16(at) == 1:
            return {self.u16(at + 4 + 2 * i): i for i in range(count)}
        found = {}
        for record in range(at + 4, at + 4 + 6 * count, 6):
            first, last, index = struct.unpack_from(">HHH", self.data, record)
            found.update((glyph, index + glyph - first) for glyph in range(first, last + 1))
        return found

    def glyph_class(self, at, glyph):
        if self.u16(at) == 1:
            i = glyph - self.u16(at + 2)
            return self.u16(at + 6 + 2 * i) if 0 <= i < self.u16(at + 4) else 0
        for record in range(at + 4, at + 4 + 6 * self.u16(at + 2), 6):
            if self.u16(record) <= glyph <= self.u16(record + 2):
                return self.u16(record + 4)
        return 0

    @functools.lru_cache(maxsize=None)
    def kern(self, left, right):
        total = 0
        for group in self.pairs:
            for at, covered in group:
                if left not in covered:
                    continue
                value = self.pair(at, covered[left], left, right)
                if value is not None:
                    total += value
                    break
        return total

    def pair(self, at, index, left, right):
        """The change of the first glyph's advance; None if the subtable has no such pair."""
        first, second = self.u16(at + 4), self.u16(at + 6)
        size = 2 * (bin(first).count("1") + bin(second).count("1"))
        skip = 2 * bin(first & 3).count("1")
        if self.u16(at) == 1:
            pairs = at + self.u16(at + 10 + 2 * index)
            for i in range(self.u16(pairs)):
                record = pairs + 2 + i * (2 + size)
                if self.u16(record) == right:
                    return self.i16(record + 2 + skip) if first & 4 else 0
            return None
        row = self.glyph_class(at + self.u16(at + 8), left)
        column = self.glyph_class(at + self.u16(at + 10), right)
        record = at + 16 + (row * self.u16(at + 14) + column) * size
        return self.i16(record + skip) if first & 4 else 0

    # ---- CFF ----

    def index(self, at):
        """The (start, end) of each entry of an INDEX, and where it ends."""
        count = self.u16(at)
        if count == 0:
            return [], at + 2
        wide = self.data[at + 2]
        ends = [int.from_bytes(self.data[at + 3 + wide * i:at + 3 + wide * (i + 1)], "big")
                for i in range(count + 1)]
        base = at + 2 + wide * (count + 1)
        return [(base + a, base + b) for a, b in zip(ends, ends[1:])], base + ends[-1]

    def dictionary(self, at, end):
        found, stack = {}, []
        while at < end:
            byte = self.data[at]
            at += 1
            if byte <= 21:
                if byte == 12:
                    byte = 1200 + self.data[at]
                    at += 1
                found[byte], stack = stack, []
            elif byte == 28:
                stack.append(self.i16(at))
                at += 2
            elif byte == 29:
                stack.append(struct.unpack_from(">i", self.data, at)[0])
                at += 4
            elif byte == 30:
                while self.data[at] & 15 != 15:
                    at += 1
                at += 1
                stack.append(0.0)  # a real; none of those is needed
            elif byte <= 246:
                stack.append(byte - 139)
            elif byte <= 250:
                stack.append((byte - 247) * 256 + self.data[at] + 108)
                at += 1
            else:
                stack.append(-(byte - 251) * 256 - self.data[at] - 108)
                at += 1
        return found

    def read_cff(self, base):
        _, at = self.index(base + self.data[base + 2])
        tops, at = self.index(at)
        _, at = self.index(at)
        subroutines, _ = self.index(at)
        top = self.dictionary(*tops[0])
        charstrings, _ = self.index(base + top[17][0])
        own = []
        if 18 in top:
            size, start = top[18]
            private = self.dictionary(base + start, base + start + size)
            if 19 in private:
                own, _ = self.index(base + start + private[19][0])
        if 1230 in top:
            raise ValueError("fonts with several private dictionaries are not read")
        return charstrings, subroutines, own

    def box(self, glyph):
        """(left, bottom, right, top) around the outline in font units, or None."""
        if glyph not in self.boxes:
            pen = Pen(self)
            pen.run(*self.charstrings[glyph])
            self.boxes[glyph] = pen.box()
        return self.boxes[glyph]


class Pen:
    """Runs a Type 2 charstring and remembers the extremes of its curves."""

    def __init__(self, font):
        self.font, self.stack, self.hints = font, [], 0
        self.x = self.y = 0
        self.xs, self.ys = [], []

    def box(self):
        return (min(self.xs), min(self.ys), max(self.xs), max(self.ys)) if self.xs else None

    def mark(self):
        self.xs.append(self.x)
        self.ys.append(self.y)

    def move(self, dx, dy):
        self.x += dx
        self.y += dy

    def line(self, dx, dy):
        self.mark()
        self.move(dx, dy)
        self.mark()

    def curve(self, a, b, c, d, e, f):
        x, y = [self.x], [self.y]
        for dx, dy in ((a, b), (c, d), (e, f)):
            x.append(x[-1] + dx)
            y.append(y[-1] + dy)
        self.xs += extremes(*x)
        self.ys += extremes(*y)
        self.x, self.y = x[3], y[3]

    def take_hints(self):
        self.hints += len(self.stack) // 2
        self.stack.clear()

    def run(self, at, end):
        """True when the glyph has ended."""
        data, stack = self.font.data, self.stack
        while at < end:
            byte = data[at]
            at += 1
            if byte == 28:
                stack.append(self.font.i16(at))
                at += 2
            elif byte == 255:
                stack.append(struct.unpack_from(">i", data, at)[0] / 65536)
                at += 4
            elif byte >= 251:
                stack.append(-(byte - 251) * 256 - data[at] - 108)
                at += 1
            elif byte >= 247:
                stack.append((byte - 247) * 256 + data[at] + 108)
                at += 1
            elif byte >= 32:
                stack.append(byte - 139)
            elif byte in (10, 29):
                pool = self.font.locals if byte == 10 else self.font.globals
                bias = 107 if len(pool) < 1240 else 1131 if len(pool) < 33900 else 32768
                if self.run(*pool[int(stack.pop()) + bias]):
                    return True
            elif byte == 11:
                return False
            elif byte == 14:
                return True
            elif byte in (19, 20):
                self.take_hints()
                at += (self.hints + 7) // 8
            elif byte in (1, 3, 18, 23):
                self.take_hints()
            elif byte == 12:
                self.flex(data[at])
                at += 1
                stack.clear()
            else:
                self.draw(byte)
                stack.clear()
        return False

    def draw(self, op):
        s = self.stack
        if op == 21:
            self.move(s[-2], s[-1])
        elif op == 22:
            self.move(s[-1], 0)
        elif op == 4:
            self.move(0, s[-1])
        elif op == 5:
            self.lines(s)
        elif op in (6, 7):
            for i, d in enumerate(s):
                self.line(*((d, 0) if (i % 2 == 0) == (op == 6) else (0, d)))
        elif op in (8, 24):
            self.curves(s[:len(s) // 6 * 6])
            if op == 24:
                self.lines(s[-2:])
        elif op == 25:
            self.lines(s[:-6])
            self.curves(s[-6:])
        elif op in (26, 27):
            first = s.pop(0) if len(s) % 4 else 0
            for i in range(0, len(s), 4):
                a, b, c, d = s[i:i + 4]
                self.curve(*((first, a, b, c, 0, d) if op == 26 else (a, first, b, c, d, 0)))
                first = 0
        elif op in (30, 31):
            level = op == 31
            for i in range(0, len(s) // 4 * 4, 4):
                a, b, c, d = s[i:i + 4]
                last = s[-1] if len(s) - i == 5 else 0
                self.curve(*((a, 0, b, c, last, d) if level else (0, a, b, c, d, last)))
                level = not level
        else:
            raise ValueError(f"charstring operator {op}")

    def lines(self, s):
        for i in range(0, len(s), 2):
            self.line(s[i], s[i + 1])

    def curves(self, s):
        for i in range(0, len(s), 6):
            self.curve(*s[i:i + 6])

    def flex(self, op):
        s = self.stack
        if op == 35:
            self.curves(s[:12])
        elif op == 34:
            self.curves([s[0], 0, s[1], s[2], s[3], 0, s[4], 0, s[5], -s[2], s[6], 0])
        elif op == 36:
            self.curves([*s[:5], 0, s[5], 0, *s[6:9], -(s[1] + s[3] + s[7])])
        elif op == 37:
            dx, dy = sum(s[0:10:2]), sum(s[1:10:2])
            self.curves([*s[:10], *((s[10], -dy) if abs(dx) > abs(dy) else (-dx, s[10]))])
        else:
            raise ValueError(f"charstring operator 12 {op}")


def extremes(a, b, c, d):
    """The ends of a cubic in one coordinate, and where it turns between them."""
    found = [a, d]
    # the derivative is p t² + q t + r, up to a factor
    p, q, r = d - 3 * c + 3 * b - a, 2 * (c - 2 * b + a), b - a
    roots = []
    if abs(p) > 1e-9:
        under = q * q - 4 * p * r
        if under >= 0:
            roots = [(-q + sign * under ** 0.5) / (2 * p) for sign in (1, -1)]
    elif abs(q) > 1e-9:
        roots = [-r / q]
    for t in roots:
        if 0 < t < 1:
            u = 1 - t
            found.append(u ** 3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t ** 3 * d)
    return found


@functools.lru_cache(maxsize=None)
def load(path):
    return Font(path)


def ink(path, size, x, y, words):
    """[(left, top, right, bottom)] of each glyph with ink in page coordinates, and the x
    behind the last one. Raises KeyError for a character that the font has not."""
    font = load(path)
    scale = size / font.em
    boxes, last = [], None
    for letter in words:
        glyph = font.cmap[ord(letter)]
        if last is not None:
            x += font.kern(last, glyph) * scale
        box = font.box(glyph)
        if box:
            boxes.append((x + box[0] * scale, y - box[3] * scale,
                          x + box[2] * scale, y - box[1] * scale))
        x += font.advance(glyph) * scale
        last = glyph
    return boxes, x
