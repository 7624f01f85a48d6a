#!/usr/bin/env bash
# The oldest compiler that Cargo.toml promises (`rust-version`) builds everything that is published.
#
# Usage: scripts/check-msrv.sh     where that compiler is neither the one in use nor installed beside it, this says so
set -euo pipefail
cd "$(dirname "$0")/.."
oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
[ -n "$oldest" ] || { echo "Cargo.toml promises no oldest compiler" >&2; exit 1; }
here=$(rustc --version | cut -d' ' -f2)
case $here in
"$oldest" | "$oldest".*)
    echo "rustc $here is the oldest that is promised: every other step checks it"
    ;;
*)
    if command -v rustup >/dev/null && rustup run "$oldest" rustc --version >/dev/null 2>&1; then
        CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/msrv rustup run "$oldest" \
            cargo check --locked -p tamper -p tamper-zones -p tamper-features -p tamper-text
    else
        echo "rust $oldest, the oldest that is promised, is not installed: not checked (rustc $here is in use)"
    fi
    ;;
esac
