#!/usr/bin/env bash
# Regenerates the first-order results and fails if anything differs from what is committed.
# `scripts/check-results.sh all` compares everything that is generated (tens of minutes), but for timing.md.
set -euo pipefail
cd "$(dirname "$0")/.."
new="$(mktemp -d)"
trap 'rm -rf "$new"' EXIT

if [ "${1:-}" = all ]; then
    scripts/reproduce.sh "$new/results"
    results/beyond/make.sh "$new/results"
    for file in $(cd "$new/results" && find . -type f ! -name timing.md | sort); do
        diff -u "results/$file" "$new/results/$file"
    done
    exit
fi

cargo build --release --locked --bin tamper
target/release/tamper reproduce --quiet --order 1 --out "$new/results" >/dev/null

# The part of a page between the marks of order 1.
part() {
    sed -n '/^<!-- order 1 -->$/,/^<!-- end of order 1 -->$/p' "$1"
}

for file in semantics-order1.csv false-negatives.txt $(cd "$new/results" && find tables -name 'order1-*' | sort); do
    diff -u "results/$file" "$new/results/$file"
done
for page in README.md semantics.md; do
    diff -u --label "results/$page" --label regenerated <(part "results/$page") <(part "$new/results/$page")
done
diff -u <(grep ',1,' results/soundness.csv) <(grep ',1,' "$new/results/soundness.csv")
echo "the first-order results are as committed"
