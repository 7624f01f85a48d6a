#!/usr/bin/env python3
"""Counts look-alikes of public feature models with tamper and with Ganak (PyPI: pyganak), and prints a Markdown table.

usage: feature_counts.py FOLDER PYTHON-WITH-PYGANAK SECONDS
"""
import json
import subprocess
import sys
from pathlib import Path

# What several pages share.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from feature_models import LIKE, Model  # noqa: E402
from measured import measured  # noqa: E402

# Clauses with a variable per feature and auxiliary ones that the features determine: as many solutions as products.
GANAK = """
import sys
from pyganak import Counter
lines = [line.split() for line in open(sys.argv[1]) if line[0] not in "cp"]
n = next(int(line.split()[2]) for line in open(sys.argv[1]) if line[0] == "p")
counter = Counter()
counter.new_vars(n)
counter.add_clauses([[int(word) for word in words[:-1]] for words in lines])
print(counter.count())
"""


def main():
    folder, python, seconds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    tamper = "target/release/tamper"
    print("| like | features | constraints | products | s | s CPU | MiB | Ganak, s CPU | the same |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|---|")
    wrong = False
    for name in LIKE:
        model, clauses = folder / f"{name}.uvl", folder / f"{name}.dimacs"
        model.write_text(Model(name).uvl())
        run = measured([tamper, "features", model, "--format", "json", "--timeout", str(seconds)], seconds + 60)
        facts = json.loads(run.out)
        count = facts["products"]
        subprocess.run([tamper, "features", model, "--out", clauses], check=True, stdout=subprocess.DEVNULL)
        other = measured([python, "-c", GANAK, clauses], seconds)
        counted = other.code == 0
        same = "" if not counted or count is None else ("yes" if other.out.strip() == count else "**NO**")
        wrong |= same == "**NO**"
        shown = facts["unknown"] if count is None else count if len(count) < 12 else f"{count[0]}.{count[1:4]}e{len(count) - 1}"
        theirs = f"{other.cpu:.1f}" if counted else f"not within {seconds} s"
        cells = [name, facts["features"], facts["constraints"], shown, f"{run.wall:.1f}", f"{run.cpu:.1f}", run.mebibytes, theirs, same]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
