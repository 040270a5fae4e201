# SPDX-License-Identifier: MIT
"""docs/models holds the page of every shipped spec, as `opfig doc` prints it, and a page says
what the record says: added up here, from its JSON. With OPFIG_BLESS=1 stale pages are written
anew, and the test still fails, so that a renewed page is looked at."""
import json
import os
import pathlib
import re
import tempfile

from tap import done, ok, opfig, same

SOURCE = pathlib.Path(os.environ["OPFIG_SOURCE"])
PAGES = SOURCE / "docs/models"
RENEW = "OPFIG_BLESS=1 meson test -C build cli-models"
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)


def doc(name, *options, folder=None):
    return opfig("doc", name, "--figure", f"../../out/{name}.svg",
                 "--figure-dark", f"../../out/{name}-dark.svg", *options, folder=folder)


def commas(number):
    return f"{number:,}"


def cells(line):
    """The cells of a row: a bar in code is written with a backslash."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def section(page, title):
    return page.split(f"\n## {title}\n", 1)[1].split("\n## ")[0]


def rows(text):
    return [cells(line) for line in text.splitlines() if line.startswith("| ")]


def check_page(name, page):
    """What stands on a page against the record, read apart from the program."""
    opfig("run", name, "--quiet", "--record", str(top / "r.json"), "--dims", "T=4")
    facts = json.loads((top / "r.json").read_text())["facts"]
    values = {value["id"]: value for value in facts["values"]}
    steps = [row for row in rows(section(page, "Steps")) if row[0].isdigit()]
    same([row[0] for row in steps], [str(op["step"]) for op in facts["ops"]], f"{name}: every step")
    for op, row in zip(facts["ops"], steps):
        reads = [read["value"] for read in op["reads"]]
        found = [re.findall(r"`([^`]+)`", cell) for cell in (row[1], row[3], row[4])]
        wanted = [[op["id"]], reads, [write["value"] for write in op["writes"]]]
        sizes = ["×".join(map(str, write["size"])) for write in op["writes"]]
        weights = [id for read in reads if values[read]["kind"] == "weight"
                   for id in values[read].get("members", [read])]
        parameters = sum(values[id]["parameters"] for id in weights)
        good = found == wanted and all(size in row[4] for size in sizes) and \
            row[5] == (commas(parameters) if parameters else "") and \
            row[6].endswith(commas(op["flops_number"]) if op["flops_number"] else "")
        if not good:
            return ok(False, f"{name}: step {op['step']}", f"{row}\n{op}")
    ok(True, f"{name}: operands, results, sizes, parameters and FLOPs of each step")
    costs = {row[0]: row for row in rows(section(page, "Costs"))}
    for word, cls in (("matmul with weights", "weight_matmul"), ("norm", "norm"), ("other", "other"),
                      ("matmul of activations", "activation_matmul")):
        ops = [op for op in facts["ops"] if op["class"] == cls]
        if ops:
            same(costs[word][1:3], [str(len(ops)), commas(sum(op["flops_number"] for op in ops))],
                 f"{name}: steps and FLOPs of {word}")
    total = sum(value["parameters"] for value in facts["values"])
    same([costs["weights in float32"][1], costs["weights in bfloat16"][1]],
         [commas(4 * total), commas(2 * total)], f"{name}: bytes of {commas(total)} parameters")
    claims = rows(section(page, "Claims"))[2:]
    shown = [claim for claim in facts["claims"] if claim["must"] or claim["holds"]]
    same([row[2].strip("`").replace("\\|", "|") for row in claims][:len(shown)],
         [claim.get("that", "") for claim in shown], f"{name}: every claim")
    good = all(row[1].startswith("✓ by") == claim["holds"] and
               [float(bound) for bound in row[1].split(", bound ")[1:]] ==
               [claim[key] for key in ("bound",) if key in claim]
               for row, claim in zip(claims, shown))
    ok(good, f"{name}: how each claim was settled", claims)
    names = [[f"`{one['id']}`", f"`{aka['name']}`", aka.get("side", ""), f"`{aka['axes']}`" if "axes" in aka else ""]
             for one in facts["dims"] + facts["values"] for aka in one.get("aka", [])]
    there = [row for row in rows(section(page, "Names in other libraries"))
             if row[0].startswith("`")] if names else []
    same(sorted(there), sorted(names), f"{name}: every name elsewhere")


# --- fresh
specs = opfig("list", "specs").stdout.decode().split()
ok(len(specs) > 8, "there are specs", specs)
stale = []
for name in specs:
    run = doc(name)
    same((run.returncode, run.stderr), (0, b""), f"{name} has a page")
    path = PAGES / f"{name}.md"
    if not path.is_file() or path.read_bytes() != run.stdout:
        stale.append(path)
        if os.environ.get("OPFIG_BLESS") == "1":
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(run.stdout)
    page = run.stdout.decode()
    for picture in re.findall(r'(?:src|srcset)="([^"]+)"', page):
        ok((PAGES / picture).is_file(), f"{name}: the figure is there", picture)
    same(page.count("$") % 2, 0, f"{name}: formulas end")
    check_page(name, doc(name, "--dims", "T=4").stdout.decode())
same([path.name for path in stale], [], f"pages are as printed; {RENEW}")
same(sorted(path.stem for path in PAGES.glob("*.md")), sorted(specs), "a page for each spec, no other")

# --- numbers that were counted by hand: the block of 8 heads, 512 wide, over 256 tokens
page = doc("olmo2-block").stdout.decode()
C, T, F, H = 512, 256, 1408, 8
ok(f"{4*C*C + 3*C*F + 4*C:,} parameters" in page, "parameters of the block")
costs = {row[0]: row for row in rows(section(page, "Costs"))}
same(costs["matmul with weights"][2], commas(2*T*(4*C*C + 3*C*F)), "FLOPs of its weights")
same(costs["matmul of activations"][2], commas(2 * 2*T*T*C), "FLOPs of its scores")
same(costs["keys and values that a decoder keeps, in bfloat16"][1], commas(2*2*T*C), "bytes of its cache")
ok("| 12 | softmax over keys <br> `probs` | " in page, "a row as a person reads it")

# --- options
same(opfig("doc", "olmo2-block").stdout.decode().count('src="olmo2-block.svg"'), 1,
     "the figure is beside the page")
ok("Set for this page: `T=4`." in doc("olmo2-block", "--dims", "T=4").stdout.decode(),
   "what was set is said")
same(opfig("doc", "olmo2-block", "--format", "html").returncode, 2, "no other format")

# --- LaTeX: the same tables, nothing that TeX would read in its own way
for name in specs:
    text = opfig("doc", name, "--format", "latex").stdout.decode()
    page = opfig("doc", name).stdout.decode()
    ok(text.startswith("\\documentclass") and text.endswith("\\end{document}\n"), f"{name}: a document")
    tables = re.findall(r"\\begin\{longtable\}.*?\n(.*?)\\end\{longtable\}", text, re.S)
    lines = [re.split(r"(?<!\\)&", line) for table in tables for line in table.splitlines() if line.endswith(r" \\")]
    same([len(line) for line in lines], [len(cells(line)) for line in page.splitlines()
                                         if line.startswith("|") and not line.startswith("| --")],
         f"{name}: the rows and columns of the page in Markdown")
    same([text.count(sign) for sign in ("\\begin{longtable}", "\\hline\n\\end{longtable}")], [len(tables)] * 2,
         f"{name}: tables end")
    plain = re.sub(r"\$[^$]*\$|\\[A-Za-z]+|\\.", "", text[text.index("\\section*"):])
    same(re.findall(r"[_^#%~]|(?<!\\)\$", plain), [], f"{name}: no sign is TeX's")
(top / "odd.yaml").write_text((SOURCE / "spec/models/olmo2-block.yaml").read_text().replace(
    "title: One OLMo 2 block, op by op", "title: '100% & #1 of {it} \\input{x} ~^_'"))
text = opfig("doc", "odd.yaml", "--format", "latex", folder=top).stdout.decode()
ok("100\\% \\& \\#1 of \\{it\\} \\textbackslash{}input\\{x\\}" in text, "a title with TeX in it is words", text[:900])

# --- the figure is in the document whatever its name (dev/checks/all/pages.py has TeX read it), or that is an error
text = opfig("doc", "olmo1-block", "--format", "latex", "--figure", "a b_#%.pdf").stdout.decode()
line = re.search(r"^\{(\\catcode.*)\\gdef\\figurefile\{a b_#%\.pdf\}\}%$", text, re.M)
same(sorted(chr(int(sign)) for sign in re.findall(r"\\catcode(\d+)=12", line[1] if line else "")), sorted("%#&^_~ "),
     "signs of TeX are letters where the path is read")
ok("keepaspectratio]{\\figurefile}" in text, "and that path is the figure's", text[:900])
ok("keepaspectratio]{a-b.pdf}" in opfig("doc", "olmo1-block", "--format", "latex", "--figure", "a-b.pdf").stdout.decode(),
   "a plain one stands as it is")
for name in ("a$b.pdf", "a\\b.pdf", "a}.pdf", 'a".pdf', "a\nb.pdf"):
    run = opfig("doc", "olmo1-block", "--format", "latex", "--figure", name)
    ok(run.returncode == 2 and not run.stdout and b"--figure" in run.stderr, f"{name!r} is refused", run.stderr.decode())
run = opfig("doc", "olmo1-block", "--format", "latex", "--figure-dark", "d.pdf")
ok(run.returncode == 2 and b"--figure-dark is for markdown" in run.stderr, "LaTeX has one figure", run.stderr.decode())
same(opfig("doc").returncode, 2, "a spec is wanted")
(top / "out").mkdir()
(top / "wrong.yaml").write_text((SOURCE / "spec/models/olmo2-block.yaml").read_text().replace(
    "readers(v) == 1", "readers(v) == 2"))
run = opfig("doc", "wrong.yaml", folder=top)
ok(run.returncode == 1 and not run.stdout and b"claim" in run.stderr,
   "no page where a claim does not hold", run)
same(opfig("doc", "olmo3", env={"LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo"}, folder=top).stdout,
     opfig("doc", "olmo3").stdout, "the same bytes everywhere")
done()
