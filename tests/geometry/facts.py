# SPDX-License-Identifier: MIT
"""What a record says, by what figures speak of, and the lengths that the rules go by, in points."""
import collections

ROUNDING = 0.02     # coordinates are printed with two decimals
TOUCH = 0.1         # ink that overlaps by less is not seen
APART = 8.0         # ends of different operands
NEAR = 6.0          # from a text to the edge that owns it
LEAST = 6.0         # size of type
ON_BORDER = 0.425   # beyond half the border's stroke: half the width of a line
FROM_BEND = 1.0     # from a crossing to the nearest bend, head or dot


class Facts:
    """What a record says, by what figures speak of."""

    def __init__(self, record):
        facts = record["facts"]
        self.ops = {op["id"]: op for op in facts["ops"]}
        self.inputs = [v["id"] for v in facts["values"] if v["kind"] == "input"]
        self.outputs = facts["outputs"]
        self.groups = {group["id"]: group.get("parent") for group in facts["groups"]}
        # the ops that a claim is about, the one beside which it is said first
        self.claims = {claim["id"]: [claim["at"], *claim.get("also", [])]
                       for claim in facts["claims"] if "at" in claim}
        self.writer = {value: value for value in self.inputs}
        for op in facts["ops"]:
            self.writer.update((w["value"], op["id"]) for w in op["writes"])
        # weights are named in marks; all else that is read is an edge
        self.edges = collections.Counter()
        for op in facts["ops"]:
            for read in op["reads"]:
                if read["from"] != "weight" and read.get("value") in self.writer:
                    value = read["value"]
                    self.edges[self.writer[value], op["id"], read["port"], value] += 1
        for value in self.outputs:
            self.edges[self.writer[value], "output", value, value] += 1
        self.readers = collections.Counter()
        for (_, _, _, value), count in self.edges.items():
            self.readers[value] += count


def place(point):
    return f"({point[0]:.2f}, {point[1]:.2f})"


def where(box):
    return f"[{box[0]:.1f} {box[1]:.1f} {box[2]:.1f} {box[3]:.1f}]"
