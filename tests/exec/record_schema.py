# SPDX-License-Identifier: MIT
"""What our program writes is what docs/record.schema.json says, and nothing less.

A program prints digest and record; the record must be valid, each key taken out or added
must be noticed where the schema says so, and the digest must be what anybody can compute
from `facts` without us.
"""
import copy
import hashlib
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
results = []


def result(name, good):
    results.append(good)
    print(f"{'ok' if good else 'not ok'} {len(results)} - {name}")


def printed(which):
    """Digest and record as the program prints them."""
    command = sys.argv[1:] + [which]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    digest, _, record = text.partition(b"\n")
    return digest.decode(), json.loads(record)


def objects(node):
    """All objects in a record, in order."""
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    for child in node if isinstance(node, list) else []:
        yield from objects(child)


def missed(record):
    """Keys that can be taken out although every record has them."""
    op = ["step", "id", "op", "kind", "class", "mark", "label", "equation", "group",
          "attributes", "flops", "reads", "writes"]
    places = [
        (lambda r: r, ["opfig", "facts"]),
        (lambda r: r["facts"], list(record["facts"])),
        (lambda r: r["facts"]["spec"], ["name", "digest", "shipped", "text"]),
        (lambda r: r["facts"]["dims"][0], ["id", "size", "label"]),
        (lambda r: r["facts"]["values"][0], ["id", "kind", "shape", "size", "axes"]),
        (lambda r: r["facts"]["ops"][0], op),
        (lambda r: r["facts"]["ops"][0]["reads"][0], ["port", "from", "shape", "size"]),
        (lambda r: r["facts"]["ops"][0]["writes"][0], ["value", "shape", "size"]),
    ]
    for place, keys in places:
        for key in keys:
            broken = copy.deepcopy(record)
            del place(broken)[key]
            if validator.is_valid(broken):
                yield key


for which in "sample", "block":
    digest, record = printed(which)
    errors = [f"{e.json_path}: {e.message}" for e in validator.iter_errors(record)]
    for error in errors:
        print("#", error)
    result(f"{which}: the record is valid", not errors)

    compact = json.dumps(record["facts"], ensure_ascii=False, separators=(",", ":"))
    again = hashlib.sha256(compact.encode()).hexdigest()
    result(f"{which}: the digest is the SHA-256 of the compact facts", digest == again)

    keys = list(missed(record))
    for key in keys:
        print("# not missed:", key)
    result(f"{which}: each key is missed", not keys)

    if which == "sample":
        count = sum(1 for _ in objects(record))
        refused = 0
        for index in range(count):
            broken = copy.deepcopy(record)
            list(objects(broken))[index]["not a key"] = "nor a value"
            refused += not validator.is_valid(broken)
        result(f"{refused} of {count} objects refuse a foreign key", refused == count > 40)
    else:
        spec = record["facts"]["spec"]
        text = hashlib.sha256(spec["text"].encode()).hexdigest()
        result("the spec's digest is that of its text", spec["digest"] == text)
        result("24 ops were measured", len(record["measured"]["ops"]) == 24)

print(f"1..{len(results)}")
sys.exit(not all(results))
