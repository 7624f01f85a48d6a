#!/usr/bin/env bash
# The operators beyond the six on the studies: results/operators/page.md. Usage: results/operators/make.sh [DIR]; times go to standard error.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-results}/operators
mkdir -p "$out"
cargo build --release --locked --example operators
target/release/examples/operators >"$out/page.md.new"
mv "$out/page.md.new" "$out/page.md"
