# SPDX-License-Identifier: MIT
"""Nothing in docs/spec.md is untested: its specs load, its snippets load in the frame it
states, its commands run, and its tables say what the program does."""
import json
import os
import pathlib
import re
import shlex
import tempfile

from tap import done, ok, opfig, same

SOURCE = pathlib.Path(os.environ["OPFIG_SOURCE"])
page = (SOURCE / "docs/spec.md").read_text()
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)


def said(run):
    return (run.stdout + run.stderr).decode()


def by_key(text):
    """The chunks of a map in block style, by its keys at the left edge."""
    chunks, key = {}, None
    for line in text.splitlines(keepends=True):
        found = re.match(r"(\w+):", line)
        key = found.group(1) if found else key
        chunks[key] = chunks.get(key, "") + line
    return chunks


def in_frame(*texts):
    """Snippets in the frame: the keys that one shows replace those before it."""
    chunks = by_key(frame)
    for text in texts:
        chunks |= by_key(text)
    return "".join(chunks.values())


def save(text, name="spec.yaml"):
    (top / name).write_text(text)
    return name


def loads(text, name, *options):
    run = opfig("check", "--quick", "--strict", save(text), *options, folder=top)
    return ok(run.returncode == 0 and not run.stderr, name, said(run) + text)


def record(text):
    run = opfig("run", "--quiet", save(text), "--record", "record.json", folder=top)
    ok(run.returncode == 0, "its record is written", said(run) + text)
    return json.loads((top / "record.json").read_text())["facts"]


def table(*head):
    """The rows of the table with that head; code cells without their ticks."""
    found = re.search(r"^\| " + re.escape(" | ".join(head)) + r" \|\n\|[- |]+\|\n((?:\|.*\n)+)",
                      page, re.M)
    rows = [[cell.strip().strip("`") for cell in line[1:-1].split(" | ")]
            for line in found.group(1).splitlines()] if found else []
    ok(len(rows) > 3, f"there is a table of {' | '.join(head)}", rows)
    return rows


# --- whole specs and snippets
blocks = re.findall(r"^```(\w+)\n(.*?)^```", page, re.S | re.M)
yaml = [text for language, text in blocks if language == "yaml"]
whole = [text for text in yaml if text.startswith("opfig: 1\n")]
frame = next((text for text in whole if "\nname: frame\n" in text), "")
ok(frame and len(yaml) > 20, "the page has snippets, and a frame for them", len(yaml))
for number, text in enumerate(yaml, 1):
    title = f"snippet {number}: {' '.join(by_key(text))}"
    if loads(text if text in whole else in_frame(text), title):
        run = opfig("draw", "spec.yaml", "-o", "spec.svg", folder=top)
        check = opfig("check", "--quick", "--strict", "spec.svg", folder=top)
        same((run.returncode, check.returncode), (0, 0), f"{title}: its figure is proved: " +
             f"{said(run)}{said(check)}".strip().split("\n")[-1])

# --- a config follows the snippet it is for
for before, (language, text) in zip([None, *blocks], blocks):
    if language == "json":
        save(text, "config.json")
        spec = in_frame(before[1])
        loads(spec, "a config is taken", "--config", "config.json", "--quiet")
        run = opfig("check", save(spec), "--config", "config.json", folder=top)
        lines = next(text for language, text in blocks
                     if language == "text" and text.startswith("config.json: "))
        same(run.stderr.decode(), lines, "each field gets its line")
        ok("at B = 1 T = 8 C = 64 H = 8 h_d = 8" in said(run), "it sets the dims", said(run))
        save(text.replace('"silu"', '"gelu"'), "config.json")
        run = opfig("check", save(spec), "--config", "config.json", folder=top)
        ok(run.returncode == 2 and "cannot honour" in said(run),
           "a config that the spec cannot honour is refused", said(run))

# --- the commands, on the first spec
save(whole[0], re.search(r"^Saved as `([\w.-]+)`", page, re.M).group(1))
commands = [line for language, text in blocks if language == "sh" for line in text.splitlines()]
ok(commands, "the page has commands")
for line in commands:
    program, *words = shlex.split(line)
    run = opfig(*words, folder=top)
    ok(program == "build/opfig" and run.returncode == 0, line, said(run))

# --- the message that is shown
shown = next(text for language, text in blocks
             if language == "text" and text.startswith("spec.yaml:"))
wrong = whole[0].replace("op: matmul, in: [norm, W_1]", "op: matmull, in: [norm, W_1]")
line = next(n for n, text in enumerate(wrong.splitlines(), 1) if "matmull" in text)
run = opfig("check", save(wrong), folder=top)
same((run.returncode, run.stderr.decode()), (2, shown), "the message is printed so")

# --- dims are rewritten
rules = next(text for text in yaml if "h_ff: {is:" in text and "G: {is: H}" in text)
rewritten = table("written", "is", "why")
inputs = "".join(f'  x{i}: {{shape: ["{written}"]}}\n' for i, (written, *_) in enumerate(rewritten))
names = ", ".join(f"x{i}" for i in range(len(rewritten)))
spec = in_frame(rules, f"inputs:\n{inputs}ops: []\noutputs: [{names}]\n")
shapes = {value["id"]: value["shape"] for value in record(spec)["values"]}
for i, (written, wanted, _) in enumerate(rewritten):
    same(shapes[f"x{i}"], [wanted], f"{written} is {wanted}")
freed = re.search(r"`--dims G=2`.*?`([^`]*h_d)` then is\n`([^`]*)`", page, re.S)
spec = in_frame(rules, f'inputs:\n  x: {{shape: ["{freed[1]}"]}}\nops: []\noutputs: [x]\n')
run = opfig("run", "--quiet", save(spec), "--dims", "G=2", "--record", "record.json", folder=top)
same(json.loads((top / "record.json").read_text())["facts"]["values"][0]["shape"], [freed[2]],
     f"with G free {freed[1]} is {freed[2]}")

# --- labels by rule
labels = table("id", "label")
inputs = "".join(f"  {name}: {{shape: [T]}}\n" for name, _ in labels)
names = ", ".join(name for name, _ in labels)
spec = f"opfig: 1\nname: labels\ndims: {{T: {{is: 4}}}}\ninputs:\n{inputs}ops: []\noutputs: [{names}]\n"
found = {value["id"]: value["label"] for value in record(spec)["values"]}
for name, label in labels:
    same(found[name], label, f"the label of {name}")

# --- claims and placeholders, in the shipped block
model = (SOURCE / "spec/models/olmo2-block.yaml").read_text().split("\nclaims:\n")[0]
claims = table("claim", "true when")
run = opfig("check", "--quick", "--strict", save(model + "\nclaims:\n" + "".join(
    f'  - {{id: c{i}, say: claim, that: "{claim}"}}\n' for i, (claim, _) in enumerate(claims))),
    folder=top)
same((run.returncode, run.stdout.decode().count("✓ claim"), run.stderr), (0, len(claims), b""),
     "the claims of the table hold")
for claim, _ in claims:
    run = opfig("check", "--quick", save(f'{model}\nclaims:\n  - {{id: c, say: claim, that: "not ({claim})"}}\n'),
                folder=top)
    same(run.returncode, 1, f"and it is not so that not {claim}")
for what in ("kind", "class"):
    words = re.search(rf"… of a {what}: ((?:`\w+`(?:, )?)+)", page)[1].replace("`", "").split(", ")
    run = opfig("check", "--quick", save(model + "\nclaims:\n" + "".join(
        f"  - {{id: {word}, say: claim, that: count({what} = {word}) >= 0}}\n" for word in words)),
        folder=top)
    same((run.returncode, said(run).count("✓ claim")), (0, len(words)), f"these are {what}s: {words}")
code = "".join((SOURCE / "check" / f"claims-{part}.c").read_text()
               for part in ("structure", "cost", "fold", "run", "again"))
functions = re.findall(r'^    \{"(\w+)",', code, re.M)
text = page[page.index("## claims"):page.index("## notes")]
missing = [name for name in functions if not re.search(rf"\b{name}(\(|`)", text)]
ok(len(functions) > 20 and not missing, "every function of claims is told of", missing)

prints = table("placeholder", "prints")
run = opfig("check", "--quick", "--strict", save(model + "\nnotes:\n" + "".join(
    f'  - "[{placeholder}]"\n' for placeholder, _ in prints)), folder=top)
for placeholder, wanted in prints:
    ok(f"[{wanted}]" in run.stdout.decode(), f"{placeholder} prints {wanted}", said(run))

# --- traps: what is wrong is refused with a cure or at its place, what is right loads
for wrong, right, why in table("not", "but", "because"):
    base = "inputs: {x: {shape: [T]}}\n" if "dims:" in wrong else ""
    run = opfig("check", save(in_frame(base + wrong + "\n")), folder=top)
    ok(run.returncode == 2 and said(run).count("error: ") == 1, f"refused: {wrong}", said(run))
    loads(in_frame(base + right + "\n"), f"taken: {right}")

# --- the messages are those of tests/errors
known = "".join(path.read_text() for path in sorted((SOURCE / "tests/errors").glob("*.txt")))
for message, _ in table("message", "what to do"):
    ok(re.search(r"error: " + re.escape(message) + r"$", known, re.M), f"it is said: {message}",
       "no file of tests/errors has it")

# --- no key is left out
keys = set()


def gather(schema):
    if isinstance(schema, dict):
        properties = schema.get("properties")
        keys.update(properties if isinstance(properties, dict) else ())
        for key, value in schema.items():
            if key != "allOf" or not isinstance(value, list) or "if" not in json.dumps(value):
                gather(value)
    elif isinstance(schema, list):
        for one in schema:
            gather(one)


gather(json.loads((SOURCE / "spec/opfig.schema.json").read_text()))
missing = sorted(key for key in keys if f"{key}:" not in page)
ok(len(keys) > 35 and not missing, "the page tells of every key of the schema", missing)
done()
