#!/usr/bin/env bash
# Suites as programs without tamper: what pytest and plain C say of a correct washing machine and four faulty ones is, test by test and word by
# word, what `tamper run` says; pytest also of the lamp, with tests of every style. Random programs in pytest, node:test, Jest, Vitest and cargo test with
# tokio, where these are there, have the verdicts and sentences that they have in tamper. Needs Python with a package index, and a C compiler; RANDOM_PROGRAMS of them (10).
# usage: check-harness.sh [--if-possible]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs python3 cc
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv" && "$dir/venv/bin/pip" install --quiet pytest > "$dir/pip.txt" 2>&1 || lacks "pytest cannot be installed"
if [ -z "${TAMPER:-}" ]; then # A built program, with the examples beside it.
    cargo build --release --quiet --locked --bins --examples
    TAMPER=${CARGO_TARGET_DIR:-target}/release/tamper
fi
tamper=$(realpath "$TAMPER")
# What each makes of a suite: a line `TEST: why` for each test that fails.
of_tamper() {
    { "$tamper" run "$dir/suite.json" --sut "$1" --accelerated --format json || true; } | python3 -c 'import json, sys
for run in json.load(sys.stdin)["runs"]:
    if run["verdict"] == "fail": print(run["test"] + ": " + run["exactly"])'
}
of_pytest() { # the rest: variables
    env "$@" "$dir/venv/bin/pytest" -q -p no:cacheprovider --junit-xml "$dir/junit.xml" "$dir/test_suite.py" > "$dir/pytest.txt" 2>&1 || true
    python3 - "$dir/junit.xml" <<'PYTHON'
import re, sys, xml.etree.ElementTree as tree
for case in tree.parse(sys.argv[1]).iter("testcase"):
    assert case.find("error") is None, tree.tostring(case)
    failure = case.find("failure")
    if failure is not None:
        why = failure.get("message").removeprefix("Failed: ")
        print(re.fullmatch(r"test_of\[(.*)\]", case.get("name"))[1] + ": " + re.sub(r" \((potential|definite) kill of .*\)\s+log: .*$", "", why, flags=re.S))
PYTHON
}
of_c() { WASHER_FAULT=$1 "$dir/suite" | sed -n 's/^not ok [0-9]* - \([^ ]*\) # \(.*\) (\(potential\|definite\) kill of .*)$/\1: \2/p' || true; }
same() { # what it is, two files
    cmp "$2" "$3" || { echo "$1:"; diff "$2" "$3" || true; exit 1; }
}
suite() { # model, options of testgen
    "$tamper" testgen "$1" --out "$dir/suite.json" --quiet "${@:2}" > /dev/null
    "$tamper" harness "$dir/suite.json" --as pytest --out "$dir/test_suite.py" --quiet > /dev/null
    "$tamper" harness "$dir/suite.json" --as c --out "$dir/suite.c" --quiet > /dev/null
}
suite examples/adapters/washer.xml
cc -std=c99 -pedantic -Wall -Wextra -Werror -I examples/adapters -o "$dir/suite" "$dir/suite.c" examples/adapters/suite_glue.c
for fault in none early late wrong deaf; do
    of_tamper "python3 examples/adapters/adapter.py --fault $fault" > "$dir/tamper.txt"
    of_pytest TAMPER_SUT="python3 examples/adapters/adapter.py --fault $fault" > "$dir/python.txt"
    of_c "$fault" > "$dir/c.txt"
    same "pytest, fault $fault" "$dir/tamper.txt" "$dir/python.txt"
    of_pytest WASHER_FAULT="$fault" TAMPER_SYSTEM=asyncio_loop:start PYTHONPATH=examples/adapters:packages/python/python > "$dir/python.txt"
    same "asyncio in the process of pytest, fault $fault" "$dir/tamper.txt" "$dir/python.txt"
    same "C, fault $fault" "$dir/tamper.txt" "$dir/c.txt"
    echo "fault $fault: $(tail -n 1 "$dir/pytest.txt" | sed 's/ in .*//'); $(WASHER_FAULT=$fault "$dir/suite" | tail -n 1 | cut -c3-)$(head -n 1 "$dir/c.txt" | sed 's/^/; /')"
    case $fault in none) [ ! -s "$dir/c.txt" ] ;; *) [ -s "$dir/c.txt" ] ;; esac
done
of_pytest TAMPER_SYSTEM=adapter:System PYTHONPATH=examples/adapters > "$dir/python.txt"
[ ! -s "$dir/python.txt" ] && echo "as a class of Python: $(tail -n 1 "$dir/pytest.txt" | sed 's/ in .*//')"
n=0
for options in "" "--kill definite" "--kill potential --style adaptive --delays middle" "--style adaptive --delays latest"; do
    # shellcheck disable=SC2086
    suite uppaal-models/lamp.xml $options
    for fault in "" early-dim late-dim wrong-output crash; do
        lamp="$(dirname "$tamper")/lamp${fault:+ --fault $fault}"
        [ "$fault" = crash ] && continue
        of_tamper "$lamp" > "$dir/tamper.txt"
        of_pytest TAMPER_SUT="$lamp" > "$dir/python.txt"
        same "the lamp with $options, fault $fault" "$dir/tamper.txt" "$dir/python.txt"
        n=$((n + $(wc -l < "$dir/tamper.txt")))
    done
done
# Runners of JavaScript, and a program of tokio under cargo test: what they need may be lacking.
runners=()
if command -v node > /dev/null; then
    runners+=(--node) modules=
    if command -v npm > /dev/null && mkdir "$dir/modules" && echo '{"private": true}' > "$dir/modules/package.json" \
        && npm install --prefix "$dir/modules" --no-audit --no-fund jest@29.7.0 vitest@2.1.9 @sinonjs/fake-timers@15.0.0 > "$dir/npm.txt" 2>&1; then
        modules=$dir/modules && runners+=(--modules "$modules")
    else
        echo "check-harness: Jest and Vitest cannot be installed and are left out"
    fi
    if [ -n "$modules" ]; then
        # The same adapter as `tamper run` has, in the runner's process and in virtual time.
        cp examples/adapters/node.js "$dir/adapter.js" && cp -r packages/node "$modules/node_modules/tamper-sut"
        ln -s "$modules/node_modules" "$dir/node_modules" && echo '{}' > "$dir/package.json"
        suite examples/adapters/washer.xml
        for runner in node-test jest vitest; do
            file=$runner.test.mjs
            case $runner in
                node-test) command="node --test $file" ;;
                jest) file=jest.test.js && command="node_modules/.bin/jest jest.test.js" ;;
                vitest) command="node_modules/.bin/vitest run $file" ;;
            esac
            "$tamper" harness "$dir/suite.json" --as $runner --out "$dir/$file" --quiet > /dev/null
            for fault in none late; do
                code=0
                (cd "$dir" && WASHER_FAULT=$fault TAMPER_SYSTEM=./adapter.js $command) > "$dir/text" 2>&1 || code=$?
                echo "in the process of $runner, fault $fault: exit code $code"
                [ "$code" = "$([ "$fault" = none ] && echo 0 || echo 1)" ] || { cat "$dir/text"; exit 1; }
                [ "$fault" = none ] || grep -q 'expected full! from 2 by 5; nothing came by 5.5' "$dir/text" || { cat "$dir/text"; exit 1; }
            done
        done
    fi
fi
package=$dir/package
mkdir -p "$package/src" "$package/tests/adapter" && cp packages/rust/Cargo.lock "$package"
cp examples/adapters/tokio.rs "$package/src/main.rs" && cp examples/adapters/tokio.rs "$package/tests/adapter/mod.rs"
cat > "$package/Cargo.toml" <<CARGO
[package]
name = "lamp"
version = "0.1.0"
edition = "2021"
[workspace]
[dependencies]
tamper-sut = { path = "$PWD/packages/rust", features = ["tokio"] }
tokio = { version = "1.40", features = ["rt", "time"] }
CARGO
if command -v cargo > /dev/null && (cd "$package" && CARGO_TARGET_DIR=$dir/cargo cargo build) > "$dir/text" 2>&1; then
    runners+=(--cargo "$package")
    suite uppaal-models/lamp.xml
    "$tamper" harness "$dir/suite.json" --as tokio --out "$package/tests/suite.rs" --quiet > /dev/null
    export CARGO_TARGET_DIR=$dir/cargo
    (cd "$package" && cargo clippy --quiet --offline --all-targets -- -D warnings)
    for fault in "" late-dim wrong-output no-auto-off; do
        of_tamper "$dir/cargo/debug/lamp${fault:+ --fault $fault}" > "$dir/tamper.txt"
        (cd "$package" && LAMP_FAULT=$fault cargo test --offline --test suite -- --show-output) > "$dir/cargo.txt" 2>&1 || true
        python3 scripts/harness_programs.py cargo "$dir/cargo.txt" > "$dir/python.txt"
        same "tokio, fault $fault" "$dir/tamper.txt" "$dir/python.txt"
        echo "tokio under cargo test, fault ${fault:-none}: $(grep '^test result' "$dir/cargo.txt" | sed 's/ measured.*//')"
    done
else
    echo "check-harness: tokio cannot be fetched and is left out"
fi
python3 scripts/harness_programs.py compare "${RANDOM_PROGRAMS:-10}" "$tamper" "$dir/venv/bin/pytest" "${runners[@]}"
echo "check-harness: pytest and C say what tamper says; of the lamp, too, in $n tests that fail"
