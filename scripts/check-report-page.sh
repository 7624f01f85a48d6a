#!/usr/bin/env bash
# The page of `tamper report` in a real browser, without a network: it opens, filters, is used by keyboard, plays a counterexample,
# and says nothing to the console; the page of `tamper open`: it follows its model. Needs chromium, node and npm (the driver comes from npm).
# usage: check-report-page.sh [--if-possible] [FOLDER]    screenshots go to FOLDER (default: a temporary one)
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs chromium node npm
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
shots=$(realpath -m "${1:-$dir/shots}")
mkdir -p "$shots"
npm install --silent --no-audit --no-fund --prefix "$dir/driver" playwright-core axe-core > "$dir/npm.txt" 2>&1 || lacks "playwright-core and axe-core cannot be installed: $(tail -n 1 "$dir/npm.txt")"
cargo build --release --quiet --locked --bins --examples
tamper=target/release/tamper
page() { # name, folder of the run, options of report
    "$tamper" report "$2" --out "$dir/$1.html" --quiet "${@:3}"
    echo "$1.html: $(wc -l < "$2/mutants.jsonl") mutants, $(wc -c < "$dir/$1.html") bytes"
}
"$tamper" classify case-studies/cas/model.xml --witness --out "$dir/cas" --quiet > /dev/null
page cas "$dir/cas"
"$tamper" classify case-studies/cas/model.xml --order 2 --out "$dir/cas-2" --quiet > /dev/null
page cas-2 "$dir/cas-2"
"$tamper" classify uppaal-models/lamp.xml --semantics definition --witness --out "$dir/lamp" --quiet > /dev/null
"$tamper" testgen uppaal-models/lamp.xml --out "$dir/lamp.json" --quiet > /dev/null
page lamp "$dir/lamp" --suite "$dir/lamp.json"
"$tamper" classify uppaal-models/networks/crossing.xml --network --operators TMI,CXL,CXS --witness --out "$dir/network" --quiet > /dev/null
page network "$dir/network" --network
"$tamper" classify uppaal-models/networks/crossing.xml --mutate all --witness --out "$dir/masked" --quiet > /dev/null
page masked "$dir/masked"
"$tamper" classify uppaal-models/networks/collision-avoidance.xml --mutate all --operators TMI,TAD,CXL,CXS --witness --out "$dir/three" --quiet > /dev/null
page three "$dir/three"
"$tamper" classify uppaal-models/networks/gear-controller.xml --mutate all --operators paper,CTG,COM,RIV,CCM,ROR,OBO --witness --out "$dir/beyond" --quiet > /dev/null
page beyond "$dir/beyond"
results() { # name, the words of a command that prints results; its answer may be no
    "$tamper" "${@:2}" --format json --quiet > "$dir/$1.json" || [ $? = 1 ]
    "$tamper" report "$dir/$1.json" --out "$dir/$1.html" --quiet
    echo "$1.html: $(wc -c < "$dir/$1.html") bytes"
}
# A lamp that says more than the protocol needs: a line whenever it is touched.
cat > "$dir/relay.sh" <<'END'
target/release/lamp "$@" | while read -r line; do
    echo "$line"
    case $line in ok) echo "log the relay clicks" ;; esac
done
END
results run run "$dir/lamp.json" --sut "sh $dir/relay.sh --fault early-dim" --accelerated
# The same, had the tester been late with its first input.
node -e 'const fs = require("fs"); const [from, to] = process.argv.slice(1); const run = JSON.parse(fs.readFileSync(from)); const one = run.runs.find(({ test }) => test === "t01");
    one.log[0].at = "2/25"; one.remarks = []; run.runs = [one]; fs.writeFileSync(to, JSON.stringify(run));' "$dir/run.json" "$dir/slow.json"
"$tamper" report "$dir/slow.json" --out "$dir/slow.html" --quiet
# The same page from a file of results: of a lamp that stays on.
"$tamper" run "$dir/lamp.json" --sut 'target/release/lamp --fault no-auto-off' --accelerated --results "$dir/on.jsonl" --quiet > /dev/null || [ $? = 1 ]
"$tamper" report "$dir/on.jsonl" --out "$dir/on.html" --quiet
# In real time; on a busy machine the lamp or the tester may be late.
"$tamper" run --random 12 --model uppaal-models/lamp.xml --sut target/release/lamp --unit 10ms --tolerance 1 --results "$dir/random.jsonl" --quiet > /dev/null || case $? in 1 | 3) ;; *) exit 1 ;; esac
"$tamper" report "$dir/random.jsonl" --out "$dir/random.html" --quiet
# Two thousand tests: those of the first page many times.
node -e 'const fs = require("fs"); const [from, to] = process.argv.slice(1); const run = JSON.parse(fs.readFileSync(from));
    run.runs = Array.from({ length: 2000 }, (_, n) => ({ ...run.runs[n % run.runs.length], test: `n${n}` })); fs.writeFileSync(to, JSON.stringify(run));' "$dir/run.json" "$dir/many.json"
"$tamper" report "$dir/many.json" --out "$dir/many.html" --quiet
# The fewest tests that kill each mutant do not kill each combination of mutations: something escapes.
"$tamper" testgen uppaal-models/lamp.xml --strategy minimal --out "$dir/minimal.json" --quiet > /dev/null
results coverage coverage uppaal-models/lamp.xml "$dir/minimal.json" --show count
results score score "$dir/lamp.json" uppaal-models/lamp.xml --order 2 --sample 300
NODE_PATH="$dir/driver/node_modules" node scripts/check_report_page.cjs "$dir" "$shots"
NODE_PATH="$dir/driver/node_modules" node scripts/check_workbench.cjs "$tamper" "$dir" "$shots"
