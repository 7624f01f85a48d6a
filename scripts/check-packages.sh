#!/usr/bin/env bash
# The packages as they would be published: each holds what it is built from and what its readers are promised, and nothing else.
#
# Usage: scripts/check-packages.sh [--verify]     --verify also builds each from what was packed, which takes minutes
set -euo pipefail
cd "$(dirname "$0")/.."
how=--no-verify
[ "${1:-}" != --verify ] || how=
packed=${CARGO_TARGET_DIR:-target}/package
# Of an earlier version there may be packages left.
rm -f "$packed"/*.crate
# shellcheck disable=SC2086  # an option or nothing
cargo package --quiet --workspace --exclude tidy --exclude stranger --exclude testing --locked --allow-dirty $how 2>&1 | grep -v 'ignoring test' || true
for name in tamper-text tamper-features tamper-machines tamper-systems tamper-zones tamper-timed tamper-game tamper-suite tamper-uppaal tamper-interchange tamper-runs tamper-untimed tamper-programs tamper-report tamper-check \
    tamper; do
    archive=$(ls "$packed/$name"-[0-9]*.crate)
    files=$(tar -tzf "$archive" | cut -d/ -f2-)
    has() { grep -qxF "$1" <<<"$files" || { echo "$name: $1 is missing" >&2; exit 1; }; }
    for file in Cargo.toml README.md LICENSE-APACHE LICENSE-MIT src/lib.rs; do has "$file"; done
    # Kits that `tamper new-adapter` writes are a part of it.
    if foreign=$(grep -vE '^packages/(node|python/python)/' <<<"$files" | grep -E '^(tests|results|scripts|packages|target|\.ci|\.github)/'); then
        echo "$name holds what is the repository's:" >&2
        head -5 <<<"$foreign" >&2
        exit 1
    fi
    echo "$name: $(wc -l <<<"$files") files, $(($(stat -c %s "$archive") / 1024)) KiB packed"
done
