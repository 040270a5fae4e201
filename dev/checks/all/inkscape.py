# SPDX-License-Identifier: MIT
"""Copies that Inkscape saves of the figures in out/ are read and agree, as plain SVG and as
Inkscape SVG; what was changed in one is named, and that Inkscape saved it."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from report import ROOT, done, rule  # noqa: E402

BUILD = pathlib.Path(os.environ.get("OPFIG_BUILD", ROOT / "build-test")).resolve()
os.environ["OPFIG_SOURCE"] = str(ROOT)
work = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
top = pathlib.Path(work.name)
os.environ.update(HOME=str(top), XDG_CONFIG_HOME=str(top / "config"), XDG_CACHE_HOME=str(top / "cache"))

FORMS = {"plain SVG": "export-plain-svg:true;", "Inkscape SVG": ""}
MARK = "select-by-id:olmo2-block.scores;"
CHANGES = {  # what a person does, and the finding that it must have
    "a mark moved": (MARK + "transform-translate:40,0", "foreign"),
    "a mark scaled": (MARK + "transform-scale:5", "foreign"),
    "a mark deleted": (MARK + "delete", "mark"),
    "a mark made transparent": (MARK + "object-set-attribute:opacity,0", "foreign"),
    "a mark as outlines": (MARK + "object-to-path", "mark"),
    "a mark above its edges": (MARK + "selection-top", "mark"),
    "a mark ungrouped": (MARK + "selection-ungroup", "hint"),
    "a copy of a mark": (MARK + "duplicate;transform-translate:0,200", "foreign"),
    "a clone of a mark": (MARK + "clone", "foreign"),
    "a label renamed": (MARK + "object-set-attribute:inkscape:label,softmax", "foreign"),
}


def actions(lists):
    """Run lists of actions on files, [(source, actions, target)], in one Inkscape."""
    script = "".join(f"file-open:{source};{what}export-filename:{target};export-do;file-close\n"
                     for source, what, target in lists)
    subprocess.run(["inkscape", "--shell"], input=script.encode(), capture_output=True, timeout=600)
    return [target for _, _, target in lists if not target.is_file()]


def verdict(path, *options):
    found = subprocess.run([BUILD / "opfig", "check", *options, str(path)],
                           capture_output=True, timeout=60)
    return found.returncode, (found.stdout + found.stderr).decode()


figures = sorted((ROOT / "out").glob("*.svg"))
rule("inkscape: each model has figures", sorted({path.stem for path in (ROOT / "spec/models").glob("*.yaml")} -
                                                {path.stem for path in figures}))
for form, words in FORMS.items():
    jobs = [(figure, f"export-type:svg;{words}", top / f"{len(words)}-{figure.name}")
            for figure in figures]
    rule(f"inkscape: saves each as {form}", map(str, actions(jobs)))
    rule(f"inkscape: {form} was written by it",
         [str(copy) for *_, copy in jobs if copy.is_file() and "xmlns:svg=" not in copy.read_text()])
    wrong = []
    for *_, copy in jobs:
        code, text = verdict(copy)
        if code != 0 or "pixels: as a fresh drawing, both drawn by librsvg" not in text:
            wrong.append(f"{copy.name}: {code}\n{text[-600:]}")
    rule(f"inkscape: {form} agrees with the run, also in pixels", wrong)
source = ROOT / "out/olmo2-block.svg"
for what, (action, kind) in CHANGES.items():
    wrong = []
    for form, words in FORMS.items():
        copy = top / "changed.svg"
        copy.unlink(missing_ok=True)
        wrong += map(str, actions([(source, f"{action};export-type:svg;{words}", copy)]))
        code, text = verdict(copy, "--quick")
        if "label" in what and form == "plain SVG":  # which has none
            wrong += [] if code == 0 else [f"{form}: {code}\n{text[-900:]}"]
        elif code != 1 or f": {kind}: " not in text:
            wrong.append(f"{form}: {code}\n{text[-900:]}")
        elif kind == "foreign" and "Inkscape" not in text:
            wrong.append(f"{form}: Inkscape is not named")
    rule(f"inkscape: {what} is a finding", wrong)
done()
