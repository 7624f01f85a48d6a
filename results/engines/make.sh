#!/usr/bin/env bash
# Prints the table of results/engines/page.md: both engines on random games with 1 to 10 clocks.
# Usage: results/engines/make.sh [GAMES PER SIZE [CLOCKS...]]; TAMPER names a release binary, without it one is built. Needs python3.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/binary.sh
TAMPER=$tamper python3 results/engines/engines.py "$@"
