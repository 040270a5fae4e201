# SPDX-License-Identifier: MIT
"""Words of shipped specs under every setting: presets, configs, kinds of layers, constants that are words. What no
claim proves (title, subtitle, notes, what, titles of groups and ops) counts nothing itself, names no kind of layer
that the run has not, and no op that it did not execute."""
import json
import os
import pathlib
import re
import tempfile

import yaml

from tap import done, ok, opfig, same

work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
source = pathlib.Path(os.environ["OPFIG_SOURCE"])
models = {path.stem: yaml.safe_load(path.read_text()) for path in sorted((source / "spec/models").glob("*.yaml"))}
configs = sorted((source / "tests/golden").glob("*/config.json"))
COUNTS = "two three four five six seven eight nine ten eleven twelve sixteen twice thrice half third quarter".split()
NAMED = {"rmsnorm": "RMSNorm", "layernorm": "LayerNorm", "rope": "RoPE", "silu": "SiLU", "gelu": "GELU",
         "sigmoid": "sigmoid", "softmax": "softmax", "clip": "clip", "embed": "embedding"}


def without(text, family):
    """A text without its placeholders, math and the name of the family."""
    return re.sub(r"<[a-zA-Z][^>]*>|\$[^$]*\$", " ", text).replace(family or "\0", " ")


def parts(name):
    """The spec and what it is made of."""
    spec = models[pathlib.Path(name).stem]
    others = [spec["extends"]] if "extends" in spec else []
    others += [op["block"] for op in spec.get("ops", []) if "block" in op]
    return [spec] + [part for other in others for part in parts(other)]


def kinds_of(name):
    """The words that its constants may be."""
    return {id: one["one_of"] for part in parts(name) for id, one in part.get("constants", {}).items()
            if "one_of" in one}


def dims_of(name):
    return {id for part in parts(name) for id in part.get("dims", {})}


def titles_of_ops(node):
    """Those that stand in a spec, at whatever depth; an op without one has words of its own."""
    inside = node.values() if isinstance(node, dict) else node if isinstance(node, list) else []
    own = {node["title"]} if isinstance(node, dict) and "title" in node and "op" in node else set()
    return own.union(*map(titles_of_ops, inside))


def unproved(facts):
    """(where, text) of all that is drawn and that no claim proves."""
    titles = titles_of_ops(parts(facts["spec"]["name"]))
    used = json.dumps([[one["shape"] for one in facts["values"]], [one["attributes"] for one in facts["ops"]]])
    for one in facts["texts"]:
        yield one["role"], one["text"]
    for one in facts["dims"]:
        if re.search(rf'[^A-Za-z_]{one["id"]}[^A-Za-z_]', used):
            yield f"what of {one['id']}", one.get("what", "")
    for one in facts["values"]:
        yield f"what of {one['id']}", one.get("what", "")
    for one in facts["groups"]:
        yield f"title of {one['id']}", one.get("title", "")
    for one in facts["ops"]:
        yield f"title of {one['id']}", one["label"] if one["label"] in titles else ""
    for one in facts["claims"]:
        if "that" not in one:
            yield f"claim {one['id']}", one["say"]


def contradicted(facts, kinds):
    """What these texts say that is not so in this run."""
    found = []
    executed = {op["op"] for op in facts["ops"]}
    are = {one["id"]: {one["text"]} for one in facts["constants"]}
    for group in facts["groups"]:
        if "kind" in group.get("repeat", {}):
            are[group["repeat"]["kind"]] = set(group["repeat"]["pattern"])
    family = facts["spec"].get("family")
    for where, text in unproved(facts):
        words = re.findall(r"\w+", without(text, family))
        found += [f"{where}: {word}" for word in words if re.search(r"\d", word) or word.lower() in COUNTS]
        found += [f"{where}: {word}" for id, may in kinds.items() for word in may
                  if word in words and word not in are[id]]
        found += [f"{where}: {title}" for op, title in NAMED.items() if title in words and op not in executed]
    for one in facts["claims"]:
        found += [f"claim {one['id']}: {word}" for id, may in kinds.items() for word in may
                  if re.search(rf"{word} layer", one["say"], re.I) and word not in are[id]]
    return found


SMALL = {"T": 16, "C": 64, "H": 4, "h_ff": 96, "V": 60, "L": 4, "W": 5}


def run(name, *words, **dims):
    """What was executed; sizes are small where the setting does not say them. None: not a setting of this spec."""
    sizes = {} if "--config" in words else {id: size for id, size in SMALL.items() if id in dims_of(name)}
    sizes.update({"G": 2} if "qwen3" in name and sizes else {})
    given = ",".join(f"{id}={size}" for id, size in {**sizes, **dims}.items())
    code = opfig("run", name, *words, *(["--dims", given] if given else []), "-q", "--record", "r.json", folder=top)
    return json.loads((top / "r.json").read_text())["facts"] if code.returncode == 0 else None


presets = [line.split()[0] for line in opfig("list", "presets").stdout.decode().splitlines()[1:]]
ok(len(presets) >= 14 and len(configs) >= 8, "there are presets and configs")
tried = {}
for name in models:
    kinds = kinds_of(name)
    settings = [["--preset", preset] for preset in presets] + [["--config", str(path)] for path in configs]
    settings += [["--set", f"{id}={word}"] for id, words in kinds.items() for word in words]
    settings += [["--set", f"{id}=none"] for id in ("scaling", "clip")] + [["--set", "clip=8"]]
    settings += [["--set", text] for text in ("kind=[window]", "kind=[full]", "kind=[full, window]",
                                              "kind=[full],scaling=none", "kind=full,scaling=none")]
    wrong = []
    sizes = [{"T": 7}, {"L": 1}, {"L": 3}, {"G": 1}, {"H": 2, "G": 2}, {"W": 16}]
    for words, dims in [(words, {}) for words in [[]] + settings] + [([], one) for one in sizes]:
        facts = run(name, *words, **dims)
        if facts:
            tried[name] = tried.get(name, 0) + 1
            wrong += [f"{' '.join(words)} {dims}: {one}" for one in contradicted(facts, kinds)]
    same(wrong, [], f"{name}: no setting contradicts its words")
    ok(tried[name] >= 5, f"{name}: {tried[name]} settings run")

# --- the same looks find what is wrong
old = (source / "spec/models/olmo3.yaml").read_text()
for subtitle, wanted in (("<L> layers: three that see a window, then one that sees all", {"three", "window"}),
                         ("16 layers of LayerNorm", {"16", "LayerNorm"})):
    (top / "olmo3.yaml").write_text(re.sub("subtitle: .*", f'subtitle: "{subtitle}"', old))
    found = contradicted(run("./olmo3.yaml", "--set", "kind=[full]"), kinds_of("olmo3"))
    same({one.split(": ")[1] for one in found}, wanted, f"found in ‘{subtitle}’")

# --- a layer that scales no frequencies does not say that it does
for setting, says in (("kind=full", True), ("kind=full,scaling=none", False), ("kind=window", False)):
    facts = run("olmo3-block", "--set", setting)
    same(any("alone scale" in one["say"] for one in facts["claims"]), says, f"{setting}: frequencies are scaled")
done()
