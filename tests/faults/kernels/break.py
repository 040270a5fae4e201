#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Break each kernel by one token, and see the tests of ops go red.

usage: break.py BUILD [--tap]

Each line of faults.txt is one fault. Its file is copied and changed, that one object is
compiled as the build folder compiles it and linked into the test programs before the
right one, which the archive then leaves out. A fault is caught when one of them fails.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
# the quickest first
TESTS = ("rows", "facts", "ops", "numpy")


def read_faults():
    for line in (pathlib.Path(__file__).parent / "faults.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield re.split(r"  +", line)


def compile_commands(build):
    """How each file of ops/ is compiled into the library."""
    found = {}
    for one in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(one["file"])
        if path.parent.name == "ops" and "libops" in one["output"]:
            found[path.name] = shlex.split(one["command"])
    return found


def link_command(build, test):
    out = subprocess.run(["ninja", "-C", str(build), "-t", "commands", f"tests/ops/test-ops-{test}"],
                         check=True, capture_output=True, text=True).stdout
    return shlex.split(out.strip().splitlines()[-1])


def compile_broken(build, command, folder, name, old, new):
    """The object of the changed file; None where the change does not compile."""
    text = (ROOT / "ops" / name).read_text()
    if text.count(old) != 1:
        sys.exit(f"faults.txt: ‘{old}’ stands {text.count(old)} times in ops/{name}")
    (folder / "ops").mkdir(exist_ok=True)
    (folder / "ops" / name).write_text(text.replace(old, new))
    at = command.index("-o")
    words = [word for word in command[:at] if word not in ("-MD", "-Werror")]
    while "-MF" in words:
        del words[words.index("-MF"):words.index("-MF") + 2]
    while "-MQ" in words:
        del words[words.index("-MQ"):words.index("-MQ") + 2]
    compiler = next(i for i, word in enumerate(words) if word.startswith("-"))
    target = folder / "broken.o"
    words = [*words[:compiler], f"-I{folder}", *words[compiler:], "-w", "-O1", "-o", str(target), "-c",
             str(folder / "ops" / name)]
    run = subprocess.run(words, cwd=build, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{name}: {old} => {new} does not compile:\n{run.stderr}")
    return target


def catch(build, links, folder, broken):
    """The first test program that fails with this object, or None."""
    for test in TESTS:
        program = folder / f"test-{test}"
        words = list(links[test])
        words[words.index("-o") + 1] = str(program)
        words.insert(words.index("-o") + 2, str(broken))
        subprocess.run(words, cwd=build, check=True, capture_output=True)
        try:
            run = subprocess.run([program], capture_output=True, text=True, timeout=300,
                                 env={**os.environ, "OPFIG_SOURCE": str(ROOT)})
        except subprocess.TimeoutExpired:
            return f"{test}, which does not end"
        if run.returncode:
            return test
    return None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, tap = pathlib.Path(sys.argv[1]).resolve(), "--tap" in sys.argv
    faults = list(read_faults())
    commands = compile_commands(build)
    links = {test: link_command(build, test) for test in TESTS}
    if tap:
        print(f"1..{len(faults)}")
    missed = 0
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        for number, (name, old, new) in enumerate(faults, 1):
            broken = compile_broken(build, commands[name], folder, name, old, new)
            by = catch(build, links, folder, broken)
            (folder / "ops" / name).unlink()
            missed += by is None
            what = f"{name}: {old} => {new}"
            if tap:
                print(f"{'ok' if by else 'not ok'} {number} - {what}")
            else:
                print(f"  {what:<64} {'caught by ' + by if by else 'MISSED'}")
            sys.stdout.flush()
    if not tap:
        print(f"  {len(faults) - missed} of {len(faults)} caught")
    sys.exit(1 if missed else 0)


main()
