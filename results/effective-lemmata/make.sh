#!/usr/bin/env bash
# Lemmata 8 to 14 of [003], as printed and as needed, on the six studies and on all small games: effective-lemmata/page.md of the folder given (results/).
# Usage: results/effective-lemmata/make.sh [DIR]
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-results}/effective-lemmata
mkdir -p "$out"
cargo build --release --locked --example effective_lemmas
target/release/examples/effective_lemmas >"$out/page.md.new"
mv "$out/page.md.new" "$out/page.md"
