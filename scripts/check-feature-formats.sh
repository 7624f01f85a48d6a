#!/bin/sh
# Checks the feature-model files that tamper writes with independent parsers from PyPI: uvlparser and uvllang (the UVL
# grammars), flamapy (UVL, FeatureIDE, product counts by its own BDD), python-sat (DIMACS).
# Usage: scripts/check-feature-formats.sh [--if-possible]
# Needs python3 and a package index, and takes less than a minute; with --if-possible it says so and is content where it
# cannot install them.
set -eu
cd "$(dirname "$0")/.."
if_possible=no
if [ "${1:-}" = --if-possible ]; then
    if_possible=yes
    shift
fi
folder=target/tmp/feature-formats
venv=target/tmp/feature-formats-venv
# The mark is made last: an installation that was interrupted is made again.
if [ ! -f "$venv/installed" ]; then
    rm -rf "$venv"
    mkdir -p target/tmp
    if ! { python3 -m venv "$venv" &&
        "$venv/bin/pip" install --quiet --retries 1 --timeout 20 uvlparser==2.5.0 uvllang==0.4.1 flamapy==2.6.0; }; then
        echo "NOT CHECKED: the independent parsers cannot be installed here" >&2
        [ $if_possible = yes ]
        exit
    fi
    touch "$venv/installed"
fi
cargo test --release --quiet --locked --test all feature_formats::models_of_mutants >/dev/null
"$venv/bin/python" scripts/check_feature_formats.py "$folder" "$@"
