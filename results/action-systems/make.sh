#!/usr/bin/env bash
# Table 1 of [001] again (results/action-systems/page.md): time per mutant of the car alarm system against the constants' factor,
# beside plain enumeration and z3, and mutants of order 2. Usage: [TAMPER=BINARY] results/action-systems/make.sh [--quick]
# Needs Python with venv; z3-solver comes from PyPI.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/binary.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet z3-solver
status=0
"$folder/venv/bin/python" results/action-systems/action_systems_table.py "$tamper" "$folder" "$@" > "$folder/table.md" || status=$?
if [ "${1:-}" = "--quick" ]; then cat "$folder/table.md"; else cp "$folder/table.md" results/action-systems/page.md; fi
exit "$status"
