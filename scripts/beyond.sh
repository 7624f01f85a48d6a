#!/usr/bin/env bash
# Makes anew what results/beyond.md and the notes quote, beside what scripts/reproduce.sh makes: the extended
# guidelines, Lemmata 8 to 14, the composition of violations and the sizes of featured mutant models, on the six studies
# and on all small games.
# Usage: scripts/beyond.sh [DIR]; every mutant of both orders is decided several times: tens of minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
out="${1:-results}"
mkdir -p "$out"
cargo build --release --locked --example effective_lemmas --example composition --example fmm_sizes
for page in effective_lemmas:effective-lemmata composition:composition fmm_sizes:fmm-sizes; do
    "target/release/examples/${page%:*}" >"$out/${page#*:}.md.new"
    mv "$out/${page#*:}.md.new" "$out/${page#*:}.md"
done
scripts/extended.sh "$out"
