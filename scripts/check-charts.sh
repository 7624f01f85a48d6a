#!/bin/sh
# Checks that machine configurations of XState mean what xstate itself does: random charts and scripts (scripts/charts.js) run by xstate under
# an exact clock, and as games of tamper by plain code.
# Usage: scripts/check-charts.sh [--if-possible] [SEED [CASES]]
# Needs node and npm, and takes less than a minute; with --if-possible it says so and is content where it cannot install xstate.
set -eu
cd "$(dirname "$0")/.."
if_possible=no
if [ "${1:-}" = --if-possible ]; then
    if_possible=yes
    shift
fi
folder=target/tmp/charts
if [ ! -f "$folder/installed" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    if ! npm install --silent --no-audit --no-fund --fetch-retries 1 --prefix "$folder" xstate@5.33.3 >/dev/null 2>&1; then
        echo "NOT CHECKED: xstate cannot be installed here" >&2
        [ $if_possible = yes ]
        exit
    fi
    touch "$folder/installed"
fi
NODE_PATH="$folder/node_modules" node scripts/charts.js "${1:-1}" "${2:-400}" >"$folder/cases"
if ! TAMPER_CHARTS="$PWD/$folder/cases" cargo test --release --quiet --locked -p tamper-interchange --lib xstate::tests::random -- --nocapture \
    >"$folder/said" 2>&1; then
    cat "$folder/said" >&2
    exit 1
fi
grep ' same, ' "$folder/said"
