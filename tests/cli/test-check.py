# SPDX-License-Identifier: MIT
"""opfig check as a person uses it: a sound figure, the seed's fault drawn into a copy, other
formats, other specs; exit codes, text and JSON."""
import json
import os
import pathlib
import re
import tempfile

from svg import bare
from tap import OPFIG, done, ok, opfig, same

SPEC = "olmo2-block"
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
always = []


def check(*words):
    run = opfig("check", *always, *words, folder=top)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def findings(name, text, *words):
    (top / name).write_text(text)
    code, out, _ = check("--json", *words, name)
    found = json.loads(out)["findings"]
    same(code, 1 if found else 0, f"{name}: exit code follows the findings")
    return [f"{one['kind']}: {one['says']}" for one in found]


run = opfig("draw", SPEC, "-o", "a.svg", "-o", "a.pdf", "-o", "a.png", folder=top)
same((run.returncode, run.stdout), (0, b"a.svg\na.pdf\na.png\n"), "draw names its files")
sound = (top / "a.svg").read_text()

# --- a sound figure
code, out, err = check("a.svg")
same((code, err), (0, ""), "a sound figure passes")
for words in ("a.svg: agrees with olmo2-block as shipped", "24 of 24 ops, 30 of 30 edges, 9 of 9 "
              "weights", "at B = 1 T = 256 C = 512", "14 statements checked, 1 unchecked",
              "computed, not drawn: eps", "evidence: symbolic; shape at B 1 T 256"):
    ok(words in out, f"the report says: {words}", out)
code, out, _ = check("--json", "a.svg")
report = json.loads(out)
same((report["findings"], report["checked"][0]["figure"]["edges"]),
     ([], {"proved": 30, "of": 30}), "the same as JSON")
same(check("--quiet", "a.svg")[0], 0, "--quiet")

# --- what would break each claim, and claims that nothing breaks
claims = {one["id"]: one for one in report["checked"][0]["claims"] if "id" in one}
same({(one["vacuous"], one["edit"][:2]) for one in claims.values()}, {(False, "[{")},
     "a change that breaks each claim")
same(claims["scale"]["broken_by"], "swap", "the scores by operands exchanged")
code, out, _ = check("--quick", "a.svg")
ok(code == 0 and "broken by" not in out and "that       close(z1, z + g_attn" in out,
   "--quick tries no changes", out)
(top / "weak.yaml").write_text("""opfig: 1
name: weak
extends: olmo2-block
claims:
  - {id: one, say: One is one., that: 1 == 1}
  - {id: head, say: Heads part the width., that: h_d == C / H}
  - {id: bias, say: No bias is added., that: count(op = add_bias) == 0}
""")
code, out, _ = check("--strict", "weak.yaml")
ok(code == 1 and out.count("weak: vacuous: ") == 3 and "3 findings" in out and "breaks 1 == 1" in out,
   "--strict makes findings of claims that nothing breaks", out)
code, out, _ = check("--strict", "--quick", "weak.yaml")
ok(code == 0, "but only where changes are tried", out)
code, out, _ = check("--strict", "a.svg")
ok(code == 0 and "vacuous" not in out, "and there are none in a shipped block", out)
code, out, _ = check("weak.yaml")
ok(code == 0 and all(f"○ {say}" in out for say in
                     ("One is one.", "Heads part the width.", "No bias is added.")) and
   out.count("○") == 3 and "14 statements checked, 2 unchecked, 3 vacuous" in out,
   "claims that nothing breaks are named and have no tick", out)

# --- a piece of a claim that says nothing is named, with its place and carets under it
(top / "pieces.yaml").write_text("""opfig: 1
name: pieces
extends: olmo2-block
claims:
  - {id: and, say: There are weights., that: "reads(z1, z) and params() > 0"}
  - {id: or, say: One is one., that: "1 == 1 or reads(z1, z)"}
  - {id: no, say: It adds nothing., that: "reads(z1, z) or count(op = gelu) == 7"}
  - {id: if, say: It does for others., that: "reads(z1, z) or G != H and T == 7"}
""")
code, out, _ = check("pieces.yaml")
ok(code == 0 and "15 statements checked, 2 unchecked, 3 vacuous" in out, "three claims with an idle piece", out)
for that, begin, end, piece, place, why in (
        ("reads(z1, z) and params() > 0", 17, 29, "params() > 0", "5:64", "true: none of "),
        ("1 == 1 or reads(z1, z)", 0, 6, "1 == 1", "6:39", "true: it speaks of no op and no value"),
        ("reads(z1, z) or count(op = gelu) == 7", 16, 37, "count(op = gelu) == 7", "7:60", "false: none of ")):
    words = f"that       {that}\n{' ' * (17 + begin)}{'^' * (end - begin)}\n"
    ok(words in out and f"vacuous    ‘{piece}’ in it (pieces.yaml:{place}) is always {why}" in out, that, out)
code, out, _ = check("--strict", "--json", "pieces.yaml")
report_of = json.loads(out)
same((code, [one["did"] for one in report_of["findings"]]),
     (1, ["‘params() > 0’ in it (pieces.yaml:5:64) is always true", "‘1 == 1’ in it (pieces.yaml:6:39) is always true",
          "‘count(op = gelu) == 7’ in it (pieces.yaml:7:60) is always false"]), "and are findings with --strict")
same([one["vacuous"] for one in report_of["checked"][0]["claims"] if one.get("id") in ("and", "or", "no", "if")],
     [True, True, True, False], "a condition on the dims is none")

# --- words of one's own are named; one that is another op's name is a warning
(top / "own.yaml").write_text("""opfig: 1
name: own
title: Two ops
subtitle: of my own
dims: {T: {is: 8, what: tokens}, C: {is: 16, what: model width}}
inputs: {x: {shape: [T, C], what: the stream}}
weights: {g: {shape: [C], init: ones}}
ops:
  - group: part
    title: a part
    ops:
      - {id: n, op: rmsnorm, in: [x, g], eps: 1e-6, title: LayerNorm}
      - {id: y, op: silu, in: n, title: bent, what: what comes out}
outputs: [y]
claims:
  - {id: bent, say: It is bent., that: "reads(y, n)"}
""")
code, out, err = check("--quick", "own.yaml")
ok(code == 0 and "words of the spec that nothing checks: title (Two ops), subtitle (of my own), title of ‘n’ (LayerNorm), "
   "title of ‘y’ (bent), title of ‘part’ (a part), what of ‘T’ (tokens), what of ‘C’ (model width), what of ‘x’ "
   "(the stream), what of ‘y’ (what comes out), that each sentence says what its ‘that’ asks\n" in out,
   "words of one's own are named", out)
ok("own.yaml:12:60: warning: ‘LayerNorm’ is what the op layernorm is called, and this is rmsnorm" in err and
   "did you mean op: layernorm?" in err and err.count("warning") == 1, "another op's name", err)
ok("nothing checks" not in check("--quick", "a.svg")[1], "those of a shipped spec are not")

(top / "mine.yaml").write_text("extends: block\nclasses:\n  norm: {title: LayerNorm, note: with a bias}\n")
opfig("draw", SPEC, "--layout", "./mine.yaml", "-o", "mine.svg", folder=top)
ok("\n  drawn with the layout ./mine.yaml, whose words nothing checks\n" in check("--quick", "mine.svg")[1] and
   "drawn with" not in check("--quick", "a.svg")[1], "a layout of one's own is named")

# --- numerals of other scripts are numbers in a text as well; exponents are math
(top / "numerals.yaml").write_text("""opfig: 1
name: numerals
extends: olmo2-block
notes: [The sizes ⑤ and ½ and Ⅴ and ٥ and ¹⁶ stand here, x² and H₂ and $x^n$ do not.]
""")
code, out, err = check("--quick", "numerals.yaml")
same((code, re.findall("nothing checks the number (.*) in", err)), (0, ["⑤", "½", "Ⅴ", "٥", "¹"]), "numerals are numbers")

# --- a row that a mask leaves empty is no number, and the op, the row and the mask are named; it is none by the fast
# product and by the loops alike
(top / "nan.yaml").write_text("""opfig: 1
name: nan
dims: {T: {is: 8, what: tokens}, C: {is: 16, what: model width}}
inputs: {x: {shape: [T, C]}}
ops:
  - {id: s, op: matmul, in: [x, x], transpose: b, axes: [query, key]}
  - {id: m, op: causal_mask, in: s, gap: 1}
  - {id: p, op: softmax, in: m, over: key}
  - {id: y, op: matmul, in: [p, x]}
outputs: [y]
""")
code, out, err = check("nan.yaml")
ok(code == 1 and "4 of 4 fast products are those of plain loops" in out, "NaN is NaN", out)
ok(out.endswith("nan: nan: ‘p’ is NaN at query = 0\n"
                "  = the run: ‘m’, which it reads, is −∞ there at each key\n1 finding\n"), "and is a finding", out)
run = opfig("draw", "nan.yaml", "-o", "nan.svg", folder=top)
same((run.returncode, run.stderr.decode()), (0, """nan.yaml:8:5: warning: ‘p’ is NaN at query = 0
    8 |   - {id: p, op: softmax, in: m, over: key}
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = note: ‘m’, which it reads, is −∞ there at each key
      = hint: a mask leaves each row something to see
"""), "drawing it warns")
same(opfig("draw", "--strict", "nan.yaml", "-o", "nan.svg", folder=top).returncode, 2, "and is an error with --strict")
nan = (top / "nan.yaml").read_text()


def nan_found(*edits):
    text = nan
    for old, new in edits:
        ok(old in text, f"there is {old}")
        text = text.replace(old, new)
    (top / "other.yaml").write_text(text)
    found = json.loads(check("--quick", "--json", "other.yaml")[1])["findings"]
    return [(one["says"], one["did"]) for one in found if one["kind"] == "nan"]


same(nan_found((", gap: 1", "")), [], "a mask that leaves each row a key is none, though it writes −∞")
same(nan_found(("over: key", "over: query")),
     [("‘p’ is NaN at key = 2", "‘m’, which it reads, is −∞ there at each query")], "the last key, over queries")
same(nan_found(("[query, key]}", "[query, key], scale: 1e308}"), (", gap: 1", "")),
     [("‘s’ is ∞ at query = 0, key = 0", "what it reads is numbers there")], "a product beyond all numbers")
strict = pathlib.Path(os.environ["OPFIG_SOURCE"]) / "tests/faults/specs/mask-strict.yaml"
code, out, _ = check("--quick", "--json", str(strict))
same([(one["says"], one["did"]) for one in json.loads(out)["findings"] if one["kind"] == "nan"],
     [("‘probs’ is NaN at query = 0", "‘mask’, which it reads, is −∞ there at each key")], "of each head the same row")

# --- a script over a longer one goes back to where that begins: letters of one word
(top / "long.yaml").write_text("""opfig: 1
name: long
dims: {T: {is: 8, what: tokens}, C: {is: 16, what: model width}}
inputs: {x: {shape: [T, C]}}
ops:
  - {id: k_1234, op: silu, in: x}
  - {id: s, op: matmul, in: [x, k_1234], transpose: b, axes: [query, key]}
  - {id: y, op: matmul, in: [s, x]}
outputs: [y]
""")
opfig("draw", "long.yaml", "-o", "long.svg", folder=top)
ok("k</tspan><tspan fill=\"none\">_</tspan>" in (top / "long.svg").read_text() and
   check("--quick", "long.svg")[0] == 0, "a script over a longer one", check("--quick", "long.svg")[1])

# --- what the run reads, its shapes, its products; a BLAS that is wrong is found
live = report["checked"][0]["live"]
same([(live[key]["proved"], live[key]["of"]) for key in ("operands", "ops")],
     [(38, 38), (24, 24)], "each operand is live, nothing else is read")
ok(len(live["shapes_at"]) == 3 and live["shapes"]["proved"] == live["shapes"]["of"] > 0,
   "shapes at three other sizes", live)
ok(live["products"]["proved"] == live["products"]["of"] > 0, "products as the plain loops", live)
wrong = pathlib.Path(OPFIG).parent / "tests/check/wrong-blas"
ok((wrong / "libopenblas.so.0").exists(), "there is a wrong BLAS")
run = opfig("check", "--json", "a.svg", folder=top, env={"LD_LIBRARY_PATH": str(wrong)})
ok(run.returncode == 1 and {one["kind"] for one in json.loads(run.stdout)["findings"]} == {"product"},
   "products of a wrong BLAS are findings", run.stdout.decode())

# --- pixels: those of other code than ours, where the bytes are not those of a fresh drawing
ok("pixels: those of a fresh drawing, byte for byte" in check("a.svg")[1], "the bytes say it all")
ok("pixels" not in check("--quick", "a.svg")[1], "--quick compares none")
DRAWN = re.compile(r"  pixels: as a fresh drawing, both drawn by librsvg [\d.]+ at 2 px/pt \(worst (\d+) of 255\)\n")
for words in (["--theme", "dark"], ["--theme", "print"], ["--theme", "light", "--transparent"],
              ["--theme", "auto"], ["--text", "embed"], ["--width", "6in"]):
    opfig("draw", SPEC, *words, "-o", "p.svg", folder=top)
    drawn = (top / "p.svg").read_text()
    stripped = drawn if "auto" in words else bare(drawn)  # whose rules for a dark page go by its id
    for name, text in (("spaced.svg", drawn.replace("<rect x", "<rect  x")),
                       ("bare.svg", stripped.replace("<path d", "<path  d"))):
        (top / name).write_text(text)
        code, out, err = check(SPEC, *words, name)
        found = DRAWN.search(out)
        ok(code == 0 and found and found.group(1) == "0", f"{' '.join(words)}, {name}: the same pixels", out + err)
moved = re.sub(r'<text x="([\d.]+)" y="16"', lambda m: f'<text x="{float(m.group(1)) + 0.01:.2f}" y="16.01"', sound)
(top / "moved.svg").write_text(moved)
code, out, _ = check("moved.svg")
ok(moved != sound and code == 0 and 0 < int(DRAWN.search(out).group(1)) <= 26,
   "moved by less than marks may be: other pixels, but no finding", out)
report = json.loads(check("--json", "moved.svg")[1])["checked"][0]["pixels"]
same((report["compared"], report["same"], report["pixels_per_point"], report["worst"]),
     ("raster", True, 2, int(DRAWN.search(out).group(1))),
     "the same as JSON")
opfig("draw", "weak.yaml", "-q", "-o", "weak.svg", folder=top)
(top / "weak.svg").write_text((top / "weak.svg").read_text().replace("<rect x", "<rect  x"))
code, out, _ = check("--strict", "weak.svg")
ok(code == 1 and "weak.svg: vacuous: " in out and DRAWN.search(out),
   "the same pixels, whatever the claims are worth", out)
(top / "found.svg").write_text(sound.replace("<g data-edge", '<g opacity="1" data-edge', 1))
code, out, _ = check("found.svg")
ok(code == 1 and "pixels: not compared: what was found comes first" in out, "not where something is found", out)

# what follows is about figures; changes of the spec have been tried
always.append("--quick")

# --- v drawn into the scores, as in the figure that started all this
def box(op):
    group = re.search(rf'data-op="{op}".*?<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" '
                      r'height="([\d.]+)"', sound, re.S)
    x, y, width, height = map(float, group.groups())
    return y + height / 2


rise = box("scores") - box("mix")
edge = re.search(r'<g data-edge="v_heads mix.b".*?</g>', sound, re.S).group(0)
start = re.search(r'd="M([\d.]+) ([\d.]+)L', edge).group(2)


def lifted(path):
    def place(match):
        x, y = match.group(1), match.group(2)
        return f"{x} {y if y == start else round(float(y) + rise, 2)}"
    return re.sub(r"([\d.]+) ([\d.]+)", place, path.group(0))


moved = re.sub(r' d="[^"]*"', lifted, edge)
ok(rise < -50 and moved != edge, "the edge is moved")
for name, text in (("moved.svg", sound.replace(edge, moved)),
                   ("moved-hint.svg",
                    sound.replace(edge, moved.replace("mix.b", "scores.b")))):
    said = findings(name, text)
    for words in ("edge: no edge from ‘v_heads’ to ‘mix’",
                  "edge: an edge from ‘v_heads’ to ‘scores’"):
        ok(words in said, f"{name}: {words}", said)
    code, out, _ = check(name)
    ok("moved" in out and f"{len(said)} findings" in out, f"{name}: the text says so", out)

# --- small lies
for name, old, new, words in (
        ("shape", ">T<", ">C<", "shape"),
        ("digit", ">512<", ">513<", "number"),
        ("class", 'fill="#c5daf6"', 'fill="#f8ecc6"', "class"),
        ("label", ">causal mask<", ">causal mark<", "label")):
    if old not in sound:
        found = re.search(r'data-class="weight_matmul".*?fill="(#[0-9a-f]+)"', sound, re.S)
        old = f'fill="{found.group(1)}"' if name == "class" else old
        if name == "shape":
            old, new = re.search(r'data-shape="[^"]*".*?>([BT]),', sound, re.S).group(1) + ",", "Q,"
    said = findings(f"{name}.svg", sound.replace(old, new, 1))
    ok(old in sound and said, f"{name}: {old} → {new} is found", said)
same(findings("same.svg", sound.replace("<g data-edge", "<g  data-edge")), [],
     "white space between attributes means nothing")

# --- the same verdict without anything but the drawing, and from a copy that Inkscape saved
LOOK = ("fill", "stroke", "stroke-width", "stroke-linecap", "font-family", "font-size", "font-weight",
        "font-style")


def inkscape(text):
    """As Inkscape 1.2 writes: names of its own, an id on everything, looks as style=."""
    count = 0

    def element(match):
        nonlocal count
        count += 1
        name, rest = match.group(1), match.group(2)
        found = dict(re.findall(r' ([a-z-]+)="([^"]*)"', rest))
        style = ";".join(f"{key}:{found[key]}" + ("px" if key == "font-size" else "")
                         for key in LOOK if key in found).replace(",", ", ")
        for key in LOOK:
            rest = re.sub(f' {key}="[^"]*"', "", rest)
        extra = "" if " id=" in rest else f'\n   id="{name}{count}"'
        close = "/" if rest.endswith("/") else ""
        rest = re.sub(r' ([a-z-]+=")', r"\n   \1", rest.rstrip("/"))
        style = style and f'\n   style="{style};-inkscape-stroke:none"'
        return f"<{name}{rest}{extra}{style}{close}>"
    head, body = text.split("</metadata>\n") if "</metadata>" in text else text.split("</desc>\n")
    body = re.sub(r"<(rect|path|g|text|tspan)((?: [^<>]*)?)>", element, body)
    head = head.replace(
        "<svg ", '<svg\n   version="1.1"\n   sodipodi:docname="a.svg"\n   inkscape:version="1.2.2 '
        '(b0a8486541, 2022-12-01)"\n   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"\n   '
        'xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"\n   '
        'xmlns:svg="http://www.w3.org/2000/svg" ')
    end = "</metadata>\n" if "</metadata>" in text else "</desc>\n"
    return (head + end + '<defs\n   id="defs2" /><sodipodi:namedview\n   id="namedview1"\n   '
            'pagecolor="#ffffff"\n   inkscape:current-layer="a"><inkscape:grid\n   type="xygrid" />'
            "</sodipodi:namedview>\n" + body)


opfig("draw", SPEC, "-q", "--theme", "dark", "--dims", "T=64", "-o", "dark.svg", folder=top)
dark = (top / "dark.svg").read_text()
counts = json.loads(check("--json", "dark.svg")[1])["checked"][0]["figure"]
for name, text in (("bare.svg", bare(dark)), ("inkscape.svg", inkscape(dark)),
                   ("both.svg", inkscape(bare(dark)))):
    (top / name).write_text(text)
    code, out, err = check("--json", SPEC, "--theme", "dark", "--dims", "T=64", name)
    report = json.loads(out)
    same((code, err, report["findings"], report["checked"][0]["figure"]), (0, "", [], counts),
         f"{name}: the same verdict and counts, spec and options given")
    old = re.search(r">(64)<", text).group(0)
    said = findings(f"wrong-{name}", text.replace(old, ">65<", 1), SPEC, "--theme", "dark", "--dims", "T=64")
    ok(any(one.startswith("number: ‘65’") or one.startswith("number: 65") for one in said),
       f"{name}: a wrong number is found", said)
code, out, err = check("inkscape.svg")
same((code, err), (0, ""), "what Inkscape saved carries its spec still")
said = findings("moved-in-inkscape.svg", inkscape(dark).replace(
    "<path", '<path\n   transform="translate(3.2,-1.5)"', 1))
ok('foreign: attribute transform="translate(3.2,-1.5)" of <path>' in said,
   "what was moved there is refused by name", said)

# --- shapes of letters are not read: what was changed is named by its line
opfig("draw", SPEC, "-q", "--text", "outline", "-o", "outline.svg", folder=top)
outline = (top / "outline.svg").read_text()
line = outline[:outline.index('aria-label="causal mask"')].count("\n") + 1
(top / "moved.svg").write_text(re.sub(r'(aria-label="causal mask"[^>]* d="M)[0-9.]+', r"\g<1>1", outline))
code, out, _ = check("--quick", "moved.svg")
ok(code == 1 and f"moved.svg:{line}: edited: ‘<path role=\"img\" aria-label=\"causal mask\"" in out,
   "an outline that was moved", out)

# --- a figure with colours for a dark page: they go by attributes, letter by letter
opfig("draw", SPEC, "-q", "--theme", "auto", "-o", "auto.svg", folder=top)
auto = (top / "auto.svg").read_text()
same(findings("sound-auto.svg", auto, "--quick"), [], "as drawn, with colours for a dark page")
colour = re.search(r'<path d="[^"]*" stroke="(#[0-9a-f]*[a-f][0-9a-f]*)"', auto).group(1)
for other in (colour.upper(), "rgb({},{},{})".format(*bytes.fromhex(colour[1:]))):
    text = auto.replace(f'" stroke="{colour}"', f'" stroke="{other}"')
    said = findings("hidden-in-the-dark.svg", text, "--quick")
    ok(f'foreign: attribute stroke="{other}" of <path>' in said, f"{colour} as {other} there is found", said)
    said = findings("light.svg", sound.replace(f'" stroke="{colour}"', f'" stroke="{other}"'), "--quick")
    same(said, [], "and means nothing where a page is white")

# --- a spec before the figure, options that override
same(check(SPEC, "a.svg", "a.pdf", "a.png")[0], 0, "a spec and three formats")
code, out, _ = check(SPEC, "--dims", "T=128", "a.svg")
ok(code == 1 and "number" in out, "another T than the figure's", out)
for name in ("a.pdf", "a.png"):
    data = bytearray((top / name).read_bytes())
    data[len(data) // 2] ^= 1
    (top / f"edited{name[1:]}").write_bytes(data)
    code, out, _ = check(SPEC, f"edited{name[1:]}")
    ok(code == 1 and f"edited{name[1:]}: edited: " in out, f"one byte of {name} changed", out)
    same(check("--quick", name)[0], 0, f"{name} alone: the spec is inside")
    (top / f"plain{name[1:]}").write_bytes(data[:100])
    code, _, err = check(f"plain{name[1:]}")
    ok(code == 2 and f"opfig check SPEC plain{name[1:]}" in err, f"{name} cut short: how to check it", err)

# --- a figure of another spec, or with options nobody drew with
for name, text in (("no-spec.svg", re.sub(r"<metadata.*?</metadata>", "", sound, flags=re.S)),
                   ("options.svg", re.sub(r'data-options="[^"]*"',
                                          'data-options="--config /etc/passwd"', sound))):
    (top / name).write_text(text)
    code, out, err = check(name)
    same(code, 2 if name != "no-spec.svg" or "carries no spec" in err else code,
         f"{name}: is an error")
    ok("carries" in err, f"{name}: says what is wrong", err)
ok("1 findings" not in out, "counts agree with their nouns")

# --- a spec alone; a claim that does not hold
spec = (pathlib.Path(os.environ["OPFIG_SOURCE"]) / f"spec/models/{SPEC}.yaml").read_text()
same(check(SPEC)[0], 0, "the claims of a spec alone")
(top / "false.yaml").write_text(spec.replace("readers(v) == 1", "readers(v) == 2"))
code, out, _ = check("false.yaml")
ok(code == 1 and "claim: " in out, "a claim that does not hold is a finding", out)
run = opfig("draw", "false.yaml", "-o", "false.svg", folder=top)
ok(run.returncode == 1 and "claim ‘v_reader’ does not hold" in run.stderr.decode() and
   not (top / "false.svg").exists(), "such a figure is not drawn", run.stderr.decode())
run = opfig("draw", "false.yaml", "--draft", "-o", "false.svg", folder=top)
ok(run.returncode == 0 and "DRAFT" in (top / "false.svg").read_text(),
   "--draft draws it, marked", run.stderr.decode())

# --- other dims: every number follows, and the remark about h_ff goes when it is false
dims = "T=1024,C=1024,H=16"
opfig("draw", SPEC, "-q", "--dims", dims, "-o", "wide.svg", folder=top)
opfig("draw", SPEC, "-q", "--dims", dims + ",h_ff=1408", "-o", "thin.svg", folder=top)
wide, thin = ((top / name).read_text() for name in ("wide.svg", "thin.svg"))
remark = 'data-claim="h_ff_rule"'
ok(">2752<" in wide and remark in sound and remark in wide, "at C = 1024 h_ff is 2752")
ok(">1408<" in thin and remark not in thin, "an h_ff of one's own has no remark")
same([check(name)[0] for name in ("wide.svg", "thin.svg")], [0, 0], "both are true figures")
run = opfig("draw", SPEC, "--dims", "H=7", "-o", "seven.svg", folder=top)
ok(run.returncode == 2 and "512 is not a multiple of 7" in run.stderr.decode() and
   "h_d: {is: C / H" in run.stderr.decode(), "H = 7 is refused at h_d", run.stderr.decode())

# --- the same bytes from the record; an edge deleted from it is gone
opfig("run", SPEC, "-q", "--record", "r.json", folder=top)
run = opfig("draw", "--record", "r.json", "-o", "b.svg", "-o", "b.pdf", "-o", "b.png",
            folder=top)
for kind in ("svg", "pdf", "png"):
    ok((top / f"a.{kind}").read_bytes() == (top / f"b.{kind}").read_bytes(),
       f"{kind}: from the record the same bytes", run.stderr.decode())
record = json.loads((top / "r.json").read_text())
mix = next(op for op in record["facts"]["ops"] if op["id"] == "mix")
mix["reads"] = [read for read in mix["reads"] if read["value"] != "v_heads"]
(top / "cut.json").write_text(json.dumps(record))
run = opfig("draw", "--record", "cut.json", "-o", "cut.svg", folder=top)
cut = (top / "cut.svg").read_text()
ok('data-edge="v_heads mix.b"' in sound and 'data-edge="v_heads mix.b"' not in cut and
   'data-edge="probs mix.a"' in cut, "an edge deleted from a record is gone from the figure",
   run.stderr.decode())
done()
