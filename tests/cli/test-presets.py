# SPDX-License-Identifier: MIT
"""Released models by name. Sizes are those of their public configs, typed here once more;
parameters, FLOPs and cache follow from them by the formulas of the architectures."""
import os
import pathlib
import re
import resource
import tempfile

from tap import done, ok, opfig, same

work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)

# C, layers, H, G, head width, F, vocabulary, context, tied, clipped
MODELS = {
    "olmo1-1b": (2048, 16, 16, 16, 128, 8192, 50304, 2048, True, False),
    "olmo1-1b-0724": (2048, 16, 16, 16, 128, 8192, 50304, 4096, False, True),
    "olmo1-7b": (4096, 32, 32, 32, 128, 11008, 50304, 2048, False, False),
    "olmo1-7b-0424": (4096, 32, 32, 32, 128, 11008, 50304, 4096, False, True),
    "olmo1-7b-0724": (4096, 32, 32, 32, 128, 11008, 50304, 4096, False, True),
    "olmo2-1b": (2048, 16, 16, 16, 128, 8192, 100352, 4096, False, False),
    "olmo2-7b": (4096, 32, 32, 32, 128, 11008, 100352, 4096, False, False),
    "olmo2-13b": (5120, 40, 40, 40, 128, 13824, 100352, 4096, False, False),
    "olmo2-32b": (5120, 64, 40, 8, 128, 27648, 100352, 4096, False, False),
    "olmo3-7b": (4096, 32, 32, 32, 128, 11008, 100278, 65536, False, False),
    "olmo3-32b": (5120, 64, 40, 8, 128, 27648, 100278, 65536, False, False),
    "llama3.2-1b": (2048, 16, 32, 8, 64, 8192, 128256, 131072, True, False),
    "llama3.2-3b": (3072, 28, 24, 8, 128, 8192, 128256, 131072, True, False),
    "llama3.1-8b": (4096, 32, 32, 8, 128, 14336, 128256, 131072, False, False),
}
# as the model cards and the checkpoints have it
PUBLISHED = {"olmo1-7b": 6888095744, "olmo2-7b": 7298617344, "olmo2-32b": 32234279936,
             "olmo3-7b": 7298011136, "llama3.2-1b": 1235814400}
WINDOW = 4096


def matmuls(C, H, G, h, F):
    """Weights of one layer's products: q and o, k and v, gate, up and down."""
    return 2 * C * H * h + 2 * C * G * h + 3 * C * F


def parameters(name):
    C, L, H, G, h, F, V, _, tied, _ = MODELS[name]
    family = name.split("-")[0]
    norms = {"olmo1": 0, "olmo2": 2 * C + H * h + G * h, "olmo3": 2 * C + H * h + G * h}
    each = matmuls(C, H, G, h, F) + norms.get(family, 2 * C)
    return V * C * (1 if tied else 2) + L * each + (0 if family == "olmo1" else C)


def keys(name):
    """How many keys a token has in each layer."""
    L, T = MODELS[name][1], MODELS[name][7]
    return [WINDOW if name.startswith("olmo3") and (i + 1) % 4 else T for i in range(L)]


def flops(name):
    """One token forward, at the context: two for each weight of a product, two for each
    key and width in the scores and again in the mix; what the small ops take by docs/ops.md."""
    C, L, H, G, h, F, V, _, tied, clipped = MODELS[name]
    old, pre = name.startswith("olmo1"), not name.startswith(("olmo2", "olmo3"))
    norm = 5 if old else 4
    each = 2 * matmuls(C, H, G, h, F) + 3 * (H * h + G * h) + 2 * C + 5 * F
    each += norm * (2 * C + (0 if pre else H * h + G * h))
    each += 2 * (H * h + 2 * G * h) if clipped else 0
    seen = sum(4 * H * h * k + 5 * H * k for k in keys(name))
    return L * each + seen + norm * C + 2 * C * V + 5 * V + 4 * V + 3


def cache(name):
    """Keys and values of all layers, two bytes a number."""
    _, _, _, G, h, *_ = MODELS[name]
    return 2 * 2 * G * h * sum(keys(name))


run = opfig("list", "presets")
lines = run.stdout.decode().splitlines()
ok(run.returncode == 0 and not run.stderr, "presets are listed", run.stderr.decode())
head = lines[0].split()
rows = {cells[0]: cells[1:] for cells in (re.split(r"  +", line) for line in lines[1:-1])}
same(set(rows), set(MODELS), "all of them, and no others")
for name, (C, L, H, G, h, F, V, T, *_) in MODELS.items():
    sizes = [T, C, H, G, h, F, L, V] + ([WINDOW] if name.startswith("olmo3") else [])
    row = rows[name]
    same([int(cell) for cell in row[:len(sizes)]], sizes, f"{name}: the sizes")
    same(row[-3].replace(",", ""), str(parameters(name)), f"{name}: the parameters")
    same(row[-2].replace(",", ""), str(flops(name)), f"{name}: FLOPs a token")
    found, unit = row[-1].split()
    size = cache(name) / {"MiB": 2**20, "GiB": 2**30}[unit]
    ok(abs(float(found) - size) <= 0.005 * size, f"{name}: the cache", f"{row[-1]}: {size}")
for name, count in PUBLISHED.items():
    same(parameters(name), count, f"{name}: the formula gives what is published")
same(rows["olmo3-7b"][-1], "9.5 GiB", "24 windows of 4,096 tokens and 8 layers of 65,536")


# --- as a spec: the figure is drawn, true and no longer for more layers
def draw(spec, *more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = opfig("draw", spec, "-o", "x.svg", "--quiet", *more, folder=top)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    ok(run.returncode == 0 and not run.stderr, f"{spec} {' '.join(more)} is drawn",
       run.stderr.decode())
    return ((top / "x.svg").read_text(), after.ru_utime - before.ru_utime)


def page(svg):
    return re.search(r'viewBox="([^"]*)"', svg).group(1)


for name in MODELS:
    check = opfig("check", "--quick", name, folder=top)
    ok(check.returncode == 0, f"the claims of {name} hold at its sizes",
       (check.stdout + check.stderr).decode())
pages, marks = {}, {}
for name in MODELS:
    svg, took = draw(name)
    pages[name], marks[name] = page(svg), svg.count("data-op=")
    ok(took < (15 if "ASAN_OPTIONS" in os.environ else 1.5), f"{name} takes no time", f"{took} s")
same(len({marks[name] for name in MODELS if name.startswith("olmo1") and "0" not in name}), 1,
     "as many marks for 16 layers as for 32")
same(pages["olmo2-1b"].split()[2:], pages["olmo2-13b"].split()[2:],
     "40 layers are drawn as large as 16")
ok(abs(float(pages["olmo3-32b"].split()[3]) / float(pages["olmo3-7b"].split()[3]) - 1) < 0.1,
   "the page of 64 layers is that of 32, with two boxes that repeat heads")
for name in ("olmo2-32b", "llama3.2-1b"):
    draw(name)
    check = opfig("check", "--quick", "x.svg", folder=top)
    ok(check.returncode == 0, f"{name}: the figure carries what it is of",
       (check.stdout + check.stderr).decode())

# --- with a block: of that model, of the layer that is meant
svg, _ = draw("olmo3-block", "--preset", "olmo3-32b")
ok("window mask" in svg and ">5120<" in svg, "the block of a preset has its widths")
svg, _ = draw("olmo3-block", "--preset", "olmo3-32b", "--layer", "3")
ok("causal mask" in svg and "window mask" not in svg, "layer 3 of OLMo 3 is a full one")
svg, _ = draw("olmo2-gated", "--preset", "olmo2-13b")
ok(">13824<" in svg, "a variant of the block takes it too")
svg, _ = draw("olmo1-block", "--preset", "olmo1-7b-0724")
ok("clip to ±8" in svg, "a constant of the preset switches ops on")
svg, _ = draw("olmo2-7b", "--dims", "T=128")
ok(">128<" in svg and ">11008<" in svg, "the command line goes before it")

# --- a network of one's own has its own presets, kinds among them
(top / "mine.yaml").write_text("""opfig: 1
name: mine
extends: olmo3
presets:
  turned:
    dims: {L: 4, C: 64, H: 4, V: 100, T: 16, W: 4}
    constants: {kind: [full, window]}
""")
svg, _ = draw("mine.yaml", "--preset", "turned")
ok("full, window" in svg and ">64<" in svg, "kinds of the preset go round")
check = opfig("check", "--quick", "x.svg", folder=top)
ok(check.returncode == 0, "and its figure is proved", check.stdout.decode())

# --- words
for words, said in (
        (("draw", "olmo27b", "-o", "x.svg"), "did you mean ‘olmo2-7b’?"),
        (("draw", "olmo2-block", "--preset", "olmo2-8b", "-o", "x.svg"),
         "there is no preset ‘olmo2-8b’"),
        (("draw", "olmo2-block", "--preset", "olmo3-7b", "-o", "x.svg"),
         "‘olmo3-7b’ is a preset of olmo3, which olmo2-block is no block of"),
        (("draw", "olmo2-7b", "--preset", "olmo2-1b", "-o", "x.svg"), "are two models"),
        (("draw", "olmo2-7b", "--config", "c.json", "-o", "x.svg"),
         "both say which model it is"),
        (("run", "olmo3-32b"), "this run needs")):
    (top / "c.json").write_text("{}")
    run = opfig(*words, folder=top)
    text = (run.stdout + run.stderr).decode()
    ok(run.returncode == 2 and said in text, f"opfig {' '.join(words)}", text)
done()
