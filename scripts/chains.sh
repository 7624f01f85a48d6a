#!/usr/bin/env bash
# Tests along chains of definitions and uses beside shortest tests: chains.md of the folder given (results/).
# Usage: scripts/chains.sh [DIR]; TAMPER names a release binary, without it one is built. Only the seconds depend on the machine.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs python3
. scripts/binary.sh
out=${1:-results}
python3 scripts/chains.py "$tamper" >"$out/chains.md.new"
mv "$out/chains.md.new" "$out/chains.md"
