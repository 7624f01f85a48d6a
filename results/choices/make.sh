#!/usr/bin/env bash
# Refinement where the responder has choices, before and now: results/choices/page.md.
# Usage: results/choices/make.sh BEFORE [NOW], the programs to compare.
set -euo pipefail
cd "$(dirname "$0")/../.."
before=$1
now=${2:-target/release/tamper}
[ $# -ge 2 ] || cargo build --release --locked
python3 results/choices/choices.py "$before" "$now" results/choices/page.md.new
mv results/choices/page.md.new results/choices/page.md
