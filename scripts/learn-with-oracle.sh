#!/usr/bin/env bash
# AALpy learns state machines and asks tamper: exactly, by tests for mutants, or its own random words. Needs Python and a package index (aalpy).
# usage: learn-with-oracle.sh [--if-possible] [--check | OPTIONS of learn_with_oracle.py]
#   --check: a few small machines, whose results are only checked; otherwise results/learning/page.md is written (a few minutes)
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
[ "${1:-}" = --if-possible ] && shift
needs python3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv" && "$dir/venv/bin/pip" install --quiet aalpy==2.0.0 > "$dir/pip.txt" 2>&1 || lacks "aalpy cannot be installed"
cargo build --release --quiet --locked --bins
if [ "${1:-}" = --check ]; then
    PYTHONHASHSEED=0 "$dir/venv/bin/python" scripts/learn_with_oracle.py target/release/tamper --check
else
    PYTHONHASHSEED=0 "$dir/venv/bin/python" scripts/learn_with_oracle.py target/release/tamper --out results/learning/page.md "$@"
fi
