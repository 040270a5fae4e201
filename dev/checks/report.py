# SPDX-License-Identifier: MIT
"""What every check of this folder shares: the tracked files, and how it reports.

A check is a program here that prints one line a rule, `ok - RULE` or `not ok - RULE`
followed by the places where it is broken, and exits 1 if any is. dev/test runs each file
of this folder and counts the lines; adding a check is adding a file.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
_failed = 0


def tracked(*suffixes):
    """Paths, relative to the root, of the files git tracks or would track."""
    out = subprocess.run(
        # also in a clone that belongs to who called sudo
        ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, check=True, capture_output=True).stdout.decode()
    paths = sorted(set(filter(None, out.split("\0"))))
    return [p for p in paths
            if (ROOT / p).is_file() and (not suffixes or p.endswith(suffixes))]


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def rule(name, broken):
    """Report one rule and the places (strings) where it is broken."""
    global _failed
    broken = list(broken)
    print(("not ok - " if broken else "ok - ") + name)
    for place in broken:
        print("  " + place.replace("\n", "\n  "))
    _failed += bool(broken)
    sys.stdout.flush()


def done():
    sys.exit(1 if _failed else 0)
