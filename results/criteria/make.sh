#!/usr/bin/env bash
# Suites of structural criteria beside suites of mutants: criteria/page.md of the folder given (results/).
# Usage: results/criteria/make.sh [DIR]; TAMPER names a release binary, without it one is built. Nothing depends on the machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/needs.sh
needs python3
. scripts/binary.sh
out=${1:-results}/criteria
mkdir -p "$out"
python3 results/criteria/criteria.py "$tamper" >"$out/page.md.new"
mv "$out/page.md.new" "$out/page.md"
