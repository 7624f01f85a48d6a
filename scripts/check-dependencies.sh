#!/usr/bin/env bash
# Advisories, licences, duplicates and sources of what tamper depends on (`deny.toml`), by cargo-deny; the database of advisories is
# fetched, and where it cannot be had that is said and the rest is checked.
# Without cargo-deny: the versions in Cargo.lock that stand twice are those of deny.toml, and all come from the registry.
# usage: check-dependencies.sh
set -euo pipefail
cd "$(dirname "$0")/.."
if command -v cargo-deny > /dev/null; then
    cargo deny --locked check licenses bans sources
    if ! cargo deny fetch db > /dev/null 2>&1; then
        echo "check-dependencies: the database of advisories cannot be had here; licences, duplicates and sources are right"
        exit
    fi
    exec cargo deny --locked check advisories
fi
echo "check-dependencies: cargo-deny is not installed; only duplicates and sources are checked"
if grep '^source = ' Cargo.lock | grep -v '"registry+'; then
    echo "check-dependencies: a package is not from the registry" >&2
    exit 1
fi
# A name and the part of its version that must be equal for two packages to be compatible.
lines=$(awk -F'"' '/^name = /{n=$2} /^version = /{split($2, v, "."); print n "@" (v[1] == "0" ? v[1] "." v[2] : v[1])}' Cargo.lock | sort -u)
twice=$(cut -d@ -f1 <<< "$lines" | uniq -d)
skipped=$(sed -n 's/.*crate = "\([^"]*\)".*/\1/p' deny.toml)
for name in $twice; do
    left=$(grep "^$name@" <<< "$lines" | grep -vxF "$skipped" || true)
    # What is only for other systems is in Cargo.lock, too: one version may be left.
    if [ "$(wc -l <<< "$left")" -gt 1 ]; then
        echo "check-dependencies: several versions, which deny.toml does not name: $left" >&2
        exit 1
    fi
done
