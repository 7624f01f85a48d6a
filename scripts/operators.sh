#!/usr/bin/env bash
# The operators beyond the six on the studies: results/operators.md. Usage: scripts/operators.sh [DIR]; times go to standard error.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-results}
cargo build --release --locked --example operators
target/release/examples/operators >"$out/operators.md.new"
mv "$out/operators.md.new" "$out/operators.md"
