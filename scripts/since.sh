#!/usr/bin/env bash
# What `classify --since` saves after one edit, on the six studies and on networks. Prints the table of results/since.md.
# Usage: scripts/since.sh > results/since.md    needs Python 3.11; TAMPER=FILE is the program [default: it is built]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/binary.sh
python3 scripts/since.py "$tamper"
