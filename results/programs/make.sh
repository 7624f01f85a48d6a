#!/usr/bin/env bash
# Seeded faults of the lamp, the washing machine and random programs: what suites with and without refusals, linger, later delays and rounds find.
# Writes results/programs/page.md. Usage: results/programs/make.sh [PROGRAMS [SEEDS]]    needs Python 3.11
# TAMPER=FILE and LAMP=FILE are the programs [default: they are built].
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/needs.sh
needs python3
if [ -z "${TAMPER:-}" ]; then
    cargo build --release --quiet --locked -p tamper -p lamp --bins
    TAMPER=${CARGO_TARGET_DIR:-target}/release/tamper LAMP=${CARGO_TARGET_DIR:-target}/release/lamp
fi
python3 results/programs/seeded_faults.py "$TAMPER" "$LAMP" "$@" > results/programs/page.md.new
mv results/programs/page.md.new results/programs/page.md
