"""Adds the mutants that stand where the compiler found errors to the list of those to leave out.

Usage: unviable.py MESSAGES TREE SKIPPED; MESSAGES is what `cargo check --message-format json` printed. Exits with 0 if
there was no error, with 1 if the check is to be made again, with 2 if an error is at no mutant.
"""

import json
import re
import sys
from pathlib import Path

SWITCH = re.compile(r"__mutant\((\d+)u32\)")


def mutants_near(tree, span):
    """The mutants on the lines of a span, or on the nearest lines that have some."""
    lines = (tree / span["file_name"]).read_text().split("\n")
    for around in (0, 1, 2, 4, 8, 16):
        near = lines[max(0, span["line_start"] - 1 - around) : span["line_end"] + around]
        found = {int(number) for line in near for number in SWITCH.findall(line)}
        if found:
            return found
    return set()


def main():
    messages, tree, skipped = (Path(word) for word in sys.argv[1:])
    left_out = {int(line) for line in skipped.read_text().split()}
    errors = 0
    for line in messages.read_text().splitlines():
        entry = json.loads(line)
        if entry.get("reason") != "compiler-message" or entry["message"]["level"] != "error":
            continue
        errors += 1
        spans = [span for span in entry["message"]["spans"] if (tree / span["file_name"]).exists()]
        found = set().union(*(mutants_near(tree, span) for span in spans)) if spans else set()
        if spans and not found:
            print(entry["message"]["rendered"], file=sys.stderr)
            return 2
        left_out |= found
    skipped.write_text("".join(f"{number}\n" for number in sorted(left_out)))
    print(f"{errors} errors, {len(left_out)} mutants left out", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
