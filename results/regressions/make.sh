#!/usr/bin/env bash
# Dated regressions of published libraries (examples/regressions): what each strategy finds, beside random walks. Writes results/regressions/page.md.
# Usage: results/regressions/make.sh [--if-possible] [--only CASE,...] [--set choosing|judging] [--strategies 'NAME;...'] [--out FILE] [--jobs N]
# Needs node, npm and Python 3.11 with venv, and their package indexes. TAMPER=FILE is the program [default: it is built].
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/needs.sh
needs node npm python3
python3 -c 'import tomllib' 2> /dev/null || lacks "needs Python 3.11"
if [ -z "${TAMPER:-}" ]; then
    cargo build --release --quiet --locked --bin tamper
    TAMPER=${CARGO_TARGET_DIR:-target}/release/tamper
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 scripts/regressions.py --tamper "$TAMPER" --folder "$folder" "$@"
