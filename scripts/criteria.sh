#!/usr/bin/env bash
# Suites of structural criteria beside suites of mutants: criteria.md of the folder given (results/).
# Usage: scripts/criteria.sh [DIR]; TAMPER names a release binary, without it one is built. Nothing depends on the machine.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs python3
. scripts/binary.sh
out=${1:-results}
python3 scripts/criteria.py "$tamper" >"$out/criteria.md.new"
mv "$out/criteria.md.new" "$out/criteria.md"
