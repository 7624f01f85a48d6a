#!/usr/bin/env bash
# Suites that know nothing of the mutants beside those made for them: results/baselines.md.
# Usage: [TAMPER=BINARY] scripts/baselines.sh; nothing depends on the machine it runs on.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/binary.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 scripts/baselines.py "$tamper" "$folder" >"$folder/page.md"
cp "$folder/page.md" results/baselines.md
