# SPDX-License-Identifier: MIT
"""The same spec gives the same bytes, wherever, whenever and on whichever CPU: SVG, PDF,
PNG and the facts of the record."""
import os
import pathlib
import subprocess
import tempfile

from tap import done, ok, opfig, same

SPEC = "olmo2-block"
BASE = {"LC_ALL": "C.UTF-8", "TZ": "UTC0", "OPENBLAS_NUM_THREADS": "1"}

work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)

# A locale that writes 1,5: compiled here, so that none needs to be installed.
subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(top / "de_DE.UTF-8")],
               check=True, capture_output=True)
COMMA = {"LOCPATH": str(top), "LC_ALL": "de_DE.UTF-8"}
point = subprocess.run(["locale", "decimal_point"], env={**os.environ, **COMMA},
                       capture_output=True, text=True).stdout.strip()
same(point, ",", "the other locale has a decimal comma")

VARIANTS = {
    "a second run": {},
    "a decimal comma": COMMA,
    "no UTF-8 locale": {"LC_ALL": "C"},
    "a time zone at +13:45": {"TZ": "AAA-13:45"},
    "two BLAS threads": {"OPENBLAS_NUM_THREADS": "2"},
    "another home": {"HOME": str(top / "home"), "XDG_CACHE_HOME": str(top / "home/.cache")},
    # kernels of an old CPU: in BLAS, in the C library's math, in the rasteriser
    "an old CPU": {"OPENBLAS_CORETYPE": "Prescott",
                   "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-FMA_Usable,-FMA,-FMA4",
                   "PIXMAN_DISABLE": "sse2 ssse3 mmx"},
}
FILES = ("a.svg", "a.pdf", "a.png")


def facts(record):
    """The bytes of a record without what was measured."""
    head, mark, _ = record.partition(b'"measured"')
    assert mark or b'"facts"' in head
    return head.rstrip(b' \n,}')


def draw(folder, env):
    folder.mkdir(parents=True)
    run = opfig("draw", SPEC, *sum((["-o", name] for name in FILES), []), folder=folder, env=env)
    if run.returncode == 0:
        run = opfig("run", SPEC, "--record", "r.json", folder=folder, env=env)
    if run.returncode != 0:
        return run.stderr.decode(errors="replace"), {}
    files = {name: (folder / name).read_bytes() for name in FILES}
    files["facts of the record"] = facts((folder / "r.json").read_bytes())
    return "", files


error, base = draw(top / "a", BASE)
ok(base and all(len(content) > 1000 for content in base.values()), "draws and records", error)
for place, (name, env) in enumerate(VARIANTS.items()):
    folder = top / ("deeper/" * place + "another folder")
    error, files = draw(folder, {**BASE, **env})
    different = [f for f in base if files.get(f) != base[f]]
    ok(files and not different, f"{name}: the same bytes", error or f"different: {different}")

run = opfig("draw", "--record", str(top / "a/r.json"), "-o", "b.svg", "-o", "b.pdf",
            "-o", "b.png", folder=top, env=BASE)
ok(run.returncode == 0, "draws from the record alone", run.stderr.decode(errors="replace"))
for name in FILES:
    drawn = top / name.replace("a.", "b.")
    ok(drawn.exists() and drawn.read_bytes() == base.get(name),
       f"{name[2:]} from the record is the one from the spec")
done()
