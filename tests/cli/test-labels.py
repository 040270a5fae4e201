# SPDX-License-Identifier: MIT
"""Every label of every shipped spec: it lies within its mark with room around it, apart
from its neighbours, and is large enough to read; SVG and PDF say it as a person would type
it; and their files stay small."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from html import unescape

from tap import done, ok, opfig, same

LAYERS = os.path.abspath(sys.argv[3])
SMALLEST = 6.0     # points: type
SIDE = 3.0         # points: room between a label's ink and the sides of its mark
ABOVE = 1.2        # … and what is above and below it
APART = 2.0        # points: room between the ink of two texts on a line, and …
LEADING = 0.5      # … between lines
OUTSIDE = 0.5      # points: from a text to a mark that does not hold it
LARGEST = 60000    # bytes

work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)


def draw(spec, theme, *names):
    """Draw at the usual width, or at the least that the spec needs; that width (0: usual)."""
    words = ["draw", spec, "--quiet", "--theme", theme]
    for name in names:
        words += ["-o", top / name]
    run = opfig(*words)
    least = re.search(r"needs a width of at least (\d+) pt", run.stderr.decode())
    if least:
        run = opfig(*words, "--width", least[1] + "pt")
    ok(run.returncode == 0, f"{spec}, {theme}: is drawn", run.stderr.decode())
    return least[1] if least else "0"


# ---- what a person would type ----

TYPED = {r"\top": "⊤", r"\cdot": "·", r"\times": "×", r"\to": "→", r"\odot": "⊙", r"\theta": "θ",
         r"\varepsilon": "ε", r"\approx": "≈", r"\le": "≤", r"\ge": "≥", "'": "′", "''": "″"}


def typed(source):
    """TeX as shipped labels have it, by another and simpler road than text/plain.c."""
    def formula(found):
        tex = re.sub(r"\\mathrm\{([^{}]*)\}", r"\1", found[1])
        tex = re.sub(r"\^\{?5\}?", "⁵", tex.replace(r"^\top", "⊤"))
        tex = re.sub(r"\\(?!sqrt)[a-z]+|'+", lambda word: TYPED[word[0]], tex).replace(" ", "")
        tex = re.sub(r"_\{([^{},]*)\}", r"_\1", tex)
        tex = re.sub(r"_\{([^{}]*)\}", lambda script: f"_({script[1]})".replace(",", ";"), tex)
        tex = re.sub(r"\\sqrt\{([^{}]*)\}", r"√\1", tex).replace(r"\,", " ")
        tex = re.sub(r"(?<=.)([=:→+−×⊙≤≥≈])", r" \1 ", tex)
        return tex.replace(",", ", ").replace(";", ",")
    return re.sub(r"\$([^$]*)\$", formula, source)


same([typed(one) for one in (r"matmul $W_{qkv} : C \to 3C$", r"$S = q\,k^\top/\sqrt{h_d}$",
                             r"$\theta = 5 \cdot 10^5$", "$z''$")],
     ["matmul W_qkv : C → 3C", "S = q k⊤/√h_d", "θ = 5·10⁵", "z″"], "the simple road is right")


def squeezed(text):
    return re.sub(r"\s+", " ", text)


def check_words(spec, record):
    svg = (top / f"{spec}.svg").read_text()
    said = [unescape(re.sub("<[^>]*>", "", text)).strip()
            for text in re.findall(r"<text[^>]*>(.*?)</text>", svg, re.S)]
    page = subprocess.run(["pdftotext", "-raw", top / f"{spec}.pdf", "-"], check=True,
                          capture_output=True).stdout.decode()
    page, whole = squeezed(page), squeezed(" ".join(said))
    lost = [text for text in said if squeezed(text) not in page]
    same(lost, [], f"{spec}: poppler extracts each text of the SVG as it is there")
    facts = record["facts"]
    wanted = [typed(op["label"]) for op in facts["ops"] if op["mark"] == "box"]
    wanted += [f"{typed('$%s$' % dim['label'])} {dim['size']} {dim['what']}" for dim in facts["dims"]
               if f'data-number="{dim["id"]}"' in re.search('data-part="dims".*?</g>', svg, re.S)[0]]
    wanted += [typed(f"${value['label']}$") for value in facts["values"] if value["labelled"]
               and f'data-name="{value["id"]}"' in svg]
    wanted += [typed(claim["say"]) for claim in facts["claims"] if "<" not in claim["say"]]
    wanted += [text["text"] for text in facts["texts"] if text["role"] in ("title", "subtitle")
               and "<" not in text["text"]]
    wanted += ["h_d", "W_qkv"]
    wanted += ["θ = 5·10⁵" for constant in facts["constants"]
               if constant["id"] == "theta" and constant["text"] == "5e5"]
    for name, text in (("SVG", whole), ("PDF", page)):
        same([one for one in wanted if squeezed(one) not in text], [],
             f"{spec}: the {name} says what a person would type")


# ---- room ----

def things(spec, theme, width):
    run = subprocess.run([LAYERS, top / f"{spec}.json", theme, width], capture_output=True)
    ok(run.returncode == 0, f"{spec}, {theme}: is placed", run.stderr.decode())
    found = {"mark": [], "text": []}
    for line in run.stdout.decode().splitlines():
        kind, *numbers, words = line.split(" ", 6)
        found[kind].append((words, [float(number) for number in numbers]))
    return found["mark"], found["text"]


def inside(mark, text):
    x, y = (text[0] + text[2]) / 2, (text[1] + text[3]) / 2
    return mark[0] < x < mark[2] and mark[1] < y < mark[3]


def gaps(a, b):
    """How far boxes are apart sideways and in height; negative where they overlap."""
    return max(a[0], b[0]) - min(a[2], b[2]), max(a[1], b[1]) - min(a[3], b[3])


def check_room(spec, theme, width):
    marks, texts = things(spec, theme, width)
    held, tight, close, small = 0, [], [], []
    for words, text in texts:
        if text[4] < SMALLEST:
            small.append(f"{words}: {text[4]} pt")
        for name, mark in marks:
            if inside(mark, text):
                held += 1
                room = (text[0] - mark[0], mark[2] - text[2], text[1] - mark[1], mark[3] - text[3])
                if min(room[:2]) < SIDE or min(room[2:]) < ABOVE:
                    tight.append(f"{words} in {name}: {room}")
            elif max(gaps(mark, text)) < OUTSIDE:
                close.append(f"{words} and the mark of {name}: {gaps(mark, text)}")
    for i, (words, text) in enumerate(texts):
        for other, box in texts[:i]:
            aside, above = gaps(text, box)
            # words that one line continues in belong together, however near they stand
            if aside < APART and above < LEADING and not (above < 0 and aside > -0.01 and
                                                          (words[0] in " ,.;:()" or other[-1] in " (")):
                close.append(f"{other} and {words}: {aside:.2f}, {above:.2f}")
    ok(held >= len(marks), f"{spec}, {theme}: every mark holds text", (held, len(marks)))
    same(tight, [], f"{spec}, {theme}: labels have room in their marks")
    same(close, [], f"{spec}, {theme}: texts keep apart")
    same(small, [], f"{spec}, {theme}: nothing is smaller than {SMALLEST} pt")


specs = [line.split()[0] for line in opfig("list", "specs", "--quiet").stdout.decode().splitlines()]
specs = [spec for spec in specs if spec.endswith(("-block", "-gated"))]
ok(len(specs) >= 6, "the specs are there", specs)
for spec in specs:
    opfig("run", spec, "--quiet", "--record", top / f"{spec}.json")
    for theme in "light", "dark", "print":
        files = [f"{spec}-{theme}.svg", f"{spec}-{theme}.pdf"]
        draw(spec, theme, *files)
        for name in files:
            size = (top / name).stat().st_size
            ok(size < LARGEST, f"{name}: is small", f"{size} bytes")
    for name in "svg", "pdf":
        (top / f"{spec}-light.{name}").rename(top / f"{spec}.{name}")
    check_words(spec, json.loads((top / f"{spec}.json").read_text()))
    for theme in "light", "paper":
        check_room(spec, theme, draw(spec, theme, "any.svg"))
# --- attributes behind a title of one's own, and a constant behind its label, keep their values
(top / "hidden.yaml").write_text("""opfig: 1
name: hidden
dims: {B: {is: 1}, T: {is: 8, what: tokens}, H: {is: 4, what: heads}, d: {is: 4, what: width}}
constants: {c: {is: 7, label: c}, k: {is: 3, label: k}}
inputs: {x: {shape: [B, H, T, d]}}
ops:
  - {id: r, op: rope, in: x, theta: 1e4, layout: interleaved, from: 3, title: turned}
  - {id: s, op: matmul, in: [r, x], transpose: b, scale: k/sqrt(d), axes: [B, H, query, key], title: product}
  - {id: m, op: causal_mask, in: s, gap: 0, title: covered}
  - {id: p, op: softmax, in: m, over: query, title: normalized}
  - {id: g, op: gelu, in: p, form: tanh, title: bent}
  - {id: l, op: clip, in: g, limit: c}
  - {id: y, op: matmul, in: [l, x]}
outputs: [y]
""")
opfig("draw", "hidden.yaml", "-o", "hidden.svg", folder=top)
drawn = re.search("<desc.*?</desc>", (top / "hidden.svg").read_text(), re.S).group(0)
said = opfig("check", "--quick", "hidden.svg", folder=top).stdout.decode()
listed = [text.split("omputed, not drawn: ")[-1] for text in (drawn, said)]
for words in ("layout interleaved of RoPE", "from 3 of RoPE", "transpose b of matmul", "over query of softmax",
              "form tanh of GELU"):
    ok(all(words in text for text in listed), f"listed as not drawn: {words}", listed)
for words in ("turned (theta = 10⁴)", "product (scale = 1.5)", "clip to ±c (c = 7)"):
    ok(words in drawn, f"beside its mark: {words}", drawn)
ok(not any(word in text for word in ("theta", "scale ", "limit") for text in listed), "and not listed", listed)
done()
