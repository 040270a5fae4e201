# SPDX-License-Identifier: MIT
"""What holds for every tracked file: a licence line, text that parses, nothing that only
makes sense on one machine."""
import json
import re

import yaml

from report import ROOT, done, rule, text, tracked

SELF = "dev/checks/files.py"
BINARY = (".png", ".pdf", ".safetensors", ".npy", ".otf", ".ttf", ".woff2")


def sources():
    for path in tracked():
        if path.endswith((".c", ".h", ".h.in", ".py", ".sh", "meson.build")) or \
                path.startswith((".ci/", "dev/")) and "." not in path.rsplit("/", 1)[-1]:
            yield path


def words():
    """(path, number, line) of every line of text."""
    for path in tracked():
        if path.endswith(BINARY) or path == SELF:
            continue
        try:
            lines = text(path).split("\n")
        except UnicodeDecodeError:
            continue  # tests keep broken files on purpose
        for number, line in enumerate(lines, 1):
            yield path, number, line


def match(pattern, but=()):
    found = re.compile(pattern)
    return [f"{path}:{number}: {found.search(line).group(0)}"
            for path, number, line in words()
            if not path.startswith(tuple(but)) and found.search(line)]


def parses():
    for path in tracked(".json", ".yaml", ".yml"):
        # specs that are broken on purpose lie under tests
        if path.startswith(("tests/spec/", "tests/fuzz/", "tests/errors/")):
            continue
        try:
            if path.endswith(".json"):
                json.loads(text(path))
            else:
                list(yaml.safe_load_all(text(path)))
        except (ValueError, yaml.YAMLError) as error:
            yield f"{path}: {error}"


def endings():
    for path in sources():
        body = text(path)
        if not body.endswith("\n") or body.endswith("\n\n"):
            yield f"{path}: should end in one newline"
        for number, line in enumerate(body.split("\n"), 1):
            if line != line.rstrip() or ("\t" in line and path.endswith((".c", ".h", ".py"))):
                yield f"{path}:{number}: trailing space or tab"


def links():
    """A relative link or picture of a Markdown file leads to a file."""
    for path in tracked(".md"):
        body = re.sub(r"```.*?```", "", text(path), flags=re.S)
        body = re.sub(r"`[^`\n]*`", "", body)
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", body):
            if ":" not in target and not (ROOT / path).parent.joinpath(target).exists():
                yield f"{path}: {target} does not exist"


long = [f"{path}: {count} lines" for path in tracked(".c", ".h", ".py")
        if (count := text(path).count("\n")) > 600]

rule("files: each source names its licence in the first lines",
     [path for path in sources()
      if "SPDX-License-Identifier: MIT" not in "\n".join(text(path).split("\n")[:3])])
rule("files: JSON and YAML parse", parses())
rule("files: no trailing space, no tab, one newline at the end", endings())
rule("files: links of the documentation lead somewhere", links())
rule("files: no path of one machine",
     match(r"(?<![\w./-])/(?:work|root|home/\w+|Users)/|/tmp/build", but=("tests/golden/",)))
rule("files: no address of a package registry",
     match(r"deb\.debian\.org|snapshot\.debian|pypi\.org|registry\.npmjs|proxy\.golang|crates\.io"))
rule("files: nothing left to do in the text", match(r"\b(?:TODO|FIXME|XXX)\b"))
rule("files: nothing about how it came about",
     match(r"(?i)\b(?:this|another|earlier|previous) session\b|\bissue #?\d|\bthe brief\b"))
if long:
    print("# long (over 600 lines), worth splitting: " + ", ".join(long))
done()
