#!/usr/bin/env bash
# Conditional mutants ([004]): the tables of results/conditional-tables/page.md, and solvers beside tamper's answers.
# Usage: results/conditional-tables/make.sh [LAST_CAPACITY [SECONDS]]
# Needs Python with venv (z3-solver comes from PyPI), and yosys and berkeley-abc (both are Debian packages).
set -euo pipefail
cd "$(dirname "$0")/../.."
for tool in yosys berkeley-abc; do command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install yosys berkeley-abc" >&2; exit 2; }; done
cargo build --release --quiet --bin tamper
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet z3-solver
status=0
{
  echo "# Conditional mutants: tables, and what solvers say"
  printf '\n%s\n' "How surely are the mutants of SMV models and circuits killed, and do solvers agree?" "Most of those that can be killed are killed blindly, and no solver disagrees."
  echo
  echo "Made by \`results/conditional-tables/make.sh\`; \`results/conditional/page.md\` says what the verdicts mean."
  echo
  python3 results/conditional-tables/conditional_tables.py "${CARGO_TARGET_DIR:-target}/release/tamper" "$folder" "$folder/venv/bin/z3" "${1:-1000}" "${2:-10}" || status=$?
} > "$folder/tables.md"
cp "$folder/tables.md" results/conditional-tables/page.md
exit "$status"
