# SPDX-License-Identifier: MIT
"""What our program writes is what docs/record.schema.json says, and nothing less.

A program prints a record; it must be valid, each key taken out or added must be noticed
where the schema says so, and the digest must be what anybody can compute from `facts`.
"""
import copy
import json
import os
import subprocess
import sys

import jsonschema

root = os.environ["OPFIG_SOURCE"]
with open(os.path.join(root, "docs", "record.schema.json"), encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
text = subprocess.run(sys.argv[1:], check=True, stdout=subprocess.PIPE).stdout
record = json.loads(text)
results = []


def result(name, good):
    results.append(good)
    print(f"{'ok' if good else 'not ok'} {len(results)} - {name}")


def objects(node):
    """All objects in a record, in order."""
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else []:
        yield from objects(child)


errors = [f"{e.json_path}: {e.message}" for e in validator.iter_errors(record)]
for error in errors:
    print("#", error)
result("the record is valid", not errors)

# Every object refuses a key it does not know (but for maps by op or attribute name).
count = sum(1 for _ in objects(record))
refused = 0
for index in range(count):
    broken = copy.deepcopy(record)
    list(objects(broken))[index]["not a key"] = "nor a value"
    refused += not validator.is_valid(broken)
result(f"{refused} of {count} objects refuse a foreign key", refused == count)

# Every key that every record has is wanted.
facts = record["facts"]
missed = []
for place, wanted in [
    (lambda r: r, ["opfig", "facts"]),
    (lambda r: r["facts"], list(facts)),
    (lambda r: r["facts"]["spec"], ["name", "digest", "shipped", "text"]),
    (lambda r: r["facts"]["dims"][0], ["id", "size", "label"]),
    (lambda r: r["facts"]["values"][0], ["id", "kind", "shape", "size", "axes"]),
    (lambda r: r["facts"]["ops"][0], ["step", "id", "op", "kind", "class", "mark", "label",
                                      "equation", "group", "attributes", "flops", "reads", "writes"]),
    (lambda r: r["facts"]["ops"][0]["reads"][0], ["port", "from", "shape", "size"]),
    (lambda r: r["facts"]["ops"][0]["writes"][0], ["value", "shape", "size"]),
    (lambda r: r["facts"]["claims"][0], ["id", "say", "must", "holds", "by"]),
]:
    for key in wanted:
        broken = copy.deepcopy(record)
        del place(broken)[key]
        if validator.is_valid(broken):
            missed.append(key)
for key in missed:
    print("# not missed:", key)
result("each key is missed", not missed)
print(f"1..{len(results)}")
sys.exit(not all(results))
