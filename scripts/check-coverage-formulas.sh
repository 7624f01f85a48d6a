#!/usr/bin/env bash
# Is what `tamper coverage --formula` writes what it says? Random state machines and suites; z3 reads the SMT-LIB 2 and
# the DIMACS file of each, and has to answer as tamper does. Where the suite is complete, the proof is checked by tamper, and
# in DRAT by the checker rate, if there is one (cargo install rate).
# Usage: scripts/check-coverage-formulas.sh [--if-possible] [NUMBER]; TAMPER names a release binary, without it one is built.
# Needs Python with venv (z3-solver comes from PyPI).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs python3
. scripts/binary.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv" || lacks "needs Python with venv"
"$work/venv/bin/pip" install --quiet z3-solver || lacks "needs z3-solver from PyPI"
python3 scripts/check_coverage_formulas.py "$tamper" "$work" "$work/venv/bin/z3" "${1:-100}" "$(command -v rate || true)"
