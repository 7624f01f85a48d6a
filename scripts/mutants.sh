#!/usr/bin/env bash
# Mutation testing of tamper itself: the mutants that cargo-mutants lists for the zones, the guidelines, the mutation operators
# and the kernel of the game, each run against the tests that reach it, the quickest first, until one fails. Writes a line per
# mutant: what became of it (caught, timeout, missed, unreached), by which tests, seconds, its place and change.
# docs/book/src/mutants.md says why those that are missed are missed.
# Usage: scripts/mutants.sh [OUT.tsv [ROOM...]]: rooms are zones guidelines mutation symbolic game; all without one.
# JOBS (1) may be set, and MOST: tests of more seconds are then left for another run with the same OUT. A run that was
# stopped goes on.
# Needs cargo-mutants (`cargo install cargo-mutants --locked`) and Python. All mutants are in one build, each behind a
# switch (scripts/mutants/): those in `const fn` are not, `cargo mutants --file crates/zones/src/bound.rs` builds them singly.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-target/mutants/outcomes.tsv}")
shift || true
root=$PWD
work=$root/target/mutants
mkdir -p "$work" "$(dirname "$out")"
key=$(git ls-files -z Cargo.lock Cargo.toml crates src tests scripts/mutants case-studies uppaal-models |
    xargs -0 sha256sum | sha256sum)
if [ "$key" != "$(cat "$work/key" 2>/dev/null)" ]; then
    rm -f "$work/key" "$work/reached.json"
    export CARGO_PROFILE_RELEASE_OPT_LEVEL=2 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
    cargo build --release --manifest-path scripts/mutants/Cargo.toml --target-dir "$work/switched"
    cargo mutants --list --json -p tamper-timed -p tamper-game -p tamper-zones -f 'crates/zones/src/**' -e 'crates/zones/src/tests/**' \
        -f 'crates/timed/src/guidelines/**' -f 'crates/timed/src/mutation/**' -f 'crates/game/src/**' -f 'crates/game/src/symbolic/**' \
        >"$work/list.json"
    # Mutants that the compiler refuses are left out; which ones it says only when it is asked.
    : >"$work/skipped"
    while :; do
        rm -rf "$work/tree"
        mkdir "$work/tree"
        git ls-files -z | xargs -0 cp --parents -t "$work/tree"
        ln -sfn "$(realpath "$root/../shared")" "$work/shared"
        "$work/switched/release/switched" "$work/list.json" "$work/tree" "$work/skipped" >"$work/built"
        (cd "$work/tree" && cargo check --release --lib --target-dir "$work/target" --message-format json \
            -p tamper-zones -p tamper 2>/dev/null) >"$work/check.json" || true
        python3 scripts/mutants/unviable.py "$work/check.json" "$work/tree" "$work/skipped" && break
    done
    (cd "$work/tree" && cargo test --release --no-run --target-dir "$work/target" --message-format json \
        -p tamper-zones -p tamper-game -p tamper --lib --test differential --test all) >"$work/programs.json"
    echo "$key" >"$work/key"
fi
python3 scripts/mutants/run.py "$work" "$out" "$@"
