#!/bin/sh
# Checks the feature-model files that tamper writes with independent parsers from PyPI: uvlparser and uvllang (the UVL
# grammars), flamapy (UVL, FeatureIDE, product counts by its own BDD), python-sat (DIMACS).
# Usage: scripts/check-feature-formats.sh   needs python3 and a package index; takes about a minute.
set -eu
cd "$(dirname "$0")/.."
folder=target/tmp/feature-formats
cargo test --quiet --test feature_formats models_of_mutants >/dev/null
venv=target/tmp/feature-formats-venv
if [ ! -x "$venv/bin/python" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet uvlparser==2.5.0 uvllang==0.4.1 flamapy==2.6.0
fi
"$venv/bin/python" scripts/check_feature_formats.py "$folder" "$@"
