#!/usr/bin/env bash
# Zone operations at a revision and now: measures both with today's benchmark, and prints the differences.
# Usage: scripts/zones.sh REVISION [FILTER]     a filter is part of a name: reached/up, safe_past, ...
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { sed -n '2,3s/^# //p' "$0"; exit 2; }
revision=$1
shift

before=$(mktemp -d)
trap 'git worktree remove --force "$before"' EXIT
git worktree add --quiet --detach "$before" "$revision"
[ -d "$before/crates/zones" ] || { echo "$revision has no package crates/zones to compare with" >&2; exit 2; }
rm -rf "$before/crates/zones/benches"
cp -r crates/zones/benches "$before/crates/zones/"
cp crates/zones/Cargo.toml "$before/crates/zones/"

# Both write to the same folder, so that criterion finds the figures of the revision.
export CARGO_TARGET_DIR=$PWD/target
(cd "$before" && cargo bench --quiet -p tamper-zones --bench zones -- --save-baseline before "$@" >/dev/null)
cargo bench --quiet -p tamper-zones --bench zones -- --baseline before "$@"
