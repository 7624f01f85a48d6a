#!/usr/bin/env bash
# Tests along chains of definitions and uses beside shortest tests: chains/page.md of the folder given (results/).
# Usage: results/chains/make.sh [DIR]; TAMPER names a release binary, without it one is built. Only the seconds depend on the machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/needs.sh
needs python3
. scripts/binary.sh
out=${1:-results}/chains
mkdir -p "$out"
python3 results/chains/chains.py "$tamper" >"$out/page.md.new"
mv "$out/page.md.new" "$out/page.md"
