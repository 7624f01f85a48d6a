#!/usr/bin/env bash
# Checks that machine configurations mean what xstate 5 and xstate 4 do: random charts and scripts (scripts/charts.js) run by xstate under
# an exact clock, and as games of tamper by plain code. Then the same for SCXML charts with delays (scripts/scxml-charts.js), by plain code of
# the standard's algorithm; where SCION can be installed, how often it shows the same outputs is said, too.
# Usage: scripts/check-charts.sh [--if-possible] [SEED [CASES]]
# Needs node and npm, and takes less than a minute; with --if-possible it says so and is content where it cannot install xstate.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs node npm
folder=target/tmp/charts
if [ ! -d "$folder/node_modules/xstate4" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    if ! npm install --silent --no-audit --no-fund --fetch-retries 1 --prefix "$folder" xstate@5.33.3 xstate4@npm:xstate@4.38.3 >/dev/null 2>&1; then
        lacks "xstate cannot be installed here"
    fi
fi
for version in 5 4; do
    NODE_PATH="$folder/node_modules" node scripts/charts.js "${1:-1}" "${2:-400}" "$version" >"$folder/cases"
    if ! TAMPER_CHARTS="$PWD/$folder/cases" cargo test --release --quiet --locked -p tamper-interchange --lib charts::tests::xstate::random \
        -- --nocapture >"$folder/said" 2>&1; then
        cat "$folder/said" >&2
        exit 1
    fi
    echo "xstate $version: $(grep -E ' same, |with a mistake' "$folder/said")"
done

echo "SCXML with delays"
if [ ! -f "$folder/scion-installed" ] \
    && npm install --silent --no-audit --no-fund --fetch-retries 1 --prefix "$folder" @scion-scxml/scxml@4.3.27 >/dev/null 2>&1; then
    touch "$folder/scion-installed"
fi
NODE_PATH="$folder/node_modules" node scripts/scxml-charts.js "${1:-1}" "${2:-400}" >"$folder/scxml-cases"
if ! TAMPER_SCXML="$PWD/$folder/scxml-cases" cargo test --release --quiet --locked -p tamper-interchange --lib charts::tests::scxml::random -- --nocapture \
    >"$folder/said" 2>&1; then
    cat "$folder/said" >&2
    exit 1
fi
grep ' same, ' "$folder/said"
