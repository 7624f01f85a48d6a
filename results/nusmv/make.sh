#!/usr/bin/env bash
# What NuSMV says of models, trap properties, words and modules, beside what tamper says: nusmv/page.md of the folder given (results/).
# Usage: NUSMV=PROGRAM results/nusmv/make.sh [DIR]; TAMPER names a release binary, without it one is built. NuSMV 2.6 is built from its sources.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/needs.sh
needs python3 "${NUSMV:=NuSMV}"
. scripts/binary.sh
out=${1:-results}/nusmv
mkdir -p "$out"
python3 results/nusmv/nusmv.py "$tamper" "$(command -v "$NUSMV")" >"$out/page.md.new"
mv "$out/page.md.new" "$out/page.md"
# Random expressions of words, files with modules, and trap properties.
TAMPER_NUSMV=$(command -v "$NUSMV") cargo test --release --locked -p tamper-systems --test systems -- words modules traps
