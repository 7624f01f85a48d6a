#!/usr/bin/env bash
# A correct washing machine and four faults, through the adapters of examples/adapters: what the console and JUnit say.
# A language whose tools are not there is left out, and named.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet --locked
tamper=target/release/tamper
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
$tamper testgen examples/adapters/washer.xml --out "$dir/suite.json"
check() { # language, command of the adapter
    local language=$1 adapter=$2 fault code failures
    for fault in none early late wrong deaf; do
        code=0
        $tamper run "$dir/suite.json" --sut "$adapter --fault $fault" --accelerated --junit "$dir/junit.xml" > "$dir/text" || code=$?
        failures=$(grep -c '<failure' "$dir/junit.xml" || true)
        echo "$language, fault $fault: exit code $code, JUnit has $failures failures; $(tail -n 1 "$dir/text")"
        [ "$fault" = none ] || grep -m 1 'expected' "$dir/text" || true
        case $fault in
            none) [ "$code" = 0 ] && [ "$failures" = 0 ] ;;
            *) [ "$code" = 1 ] && [ "$failures" -gt 0 ] ;;
        esac || { cat "$dir/text"; exit 1; }
    done
}
for language in python c java; do
    $tamper new-adapter "$language" > "$dir/adapter"
    case $language in
        python) cmp "$dir/adapter" examples/adapters/adapter.py ;;
        c) cmp "$dir/adapter" examples/adapters/adapter.c ;;
        java) cmp "$dir/adapter" examples/adapters/Adapter.java ;;
    esac
done
if command -v python3 > /dev/null; then check Python 'python3 examples/adapters/adapter.py'; else echo "no Python here"; fi
if command -v cc > /dev/null; then
    cc -Wall -Wextra -Werror -o "$dir/adapter-c" examples/adapters/adapter.c
    check C "$dir/adapter-c"
else echo "no C compiler here"; fi
if command -v javac > /dev/null; then
    javac -d "$dir" examples/adapters/Adapter.java
    check Java "java -cp $dir Adapter"
else echo "no Java here"; fi
