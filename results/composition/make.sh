#!/usr/bin/env bash
# The composition of violations on the six studies and on all small games: composition/page.md of the folder given (results/).
# Usage: results/composition/make.sh [DIR]
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-results}/composition
mkdir -p "$out"
cargo build --release --locked --example composition
target/release/examples/composition >"$out/page.md.new"
mv "$out/page.md.new" "$out/page.md"
