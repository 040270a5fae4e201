# SPDX-License-Identifier: MIT
"""The few words that the Python tests of the command need: TAP, and running opfig."""
import os
import subprocess
import sys

OPFIG = os.path.abspath(sys.argv[1])
_count = _failed = 0


def ok(good, name, detail=""):
    global _count, _failed
    _count += 1
    print(f"{'ok' if good else 'not ok'} {_count} - {name}")
    if not good:
        _failed += 1
        for line in str(detail).split("\n"):
            print(f"# {line}")
    sys.stdout.flush()
    return good


def same(found, wanted, name):
    return ok(found == wanted, name, f"found:  {found!r}\nwanted: {wanted!r}")


def opfig(*arguments, folder=None, env=None, **more):
    """Run the command; a dict of env is laid over this process's own."""
    return subprocess.run([OPFIG, *arguments], cwd=folder, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=100,
                          env={**os.environ, **(env or {})}, **more)


def done():
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)
