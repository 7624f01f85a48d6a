#!/usr/bin/env bash
# The sizes of featured mutant models beside those of all mutants one by one: fmm-sizes/page.md of the folder given (results/).
# Usage: results/fmm-sizes/make.sh [DIR]
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-results}/fmm-sizes
mkdir -p "$out"
cargo build --release --locked --example fmm_sizes
target/release/examples/fmm_sizes >"$out/page.md.new"
mv "$out/page.md.new" "$out/page.md"
