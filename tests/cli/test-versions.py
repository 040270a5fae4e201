# SPDX-License-Identifier: MIT
"""Figures of another opfig and of other fonts, drawn by such and checked here, and the other
way round: what is compared, what is not, and that it is said; what is wrong is found."""
import hashlib
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

from pdf import repacked
from png import pixels, with_pixels
from tap import OPFIG, done, ok, same

OTHER = os.path.abspath(sys.argv[4])  # compiled with another version
INTER = pathlib.Path("/usr/share/fonts/opentype/inter")
SPEC = "olmo2-block"
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)


def tables(font):
    for i in range(struct.unpack(">H", font[4:6])[0]):
        tag, _, at, _ = struct.unpack(">4sIII", font[12 + 16 * i:28 + 16 * i])
        yield tag, at


def revised(font, version, scale=1.0, every=1):
    """The same font of another version, one in so many glyphs wider."""
    data, at = bytearray(font), dict(tables(font))
    glyphs = struct.unpack(">H", font[at[b"hhea"] + 34:at[b"hhea"] + 36])[0]
    for glyph in range(0, glyphs, every):
        place = at[b"hmtx"] + 4 * glyph
        advance = struct.unpack(">H", font[place:place + 2])[0]
        data[place:place + 2] = struct.pack(">H", round(advance * scale))
    count, texts = struct.unpack(">HH", font[at[b"name"] + 2:at[b"name"] + 6])
    for i in range(count):
        record = at[b"name"] + 6 + 12 * i
        _, _, _, name, length, offset = struct.unpack(">6H", font[record:record + 12])
        place = at[b"name"] + texts + offset
        if name == 5:
            text = font[place:place + length].decode("utf-16-be")
            new = re.sub(r"[\d.]+", version, text, count=1).encode("utf-16-be")
            assert len(new) == length, text
            data[place:place + length] = new
    return bytes(data)


FONTS = {}
for name, version, scale, every in (("renamed", "9.100", 1, 1), ("some", "9.200", 1.05, 23),
                                    ("wide", "9.300", 1.04, 1)):
    folder = top / name
    folder.mkdir()
    for file in ("Regular", "SemiBold", "Light", "Italic"):
        (folder / f"Inter-{file}.otf").write_bytes(
            revised((INTER / f"Inter-{file}.otf").read_bytes(), version, scale, every))
    FONTS[name] = {"OPFIG_FONTS": str(folder)}
FORMATS = ("svg", "pdf", "png")


def draw(folder, program=OPFIG, env=None, options=()):
    (top / folder).mkdir(exist_ok=True)
    run = subprocess.run([program, "draw", SPEC, "-q", *options]
                         + [word for kind in FORMATS for word in ("-o", f"{folder}/f.{kind}")],
                         cwd=top, capture_output=True, env={**os.environ, **(env or {})})
    ok(run.returncode == 0, f"{folder}: drawn", run.stderr.decode())


def check(*words, program=OPFIG, env=None):
    run = subprocess.run([program, "check", *words], cwd=top, capture_output=True,
                         env={**os.environ, **(env or {})})
    return run.returncode, run.stdout.decode() + run.stderr.decode()


def line(out, name):
    return next((one for one in out.splitlines() if one.startswith(name)), out)


# --- what a figure carries
draw("here")
svg = (top / "here/f.svg").read_text()
HERE = re.search(r'data-fonts="(Inter [\d.]+) [0-9a-f]{8}; Latin Modern Math [\d.]+ [0-9a-f]{8}; '
                 r'LM Roman 10 [\d.]+ [0-9a-f]{8}; HarfBuzz [\d.]+"', svg)
ok(HERE, "an SVG carries its fonts", svg[:900])
HERE = HERE.group(1)
VERSION = re.search(r'data-opfig="([^"]*)"', svg).group(1)
word = re.search(r'data-fonts="([^"]*)"', svg).group(1).encode()
ok(all(word in (top / f"here/f.{kind}").read_bytes() for kind in FORMATS), "so do PDF and PNG")
MATH = pathlib.Path("/usr/share/texmf/fonts/opentype/public/lm-math/latinmodern-math.otf")
file = hashlib.md5(MATH.read_bytes()).hexdigest()
digits = hashlib.md5(file.encode()).hexdigest()[:8]
ok(f" {digits}; LM Roman".encode() in word, "its digits are those of the file", word)
ok(b"FreeType " in (top / "here/f.png").read_bytes(), "a PNG has the versions of what made dots of letters")
ok(len(svg) < 60000, "it is still below its limit of bytes", len(svg))

# --- other fonts: a revision that is as wide, one of which some letters are wider, a wide one
EXPECT = {
    "renamed": {kind: "as drawn now; {differ}: all is compared" for kind in FORMATS},
    "some": {"svg": "versions: {differ}: not compared: places to less than 4 points",
             "pdf": "versions: {differ}: not compared: fonts inside, places to less than 4 points",
             "png": "versions: {differ}: not compared: places to less than 1.3 points"},
    "wide": {"svg": "versions: {differ}: not compared: places",
             "pdf": "edited: another picture, or other bytes, than what is drawn now; {differ}",
             "png": "edited: another picture, or other bytes, than what is drawn now; {differ}"},
}
for fonts, env in FONTS.items():
    draw(fonts, env=env)
    theirs = "Inter " + {"renamed": "9.100", "some": "9.200", "wide": "9.300"}[fonts]
    for where, at, differ in ((fonts, None, f"drawn with {theirs}; here is {HERE}"),
                              ("here", env, f"drawn with {HERE}; here is {theirs}")):
        code, out = check("--all", where, env=at)
        for kind, wanted in EXPECT[fonts].items():
            same(line(out, f"{where}/f.{kind}"), f"{where}/f.{kind}: " + wanted.format(differ=differ),
                 f"{fonts}: {kind} of {'these' if at else 'other'} fonts")
        same(code, 1 if fonts == "wide" else 0, f"{fonts}: exit code")
    same(check("--all", fonts, env=env)[1].count(": as drawn now\n"), 3, f"{fonts}: with its own fonts all agrees")
code, out = check("--all", "some")
ok(f"  = renew with: opfig draw {SPEC} -o some/f.svg" in out, "how to renew is said", out)
ok("0 of 3 figures are as drawn now, 3 as far as versions that differ allow" in out, "and how many", out)
code, out = check("--quick", "some/f.svg")
ok(code == 0 and out.startswith("some/f.svg: agrees, as far as could be compared, with olmo2-block"),
   "agrees is not said without a but", out)
ok("not compared: places to less than 4 points" in out, "and what was not", out)
code, out = check("--quick", "renamed/f.svg")
ok(code == 0 and out.startswith("renamed/f.svg: agrees with olmo2-block"), "where all was, it is", out)
for words, code in ((("--quick", "--strict", "some/f.svg"), 1), (("--quick", "--strict", "some/f.pdf"), 1),
                    (("--strict", "--all", "some"), 1), (("--strict", "--all", "renamed"), 0)):
    found, out = check(*words)
    same((found, ": versions: drawn with" in out), (code, code == 1), " ".join(words))
run = json.loads(check("--json", "--all", "some")[1])
same(([one["verdict"] for one in run["files"]], run["findings"]), (["versions"] * 3, []), "the verdict for machines")
ok(all(one["renew"].startswith("opfig draw") for one in run["files"]), "with the command")
one = json.loads(check("--json", "--quick", "wide/f.svg")[1])["checked"][0]
same((one["not_compared"], one["differ"]), ("places", f"drawn with Inter 9.300; here is {HERE}"), "of one figure too")
draw("embedded", env=FONTS["wide"], options=("--text", "embed"))
code, out = check("--quick", "embedded/f.svg")
ok(code == 1 and "other fonts or colours" in out, "fonts inside that are not those here are a finding", out)

# --- another opfig, both ways
draw("theirs", program=OTHER)
for where, program, differ in (("theirs", OPFIG, f"drawn with opfig 0.0.9; here is opfig {VERSION}"),
                               ("here", OTHER, f"drawn with opfig {VERSION}; here is opfig 0.0.9")):
    code, out = check("--all", where, program=program)
    for kind in FORMATS:
        same((code, line(out, f"{where}/f.{kind}")), (0, f"{where}/f.{kind}: as drawn now; {differ}: all is compared"),
             f"{kind} of another opfig that places as {pathlib.Path(program).name} does")
same(check("--all", "theirs", program=OTHER)[1].count(": as drawn now\n"), 3, "by itself all agrees")
(top / "left.yaml").write_text("extends: block\nrail: left\n")
draw("left", program=OTHER, env=FONTS["wide"], options=("--layout", "./left.yaml"))
code, out = check("--quick", "left/f.svg")
ok(code == 0 and "not compared: places" in out, "a stream on the left, whose words stand the other way round", out)
draw("both", program=OTHER, env=FONTS["wide"])
code, out = check("--all", "both")
ok(code == 1 and line(out, "both/f.svg").startswith("both/f.svg: versions: drawn with opfig 0.0.9, Inter 9.300; "
                                                    f"here is opfig {VERSION}, {HERE}: not compared: places"),
   "another opfig with other fonts", out)

# --- what is wrong in them is found all the same
def edits(text, placed):
    """What is wrong, in what, and the finding; placed: places are compared."""
    edge = re.search(r'<g data-edge="v_heads mix.b".*?</g>', text, re.S).group(0)
    box = re.search(r'<g id="[^"]*" data-op="scores".*?</g>', text, re.S).group(0)

    def shifted(part, by):
        part = re.sub(r'( x=")([\d.]+)"', lambda m: f'{m[1]}{float(m[2]) + by:.2f}"', part)
        return re.sub(r'([ML])([\d.]+) ', lambda m: f"{m[1]}{float(m[2]) + by:.2f} ", part)
    yield "a digit", text.replace(">256<", ">257<"), "number"
    yield "an edge", text.replace(edge, shifted(edge, 60)), "edge"
    yield "a mark", text.replace(box, shifted(box, 30)), "edge"
    yield "a word", text.replace(">causal mask<", ">causal mark<"), "label"
    yield "a word of the legend", text.replace(">activation × ", ">activating × "), "legend" if placed else "text"
    yield "its description", re.sub(r"(<desc[^>]*>)", r"\1No mask. ", text), "text"


def exchanged(text, *marks):
    """What the first text with each mark says and where it stands, exchanged: copies with only the words, with words
    and hints, with only the places, and without any hint."""
    a, b = (next(line for line in text.splitlines() if mark in line) for mark in marks)

    def trade(pattern):
        first, second = re.search(pattern, a), re.search(pattern, b)
        other = [a[:first.start(1)] + second[1] + a[first.end(1):], b[:second.start(1)] + first[1] + b[second.end(1):]]
        return text.replace(a, "@").replace(b, other[1]).replace("@", other[0])
    for pattern in ("<text[^>]*(>.*)", "<text(.*)", '( x="[^"]*" y="[^"]*")'):
        yield trade(pattern)
        head, _, body = trade(pattern).partition("</metadata>")
        yield head + "</metadata>" + re.sub(' (?:id|data-[a-z]+)="[^"]*"', "", body)


def further(text, axis, marks, by):
    """The first texts with these marks, further along x or y."""
    for mark in marks:
        line = next(one for one in text.splitlines() if mark in one)
        text = text.replace(line, re.sub(f' {axis}="([^"]*)"', lambda m: f' {axis}="{float(m[1]) + by:.2f}"', line))
    return text


# where places are not compared, what belongs together is read together
CLASSES = ("weight_matmul", "activation_matmul", "norm")
for where in ("wide", "both"):
    whole = (top / where / "f.svg").read_text()
    tried = []
    for marks in (('data-number="T"', 'data-number="C"'), (">tokens<", ">model width<"),
                  ('"params(attn)"', '"params(mlp)"'), ('"flops(attn)"', '"flops(mlp)"'),
                  ('"steps(class = weight_matmul)"', '"steps(class = activation_matmul)"'),
                  ('"steps(class = weight_matmul)"', '"count(class = weight_matmul)"'),
                  ('"share(weight_matmul)"', '"share(activation_matmul)"'), (">drawn<", ">unfused<"),
                  ("kind = reshape", "kind = mask"),
                  (">weight × activation matmul<", ">activation × activation matmul<"),
                  (">maps to crossbars", ">computed on the fly"), ('"params()"', '"flops()"'),
                  (">of the value on the arrow<", ">order of execution<"),
                  (">residual stream ent", ">residual stream lea")):
        tried += [(" and ".join(marks), one) for one in exchanged(whole, *marks)]
    steps = [f'"steps(class = {one})"' for one in CLASSES]
    tried.append(("a column one row further down", further(whole, "y", steps, 18.4)))
    tried.append(("heads one column further", further(whole, "x", [">drawn<", ">unfused<"], 36)))
    rows = [re.search(f'<g data-legend="{one}".*?</g>', whole, re.DOTALL)[0] for one in CLASSES[:2]]
    tried.append(("samples of each other", whole.replace(rows[0], rows[0].replace('fill="#c5daf4" stroke="#1c5cab"',
                                                                                  'fill="#fff" stroke="#7a1f5c"'))))
    for what, text in tried:
        (top / "read.svg").write_text(text)
        code, out = check("--quick", "read.svg")
        ok(text != whole and code == 1 and re.search("read.svg:\\d+: (text|number|class|legend|panel|hint): ", out),
           f"{where}: {what}", out)
    head, _, body = whole.partition("</metadata>")
    (top / "read.svg").write_text(head + "</metadata>" + re.sub(' (?:id|data-[a-z]+)="[^"]*"', "", body))
    code, out = check("--quick", "read.svg")
    ok(code == 0 and "not compared: places" in out, f"{where}: without hints", out)

for where in ("some", "wide", "theirs", "both"):
    whole = (top / where / "f.svg").read_text()
    for what, text, kind in edits(whole, where in ("some", "theirs")):
        (top / where / "f.svg").write_text(text)
        code, out = check("--quick", f"{where}/f.svg")
        ok(text != whole and code == 1 and f": {kind}: " in out, f"{where}: {what}", out)
    (top / where / "f.svg").write_text(whole)

# --- claims that are made up
moved = re.sub(r'(<text x=")([\d.]+)(" y="[\d.]+"[^>]*>No biases)', r"\g<1>246\3", svg)
fonts = moved.replace(HERE, "Inter 9.999", 1)
digest = re.search(r'data-record="([^"]*)"', svg).group(1)
named = svg.replace(f'data-opfig="{VERSION}"', 'data-opfig="0.0.9"')
footed = named.replace(f">opfig {VERSION}", ">opfig 0.0.9")
ok(moved != svg != fonts != moved, "the copies are others")
for what, text, words in (
        ("fonts", fonts, "but its letters are as wide as here"),
        ("a version, without its digest", footed, "its digest is that of a run by the version here"),
        ("a version, without its footer", named.replace(digest, digest[::-1]), "its footer says otherwise"),
        ("a version, without a digest", re.sub(r' data-record="[^"]*"', "", footed), "it has no digest")):
    (top / "forged.svg").write_text(text)
    code, out = check("--quick", "forged.svg")
    ok(code == 1 and words in out, f"made up: {what}", out)
pdf = (top / "here/f.pdf").read_bytes()
(top / "forged.pdf").write_bytes(pdf.replace(f"opfig {VERSION}".encode(), b"opfig 0.0.9"))
code, out = check("--quick", "forged.pdf")
ok(code == 1 and "forged.pdf: stale" in out, "a PDF that names another opfig with our digest", out)

# --- PDF and PNG of other fonts: what is no picture
whole = (top / "some/f.pdf").read_bytes()
box = re.search(rb"/MediaBox \[ 0 0 (\d+) (\d+) \]", whole)
for what, old, new in (("a cropped page", box.group(0), box.group(0).replace(box.group(2), b"400")),
                       ("a bookmark", b"(attention sublayer)", b"(attention sublayed)"),
                       ("a page that is seen through", b"/ca 1 >>", b"/ca 0 >>")):
    (top / "edited.pdf").write_bytes(whole.replace(old, new))
    code, out = check("--quick", "edited.pdf")
    ok(whole.count(old) == 1 and code == 1 and "edited.pdf: stale" in out, f"PDF: {what}", out)
for path in ("some/f.pdf", "theirs/f.pdf"):
    whole = (top / path).read_bytes()
    page = zlib.decompress(re.search(rb"\nstream\n(.*?)\nendstream", whole, re.DOTALL)[1])
    for what, old, new, sound in (
            ("packed anew", rb"\(No biases", rb"(No biases", True),
            ("letters half a point further", rb"\(No biases", rb"(No)-70( biases", True),
            ("letters exchanged", rb"\(of t", rb"()-360(o)960(f)-600( t", False),
            ("words off the page", rb"\(No biases", rb"(No)-99000( biases", False),
            ("words over others", rb"\(No biases", rb"(No biases)3000(", False),
            ("words before the page", rb"\[\(No biases", rb"[99000(No)-99000( biases", False),
            ("a line that ends in a word", rb"\(No biases an", rb"(No biases a\\n", False),
            ("a line that is turned", rb"7 0 0 -7( \S+ \S+ Tm\n(?:/\S+ 1 Tf\n)?\[\(No biases)", rb"7 1 1 -7\1", False),
            ("digits for a sign", rb"\\267", rb"267", False)):
        forged = re.sub(old, new, page, count=1)
        (top / "edited.pdf").write_bytes(repacked(whole, lambda _: forged))
        code, out = check("--quick", "edited.pdf")
        ok((forged != page) == (old != rb"\(No biases" or new != rb"(No biases") and code == (0 if sound else 1),
           f"{path}: {what}", out)
    first, second = re.findall(rb"/FontFile3 \d\d 0 R", whole)[:2]
    (top / "edited.pdf").write_bytes(re.sub(first + b"|" + second, lambda m: second if m[0] == first else first, whole))
    same(check("--quick", "edited.pdf")[0], 1, f"{path}: font files exchanged")
    # a font begins with the version of its format; its last byte is of the form of a letter
    forged = repacked(whole, others=lambda one: one[:-1] + bytes([one[-1] ^ 1]) if one[:2] == b"\x01\0" else one)
    (top / "edited.pdf").write_bytes(forged)
    code, out = check("--quick", "edited.pdf")
    ok(forged != repacked(whole) and code == (1 if path == "theirs/f.pdf" else 0),
       f"{path}: letters of another form", out)
    for what, old, new in (("a wide blank", b"/Widths [ 248 ", b"/Widths [ 999 "),
                           ("a wide symbol", b"/W [0 [ 280 488 ", b"/W [0 [ 280 999 ")):
        (top / "edited.pdf").write_bytes(whole.replace(old, new, 1))
        code, out = check("--quick", "edited.pdf")
        ok(old in whole and code == 1 and "edited.pdf: stale" in out, f"{path}: {what}", out)


def edited(path, text=lambda kind, part: part, rows=lambda dots, stride: None):
    """A PNG of ours with other texts or dots; ours have no filters."""
    data = path.read_bytes()
    dots = bytearray(pixels(data))
    rows(dots, len(dots) // int.from_bytes(data[20:24], "big"))
    return with_pixels(data, dots, edit=text)


def of_olmo3(kind, part):
    return part.replace(b"OLMo 2", b"OLMo 3") if kind == b"iTXt" and part.startswith(b"Title") else part


def lowered(dots, stride):
    """The box of an op, three points lower."""
    text = (top / "some/f.svg").read_text()
    x, y, w, h = (float(v) * 1850 / 396 for v in re.search(
        r'data-op="scores".*?<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', text, re.S).groups())
    first, size = 1 + 3 * (int(x) - 4), 3 * (int(w) + 8)
    lines = [dots[row * stride + first:row * stride + first + size] for row in range(int(y) - 18, int(y + h) + 4)]
    for i, part in enumerate(lines):
        row = int(y) - 18 + 14 + i
        dots[row * stride + first:row * stride + first + size] = part


def in_dots(points):
    return round(points * 1850 / 396)


def exchange(first, second, width, height):
    """The words in two boxes of points, each at the place of the other."""
    def rows(dots, stride):
        w, (x, y), (u, v) = 3 * in_dots(width), map(in_dots, first), map(in_dots, second)
        for row in range(in_dots(height)):
            a, b = (y + row) * stride + 1 + 3 * x, (v + row) * stride + 1 + 3 * u
            dots[a:a + w], dots[b:b + w] = dots[b:b + w], dots[a:a + w]
    return rows


def place(mark, folder="some"):
    """Where a text begins, and of it the top."""
    text = (top / folder / "f.svg").read_text()
    x, y = re.search(rf'data-number="{re.escape(mark)}" x="([\d.]+)" y="([\d.]+)"', text).groups()
    return float(x), float(y) - 6


for where in ("some", "theirs"):
    params = place("params()", where)
    figures = [(params[0] + by, params[1]) for by in (4.6, 7)]
    for what, rows in (("totals of panels", exchange(place("params(attn)", where), place("params(mlp)", where), 30, 8)),
                       ("figures of a number", exchange(*figures, 2.4, 8)),
                       ("sizes of dims", exchange(place("T", where), place("C", where), 13, 8))):
        (top / "edited.png").write_bytes(edited(top / where / "f.png", rows=rows))
        code, out = check("--quick", "edited.png")
        ok(code == 1 and "edited.png: stale" in out, f"PNG of {where}: {what} exchanged", out)
for what, data in (("another title", edited(top / "some/f.png", text=of_olmo3)),
                   ("a mark lower by 3 points", edited(top / "some/f.png", rows=lowered))):
    (top / "edited.png").write_bytes(data)
    code, out = check("--quick", "edited.png")
    ok(code == 1 and "edited.png: stale" in out, f"PNG of other fonts: {what}", out)
(top / "edited.png").write_bytes(edited(top / "some/f.png"))
ok(check("--quick", "edited.png")[0] == 0, "packed anew it is what it was")
(top / "edited.png").write_bytes(edited(top / "here/f.png", text=of_olmo3))
ok(check("--quick", "edited.png")[0] == 1, "another title is another figure with these fonts as well")
done()
