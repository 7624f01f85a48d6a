#!/usr/bin/env bash
# What the house measures itself by, per room: files, lines of code and functions that take tuples; then long functions,
# types against their names, short doc comments and exports that nobody uses. Needs Python 3.
#
# Usage: scripts/lines.sh [REVISION]     without one: the files as they are
set -euo pipefail
cd "$(dirname "$0")/.."
count=$PWD/scripts/lines.py
if [ $# -gt 0 ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    git archive "$1" | tar -x -C "$folder"
    cd "$folder"
fi
python3 "$count"
