# SPDX-License-Identifier: MIT
"""The promises of edges, dots and the residual stream: functions that take a Figure and the Facts
of its record, and yield the places where the promise is broken."""
import collections
import itertools

from facts import APART, FROM_BEND, NEAR, ON_BORDER, ROUNDING, TOUCH, place, where
from figure import box_of, gap, grow, inside, meet, meeting, union


def horizontal(segment):
    return abs(segment[0][1] - segment[1][1]) <= ROUNDING


def vertical(segment):
    return abs(segment[0][0] - segment[1][0]) <= ROUNDING


# ---- edges ----

def ends_of(figure, edge, facts):
    """The marks that an edge should start and end on."""
    marks = {(mark.kind, mark.id): mark for mark in figure.marks}
    source = marks.get(("input", edge.source)) or marks.get(("op", edge.source))
    target = marks.get(("output", edge.port) if edge.target == "output" else ("op", edge.target))
    return source, target


def to_border(point, body):
    """How far a point lies outside (or, below 0, inside) the outline of a mark."""
    x0, y0, x1, y1 = body.box
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    if body.is_circle:
        return ((point[0] - cx) ** 2 + (point[1] - cy) ** 2) ** 0.5 - (x1 - x0) / 2
    r = min(body.round, (x1 - x0) / 2, (y1 - y0) / 2)
    dx = abs(point[0] - cx) - (x1 - x0) / 2 + r
    dy = abs(point[1] - cy) - (y1 - y0) / 2 + r
    return (max(dx, 0) ** 2 + max(dy, 0) ** 2) ** 0.5 + min(max(dx, dy), 0) - r


def edges_end(figure, facts):
    """An edge starts on the mark that wrote its value and its head ends on the reader's."""
    for edge in figure.edges:
        for point, mark, what in zip((edge.start, edge.tip), ends_of(figure, edge, facts),
                                     ("starts", "ends")):
            if mark is None:
                yield f"{edge.name} has no mark where it {what}"
                continue
            far = to_border(point, mark.body)
            if abs(far) > mark.body.stroke / 2 + ON_BORDER:
                yield f"{edge.name} {what} at {place(point)}, {far:.2f} from the border of {mark.name}"


def edges_are_lines(figure, facts):
    """Edges are unbroken level and upright lines with round bends, and have a head."""
    for edge in figure.edges:
        if edge.line.fill or edge.line.stroke <= 0 or edge.line.closed:
            yield f"{edge.name} is no line"
        if not edge.head.fill or len(edge.head.pieces) != 3 or not edge.head.closed:
            yield f"{edge.name} has no head"
        for kind, points in edge.line.pieces:
            if kind == "L" and not (horizontal(points) or vertical(points)):
                yield f"{edge.name} is slanted from {place(points[0])} to {place(points[-1])}"
            (x0, y0), (x1, y1) = points[0], points[-1]
            if kind == "C" and abs(abs(x1 - x0) - abs(y1 - y0)) > 0.05:
                yield f"{edge.name} has a bend that is not round at {place(points[0])}"
        for (_, one), (_, two) in zip(edge.line.pieces, edge.line.pieces[1:]):
            if one[-1] != two[0]:
                yield f"{edge.name} is broken at {place(one[-1])}"


def heads_sit(figure, facts):
    """A head sits straight on the straight end of its line, which reaches into it."""
    for edge in figure.edges:
        kind, last = edge.line.pieces[-1]
        (ax, ay), (bx, by) = last[-2], last[-1]
        (x, y), base = edge.tip, edge.base
        middle = ((base[0][0] + base[1][0]) / 2, (base[0][1] + base[1][1]) / 2)
        forward = (x - bx) * (bx - ax) + (y - by) * (by - ay)
        aside = abs((x - bx) * (by - ay) - (y - by) * (bx - ax))
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        if kind != "L" or length == 0:
            yield f"{edge.name} has a bend at {place((bx, by))} that runs into its head at {place((x, y))}"
        elif forward <= 0 or aside > 0.05 * length or not inside(
                (bx, by, bx, by), grow(box_of(((x, y), middle)), 0.05)):
            yield f"{edge.name} has its head at {place((x, y))}, its line ends at {place((bx, by))}"


def edges_clear(figure, facts):
    """No edge runs through a mark, a callout, a sign or a text; ends touch their marks only."""
    texts = [text.box for text in figure.texts]
    for edge in figure.edges:
        boxes, whole = edge.solid, edge.whole
        ends = ends_of(figure, edge, facts)
        for mark in figure.marks:
            if mark in ends:
                bad = [p for _, points in edge.line.pieces for p in points
                       if to_border(p, mark.body) < -mark.body.stroke / 2 - ON_BORDER]
                bad += through(edge, mark.body)
                if bad:
                    yield f"{edge.name} runs into {mark.name} at {place(bad[0])}"
            elif meet(whole, mark.ink, TOUCH) and any(meet(box, mark.ink, TOUCH) for box in boxes):
                yield f"{edge.name} runs through {mark.name} {where(mark.ink)}"
        for name, bar, _ in figure.callouts:
            if any(meet(box, bar.ink, TOUCH) for box in boxes):
                yield f"{edge.name} runs through the bar of callout {name}"
        for owner, shape in figure.shapes:
            if any(meet(box, shape.ink, TOUCH) for box in boxes):
                yield f"{edge.name} runs through a shape of {owner}"
        for i in {j for _, j in meeting(boxes, texts, TOUCH)}:
            text = figure.texts[i]
            if meeting(boxes, text.glyphs, TOUCH):
                yield f"{edge.name} runs through text {text.words!r} {where(text.box)}"


def leaders(figure, facts):
    """A leader is a thin level or upright line from its bar to its words, clear of marks and texts; it
    passes edges at right angles only, away from their bends."""
    for claim, bar, line, words in figure.leaders:
        at = f"leader of {claim} {where(line.box)}"
        begin, end = line.pieces[0][1][0], line.pieces[-1][1][-1]
        if gap(bar.ink, (*begin, *begin)) > TOUCH or line.stroke >= bar.stroke:
            yield f"{at} begins on no bar of its own"
        if gap(union([text.box for text in words]), (*end, *end)) > NEAR or line.stroke >= min(
                edge.line.stroke for edge in figure.edges):
            yield f"{at} does not lead to its words, or is as bold as an edge"
        for a, b in line.segments:
            box, flat = box_of((a, b)), abs(a[1] - b[1]) < 0.01
            if not flat and abs(a[0] - b[0]) > 0.01:
                yield f"{at} is slanted"
            for mark in figure.marks:
                if meet(grow(box, line.stroke / 2), mark.ink, TOUCH):
                    yield f"{at} runs through {mark.name}"
            for text in figure.texts:
                if any(meet(grow(box, line.stroke / 2), glyph, TOUCH) for glyph in text.glyphs):
                    yield f"{at} runs through text {text.words!r}"
            for edge in figure.edges:
                for bend in edge.bends:
                    if gap(box, box_of(bend)) < FROM_BEND:
                        yield f"{at} passes a bend of {edge.name}"
                for c, d in edge.straight:
                    level = abs(c[1] - d[1]) < 0.01
                    if gap(box, box_of((c, d))) < FROM_BEND and (level == flat or min(
                            gap(box, (*c, *c)), gap(box, (*d, *d))) < FROM_BEND):
                        yield f"{at} runs along {edge.name}"
                if any(meet(box, tip, TOUCH) for tip in edge.solid[len(edge.line.strokes):]):
                    yield f"{at} passes the head of {edge.name}"


def through(edge, body):
    """Middles of straight pieces that pass through a mark from side to side."""
    inner = grow(body.box, -body.stroke / 2 - ON_BORDER)
    if inner[0] >= inner[2] or inner[1] >= inner[3]:
        return []
    return [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in edge.line.segments
            if meet(box_of((a, b)), grow(inner, -0.01), -0.005) and
            to_border(((max(min(a[0], b[0]), inner[0]) + min(max(a[0], b[0]), inner[2])) / 2,
                       (max(min(a[1], b[1]), inner[1]) + min(max(a[1], b[1]), inner[3])) / 2),
                      body) < -body.stroke / 2 - ON_BORDER]


def along(a, b, width):
    """Length over which two level or two upright lines lie on each other's ink."""
    for flat in (0, 1):
        test = horizontal if flat == 0 else vertical
        if test(a) and test(b) and abs(a[0][1 - flat] - b[0][1 - flat]) < width - ROUNDING:
            low = max(min(p[flat] for p in a), min(p[flat] for p in b))
            high = min(max(p[flat] for p in a), max(p[flat] for p in b))
            return max(high - low, 0)
    return 0


def lines(figure):
    """(edge, its straight piece, the ink of that) of all edges."""
    return [(edge, segment, grow(box_of(segment), edge.line.stroke / 2))
            for edge in figure.edges for segment in edge.straight]


def encounters(ones, others, slack=0.0):
    """Pairs of (edge, …, ink) of different values whose ink, grown by slack, overlaps."""
    for i, j in meeting([grow(one[-1], slack) for one in ones], [other[-1] for other in others]):
        if ones[i][0].value != others[j][0].value:
            yield ones[i], others[j]


def edges_share_nothing(figure, facts):
    """Edges of different values share no segment."""
    straight = lines(figure)
    for (a, one, _), (b, two, _) in encounters(straight, straight):
        shared = along(one, two, (a.line.stroke + b.line.stroke) / 2)
        if shared > TOUCH and a.name < b.name:
            yield (f"{a.name} and {b.name} share {shared:.2f} pt of "
                   f"{place(one[0])}–{place(one[1])}")


def edges_cross_cleanly(figure, facts):
    """Edges of different values cross only at right angles, away from bends, heads, dots and ends."""
    straight = lines(figure)
    bends = [(edge, bend, grow(box_of(pair), edge.line.stroke / 2))
             for edge in figure.edges for bend in edge.bends for pair in zip(bend, bend[1:])]
    heads = [(edge, edge.tip, edge.head.box) for edge in figure.edges]
    found = set()
    for (a, _, _), (b, bend, _) in encounters(straight, bends, FROM_BEND):
        found.add(f"{a.name} passes a bend of {b.name} at {place(bend[0])}")
    for (a, _, _), (b, tip, _) in encounters(straight + bends, heads, FROM_BEND):
        found.add(f"{a.name} passes the head of {b.name} at {place(tip)}")
    for (a, bend, _), (b, _, _) in encounters(bends, bends):
        found.add(f"bends of {a.name} and {b.name} touch at {place(bend[0])}")
    for (a, tip, _), (b, _, _) in encounters(heads, heads):
        found.add(f"heads of {a.name} and {b.name} touch at {place(tip)}")
    for (a, one, _), (b, two, _) in encounters(straight, straight, FROM_BEND):
        if horizontal(one) and not horizontal(two):
            x, y = two[0][0], one[0][1]
            over = min(x - min(p[0] for p in one), max(p[0] for p in one) - x,
                       y - min(p[1] for p in two), max(p[1] for p in two) - y)
            if over < (a.line.stroke + b.line.stroke) / 4 + FROM_BEND:
                found.add(f"{a.name} and {b.name} meet at an end, {place((x, y))}, and do not cross")
    for value, dot in figure.forks:
        for edge in figure.edges:
            if edge.value != value and meeting(edge.solid, [grow(dot.ink, FROM_BEND)]):
                found.add(f"{edge.name} passes the dot of {value} at {where(dot.box)}")
    return sorted(found)


def operands(figure, facts):
    """Ends of different operands are 8 pt apart, and from left to right where order matters."""
    by_reader = collections.defaultdict(list)
    for edge in figure.edges:
        by_reader[edge.target if edge.target != "output" else "output " + edge.port].append(edge)
    for reader, edges in by_reader.items():
        for a, b in itertools.combinations(edges, 2):
            far = ((a.tip[0] - b.tip[0]) ** 2 + (a.tip[1] - b.tip[1]) ** 2) ** 0.5
            if far < APART - ROUNDING:
                yield f"{a.name} and {b.name} end {far:.2f} apart"
        op = facts.ops.get(reader)
        if op and not op["commutes"]:
            order = [read["port"] for read in op["reads"]]
            edges.sort(key=lambda edge: order.index(edge.port) if edge.port in order else -1)
            for a, b in zip(edges, edges[1:]):
                if a.tip[0] >= b.tip[0] - ROUNDING:
                    yield (f"{a.name} ends at x {a.tip[0]:.2f}, {b.name} at {b.tip[0]:.2f}: "
                           f"not in the order of the operands")


def dots(figure, facts):
    """A dot stands where one value forks, and wherever it does."""
    by_value = collections.defaultdict(list)
    for edge in figure.edges:
        by_value[edge.value].append(edge)
    for value, dot in figure.forks:
        x0, y0, x1, y1 = dot.box
        center = ((x0 + x1) / 2, (y0 + y1) / 2)
        if not dot.is_circle or not dot.fill:
            yield f"the dot of {value} at {place(center)} is none"
        ways = ways_at(by_value[value], center)
        if len(ways) < 3:
            yield f"the dot of {value} at {place(center)} stands where {len(ways)} lines meet"
        sources = {edge.name for edge in by_value[value] if passes(edge, center)}
        if len(sources) < 2:
            yield f"the dot of {value} at {place(center)} stands on {len(sources)} edges of it"
    for value, edges in by_value.items():
        centers = [((d.box[0] + d.box[2]) / 2, (d.box[1] + d.box[3]) / 2)
                   for name, d in figure.forks if name == value]
        for a, b in itertools.combinations(edges, 2):
            point, _ = parting(a, b) or (None, None)
            if point and not any(abs(point[0] - x) < 0.2 and abs(point[1] - y) < 0.2
                                 for x, y in centers) and not on_border(figure, point):
                yield f"{a.name} and {b.name} part at {place(point)} without a dot"


def on_border(figure, point):
    return any(abs(to_border(point, mark.body)) < ON_BORDER for mark in figure.marks)


def on(point, segment, slack=0.1):
    return inside((*point, *point), box_of(segment), slack)


def passes(edge, point):
    return any(on(point, segment) for segment in edge.straight)


def ways_at(edges, point):
    """Directions in which straight lines of a value leave a point."""
    found = set()
    for edge in edges:
        for segment in edge.straight:
            if on(point, segment):
                for x, y in segment:
                    if abs(x - point[0]) > 0.5 or abs(y - point[1]) > 0.5:
                        found.add((round_sign(x - point[0]), round_sign(y - point[1])))
    return found


def round_sign(d):
    return 0 if abs(d) < 0.1 else 1 if d > 0 else -1


def corners(edge):
    """[(x, y, bend)] of an edge with its bends taken as the corners that they round."""
    found = [(*edge.start, None)]
    for (kind, points), (after, _) in zip(edge.line.pieces, edge.line.pieces[1:] + [(None, None)]):
        if kind == "C":
            (x0, y0), (x1, y1), (x2, y2) = points[0], points[1], points[-1]
            level = abs(x1 - x0) > abs(y1 - y0)
            found.append((x2, y0, points) if level else (x0, y2, points))
        elif after == "L":
            found.append((*points[-1], None))
    return found + [(*edge.tip, None)]


def same(p, q):
    return abs(p[0] - q[0]) < 0.05 and abs(p[1] - q[1]) < 0.05


def parting(a, b):
    """Where two edges of one value that begin together part, and the corners (of a, of b) that
    they have in common before; None if they leave their mark at different places."""
    one, two = corners(a), corners(b)
    if not same(one[0], two[0]):
        return None
    shared = []
    for k in range(1, min(len(one), len(two))):
        p, q, before = one[k], two[k], one[k - 1]
        if same(p, q):
            shared.append((p, q))
            continue
        if direction((before, p)) != direction((before, q)):
            return before[:2], shared[:-1]
        nearer = min((p, q), key=lambda c: abs(c[0] - before[0]) + abs(c[1] - before[1]))
        return nearer[:2], shared
    return one[-1][:2], shared


def direction(points):
    return (round_sign(points[-1][0] - points[0][0]), round_sign(points[-1][1] - points[0][1]))


def trunks(figure, facts):
    """Lines of one value that run together take the same bends up to where they part."""
    for a, b in itertools.combinations(figure.edges, 2):
        if a.value == b.value:
            _, shared = parting(a, b) or (None, [])
            for p, q in shared:
                if (p[2] is None) != (q[2] is None) or p[2] and not (
                        same(p[2][0], q[2][0]) and same(p[2][-1], q[2][-1])):
                    yield f"{a.name} and {b.name} round their corner at {place(p)} differently"


def crossings(figure, facts):
    """Lines of one value do not cross each other without a dot, nor run along a panel's border."""
    straight = lines(figure)
    dots_at = [(value, ((d.box[0] + d.box[2]) / 2, (d.box[1] + d.box[3]) / 2))
               for value, d in figure.forks]
    for i, j in meeting([line[-1] for line in straight], [line[-1] for line in straight]):
        (a, one, _), (b, two, _) = straight[i], straight[j]
        if a.value == b.value and horizontal(one) and vertical(two):
            x, y = two[0][0], one[0][1]
            over = min(x - min(p[0] for p in one), max(p[0] for p in one) - x,
                       y - min(p[1] for p in two), max(p[1] for p in two) - y)
            if over > 0.1 and not any(value == a.value and same(dot, (x, y)) for value, dot in dots_at):
                yield f"{a.name} and {b.name} of one value cross at {place((x, y))}"
    for name, panel in figure.panels.items():
        for edge, one, _ in straight:
            for border in panel.segments:
                shared = along(one, border, (edge.line.stroke + panel.stroke) / 2)
                if shared > 1:
                    yield f"{edge.name} runs along the border of panel {name} for {shared:.1f} pt"


def rail(figure, facts):
    """The residual stream, where the record has but one, is a straight upright line."""
    edges = {(edge.source, edge.target, edge.port): edge for edge in figure.edges}
    stream = [edges[link] for link in residual(facts) if link in edges]
    yield from upright(stream)


def bold(figure, facts):
    """What is drawn bold is one straight upright line of sums from an input, or from the mark
    where a repeated stream comes in, from which a bend leads to the line."""
    widths = {edge.line.stroke for edge in figure.edges}
    stream = [e for e in figure.edges if e.line.stroke == max(widths)] if len(widths) > 1 else []
    entries = [e for e in stream if facts.ops.get(e.source, {}).get("op") == "block_input"]
    line = [e for e in stream if e not in entries]
    yield from upright(line)
    for edge in entries:
        if line and abs(edge.tip[0] - line[0].start[0]) > ROUNDING:
            yield f"{edge.name} comes in at x {edge.tip[0]:.2f}, the stream is at {line[0].start[0]:.2f}"
    targets = {edge.target for edge in stream}
    for edge in line:
        if edge.source not in targets and edge.source not in facts.inputs:
            yield f"{edge.name} is bold and begins at no input"
        if edge.target != "output" and facts.ops[edge.target]["op"] != "add":
            yield f"{edge.name} is bold and ends at no sum"
    if not {(e.source, e.target, e.port) for e in stream} >= set(residual(facts)):
        yield f"the residual stream is not bold, but {', '.join(e.name for e in stream) or 'nothing'}"


def upright(stream):
    for edge in stream:
        if len(edge.line.pieces) != 1 or not vertical(edge.straight[0]):
            yield f"{edge.name} of the residual stream is not straight"
        elif abs(edge.start[0] - stream[0].start[0]) > ROUNDING:
            yield (f"{edge.name} of the residual stream runs at x {edge.start[0]:.2f}, "
                   f"{stream[0].name} at {stream[0].start[0]:.2f}")


def residual(facts):
    """The links of the only chain of sums from the only input to the only output; else none."""
    if len(facts.inputs) != 1 or len(facts.outputs) != 1:
        return []

    def chains(value):
        writer = facts.writer[value]
        if value in facts.inputs:
            return [[]]
        op = facts.ops[writer]
        if op["op"] != "add":
            return []
        return [chain + [(facts.writer[read["value"]], writer, read["port"])]
                for read in op["reads"] for chain in chains(read["value"])]

    found = [chain + [(facts.writer[value], "output", value)]
             for value in facts.outputs for chain in chains(value) if chain]
    return found[0] if len(found) == 1 else []
