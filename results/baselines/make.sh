#!/usr/bin/env bash
# Suites that know nothing of the mutants beside those made for them: results/baselines/page.md.
# Usage: [TAMPER=BINARY] results/baselines/make.sh; nothing depends on the machine it runs on.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/binary.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 results/baselines/baselines.py "$tamper" "$folder" >"$folder/page.md"
cp "$folder/page.md" results/baselines/page.md
