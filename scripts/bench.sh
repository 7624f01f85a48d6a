#!/usr/bin/env bash
# Wall time and peak memory (resident set) of `tamper classify` on every study, at orders 1 and 2, with and without
# the static rules, on 1 and 2 threads.
# Usage: scripts/bench.sh [ORDER...]; needs a release build (made if missing) and /usr/bin/time or a kernel with /proc.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked --quiet
tamper=$PWD/target/release/tamper
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints "seconds KiB" of the command given.
measure() {
    if [ -x /usr/bin/time ]; then
        /usr/bin/time -f '%e %M' -o "$work/time" "$@" >/dev/null
        tail -n 1 "$work/time"
        return
    fi
    local start peak=0 now
    start=$(date +%s.%N)
    "$@" >/dev/null &
    while now=$(awk '/VmHWM/ { print $2 }' "/proc/$!/status" 2>/dev/null) && [ -n "$now" ]; do
        peak=$now
        sleep 0.005
    done
    wait $!
    echo "$(echo "$(date +%s.%N) $start" | awk '{ printf "%.2f", $1 - $2 }') $peak"
}

row='%-8s %-6s %-9s %-8s %10s %12s\n'
# shellcheck disable=SC2059
printf "$row" study order rules threads seconds peak-KiB
[ $# -gt 0 ] || set -- 1 2
for order in "$@"; do
    for study in mutex hotel coffee wfas accel cas; do
        for rules in with without; do
            [ "$rules" = with ] && static= || static=--static=off
            for threads in 1 2; do
                # shellcheck disable=SC2086
                figures=$(cd "$work" && measure "$tamper" classify "$OLDPWD/case-studies/$study/model.xml" \
                    --semantics tiga --order "$order" --threads "$threads" --quiet $static)
                # shellcheck disable=SC2059,SC2086
                printf "$row" "$study" "$order" "$rules" "$threads" $figures
            done
        done
    done
done
