# SPDX-License-Identifier: MIT
"""Figures keep what they promise to a reader: nothing overlaps, lines lead from writer to
reader and cannot be mistaken, each text has one owner (tests/geometry, which shares no code
with the program and its own check).

Looks at the light and print figures in out/ and at random graphs, and breaks a figure in many ways to see
that each rule notices. With FIGURE.svg RECORD.json it looks at that figure alone.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

from report import ROOT, done, rule

sys.path.insert(0, str(ROOT / "tests/geometry"))
import edits  # noqa: E402
import facts  # noqa: E402
import figure  # noqa: E402
import rules  # noqa: E402
import specs  # noqa: E402

OPFIG = pathlib.Path(os.environ.get("OPFIG_BUILD", ROOT / "build-test")).resolve() / "opfig"
SEEDS = range(1, 41)
MOST = 6            # places that are shown of a broken rule

def opfig(*words):
    found = subprocess.run([str(OPFIG), *map(str, words)], stdin=subprocess.DEVNULL, text=True,
                           capture_output=True, timeout=120,
                           env={**os.environ, "OPFIG_SOURCE": str(ROOT)})
    if found.returncode != 0:
        raise SystemExit(f"opfig {' '.join(map(str, words))} ended with {found.returncode}: "
                         f"{found.stderr[-1000:]}")


def record_of(spec, options, folder):
    """The record of a run of a spec with those options of a drawing that change it."""
    words = shlex.split(options)
    keep = [word for pair in zip(words, words[1:]) if pair[0] in ("--dims", "--set", "--layer")
            for word in pair]
    path = pathlib.Path(folder, "-".join([pathlib.Path(spec).stem, *keep]).replace("/", "_") + ".json")
    if not path.exists():
        opfig("run", spec, *keep, "--quiet", "--record", path)
    return json.loads(path.read_text())


def breaks(source, record):
    """{rule: places} of a figure."""
    drawing, known = figure.parse(source), facts.Facts(record)
    return {name: list(test(drawing, known)) for name, test in rules.RULES.items()}


def some(places):
    return places[:MOST] + ([f"… and {len(places) - MOST} more"] if len(places) > MOST else [])


def draw(seed, folder):
    base = pathlib.Path(folder, f"random-{seed}")
    base.with_suffix(".yaml").write_text(specs.write(seed))
    record = record_of(base.with_suffix(".yaml"), "", folder)
    opfig("draw", "--quiet", "--record", base.with_suffix(".json"), "-o", base.with_suffix(".svg"))
    return seed, base.with_suffix(".svg").read_text(), record


def gallery(folder):
    for path in sorted((ROOT / "out").glob("*.svg")):
        if path.stem.endswith("-dark"):
            continue  # the same geometry in other colours
        source = path.read_text(encoding="utf-8")
        about = figure.parse(source)
        for name, places in breaks(source, record_of(about.spec, about.options, folder)).items():
            rule(f"geometry: {path.stem}: {name}", some(places))


def random_graphs(folder):
    found = {name: [] for name in rules.RULES}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for seed, source, record in pool.map(lambda seed: draw(seed, folder), SEEDS):
            for name, places in breaks(source, record).items():
                found[name] += [f"seed {seed}: {place}" for place in places]
    for name, places in found.items():
        rule(f"geometry: {len(SEEDS)} random graphs: {name}", some(places))


def broken_figures(folder):
    source = (ROOT / f"out/{edits.SPEC}.svg").read_text(encoding="utf-8")
    record = record_of(edits.SPEC, "", folder)
    noticed = set()
    for what, expected, function in edits.all_edits():
        edit = edits.Edit(source, record)
        function(edit)
        drawing, known = figure.parse(edit.text()), facts.Facts(edit.record)
        noticed.add(expected)
        rule(f"geometry: noticed: {what}",
             [] if any(rules.RULES[expected](drawing, known)) else [f"not by: {expected}"])
    rule("geometry: every rule is seen to fail", sorted(set(rules.RULES) - noticed))


if len(sys.argv) == 3:
    for name, places in breaks(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"),
                               json.loads(pathlib.Path(sys.argv[2]).read_text())).items():
        rule(f"geometry: {name}", places)
    done()
with tempfile.TemporaryDirectory() as folder:
    gallery(folder)
    broken_figures(folder)
    random_graphs(folder)
done()
