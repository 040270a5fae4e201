# SPDX-License-Identifier: MIT
"""What a block is, written by hand, against what was recorded and drawn of it.

truth/NAME.csv has a row for each op in the order of execution: its step, id and op; the group whose
panel holds it; words that its mark shows, in this order; the activations that it reads, the weights
that it reads (a joined weight as its members), what it gives, with shapes; and what it was run with.
The truth comes from the published modeling code and its formulas; only the ids are those of the spec.
"""
import csv
import re

from figure import tex


def squash(text):
    """Without spaces and braces, which only a page knows."""
    return re.sub(r"[{}\s]", "", text)


def rows(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def compare(path, found):
    """Findings where a checked figure (check.Check) or its record differ from a list."""
    truth, findings = rows(path), []

    def same(what, have, want):
        if have != want:
            findings.append(f"{what}: {have} and not {want}")

    def value(name):
        v = found.values[name]
        return "%s (%s)" % (name, ",".join(squash(found.polynomial(s)) for s in v["shape"]))

    same("ops recorded", [o["id"] for o in found.facts["ops"]], [r["id"] for r in truth])
    drawn = sorted(found.drawn, key=lambda i: found.drawn[i]["step"])
    same("ops drawn", drawn, [r["id"] for r in truth])
    same("edges drawn", sorted((e.value or "", e.reader or "") for e in found.arrows if e.reader != "output"),
         sorted((v, r["id"]) for r in truth for v in r["reads"].split()))
    for r in truth:
        op, seen = found.ops.get(r["id"]), found.drawn.get(r["id"])
        if not op or not seen:
            continue
        where, reads = f"{r['step']} {r['id']}", r["reads"].split()
        same(where + " step drawn", seen["step"], int(r["step"]))
        same(where + " step recorded", op["step"], int(r["step"]))
        same(where + " op", op["op"], r["op"])
        same(where + " panel", seen["panel"], r["group"].split())
        same(where + " group", op["group"], r["group"].split())
        same(where + " reads", found.operands(op), reads)
        if r["op"] not in ("add", "mul"):  # sums and products may be drawn from either side
            same(where + " drawn from", seen["reads"], reads)
        words, at = squash(seen["words"] + "".join(seen["sign"])), 0
        for word in [r["words"]] if "→" in r["words"] else r["words"].split():
            if words.find(squash(word), at) < 0:
                findings.append(f"{where}: says {words} and not {r['words']}")
                break
            at = words.find(squash(word), at) + len(squash(word))
        weights = [value(m) for read in found.weights(op) for m in read.get("members", [read["value"]])]
        same(where + " weights", weights, [w.strip() for w in r["weights"].split(";") if w.strip()])
        gives = [w.strip() for w in r["gives"].split(";")]
        same(where + " gives", [value(w["value"]) for w in op["writes"]], gives)
        for want in gives:
            name, shape = want.split(" ")
            printed = seen["gives"].get(name)
            same(f"{where}: shape printed for {name}", [squash(s) for s in printed or [shape]], [shape])
        for given in r["run"].split():
            name, want = given.split("=")
            have = op["attributes"].get(name, {}).get("value", "nothing")
            same(f"{where} {name}", number(have), number(want))
    return findings


def number(text):
    try:
        return float(text)
    except ValueError:
        return tex(text)
