"""Holds the JSON files of a folder, `command-what.json`, against docs/schemas; every command of tamper has a schema, or prints none."""
import collections
import json
import pathlib
import re
import subprocess
import sys

import jsonschema

folder, tamper = pathlib.Path(sys.argv[1]), sys.argv[2]
schemas = {path.name.split(".")[0]: json.loads(path.read_text()) for path in pathlib.Path("docs/schemas").glob("*.schema.json")}
PRINT_NONE = {"draw", "open", "oracle", "project", "report", "reproduce", "completions", "man", "new-adapter", "help"}

for name, schema in schemas.items():
    jsonschema.Draft202012Validator.check_schema(schema)


def names(value, where):
    """The names of fields that the schema itself lists: one style."""
    if isinstance(value, dict):
        for name in value.get("properties", {}) if isinstance(value.get("properties"), dict) else ():
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                sys.exit(f"{where}: `{name}` is not in snake_case")
        for inner in value.values():
            names(inner, where)
    elif isinstance(value, list):
        for inner in value:
            names(inner, where)


for name, schema in schemas.items():
    names(schema, name)
checked, wrong = collections.Counter(), 0
for path in sorted(folder.glob("*.json")):
    command = path.name[: -len(".json")].split("-")[0]
    command = {"share": "classify"}.get(command, command)
    if command not in schemas or '"format": "tamper-suite"' in path.read_text()[:200]:
        continue
    errors = list(jsonschema.Draft202012Validator(schemas[command]).iter_errors(json.loads(path.read_text())))
    for error in errors:
        wrong += 1
        best = jsonschema.exceptions.best_match([error])
        print(f"{path.name}: {'/'.join(map(str, best.absolute_path))}: {best.message[:300]}")
    checked[command] += 1
text = subprocess.run([tamper, "--help"], capture_output=True, encoding="utf-8").stdout
commands = set(re.findall(r"^  ([a-z-]+) {2,}\w", text.split("Usage:")[1].split("\nOptions:")[0], re.M))
for command in sorted(commands - PRINT_NONE):
    if not checked[command]:
        wrong += 1
        print(f"nothing was checked of `{command}`")
print(", ".join(f"{command} {n}" for command, n in sorted(checked.items())))
if wrong:
    sys.exit(f"{wrong} outputs are not what docs/schemas says")
print("check-json-schemas: every output is what its schema says")
