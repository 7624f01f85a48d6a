#!/usr/bin/env bash
# Refinement where the responder has choices, before and now: results/choices.md.
# Usage: scripts/choices.sh BEFORE [NOW], the programs to compare.
set -euo pipefail
cd "$(dirname "$0")/.."
before=$1
now=${2:-target/release/tamper}
[ $# -ge 2 ] || cargo build --release --locked
python3 scripts/choices.py "$before" "$now" results/choices.md.new
mv results/choices.md.new results/choices.md
