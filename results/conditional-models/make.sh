#!/usr/bin/env bash
# The columns of Tables 3 and 4 of [004] for our models: results/conditional-models/page.md from `<!-- tables -->` on.
# Usage: results/conditional-models/make.sh
#        results/conditional-models/make.sh --verilog               also makes the BTOR2 files anew from the Verilog (needs yosys)
#        results/conditional-models/make.sh --mchyper MAIN AIGTOAIG also asks MCHyper (its binary, aigtoaig, and berkeley-abc)
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet --bin tamper
tamper="${CARGO_TARGET_DIR:-target}/release/tamper"
if [ "${1:-}" = --verilog ]; then
  for design in case-studies/untimed/verilog/*.v; do
    # The clock is what steps are.
    yosys -q -p "read_verilog $design; prep -top top; write_btor -" | grep -v ' input [0-9]* clk' > "${design%.v}.btor2"
  done
fi
page=results/conditional-models/page.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT
if [ "${1:-}" = --mchyper ]; then
  sed '/^<!-- mchyper -->$/q' "$page" > "$new"
  { echo; python3 results/conditional-models/conditional_models.py "$tamper" "$2" "$3"; } >> "$new"
else
  sed '/^<!-- tables -->$/q' "$page" > "$new"
  { echo; python3 results/conditional-models/conditional_models.py "$tamper"; sed -n '/^## MCHyper$/,$p' "$page"; } >> "$new"
fi
cp "$new" "$page"
