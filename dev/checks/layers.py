# SPDX-License-Identifier: MIT
"""Includes run one way, and layouts know no op by its name (ARCHITECTURE.md)."""
import re

from report import ROOT, done, rule, text, tracked

# What a room may include besides its own headers: a room, or one header of it.
MAY = {
    "base": [],
    "ops": ["base"],
    "spec": ["ops", "base"],
    "exec": ["spec", "ops", "base"],
    "text": ["base"],
    "layouts": ["exec/record.h", "text", "base"],
    "render": ["layouts/scene.h", "text", "base"],
    "check": ["render", "layouts", "text", "exec", "spec", "ops", "base"],
    "pages": ["render", "layouts", "text", "exec", "spec", "ops", "base"],
    "cli": ["pages", "check", "render", "layouts", "text", "exec", "spec", "ops", "base"],
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)


def reached(header, seen=None):
    """A header and every one of ours that it includes, at any depth."""
    seen = set() if seen is None else seen
    if header not in seen and (ROOT / header).is_file():
        seen.add(header)
        for name in INCLUDE.findall(text(header)):
            reached(name, seen)
    return seen


def include_places():
    for path in tracked(".c", ".h"):
        room = path.split("/")[0]
        if room not in MAY:
            continue
        allowed = MAY[room] + [room]
        source = text(path)
        for match in INCLUDE.finditer(source):
            name = match.group(1)
            if "/" not in name and name.endswith(".h"):
                if (ROOT / "ops" / (name + ".in")).is_file():
                    continue  # generated
            if not any(name == a or name.startswith(a + "/") for a in allowed):
                line = source.count("\n", 0, match.start()) + 1
                yield f"{path}:{line}: {room} may not include {name}"


def hidden_places():
    """A header that layouts or render may see must not carry others in with it."""
    for room, door in (("layouts", "exec/record.h"), ("render", "layouts/scene.h")):
        allowed = MAY[room] + [room]
        for name in sorted(reached(door)):
            if not any(name == a or name.startswith(a + "/") for a in allowed):
                yield f"{door} brings {name} into {room}"


def op_names():
    words = re.findall(r"'([a-z0-9_]+)'", text("ops/meson.build").split("]")[0])
    # a name that is also an English word or a field is only an op name as a string
    pattern = re.compile(r'"(' + "|".join(map(re.escape, words)) + r')"') if words else None
    for path in tracked(".c", ".h"):
        if not path.startswith(("layouts/", "render/")) or pattern is None:
            continue
        source = text(path)
        for match in pattern.finditer(source):
            line_start = source.rfind("\n", 0, match.start()) + 1
            if source[line_start:match.start()].lstrip().startswith(("*", "/*", "#")):
                continue  # a comment or an include
            line = source.count("\n", 0, match.start()) + 1
            if source[match.end():match.end() + 2].startswith("/"):
                continue
            yield f"{path}:{line}: op name {match.group(0)}"


rule("layers: every include runs down the table", include_places())
rule("layers: no header carries a hidden room along", hidden_places())
rule("layers: layouts and render know no op by its name", op_names())
done()
