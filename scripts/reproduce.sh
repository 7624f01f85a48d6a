#!/usr/bin/env bash
# Makes every file that stands in results/ itself, its tables and figures anew from a clean clone: all six studies, both orders, both readings of refinement,
# and the choices left open by the CAS model. `scripts/reproduce.sh DIR` writes to DIR instead.
set -euo pipefail
cd "$(dirname "$0")/.."
out="${1:-results}"
cargo build --release --locked --bin tamper --example cas_choices
target/release/tamper reproduce --out "$out"
target/release/examples/cas_choices >"$out/cas-choices.md.new"
mv "$out/cas-choices.md.new" "$out/cas-choices.md"
