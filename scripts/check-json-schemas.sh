#!/usr/bin/env bash
# Every command's --format json, and lines of its files, against its schema in docs/schemas. Needs Python and a package index (jsonschema).
# usage: check-json-schemas.sh [--if-possible]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs python3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv" && "$dir/venv/bin/pip" install --quiet jsonschema > "$dir/pip.txt" 2>&1 || lacks "jsonschema cannot be installed"
cargo build --release --quiet --locked --bins --examples
tamper=target/release/tamper
say() { # what is checked, then the words of the command; its exit code says yes, no or unknown
    local name=$1 code=0
    shift
    "$tamper" "$@" --format json --quiet > "$dir/$name.json" || code=$?
    case $code in 0 | 1 | 3) ;; *) echo "$name ended with $code"; exit 1 ;; esac
}
machine=examples/machines/running-example.fsm
wfas=case-studies/wfas/model.xml lamp=uppaal-models/lamp.xml line=uppaal-models/vending-machine-line
beverage=$(ls case-studies/beverage/*.smv | head -n 1)
say check check $wfas
say check-network check uppaal-models/networks/crossing.xml --network
say check-family check $line.xml --features $line.uvl
say check-system check "$beverage"
say check-machine check $machine
say check-word check $machine --run 'b a a'
say check-timed-word check $lamp --run 'press 2'
say check-actions check case-studies/cas-actions/model.pl
say refine refine uppaal-models/cxs-invariant.xml LateMutant LateSpec --witness
say refine-subsumed refine uppaal-models/cxs-invariant.xml LateSpec LateSpec --propositions seen
say refine-system refine "$beverage" "$beverage" --witness
grep -v '^mutated' $machine > "$dir/specification.fsm"
sed 's/^4 a \/ 1/4 a \/ 0/' "$dir/specification.fsm" > "$dir/other.fsm"
say refine-machines refine "$dir/other.fsm" "$dir/specification.fsm"
say refine-machine refine "$dir/specification.fsm" "$dir/specification.fsm"
say families-machines families $machine --against "$dir/specification.fsm"
say families-machine families "$dir/specification.fsm" --against "$dir/specification.fsm"
say classify classify $wfas --out "$dir/run" --verify 20
say classify-certified classify $lamp --certify "$dir/why" --verify 20 --out "$dir/certified"
say verify verify "$dir/why" --run "$dir/certified"
say classify-unknown classify $wfas --max-states 40 --out "$dir/few"
say classify-2 classify $wfas --order 2 --guidelines extended --witness --out "$dir/run2"
say classify-constants classify $wfas --all-constants
say classify-jointly classify $wfas --all-constants=3 --order 2
say classify-system classify "$beverage" --witness --out "$dir/system"
say classify-actions classify case-studies/cas-actions/model.pl --witness --out "$dir/actions"
say share-1 classify $wfas --shard 1/2 --out "$dir/share-1"
say share-2 classify $wfas --shard 2/2 --out "$dir/share-2"
say merge merge "$dir/share-1" "$dir/share-2" --out "$dir/merged"
say merge-export-1 export $wfas --mutants "$dir/run" --as csv --shard 1/2 --out "$dir/csv-1"
say merge-export-2 export $wfas --mutants "$dir/run" --as csv --shard 2/2 --out "$dir/csv-2"
say merge-export merge "$dir/csv-1" "$dir/csv-2" --out "$dir/csv"
say classify-network classify uppaal-models/networks/collision-avoidance.xml --mutate all --out "$dir/network"
say compose compose uppaal-models/networks/crossing.xml --out "$dir/composed.xml"
say export export $wfas --mutants "$dir/run" --keep non-subsumed --out "$dir/mutants"
say fmm fmm $wfas --out "$dir/fmm"
say features features $line.uvl
say families families $line.xml --features $line.uvl --against uppaal-models/vending-machine-soda.xml
say testgen testgen $lamp --out "$dir/suite.json"
say testgen-machine testgen $machine --strategy w-method --out "$dir/w-method.txt"
say run-machine run "$dir/w-method.txt" --against "$dir/other.fsm"
say testgen-no-sequence testgen $machine --strategy checking-sequence --out "$dir/sequence.txt"
say testgen-pruned testgen $lamp --prune exact --out "$dir/pruned.json"
say testgen-fewest testgen $lamp --kill potential --strategy fewest --out "$dir/fewest.json"
say testgen-minimum testgen $lamp --strategy minimal --out "$dir/minimum.json"
say score score "$dir/suite.json" $lamp
say score-1 score "$dir/suite.json" $lamp --shard 1/2 --out "$dir/score-1"
say score-2 score "$dir/suite.json" $lamp --shard 2/2 --out "$dir/score-2"
say merge-score merge "$dir/score-1" "$dir/score-2"
cp $lamp "$dir/lamp.xml"
say accept accept "$dir/lamp.xml" --keep 'operator has CXL' --reason why
say accept-lost accept "$dir/lamp.xml" --keep 'location has Nowhere' --reason why
say score-accepted score "$dir/suite.json" "$dir/lamp.xml" --changed-since $lamp
say testgen-accepted testgen "$dir/lamp.xml" --out "$dir/accepted.json"
say classify-accepted classify "$dir/lamp.xml" --out "$dir/accepted"
say harness harness "$dir/suite.json" --as c --out "$dir/suite.c"
say harness-pytest harness "$dir/suite.json" --as pytest --out "$dir/suite.py"
say minimise minimise "$dir/suite.json" $lamp --out "$dir/fewer.json"
say minimise-time minimise "$dir/suite.json" $lamp --criterion time --out "$dir/shorter.json"
say view view "$dir/fewer.json" $lamp --out "$dir/view"
for fault in late-dim crash wrong-output; do
    say run-$fault run "$dir/suite.json" --sut "target/release/lamp --fault $fault" --accelerated --results "$dir/$fault.jsonl"
done
say run-right run "$dir/suite.json" --sut target/release/lamp --unit 5ms --tolerance 1 --results "$dir/right.jsonl"
say run-random run --random 20 --model $lamp --sut "target/release/lamp --fault late-dim" --accelerated --results "$dir/random.jsonl"
say diagnose diagnose "$dir/late-dim.jsonl" $lamp
say diagnose-nothing diagnose "$dir/right.jsonl" $lamp
say diagnose-none diagnose "$dir/wrong-output.jsonl" $lamp --operators TMI
say run-model run "$dir/suite.json" --against $lamp
"$tamper" export $lamp --keep 'operator == CXL' --out "$dir/lamps" --quiet
say run-mutants run "$dir/suite.json" --against "$dir/lamps"
say run-plays run "$dir/suite.json" --against "$dir/lamps" --random 3
system=case-studies/untimed/$(ls case-studies/untimed | grep -m 1 '\.smv$')
say testgen-system testgen "$system" --out "$dir/words.json"
say score-system score "$dir/words.json" "$system"
say run-system run "$dir/words.json" --against "$system"
say export-system export "$system" --out "$dir/systems"
say testgen-actions testgen case-studies/cas-actions/model.pl --out "$dir/events.json"
say score-actions score "$dir/events.json" case-studies/cas-actions/model.pl
say coverage coverage examples/machines/running-example.fsm examples/machines/running-example.suite --show count
say coverage-extended coverage examples/machines/purse.efsm --suite complete,prioritised --show count
say coverage-smallest coverage examples/machines/purse.efsm --suite smallest
say coverage-timed coverage $lamp "$dir/suite.json" --show count
lines() { # the schema of a line, the file of lines, every how many
    python3 -c 'import sys; [open(f"{sys.argv[1]}-{n}.json", "w").write(line) for n, line in enumerate(open(sys.argv[2])) if n % int(sys.argv[3]) == 0]' "$dir/$1-$(echo "${2#"$dir/"}" | tr /. --)" "$2" "$3"
}
for folder in run few run2 merged system actions; do lines record "$dir/$folder/mutants.jsonl" 40; done
lines record "$dir/network/mutants.jsonl" 1
for run in late-dim crash wrong-output right random; do lines results "$dir/$run.jsonl" 1; done
"$dir/venv/bin/python" scripts/check_json_schemas.py "$dir" "$tamper"
