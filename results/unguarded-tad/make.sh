#!/usr/bin/env bash
# TAD with and without a guard on the edge that it adds: unguarded-tad/page.md of the folder given (results/).
# Usage: results/unguarded-tad/make.sh [DIR]; TAMPER names a release binary, without it one is built. Nothing depends on the machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/needs.sh
needs python3
. scripts/binary.sh
out=${1:-results}/unguarded-tad
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for semantics in tiga strict definition; do
    for study in cas coffee accel hotel wfas mutex; do
        for guard in first-edge none; do
            # Every game is played, so that a guideline that is wrong would be named.
            "$tamper" classify "case-studies/$study/model.xml" --operators TAD --tad-guard "$guard" --semantics "$semantics" \
                --static off --quiet --format json --out "$work/run" >"$work/$semantics-$study-$guard.json"
        done
    done
done
python3 - "$work" >"$out/page.md.new" <<'PAGE'
import json
import sys
from pathlib import Path

STUDIES = ["cas", "coffee", "accel", "hotel", "wfas", "mutex"]
READINGS = ["tiga", "strict", "definition"]


def counts(reading, study, guard):
    read = json.loads(Path(sys.argv[1], f"{reading}-{study}-{guard}.json").read_text())
    assert read["unsound"] == 0 and read["total"]["unknown"] == 0
    total = read["total"]
    return [total["total"], total["subsumed"] + total["inconsistent"], total["violating"]]


def ratio(named, bad):
    return f"{100 * named / bad:.1f} %" if bad else "-"


def row(reading, name, with_guard, without):
    mutants, bad, named = with_guard
    cells = [reading, name, mutants, bad, named, ratio(named, bad), without[1], without[2], ratio(without[2], without[1])]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


lines, sums = [], {}
for reading in READINGS:
    both = [[counts(reading, study, guard) for study in STUDIES] for guard in ("first-edge", "none")]
    lines += [row(reading, study.upper(), *pair) for study, *pair in zip(STUDIES, *both)]
    sums[reading] = [[sum(column) for column in zip(*rows)] for rows in both]
    lines.append(row(reading, "all", *sums[reading]))
mutants, bad, named = sums["tiga"][0]
_, bad_without, named_without = sums["tiga"][1]
print("# TAD without a guard\n")
print("Are fewer useless mutants missed by the guidelines if the edge that TAD adds has no guard ([003] section 5.5)?\n")
print(
    f"In the reading of the published experiments (tiga) the {mutants} TAD mutants of the six studies have {bad} useless ones with the guard of the file's first edge, "
    f"of which the guidelines miss {bad - named}, and {bad_without} without a guard, of which they miss {bad_without - named_without}.\n"
)
print("Made by `results/unguarded-tad/make.sh`; one cell is `tamper classify MODEL --operators TAD --mutation tad-guard=first-edge|none --static off`.\n")
print("Useless: subsumed or inconsistent, by the game. Violating: named by a guideline; none of these is non-subsumed. Ratio: violating / useless.\n")
print(
    "Without the guard of the first edge an added edge has no reset of it either. An output that tiga ignores and that resets nothing changes nothing on a loop: so four loops "
    "of COFFEE are useless only without.\n"
)
print("| semantics | study | mutants | useless, guarded | violating | ratio | useless, unguarded | violating | ratio |")
print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
print("\n".join(lines))
PAGE
mv "$out/page.md.new" "$out/page.md"
