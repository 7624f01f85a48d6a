#!/usr/bin/env bash
# What composing costs: Fischer's protocol with more and more processes, by one or two builds of tamper. Rows of a table in
# results/networks/page.md. A build that takes longer than the limit has no row.
#
# Usage: results/networks/compositions.sh TAMPER [OTHER]       LIMIT=60 SIZES="5 6 7 8" in the environment
# With TCK_REACH (TChecker's program) and TCK_EXAMPLES (its folder of examples) also the table of scripts/covreach.py.
set -euo pipefail
limit=${LIMIT:-60}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Who still finds its own number after waiting longer than anybody takes to write may go on.
fischer() {
    cat <<MODEL
<nta><declaration>const int K = 10; int[0,$1] id;</declaration>
<template><name>P</name><parameter>const int[1,$1] pid</parameter><declaration>clock x;</declaration>
<location id="a"><name>Away</name></location>
<location id="r"><name>Request</name><label kind="invariant">x &lt;= K</label></location>
<location id="w"><name>Wait</name></location><location id="c"><name>Critical</name></location><init ref="a"/>
<transition><source ref="a"/><target ref="r"/><label kind="guard">id == 0</label><label kind="assignment">x = 0</label></transition>
<transition><source ref="r"/><target ref="w"/><label kind="guard">x &lt;= K</label><label kind="assignment">x = 0, id = pid</label></transition>
<transition><source ref="w"/><target ref="r"/><label kind="guard">id == 0</label><label kind="assignment">x = 0</label></transition>
<transition><source ref="w"/><target ref="c"/><label kind="guard">x &gt; K &amp;&amp; id == pid</label></transition>
<transition><source ref="c"/><target ref="a"/><label kind="assignment">id = 0</label></transition>
</template><system>system P;</system></nta>
MODEL
}

echo "| processes | build | discrete states | zones explored | seconds |"
echo "|---:|---|---:|---:|---:|"
for size in ${SIZES:-5 6 7 8}; do
    fischer "$size" > "$folder/model.xml"
    for tamper in "$@"; do
        begun=$(date +%s.%N)
        if answer=$(timeout "$limit" "$tamper" compose "$folder/model.xml" --out "$folder/one.xml" --format json); then
            seconds=$(echo "$(date +%s.%N) - $begun" | bc)
            printf '%s' "$answer" | python3 -c "
import json, sys
answer = json.load(sys.stdin)
print(f'| $size | $(basename "$tamper") | {answer[\"locations\"]:,} | {answer[\"symbolic_states\"]:,} | {float(\"$seconds\"):.2f} |')"
        else
            echo "| $size | $(basename "$tamper") | – | – | > $limit |"
        fi
    done
done

if [ -n "${TCK_REACH:-}" ]; then
    echo
    "$(dirname "$0")/../../scripts/covreach.py" "$1" "$TCK_REACH" "$TCK_EXAMPLES"
fi
