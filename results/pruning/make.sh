#!/usr/bin/env bash
# What is saved by leaving mutants out before tests are looked for: results/pruning/page.md. Fails where suites of two levels differ in what they kill.
# Usage: results/pruning/make.sh [MODEL...]    needs Python 3.11; TAMPER=FILE is the program [default: it is built]; with names, e.g. MUTEX: only these, printed
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/binary.sh
page=$(mktemp)
trap 'rm -f "$page"' EXIT
python3 -B results/pruning/pruning.py "$tamper" "$@" >"$page"
if [ $# -gt 0 ]; then cat "$page"; else cp "$page" results/pruning/page.md; fi
