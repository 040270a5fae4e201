# SPDX-License-Identifier: MIT
"""Each header compiles alone, and says who owns what it gives out."""
import concurrent.futures
import os
import re
import shlex
import subprocess
import tempfile

from report import ROOT, done, rule, text, tracked

# Read several times with other macros, so not a header to include alone.
TEMPLATES = {"ops/both.h", "ops/visible.h"}
MODULES = ("glib-2.0 gio-2.0 yaml-0.1 jansson cairo pango pangoft2 harfbuzz fontconfig "
           "freetype2 libpng expat openblas librsvg-2.0").split()


def headers():
    return [h for h in tracked(".h") if h not in TEMPLATES]


def alone():
    flags = shlex.split(subprocess.run(["pkg-config", "--cflags", *MODULES], check=True,
                                       capture_output=True, text=True).stdout)
    compiler = shlex.split(os.environ.get("CC", "cc"))

    def compile_alone(header):
        with tempfile.NamedTemporaryFile("w", suffix=".c") as unit:
            # twice: the guard has to work
            unit.write(f'#include "{header}"\n#include "{header}"\n')
            unit.flush()
            run = subprocess.run([*compiler, "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra",
                                  "-Werror", "-Wno-missing-field-initializers",
                                  "-fsyntax-only", f"-I{ROOT}", *flags, unit.name],
                                 capture_output=True, text=True)
            return None if run.returncode == 0 else f"{header}: {run.stderr.strip()[:400]}"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(filter(None, pool.map(compile_alone, headers())))


def guards():
    for header in headers():
        want = "FIG_" + re.sub(r"[/.\-]", "_", header).upper()
        found = re.search(r"^#ifndef (\w+)$", text(header), re.M)
        if not found or found.group(1) != want:
            yield f"{header}: its guard should be {want}"


# A prototype at the start of a line, with the comment (if any) above its group.
FUNCTION = re.compile(r"^(?!typedef|static|#)((?:[A-Za-z_][\w ]*?)[ ]?\*+(?:const )?\*?)(fig_\w+)\(", re.M)
SAYS = re.compile(r"\bown(s|ed)?\b|\bborrowed\b|\barena\b|\bcaller\b|\bNULL\b|lives? |\bfree with\b", re.I)


def owners():
    """Whoever gets a pointer must learn whose it is: from the comment above (which may
    head a group of functions), from a type that is const and so borrowed, or from the
    essay at the top, for a header whose things all have one owner."""
    for header in headers():
        source = text(header)
        if re.search(r"\bowns all\b", source.split("*/")[0]):
            continue
        for match in FUNCTION.finditer(source):
            if match.group(1).startswith("const "):
                continue
            above = source[:match.start()].rsplit("\n\n", 1)[-1]
            if not SAYS.search(above):
                line = source.count("\n", 0, match.start()) + 1
                yield f"{header}:{line}: who owns what {match.group(2)} returns?"


rule("headers: each compiles alone", alone())
rule("headers: guards are named after their paths", guards())
rule("headers: functions that return a pointer say who owns it", owners())
done()
