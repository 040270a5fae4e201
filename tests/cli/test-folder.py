# SPDX-License-Identifier: MIT
"""opfig check --all DIR: every figure that is not what would be drawn now is named, with the
command that renews it; versions that differ are said."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import zlib

from pdf import repacked
from png import chunks, packed, pixels, with_pixels
from tap import done, ok, opfig, same

ROOT = pathlib.Path(os.environ["OPFIG_SOURCE"])
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)
(top / "figs").mkdir()


def check(*words):
    run = opfig("check", *words, folder=top)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def verdicts(*words):
    code, out, err = check("--json", *words)
    report = json.loads(out)
    found = {one["where"]: (one["kind"], one["says"], one.get("renew")) for one in report["findings"]}
    same(code, 1 if found else 0, "exit code follows the findings")
    return found


# --- the gallery of the repository itself
code, out, err = check("--all", str(ROOT / "out"))
names = sorted(path.name for path in (ROOT / "out").iterdir())
same((code, err), (0, ""), "the gallery is what is drawn now")
ok(all(f"/{name}: as drawn now" in out for name in names) and
   f"{len(names)} of {len(names)} figures are as drawn now" in out, "each figure of it is named", out)

# --- figures of a person's own spec
spec = (ROOT / "spec/models/olmo2-block.yaml").read_text().replace("name: olmo2-block", "name: mine")
(top / "mine.yaml").write_text(spec)
FILES = ["figs/a.svg", "figs/b.pdf", "figs/c.png", "figs/inner/d.svg"]
(top / "figs/inner").mkdir()
for name, options in zip(FILES, ([], ["--theme", "dark"], ["--dims", "T=64"], ["--theme", "print"])):
    run = opfig("draw", "mine.yaml", "-q", *options, "-o", name, folder=top)
    ok(run.returncode == 0, f"{name} is drawn", run.stderr.decode())
(top / "figs/notes.txt").write_text("no figure")
(top / "figs/.hidden.svg").write_text("no figure")
same(verdicts("--all", "figs"), {}, "all are as drawn now")
ok("4 of 4 figures" in check("--quiet", "--all", "figs")[1], "--quiet counts them")

# --- one byte of one file
whole = {name: (top / name).read_bytes() for name in FILES}
for name in FILES:
    data = whole[name]
    places = [9, len(data) // 3, len(data) - 9]
    if name.endswith(".pdf"):
        places += [data.rindex(b"/Keywords") + 30, data.rindex(b"xref") + 9, data.rindex(b"startxref") + 11]
    for place in places:
        edited = bytearray(data)
        edited[place] ^= 1
        (top / name).write_bytes(edited)
        code, out, err = check("--all", "figs")
        ok(code == 1 and f"{name}: " in out and ("edited" in out or "stale" in out or "foreign" in out or err)
           or code == 2 and name in err, f"byte {place} of {name}", out + err)
        ok("3 of 4 figures are as drawn now" in out, "and of no other", out + err)
    (top / name).write_bytes(data)
(top / "figs/a.svg").write_bytes(whole["figs/a.svg"].replace(b">256<", b">257<"))
found = verdicts("--all", "figs")
same([*found], ["figs/a.svg"], "a number in one figure: that one")
kind, says, renew = found["figs/a.svg"]
ok(kind == "edited" and "number: 257 for T" in says, "edited, and what", says)
same(renew, "opfig draw figs/../mine.yaml -o figs/a.svg", "how to renew it")
(top / "figs/a.svg").write_bytes(whole["figs/a.svg"].replace(b"<g data-edge", b"<g  data-edge", 1))
same(verdicts("--all", "figs")["figs/a.svg"][1], "other bytes, though it shows the same",
     "white space is an edit too")
(top / "figs/a.svg").write_bytes(whole["figs/a.svg"])

# --- one number in the spec: all of them, each with its own options; the commands work
(top / "mine.yaml").write_text(spec.replace("T: {is: 256,", "T: {is: 128,"))
found = verdicts("--all", "figs")
same({name: (kind, says) for name, (kind, says, _) in found.items()},
     {name: ("stale", f"drawn of another mine than {pathlib.Path(name).parent}/../mine.yaml is now"
             if "inner" not in name else "drawn of another mine than mine.yaml is now") for name in FILES},
     "all are stale")
ok("--theme dark" in found["figs/b.pdf"][2] and "--dims T=64" in found["figs/c.png"][2],
   "the commands have the options", found)
for name in FILES:
    words = found[name][2].split()
    run = opfig(*words[1:], folder=top)
    ok(run.returncode == 0, found[name][2], run.stderr.decode())
same(verdicts("--all", "figs"), {}, "renewed so, all are as drawn now")

# --- other people's
(top / "figs/theirs.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9pt" height="9pt" '
                                     'viewBox="0 0 9 9"><rect width="9" height="9"/></svg>')
(top / "figs/theirs.pdf").write_bytes(b"%PDF-1.4\n%%EOF\n")
found = verdicts("--all", "figs")
same({name: one[:2] for name, one in found.items()},
     {f"figs/theirs.{kind}": ("foreign", "carries no spec of opfig") for kind in ("svg", "pdf")}, "foreign files")
for name in ("theirs.svg", "theirs.pdf"):
    (top / "figs" / name).unlink()

# --- another cairo: texts and geometry, and it is said (other opfigs and fonts: test-versions.py)
png = (top / "figs/c.png").read_bytes()
same(packed(chunks(png)), png, "the test packs PNG as PNG is packed")
rows = pixels(png)


def cairo(kind, data):
    return re.sub(rb"cairo [\d.]+", b"cairo 9.9.9", data) if b"Software" in data else data


middle = len(rows) // 2
dot = bytearray(rows)
dot[-1] ^= 0x10  # filters lead what changes on to later dots: the last has none
block = bytearray(rows)
stride = len(rows) // int.from_bytes(png[20:24], "big")
for row in range(30):
    for column in range(60):
        block[middle + row * stride + column] ^= 0xff
thin = bytearray(rows)  # one dot high: the mean of a block hardly changes
at = int.from_bytes(png[20:24], "big") - 3
assert not thin[at * stride], "the row is not made from the one above"
thin[at * stride + 300:at * stride + 900] = b"\0" * 600
for data, sound, words in (
        (with_pixels(png, thin, edit=cairo), False, "cairo 9.9.9; here is cairo "),
        (with_pixels(png, rows), True, "packed otherwise"),
        (with_pixels(png, dot), False, "another picture"),
        (with_pixels(png, dot, edit=cairo), True, "cairo 9.9.9; here is cairo "),
        (with_pixels(png, block, edit=cairo), False, "cairo 9.9.9; here is cairo ")):
    (top / "figs/c.png").write_bytes(data)
    code, out, err = check("--all", "figs")
    line = next(line for line in out.splitlines() if line.startswith("figs/c.png"))
    ok(code == (0 if sound else 1) and words in line, f"PNG: {words}, {'sound' if sound else 'not'}", out + err)
(top / "figs/c.png").write_bytes(png)

# a PNG is drawn again at the resolution that it has; few dots an inch, and one that has none around it is nothing
for dpi in ("72", "100", "150.3", "300", "600"):
    opfig("draw", "mine.yaml", "--dims", "T=64", "-q", "--dpi", dpi, "-o", "figs/c.png", folder=top)
    line = next(one for one in check("--all", "figs")[1].splitlines() if one.startswith("figs/c.png"))
    same(line, "figs/c.png: as drawn now", f"a PNG of {dpi} dots an inch")
opfig("draw", "mine.yaml", "--dims", "T=64", "-q", "--dpi", "1200", "-o", "figs/c.png", folder=top)
code, out, err = check("figs/c.png")
ok(code == 2 and "too many dots" in err and "agree" not in out, "more dots than are drawn again", out + err)
opfig("draw", "mine.yaml", "--dims", "T=64", "-q", "--dpi", "72", "-o", "figs/c.png", folder=top)
few = (top / "figs/c.png").read_bytes()
stride = 1 + 3 * int.from_bytes(few[16:20], "big")
rows = bytearray(pixels(few))
above = bytes(rows[stride:])  # each dot of a row from the one below: it lies between those around it
for row in range(60, 80):
    rows[row * stride:(row + 1) * stride] = above[row * stride:(row + 1) * stride]
(top / "figs/c.png").write_bytes(with_pixels(few, rows, edit=cairo))
code, out, err = check("--quick", "figs/c.png")
ok(rows != pixels(few) and code == 1 and "stale" in out, "few dots of another cairo, moved by one", out + err)
(top / "figs/c.png").write_bytes(png)

pdf = (top / "figs/b.pdf").read_bytes()
for data, sound, words in ((pdf.replace(b"cairo 1.", b"cairo 9."), True, "with cairo 9."),
                           (pdf.replace(b"/ca 1 >>", b"/ca 0 >>").replace(b"cairo 1.", b"cairo 9."), False,
                            "another picture"),
                           (pdf.replace(b"Page % 1", b"Page % 2"), False, "another picture")):
    (top / "figs/b.pdf").write_bytes(data)
    code, out, err = check("--all", "figs")
    line = next(line for line in out.splitlines() if line.startswith("figs/b.pdf"))
    ok(data != pdf and code == (0 if sound else 1) and words in line, f"PDF: {words}", out + err)
# a version that was put in covers nothing beside the page: titles, bookmarks, pages, fonts
fonts = re.findall(rb"/FontFile3 (\d\d) 0 R", pdf)
for what, old, new in (("title", b"/Title (One ", b"/Title (Two "), ("bookmark", b"(attention sub", b"(recurrent sub"),
                       ("pages", b"/Count 1", b"/Count 2"), ("turned", b"/Type /Page % 1", b"/Rotate 180 % 1 "),
                       ("font of a name", *re.findall(rb"/f-[01]-0 \d+ 0 R", pdf)[:2]),
                       ("font file", b"/FontFile3 " + fonts[0], b"/FontFile3 " + fonts[1]),
                       ("code of letters", b"/WinAnsiEncoding", b"/MacRomanEncodin"),
                       ("width of a blank", b"/Widths [ 248 ", b"/Widths [ 999 "),
                       ("width of a symbol", b"/W [0 [ 280 488 ", b"/W [0 [ 280 999 ")):
    forged = pdf.replace(b"cairo 1.", b"cairo 9.").replace(old, old[:5] + new[5:] if what == "font of a name" else new)
    (top / "figs/b.pdf").write_bytes(forged)
    code, out, err = check("--all", "figs")
    ok(forged.replace(b"cairo 9.", b"cairo 1.") != pdf and code == 1 and "figs/b.pdf: edited" in out,
       f"PDF of another cairo: {what}", out + err)
# … and neither does one whose streams were packed anew: lengths and places are to be right, and nothing is hidden
# between them

HIDDEN = b"4 0 obj\n<< /Type /Page /Parent 1 0 R /Rotate 180 /Contents 6 0 R /Resources 5 0 R >>\nendobj\n"
anew = repacked(pdf)
length = re.search(rb"stream\n(.*?)\nendstream", anew, re.DOTALL)[1]
entries = re.findall(rb"\d{10} 00000 n", anew)
ninth = (b"cairo 1.", b"cairo 9.")
for what, forged, sound in (
        ("all of it", anew, True),
        ("of another cairo", anew.replace(*ninth), True),
        ("with an object in its table", anew.replace(b"\nxref\n", b"\nxref\n" + HIDDEN), False),
        ("with an entry that leads to another", anew.replace(entries[3], entries[4]), False),
        ("with an entry that leads nowhere", anew.replace(entries[3], b"0000000000 00000 n"), False),
        ("with a stream cut short", anew.replace(b"   %d\n" % len(length), b"   %d\n" % (len(length) // 2)), False),
        ("with another table first", re.sub(rb"(startxref\n)(\d+)(\n%%EOF\n)$", rb"\g<1>99\3", anew), False),
        ("updated behind a NUL", pdf.replace(*ninth) + b"\0\n" + HIDDEN, False),
        ("in other colours", repacked(pdf, lambda page: re.sub(rb"0\.\d+( \S+ \S+ rg)", rb"0.15\1", page))
         .replace(*ninth), False)):
    (top / "figs/b.pdf").write_bytes(forged)
    code, out, err = check("--all", "figs")
    ok(forged != pdf and (forged != anew or sound) and code == (0 if sound else 1)
       and ("figs/b.pdf: edited" in out) != sound,
       f"PDF packed anew {what}", out + err)
(top / "figs/b.pdf").write_bytes(pdf)

# --- a layout file that is gone is the trouble of its figure alone
(top / "own.yaml").write_text("extends: block\nrail: left\n")
run = opfig("draw", "mine.yaml", "-q", "--layout", "./own.yaml", "-o", "figs/aa.svg", folder=top)
ok(run.returncode == 0, "drawn with a layout file", run.stderr.decode())
same(verdicts("--all", "figs"), {}, "which is there")
(top / "own.yaml").unlink()
same({name: one[:2] for name, one in verdicts("--all", "figs").items()},
     {"figs/aa.svg": ("stale", "cannot be drawn now as it says: --layout ./own.yaml")},
     "which is gone: the others have their verdicts")
ok("own.yaml" in check("--all", "figs")[2], "and is named")
code, _, err = check("--layout", "./own.yaml", "--all", "figs")
ok(code == 2 and "own.yaml" in err, "one that the command line asks for is an error", err)
(top / "figs/aa.svg").unlink()

# --- a claim that fails, a spec inside that is broken, folders that are not there
code, _, err = check("--all", "nowhere")
ok(code == 2 and "nowhere: no such folder" in err, "no such folder", err)
(top / "empty").mkdir()
code, _, err = check("--all", "empty")
ok(code == 2 and "empty: no figures in it" in err, "an empty folder", err)

# --- progress on a terminal after a second, none in a pipe
terminal = subprocess.run(["script", "-qec", f"{pathlib.Path(os.sys.argv[1]).resolve()} check --all figs",
                        "/dev/null"], cwd=top, capture_output=True, stdin=subprocess.DEVNULL)
same(check("--all", "figs")[2], "", "no progress in a pipe")
ok(terminal.returncode == 0, "the same on a terminal", terminal.stdout)
done()
