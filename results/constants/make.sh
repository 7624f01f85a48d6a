#!/usr/bin/env bash
# Two constants that change together, on the six studies: constants/page.md of the folder given (results/).
# Usage: results/constants/make.sh [DIR]; TAMPER names a binary, without it a release binary is built. Nothing depends on the machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/needs.sh
needs python3
. scripts/binary.sh
out=${1:-results}/constants
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for semantics in strict definition; do
    # The largest constant and two more; of CAS and ACCEL, which have 300 and 250, as far as a minute goes.
    for study in cas=22 coffee=12 accel=27 hotel=12 wfas=11 mutex=6; do
        "$tamper" classify "case-studies/${study%=*}/model.xml" --semantics $semantics --all-constants="${study#*=}" --order 2 \
            --quiet --format json >"$work/$semantics-${study%=*}.json"
    done
done
python3 - "$work" >"$out/page.md.new" <<'PAGE'
import json
import sys
from itertools import product
from pathlib import Path

lines, sums, only = [], [0, 0, 0, 0], {"strict": 0, "definition": 0}
for semantics in ["strict", "definition"]:
    for study in ["cas", "coffee", "accel", "hotel", "wfas", "mutex"]:
        read = json.loads(Path(sys.argv[1], f"{semantics}-{study}.json").read_text())
        worth, counts = {}, [0, 0, 0, 0]
        for pair in read["joint"]:
            for box in pair["boxes"]:
                assert box["verdict"] != "unknown"
                for point in product(*(range(a, b + 1) for a, b in zip(box["from"], box["to"]))):
                    worth[point] = box["verdict"] == "non-subsumed"
            own = pair["constants"]
            if max(own) > read["last"]:
                continue
            for (a, b), together in worth.items():
                if a != own[0] and b != own[1]:
                    alone = worth[a, own[1]] + worth[own[0], b]
                    counts[0] += 1
                    counts[1] += together and alone == 0
                    counts[2] += not together and alone == 2
                    counts[3] += not together and alone == 1
        only[semantics] += counts[1]
        sums = [a + b for a, b in zip(sums, counts)]
        boxes = sum(len(pair["boxes"]) for pair in read["joint"])
        games = len(read["joint"]) * (read["last"] + 1) ** 2
        cells = [semantics, study.upper(), len(read["joint"]), read["last"], games, boxes, *counts]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
print("# Two constants that change together\n")
print("Is a pair of changed constants worth a test where neither change is, and do two changes hide each other ([003] section 5.5)?\n")
print(
    f"Of {sums[0]} pairs of changes {sums[1]} are worth a test although neither alone is ({only['strict']} with pruning, {only['definition']} by Definition 7 without), in {sums[2]} two changes that are worth a test alone make a useless mutant, "
    f"and in {sums[3]} the useless one hides the other.\n"
)
print("Made by `results/constants/make.sh`; one row is `tamper classify MODEL --all-constants=LAST --order 2`.\n")
print("*Games*: each pair of constraints with each pair of constants from 0 to LAST, decided one by one. *Boxes*: rectangles of constants with one verdict, which hold them all.")
print("*Changes*: games in which both constants differ from the model's, where the model's are up to LAST. Useless: subsumed or inconsistent.\n")
print("| semantics | study | pairs | LAST | games | boxes | changes | worth a test only together | hide each other | useless one hides the other |")
print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")
print("\n".join(lines))
PAGE
mv "$out/page.md.new" "$out/page.md"
