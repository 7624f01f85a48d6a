#!/usr/bin/env bash
# What the scripts for clusters do with names that a shell would execute, with options of networks, and with a task that is asked to
# end: jobs of slurm-submit.sh run here, by a stand-in for sbatch, and (where it is installed) those of the Snakefile.
# usage: check-cluster.sh [TAMPER [CLUSTER-SCRIPTS]]
set -euo pipefail
cd "$(dirname "$0")/.."
TAMPER=$(realpath "${1:-target/release/tamper}")
cluster=$(realpath "${2:-scripts/cluster}")
export TAMPER
models=$PWD/uppaal-models
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"
# Slurm's side: a script with its arguments, or the text of --wrap for a shell; tasks in turn, again when requeued.
cat > "$dir/bin/sbatch" << 'FAKE'
#!/usr/bin/env bash
n= wrap=
while [ $# -gt 0 ]; do
    case $1 in
        --array=*) n=${1##*-} ;;
        --output=*) output=${1#--output=} ;;
        --wrap) wrap=$2; shift ;;
        --wrap=*) wrap=${1#--wrap=} ;;
        -*) ;;
        *) break ;;
    esac
    shift
done
log() { local name=${output//%%/$'\1'}; name=${name//%a/$1}; echo "${name//$'\1'/%}"; }
if [ -n "$wrap" ]; then bash -c "$wrap" > "$(log 0)" 2>&1 || echo "job failed: $?" >&2
elif [ -z "$n" ]; then "$@" > "$(log 0)" 2>&1 || { echo "job failed: $?" >&2; cat "$(log 0)" >&2; }
else
    for ((k = 1; k <= n; k++)); do
        for ((restarts = 0; restarts < 9; restarts++)); do
            rm -f "$REQUEUED"
            SLURM_ARRAY_TASK_ID=$k SLURM_ARRAY_TASK_COUNT=$n SLURM_ARRAY_JOB_ID=7 SLURM_RESTART_COUNT=$restarts "$@" > "$(log "$k")" 2>&1 &
            [ -z "${WALLTIME:-}" ] || [ "$restarts" -gt 1 ] || { sleep "$WALLTIME"; kill -TERM $! 2> /dev/null; }
            wait $!
            [ -e "$REQUEUED" ] || break
            echo "task $k is queued again" >&2
        done
    done
fi
echo 7
FAKE
printf '#!/bin/sh\necho "$*" > "$REQUEUED"\n' > "$dir/bin/scontrol"
chmod +x "$dir/bin"/*
PATH=$dir/bin:$PATH
export REQUEUED=$dir/requeued
failed=0
result() {
    if [ "$1" = 0 ]; then echo "$2: as it should be"; else echo "$2: WRONG"; failed=1; fi
}
same() { diff -r "$1" "$2" > "$dir/diff" || { head -n 5 "$dir/diff"; return 1; }; }
nothing_executed() { ! find "$dir" -name 'PWN*' | grep .; }

mkdir "$dir/work"
cd "$dir/work"
"$TAMPER" classify "$models/lamp.xml" --out ../single --quiet > /dev/null || true
"$TAMPER" classify "$models/lamp.xml" --out ../second --order 2 --quiet > /dev/null || true
# A file's name stands in the manifest; all else is the same.
plain() { sed -E 's|"file": "([^"\\]\|\\.)*"|"file": "m"|' -i "$1/manifest.json"; }
plain ../single
names=("x'; touch PWN1; '.xml" 'a"$(touch PWN2)".xml' 'b `touch PWN3`.xml' 'c;touch PWN4;.xml' '%a {k} %%.xml' '-o.xml')
for name in "${names[@]}"; do
    mkdir -p sub
    cp "$models/lamp.xml" "./$name"
    out="sub/${name%.xml}"
    "$cluster/slurm-submit.sh" 3 "$out" "./$name" > /dev/null || true
    [ -e "$out/manifest.json" ] && plain "$out"
    { same ../single "$out" && nothing_executed; } && code=0 || code=1
    result "$code" "Slurm, $name"
    rm -rf -- sub "$name" PWN*
done

network=(--network --observe Lamp.Bright)
cp "$models/networks/lamp-and-user.xml" net.xml
"$TAMPER" classify net.xml "${network[@]}" --out ../network --quiet > /dev/null || true
plain ../network
"$cluster/slurm-submit.sh" 2 net net.xml "${network[@]}" > /dev/null || true
plain net
same ../network net && code=0 || code=1
result "$code" "Slurm, options of a network"

# Long enough to be cut off by a walltime, twice.
cp "${LONG:-$models/../case-studies/cas/model.xml}" long.xml
long=(--order 2 --sample 30000 --engine enumerate --static off --threads 1)
"$TAMPER" classify long.xml "${long[@]}" --out ../long --quiet > /dev/null || true
WALLTIME=0.3 "$cluster/slurm-submit.sh" 1 long long.xml "${long[@]}" 2> again > /dev/null || true
sort again | uniq -c
plain ../long
plain long
{ grep -q 'queued again' again && same ../long long; } && code=0 || code=1
result "$code" "Slurm, a walltime that ends twice"

if command -v snakemake > /dev/null; then
    # Braces are its own.
    for name in "${names[@]:0:4}"; do
        cp "$models/lamp.xml" "./$name"
        # Snakemake reads its own words as YAML.
        jq -n --arg model "$name" --arg out "${name%.xml}" '{model: $model, out: $out, shares: 2}' > ../config.json
        snakemake -s "$cluster/Snakefile" --cores 1 --configfile ../config.json > ../log 2>&1 || tail -n 3 ../log
        [ -e "${name%.xml}/manifest.json" ] && plain "${name%.xml}"
        { same ../single "${name%.xml}" && nothing_executed; } && code=0 || code=1
        result "$code" "Snakemake, $name"
        rm -rf -- "$name" "${name%.xml}"* PWN*
    done
else
    echo "check-cluster: Snakemake is not installed, its file was not tried"
fi
exit "$failed"
