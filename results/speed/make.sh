#!/usr/bin/env bash
# Writes results/speed/page.md: the enumerative and the family engine side by side on every study at orders 1 and 2, with 1 and 2
# threads; what decided and how many states were explored; how the time grows with the constants, the order (to 3) and the model.
# Records of both engines are compared byte by byte. Needs python3. About five minutes on a quiet machine; most of them are the
# enumerative engine's.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --locked --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 results/speed/speed.py "$PWD/target/release/tamper" "$work" >"$work/speed.md"
mkdir -p results
mv "$work/speed.md" results/speed/page.md
