#!/usr/bin/env bash
# The kits for Node and asyncio: their own tests, a washing machine and four faulty ones through each, and dated regressions, two of them of xstate 4.
# usage: check-kits.sh [--if-possible]    needs node, npm and Python 3.11, and their package indexes
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs node npm python3
python3 -c 'import tomllib' 2> /dev/null || lacks "needs Python 3.11"
if [ -z "${TAMPER:-}" ]; then
    cargo build --release --quiet --locked --bin tamper
    TAMPER=$(realpath "${CARGO_TARGET_DIR:-target}/release/tamper")
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -r packages/node "$dir/kit" && rm -rf "$dir/kit/node_modules"
(cd "$dir/kit" && npm install --no-audit --no-fund --no-package-lock > "$dir/npm.txt" 2>&1) || lacks "the timers for Node cannot be installed"
(cd "$dir/kit" && npm test > "$dir/text" 2>&1) || { cat "$dir/text"; exit 1; }
python3 packages/python/tests/test_sut.py > "$dir/text" 2>&1 || { cat "$dir/text"; exit 1; }
echo "check-kits: the kits' own tests pass"

# The adapters find the kits as they would find any package.
mkdir -p "$dir/node_modules" && ln -s "$dir/kit" "$dir/node_modules/tamper-sut" && cp examples/adapters/node.js "$dir"
"$TAMPER" testgen examples/adapters/washer.xml --out "$dir/suite.json" --quiet
check() { # name, command of the adapter
    local fault code
    for fault in none early late wrong deaf; do
        code=0
        "$TAMPER" run "$dir/suite.json" --sut "$2 --fault $fault" --accelerated --quiet > "$dir/text" || code=$?
        echo "$1, fault $fault: exit code $code; $(grep " inconclusive, " "$dir/text")"
        [ "$code" = "$([ "$fault" = none ] && echo 0 || echo 1)" ] || { cat "$dir/text"; exit 1; }
    done
}
check Node "node $dir/node.js"
check asyncio "PYTHONPATH=packages/python/python python3 examples/adapters/asyncio_loop.py"

pages=$PWD
# Three machines of XState and six faulty ones of each, through the kit's chart and as tests for the runner of Node.
mkdir "$dir/chart" && cp examples/adapters/xstate/*.js "$dir/chart"
chart() { # machine, file of its chart, the variable of its faults, these
    local fault code tested wanted
    node node_modules/tamper-sut/bin/tamper-chart.js "$1.js" > chart.json
    cmp chart.json "$pages/examples/adapters/xstate/$2"
    "$TAMPER" testgen chart.json --for programs --out suite.json --quiet
    "$TAMPER" harness suite.json --as node-test --out chart.test.mjs --quiet
    rm chart.json # Without it the runs are not compared with random tests, which takes longer than they do.
    for fault in none "${@:4}"; do
        export MACHINE="$1" "$3=$fault"
        code=0
        "$TAMPER" run suite.json --sut 'node adapter.js' --accelerated --quiet > text || code=$?
        tested=0
        TAMPER_SYSTEM=./adapter.js node --test chart.test.mjs > tested.txt 2>&1 || tested=$?
        echo "XState, $1, fault $fault: exit code $code, of node --test $tested; $(grep " inconclusive, " text)"
        wanted=$([ "$fault" = none ] && echo 0 || echo 1)
        [ "$code" = "$wanted" ] && [ "$tested" = "$wanted" ] || { cat text tested.txt; exit 1; }
    done
}
(
    cd "$dir/chart"
    mkdir node_modules && ln -s "$dir/kit" node_modules/tamper-sut && ln -s "$dir/kit/node_modules/xstate" node_modules/xstate
    chart machine chart.json FETCH_FAULT late early spinner guard deaf target
    chart light light.json LIGHT_FAULT short restart guard sound level deaf
    chart dialog dialog.json DIALOG_FAULT long timer guard target history reset
)

# Two dated regressions of xstate 4: a timer that outlives its state, and regions that are entered again and keep their timers.
mkdir -p "$dir/chart4/node_modules" && cp examples/adapters/xstate4/*.js "$dir/chart4" && ln -s "$dir/kit" "$dir/chart4/node_modules/tamper-sut"
dated() { # machine, version, exit code that is wanted
    local code=0
    npm install --no-audit --no-fund --no-package-lock --no-save --prefix "$dir/old" "xstate@$2" > "$dir/npm.txt" 2>&1 || lacks "xstate $2 cannot be installed"
    ln -sfn "$dir/old/node_modules/xstate" node_modules/xstate
    node node_modules/tamper-sut/bin/tamper-chart.js "$1.js" > chart.json
    [ -f "$1.json" ] || "$TAMPER" testgen chart.json --for programs --out "$1.json" --quiet > text
    MACHINE="./$1" "$TAMPER" run "$1.json" --sut 'node adapter.js' --accelerated --quiet > text || code=$?
    echo "xstate $2, $1: exit code $code; $(grep " inconclusive, " text)"
    [ "$code" = "$3" ] || { cat text; exit 1; }
}
(
    cd "$dir/chart4"
    dated retry 4.7.3 1 && dated retry 4.7.5 0
    dated alarm 4.32.1 1 && dated alarm 4.33.0 0
)

mkdir "$dir/cases"
python3 scripts/regressions.py --tamper "$TAMPER" --folder "$dir/cases" --only aiocache-424,opossum-385 --out "$dir/regressions.md"
grep '^| fewest | 2 of 2 ' "$dir/regressions.md" || { cat "$dir/regressions.md"; exit 1; }

# What the README and the book's first hour show of opossum is what is printed.
pages=$PWD
shows() { # page, command, file of what it printed
    awk -v command="\$ $2" '$0 == command { on = 1; next } on && (/^\$ / || /^```/) { exit } on' "$pages/$1" > shown.txt
    [ -s shown.txt ] && diff shown.txt "$3"
}
printed() { # command: runs it, and keeps what it prints
    echo "$1" | sed "s#^tamper #'$TAMPER' #" > command.sh
    sh command.sh > printed.txt 2> errors.txt || [ $? = 1 ] || { cat errors.txt; exit 1; }
}
mkdir "$dir/hour" && cp examples/regressions/opossum-385/adapter.js examples/regressions/opossum-385/model.xml "$dir/hour"
cd "$dir/hour"
hour=examples/regressions/opossum-385/first-hour.md
run="tamper run suite.json --sut 'node adapter.js' --accelerated"
get() {
    npm install --no-audit --no-fund --no-package-lock --install-links "$dir/kit" @sinonjs/fake-timers "opossum@$1" > npm.txt 2>&1 || lacks "opossum cannot be installed"
}
get 4.2.0
for command in "tamper testgen model.xml --for programs --out suite.json" "$run --results run.jsonl" "tamper diagnose run.jsonl model.xml"; do
    printed "$command" && shows $hour "$command" printed.txt
done
printed "$run" && shows README.md "$run" printed.txt
get 4.2.1
printed "$run" && shows $hour "$run" printed.txt
echo "check-kits: the README and the first hour show opossum as it is"
