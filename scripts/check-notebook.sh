#!/usr/bin/env bash
# Executes examples/notebook.ipynb; with FILE, leaves it there with its figures (as HTML). Needs Python and a package index.
# usage: check-notebook.sh [--if-possible] [FILE]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs python3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv" && "$dir/venv/bin/pip" install --quiet nbconvert ipykernel pandas matplotlib > "$dir/pip.txt" 2>&1 \
    || lacks "nbconvert, ipykernel, pandas and matplotlib cannot be installed"
TAMPER=$(realpath "${TAMPER:-target/release/tamper}")
export TAMPER
PATH="$dir/venv/bin:$PATH" "$dir/venv/bin/jupyter-nbconvert" --to html --execute --ExecutePreprocessor.kernel_name=python3 \
    --output-dir "$dir" --output notebook examples/notebook.ipynb 2> "$dir/log" || { tail -n 20 "$dir/log"; exit 1; }
[ $# = 0 ] || cp "$dir/notebook.html" "$1"
echo "check-notebook: executed, $(grep -c 'image/png' "$dir/notebook.html") figures"
