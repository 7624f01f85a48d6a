#!/usr/bin/env bash
# Limits are kept: commands that would take minutes or hours, each with a limit. Prints a Markdown table: command, limit,
# exit code, seconds, memory asked and taken. A time limit holds if the command ends within a tenth of it or a second after it, a
# memory limit if less than twice as much is taken; a refusal has to come within a second, too. Exits with 1 if a limit did not
# hold. Needs GNU time (/usr/bin/time) and Python.
# TAMPER names a release binary; without it one is built. IN_ALL is how many seconds a row with another limit may take (10). A further
# case is a line: timed SECONDS WORDS... or refused SECONDS WORDS...; its files are made in the working folder above the table.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/binary.sh
root=$PWD
# Seconds after which a row with another limit ends in any case.
in_all=${IN_ALL:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

# row MOST CODES LIMIT WORDS...: a line of the table; more seconds than MOST, another exit code, or twice the memory of a LIMIT in MB
# is a failure.
row() {
    local most=$1 codes=$2 limit=$3 code seconds kilobytes held=yes asked=-
    [[ $limit != *MB ]] || asked=${limit% MB}
    shift 3
    timeout 120 /usr/bin/time -q -f '%e %M' -o time.txt "$tamper" "$@" >out.txt 2>err.txt < <(yes reset)
    code=$?
    if [ "$code" = 124 ]; then
        seconds=120 kilobytes=0
    else
        read -r seconds kilobytes <time.txt
    fi
    if [[ " $codes " != *" $code "* ]] || awk "BEGIN { exit !($seconds > $most) }" ||
        { [ "$asked" != - ] && [ $((kilobytes / 1024)) -ge $((2 * asked)) ]; }; then
        held=NO
        failures=$((failures + 1))
        head -3 err.txt >&2
    fi
    printf '| `%s` | %s | %s | %s | %s | %s | %s |\n' \
        "$(printf '%s' "$*" | sed "s#$root/##g")" "$limit" "$code" "$seconds" "$asked" "$((kilobytes / 1024))" "$held"
}
# timed SECONDS WORDS...: a command that does not end by itself.
timed() {
    local seconds=$1
    shift
    row "$(awk "BEGIN { print ($seconds * 1.1 > $seconds + 1) ? $seconds * 1.1 : $seconds + 1 }")" "0 1 3" "$seconds s" \
        "$@" --timeout "$seconds" --quiet
}
# refused SECONDS WORDS...: a command that is to be refused by then.
refused() {
    local seconds=$1
    shift
    row "$seconds" 2 "refused" "$@" --quiet
}
# each WORDS...: a command that does not end by itself, with each limit that it has. Its standard input is endless.
each() {
    local help
    help=$("$tamper" "$1" --help)
    rm -rf o o-*
    row 3 "$codes" "1 s in all" "$@" --total-timeout 1 --quiet
    [[ $help != *--timeout* ]] || row $((in_all + 1)) "$codes" "1 s each" "$@" --timeout 1 --total-timeout "$in_all" --quiet
    [[ $help != *--max-states* ]] ||
        row $((in_all + 1)) "$codes" "1000 states" "$@" --max-states 1000 --total-timeout "$in_all" --quiet
    for asked in 20 50 200; do
        [[ $help != *--max-memory* ]] ||
            row $((in_all + 2)) "$codes" "$asked MB" "$@" --max-memory "${asked}M" --total-timeout "$in_all" --threads 1 --quiet
    done
}
# machine STATES INPUTS OUTPUTS: a random state machine.
machine() {
    awk -v n="$1" -v k="$2" -v o="$3" 'BEGIN {
        srand(7)
        print "initial s0"
        for (s = 0; s < n; s++) for (a = 0; a < k; a++)
            printf "s%d i%d / o%d -> s%d\n", s, a, int(rand() * o), a ? int(rand() * n) : (s + 1) % n
    }'
}

# group BOUNDS N [CONSTRAINT]: a feature model of one group of N features.
group() {
    printf 'features\n\troot\n\t\t%s\n' "$1"
    seq -f '			f%.0f' "$2"
    [ -z "${3:-}" ] || printf 'constraints\n\t%s\n' "$3"
}
# clauses VARIABLES CLAUSES LENGTH: random clauses over named variables; of all variables if LENGTH is as many.
clauses() {
    awk -v n="$1" -v m="$2" -v k="$3" 'BEGIN {
        srand(3)
        for (v = 1; v <= n; v++) printf "c %d f%d\n", v, v
        printf "p cnf %d %d\n", n, m
        for (c = 0; c < m; c++) {
            for (i = 1; i <= k; i++) printf "%s%d ", rand() < 0.5 ? "-" : "", k == n ? i : 1 + int(rand() * n)
            print "0"
        }
    }'
}

lamp=$root/uppaal-models/lamp.xml
cas=$root/case-studies/cas/model.xml
for size in "10 3 3" "20 5 4"; do
    # shellcheck disable=SC2086
    machine $size >"machine-${size%% *}.fsm"
done
sed '0,/x&lt;=[0-9]*/s//x\&lt;=1073741824/' "$lamp" >large-constant.xml
{
    printf '<nta><template'
    seq -f ' a%.0f="1"' 100000 | tr -d '\n'
    printf '><name>T</name></template></nta>\n'
} >attributes.xml
{
    printf '<featureModel><struct><and name="r"'
    seq -f ' a%.0f="1"' 100000 | tr -d '\n'
    printf '/></struct></featureModel>\n'
} >attributes-features.xml
clauses 500 1750 3 >hard.dimacs
clauses 100000 20 100000 >long.dimacs
group optional 50000 >optional.uvl
group '[1000..1000]' 2000 >half.uvl
group '[1000..1000]' 2000 'f1 => f2' >half-and-one.uvl
group '[4294967295..2]' 3 >empty.uvl
"$tamper" testgen "$lamp" --out lamp.json --quiet >/dev/null
"$tamper" fmm "$cas" --order any --out cas-fmm --quiet >/dev/null

python3 "$root/scripts/limits_inputs.py"
# A program that never does anything.
cat >silent.py <<'END'
import sys
for line in iter(sys.stdin.readline, ""):
    print({"input": "ok", "delay": "done"}.get(line.split()[0], "ready"), flush=True)
END
"$tamper" run lamp.json --sut "python3 silent.py" --accelerated --results lamp.jsonl --quiet >/dev/null
for share in 1 2; do "$tamper" classify "$lamp" --shard $share/2 --out lamp-$share --quiet >/dev/null; done

echo "| command | limit | exit | seconds | MB asked | MB taken | held |"
echo "|---|---|---|---|---|---|---|"
codes="0 1 3"
product=$(grep -oE 'TMI_[A-Za-z0-9_]+' cas-fmm/features.uvl | head -1)
for words in "check ints.xta" "check net.xta" "check game.xta" "refine ints.xta G G" "refine net.xta P1 P2" \
    "compose net.xta --out o.xml" "classify ints.xta --out o" "classify net.xta --out o" "classify game.xta --out o" \
    "classify $cas --order 3 --sample 1000000 --out o" "export $cas --order 2 --keep non-subsumed --out o" "fmm $cas --order 2 --out o" \
    "features hard.cnf" "features tangle.uvl" "families cas-fmm/fmm.xml --features cas-fmm/features.uvl --against $cas" \
    "coverage big.fsm --complete --faults all --out o" "coverage big.efsm --complete --out o" "coverage $cas --complete --count --out o" \
    "testgen ints.xta --out o" "testgen game.xta --out o" "testgen net.xta --out o" "testgen big.pl --out o" "testgen big.smv --out o" \
    "score lamp.json $lamp --order 3" "minimise lamp.json $lamp --order 3 --out o" \
    "run lamp.json --against $lamp --plays 1000000000" "check big.smv" "check big.btor2" "check big.pl" "classify big.smv" \
    "classify big.pl --order 2" "diagnose lamp.jsonl $lamp" "merge lamp-1 lamp-2 --out o" \
    "open ints.xta" "draw game.xta --out o.svg" "oracle machine-20.fsm" \
    "project cas-fmm/fmm.xml --features cas-fmm/features.uvl --product $product --out o.xml" "reproduce" "view lamp.json $lamp --out o" \
    "harness lamp.json --as c --out o.c"; do
    # shellcheck disable=SC2086
    each $words
done
for size in 10 20; do
    timed 1 coverage machine-$size.fsm --complete --minimise --faults all
    timed 5 coverage machine-$size.fsm --complete --minimise --faults all
    timed 1 coverage machine-$size.fsm --complete=extend --minimise --faults all
    timed 1 coverage machine-$size.fsm --count --faults all
done
row 2 "0 3" "1 s in all" report lamp.jsonl --out o.html --total-timeout 1 --quiet
timed 1 coverage "$lamp" --complete --count --out o.json
timed 1 coverage "$lamp" --complete --kill definite --out o.json
timed 1 coverage "$cas" --complete --count --out o.json
timed 1 coverage cas-fmm/fmm.xml --features cas-fmm/features.uvl --against "$cas" --complete --out o.json
timed 1 classify large-constant.xml --all-constants
timed 3 classify "$cas" --all-constants=100000000
timed 1 families cas-fmm/fmm.xml --features cas-fmm/features.uvl --against "$cas"
timed 1 fmm "$cas" --order 3 --out o-fmm
timed 1 check large-constant.xml
timed 1 run lamp.json --against large-constant.xml
timed 1 classify "$lamp" --out o-run
timed 1 classify "$lamp" --duplicates --guidelines extended --out o-run
timed 1 minimise lamp.json "$lamp" --out small.json
timed 2 features hard.dimacs
timed 2 features hard.dimacs --sample 10000000
timed 2 features hard.dimacs --cover 2
timed 2 features hard.dimacs --why f1
timed 2 features long.dimacs
timed 2 features optional.uvl
timed 2 features optional.uvl --sample 10000000
timed 2 features half.uvl
timed 2 features half-and-one.uvl
timed 2 features empty.uvl
row 3 "0 3" "256 MB" features half-and-one.uvl --max-memory 256M --timeout 2 --quiet
refused 1 features optional.uvl --cover 2
row 2 "0 3" "50 MB" coverage machine-20.fsm --complete --faults all --max-memory 50M --timeout 1 --quiet
row 2 3 "1000 states" coverage machine-20.fsm --complete --faults all --max-states 1000 --timeout 1 --quiet
row 2 3 "1000 states" coverage "$cas" --complete --max-states 1000 --out o.json --quiet
refused 1 check attributes.xml
refused 1 features attributes-features.xml
refused 1 check /dev/zero
refused 1 coverage /dev/zero
refused 1 score /dev/zero "$lamp"
refused 1 coverage "$lamp" /dev/zero
refused 1 check "$lamp" --threads 1000000
echo
echo "Limits that did not hold: $failures."
[ "$failures" = 0 ]
