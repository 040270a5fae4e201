# SPDX-License-Identifier: MIT
"""Troubles of the world: what opfig says, how it ends, and that no file is left half
written or harmed."""
import os
import pathlib
import resource
import signal
import tempfile

from tap import done, ok, opfig, same

SPEC = "olmo2-block"
FILES = ("a.svg", "a.pdf", "a.png")
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)


def said(run):
    return run.stderr.decode()


def names(folder):
    return sorted(p.name for p in folder.iterdir())


def fresh(name):
    folder = top / name
    folder.mkdir()
    return folder


# --- the output folder is missing
for name in FILES:
    run = opfig("draw", SPEC, "-o", f"nowhere/{name}", folder=top)
    same((run.returncode, said(run), run.stdout),
         (2, f"error: cannot write ‘nowhere/{name}’: no such file or folder\n", b""),
         f"{name[2:]}: the output folder is missing")
run = opfig("run", SPEC, "--record", "nowhere/r.json", folder=top)
same((run.returncode, said(run)),
     (2, "error: cannot write ‘nowhere/r.json’: no such file or folder\n"),
     "record: the output folder is missing")

# --- the output is a folder
folder = fresh("is-a-folder")
(folder / "a.svg").mkdir()
run = opfig("draw", SPEC, "-o", "a.svg", folder=folder)
same((run.returncode, said(run)), (2, "error: cannot write ‘a.svg’: it is a folder\n"),
     "the output is a folder")
same(names(folder), ["a.svg"], "the output is a folder: nothing is left beside it")

# --- no format of that name
run = opfig("draw", SPEC, "-o", "a.xyz", folder=top)
ok(run.returncode == 2 and "‘a.xyz’" in said(run) and ".svg" in said(run) and
   not (top / "a.xyz").exists(), "a suffix that is no format: the formats are named", said(run))


# --- the disk is full: no file of this process may pass 4 KB
def full_disk():
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


folder = fresh("full")
for name in FILES:
    (folder / name).write_bytes(b"older")
    run = opfig("draw", SPEC, "-o", name, folder=folder, preexec_fn=full_disk,
                restore_signals=False)
    same((run.returncode, said(run)), (2, f"error: cannot write ‘{name}’: File too large\n"),
         f"{name[2:]}: the disk is full")
    same((folder / name).read_bytes(), b"older", f"{name[2:]}: full disk: the older file is whole")
same(names(folder), sorted(FILES), "full disk: nothing half-written is left")
run = opfig("run", SPEC, "--record", "r.json", folder=folder, preexec_fn=full_disk,
            restore_signals=False)
same((run.returncode, said(run)), (2, "error: cannot write ‘r.json’: File too large\n"),
     "record: the disk is full")
same(names(folder), sorted(FILES), "record: full disk: nothing half-written is left")

os.symlink("/dev/full", top / "full.svg")
run = opfig("draw", SPEC, "-o", "full.svg", folder=top)
same((run.returncode, said(run)),
     (2, "error: cannot write ‘full.svg’: no space left on the disk\n"),
     "a device without space")

# --- stdout is full
with open("/dev/full", "wb") as full:
    import subprocess
    import sys
    run = subprocess.run([os.path.abspath(sys.argv[1]), "run", SPEC], stdout=full,
                         stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=100)
ok(run.returncode == 2 and run.stderr.decode() ==
   "opfig: error: standard output cannot be written\n",
   "results that cannot be printed are an error", (run.returncode, run.stderr))

# --- one of two outputs fails: the message names it
folder = fresh("two")
run = opfig("draw", SPEC, "-o", "a.svg", "-o", "nowhere/a.pdf", folder=folder)
same((run.returncode, said(run)),
     (2, "error: cannot write ‘nowhere/a.pdf’: no such file or folder\n"),
     "one of two outputs cannot be written")

# --- the same picture again: the file is not touched
folder = fresh("again")
opfig("draw", SPEC, *sum((["-o", f] for f in FILES), []), folder=folder)
before = {f: (folder / f).stat().st_mtime_ns for f in names(folder)}
run = opfig("draw", SPEC, *sum((["-o", f] for f in FILES), []), folder=folder)
same({f: (folder / f).stat().st_mtime_ns for f in names(folder)}, before,
     "drawn again, a file that is the same is not written")
same(sorted(before), sorted(FILES), "drawn: the three files and no other")

# --- dims that need 10 TB
run = opfig("run", SPEC, "--dims", "T=1000000", folder=top)
ok(run.returncode == 2 and "TB" in said(run) and "T = 1000000" in said(run),
   "a run of 10 TB is refused, with the need and the dims that cause it", said(run))
run = opfig("draw", SPEC, "--dims", "T=1000000", "-o", "large.svg", folder=top)
ok(run.returncode == 0, "but its figure is drawn: a shape run costs nothing", said(run))

# --- a font is missing
empty = fresh("fonts")
folder = fresh("no-fonts")
run = opfig("draw", SPEC, "-o", "a.svg", folder=folder, env={"OPFIG_FONTS": f"{empty}:-"})
ok(run.returncode == 2 and "fonts-" in said(run) and names(folder) == [],
   "a missing font is an error that names the package", (run.returncode, said(run)))

# --- specs that are none
folder = fresh("specs")
(folder / "binary.yaml").write_bytes(bytes(range(256)) * 8)
(folder / "empty.yaml").write_bytes(b"")
(folder / "deep.yaml").write_bytes(b"opfig: 1\nops: " + b"[" * 200_000)
for name in ("binary.yaml", "empty.yaml", "deep.yaml", "missing.yaml", "."):
    for command in (["draw", name, "-o", "a.svg"], ["run", name], ["check", name]):
        run = opfig(*command, folder=folder)
        ok(run.returncode == 2 and "error: " in said(run) and said(run).count("error: ") == 1,
           f"{command[0]} {name}: one error, exit 2", (run.returncode, said(run)[:2000]))
ok("a.svg" not in names(folder), "no figure is drawn from them")
done()
