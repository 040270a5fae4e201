# SPDX-License-Identifier: MIT
"""Whose is a text? The rule a reader goes by, applied to nothing but where the ink lies: the
mark that holds it, else the mark on whose row it lies with nothing between, else the edge
within 6 pt. It must have one answer, and that must be what the file says."""
import collections

from facts import NEAR, TOUCH, where
from figure import box_of, gap, grow, inside, meet, meeting, union

CLEARLY = 2         # of two marks on a row the nearer one is meant, when it is so many times nearer

Block = collections.namedtuple("Block", "words box kind id group")


def blocks(figure, facts):
    """Texts that belong to a mark or an edge: one block a text, a callout is one as a whole."""
    for mark in figure.marks:
        for texts in lines_of(mark.texts):
            yield Block(" ".join(text.words for text in texts), union(text.box for text in texts),
                        mark.kind, mark.id, mark.texts)
    for claim, bar, texts in figure.callouts:
        if texts:
            yield Block(" ".join(text.words for text in texts),
                        union([bar.ink] + [text.box for text in texts]),
                        "op", barred(figure, facts, claim, bar), texts)
    for text in figure.labels:
        yield Block(text.words, text.box, *text.owner, [text])


def barred(figure, facts, claim, bar):
    """Of the marks that a claim is about the one at which its words stand: the nearest to the bar."""
    about = facts.claims.get(claim, [None])
    left, top, right, bottom = bar.ink
    marks = [mark for mark in figure.marks if mark.kind == "op" and mark.id in about and
             mark.ink[1] < (top + bottom) / 2 < mark.ink[3]]
    nearest = min(marks, key=lambda mark: max(left - mark.ink[2], mark.ink[0] - right), default=None)
    return nearest.id if nearest else about[0]


def lines_of(texts):
    """Texts of one mark that follow each other on a line are read as one."""
    lines = []
    for text in sorted(texts, key=lambda text: text.box[0]):
        before = lines[-1][-1].box if lines else None
        if before and 0 <= text.box[0] - before[2] < NEAR and min(text.box[3], before[3]) > max(
                text.box[1], before[1]):
            lines[-1].append(text)
        else:
            lines.append([text])
    return lines


def on_row(box, ink):
    """Is the middle of a text as high as a mark? A fork or a bar is lower than a line of type,
    which need only touch its row."""
    if ink[3] - ink[1] < box[3] - box[1]:
        return min(ink[3], box[3]) > max(ink[1], box[1])
    return ink[1] < (box[1] + box[3]) / 2 < ink[3]


class Field:
    """What may stand between a text and a mark, prepared once a figure."""

    def __init__(self, figure):
        self.figure = figure
        self.borders = [box for panel in figure.panels.values() for box in panel.strokes]
        self.borders += [bar.ink for _, bar, _ in figure.callouts]

    def free(self, strip, mark, group):
        """Is there no other mark, edge, border or text in the strip? Texts of the mark do not
        stand between it and another of its own."""
        own = {id(text) for text in [*group, *mark.texts]}
        if any(meet(strip, other.ink) for other in self.figure.marks if other is not mark):
            return False
        if any(meet(strip, edge.whole) and meeting([strip], edge.solid)
               for edge in self.figure.edges):
            return False
        if any(meet(strip, box) for box in self.borders):
            return False
        return not any(meet(strip, text.box) for text in self.figure.texts if id(text) not in own)

    def holders(self, box):
        return [mark for mark in self.figure.marks
                if mark.kind == "op" and not mark.is_fork and inside(box, mark.ink, TOUCH)]

    def row(self, box, group):
        """(distance, mark) of the marks on whose row a box lies, nearest first."""
        found = []
        for mark in self.figure.marks:
            ink = mark.ink
            if not on_row(box, ink):
                continue
            if ink[0] >= box[2] - TOUCH:
                strip = (box[2], box[1], max(ink[0], box[2]), box[3])
            elif ink[2] <= box[0] + TOUCH:
                strip = (min(ink[2], box[0]), box[1], box[0], box[3])
            else:
                continue
            if self.free(strip, mark, group):
                found.append((strip[2] - strip[0], mark))
        return sorted(found, key=lambda pair: pair[0])

    def lines(self, box):
        """Values of the edges whose middle lines pass within reach of a box, with the distance."""
        found = {}
        for edge in self.figure.edges:
            if not meet(grow(box, NEAR + 1), edge.whole):
                continue
            for segment in edge.line.segments:
                far = gap(box, box_of(segment))
                if far <= NEAR:
                    found[edge.value] = min(far, found.get(edge.value, far))
        return found


def says(block, facts):
    """The marks or values that a block may belong to by what the file says."""
    if block.kind in ("name", "shape"):
        return {block.id}, facts.writer.get(block.id)
    return set(), block.id


def bars(figure, facts, field):
    """The bars of a claim stand at marks that it is about, one a mark; a mark that has the bar of
    another claim needs no second one."""
    found = collections.defaultdict(list)
    for claim, bar, texts in figure.callouts:
        row = field.row(union([bar.ink] + [text.box for text in texts]), texts)
        found[claim].append(row[0][1].id if row else "no mark")
    barred = {mark for marks in found.values() for mark in marks}
    for claim, marks in found.items():
        about = facts.claims.get(claim, [])
        if not set(marks) <= set(about) <= barred or len(set(marks)) < len(marks):
            yield f"the bars of {claim} stand at {', '.join(marks)}; it is about {', '.join(about)}"


def led(figure, facts, field):
    """What a line leads to belongs to nothing else: no edge is near, and nothing but the mark that the
    line begins at could have it by its row."""
    for claim, bar, line, texts in figure.leaders:
        box = union([text.box for text in texts])
        row = field.row(box, texts)
        at = f"the words of {claim} {where(box)}"
        if row and row[0][1].id not in facts.claims.get(claim, []):
            yield f"{at} lie on the row of {row[0][1].name}"
        if field.lines(box):
            yield f"{at} have within {NEAR:.0f} pt the edges of {', '.join(field.lines(box))}"


def owners(figure, facts):
    """Each text has one owner, and it is the one that the file says."""
    field = Field(figure)
    yield from bars(figure, facts, field)
    yield from led(figure, facts, field)
    for block in blocks(figure, facts):
        values, mark_id = says(block, facts)
        at = f"text {block.words!r} {where(block.box)} of {block.kind} {block.id}"
        held = field.holders(block.box)
        if held:
            if len(held) > 1 or held[0].id != mark_id:
                yield f"{at} is held by {', '.join(m.name for m in held)}"
            continue
        row = field.row(block.box, block.group)
        if row:
            if row[0][1].id != mark_id:
                yield f"{at} lies on the row of {row[0][1].name}, {row[0][0]:.1f} away"
            elif len(row) > 1 and row[1][0] < CLEARLY * row[0][0]:
                yield f"{at} lies on the rows of {' and '.join(f'{m.name}, {d:.1f} away' for d, m in row)}"
            continue
        near = field.lines(block.box)
        if set(near) != values:
            told = ", ".join(f"{value} ({far:.1f})" for value, far in near.items()) or "nothing"
            yield f"{at} has within {NEAR:.0f} pt the edges of {told}"
