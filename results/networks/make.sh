#!/usr/bin/env bash
# Tables of results/networks/page.md: the example networks' mutants, alone and composed, and what compositions cost.
# Usage: results/networks/make.sh [TAMPER]
set -euo pipefail
cd "$(dirname "$0")/../.."
tamper=${1:-target/release/tamper}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
models=uppaal-models/networks

echo "| network | under test | mutants | non-subsumed | subsumed | inconsistent | error | violating | unsound |"
echo "|---|---|---:|---:|---:|---:|---:|---:|---:|"
while read -r name options; do
    read -ra words <<<"$options"
    "$tamper" classify "$models/$name.xml" --mutate all --static off "${words[@]}" --out "$out/$name" -q --format json >"$out/$name.json" || true
    jq -r --arg name "$name" --arg options "${options:-everything}" '.total as $t |
        "| `\($name)` | \($options) | \($t.total) | \($t.non_subsumed) | \($t.subsumed) | \($t.inconsistent) | \($t.error) | \($t.violating) | \(.unsound) |"' "$out/$name.json"
done <<'EXAMPLES'
fischer
crossing
lamp-and-user
collision-avoidance
gear-controller
car-alarm --system Alarm
EXAMPLES

echo
echo "| network | process | mutants | killable alone | masked | killable composed |"
echo "|---|---|---:|---:|---:|---:|"
for name in fischer crossing lamp-and-user collision-avoidance gear-controller car-alarm; do
    jq -r --arg name "$name" '.processes[] | (if .why_not_alone then ["-", "-"] else [.killable_alone, .masked] end) as $a |
        "| `\($name)` | \(.name) | \(.mutants) | \($a[0]) | \($a[1]) | \(.killable) |"' "$out/$name.json"
done

echo
echo "| network | options | strategy | mutants | killable | tests | steps | killed by them | seconds (user) |"
echo "|---|---|---|---:|---:|---:|---:|---:|---:|"
seen=$(for p in 1 2 3; do for l in Outside Writing Waiting Inside; do printf ',Contender(%s).%s' $p $l; done; done)
while read -r name options; do
    read -ra words <<<"${options/SEEN/${seen#,}}"
    for strategy in per-mutant on-the-fly minimal; do
        seconds=$( { TIMEFORMAT=%U; time { "$tamper" testgen "$models/$name.xml" --mutate all "${words[@]}" --strategy $strategy \
            --out "$out/suite.json" -q --format json >"$out/made.json" || [ $? = 3 ]; }; } 2>&1 )
        "$tamper" score "$out/suite.json" "$models/$name.xml" --mutate all "${words[@]}" -q --format json >"$out/score.json" || [ $? = 3 ]
        jq -r --arg name "$name" --arg options "${options/SEEN/every location}" --arg strategy $strategy --arg s "$seconds" \
            --slurpfile score "$out/score.json" '$score[0] as $score |
            "| `\($name)` | \($options) | \($strategy) | \(.mutants) | \($score.killable) | \(.tests) | \(.steps) | \($score.killed) | \($s) |"' "$out/made.json"
    done
done <<'EXAMPLES'
fischer --observe SEEN
crossing
lamp-and-user
collision-avoidance
gear-controller
car-alarm --system Alarm
EXAMPLES

echo
echo "| network | N | locations | edges | symbolic states | seconds (user) | states per second |"
echo "|---|---:|---:|---:|---:|---:|---:|"
for name in fischer crossing; do
    for n in 2 3 4 5 6; do
        sed "s/const int N = 3;/const int N = $n;/" "$models/$name.xml" >"$out/$name-$n.xml"
        seconds=$( { TIMEFORMAT=%U; time "$tamper" compose "$out/$name-$n.xml" --out "$out/one.xml" -q --format json >"$out/one.json"; } 2>&1 )
        jq -r --arg name "$name" --arg n "$n" --argjson s "$seconds" '
            "| `\($name)` | \($n) | \(.locations) | \(.edges) | \(.symbolic_states) | \($s) | \(if $s > 0.05 then .symbolic_states / $s | floor else "-" end) |"' "$out/one.json"
    done
done

# All mutants: seconds of user time, `-` where a minute on the wall did not suffice.
seconds_of() {
    { TIMEFORMAT=%U; time timeout 60 "$tamper" "$@" -q --format json >"$out/one.json" || [ $? != 124 ] || echo - >"$out/late"; } 2>&1
}
echo
echo "| network | N | mutants | each on its own | from the original | ratio | mutants per second |"
echo "|---|---:|---:|---:|---:|---:|---:|"
for name in fischer crossing; do
    for n in 2 3 4 5 6; do
        sed "s/const int N = 3;/const int N = $n;/" "$models/$name.xml" >"$out/$name-$n.xml"
        rm -f "$out/late"
        alone=$(seconds_of classify "$out/$name-$n.xml" --mutate all --engine enumerate --out "$out/$name-$n-alone")
        [ ! -f "$out/late" ] || alone=-
        rm -f "$out/late"
        shared=$(seconds_of classify "$out/$name-$n.xml" --mutate all --out "$out/$name-$n")
        if [ -f "$out/late" ]; then
            echo "| \`$name\` | $n | - | $alone | - | - | - |"
            continue
        fi
        jq -r --arg name "$name" --arg n "$n" --arg alone "$alone" --argjson s "$shared" '
            (if $alone == "-" then "-" else ($alone | tonumber) / ([$s, 0.001] | max) * 10 | round / 10 end) as $ratio |
            "| `\($name)` | \($n) | \(.total.total) | \($alone) | \($s) | \($ratio) | \(.total.total / ([$s, 0.01] | max) | floor) |"' "$out/one.json"
    done
done

# Composing the mutants alone: each anew, and from what the original has shown; one run, in turn.
if [ -x "$(dirname "$tamper")/examples/network_mutants" ]; then
    echo
    echo "| network | processes | locations | symbolic states | mutants | composed per second, anew | from the original | ratio |"
    echo "|---|---:|---:|---:|---:|---:|---:|---:|"
    for name in fischer crossing; do
        for n in 2 3 4 5 6; do
            line=$(timeout 60 "$(dirname "$tamper")/examples/network_mutants" "$out/$name-$n.xml") || continue # more than a minute
            echo "| \`$name\` $line"
        done
    done
fi
