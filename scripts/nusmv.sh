#!/usr/bin/env bash
# What NuSMV says of models, trap properties, words and modules, beside what tamper says: nusmv.md of the folder given (results/).
# Usage: NUSMV=PROGRAM scripts/nusmv.sh [DIR]; TAMPER names a release binary, without it one is built. NuSMV 2.6 is built from its sources.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs python3 "${NUSMV:=NuSMV}"
. scripts/binary.sh
out=${1:-results}
python3 scripts/nusmv.py "$tamper" "$(command -v "$NUSMV")" >"$out/nusmv.md.new"
mv "$out/nusmv.md.new" "$out/nusmv.md"
# Random expressions of words, files with modules, and trap properties.
TAMPER_NUSMV=$(command -v "$NUSMV") cargo test --release --locked -p tamper-systems --test systems -- words modules traps
