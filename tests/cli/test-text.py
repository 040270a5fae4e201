# SPDX-License-Identifier: MIT
"""Text as shapes and with its fonts inside, pages without paper, ids on one page."""
import base64
import pathlib
import re
import struct
import subprocess
import tempfile
from html import unescape

from png import pixels
from tap import done, ok, opfig, same

work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)


def draw(name, *options):
    run = opfig("draw", "olmo2-block", *options, "--strict", "-o", top / name)
    same((run.returncode, run.stderr.decode()), (0, ""), f"draws {name}")
    return (top / name).read_text() if name.endswith(".svg") else (top / name).read_bytes()


def check(name):
    return opfig("check", top / name).returncode


def png_rows(data):
    """Width, channels and rows of a PNG of 8 bits whose rows are not filtered."""
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert depth == 8 and kind in (2, 6)
    raw, step = pixels(data), width * (3 if kind == 2 else 4) + 1
    assert len(raw) == height * step and not any(raw[::step])
    return width, 3 if kind == 2 else 4, [raw[i + 1:i + step] for i in range(0, len(raw), step)]


def labels(svg):
    return [re.sub("<[^>]*>", "", text) for text in re.findall(r"<text[^>]*>(.*?)</text>", svg)]


live = draw("live.svg")
outline = draw("outline.svg", "--text", "outline")
embed = draw("embed.svg", "--text", "embed")

# outline: no text is left to a viewer's fonts, and who reads aloud has all of it
ok("<text" not in outline and "font-" not in outline, "outline: no text and no font")
spoken = [re.sub(" +", " ", words).strip() for words in re.findall(r'aria-label="([^"]*)"', outline)]
same(spoken, [words.strip() for words in labels(live)], "outline: the same words")
ok(not any("  " in words or words.startswith(" ") for words in labels(live)),
   "no label has a space that browsers drop")
same(check("outline.svg"), 0, "outline: is drawn again and compared")
number = re.search(r'aria-label="matmul y[^>]* d="M([0-9.]+)', outline)
(top / "outline-moved.svg").write_text(
    outline[:number.start(1)] + str(float(number.group(1)) + 2) + outline[number.end(1):])
same(check("outline-moved.svg"), 1, "outline: a letter that was moved is found")

# embed: one font for each look, with what it sets and not much more
faces = re.findall(r"@font-face\{font-family:'([^']+)';font-weight:(\d+);font-style:(\w+);"
                   r"src:url\(data:font/otf;base64,([^)]+)\)\}", embed)
ok(len(faces) >= 4 and len({face[:3] for face in faces}) == len(faces), "embed: a face each",
   [face[:3] for face in faces])
for family, weight, style, data in faces:
    data = base64.b64decode(data)
    ok(data[:4] == b"OTTO" and 500 < len(data) < 30000, f"embed: {family} {weight} {style} is small",
       (data[:4], len(data)))
    (top / "face.otf").write_bytes(data)
    held = subprocess.run(["fc-query", "-f", "%{charset}", top / "face.otf"], check=True,
                          capture_output=True).stdout.decode()
    ok(re.search(r"\b[0-9a-f]+(-[0-9a-f]+)?\b", held), f"embed: {family} {weight} {style} holds {held}")
same(labels(embed), labels(live), "embed: the same text")
same(check("embed.svg"), 0, "embed: is read back")
(top / "embed-other.svg").write_text(embed.replace(faces[0][3], faces[1][3]))
same(check("embed-other.svg"), 1, "embed: another font in place of one is found")
ok("@font-face" in draw("both.svg", "--text", "embed", "--theme", "auto"), "embed goes with auto")
same(check("both.svg"), 0, "embed with auto: is read back")
run = opfig("draw", "olmo2-block", "--text", "outlines", "-o", top / "no.svg")
ok(run.returncode == 2 and "did you mean ‘outline’?" in run.stderr.decode(), "a mode misspelled", run)

# --transparent
width, channels, rows = png_rows(draw("paper.png", "--dpi", "72"))
same((channels, rows[0][:3]), (3, b"\xff\xff\xff"), "paper is white")
width, channels, rows = png_rows(draw("none.png", "--dpi", "72", "--transparent"))
same((channels, rows[0][:4]), (4, bytes(4)), "without paper the corner is clear")
ok(max(max(row[3::4]) for row in rows) == 255, "and ink is not")
for name in "light", "dark":
    clear = draw(f"clear-{name}.svg", "--transparent", "--theme", name)
    same(clear.count("<rect"), draw(f"{name}.svg", "--theme", name).count("<rect") - 1,
         f"{name}: without paper there is one rectangle less")
    same(check(f"clear-{name}.svg"), 0, f"{name}: without paper it is read back")

# ids: figures of one spec, and of specs whose names begin alike, on one page
spec = (top / "a.yaml", top / "a-b.yaml")
for path in spec:
    path.write_text(f"opfig: 1\nname: {path.stem}\ndims: {{T: {{is: 3, what: tokens}}}}\n"
                    "inputs: {x: {shape: [T]}}\n"
                    "ops:\n  - {id: b, op: silu, in: x}\n  - {id: title, op: silu, in: b}\n"
                    "outputs: [title]\n")
    run = opfig("draw", path, "-o", path.with_suffix(".svg"))
    same(run.returncode, 0, f"draws {path.name} {run.stderr.decode()}")
page = [live, outline, embed, *(path.with_suffix(".svg").read_text() for path in spec)]
ids = [id for svg in page for id in re.findall(r'\bid="([^"]*)"', svg)]
same(len(ids), len(set(ids)), "figures on one page share no id")
for svg in page:
    named = re.search(r'aria-labelledby="([^"]*)"', svg).group(1).split()
    ok(all(f'id="{name}"' in svg for name in named) and len(named) == 2,
       f"the name of {named[0]} is its own")

# <title> first, then <desc> with every op in order of execution, without doubled spaces
words = re.search(r"<desc[^>]*>(.*?)</desc>", live, re.S).group(1)
ok(live.index("<title") < live.index("<desc") < live.index("<g"), "name and description come first")
ok("  " not in words, "no doubled spaces", words)
steps = [int(n) for n in re.findall(r"(?:^|[.:] )(\d+) ", unescape(words))]
same(steps, list(range(1, 25)), "every op in order")
done()
