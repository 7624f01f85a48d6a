#!/usr/bin/env bash
# Makes anew what results/beyond/page.md and the notes quote, beside what scripts/reproduce.sh makes: the extended
# guidelines, Lemmata 8 to 14, the composition of violations and the sizes of featured mutant models, on the six studies
# and on all small games.
# Usage: results/beyond/make.sh [DIR]; every mutant of both orders is decided several times: tens of minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
out="${1:-results}"
for page in effective-lemmata composition fmm-sizes extended; do
    "results/$page/make.sh" "$out"
done
