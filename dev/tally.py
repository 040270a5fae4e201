# SPDX-License-Identifier: MIT
"""Count what meson ran: tally.py BUILD [EXIT-STATUS]

Reads the log of the last `meson test` in BUILD (none there: nothing ran), prints each
test that failed with what it said, and ends in a line `P F` of subtests. A test that
was skipped, crashed, ran out of time or said nothing counts as failed.
"""
import json
import pathlib
import re
import sys

LINE = re.compile(r"^(ok|not ok)\b[ \t]*\d*[ \t]*(?:- )?([^#\n]*)(#.*)?$")


def subtests(output):
    """(name, passed) of each top-level line of a TAP report."""
    for line in output.split("\n"):
        found = LINE.match(line)
        if not found:
            continue
        directive = (found.group(3) or "").lower()
        skipped = "# skip" in directive or "# todo" in directive
        yield found.group(2).strip() + (" (skipped)" if skipped else ""), \
            found.group(1) == "ok" and not skipped


def main(build, status):
    log = pathlib.Path(build, "meson-logs", "testlog.json")
    passed = failed = 0
    for line in log.read_text().splitlines() if log.exists() else []:
        test = json.loads(line)
        output = test.get("stdout") or ""
        results = list(subtests(output))
        bad = [name for name, good in results if not good]
        good = len(results) - len(bad)
        if test["result"] != "OK" and not bad:
            bad = [test["result"].lower()]
        if not results and not bad:
            # not a TAP program: one test, judged by its exit status
            good = 1
        passed += good
        failed += len(bad)
        if bad:
            said = (output + (test.get("stderr") or "")).strip().split("\n")
            print(f"not ok - {test['name']}: {', '.join(bad)}")
            print("\n".join("  " + part for part in said[-60:]))
    if status != 0 and failed == 0:
        print(f"not ok - meson test in {build} ended with {status}")
        failed += 1
    print(passed, failed)


main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0)
