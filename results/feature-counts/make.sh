#!/usr/bin/env bash
# Counts of feature models as large as the public ones: results/feature-counts/page.md. The times are this machine's.
# Needs python3 and a package index for the independent counter. Usage: results/feature-counts/make.sh [SECONDS-PER-MODEL]
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --locked --quiet
venv=target/tmp/feature-counts-venv
if [ ! -f "$venv/installed" ]; then
    rm -rf "$venv"
    mkdir -p target/tmp
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet pyganak==2.8.0
    touch "$venv/installed"
fi
{
    echo "# Products of feature models"
    printf '\n%s\n' "Are the products of feature models as large as public ones counted exactly?" "Of most of them in less than a second, and an independent counter agrees; the largest are not counted within a minute."
    echo
    echo "Made by \`results/feature-counts/make.sh\`: \`tamper features\` on look-alikes of public feature models, which have their"
    echo "numbers of features and constraints and are made up otherwise (\`results/feature-counts/feature_models.py\`), so that nothing here is"
    echo "said about the models themselves. The same clauses go to Ganak, an independent exact counter."
    echo
    python3 results/feature-counts/feature_counts.py target/tmp/feature-counts "$venv/bin/python" "${1:-60}"
} >results/feature-counts/page.md
