# SPDX-License-Identifier: MIT
"""One SVG, one picture: librsvg, Chromium and our own raster put the ink of every mark and
label in the same place, with and without style rules; LibreOffice keeps every character
and its place; in a wider sans serif the labels still fit their marks; outlined and embedded
text need none of our fonts; figures on one page share no id."""
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from report import ROOT, done, rule  # noqa: E402

BUILD = pathlib.Path(os.environ.get("OPFIG_BUILD", ROOT / "build-test")).resolve()
FINE = 4              # device pixels to a pixel of 1/96 inch
PX = FINE * 96 / 72   # device pixels to a point
LIMIT = 0.75          # px
AROUND = 0.8          # points: how far outside its box ink is looked for
SVG = "{http://www.w3.org/2000/svg}"
ET.register_namespace("", "http://www.w3.org/2000/svg")

# programs of tests lie deeper than opfig: they are told where the source is
os.environ["OPFIG_SOURCE"] = str(ROOT)
work = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
top = pathlib.Path(work.name)


def run(*words, **more):
    found = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL,
                           capture_output=True, timeout=300, **more)
    if found.returncode != 0:
        raise SystemExit(f"{words[0]} ended with {found.returncode}: {found.stderr.decode()[-1000:]}")
    return found.stdout


def draw(spec, name, *options):
    folder = top / spec
    folder.mkdir(exist_ok=True)
    run(BUILD / "opfig", "draw", spec, "--quiet", *options, "-o", folder / name)
    return folder / name


# ---- pictures ----

def picture(path):
    """Darkness, [height, width] of 0 (paper) … 255."""
    data = run(BUILD / "dev/same-picture", path)
    found = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
    width, height = int(found.group(1)), int(found.group(2))
    return 255 - np.frombuffer(data, np.uint8, height * width * 3,
                               found.end()).reshape(height, width, 3).mean(2)


_runs = 0


def chromium(page, *flags, env=None):
    global _runs
    _runs += 1
    return run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
               "--no-first-run", "--disable-background-networking", "--disable-component-update",
               "--disable-sync", "--hide-scrollbars", "--font-render-hinting=none",
               f"--user-data-dir={top}/chromium-{_runs}",
               *flags, page.as_uri(), env={**os.environ, **(env or {})})


def photograph(figures, *flags, env=None, fine=FINE):
    """Pictures of SVG files in Chromium, all made in one run side by side."""
    width, height = size(figures[0])
    page, shot = top / "page.html", top / "page.png"
    page.write_text("<!doctype html><body style='margin:0;background:#fff'>" + "".join(
        f"<img src='{figure.as_uri()}' style='position:absolute;top:0;left:{i * width}px'>"
        for i, figure in enumerate(figures)))
    chromium(page, f"--screenshot={shot}", f"--force-device-scale-factor={fine}",
             f"--window-size={width * len(figures)},{height}", *flags, env=env)
    whole = picture(shot)
    return [whole[:, i * width * fine:(i + 1) * width * fine] for i in range(len(figures))]


def rasterize(figure):
    """A picture in librsvg."""
    run("rsvg-convert", "-w", size(figure)[0] * FINE, "-b", "white", "-o", top / "rsvg.png", figure)
    return picture(top / "rsvg.png")


def size(figure):
    root = ET.parse(figure).getroot()
    return [round(float(root.get(way)[:-2]) * 96 / 72) for way in ("width", "height")]


# ---- one thing alone ----

def is_text(item):
    return item.tag == SVG + "text" or item.get("aria-label") is not None


def has_outlines(text):
    """Is something of this text drawn after it: a radical, a bar, a superior figure?"""
    return re.search("[√/⁰⁴-⁻]", "".join(text.itertext())) is not None


def layer(figure, texts, styled=True, moved=None):
    """A copy of a figure with its texts and what is drawn of them, or with the first shape
    of each op. moved is an op whose mark goes 2 px to the right there."""
    tree = ET.parse(figure)

    def thin(group):
        begun, drawn = False, False
        for item in list(group):
            drawn = item.tag == SVG + "path" and drawn or item.tag == SVG + "text" and has_outlines(item)
            if item.tag == SVG + "g":
                thin(item)
            elif item.tag == SVG + "style":
                if not styled:
                    group.remove(item)
            elif item.tag in (SVG + "rect", SVG + "path", SVG + "text"):
                mark = not is_text(item) and not begun and group.get("data-op") is not None
                begun |= mark
                if is_text(item) or drawn if texts else mark:
                    if mark and group.get("data-op") == moved:
                        item.set("x", str(float(item.get("x")) + 2 * 72 / 96))
                else:
                    group.remove(item)
    thin(tree.getroot())
    name = f"{figure.stem}-{'texts' if texts else 'marks'}{'' if styled else '-bare'}{moved or ''}.svg"
    tree.write(figure.parent / name, encoding="utf-8", xml_declaration=True)
    return figure.parent / name


def ink(image, box):
    """The ink in a window a little larger than box (points): left, top, right, bottom, px. A
    column or row counts when it holds a third of the darkest."""
    around = AROUND
    left, upper = (max(int((box[i] - around) * PX), 0) for i in (0, 1))
    window = image[upper:int((box[3] + around) * PX), left:int((box[2] + around) * PX)]
    dark = window > max(window.max(), 60) / 3
    columns, rows = np.flatnonzero(dark.any(0)), np.flatnonzero(dark.any(1))
    if not len(columns):
        return None
    return np.array([left + columns[0], upper + rows[0], left + columns[-1] + 1,
                     upper + rows[-1] + 1]) / FINE


def apart(things, ours, theirs):
    """Where two pictures of the things differ by more than LIMIT."""
    far = []
    for name, box in things:
        one, two = ink(ours, box), ink(theirs, box)
        if one is None or two is None:
            far.append(f"{name}: no ink")
        elif np.abs(one - two).max() > LIMIT:
            far.append(f"{name}: {one} against {two}, px")
    return far


def alone(boxes, gap=AROUND + 0.3):
    """Things nearer to each other than ink is looked for are measured as one."""
    boxes = [(name, list(box)) for name, box in boxes]
    for i in range(len(boxes) - 1, -1, -1):
        for j in range(i):
            a, b = boxes[i][1], boxes[j][1]
            if max(a[0], b[0]) - min(a[2], b[2]) < gap and max(a[1], b[1]) - min(a[3], b[3]) < gap:
                joined = [min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])]
                boxes[j] = (f"{boxes[j][0]} | {boxes[i][0]}", joined)
                del boxes[i]
                break
    return boxes


# ---- each figure in each viewer ----

class Figure:
    """A figure of a spec, its marks and labels with their ink boxes, and our pictures of them."""

    def __init__(self, spec):
        self.spec = spec
        self.live = draw(spec, "live.svg", "--theme", "auto")
        self.plain = draw(spec, "plain.svg")
        self.embed = draw(spec, "embed.svg", "--text", "embed")
        self.outline = draw(spec, "outline.svg", "--text", "outline")
        folder = self.live.parent
        run(BUILD / "opfig", "run", spec, "--quiet", "--record", folder / "run.json")
        found = {"mark": [], "text": []}
        for line in run(BUILD / "tests/render/layers", folder / "run.json", "light", 0, folder,
                        PX * 72).decode().splitlines():
            kind, *box, _, name = line.split(" ", 6)
            found[kind].append((name, [float(edge) for edge in box]))
        self.labels = found["text"]
        self.things = {"mark": found["mark"], "text": alone(found["text"])}
        self.ours = {"mark": picture(folder / "marks.png"), "text": picture(folder / "texts.png")}

    def rule(self, words, findings):
        rule(f"viewers: {self.spec}: {words}", findings)

    def measured(self):
        marks, texts = len(self.things["mark"]), len(self.things["text"])
        steps = len(re.findall(r'<g [^>]*data-op="', self.live.read_text()))
        self.rule("every mark and label is measured",
                  [] if marks == steps and texts > 100
                  else [f"{marks} of {steps} marks, {texts} of {len(self.labels)} labels"])
        far = []
        for kind in self.things:
            for name, box in self.things[kind]:
                one, want = ink(self.ours[kind], box), np.array(box) * 96 / 72
                if one is None or np.abs(one - want).max() > LIMIT:
                    far.append(f"{name}: {one} against {want}, px")
        self.rule("our raster inks the boxes that layouts measure with", far)

    def viewed(self):
        layers = [(kind, styled, layer(self.live, kind == "text", styled))
                  for kind in self.things for styled in (True, False)]
        shots = photograph([path for _, _, path in layers])
        for (kind, styled, path), shot in zip(layers, shots):
            words = f"{kind}s{'' if styled else ' without style rules'}"
            self.rule(f"librsvg and our raster agree on {words}",
                      apart(self.things[kind], self.ours[kind], rasterize(path)))
            self.rule(f"Chromium and our raster agree on {words}",
                      apart(self.things[kind], self.ours[kind], shot))
        far = apart(self.things["mark"], self.ours["mark"],
                    rasterize(layer(self.live, False, moved="probs")))
        self.rule("a mark that is 2 px off is noticed",
                  [] if [line.split(":")[0] for line in far] == ["probs"] else ["it is not", *far])

    def without_fonts(self):
        """A reader without our fonts."""
        texts, ours = self.things["text"], self.ours["text"]
        plain, embedded, outlined = photograph(
            [layer(figure, True) for figure in (self.live, self.embed, self.outline)], env=poor)
        far = apart(texts, ours, plain)
        self.rule("without our fonts it looks otherwise, and that is noticed",
                  [] if len(far) > len(texts) / 4 else far)
        self.rule("embedded fonts make it look the same in Chromium", apart(texts, ours, embedded))
        self.rule("outlined text looks the same in Chromium", apart(texts, ours, outlined))
        self.rule("outlined text looks the same in librsvg",
                  apart(texts, ours, rasterize(layer(self.outline, True))))

    def in_a_wide_sans(self, texts):
        inside = [text for text in texts if text["rect"] and
                  text["mark"][0] < text["box"][0] < text["mark"][2] and
                  text["mark"][1] < (text["box"][1] + text["box"][3]) / 2 < text["mark"][3]]
        broad = {text["op"] for text in inside if "DejaVu" in text["family"]}
        self.rule("labels fit their marks in DejaVu Sans too",
                  [f"{text['op']}: {text['text']} ends at {text['box'][2]:.1f}, "
                   f"its mark at {text['mark'][2]:.1f}"
                   for text in inside if text["box"][2] > text["mark"][2] - 1]
                  if len(broad) > 10 else [f"only {broad} are set in it"])
        right = float(ET.parse(self.live).getroot().get("viewBox").split()[2])
        self.rule("nothing leaves the page in DejaVu Sans",
                  [f"{text['text']} ends at {text['box'][2]:.1f}" for text in texts
                   if text["box"][2] > right])

    def in_the_office(self, office):
        """What LibreOffice made of it, as words of a PDF: text, left, middle, right, points."""
        frame = 0.37  # points: the page that LibreOffice makes is larger by half a pixel all round
        lost, strays = [], set(range(len(office)))
        lean = 2.2  # points: a W in italic begins so far before its ink
        for name, box in alone(self.labels, 3):
            held = [i for i, (_, x0, y, x1) in enumerate(office)
                    if box[0] - lean < x0 - frame and (x0 + x1) / 2 - frame < box[2] + 1.5
                    and box[1] - 1 < y - frame < box[3] + 1]
            held.sort(key=lambda i: office[i][1])
            strays -= set(held)
            text = "".join(office[i][0] for i in held)
            # what is only typed has no ink: LibreOffice leaves it out
            if sorted(re.sub(r"[\s_√^()|⁰⁴-⁻]", "", name)) != sorted(re.sub(r"[\s()⁰⁴-⁻]", "", text)):
                lost.append(f"{name}: {text}")
            elif abs(office[held[0]][1] - frame - box[0]) > lean:
                lost.append(f"{name} begins at {office[held[0]][1] - frame:.1f}, not {box[0]:.1f}")
        self.rule("LibreOffice keeps every label's characters and place", lost)
        self.rule("LibreOffice adds nothing", [str(office[i]) for i in strays])


def words(path):
    """The words of a PDF: text, left, middle, right, points."""
    out = run("pdftotext", "-bbox", path, "-").decode()
    return [(html.unescape(word), float(x0), (float(y0) + float(y1)) / 2, float(x1))
            for x0, y0, x1, y1, word in re.findall(
                r'<word xMin="([^"]*)" yMin="([^"]*)" xMax="([^"]*)" yMax="([^"]*)">(.*?)</word>', out)]


(top / "fonts.conf").write_text(
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
    f"<dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>{top}/cache</cachedir></fontconfig>")
poor = {"FONTCONFIG_FILE": str(top / "fonts.conf")}
specs = [line.split()[0] for line in run(BUILD / "opfig", "list", "specs", "--quiet").decode().splitlines()]
specs = [spec for spec in specs if spec.endswith(("-block", "-gated"))]
rule("viewers: the shipped figures are there", [] if len(specs) >= 6 else specs)
figures = [Figure(spec) for spec in specs]
for figure in figures:
    figure.measured()
    figure.viewed()
    figure.without_fonts()

# ---- on one page: ids, and the same labels in a wider sans serif ----

MEASURE = """
const out = {ids: [...document.querySelectorAll("[id]")].map(e => e.id), figures: []};
const box = e => { const b = e.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height]; };
for (const wide of document.querySelectorAll(".wide svg")) {
  const texts = [];
  for (const e of [wide, ...wide.querySelectorAll("[font-family]")])
    if ((e.getAttribute("font-family") || "").startsWith("Inter"))
      e.setAttribute("font-family", "DejaVu Sans");
  for (const text of wide.querySelectorAll("text")) {
    const op = text.closest("[data-op]"), mark = op && op.querySelector("rect,path");
    texts.push({text: text.textContent, box: box(text), op: op && op.dataset.op,
                mark: mark && box(mark), rect: mark && mark.tagName == "rect",
                family: getComputedStyle(text).fontFamily});
  }
  out.figures.push(texts);
}
document.body.textContent = JSON.stringify(out);
"""


def inlined(path, name="plain"):
    return f"<div class={name}>" + re.sub(r"<\?xml[^>]*\?>", "", path.read_text()) + "</div>"


page = top / "together.html"
page.write_text("<!doctype html><meta charset=utf-8><body>" + "".join(
    inlined(figure.plain, "wide") + inlined(figure.live) + inlined(figure.embed) + inlined(figure.outline)
    for figure in figures) + f"<script>{MEASURE}</script>")
dump = chromium(page, "--dump-dom").decode()
found = json.loads(html.unescape(re.search(r"<body>(.*?)</body>", dump, re.S).group(1)))
doubled = {one for one in found["ids"] if found["ids"].count(one) > 1}
rule("viewers: figures on one page share no id",
     doubled if len(found["ids"]) > 80 * len(figures) else ["no ids"])
for figure, texts in zip(figures, found["figures"]):
    figure.in_a_wide_sans(texts)

# ---- a reader who prefers dark pages ----

lives = [figure.live for figure in figures]
light = photograph(lives, "--blink-settings=preferredColorScheme=1", fine=1)
dark = photograph(lives, "--blink-settings=preferredColorScheme=0", fine=1)
for figure, by_day, by_night in zip(figures, light, dark):
    paper = re.search(r"fill:(#[0-9a-f]+)", figure.live.read_text()).group(1)
    want = 255 - np.mean([int(paper[i:i + 2], 16) for i in (1, 3, 5)])
    figure.rule("auto is light or dark as the reader prefers",
                [] if by_day[5, 5] < 1 and abs(by_night[5, 5] - want) < 2
                else [f"{by_day[5, 5]} and {by_night[5, 5]}"])

# ---- LibreOffice ----

for figure in figures:
    (top / f"{figure.spec}.svg").write_bytes(figure.plain.read_bytes())
run("soffice", "--headless", f"-env:UserInstallation={(top / 'office').as_uri()}", "--convert-to",
    "pdf", "--outdir", top / "office-out", *(top / f"{figure.spec}.svg" for figure in figures))
for figure in figures:
    figure.in_the_office(words(top / f"office-out/{figure.spec}.pdf"))
done()
