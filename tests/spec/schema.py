# SPDX-License-Identifier: MIT
"""spec/opfig.schema.json says what the loader says.

Every shipped spec is valid; of the wrong files in tests/errors, those that are wrong in
form are not; keys and op table are the program's own. OPFIG_BLESS=1 writes the part made
from the op table anew, and still fails.
"""
import glob
import json
import os
import re
import subprocess
import sys

import jsonschema
import yaml

root = os.environ["OPFIG_SOURCE"]
path = os.path.join(root, "spec", "opfig.schema.json")
with open(path, encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
results = []


def result(name, good, why=""):
    results.append(good)
    print(f"{'ok' if good else 'not ok'} {len(results)} - {name}")
    if why and not good:
        print(f"# {why}")


class Loader(yaml.SafeLoader):
    """YAML 1.2 as editors read it: yes and no are words, 1e-6 is a number."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("bool", r"^(?:true|false)$", "tf"),
    ("null", r"^(?:null|~|)$", ["n", "~", ""]),
    ("int", r"^-?[0-9]+$", "-0123456789"),
    ("float", r"^-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$", "-.0123456789"),
]:
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(first))
Loader.add_constructor("tag:yaml.org,2002:float",
                       lambda loader, node: float(loader.construct_scalar(node)))


def read(name):
    with open(name, encoding="utf-8") as spec:
        return yaml.load(spec, Loader)


# the part that the op table makes
table = json.loads(subprocess.run(sys.argv[1:], check=True, stdout=subprocess.PIPE).stdout)
op = schema["definitions"]["op"]
own = [key for key in op["properties"]]
for choice in table["allOf"]:
    attributes = list(choice["then"]["properties"])
    choice["then"]["propertyNames"] = {"enum": own + attributes}
fresh = (op["properties"]["op"].get("enum") == table["enum"]
         and op["properties"]["op"].get("enumDescriptions") == table["enumDescriptions"]
         and op.get("allOf") == table["allOf"])
result("ops and attributes are those of the table", fresh,
       "renew them with OPFIG_BLESS=1 meson test -C build schema")
if not fresh and os.environ.get("OPFIG_BLESS"):
    op["properties"]["op"]["enum"] = table["enum"]
    op["properties"]["op"]["enumDescriptions"] = table["enumDescriptions"]
    op["allOf"] = table["allOf"]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(schema, file, indent=2, ensure_ascii=False)
        file.write("\n")

validator = jsonschema.Draft7Validator(schema)
for name in sorted(glob.glob(os.path.join(root, "spec", "models", "*.yaml"))):
    errors = [f"{list(e.absolute_path)}: {e.message}" for e in validator.iter_errors(read(name))]
    result(f"{os.path.basename(name)} is valid", not errors, "; ".join(errors))

# what is wrong in form, and what only a loader can see
errors = os.path.join(root, "tests", "errors")
form = """attribute-missing attribute-word dim-list dim-no-is id-missing
    in-missing join-no-axis key-missing key-of-dim-unknown key-of-op-unknown key-unknown
    keys-missing label-empty mark-unknown name-bad not-a-map note-colon op-list op-missing
    op-unknown op-unknown-no-idea outputs-empty output-twice axes-same several version
    weight-checkpoint weight-init weight-no-shape group-no-ops id-bad bare-values rank
    repeat-no-index repeat-index-alone preset-dims-list table-name-list""".split()
for name in form:
    result(f"{name} is refused",
           not validator.is_valid(read(os.path.join(errors, name + ".yaml"))))
meaning = """value-unknown read-before-written written-twice weight-wrong-shape dim-not-whole
    dim-unknown weight-unused value-unread label-shared repeat-once
    block-input-late preset-unknown-dim table-unknown table-op-unknown preset-unknown-constant""".split()
for name in meaning:
    result(f"{name} is a matter of the loader",
           validator.is_valid(read(os.path.join(errors, name + ".yaml"))))

# the loader prints its keys when one is unknown: they are the schema's
definitions = schema["definitions"]
for name, where in [
    ("key-unknown", schema), ("key-of-dim-unknown", definitions["dim"]),
    ("key-of-constant-unknown", definitions["constant"]),
    ("key-of-input-unknown", definitions["input"]),
    ("key-of-weight-unknown", definitions["weight"]),
    ("key-of-group-unknown", definitions["group"]),
    ("key-of-result-unknown", definitions["result"]["anyOf"][1]),
    ("key-of-import-unknown", definitions["import"]),
    ("key-of-claim-unknown", definitions["claim"]),
    ("key-of-preset-unknown", definitions["preset"]),
    ("key-of-op-unknown", definitions["op"]),
]:
    with open(os.path.join(errors, name + ".txt"), encoding="utf-8") as file:
        keys = set(re.search(r"its keys are (.*)", file.read()).group(1).split(", "))
    if name == "key-of-op-unknown":
        keys -= {"transpose", "scale"}  # of matmul, which the file uses
    result(f"the keys of {name} are the program's", keys == set(where["properties"]),
           str(keys ^ set(where["properties"])))

print(f"1..{len(results)}")
sys.exit(0 if all(results) else 1)
