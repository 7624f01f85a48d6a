#!/usr/bin/env bash
# Whether two builds of tamper say the same, byte for byte: verdicts and counterexamples of the case studies by both
# engines and all presets, at orders 1 and 2 (a sample), all products of featured mutants, test suites and their coverage;
# compositions, mutants and suites of networks; untimed and action systems; machines; drawings and exports.
#
# Usage: scripts/compare-runs.sh BEFORE AFTER [FOLDER]     BEFORE and AFTER: two tamper executables
set -euo pipefail
before=$(realpath "$1")
after=$(realpath "$2")
folder=$(realpath -m "${3:-compare.out}")
cd "$(dirname "$0")/.."
studies=${STUDIES:-mutex hotel coffee wfas accel cas}
sample=${SAMPLE:-1500}
family_orders=${FAMILY_ORDERS:-1 2}
mkdir -p "$folder/before" "$folder/after"

# NAME COMMAND...: the command by both builds; its output goes to NAME.
both() {
    local name=$1 side code
    shift
    for side in before after; do
        code=0
        (cd "$folder/$side" && "${!side}" -q "$@") > "$folder/$side/$name" 2> "$folder/$side/$name.err" || code=$?
        echo "exit code $code" >> "$folder/$side/$name"
    done
    compare "$name"
    compare "$name.err"
}

n_same=0
n_different=0
compare() {
    if cmp -s "$folder/before/$1" "$folder/after/$1"; then
        n_same=$((n_same + 1))
    else
        n_different=$((n_different + 1))
        echo "different: $1"
    fi
}

for study in $studies; do
    model=$PWD/case-studies/$study/model.xml
    for preset in strict tiga definition; do
        for engine in family enumerate; do
            for order in 1 2; do
                run=$study-$preset-$engine-$order
                options=()
                if [ "$order" = 2 ]; then options=(--sample "$sample" --seed 7); fi
                for side in before after; do
                    rm -rf "$folder/$side/$run"
                    (cd "$folder/$side" && "${!side}" -q classify "$model" --order "$order" --semantics "$preset" \
                        --engine "$engine" --no-static --witness --out "$run" "${options[@]}" > /dev/null 2> "$run.err") || true
                done
                compare "$run/mutants.jsonl"
                compare "$run.err"
            done
        done
    done
    for order in $family_orders; do
        for side in before after; do
            rm -rf "$folder/$side/$study-fmm-$order"
            (cd "$folder/$side" && "${!side}" -q fmm "$model" --order "$order" --out "$study-fmm-$order" > /dev/null 2>&1) || true
        done
        exported=$folder/before/$study-fmm-$order
        if [ -f "$exported/fmm.xml" ]; then
            for preset in strict tiga definition; do
                both "$study-families-$preset-$order.json" families "$exported/fmm.xml" --features "$exported/features.uvl" \
                    --against "$model" --semantics "$preset" --witnesses 3 --format json
            done
        fi
    done
    for kill in potential definite; do
        suite=$study-$kill.json
        for side in before after; do
            (cd "$folder/$side" && "${!side}" -q testgen "$model" --kill "$kill" --out "$suite" > "$suite.out" 2>&1) || true
        done
        compare "$suite"
        compare "$suite.out"
        if [ -f "$folder/before/$suite" ]; then
            both "$study-score-$kill" score "$folder/before/$suite" "$model" --format json
            both "$study-coverage-$kill" coverage "$model" "$folder/before/$suite" --order 2 --kill "$kill" --format json
        fi
    done
done
# FILE COMMAND...: what the command writes to OUT, a file or a folder, by both builds.
written() {
    local name=$1 side
    shift
    for side in before after; do
        rm -rf "$folder/$side/$name"
        (cd "$folder/$side" && "${!side}" -q "$@" --out "$name" > "$name.said" 2>&1) || true
        if [ -d "$folder/$side/$name" ]; then
            (cd "$folder/$side/$name" && find . -type f ! -name manifest.json | sort | xargs cat) \
                > "$folder/$side/$name.all"
        else
            cat "$folder/$side/$name" > "$folder/$side/$name.all" 2> /dev/null || true
        fi
    done
    compare "$name.all"
    compare "$name.said"
}

for network in $(find "$PWD/uppaal-models/networks" "$PWD/tests/data" -name '*.xml' | sort); do
    name=network-$(echo "${network#"$PWD"/}" | tr '/' '-')
    both "$name-check" check "$network" --network --format json
    written "$name-composed.xml" compose "$network"
    both "$name-mutants" classify "$network" --mutate all --sample 60 --seed 5 --witness --format json
    written "$name-suite.json" testgen "$network" --mutate all --sample 40 --seed 5
done
for system in "$PWD"/case-studies/{beverage,untimed}/*.smv "$PWD"/case-studies/{buffer,lift,cas-actions}/model.pl; do
    name=system-$(basename "$(dirname "$system")")-$(basename "$system")
    both "$name-check" check "$system" --format json
    both "$name-mutants" classify "$system" --witness --format json
    written "$name-suite.json" testgen "$system"
done
for chart in "$PWD"/case-studies/damper/{model,with-values}; do
    name=machine-$(basename "$chart")
    both "$name-coverage" coverage "$chart.scxml" "$chart.suite" --count --format json
done
for study in $studies; do
    model=$PWD/case-studies/$study/model.xml
    written "$study.svg" draw "$model"
    written "$study.dot" draw "$model" --as dot
    for form in uppaal ecdar-json tchecker; do
        written "$study-$form" export "$model" --as "$form" --sample 20 --seed 3
    done
done
echo "$n_same files are the same, $n_different differ"
[ "$n_different" = 0 ]
