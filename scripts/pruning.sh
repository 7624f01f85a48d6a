#!/usr/bin/env bash
# What is saved by leaving mutants out before tests are looked for: results/pruning.md. Fails where suites of two levels differ in what they kill.
# Usage: scripts/pruning.sh [MODEL...]    needs Python 3.11; TAMPER=FILE is the program [default: it is built]; with names, e.g. MUTEX: only these, printed
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/binary.sh
page=$(mktemp)
trap 'rm -f "$page"' EXIT
python3 -B scripts/pruning.py "$tamper" "$@" >"$page"
if [ $# -gt 0 ]; then cat "$page"; else cp "$page" results/pruning.md; fi
