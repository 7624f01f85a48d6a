#!/usr/bin/env bash
# A correct program and faulty ones, through the adapters of examples/adapters: what the console and JUnit say. A washing machine in Python, a lamp
# in C, Java, Rust and tokio with their kits, also on the wall clock. A language whose tools are not there is left out, and named.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -z "${TAMPER:-}" ]; then
    cargo build --release --quiet --locked
    TAMPER=$(realpath "${CARGO_TARGET_DIR:-target}/release/tamper")
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$TAMPER" testgen examples/adapters/washer.xml --out "$dir/washer.json" --quiet > "$dir/text"
"$TAMPER" testgen uppaal-models/lamp.xml --out "$dir/lamp.json" --quiet > "$dir/text"
one() { # language, suite, command of the adapter, fault, options of the clock
    local code=0 failures
    "$TAMPER" run "$dir/$2.json" --sut "$3 --fault $4" "${@:5}" --junit "$dir/junit.xml" > "$dir/text" || code=$?
    failures=$(grep -c '<failure' "$dir/junit.xml" || true)
    echo "$1, fault $4, ${*:5}: exit code $code, JUnit has $failures failures; $(tail -n 1 "$dir/text")"
    [ "$4" = none ] || grep -m 1 'expected' "$dir/text" || true
    case $4 in
        none) [ "$code" = 0 ] && [ "$failures" = 0 ] ;;
        *) [ "$code" = 1 ] && [ "$failures" -gt 0 ] ;;
    esac || { cat "$dir/text"; exit 1; }
}
# Lines to the lamp, and the answers: an input that it does not have, a delay that is used up in part, a timer that a reset takes away.
lines=('tamper 1 accelerated' reset 'input nothing' 'input press' 'delay 3/4' 'delay 9' 'delay 5' 'input press' 'delay 1' 'input press' reset 'delay 99' quit)
answers=(ready ready refused ok done 'output dim after 3/4' done ok 'output off after 1/2' ok ready done)
every() { # language, command of a program of tests/kits: values, two outputs at once, a timer that repeats and is cancelled, cleaning up
    local said=('tamper 1 accelerated' reset 'input set_2' 'input set' 'delay 1' 'input both' 'delay 1' 'delay 1' 'input repeat' 'delay 4' 'delay 2' 'delay 2'
        'input stop' 'delay 99' 'input set_3' reset 'delay 99' quit)
    local heard=(ready ready ok refused 'output is_2 after 1/2' ok 'output one after 0/1' 'output two after 0/1' ok 'output again after 3/1' done
        'output again after 1/1' ok done ok ready done)
    printf '%s\n' "${said[@]}" | $2 2> "$dir/text" | diff - <(printf '%s\n' "${heard[@]}")
    [ "$(grep -c '^ended$' "$dir/text")" = 2 ]
    echo "$1: the kit says what it should"
}
lamp() { # language, command of the adapter
    local fault
    printf '%s\n' "${lines[@]}" | $2 | diff - <(printf '%s\n' "${answers[@]}")
    # What the clock does not have is refused aloud.
    printf '%s\n' 'tamper 1 accelerated' reset 'delay 1/3' | $2 > "$dir/text" 2>&1 && { cat "$dir/text"; exit 1; }
    grep -Eq 'no whole number of (nano|milli)seconds' "$dir/text"
    "$TAMPER" run --random 200 --model uppaal-models/lamp.xml --sut "$2" --accelerated --quiet | tail -n 1
    for fault in none late-dim wrong-output no-auto-off; do one "$1" lamp "$2" $fault --accelerated; done
    # The window of each output is open for another 48 ms, and what is late in the faulty lamp is so by 60.
    for fault in none late-dim; do one "$1" lamp "$2" $fault --unit 120ms --tolerance 2/5 --jobs 2 --fail-fast; done
}
for pair in python:adapter.py c:adapter.c java:Adapter.java rust:adapter.rs tokio:tokio.rs; do
    "$TAMPER" new-adapter "${pair%%:*}" --out "$dir/${pair#*:}" --quiet
    cmp "$dir/${pair#*:}" "examples/adapters/${pair#*:}"
done
if command -v python3 > /dev/null; then
    for fault in none early late wrong deaf; do one Python washer "python3 $dir/adapter.py" $fault --accelerated; done
else echo "no Python here"; fi
# Compiled from what new-adapter wrote, the kit beside it.
if command -v cc > /dev/null; then
    cc -std=c99 -pedantic -Wall -Wextra -Werror -o "$dir/adapter-c" "$dir/adapter.c"
    lamp C "$dir/adapter-c"
    cc -std=c99 -pedantic -Wall -Wextra -Werror -I "$dir" -o "$dir/every" tests/kits/every.c
    every C "$dir/every"
else echo "no C compiler here"; fi
if command -v javac > /dev/null; then
    javac -Xlint:all -Werror -d "$dir" "$dir/Adapter.java" "$dir/TamperSut.java"
    lamp Java "java -cp $dir Adapter"
    javac -Xlint:all -Werror -cp "$dir" -d "$dir" tests/kits/Every.java
    every Java "java -cp $dir Every"
else echo "no Java here"; fi
# The kit's own tests as well: without dependencies, and with tokio if that can be fetched.
export CARGO_TARGET_DIR=$dir/target
cargo fmt --check --manifest-path packages/rust/Cargo.toml
cargo clippy --quiet --locked --all-targets --manifest-path packages/rust/Cargo.toml -- -D warnings
cargo test --quiet --locked --manifest-path packages/rust/Cargo.toml > "$dir/text" 2>&1 || { cat "$dir/text"; exit 1; }
cargo build --quiet --locked --example lamp --manifest-path packages/rust/Cargo.toml
lamp Rust "$CARGO_TARGET_DIR/debug/examples/lamp"
if cargo fetch --quiet --locked --manifest-path packages/rust/Cargo.toml 2> "$dir/text"; then
    cargo clippy --quiet --locked --all-targets --features tokio --manifest-path packages/rust/Cargo.toml -- -D warnings
    cargo test --quiet --locked --features tokio --manifest-path packages/rust/Cargo.toml > "$dir/text" 2>&1 || { cat "$dir/text"; exit 1; }
    cargo build --quiet --locked --features tokio --example tokio --manifest-path packages/rust/Cargo.toml
    lamp tokio "$CARGO_TARGET_DIR/debug/examples/tokio"
else echo "tokio cannot be fetched here"; fi
