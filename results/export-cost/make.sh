#!/usr/bin/env bash
# What it costs to export all second-order mutants of ACCEL: one featured mutant model against a file per mutant.
# Writes results/export-cost/page.md. Needs GNU time (/usr/bin/time) and about 10 GB of disk for the UPPAAL files.
# TAMPER names a release binary; without it one is built.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/binary.sh
model=case-studies/accel/model.xml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Which mutants there are; no game is played, so that only the export is measured.
"$tamper" classify "$model" --order 2 --static only --quiet --out "$work/run" >/dev/null
mutants=$(wc -l <"$work/run/mutants.jsonl")

# row FORMAT CONDITION WHAT LIST FIND...: one line; LIST is the file with a line per mutant, FIND selects the models.
row() {
    local format=$1 keep=$2 what=$3 list=$4
    shift 4
    /usr/bin/time -f '%e %M' -o "$work/time" \
        "$tamper" export "$model" --mutants "$work/run" --keep "$keep" --as "$format" --quiet --out "$work/out" >/dev/null
    local seconds kilobytes files bytes kept
    read -r seconds kilobytes <"$work/time"
    files=$(find "$work/out" -type f "$@" | wc -l)
    bytes=$(find "$work/out" -type f "$@" -printf '%s\n' | awk '{ sum += $1 } END { printf "%.1f", sum / 1e6 }')
    kept=$(wc -l <"$work/out/$list")
    printf '| %s | `%s` | %s | %s | %s | %s | %s |\n' \
        "$what" "$keep" "$kept" "$files" "$bytes" "$seconds" "$((kilobytes / 1024))"
    rm -rf "$work/out"
}

{
    echo "# What an export costs"
    printf '\n%s\n' "What does it cost to write all mutants of order 2 of ACCEL?" "As one featured model about a second and a megabyte, as UPPAAL files more than a minute and gigabytes."
    echo
    echo "All $mutants second-order mutants of ACCEL (sequences), from a finished run; made by \`results/export-cost/make.sh\`."
    echo "Files and their size are those of the models; each export also has an index with a line per mutant. Times are wall"
    echo "times and depend on the machine ($(nproc) cores here, not idle); sizes and memory hardly do."
    echo
    echo "| written as | \`--keep\` | mutants | files | MB | seconds | peak memory, MB |"
    echo "|---|---|---|---|---|---|---|"
    row fmm all "one featured mutant model, its feature model as UVL" index.jsonl '(' -name fmm.xml -o -name features.uvl ')'
    row fmm violates "the same, restricted" index.jsonl '(' -name fmm.xml -o -name features.uvl ')'
    row tchecker all "TChecker, a file each" index.jsonl -name '*.tck'
    row uppaal all "UPPAAL, a file each, with the original" index.jsonl -name '*.xml'
    row jsonl all "JSON lines, no models" kept.jsonl -name kept.jsonl
} >"$work/table"
mv "$work/table" results/export-cost/page.md
cat results/export-cost/page.md
